/**
 * A Markdown document as what its passages are put together from: blocks, tiles of tables, and parts of what is too long
 * (spec/text.md §7).
 */
import { readBlocks, type Block } from "./blocks.js";
import { readFrontMatter, type FrontMatter } from "./front-matter.js";
import type { Place } from "./markers.js";
import { walkTokens } from "./tokens.js";

/** Estimated tokens: aimed at, never passed, and of a tile of table rows. */
export const TARGET_TOKENS = 200;
export const CEILING_TOKENS = 400;
export const TABLE_TOKENS = 120;
/** Characters (UTF-16 units without blanks around) that a passage has unless its document has fewer. */
export const FLOOR_CHARACTERS = 200;

/** What a passage is made of. */
export type PassageContent = "text" | "table" | "code" | "ocr";

export interface Heading {
  /** 1 to 6. */
  readonly level: number;
  readonly text: string;
}

/** What is not divided when passages are put together: a block or a part of one. Offsets in UTF-16 units. */
export interface Unit {
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
  readonly characters: number;
  readonly kind: PassageContent;
  /** A heading or a marker: begins a passage where it can, and never ends one. */
  readonly leads: boolean;
  readonly path: readonly Heading[];
  readonly place?: Place | undefined;
  /** A line that may caption the table after it. */
  readonly captions: boolean;
  /** A tile of a table, its number from 0, and for later tiles their header. */
  readonly tile?: number;
  readonly header?: Range | undefined;
}

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Longest caption, in UTF-16 units. */
const LONGEST_CAPTION = 200;

/** A document read as units, one pass, so that millions of blocks need not be held at once. */
export class DocumentUnits implements Iterable<Unit> {
  readonly frontMatter: FrontMatter;
  /** The text of the first heading of level 1, undefined without one; known once all units were read. */
  title: string | undefined;

  /** @param markdown a document decoded with its byte order mark kept */
  constructor(private readonly markdown: string) {
    this.frontMatter = readFrontMatter(markdown);
  }

  *[Symbol.iterator](): Generator<Unit> {
    const { markdown } = this;
    let path: readonly Heading[] = [];
    let place: Place | undefined;
    let recognised = false;
    let before: Block | undefined;
    for (const block of readBlocks(markdown, firstLine(markdown, this.frontMatter.end))) {
      if (block.type === "heading") {
        const heading = { level: block.level!, text: block.text! };
        if (heading.level === 1 && heading.text !== "") this.title ??= heading.text;
        path = path.filter((above) => above.level < heading.level);
        if (heading.text !== "") path = [...path, heading];
      } else if (block.type === "marker") {
        const { kind, value } = block.place!;
        place = { kind, value };
        recognised = block.place!.recognised;
      }
      for (const unit of unitsOf(markdown, block, before, path, place))
        yield recognised ? { ...unit, kind: "ocr" } : unit;
      before = block;
    }
  }
}

/** Where the first line begins that is not blank: as a block of their own blank lines would stand under no heading and at no place. */
function firstLine(markdown: string, from: number): number {
  const blank = /(?:[ \t]*(?:\r\n|\n|\r))*/y;
  blank.lastIndex = from;
  return from + blank.exec(markdown)![0].length;
}

function* unitsOf(
  markdown: string,
  block: Block,
  before: Block | undefined,
  path: readonly Heading[],
  place: Place | undefined,
): Generator<Unit> {
  const leads = block.type === "heading" || block.type === "marker";
  const kind: PassageContent = block.type === "table" || block.type === "code" ? block.type : "text";
  const unit = (start: number, end: number, tokens: number, more: Partial<Unit> = {}): Unit => ({
    start,
    end,
    tokens,
    characters: block.type === "marker" ? 0 : trimmedLength(markdown, start, end),
    kind,
    leads,
    path,
    place,
    captions: block.type === "text" && block.lines === 1 && block.end - block.start <= LONGEST_CAPTION,
    ...more,
  });
  if (block.type === "marker") {
    yield unit(block.start, block.end, 0);
    return;
  }
  if (block.type === "table") {
    const tiles = tilesOf(markdown, block, before);
    if (tiles !== undefined) {
      for (const { start, end, tokens, ...more } of tiles) yield unit(start, end, tokens, more);
      return;
    }
  }
  const { tokens, end } = walkTokens(markdown, block.start, block.end, CEILING_TOKENS);
  if (end === block.end) {
    yield unit(block.start, block.end, tokens);
    return;
  }
  for (const part of divide(markdown, block.start, block.end, kind !== "text")) {
    yield unit(part.start, part.end, part.tokens);
  }
}

interface Tile extends Range {
  readonly tokens: number;
  readonly tile: number;
  readonly header?: Range | undefined;
}

