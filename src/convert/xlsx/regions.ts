import type { Area } from "./reference.js";
import type { SheetCell } from "./sheet.js";

/** Cells of a sheet that belong together, and the smallest area around them. */
export interface Region {
  readonly area: Area;
  /** By rows, then columns. */
  readonly cells: readonly SheetCell[];
}

/** More pieces are no tables but a grid with holes: such a sheet stays whole. */
const MOST_REGIONS = 400;
const MOST_CUTS = 6;

/** How far down or to the right a cell reaches. */
type Reach = (cell: SheetCell) => number;

/**
 * Parts a sheet where nothing holds it together: at rows without any cell; and within what is between, at columns
 * without any cell, unless both sides begin and end in the same rows: then the gap is spacing inside one table. Merged
 * cells count with all that they cover. Each part is parted again until nothing changes.
 */
export function splitRegions(cells: readonly SheetCell[], merges: readonly Area[]): Region[] {
  const merged = new Map(merges.map((area) => [key(area.top, area.left), area]));
  const bottom: Reach = ({ row, column }) => merged.get(key(row, column))?.bottom ?? row;
  const right: Reach = ({ row, column }) => merged.get(key(row, column))?.right ?? column;
  let parts: (readonly SheetCell[])[] = cells.length === 0 ? [] : [cells];
  for (let cuts = 0; cuts < MOST_CUTS; cuts++) {
    const next = parts.flatMap((part) => byRows(part, bottom)).flatMap((part) => byColumns(part, right));
    if (next.length > MOST_REGIONS) return [regionOf(cells)];
    if (next.length === parts.length) break;
    parts = next;
  }
  return parts.map(regionOf);
}

function key(row: number, column: number): number {
  return row * 20_000 + column;
}

function byRows(cells: readonly SheetCell[], bottom: Reach): (readonly SheetCell[])[] {
  const starts = [0];
  let end = -1;
  for (const [index, cell] of cells.entries()) {
    if (index > 0 && cell.row > end + 1) starts.push(index);
    end = Math.max(end, bottom(cell));
  }
  return starts.length === 1 ? [cells] : starts.map((start, index) => cells.slice(start, starts[index + 1]));
}

function byColumns(cells: readonly SheetCell[], right: Reach): (readonly SheetCell[])[] {
  const reach: (number | undefined)[] = [];
  for (const cell of cells) reach[cell.column] = Math.max(reach[cell.column] ?? 0, right(cell));
  // By column, the strip that it lies in.
  const stripOf: number[] = [];
  let strips = 0;
  let end = -1;
  for (const [column, far] of reach.entries()) {
    if (far === undefined) continue;
    if (column > end + 1) strips++;
    stripOf[column] = strips - 1;
    end = Math.max(end, far);
  }
  if (strips <= 1) return [cells];
  const parted = Array.from({ length: strips }, (): SheetCell[] => []);
  for (const cell of cells) parted[stripOf[cell.column]!]!.push(cell);
  const joined: SheetCell[][] = [];
  for (const strip of parted) {
    const before = joined.at(-1);
    if (before !== undefined && sameRows(before, strip)) joined[joined.length - 1] = inRows(before.concat(strip));
    else joined.push(strip);
  }
  return joined;
}

function inRows(cells: SheetCell[]): SheetCell[] {
  return cells.sort((a, b) => a.row - b.row || a.column - b.column);
}

/** Both are by rows. */
function sameRows(a: readonly SheetCell[], b: readonly SheetCell[]): boolean {
  return a[0]!.row === b[0]!.row && a.at(-1)!.row === b.at(-1)!.row;
}

function regionOf(cells: readonly SheetCell[]): Region {
  let [top, left, bottom, right] = [Infinity, Infinity, -1, -1];
  for (const { row, column } of cells) {
    top = Math.min(top, row);
    left = Math.min(left, column);
    bottom = Math.max(bottom, row);
    right = Math.max(right, column);
  }
  return { area: { top, left, bottom, right }, cells };
}
