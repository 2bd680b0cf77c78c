/**
 * How many tokens a text takes, estimated (spec/text.md §8). One rule cuts every package, with or without meaning, so
 * nothing here loads a tokenizer; the constants are fitted to that of the shipped encoder (XLM-R's Unigram vocabulary
 * of 250,000 pieces), whose cost of a word depends on its script and its length and hardly on its language.
 */

/** Version of the constants below, kept in a package. */
export const TOKENS_VERSION = 1;

const SPACE = 0;
const SIGN = 1;
const DIGIT = 2;
/** Continues the run that it stands in: combining marks, joiners. */
const MARK = 3;
const HAN = 4;
const KANA = 5;
const HANGUL = 6;
const SOUTH_EAST_ASIAN = 7;
/** From here on scripts that separate words. */
const LATIN = 8;
const CYRILLIC = 9;
const ARABIC = 10;
const INDIC = 11;
const OTHER = 12;
const UNKNOWN = 255;

/** Tokens of a run of n units, `max(1, base + each × n)`; by class. */
const BASE = [0, 0, 0.1, 0, 0.3, 0.2, 0.3, 0.3, 0.15, 0.65, 0.2, 0.15, 0.3];
const EACH = [0, 1, 0.36, 0, 0.65, 0.54, 0.5, 0.2, 0.2, 0.155, 0.3, 0.27, 0.2];
/** A sign repeated (`-----`, `####`) costs less than the first. */
const REPEATED_SIGN = 0.25;

const TESTS: readonly (readonly [RegExp, number])[] = [
  [/\s/u, SPACE],
  [/[\p{M}\u200C\u200D]/u, MARK],
  [/\p{Nd}/u, DIGIT],
  [/[^\p{L}\p{N}]/u, SIGN],
  [/\p{Script=Han}/u, HAN],
  [/[\p{scx=Hiragana}\p{scx=Katakana}]/u, KANA],
  [/\p{Script=Hangul}/u, HANGUL],
  [/[\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}\p{scx=Javanese}]/u, SOUTH_EAST_ASIAN],
  [/[\p{Script=Latin}\p{Script=Greek}]/u, LATIN],
  [/\p{Script=Cyrillic}/u, CYRILLIC],
  [/\p{Script=Arabic}/u, ARABIC],
  [/\p{Script=Devanagari}/u, INDIC],
];

const classes = new Uint8Array(0x10000).fill(UNKNOWN);

function classOf(unit: number): number {
  const known = classes[unit]!;
  if (known !== UNKNOWN) return known;
  // Halves of surrogate pairs are signs: emoji and rare Han take one token or more a half.
  const char = String.fromCharCode(unit);
  const found = unit >= 0xd800 && unit < 0xe000 ? SIGN : (TESTS.find(([test]) => test.test(char))?.[1] ?? OTHER);
  return (classes[unit] = found);
}

function costOf(kind: number, length: number): number {
  const cost = BASE[kind]! + EACH[kind]! * length;
  return kind <= SIGN ? cost : Math.max(1, cost);
}

/**
 * Where a text is cut so that at most `room` tokens stand before the cut, and how many do: walks `text` from `start`
 * until the room is used up or `end` is reached. The estimate of two neighbours is at least that of the two joined.
 */
export function walkTokens(text: string, start: number, end: number, room: number): { end: number; tokens: number } {
  let tokens = 0;
  let run = 0;
  let kind = SPACE;
  let last = 0;
  let cost = 0;
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    let found = classOf(unit);
    if (found === MARK) found = kind > MARK ? kind : OTHER;
    if (found === SIGN) {
      tokens += cost;
      run = 0;
      cost = kind === SIGN && unit === last ? REPEATED_SIGN : 1;
    } else if (found === kind) {
      if (found !== SPACE) cost = costOf(kind, ++run);
    } else {
      tokens += cost;
      run = 1;
      cost = costOf(found, 1);
    }
    kind = found;
    last = unit;
    if (tokens + cost > room) return { end: at, tokens };
  }
  return { end, tokens: tokens + cost };
}

/** The tokens of `text` for the shipped encoder, estimated; without the two that open and close its input. */
export function estimateTokens(text: string): number {
  return Math.ceil(walkTokens(text, 0, text.length, Infinity).tokens);
}
