/**
 * The normal form of a word (spec/text.md §1): compatibility composition, lower case without a locale, accents folded
 * where they are ornament, digits in one shape. Two spellings that a reader takes for the same word get the same form.
 */

/** Version of these rules, kept in a package: forms of another version are not comparable. */
export const NORMALISE_VERSION = 1;

/**
 * Letters that carry no separable accent in Unicode and that people type without it all the same: `STRASSE` is
 * `Straße`, `Lodz` is `Łódź`, and the dotless ı cannot be told from i once a Turkish word stood in capitals.
 */
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ħ: "h",
  ŧ: "t",
  ı: "i",
  ς: "σ",
};

/** Letters of Cyrillic alphabets, not accented ones: nobody writes и for й, and Russian stems end in it. ё is not here. */
const CYRILLIC_LETTERS = /[йўїѓќґ]/u;

const FOLDED_SCRIPTS = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;
const MARK = /^\p{M}$/u;
const DECIMAL = /^\p{Nd}$/u;
/** What Unicode asks to ignore inside words: soft hyphen, joiners, directions, variation selectors; and the Arabic tatweel. */
const IGNORED =
  /[\u00AD\u034F\u061C\u0640\u180B-\u180F\u200C-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFE00-\uFE0F\uFEFF\u{E0100}-\u{E01EF}]/gu;

/** The value of a decimal digit of any script: Unicode encodes them in runs of ten whose first is a multiple of nothing, so the run is walked back. */
function digitValue(char: string): string {
  const code = char.codePointAt(0)!;
  let zero = code;
  while (code - zero < 9 && DECIMAL.test(String.fromCodePoint(zero - 1))) zero--;
  return String(code - zero);
}

function fold(word: string): string {
  let out = "";
  // Whether the base before is of a script whose marks are dropped.
  let dropsMarks = false;
  for (const char of word) {
    if (MARK.test(char)) {
      if (!dropsMarks) out += char;
      continue;
    }
    dropsMarks = FOLDED_SCRIPTS.test(char);
    if (dropsMarks) {
      if (CYRILLIC_LETTERS.test(char)) {
        out += char;
        continue;
      }
      const base = Array.from(char.normalize("NFD")).find((part) => !MARK.test(part)) ?? char;
      out += LETTERS[base] ?? base;
    } else if (char > "9" && DECIMAL.test(char)) {
      out += digitValue(char);
    } else {
      out += char;
    }
  }
  return out;
}

/** The normal form of `raw`, one word or one character. Idempotent; never throws. */
export function normaliseWord(raw: string): string {
  if (/^[\x20-\x7E]*$/.test(raw)) return raw.toLowerCase();
  const plain = raw.normalize("NFKC").replace(IGNORED, "").toLowerCase();
  return fold(plain.normalize("NFKC")).normalize("NFKC");
}
