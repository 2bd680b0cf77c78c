/**
 * A line of Markdown put together from its pieces. Delimiters work only where CommonMark lets them (6.2): not beside
 * blanks, and not between a letter and a punctuation mark; so blanks and marks at the ends of emphasised text are moved
 * out, and emphasis that still would show its asterisks is left out: the words count.
 */
import { codeSpan, escapeText } from "../markdown.js";

/** `style` is the delimiter: `**`, `*` or `~~`. */
export type Piece =
  | { readonly kind: "text" | "code" | "markdown"; text: string }
  | { readonly kind: "open" | "close"; readonly style: string }
  | { readonly kind: "break" };

const LINE_END = "\\\n";

/**
 * Pieces as inline Markdown, without blanks at its ends. A break is a backslash at the end of its line.
 *
 * @param guarded signs that are escaped wherever they stand: in a part of a line they may pair with those of another
 */
export function writeLine(pieces: readonly Piece[], guarded?: ReadonlySet<string>): string {
  const tidy = moveBlanks(collapse(merge(pieces).flatMap(withoutBlankEnds)));
  dropEmpty(tidy);
  while (tidy[0]?.kind === "break") tidy.shift();
  while (tidy.at(-1)?.kind === "break") tidy.pop();
  placeDelimiters(tidy);
  // Where a delimiter was left out, the texts beside it are one: `<` and `b>` would be a tag together, and neither alone.
  const placed = mergeText(tidy);
  const signs = guarded ?? signsOverPieces(placed);
  let line = "";
  for (const piece of placed) {
    const next = written(piece, signs);
    // An exclamation mark before a link would make an image of it.
    line = next.startsWith("[") && line.endsWith("!") ? `${line.slice(0, -1)}\\!${next}` : line + next;
  }
  return line.trim();
}

/** Blanks at the ends of code part it from the words beside it, and are no code. */
function withoutBlankEnds(piece: Piece): Piece[] {
  if (piece.kind !== "code") return [piece];
  const [, start = "", code = "", end = ""] = /^(\s*)([\s\S]*?)(\s*)$/.exec(piece.text) ?? [];
  const parts: Piece[] = [
    { kind: "text", text: start },
    { kind: "code", text: code },
    { kind: "text", text: end },
  ];
  return parts.filter((part) => "text" in part && part.text !== "");
}

/** Signs that make syntax in pairs, where the two of a pair stand in different pieces: `$5` **and** `$6`. */
function signsOverPieces(pieces: readonly Piece[]): ReadonlySet<string> {
  const text = pieces
    .map((piece) => (piece.kind === "code" ? "`" : "") + ("text" in piece ? piece.text : "*"))
    .join("");
  const guarded = new Set<string>();
  if (/\$(?=\S)[^$]*[^\s$]\$(?!\d)/.test(text)) guarded.add("$");
  if (text.indexOf("~") !== text.lastIndexOf("~")) guarded.add("~");
  return guarded;
}

function written(piece: Piece, guarded: ReadonlySet<string>): string {
  switch (piece.kind) {
    case "text":
      return escapeText(piece.text).replace(/\\[\s\S]|[$~]/g, (sign) => (guarded.has(sign) ? `\\${sign}` : sign));
    case "code":
      return codeSpan(piece.text);
    case "markdown":
      return piece.text;
    case "break":
      return LINE_END;
    default:
      return piece.style;
  }
}

/** Joins text to text and code to code, and leaves out delimiters that would close and open again. */
function merge(pieces: readonly Piece[]): Piece[] {
  const merged: Piece[] = [];
  for (const piece of pieces) {
    const last = merged.at(-1);
    if (piece.kind === "text" && last?.kind === "text") last.text += piece.text;
    else if (piece.kind === "code" && last?.kind === "code") last.text += piece.text;
    else if (piece.kind === "open" && last?.kind === "close" && last.style === piece.style) merged.pop();
    else merged.push(piece.kind === "text" || piece.kind === "code" ? { ...piece } : piece);
  }
  return merged;
}

/** White space as a browser shows it: one blank, none at the ends of a line. */
function collapse(pieces: Piece[]): Piece[] {
  let after = " ";
  for (const piece of pieces) {
    if (piece.kind === "break") after = " ";
    if (piece.kind !== "text" && piece.kind !== "code" && piece.kind !== "markdown") continue;
    if (piece.kind === "text") {
      piece.text = piece.text.replace(/[\t\n\f\r ]+/g, " ");
      if (after === " " && piece.text.startsWith(" ")) piece.text = piece.text.slice(1);
    }
    if (piece.text !== "") after = piece.text.at(-1)!;
  }
  for (let i = 0; i < pieces.length; i++) {
    if (pieces[i]!.kind !== "break" && i < pieces.length - 1) continue;
    // Backwards from the end of the line over delimiters.
    let back = pieces[i]!.kind === "break" ? i - 1 : i;
    while (back >= 0 && (pieces[back]!.kind === "open" || pieces[back]!.kind === "close")) back--;
    const piece = pieces[back];
    if (piece?.kind === "text") piece.text = piece.text.trimEnd();
  }
  return pieces.filter((piece) => piece.kind !== "text" || piece.text !== "");
}

