/**
 * The blocks of a Markdown document by its lines (spec/text.md §7.2): as much of CommonMark and GFM as decides where a
 * passage may begin. One pass, no backtracking over lines, so that ten megabytes of `>` cost no more than prose.
 */

import { readMarker, type Marked } from "./markers.js";

export type BlockType = "text" | "item" | "heading" | "marker" | "code" | "table";

/** Consecutive lines; the blocks of a document tile it. Offsets are in UTF-16 units. */
export interface Block {
  readonly type: BlockType;
  readonly start: number;
  /** After the last line end, blank lines that follow included. */
  end: number;
  /** Of a heading: 1 to 6, and its text without marks. */
  readonly level?: number;
  readonly text?: string;
  readonly place?: Marked;
  /** Of a table: where its rows begin, after the delimiter row. */
  readonly rows?: number;
  readonly fenced?: true;
  /** A thematic break and what follows it. */
  readonly ruled?: true;
  /** How many lines it has before the blank ones, and the end of the last of them. */
  lines: number;
  contentEnd: number;
}

/** A line of more units than this is no heading, whatever it begins with. */
export const LONGEST_HEADING = 300;

/** So much of a line is looked at; longer lines are text. */
const LONGEST_READ = 4_000;
const ATX = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;
const SETEXT = /^ {0,3}(?:(=+)|-+)[ \t]*$/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const FENCE = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/;
const ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
const DELIMITER_ROW = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/** A heading as people read it: closing marks, emphasis, code marks and link targets left out. */
function headingText(raw: string): string {
  return raw
    .replace(/(?:^|[ \t]+)#+[ \t]*$/, "")
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replace(/[*`]+/g, "")
    .replace(/[ \t]*\{#[^{}]*\}[ \t]*$/, "")
    .trim();
}

function cellCount(line: string): number {
  const row = line.trim();
  let cells = 1;
  for (let i = row.startsWith("|") ? 1 : 0; i < row.length - 1; i++) {
    if (row[i] === "\\") i++;
    else if (row[i] === "|") cells++;
  }
  return cells;
}

/** What stands at the beginning of a line, by which most lines are told apart without reading them. */
const OPENS_BLOCK = new Set(Array.from("#`~<=-*_+|:0123456789", (char) => char.charCodeAt(0)));
const SPACE = 32;
const TAB = 9;

/** The lines of a text: `\n`, `\r\n` and a lone `\r` end them. */
class Lines {
  /** The line: from `start`, without its end to `stop`, with it to `next`. */
  start = 0;
  stop = 0;
  next: number;
  readonly #text: string;
  #feed = -1;
  #return: number;

  constructor(text: string, from: number) {
    this.#text = text;
    this.next = from;
    this.#return = /\r(?!\n)/.test(text) ? -1 : Infinity;
  }

  /** Goes to the next line; false at the end of the text. */
  advance(): boolean {
    const start = (this.start = this.next);
    if (start >= this.#text.length) return false;
    // Each kind of line end is looked for once: both may be far away.
    if (this.#feed < start) this.#feed = indexOrInfinity(this.#text, "\n", start);
    if (this.#return < start) this.#return = indexOrInfinity(this.#text, "\r", start);
    if (this.#return < this.#feed) {
      this.stop = this.#return;
      this.next = this.stop + (this.#feed === this.stop + 1 ? 2 : 1);
    } else if (this.#feed === Infinity) {
      this.stop = this.next = this.#text.length;
    } else {
      this.next = this.#feed + 1;
      this.stop = this.#feed > start && this.#text[this.#feed - 1] === "\r" ? this.#feed - 1 : this.#feed;
    }
    return true;
  }
}

function indexOrInfinity(text: string, char: string, from: number): number {
  const found = text.indexOf(char, from);
  return found < 0 ? Infinity : found;
}

/** The blocks of `markdown` from the offset `from` on, in order; they tile it. */
export function* readBlocks(markdown: string, from: number): Generator<Block> {
  const codeIndent = isLaidOut(markdown, from) ? Infinity : 4;
  const lines = new Lines(markdown, from);
  let block: Block | undefined;
  let finished: Block | undefined;
  /** The fence that is open. */
  let fence: { readonly char: string; readonly length: number } | undefined;
  let blankBefore = true;
  let inList = false;

  const begin = (type: BlockType, start: number, more: Partial<Block> = {}): void => {
    finished = block;
    block = { type, start, end: start, lines: 0, contentEnd: start, ...more };
  };
  /** Begins a block in the place of the open one, which it takes over. */
  const replace = (type: BlockType, start: number, more: Partial<Block>): void => {
    block = { type, start, end: start, lines: 0, contentEnd: start, ...more };
  };

  while (lines.advance()) {
    const { start, stop, next } = lines;
    let at = start;
    let indent = 0;
    for (; at < stop; at++) {
      const unit = markdown.charCodeAt(at);
      if (unit === TAB) indent += 4;
      else if (unit === SPACE) indent++;
      else break;
    }
    if (at === stop && fence === undefined) {
      // Blank lines belong to the block above; before the first block they are one.
      if (block === undefined) begin("text", start);
      block!.end = next;
      blankBefore = true;
      continue;
    }
    const continues = blankBefore ? undefined : block;
    const resumes = blankBefore ? block : undefined;
    blankBefore = false;
    // What decides stands in lines that are short as a whole.
    const line =
      stop - start <= LONGEST_READ && OPENS_BLOCK.has(markdown.charCodeAt(at)) ? markdown.slice(start, stop) : "";
    const short = line.length <= LONGEST_HEADING;

    if (fence !== undefined) {
      const closing = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
      if (closing?.startsWith(fence.char) === true && closing.length >= fence.length) fence = undefined;
    } else if (line !== "" && FENCE.test(line)) {
      const marks = /`+|~+/.exec(line)![0];
      fence = { char: marks[0]!, length: marks.length };
      begin("code", start, { fenced: true });
    } else if (line !== "" && readMarker(line) !== undefined) {
      begin("marker", start, { place: readMarker(line)! });
      blankBefore = true;
    } else if (short && line !== "" && ATX.test(line)) {
      const [, marks, raw] = ATX.exec(line)!;
      begin("heading", start, { level: marks!.length, text: headingText(raw ?? "") });
      blankBefore = true;
      inList = false;
    } else if (line !== "" && continues?.type === "text" && isSetext(line, markdown, continues)) {
      const raw = markdown.slice(continues.start, continues.contentEnd);
      replace("heading", continues.start, { level: line.includes("=") ? 1 : 2, text: headingText(raw.trim()) });
      blankBefore = true;
      inList = false;
    } else if (line !== "" && continues?.type === "text" && isTable(line, markdown, continues)) {
      const header = lastLineStart(markdown, continues);
      if (continues.lines === 1) {
        replace("table", header, { rows: next });
      } else {
        continues.end = continues.contentEnd = header;
        continues.lines--;
        begin("table", header, { rows: next });
      }
    } else if (line !== "" && RULE.test(line)) {
      begin("text", start, { ruled: true });
      blankBefore = true;
      inList = false;
    } else if (continues?.type === "table" && !(line !== "" && ITEM.test(line))) {
      // A row.
    } else if (line !== "" && ITEM.test(line)) {
      begin("item", start);
      inList = true;
    } else if (continues?.type === "text" || continues?.type === "item") {
      // A paragraph goes on.
    } else if (inList && indent >= 2) {
      begin("item", start);
    } else if (indent >= codeIndent) {
      const above = continues ?? resumes;
      // Indented code goes on after blank lines.
      if (above?.type !== "code" || above.fenced === true) begin("code", start);
    } else {
      begin("text", start);
      inList = false;
    }
    block!.end = next;
    block!.contentEnd = next;
    block!.lines++;
    if (finished !== undefined) {
      yield finished;
      finished = undefined;
    }
  }
  if (block !== undefined) yield block;
}

/** So much of a document shows how it is set. */
const LAYOUT_READ = 65_536;

/** Whether a document, as plain text manuals do, indents most of its text, so that indented is not code. */
function isLaidOut(markdown: string, from: number): boolean {
  const read = markdown.slice(from, from + LAYOUT_READ);
  const written = read.match(/^[ \t]*[^ \t\r\n]/gm)?.length ?? 0;
  const indented = read.match(/^(?: {4}|\t)[ \t]*[^ \t\r\n]/gm)?.length ?? 0;
  return indented * 2 > written;
}

/** An underline makes a heading of one short line of words; of a quotation, a rule or several lines it does not. */
function isSetext(line: string, markdown: string, above: Block): boolean {
  if (above.lines !== 1 || above.ruled === true || !SETEXT.test(line)) return false;
  if (above.contentEnd - above.start > LONGEST_HEADING) return false;
  const text = markdown.slice(above.start, above.contentEnd);
  return !/^ {0,3}>/.test(text) && /[\p{L}\p{N}]/u.test(text);
}

/** Whether `line` is the delimiter row under the last line of `above`, as GFM has it: as many cells, one `|` at least. */
function isTable(line: string, markdown: string, above: Block): boolean {
  if (!DELIMITER_ROW.test(line)) return false;
  const header = markdown.slice(lastLineStart(markdown, above), above.contentEnd);
  return (line.includes("|") || header.includes("|")) && cellCount(line) === cellCount(header);
}

function lastLineStart(markdown: string, block: Block): number {
  let at = block.contentEnd - 1;
  if (at > block.start && markdown[at] === "\n" && markdown[at - 1] === "\r") at--;
  while (at > block.start && markdown[at - 1] !== "\n" && markdown[at - 1] !== "\r") at--;
  return at;
}
