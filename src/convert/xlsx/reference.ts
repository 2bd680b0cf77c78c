/** Rows and columns of a sheet (ISO 29500, and every program that writes it). */
export const MOST_ROWS = 1_048_576;
export const MOST_COLUMNS = 16_384;

/** Cells of a sheet, both ends included; rows and columns from 1. */
export interface Area {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** `AB12` as row and column; undefined where it is none or outside of a sheet. */
export function parseCell(reference: string): { row: number; column: number } | undefined {
  const found = /^\$?([A-Za-z]{1,3})\$?(\d{1,7})$/.exec(reference);
  if (found === null) return undefined;
  let column = 0;
  for (const letter of found[1]!.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  const row = Number(found[2]);
  return row >= 1 && row <= MOST_ROWS && column <= MOST_COLUMNS ? { row, column } : undefined;
}

/** `A1:D20`, or `A1` for one cell. */
export function parseArea(reference: string): Area | undefined {
  const [first, second = first] = reference.split(":");
  const a = parseCell(first ?? "");
  const b = parseCell(second ?? "");
  if (a === undefined || b === undefined) return undefined;
  return {
    top: Math.min(a.row, b.row),
    left: Math.min(a.column, b.column),
    bottom: Math.max(a.row, b.row),
    right: Math.max(a.column, b.column),
  };
}

export function cellName(row: number, column: number): string {
  let letters = "";
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return letters + String(row);
}

export function areaName({ top, left, bottom, right }: Area): string {
  const first = cellName(top, left);
  return top === bottom && left === right ? first : `${first}:${cellName(bottom, right)}`;
}
