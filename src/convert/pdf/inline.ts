/** Words of a block as inline Markdown: blanks, broken words, emphasis, code, links, raised and lowered letters. */
import { codeSpan, emphasis, escapeText, link } from "../markdown.js";
import { mirrorBrackets } from "./direction.js";
import { blankBetween, isIdeograph, isMostly, type Line } from "./lines.js";
import type { TextItem } from "./page.js";

/** What a block's words are judged by. */
export interface InlineContext {
  /** Words of the document, lower-case, those with a hyphen among them. */
  readonly words: ReadonlySet<string>;
  /** Where the link leads that an item stands in. */
  readonly target: (item: TextItem) => string | undefined;
  /** Whether the document's text is bold as a whole. */
  readonly boldBody?: boolean;
  /** Whether the blank between two Korean words is drawn at a line's end too: where there is none, the word goes on. */
  readonly blanksAtLineEnds?: boolean;
  /** Emphasis says nothing in headings. */
  readonly plain?: boolean;
}

interface Piece {
  text: string;
  blankBefore: boolean;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly code: boolean;
  readonly raised: "sup" | "sub" | undefined;
  readonly target: string | undefined;
}

/** `skip` characters at the beginning are the sign of a list. */
export function inlineOf(lines: readonly Line[], context: InlineContext, skip = 0): string {
  const pieces = skipped(piecesOf(lines, context), skip);
  let markdown = "";
  for (let start = 0; start < pieces.length;) {
    const target = pieces[start]!.target;
    let end = start + 1;
    while (end < pieces.length && pieces[end]!.target === target) end += 1;
    const inside = styled(pieces.slice(start, end), pieces[start - 1], pieces[end]);
    markdown +=
      (start > 0 && pieces[start]!.blankBefore ? " " : "") + (target === undefined ? inside : link(inside, target));
    start = end;
  }
  return markdown;
}

function piecesOf(lines: readonly Line[], context: InlineContext): Piece[] {
  const { words, target, plain = false } = context;
  const all = lines.flatMap(({ items }) => items);
  const bold = isMostly(all, (item) => item.bold);
  const italic = isMostly(all, (item) => item.italic);
  const code = all.every((item) => item.monospaced);
  const pieces: Piece[] = [];
  /** The end of what was written, whatever pieces it is in. */
  let tail = "";
  for (const line of lines) {
    for (const [index, item] of line.items.entries()) {
      const piece: Piece = {
        text: (line.rtl ? mirrorBrackets(item.text) : item.text).replaceAll(
          "\u00ad",
          index === line.items.length - 1 ? "\u00ad" : "",
        ),
        blankBefore:
          index > 0 &&
          (blankBetween(line.items[index - 1]!, item) || isNoteOfNumber(line, item, line.items[index - 1]!)),
        bold: !plain && item.bold && !bold,
        italic: !plain && item.italic && !italic,
        code: !plain && item.monospaced && !code,
        raised: raisedIn(line, item, line.items[index - 1]),
        target: target(item),
      };
      const last = pieces.at(-1);
      if (index === 0 && last !== undefined) {
        joinLines(tail, last, piece, words);
        if (context.blanksAtLineEnds === true && isKoreanBreak(tail, item)) piece.blankBefore = false;
      }
      tail = (piece.blankBefore ? " " : tail).slice(-60) + piece.text;
      if (last !== undefined && alike(last, piece)) last.text += (piece.blankBefore ? " " : "") + piece.text;
      else pieces.push(piece);
    }
  }
  partNotes(pieces);
  for (const piece of pieces) piece.text = piece.text.replaceAll("\u00ad", "");
  return pieces;
}

