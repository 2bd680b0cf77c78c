import type { Area } from "./reference.js";
import type { SheetCell } from "./sheet.js";

/** Cells of a sheet that belong together, and the smallest area around them. */
export interface Region {
  readonly area: Area;
  /** By rows, then columns. */
  readonly cells: readonly SheetCell[];
}

interface Box {
  readonly cell: SheetCell;
  readonly bottom: number;
  readonly right: number;
}

/** More pieces are no tables but a grid with holes: such a sheet stays whole. */
const MOST_REGIONS = 400;
const MOST_CUTS = 6;

/**
 * Parts a sheet where nothing holds it together: at rows without any cell; and within what is between, at columns
 * without any cell, unless both sides begin and end in the same rows: then the gap is spacing inside one table. Merged
 * cells count with all that they cover. Each part is parted again until nothing changes.
 */
export function splitRegions(cells: readonly SheetCell[], merges: readonly Area[]): Region[] {
  const merged = new Map(merges.map((area) => [key(area.top, area.left), area]));
  const boxes = cells.map((cell): Box => {
    const area = merged.get(key(cell.row, cell.column));
    return { cell, bottom: area?.bottom ?? cell.row, right: area?.right ?? cell.column };
  });
  let parts: Box[][] = boxes.length === 0 ? [] : [boxes];
  for (let cuts = 0; cuts < MOST_CUTS; cuts++) {
    const next = parts.flatMap(byRows).flatMap(byColumns);
    if (next.length > MOST_REGIONS) return [regionOf(cells)];
    if (next.length === parts.length) break;
    parts = next;
  }
  return parts.map((part) => regionOf(part.map(({ cell }) => cell)));
}

function key(row: number, column: number): number {
  return row * 20_000 + column;
}

function byRows(boxes: readonly Box[]): Box[][] {
  const parts: Box[][] = [];
  let end = -1;
  for (const box of boxes) {
    if (parts.length === 0 || box.cell.row > end + 1) parts.push([]);
    parts.at(-1)!.push(box);
    end = Math.max(end, box.bottom);
  }
  return parts;
}

function byColumns(boxes: readonly Box[]): Box[][] {
  const across = [...boxes].sort((a, b) => a.cell.column - b.cell.column);
  const strips: Box[][] = [];
  let end = -1;
  for (const box of across) {
    if (strips.length === 0 || box.cell.column > end + 1) strips.push([]);
    strips.at(-1)!.push(box);
    end = Math.max(end, box.right);
  }
  const parts: Box[][] = [];
  for (const strip of strips) {
    const before = parts.at(-1);
    if (before !== undefined && sameRows(before, strip)) before.push(...strip);
    else parts.push(strip);
  }
  return parts.map((part) => part.sort((a, b) => a.cell.row - b.cell.row || a.cell.column - b.cell.column));
}

function sameRows(a: readonly Box[], b: readonly Box[]): boolean {
  const [aTop, aBottom] = rowsOf(a);
  const [bTop, bBottom] = rowsOf(b);
  return aTop === bTop && aBottom === bBottom;
}

function rowsOf(boxes: readonly Box[]): readonly [top: number, bottom: number] {
  let top = Infinity;
  let bottom = -1;
  for (const { cell } of boxes) {
    top = Math.min(top, cell.row);
    bottom = Math.max(bottom, cell.row);
  }
  return [top, bottom];
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
