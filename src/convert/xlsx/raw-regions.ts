/**
 * The reader's own view of which cells belong together, by the rule that regions.ts states: cut at empty rows, then at
 * empty columns where both sides do not share their first and last row, again until nothing changes.
 */

/** A cell that shows something, with what it covers where it is merged. */
export interface RawCell {
  readonly row: number;
  readonly column: number;
  readonly text: string;
  lastRow: number;
  lastColumn: number;
}

const MOST_REGIONS = 400;
const MOST_CUTS = 6;

/** Parts cells, in whatever order they come. */
export function partCells(cells: readonly RawCell[]): RawCell[][] {
  let groups: RawCell[][] = cells.length === 0 ? [] : [[...cells]];
  for (let round = 0; round < MOST_CUTS; round++) {
    const before = groups.length;
    groups = groups
      .flatMap((group) =>
        bands(
          group,
          ({ row }) => row,
          ({ lastRow }) => lastRow,
        ),
      )
      .flatMap(acrossColumns);
    if (groups.length > MOST_REGIONS) return [[...cells]];
    if (groups.length === before) break;
  }
  return groups;
}

/** Runs of rows or columns that something covers, with the cells that begin in them. */
function bands(cells: readonly RawCell[], from: (cell: RawCell) => number, to: (cell: RawCell) => number): RawCell[][] {
  const covered = new Map<number, number>();
  for (const cell of cells) covered.set(from(cell), Math.max(covered.get(from(cell)) ?? 0, to(cell)));
  const starts = [...covered.keys()].sort((a, b) => a - b);
  const bandOf = new Map<number, number>();
  let band = -1;
  let reach = -Infinity;
  for (const start of starts) {
    if (start > reach + 1) band++;
    bandOf.set(start, band);
    reach = Math.max(reach, covered.get(start)!);
  }
  const parted = Array.from({ length: band + 1 }, (): RawCell[] => []);
  for (const cell of cells) parted[bandOf.get(from(cell))!]!.push(cell);
  return parted;
}

function acrossColumns(cells: readonly RawCell[]): RawCell[][] {
  const joined: RawCell[][] = [];
  for (const strip of bands(
    cells,
    ({ column }) => column,
    ({ lastColumn }) => lastColumn,
  )) {
    const left = joined.at(-1);
    if (left !== undefined && extent(left) === extent(strip)) joined[joined.length - 1] = left.concat(strip);
    else joined.push(strip);
  }
  return joined;
}

function extent(cells: readonly RawCell[]): string {
  const rows = cells.map(({ row }) => row);
  return `${rows.reduce((a, b) => Math.min(a, b))}-${rows.reduce((a, b) => Math.max(a, b))}`;
}

/**
 * The cells as tables of rows of texts: none for a cell alone and for a few cells far apart; several with the same header
 * where there are more than 40,000 fields, for then the engine cuts too, and a table is compared with a table.
 */
export function tablesOf(cells: readonly RawCell[]): string[][][] {
  if (cells.length < 2) return [];
  const top = cells.reduce((least, { row }) => Math.min(least, row), Infinity);
  const left = cells.reduce((least, { column }) => Math.min(least, column), Infinity);
  const height = cells.reduce((most, { row }) => Math.max(most, row), 0) - top + 1;
  const width = cells.reduce((most, { column }) => Math.max(most, column), 0) - left + 1;
  if (height * width > 2_000_000 && height * width > 20 * cells.length) return [];
  const slice = Math.max(100, Math.floor(40_000 / width));
  const slices = new Map<number, string[][]>();
  for (const { row, column, text } of cells) {
    const number = Math.floor((row - top) / slice);
    let rows = slices.get(number);
    if (rows === undefined) {
      const rowsLeft = Math.min(slice, height - number * slice);
      slices.set(number, (rows = Array.from({ length: rowsLeft }, () => new Array<string>(width).fill(""))));
    }
    rows[(row - top) % slice]![column - left] = text;
  }
  const [first = [], ...rest] = slices.values();
  const headed = dropCaptions(first);
  return [headed, ...rest.map((rows) => [headed[0]!, ...rows])];
}

/** Up to three rows with one text, in the first column, above a row with more are the table's caption. */
function dropCaptions(rows: string[][]): string[][] {
  const texts = (row: readonly string[] | undefined): number => row?.filter((text) => text !== "").length ?? 0;
  for (let first = 0; first <= 3 && first < rows.length - 1; first++) {
    if (texts(rows[first]) > 1) return rows.slice(first);
    if (rows[first]![0] === "" || first === rows.length - 2) break;
  }
  return rows;
}
