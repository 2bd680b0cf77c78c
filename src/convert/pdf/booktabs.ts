/** Tables between horizontal lines of one length, without lines between their columns: most tables of books and papers. */
import { columnTable } from "./aligned.js";
import type { PageContents, TextItem } from "./page.js";
import { mergedLines, type DrawnLine } from "./ruled.js";
import { pieceRows, type PieceRow, type TableRegion } from "./table-rows.js";

/** Lines that begin and end this close to one another, in points, belong together. */
const SAME_END = 6;
/** A table is not wider than its words by more than this much of itself. */
const MOST_MARGIN = 0.45;
/** Shorter lines underline words and part footnotes. */
const SHORTEST = 40;
/** More lines than a page of tables has: a drawing, staves, ruled paper. */
const MOST_LINES = 150;
/** A pair of lines this far apart, as a share of the page, frames the page's text. */
const TALLEST = 0.85;

/** The tables of a page that stand between horizontal lines. `items` are the words to look at. */
export function booktabsTables(page: PageContents, items: readonly TextItem[]): TableRegion[] {
  const lines = mergedLines(page.rules, "horizontal").filter(({ from, to }) => to - from > SHORTEST);
  if (lines.length < 2 || lines.length > MOST_LINES) return [];
  const verticals = mergedLines(page.rules, "vertical");
  let rows: PieceRow[] | undefined;
  const tables: TableRegion[] = [];
  const used = new Set<DrawnLine>();
  for (const [index, first] of lines.entries()) {
    if (used.has(first)) continue;
    const below = lines
      .slice(index + 1)
      .filter((line) => Math.abs(line.from - first.from) < SAME_END && Math.abs(line.to - first.to) < SAME_END);
    // The longest run of lines between which everything is one table; the lines of the next table end it.
    for (let count = below.length; count > 0; count -= 1) {
      const last = below[count - 1]!;
      if (last.at - first.at > TALLEST * page.height) continue;
      if (verticals.some((line) => isInside(line, first, last))) continue;
      rows ??= pieceRows(items.filter(({ rotation, vertical }) => rotation === 0 && !vertical));
      const between = rowsBetween(rows, first, last);
      const inner = below.slice(0, count - 1).map(({ at }) => at);
      const table = between.length < 2 ? undefined : columnTable(between, inner);
      if (table === undefined || table.right - table.left < (1 - MOST_MARGIN) * (first.to - first.from)) continue;
      tables.push({ ...table, top: first.at, bottom: last.at });
      for (const line of [first, ...below.slice(0, count)]) used.add(line);
      break;
    }
  }
  return tables;
}

function isInside({ at, from, to }: DrawnLine, first: DrawnLine, last: DrawnLine): boolean {
  return (
    at > first.from + SAME_END && at < first.to - SAME_END && from < last.at - SAME_END && to > first.at + SAME_END
  );
}

function rowsBetween(rows: readonly PieceRow[], first: DrawnLine, last: DrawnLine): PieceRow[] {
  return rows.flatMap((row) => {
    const middle = (row.top + row.bottom) / 2;
    if (middle < first.at || middle > last.at) return [];
    const pieces = row.pieces.filter(
      (piece) => piece.right > first.from - SAME_END && piece.left < first.to + SAME_END,
    );
    return pieces.length === 0 ? [] : [{ ...row, pieces }];
  });
}