/** The number of a note stands at the word that it is to, and apart from the words of its own text. */
function partNotes(pieces: readonly Piece[]): void {
  const opens = pieces[0]?.raised === "sup";
  for (const [index, piece] of pieces.entries()) {
    if (piece.raised !== "sup" || !isNoteNumber(piece.text)) continue;
    const before = pieces[index - 1];
    if (before === undefined) {
      if (pieces[1] !== undefined) pieces[1].blankBefore = true;
    } else if (
      !opens &&
      /\p{L}{2}[\p{Pe}\p{Pf}.,;:!?"]*$/u.test(before.text) &&
      !/^[/\u2044]/.test(pieces[index + 1]?.text ?? "")
    ) {
      // Neither the numerator of a fraction nor the next of several notes in one line.
      piece.blankBefore = false;
    }
  }
}

/** The end of one line and the beginning of the next: a broken word, a broken address, CJK without blanks, or a blank. */
function joinLines(before: string, last: Piece, piece: Piece, words: ReadonlySet<string>): void {
  piece.blankBefore = true;
  const after = piece.text;
  if (/[\p{L}]\u00ad$/u.test(before)) {
    last.text = last.text.slice(0, -1);
    piece.blankBefore = false;
  } else if (/\p{L}[-\u2010]$/u.test(before) && /^\p{L}/u.test(after)) {
    piece.blankBefore = false;
    if (isBroken(before, after, words)) last.text = last.text.slice(0, -1);
  } else if (/\p{N}[-\u2010]$/u.test(before) && /^[\p{L}\p{N}]/u.test(after)) piece.blankBefore = false;
  else if (
    last.target !== undefined &&
    last.target === piece.target &&
    /^\S*:\/\/\S*$/.test(before.slice(before.lastIndexOf(" ") + 1))
  ) {
    // An address that goes on in the next line: its link says whether it does.
    const joint = before.slice(before.lastIndexOf(" ") + 1) + after.split(" ", 1)[0]!;
    if (last.target.includes(joint) || joint.includes(last.target.replace(/\/$/, ""))) piece.blankBefore = false;
  } else if (isWide(before.slice(-1)) && isWide(after)) piece.blankBefore = false;
}

/** Korean lines end after any syllable, and no hyphen says that a word goes on. */
function isKoreanBreak(before: string, next: TextItem): boolean {
  return !next.blankBefore && /\p{sc=Hangul}$/u.test(before) && /^\p{sc=Hangul}/u.test(next.text);
}

/** CJK is written without blanks, Korean with. */
function isWide(text: string): boolean {
  return isIdeograph(text);
}

/** Whether a hyphen at the end of a line only breaks the word. */
function isBroken(before: string, after: string, words: ReadonlySet<string>): boolean {
  const left = /[\p{L}\p{M}]+(?=[-\u2010]$)/u.exec(before)?.[0] ?? "";
  const right = /^[\p{L}\p{M}]+/u.exec(after)?.[0] ?? "";
  const whole = (left + right).toLowerCase();
  if (words.has(whole)) return true;
  if (words.has(`${left}-${right}`.toLowerCase())) return false;
  // `multi-` before `user-defined` is no broken word, nor is what goes on with a capital.
  return /^\p{Ll}/u.test(right) && !/^[\p{L}\p{M}]+-\p{L}/u.test(after) && !/-[\p{L}\p{M}]+[-\u2010]$/u.test(before);
}

function raisedIn(line: Line, item: TextItem, before: TextItem | undefined): "sup" | "sub" | undefined {
  if (item.fontSize > 0.82 * line.size || item.text.length > 6) return undefined;
  // At the beginning of a line only a number is raised: that of the note that follows it.
  if (before === undefined && (line.items.length === 1 || !isNoteNumber(item.text))) return undefined;
  const shift = line.baseline - item.baseline;
  if (shift > 0.15 * line.size) return "sup";
  return shift < -0.08 * line.size ? "sub" : undefined;
}

function isNoteNumber(text: string): boolean {
  return /^\d{1,3}$/.test(text);
}

/** A raised digit right behind a number would be read as a part of it, where tags are left out. */
function isNoteOfNumber(line: Line, item: TextItem, before: TextItem): boolean {
  return /\d$/.test(before.text) && /^\d/.test(item.text) && raisedIn(line, item, before) === "sup";
}

function alike(one: Piece, other: Piece): boolean {
  return (
    one.bold === other.bold &&
    one.italic === other.italic &&
    one.code === other.code &&
    one.raised === other.raised &&
    one.target === other.target
  );
}

function skipped(pieces: Piece[], skip: number): Piece[] {
  let left = skip;
  while (left > 0 && pieces.length > 0) {
    const first = pieces[0]!;
    if (first.text.length > left) {
      first.text = first.text.slice(left).trimStart();
      break;
    }
    left -= first.text.length;
    pieces.shift();
    if (left > 0 && pieces[0]?.blankBefore === true) left -= 1;
  }
  return pieces;
}

/** Pieces in their styles. Delimiters count only at the edges of words, so other emphasis is left out. */
function styled(pieces: readonly Piece[], outsideBefore: Piece | undefined, outsideAfter: Piece | undefined): string {
  let markdown = "";
  for (const [index, piece] of pieces.entries()) {
    const before = pieces[index - 1] ?? outsideBefore;
    const after = pieces[index + 1] ?? outsideAfter;
    const blank = index > 0 && piece.blankBefore ? " " : "";
    const free = isEdge(before?.text.at(-1), piece.blankBefore) && isEdge(after?.text[0], after?.blankBefore === true);
    const note = piece.raised !== undefined && /\d$/.test(before?.text ?? "");
    const attached = before === undefined ? isNoteNumber(piece.text) : !piece.blankBefore || note;
    markdown += blank + styledPiece(piece, free, attached);
  }
  return markdown;
}

function styledPiece({ text, bold, italic, code, raised }: Piece, free: boolean, attached: boolean): string {
  if (raised !== undefined && attached) return `<${raised}>${escapeText(text)}</${raised}>`;
  if (!/[\p{L}\p{N}]/u.test(text)) return escapeText(text);
  if (code && free) return codeSpan(text);
  const words = escapeText(text);
  // A delimiter beside punctuation on its inner side counts only where a blank is outside.
  const flanked = /^[\p{L}\p{N}]/u.test(text) && /[\p{L}\p{N}]$/u.test(text);
  return free && (bold || italic) && (flanked || !attached) ? emphasis(words, { bold, italic }) : words;
}

function isEdge(sign: string | undefined, blank: boolean): boolean {
  return sign === undefined || blank || /[\s([{"“‘«,.;:!?)\]}”’»/–—]/.test(sign);
}