/** Moves blanks and breaks at the ends of emphasised text out of it. */
function moveBlanks(pieces: Piece[]): Piece[] {
  const forward: Piece[] = [];
  for (const piece of pieces) {
    const behindOpen = forward.at(-1)?.kind === "open";
    const text = piece.kind === "text" ? piece.text : "";
    if (behindOpen && (piece.kind === "break" || /^[\s\u200b]/.test(text))) {
      let at = forward.length;
      while (at > 0 && forward[at - 1]!.kind === "open") at--;
      const blanks = /^[\s\u200b]*/.exec(text)![0];
      forward.splice(at, 0, piece.kind === "break" ? piece : { kind: "text", text: blanks });
      if (piece.kind === "text" && text.length > blanks.length)
        forward.push({ kind: "text", text: text.slice(blanks.length) });
    } else forward.push(piece);
  }
  const backward: Piece[] = [];
  for (const piece of forward.reverse()) {
    const beforeClose = backward.at(-1)?.kind === "close";
    const text = piece.kind === "text" ? piece.text : "";
    if (beforeClose && (piece.kind === "break" || /[\s\u200b]$/.test(text))) {
      let at = backward.length;
      while (at > 0 && backward[at - 1]!.kind === "close") at--;
      const blanks = /[\s\u200b]*$/.exec(text)![0];
      backward.splice(at, 0, piece.kind === "break" ? piece : { kind: "text", text: blanks });
      if (piece.kind === "text" && text.length > blanks.length)
        backward.push({ kind: "text", text: text.slice(0, text.length - blanks.length) });
    } else backward.push(piece);
  }
  return mergeText(backward.reverse());
}

function mergeText(pieces: readonly Piece[]): Piece[] {
  const merged: Piece[] = [];
  for (const piece of pieces) {
    const last = merged.at(-1);
    if (piece.kind === "text" && last?.kind === "text") last.text += piece.text;
    else merged.push(piece);
  }
  return merged;
}

/** Leaves out pairs of delimiters with nothing between them. */
function dropEmpty(pieces: Piece[]): void {
  for (let i = 0; i + 1 < pieces.length;) {
    const [open, close] = [pieces[i]!, pieces[i + 1]!];
    if (open.kind === "open" && close.kind === "close") {
      pieces.splice(i, 2);
      i = Math.max(0, i - 1);
    } else i++;
  }
}

const PUNCTUATION = /[\p{P}\p{S}]/u;

/** Moves punctuation out of emphasis where it would keep a delimiter from counting; where that is not enough, leaves the pair out. */
function placeDelimiters(pieces: Piece[]): void {
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i]!;
    if (piece.kind === "open" && !counts(charBefore(pieces, i), charBehind(pieces, i))) {
      const inside = pieces[i + 1];
      const marks = inside?.kind === "text" ? /^[\p{P}\p{S}]+/u.exec(inside.text)?.[0] : undefined;
      if (inside?.kind === "text" && marks !== undefined && marks.length < inside.text.length) {
        inside.text = inside.text.slice(marks.length);
        insertText(pieces, i, marks);
      } else removePair(pieces, i);
      i = Math.max(-1, i - 2);
    } else if (piece.kind === "close" && !counts(charBehind(pieces, i), charBefore(pieces, i))) {
      const inside = pieces[i - 1];
      const marks = inside?.kind === "text" ? /[\p{P}\p{S}]+$/u.exec(inside.text)?.[0] : undefined;
      if (inside?.kind === "text" && marks !== undefined && marks.length < inside.text.length) {
        inside.text = inside.text.slice(0, -marks.length);
        insertText(pieces, i + 1, marks);
      } else removePair(pieces, i);
      i = Math.max(-1, i - 3);
    }
  }
}

/** Whether a delimiter between these characters counts: see CommonMark on flanking. */
function counts(outside: string, inside: string): boolean {
  if (inside === "" || /\s/.test(inside)) return false;
  return !PUNCTUATION.test(inside) || outside === "" || /\s/.test(outside) || PUNCTUATION.test(outside);
}

function charBefore(pieces: readonly Piece[], at: number): string {
  return charBeside(pieces, at, -1);
}

function charBehind(pieces: readonly Piece[], at: number): string {
  return charBeside(pieces, at, 1);
}

/** The nearest character of the text on one side. A delimiter of the other kind is punctuation; those of the same make one run. */
function charBeside(pieces: readonly Piece[], at: number, step: 1 | -1): string {
  for (let i = at + step; i >= 0 && i < pieces.length; i += step) {
    const piece = pieces[i]!;
    if (piece.kind === "break") return "\n";
    if (piece.kind === "code") return "`";
    if (piece.kind === "open" || piece.kind === "close") {
      if (piece.kind !== pieces[at]!.kind) return "*";
      continue;
    }
    if (!("text" in piece)) continue;
    const signs = Array.from(step < 0 ? piece.text.slice(-2) : piece.text.slice(0, 2));
    return signs.at(step < 0 ? -1 : 0) ?? "";
  }
  return "";
}

function insertText(pieces: Piece[], at: number, text: string): void {
  const before = pieces[at - 1];
  const behind = pieces[at];
  if (before?.kind === "text") before.text += text;
  else if (behind?.kind === "text") behind.text = text + behind.text;
  else pieces.splice(at, 0, { kind: "text", text });
}

/** Leaves out a delimiter and its partner. */
function removePair(pieces: Piece[], at: number): void {
  const { kind } = pieces[at]!;
  const step = kind === "open" ? 1 : -1;
  let depth = 0;
  for (let i = at; i >= 0 && i < pieces.length; i += step) {
    const each = pieces[i]!;
    if (each.kind !== "open" && each.kind !== "close") continue;
    depth += each.kind === kind ? 1 : -1;
    if (depth > 0) continue;
    pieces.splice(Math.max(i, at), 1);
    pieces.splice(Math.min(i, at), 1);
    return;
  }
  pieces.splice(at, 1);
}
