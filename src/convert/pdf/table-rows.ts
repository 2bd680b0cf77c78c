/** Words of tables in lines. */
import { readingOrder } from "./direction.js";
import { isMostly, segmentsOf, type Line } from "./lines.js";
import type { Box, FoundCell, TextItem } from "./page.js";

/** A table with the words that it takes out of the running text. */
export interface TableRegion extends Box {
  readonly items: readonly TextItem[];
  readonly rows: readonly (readonly FoundCell[])[];
}

/** Pieces of text on one height, from left to right, with a gap between each two. */
export interface PieceRow {
  readonly pieces: readonly Line[];
  readonly baseline: number;
  readonly size: number;
  readonly top: number;
  readonly bottom: number;
}

/** The words in rows of pieces, from the top. */
export function pieceRows(items: readonly TextItem[]): PieceRow[] {
  const rows: Line[][] = [];
  for (const piece of segmentsOf(items)) {
    const before = rows.at(-1)?.at(-1);
    // The pieces of a row follow one another from left to right.
    if (
      before !== undefined &&
      piece.left >= before.right &&
      Math.abs(piece.baseline - before.baseline) < 0.45 * piece.size
    )
      rows.at(-1)!.push(piece);
    else rows.push([piece]);
  }
  return rows.map((pieces) => ({
    pieces,
    baseline: pieces[0]!.baseline,
    size: Math.max(...pieces.map(({ size }) => size)),
    top: Math.min(...pieces.map(({ top }) => top)),
    bottom: Math.max(...pieces.map(({ bottom }) => bottom)),
  }));
}

/** The words of each line, from the top. */
export function rowsByBaseline(items: readonly TextItem[]): TextItem[][] {
  return pieceRows(items).map(({ pieces }) => pieces.flatMap((piece) => piece.items));
}

/**
 * The words of a cell line by line, each line in reading order. They stay the objects that they were, since the running
 * text is what no table holds.
 */
export function byLines(items: readonly TextItem[]): TextItem[] {
  if (items.length < 2) return [...items];
  return rowsByBaseline(items).flatMap((row) => {
    const sorted = row.toSorted((a, b) => a.x - b.x || a.order - b.order);
    return isMostly(sorted, ({ rtl }) => rtl) ? readingOrder(sorted, ({ text }) => text) : sorted;
  });
}

/** Something that is said in a cell: a word, a number, a mark; not the letters and signs of a formula. */
export function isCell(text: string): boolean {
  if (/[=∈∉⊂⊆∩∪→⇒∀∃∑∫≤≥⟨⟩∘≅×]/.test(text)) return false;
  return /\p{L}{2}|\p{N}|^[-–—xX✓✗✔✘•*]$/u.test(text);
}

/** A column: the interval that its pieces cover. */
export interface Column {
  left: number;
  right: number;
}

/** Rows that follow one another with their pieces in common columns. */
export interface Block {
  readonly rows: PieceRow[];
  columns: Column[];
}

/** The distances of the baselines. */
export function stepsOf(rows: readonly PieceRow[]): number[] {
  return rows.slice(1).map((row, index) => row.baseline - rows[index]!.baseline);
}

/** The distance of lines inside a row and that of rows, where they are clearly two; otherwise both 0. */
export function twoSteps(steps: readonly number[]): [number, number] {
  const sorted = steps.toSorted((a, b) => a - b);
  let best = 0;
  let widest = 0;
  for (let index = 1; index < sorted.length; index += 1) {
    const jump = sorted[index]! / Math.max(0.1, sorted[index - 1]!);
    if (jump > widest) [best, widest] = [index, jump];
  }
  // One wide step is a gap in the table; rows that wrap part at many.
  if (widest < 1.25 || sorted.length - best < Math.max(2, 0.2 * sorted.length)) return [0, 0];
  return [sorted[best - 1]!, sorted[best]!];
}

/** Whether a piece stands over a column. */
export function meets(piece: Line, { left, right }: Column): boolean {
  return piece.left < right - 0.5 && piece.right > left + 0.5;
}

/** The pieces of each column. */
export function piecesIn({ rows, columns }: Block): Line[][] {
  const pieces = rows.flatMap((row) => row.pieces);
  return columns.map((column) => pieces.filter((piece) => meets(piece, column)));
}
