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
