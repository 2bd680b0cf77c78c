/**
 * Which characters look alike in print, so that recognising a page, or reading one, takes the one for the other
 * (spec/words.md §8). Forms are compared, so everything here is in lower case and without accents, which are what print
 * loses most; what looks alike in capitals alone stands here in small letters.
 */

/** Unit of all costs: what it takes to change, drop or add any character. */
export const EDIT = 20;
/** One character for another of the same shape. */
export const CONFUSION = 8;
/** A letter for the same shape of another alphabet: recognition mixes alphabets within a word. */
const HOMOGLYPH = 2;
/** A letter doubled or one of two lost, and a thin letter that ran into its neighbour. */
export const SLIP = 12;

/** Letters of one stroke. */
export const THIN: ReadonlySet<number> = new Set(Array.from("iljtrf", (letter) => letter.codePointAt(0)!));

/** Groups of characters of which any may be taken for any other. */
const ALIKE = [
  // Latin and digits; `f` and `s` for the long s.
  "il1jt",
  "lf",
  "tf",
  "tr",
  "ocea0",
  "oqd0",
  "gq9",
  "ao",
  "au",
  "uv",
  "vy",
  "un",
  "hbk",
  "hn",
  "nr",
  "b68",
  "bo",
  "s58",
  "fs",
  "z2",
  "cg6",
  "ef",
  "pr",
  "pb",
  "xk",
  "wv",
  "mn",
  // Greek.
  "υν",
  "οσ",
  "ηn",
  "αο",
  // Cyrillic.
  "шщ",
  "ийн",
  "нпл",
  "ьъ",
  "есо",
  "зэ3",
  "б6",
  "тг",
  "цш",
  "лд",
  // Hebrew.
  "דרך",
  "החת",
  "וזין",
  "בכ",
  "נג",
  "םס",
  // Arabic: one skeleton, other dots.
  "بتثنيئپ",
  "جحخچ",
  "دذ",
  "رزژ",
  "سش",
  "صض",
  "طظ",
  "عغ",
  "فق",
  "هة",
  "ىيی",
  "اأإآ",
  "وؤ",
  "كگک",
  // Devanagari, letters and vowel signs.
  "वब",
  "घध",
  "भम",
  "यथ",
  "षप",
  "ङड",
  "िी",
  "ुू",
  "ेै",
  "ोौ",
];

/** The same shapes in Latin, Cyrillic and Greek. */
const ACROSS_ALPHABETS = [
  "aаα",
  "eеε",
  "oоο",
  "pрρ",
  "cс",
  "yуγ",
  "xхχ",
  "iіι",
  "jј",
  "sѕ",
  "kкκ",
  "mмμ",
  "tтτ",
  "hнη",
  "bвβ",
  "vν",
  "uυ",
  "zζ",
];

/** Two characters that are taken for one, and one for two. */
const PAIRS = [
  "rn m",
  "nn m",
  "in m",
  "ni m",
  "ri n",
  "ii u",
  "ii n",
  "li u",
  "il u",
  "li h",
  "lr h",
  "cl d",
  "ci a",
  "cl a",
  "vv w",
  "lc k",
  "ss b",
  "ьі ы",
  "лл м",
  "रव ख",
];

const alike = new Map<number, Map<number, number>>();
for (const [groups, cost] of [
  [ALIKE, CONFUSION],
  [ACROSS_ALPHABETS, HOMOGLYPH],
] as const)
  for (const group of groups) {
    const points = Array.from(group, (character) => character.codePointAt(0)!);
    for (const a of points) {
      const known = alike.get(a) ?? new Map<number, number>();
      alike.set(a, known);
      for (const b of points) if (a !== b) known.set(b, cost);
    }
  }

/** By the one character: the two that may stand for it. */
const pairs = new Map<number, (readonly [number, number])[]>();
for (const pair of PAIRS) {
  const [first, second, , one] = Array.from(pair, (character) => character.codePointAt(0)!);
  const known = pairs.get(one!) ?? [];
  pairs.set(one!, known);
  known.push([first!, second!]);
}

const NOTHING: ReadonlyMap<number, number> = new Map();
const NO_PAIRS: readonly (readonly [number, number])[] = [];

/** What it costs to take a code point for each of those that look like it; {@link EDIT} for any other. */
export function shapesLike(point: number): ReadonlyMap<number, number> {
  return alike.get(point) ?? NOTHING;
}

/** The pairs of code points that look like one. */
export function pairsLike(one: number): readonly (readonly [number, number])[] {
  return pairs.get(one) ?? NO_PAIRS;
}
