/**
 * Where words begin and end (spec/text.md §2). A word is letters, digits and their combining marks by Unicode class;
 * scripts that write without spaces give overlapping bigrams and single characters instead; Korean gives both. SQL,
 * regular expressions and Markdown are ordinary text here: their signs separate and nothing else.
 */
import { normaliseWord } from "./normalise.js";

export { normaliseWord } from "./normalise.js";

/** Version of these rules, kept in a package. */
export const WORDS_VERSION = 1;

/** Longest form in UTF-16 units; a longer word (base64, say) becomes consecutive forms of this length. */
export const LONGEST_FORM = 64;

/**
 * One thing to ask the dictionary for. A `word` may be stemmed and likened; a `piece`, a bigram or single character of
 * a script without spaces or a bigram of a Korean word, is asked exactly as it is.
 */
export interface QuestionWord {
  readonly form: string;
  readonly kind: "word" | "piece";
}

const SEPARATOR = 0;
export const SPACED = 1;
const MARK = 2;
/** Han, Hiragana, Katakana. */
const EAST_ASIAN = 3;
/** Thai, Lao, Khmer, Myanmar, Tibetan, Javanese. */
const SOUTH_EAST_ASIAN = 4;
export const HANGUL = 5;
/** Belongs to the word around it and is dropped by normalising. */
const IGNORED = 6;
const UNKNOWN = 255;

const IS_IGNORED = /[\u00AD\u034F\u061C\u0640\u180B-\u180F\u200C-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF]/;
const IS_MARK = /\p{M}/u;
const IS_WORD = /[\p{L}\p{N}]/u;
const IS_DECIMAL = /\p{Nd}/u;
const IS_EAST_ASIAN = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u;
const IS_SOUTH_EAST_ASIAN = /[\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}\p{scx=Javanese}]/u;
const IS_HANGUL = /\p{Script=Hangul}/u;

function classify(char: string): number {
  if (IS_IGNORED.test(char)) return IGNORED;
  if (IS_MARK.test(char)) return MARK;
  if (!IS_WORD.test(char)) return SEPARATOR;
  if (IS_DECIMAL.test(char)) return SPACED;
  if (IS_EAST_ASIAN.test(char)) return EAST_ASIAN;
  if (IS_SOUTH_EAST_ASIAN.test(char)) return SOUTH_EAST_ASIAN;
  return IS_HANGUL.test(char) ? HANGUL : SPACED;
}

/** Classes of UTF-16 units, each found when it is first met: all 65,536 at once would cost a start-up 20 ms. */
const classes = new Uint8Array(0x10000).fill(UNKNOWN);
const astralClasses = new Map<number, number>();

function classOfUnit(unit: number): number {
  const known = classes[unit]!;
  if (known !== UNKNOWN) return known;
  return (classes[unit] = classify(String.fromCharCode(unit)));
}

function classOfAstral(code: number): number {
  let known = astralClasses.get(code);
  if (known === undefined) {
    known = classify(String.fromCodePoint(code));
    if (astralClasses.size >= 0x4000) astralClasses.clear();
    astralClasses.set(code, known);
  }
  return known;
}

/**
 * Calls `onRun` for every maximal run of one class, its marks and ignored characters included, in NFKC text. A run is
 * `plain` where every unit of it is a character of its own.
 */
export function forEachRun(
  text: string,
  onRun: (start: number, end: number, kind: number, plain: boolean) => void,
): void {
  let start = 0;
  let plain = true;
  let kind = SEPARATOR;
  let at = 0;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    let width = 1;
    let found = classOfUnit(unit);
    if (unit >= 0xd800 && unit < 0xdc00) {
      const code = text.codePointAt(at)!;
      if (code > 0xffff) {
        found = classOfAstral(code);
        width = 2;
      }
    }
    if (found === MARK || found === IGNORED) {
      // A mark without a base before it is no word.
      plain = false;
    } else if (found !== kind) {
      if (kind !== SEPARATOR) onRun(start, at, kind, plain);
      start = at;
      kind = found;
      plain = width === 1;
    } else if (width === 2) {
      plain = false;
    }
    at += width;
  }
  if (kind !== SEPARATOR) onRun(start, text.length, kind, plain);
}

/** NFKC, but a trade mark sign does not grow onto its word: `Windows™` is `windows`, not `windowstm`. */
export function compose(text: string): string {
  return text.replace(/[™℠]/g, " ").normalize("NFKC");
}

/** Raw spelling → form. Text repeats its words, so most words of a large corpus cost one look-up. */
const forms = new Map<string, string>();
const FORMS_KEPT = 1 << 16;

