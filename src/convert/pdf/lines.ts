/** Words put together to lines. */
import { mirrorBrackets, readingOrder } from "./direction.js";
import type { Box, TextItem } from "./page.js";
import { BLANK } from "./words.js";

/** Words on one baseline that belong together, in reading order. */
export interface Line extends Box {
  readonly items: readonly TextItem[];
  readonly baseline: number;
  /** Size and style of most of its letters. */
  readonly size: number;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly monospaced: boolean;
  readonly rtl: boolean;
  /** Where its first word stands in the order of drawing. */
  readonly order: number;
  /** Its words with blanks, unescaped. */
  readonly text: string;
}

/** Pieces of a line that a gap of this many times the size parts may belong to different columns. */
const COLUMN_GAP = 0.8;

/** Longer rows are no text; their words are not compared one by one. */
const MOST_COMPARED = 300;

/** Rows of words that stand on one height, each parted where a gap could be the space between two columns. */
export function segmentsOf(items: readonly TextItem[]): Line[] {
  return rowsOf(items).flatMap((row) => {
    const pieces: TextItem[][] = [];
    let right = -Infinity;
    for (const item of row) {
      const size = Math.max(item.fontSize, pieces.at(-1)?.at(-1)?.fontSize ?? 0);
      if (pieces.length === 0 || item.x - right > COLUMN_GAP * size) pieces.push([]);
      pieces.at(-1)!.push(item);
      right = Math.max(right, item.x + item.width);
    }
    return pieces.map(lineOf);
  });
}

/** Words in rows from the top, each from left to right. A word joins the row with which it shares most of its height. */
function rowsOf(items: readonly TextItem[]): TextItem[][] {
  // Large words first: superscripts and subscripts then find the row that they hang on.
  const sorted = items.toSorted((a, b) => b.fontSize - a.fontSize || a.baseline - b.baseline);
  const rows: { baseline: number; size: number; items: TextItem[] }[] = [];
  const shelves = new Map<number, (typeof rows)[number][]>();
  const shelf = (y: number): number => Math.floor(y / 16);
  for (const item of sorted) {
    const near: (typeof rows)[number][] = [];
    for (let at = shelf(item.baseline - 16); at <= shelf(item.baseline + 16); at += 1) {
      near.push(...(shelves.get(at) ?? []).filter((row) => joins(item, row)));
    }
    // Rows of two columns are nearly of one height: what touches the item is of its line.
    const touching = near.length < 2 ? near : near.filter((row) => touches(item, row));
    const distance = (row: (typeof rows)[number]): number => Math.abs(row.baseline - item.baseline);
    const best = (touching.length > 0 ? touching : near).reduce<(typeof rows)[number] | undefined>(
      (nearest, row) => (nearest === undefined || distance(row) < distance(nearest) ? row : nearest),
      undefined,
    );
    if (best !== undefined) best.items.push(item);
    else {
      const row = { baseline: item.baseline, size: item.fontSize, items: [item] };
      rows.push(row);
      const key = shelf(item.baseline);
      const shelved = shelves.get(key);
      if (shelved === undefined) shelves.set(key, [row]);
      else shelved.push(row);
    }
  }
  return rows
    .toSorted((a, b) => a.baseline - b.baseline)
    .map((row) => row.items.sort((a, b) => a.x - b.x || a.order - b.order));
}

function joins(item: TextItem, row: { baseline: number; size: number; items: readonly TextItem[] }): boolean {
  const shift = row.baseline - item.baseline;
  // What lies on top of a word of the row is of another line, or a shadow.
  if (row.items.length < MOST_COMPARED && row.items.some((other) => overlaps(item, other))) return false;
  // Smaller type may hang on the row, above or below its baseline, where it touches a word of it.
  if (item.fontSize < 0.85 * row.size) {
    if (shift > 0.75 * row.size || shift < -0.45 * row.size) return false;
    if (Math.abs(shift) < 0.15 * row.size) return true;
    return touches(item, row);
  }
  return Math.abs(shift) < 0.3 * Math.min(item.fontSize, row.size);
}

function touches(item: TextItem, row: { size: number; items: readonly TextItem[] }): boolean {
  const reach = 0.35 * row.size;
  return row.items.some((other) => item.x <= other.x + other.width + reach && item.x + item.width >= other.x - reach);
}

function overlaps(one: TextItem, other: TextItem): boolean {
  const shared = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  return shared > 0.45 * Math.min(one.width, other.width) && shared > 0.2 * Math.min(one.fontSize, other.fontSize);
}

