/** Cells of a sheet as tables, each with the line that says where it stands. */
import { escapeText, marker, paragraph, table, type Cell } from "../markdown.js";
import { splitRegions } from "../xlsx/regions.js";
import { areaName, type Area } from "../xlsx/reference.js";

/** A cell that shows something; rows and columns from 1. */
export interface GridCell {
  readonly row: number;
  readonly column: number;
  readonly text: string;
  /** Already written, where the text alone would lose a link or emphasis. */
  readonly markdown?: string;
}

/** Fields of one table, empty ones included: cells further apart than this are written one below the other. */
const MOST_FIELDS = 2_000_000;

/** Regions of a sheet as blocks, in the order of their first rows. `merges` are areas that one cell covers. */
export function writeGrid(name: string, cells: readonly GridCell[], merges: readonly Area[]): string[] {
  const written = new Map<object, string | undefined>(cells.map((cell) => [cell, cell.markdown]));
  const inline = (cell: GridCell): string => written.get(cell) ?? cellMarkdown(cell.text);
  const blocks: string[] = [];
  for (const { area, cells: inside } of splitRegions(cells, merges)) {
    blocks.push(marker({ kind: "sheet", name, range: areaName(area) }));
    const width = area.right - area.left + 1;
    const height = area.bottom - area.top + 1;
    if (inside.length === 1 || width * height > MOST_FIELDS) {
      blocks.push(...inside.map(inline));
      continue;
    }
    const rows = Array.from({ length: height }, () => new Array<Cell>(width).fill({ markdown: "" }));
    for (const cell of inside) rows[cell.row - area.top]![cell.column - area.left] = { markdown: inline(cell) };
    blocks.push(...takeCaptions(rows), table(rows));
  }
  return blocks;
}

/** Up to this many rows of one text, above a row with more, are a table's caption and not its header. */
const MOST_CAPTIONS = 3;

function takeCaptions(rows: Cell[][]): string[] {
  const filled = (row: readonly Cell[]): number => row.filter(({ markdown }) => markdown !== "").length;
  let count = 0;
  while (
    count < MOST_CAPTIONS &&
    rows.length > count + 2 &&
    filled(rows[count]!) === 1 &&
    rows[count]![0]!.markdown !== ""
  )
    count++;
  if (count === 0 || filled(rows[count]!) < 2) return [];
  return rows.splice(0, count).map(([first]) => first!.markdown);
}

/** Lines of a cell, each reading as itself; one row of a table has no empty lines, and no bar at its beginning. */
export function cellMarkdown(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .map((line) => paragraph(escapeText(line).trim()).replace(/^\|/, "&#124;"))
    .filter((line) => line !== "")
    .join("\n");
}
