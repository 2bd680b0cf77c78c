/**
 * The blocks of a Markdown document by its lines (spec/text.md §7.2): as much of CommonMark and GFM as decides where a
 * passage may begin. One pass, no backtracking over lines, so that ten megabytes of `>` cost no more than prose.
 */

import { readMarker, type Place } from "./markers.js";

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
  readonly place?: Place;
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

/** The blocks of `markdown` from the offset `from` on, in order; they tile it. */
export function* readBlocks(markdown: string, from: number): Generator<Block> {
  const loneReturns = /\r(?!\n)/.test(markdown);
  let returnAt = -1;
  let block: Block | undefined;
  let finished: Block | undefined;
  /** The fence that is open. */
  let fence: { readonly char: string; readonly length: number } | undefined;
  let blankBefore = true;
  let inList = false;
  let at = from;

  const begin = (type: BlockType, start: number, more: Partial<Block> = {}): void => {
    finished = block;
    block = { type, start, end: start, lines: 0, contentEnd: start, ...more };
  };
  /** Begins a block in the place of the open one, which it takes over. */
  const replace = (type: BlockType, start: number, more: Partial<Block>): void => {
    block = { type, start, end: start, lines: 0, contentEnd: start, ...more };
  };

  while (at < markdown.length) {
    const start = at;
    let stop = markdown.indexOf("\n", at);
    let next = stop < 0 ? markdown.length : stop + 1;
    if (stop < 0) stop = markdown.length;
    else if (stop > at && markdown.charCodeAt(stop - 1) === 13) stop--;
    if (loneReturns) {
      if (returnAt < at && returnAt !== Infinity) {
        returnAt = markdown.indexOf("\r", at);
        if (returnAt < 0) returnAt = Infinity;
      }
      if (returnAt < stop) {
        stop = returnAt;
        next = stop + 1;
      }
    }
    at = next;
    // What decides stands at the beginning of a line, or in lines that are short as a whole.
    const line = markdown.slice(start, Math.min(stop, start + LONGEST_READ));
    const whole = stop - start <= LONGEST_READ;

    if (fence !== undefined) {
      const closing = whole ? /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1] : undefined;
      if (closing?.startsWith(fence.char) === true && closing.length >= fence.length) fence = undefined;
    } else if (whole && /^[ \t]*$/.test(line)) {
      // Blank lines belong to the block above; before the first block they are one.
      if (block === undefined) begin("text", start);
      block!.end = next;
      blankBefore = true;
      continue;
    } else {
      const continues = blankBefore ? undefined : block;
      const resumes = blankBefore ? block : undefined;
      blankBefore = false;
      const opening = FENCE.exec(line);
      const place = whole ? readMarker(line) : undefined;
      const atx = whole && line.length <= LONGEST_HEADING ? ATX.exec(line) : null;
      if (opening !== null) {
        const marks = (opening[1] ?? opening[2])!;
        fence = { char: marks[0]!, length: marks.length };
        begin("code", start, { fenced: true });
      } else if (place !== undefined) {
        begin("marker", start, { place });
        blankBefore = true;
      } else if (atx !== null) {
        begin("heading", start, { level: atx[1]!.length, text: headingText(atx[2] ?? "") });
        blankBefore = true;
        inList = false;
      } else if (continues?.type === "text" && whole && isSetext(line, markdown, continues)) {
        const raw = markdown.slice(continues.start, continues.contentEnd);
        replace("heading", continues.start, { level: line.includes("=") ? 1 : 2, text: headingText(raw.trim()) });
        blankBefore = true;
        inList = false;
      } else if (continues?.type === "text" && whole && isTable(line, markdown, continues)) {
        const header = lastLineStart(markdown, continues);
        if (continues.lines === 1) {
          replace("table", header, { rows: next });
        } else {
          continues.end = continues.contentEnd = header;
          continues.lines--;
          begin("table", header, { rows: next });
        }
      } else if (whole && RULE.test(line)) {
        begin("text", start, { ruled: true });
        blankBefore = true;
        inList = false;
      } else if (continues?.type === "table" && !ITEM.test(line)) {
        // A row.
      } else if (ITEM.test(line)) {
        begin("item", start);
        inList = true;
      } else if (continues?.type === "text" || continues?.type === "item") {
        // A paragraph goes on.
      } else if (inList && isIndented(line, 2)) {
        begin("item", start);
      } else if (isIndented(line, 4)) {
        const above = continues ?? resumes;
        // Indented code goes on after blank lines.
        if (above?.type !== "code" || above.fenced === true) begin("code", start);
      } else {
        begin("text", start);
        inList = false;
      }
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

function isIndented(line: string, by: number): boolean {
  return line.startsWith("\t") || line.startsWith(" ".repeat(by));
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