/** The tiles of a table; undefined where it is too small to be one of its own or its header is no header. */
function tilesOf(markdown: string, table: Block, before: Block | undefined): Tile[] | undefined {
  if (trimmedLength(markdown, table.start, table.end) < FLOOR_CHARACTERS) return undefined;
  const head = walkTokens(markdown, table.start, table.rows!, TARGET_TOKENS);
  if (head.end < table.rows!) return undefined;
  const captioned =
    before?.type === "text" &&
    before.lines === 1 &&
    before.end - before.start <= LONGEST_CAPTION &&
    before.ruled !== true;
  const header = { start: captioned ? before.start : table.start, end: table.rows! };
  const room = Math.max(TABLE_TOKENS / 2, TABLE_TOKENS - head.tokens);
  const tiles: Tile[] = [];
  let start = table.start;
  let end = table.rows!;
  let tokens = head.tokens;
  let rowTokens = 0;
  const close = (): void => {
    tiles.push({ start, end, tokens, tile: tiles.length, header: tiles.length === 0 ? undefined : header });
    start = end;
    tokens = rowTokens = 0;
  };
  for (const row of lines(markdown, table.rows!, table.end)) {
    const parts = walkTokens(markdown, row.start, row.end, CEILING_TOKENS / 2);
    const pieces =
      parts.end === row.end ? [{ ...row, tokens: parts.tokens }] : divide(markdown, row.start, row.end, false);
    for (const piece of pieces) {
      if (rowTokens > 0 && rowTokens + piece.tokens > room) close();
      tokens += piece.tokens;
      rowTokens += piece.tokens;
      end = piece.end;
    }
  }
  // A last tile of a row or two joins the one before.
  const last = tiles.at(-1);
  if (
    last !== undefined &&
    trimmedLength(markdown, start, end) < FLOOR_CHARACTERS &&
    last.tokens + tokens <= CEILING_TOKENS
  ) {
    tiles[tiles.length - 1] = { ...last, end, tokens: last.tokens + tokens };
  } else {
    close();
  }
  return tiles;
}

function* lines(markdown: string, start: number, end: number): Generator<Range> {
  let at = start;
  while (at < end) {
    const from = at;
    const stop = markdown.indexOf("\n", at);
    at = stop < 0 || stop >= end ? end : stop + 1;
    yield { start: from, end: at };
  }
}

/**
 * Divides a range past the ceiling into parts near the target: at ends of sentences (or of lines, for code and tables),
 * else at blanks, else anywhere between characters. One pass.
 */
function divide(markdown: string, start: number, end: number, byLine: boolean): (Range & { tokens: number })[] {
  const parts: (Range & { tokens: number })[] = [];
  let at = start;
  while (at < end) {
    const rest = walkTokens(markdown, at, end, TARGET_TOKENS * 1.5);
    const cut =
      rest.end === end ? end : cutBefore(markdown, at, walkTokens(markdown, at, end, TARGET_TOKENS).end, byLine);
    parts.push({ start: at, end: cut, tokens: walkTokens(markdown, at, cut, Infinity).tokens });
    at = cut;
  }
  return parts;
}

/** Ends of sentences, the blanks behind them included; in scripts without blanks between sentences the mark alone. */
export const SENTENCE_END = /[.!?…]["'”’»)\]*_]*\s+|[。！？｡]["'”’」』）]*\s*|[।॥؟۔။།]\s*/gu;
const LINE_END = /\r\n|\n|\r/g;
const BLANK = /\s+/g;

/** The best place to cut in (start, limit], in the second half of it where there is one. */
export function cutBefore(markdown: string, start: number, limit: number, byLine: boolean): number {
  const from = start + ((limit - start) >> 1);
  const half = markdown.slice(from, limit);
  for (const boundary of byLine ? [LINE_END, BLANK] : [SENTENCE_END, LINE_END, BLANK]) {
    let last = -1;
    for (const found of half.matchAll(boundary)) last = found.index + found[0].length;
    // A blank at the limit may go on behind it, and then so would a line end.
    if (last > 0 && !splitsCharacter(markdown, from + last)) return from + last;
  }
  let cut = limit;
  for (let steps = 0; steps < 32 && cut > start + 1 && splitsCharacter(markdown, cut); steps++) cut--;
  // Never between the halves of a pair, even in a character of many marks.
  if (isLowSurrogate(markdown, cut) && cut > start + 1) cut--;
  return cut > start ? cut : Math.min(start + 2, markdown.length);
}

export function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  return unit >= 0xdc00 && unit < 0xe000 && before >= 0xd800 && before < 0xdc00;
}

function splitsCharacter(text: string, at: number): boolean {
  if (at >= text.length) return false;
  if (isLowSurrogate(text, at) || (text[at] === "\n" && text[at - 1] === "\r")) return true;
  const code = text.codePointAt(at)!;
  return code > 0x2ff && /^[\p{M}\u200D]/u.test(String.fromCodePoint(code));
}

/** The units' text from `start` to `end` as one of its own. */
export function part(markdown: string, unit: Unit, start: number, end: number): Unit {
  const tokens = walkTokens(markdown, start, end, Infinity).tokens;
  return { ...unit, start, end, tokens, characters: trimmedLength(markdown, start, end), captions: false };
}

/** UTF-16 units without the blanks around. */
export function trimmedLength(markdown: string, start: number, end: number): number {
  let from = start;
  let to = end;
  while (from < to && markdown.charCodeAt(from) <= 32) from++;
  while (to > from && markdown.charCodeAt(to - 1) <= 32) to--;
  return to - from;
}
