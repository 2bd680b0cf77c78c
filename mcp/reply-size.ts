/**
 * What a reply costs the model of a client, which counts in a tokeniser of its own (spec/mcp.md §5). An estimate from above:
 * of 532 texts in as many languages and scripts all but three need at most 1.25 of it in the most wasteful of three
 * published tokenisers, ordinary English half of it.
 */

/** Tokens of a reply at most, by that estimate, so that those who cap replies at 25,000 get them whole. */
export const MOST_TOKENS = 20_000;

/** Tokens of a character, from the code point on at which a row begins. */
const COSTS: readonly (readonly [from: number, tokens: number])[] = [
  [0x00, 6], // controls, escaped as \u0000
  [0x09, 1], // tab and line feed
  [0x0b, 6],
  [0x20, 0.1], // a blank is mostly part of the word behind it
  [0x21, 1],
  [0x30, 0.7], // digits
  [0x3a, 1],
  [0x41, 0.42], // Latin letters
  [0x5b, 1],
  [0x61, 0.42],
  [0x7b, 1],
  [0x7f, 6],
  [0x80, 1.2], // Latin letters with accents
  [0x250, 2],
  [0x370, 1.35], // Greek
  [0x400, 0.9], // Cyrillic
  [0x530, 2.2],
  [0x590, 1.25], // Hebrew
  [0x600, 1.4], // Arabic
  [0x700, 2.2],
  [0x800, 3.2], // scripts that tokenisers read byte by byte
  [0x900, 1.6], // Devanagari
  [0x980, 3.2],
  [0x1e00, 1.8], // more Latin letters with accents
  [0x1f00, 3],
  [0x2000, 1.5], // punctuation
  [0x2070, 3],
  [0x3000, 1.5], // kana and Chinese characters
  [0xa000, 3.2],
  [0xac00, 1.5], // Korean syllables
  [0xd7a4, 3.2],
  [0xf900, 3],
  [0xff00, 2],
];
/** Tokens of a character from U+10000 on. */
const BEYOND = 4;

/** The same by UTF-16 unit: a document of some megabytes is counted at every page of it. */
const BY_UNIT = unitCosts();

function unitCosts(): Float64Array {
  const costs = new Float64Array(0x10000);
  for (const [from, tokens] of COSTS) costs.fill(tokens, from);
  // Halves of the characters behind the last row.
  return costs.fill(BEYOND / 2, 0xd800, 0xe000);
}

/** Estimated tokens of a UTF-16 unit; a surrogate is half a character. */
export function unitTokens(unit: number): number {
  return BY_UNIT[unit]!;
}

/** Estimated tokens of a text, or of a reply as JSON. */
export function replyTokens(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length; at++) tokens += unitTokens(text.charCodeAt(at));
  return tokens;
}

/** The tokens of what is sent as JSON. */
export function replyTokensOf(value: unknown): number {
  return replyTokens(JSON.stringify(value));
}

/** Characters of a title, a heading or a name of a person that a reply shows. */
export const LONGEST_NAME = 200;
/** Characters of a document's path that a reply shows, and of a sentence, in which such names stand. */
export const LONGEST_PATH = 500;
export const LONGEST_SENTENCE = 1_000;

/** A name for display, cut where it is longer than names are. */
export function clipped(name: string, characters: number): string {
  if (name.length <= characters) return name;
  return `${Array.from(name.slice(0, 2 * characters))
    .slice(0, characters - 1)
    .join("")}…`;
}