/** A copy that does not hold the text it was cut from in memory, as a slice in V8 does. */
export function detached(text: string): string {
  return text.length < 13 ? text : text.split("").join("");
}

export function formOf(raw: string): string {
  if (raw.length > LONGEST_FORM) return normaliseWord(raw);
  let form = forms.get(raw);
  if (form === undefined) {
    if (forms.size >= FORMS_KEPT) forms.clear();
    const key = detached(raw);
    form = normaliseWord(key);
    forms.set(key, form);
  }
  return form;
}

/** Consecutive forms of at most {@link LONGEST_FORM} units, never between the halves of a surrogate pair. */
export function pushForm(form: string, into: string[]): void {
  if (form.length <= LONGEST_FORM) {
    if (form !== "") into.push(form);
    return;
  }
  let start = 0;
  while (start < form.length) {
    let end = Math.min(start + LONGEST_FORM, form.length);
    const last = form.charCodeAt(end - 1);
    if (end < form.length && last >= 0xd800 && last < 0xdc00) end--;
    into.push(detached(form.slice(start, end)));
    start = end;
  }
}

/** The characters of a run: a base with its marks. Each is in normal form, as a plain one is already. */
export function charactersOf(run: string, plain: boolean): string[] {
  if (plain) return run.split("");
  const characters: string[] = [];
  let start = 0;
  let at = 0;
  for (const char of run) {
    const width = char.length;
    if (at > start) {
      const found = width === 2 ? classOfAstral(char.codePointAt(0)!) : classOfUnit(char.charCodeAt(0));
      if (found !== MARK && found !== IGNORED) {
        characters.push(formOf(run.slice(start, at)));
        start = at;
      }
    }
    at += width;
  }
  if (at > start) characters.push(formOf(run.slice(start, at)));
  return characters;
}

/**
 * The forms that are indexed for `text`, in its order: every word once where it stands; of a run in a script without
 * spaces every character and every pair of neighbours; of a Korean word also its pairs of syllables.
 */
export function indexWords(text: string): string[] {
  const composed = compose(text);
  const out: string[] = [];
  forEachRun(composed, (start, end, kind, plain) => {
    const raw = composed.slice(start, end);
    if (kind === SPACED) {
      pushForm(formOf(raw), out);
      return;
    }
    const characters = charactersOf(raw, plain);
    if (kind === HANGUL) {
      pushForm(formOf(raw), out);
      if (characters.length > 2) pushPairs(characters, out);
      return;
    }
    for (let i = 0; i < characters.length; i++) {
      out.push(characters[i]!);
      if (i + 1 < characters.length) out.push(characters[i]! + characters[i + 1]!);
    }
  });
  return out;
}

export function pushPairs(characters: readonly string[], into: string[]): void {
  for (let i = 0; i + 1 < characters.length; i++) into.push(characters[i]! + characters[i + 1]!);
}

/**
 * What a question asks for, in its order and with its repetitions. The whole text counts, quoted or not; of a run in a
 * script without spaces a single character is asked only where the run has no more than one.
 */
export function questionWords(text: string): QuestionWord[] {
  const composed = compose(text);
  const out: QuestionWord[] = [];
  forEachRun(composed, (start, end, kind, plain) => {
    const raw = composed.slice(start, end);
    const found: string[] = [];
    if (kind === SPACED || kind === HANGUL) {
      pushForm(formOf(raw), found);
      for (const form of found) out.push({ form, kind: "word" });
      if (kind === SPACED) return;
    }
    const characters = charactersOf(raw, plain);
    const pieces: string[] = [];
    if (kind === HANGUL) {
      if (characters.length > 2) pushPairs(characters, pieces);
    } else if (characters.length === 1) {
      pieces.push(characters[0]!);
    } else {
      pushPairs(characters, pieces);
    }
    for (const form of pieces) out.push({ form, kind: "piece" });
  });
  return out;
}

/** Whether a form is of a script that does not separate its words, so that one character may be a word. */
export function isUnspaced(form: string): boolean {
  const kind = form === "" ? SEPARATOR : classify(String.fromCodePoint(form.codePointAt(0)!));
  return kind === EAST_ASIAN || kind === SOUTH_EAST_ASIAN;
}

/**
 * The units in which phrases are compared: words, and single characters where a script writes without spaces or, as in
 * Korean, glues particles to words.
 */
export function phraseUnits(text: string): string[] {
  const composed = compose(text);
  const out: string[] = [];
  forEachRun(composed, (start, end, kind, plain) => {
    const raw = composed.slice(start, end);
    if (kind === SPACED) pushForm(formOf(raw), out);
    else for (const character of charactersOf(raw, plain)) out.push(character);
  });
  return out;
}