/** A line of words that are sorted by their left edges. */
export function lineOf(words: readonly TextItem[]): Line {
  const spaced = joinSpacedLetters(words);
  const rtl = isMostly(spaced, (item) => item.rtl);
  const items = rtl ? readingOrder(spaced, (item) => item.text) : spaced;
  const size = dominant(items, (item) => item.fontSize);
  let text = "";
  for (const [index, item] of items.entries())
    text += (index > 0 && blankBetween(items[index - 1]!, item) ? " " : "") + item.text;
  return {
    items,
    left: Math.min(...items.map(({ x }) => x)),
    right: Math.max(...items.map(({ x, width }) => x + width)),
    top: Math.min(...items.map(({ y }) => y)),
    bottom: Math.max(...items.map(({ y, height }) => y + height)),
    baseline: dominant(items, (item) => item.baseline),
    size,
    bold: isMostly(items, (item) => item.bold),
    italic: isMostly(items, (item) => item.italic),
    monospaced: items.every((item) => item.monospaced),
    rtl,
    order: Math.min(...items.map(({ order }) => order)),
    text: rtl ? mirrorBrackets(text) : text,
  };
}

/** Pieces of one line, put together. */
export function mergeLines(pieces: readonly Line[]): Line {
  if (pieces.length === 1) return pieces[0]!;
  return lineOf(pieces.flatMap(({ items }) => items).sort((a, b) => a.x - b.x || a.order - b.order));
}

/** Whether a blank belongs between two words that follow one another. */
export function blankBetween(before: TextItem, after: TextItem): boolean {
  const gap = after.x >= before.x ? after.x - before.x - before.width : before.x - after.x - after.width;
  const size = Math.min(before.fontSize, after.fontSize);
  // A blank that was drawn counts where there is room for it: some files draw one and go back.
  if (after.blankBefore && gap > 0.02 * size) return true;
  return gap > BLANK * size * (before.fontSize === after.fontSize ? 1 : 1.3);
}

/** Letters set wide apart (`C H A P T E R`), put back into words. */
function joinSpacedLetters(words: readonly TextItem[]): readonly TextItem[] {
  const single = (item: TextItem | undefined): boolean =>
    item !== undefined && /^\p{L}\p{M}*[.,:;]?$/u.test(item.text) && !isIdeograph(item.text);
  if (words.length < 4 || words.filter(single).length < 4) return words;
  const result: TextItem[] = [];
  for (let start = 0; start < words.length;) {
    let end = start;
    while (single(words[end]) && words[end]!.font === words[start]!.font) end += 1;
    if (end - start < 4) {
      end = Math.max(end, start + 1);
      result.push(...words.slice(start, end));
    } else result.push(...wordsOfLetters(words.slice(start, end)));
    start = end;
  }
  return result;
}

function wordsOfLetters(letters: readonly TextItem[]): TextItem[] {
  const gaps = letters.slice(1).map((letter, index) => letter.x - letters[index]!.x - letters[index]!.width);
  const usual = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length * 0.4)]!;
  // Real words of one letter (`a b c` in a formula) have no wider gaps among them.
  if (usual > 0.8 * letters[0]!.fontSize || !gaps.every((gap) => gap > 0)) return [...letters];
  const words: TextItem[] = [];
  for (const [index, letter] of letters.entries()) {
    const word = words.at(-1);
    if (word === undefined || gaps[index - 1]! > 1.6 * usual + 0.05 * letter.fontSize) words.push(letter);
    else words[words.length - 1] = { ...word, text: word.text + letter.text, width: letter.x + letter.width - word.x };
  }
  return words.length > letters.length / 2 ? [...letters] : words;
}

export function isIdeograph(text: string): boolean {
  return /^[\u2e80-\u303f\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]/u.test(
    text,
  );
}

export function isMostly(items: readonly TextItem[], is: (item: TextItem) => boolean): boolean {
  let yes = 0;
  let all = 0;
  for (const item of items) {
    all += item.text.length;
    if (is(item)) yes += item.text.length;
  }
  return yes > all / 2;
}

/** The value that most letters have, to a tenth. */
export function dominant(items: readonly TextItem[], valueOf: (item: TextItem) => number): number {
  if (items.length === 1) return valueOf(items[0]!);
  const weights = new Map<number, number>();
  for (const item of items) {
    const value = Math.round(valueOf(item) * 10) / 10;
    weights.set(value, (weights.get(value) ?? 0) + item.text.length);
  }
  let best = 0;
  let most = -1;
  for (const [value, weight] of weights) {
    if (weight > most) [best, most] = [value, weight];
  }
  return best;
}
