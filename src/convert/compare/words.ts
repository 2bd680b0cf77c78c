/**
 * Text as the comparison sees it: a list of words, each known by a number, with the lines that they stand in. Both sides
 * of a certificate go through here, so a rule can only hide what it hides on both (spec/convert.md, "Words").
 */

/** A line of a text, or a sentence of a long one. */
export interface Segment {
  readonly place?: string;
  /** As it stands in the text, trimmed. */
  readonly text: string;
}

/** Number for each different word, the same for both sides. */
export class Vocabulary {
  readonly #numbers = new Map<string, number>();
  /** Words of one character, by its code: most words of scripts without blanks. */
  readonly #signs: (number | undefined)[] = [];
  readonly #words: string[] = [];
  readonly #digits: boolean[] = [];

  number(word: string): number {
    if (word.length === 1) return (this.#signs[word.charCodeAt(0)] ??= this.#numberOf(word));
    return this.#numberOf(word);
  }

  #numberOf(word: string): number {
    let found = this.#numbers.get(word);
    if (found === undefined) {
      found = this.#words.length;
      this.#numbers.set(word, found);
      this.#words.push(word);
      this.#digits.push(/\p{N}/u.test(word));
    }
    return found;
  }

  word(number: number): string {
    return this.#words[number]!;
  }

  /** Whether the word holds a digit. */
  isNumber(number: number): boolean {
    return this.#digits[number]!;
  }
}

/** What stands between a word and the one before it, as far as it matters: a stop or comma between two digits. */
export const Joint = { other: 0, stop: 1, comma: 2 } as const;

/** The words of a text in order. */
export class WordList {
  readonly ids: number[] = [];
  /** Which segment each word stands in. */
  readonly segmentOf: number[] = [];
  /** A value of `Joint` for each word. */
  readonly joints: number[] = [];
  /** Words that may be there or not: the number of a list's item, the label of a note. */
  readonly optional = new Set<number>();
  readonly segments: Segment[] = [];
  readonly #vocabulary: Vocabulary;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  get length(): number {
    return this.ids.length;
  }

  word(at: number): string {
    return this.#vocabulary.word(this.ids[at]!);
  }

  isNumber(at: number): boolean {
    return this.#vocabulary.isNumber(this.ids[at]!);
  }

  /** Adds the words of `text`, line by line. */
  add(text: string, place?: string): void {
    for (const part of linesOf(text)) {
      const segment = this.segments.length;
      this.segments.push(place === undefined ? { text: part } : { place, text: part });
      this.#scan(comparable(part), segment);
    }
  }

  /** Adds words that may be missing on the other side. */
  addOptional(text: string, place?: string): void {
    const from = this.length;
    this.add(text, place);
    for (let at = from; at < this.length; at++) this.optional.add(at);
  }

  #scan(text: string, segment: number): void {
    let lastEnd = 0;
    let at = 0;
    while (at < text.length) {
      let code = text.charCodeAt(at);
      let width = 1;
      if (code >= 0xd800 && code < 0xdc00) {
        code = text.codePointAt(at)!;
        width = code > 0xffff ? 2 : 1;
      }
      const kind = kindOf(code);
      if (kind === Kind.other) {
        at += width;
        continue;
      }
      const start = at;
      at = kind === Kind.alone ? endOfMarks(text, at + width) : endOfWord(text, at);
      const startsWithDigit = kind === Kind.digit;
      const joint =
        startsWithDigit && lastEnd > 0 && kindOf(text.charCodeAt(lastEnd - 1)) === Kind.digit
          ? jointOf(text.slice(lastEnd, start))
          : Joint.other;
      this.ids.push(this.#vocabulary.number(text.slice(start, at)));
      this.segmentOf.push(segment);
      this.joints.push(joint);
      lastEnd = at;
    }
  }
}

const Kind = { other: 0, letter: 1, digit: 2, alone: 3, mark: 4 } as const;
const kinds = new Uint8Array(0x10000).fill(255);
const rareKinds = new Map<number, number>();

/** Scripts written without blanks: every character is compared as a word, so that no division into words can differ. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

function kindOf(code: number): number {
  if (code > 0xffff) {
    let kind = rareKinds.get(code);
    if (kind === undefined) rareKinds.set(code, (kind = classify(code)));
    return kind;
  }
  const known = kinds[code]!;
  return known === 255 ? (kinds[code] = classify(code)) : known;
}

function classify(code: number): number {
  const sign = String.fromCodePoint(code);
  // U+02BC and its like are apostrophes written as letters: an apostrophe ends a word in every spelling of it.
  if (/[\u02b9-\u02bf\u02c8]/.test(sign)) return Kind.other;
  if (/\p{M}/u.test(sign)) return Kind.mark;
  if (/\p{N}/u.test(sign)) return Kind.digit;
  if (!/\p{L}/u.test(sign)) return Kind.other;
  return UNSPACED.test(sign) ? Kind.alone : Kind.letter;
}

function endOfMarks(text: string, at: number): number {
  while (at < text.length && kindOf(text.charCodeAt(at)) === Kind.mark) at++;
  return at;
}

/** The end of the run of letters, marks and digits; one stop or comma between two digits belongs to the number. */
function endOfWord(text: string, from: number): number {
  let at = from;
  let previous: number = Kind.other;
  while (at < text.length) {
    let code = text.charCodeAt(at);
    let width = 1;
    if (code >= 0xd800 && code < 0xdc00) {
      code = text.codePointAt(at)!;
      width = code > 0xffff ? 2 : 1;
    }
    const kind = kindOf(code);
    if (kind === Kind.letter || kind === Kind.digit || kind === Kind.mark) {
      at += width;
      previous = kind;
      continue;
    }
    const inNumber =
      (code === 0x2e || code === 0x2c || code === 0x66b || code === 0x66c) &&
      previous === Kind.digit &&
      kindOf(text.charCodeAt(at + 1)) === Kind.digit;
    if (!inNumber) break;
    at++;
    previous = Kind.other;
  }
  return at;
}

function jointOf(between: string): number {
  const sign = between.trim();
  return sign === "." ? Joint.stop : sign === "," ? Joint.comma : Joint.other;
}

/**
 * Text in the form that is compared: NFKC (ligatures, wide and presentation forms, superscripts), case folded, without
 * soft hyphens, joiners, signs of direction, selectors of variants and the stretching sign of Arabic.
 */
export function comparable(text: string): string {
  const plain = /[^\0-\u007f]/.test(text)
    ? text
        .replace(
          /[\u00ad\u034f\u061c\u0640\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]/g,
          "",
        )
        .normalize("NFKC")
    : text;
  return plain.toLowerCase();
}

const LONG_LINE = 300;

/** The lines of a text; a line longer than 300 characters is cut after a sentence, else at a blank. No word is cut. */
export function* linesOf(text: string): Generator<string> {
  for (const line of text.split(/[\n\r\v\f\u2028\u2029]+/)) {
    let from = 0;
    while (line.length - from > LONG_LINE) {
      const window = line.slice(from, from + LONG_LINE);
      const sentence = /^[\s\S]*(?:[.!?]["'”’»)\]]*\s|[。！？])/.exec(window)?.[0].length;
      let end = from + (sentence ?? window.lastIndexOf(" ") + 1);
      if (end === from) {
        const rest = /\s|[。、，]/g;
        rest.lastIndex = from + LONG_LINE;
        end = rest.exec(line) === null ? line.length : rest.lastIndex;
      }
      const part = line.slice(from, end).trim();
      if (part !== "") yield part;
      from = end;
    }
    const rest = line.slice(from).trim();
    if (rest !== "") yield rest;
  }
}
