/**
 * Tables, apart from words: a cell is *in place* where the table that answers to its own holds the same text in the row
 * and the column that answer to its own. Two cells that changed places are two cells out of place, though no word is lost.
 */
import { pairWords } from "./pairing.js";
import type { TableText } from "./reading.js";
import { wholeSide } from "./sides.js";
import { comparable, Vocabulary, WordList } from "./words.js";

export interface TableTally {
  readonly cells: number;
  readonly inPlace: number;
  readonly lost: number;
  readonly added: number;
}

/** Cells as what is compared of them: signs count, since `-5` is not `5`; blanks and the shape of dashes and quotes do not. */
type Grid = readonly (readonly string[])[];

export function compareTables(reference: readonly TableText[], markdown: readonly TableText[]): TableTally {
  const originals = reference.map(gridOf).filter((grid) => grid.length > 0);
  const written = markdown.map(gridOf).filter((grid) => grid.length > 0);
  const partners = matchTables(originals, written);
  let inPlace = 0;
  originals.forEach((grid, index) => {
    const partner = partners[index];
    if (partner !== undefined) inPlace += cellsInPlace(grid, written[partner]!);
  });
  const counts = countCells(originals);
  const surplus = countCells(written);
  let cells = 0;
  let lost = 0;
  for (const [cell, count] of counts) {
    cells += count;
    lost += Math.max(0, count - (surplus.get(cell) ?? 0));
  }
  let added = 0;
  for (const [cell, count] of surplus) added += Math.max(0, count - (counts.get(cell) ?? 0));
  return { cells, inPlace, lost, added };
}

function gridOf(table: TableText): Grid {
  return table.map((row) => row.map(cellKey)).filter((row) => row.some((cell) => cell !== ""));
}

/** The text of a cell as it is compared. */
export function cellKey(text: string): string {
  return comparable(text)
    .replace(/^[ \t]*[•◦▪‣·]/gm, "")
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[\u2018\u2019\u201a\u201b\u2032]/g, "'")
    .replace(/[\u201c-\u201f\u2033]/g, '"')
    .replace(/[\s\p{Co}]+/gu, "");
}

function countCells(grids: readonly Grid[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const grid of grids)
    for (const row of grid) for (const cell of row) if (cell !== "") counts.set(cell, (counts.get(cell) ?? 0) + 1);
  return counts;
}

/** A cell that stands in more tables than this tells none of them. */
const COMMON = 20;

/** For each table of the original the one that shares most of its cells, each given once, the surest first. */
function matchTables(originals: readonly Grid[], written: readonly Grid[]): (number | undefined)[] {
  const places = new Map<string, number[]>();
  written.forEach((grid, index) => {
    for (const cell of new Set(grid.flat())) {
      if (cell === "") continue;
      const known = places.get(cell);
      if (known === undefined) places.set(cell, [index]);
      else known.push(index);
    }
  });
  const candidates: { readonly original: number; readonly written: number; readonly shared: number }[] = [];
  originals.forEach((grid, original) => {
    const shared = new Map<number, number>();
    // The table at the same place among all of them is tried first where the cells do not decide.
    if (original < written.length) shared.set(original, 0.5);
    for (const cell of new Set(grid.flat())) {
      const where = places.get(cell);
      if (where === undefined) continue;
      const common = where.length > COMMON;
      for (let k = common ? firstFrom(where, original - COMMON) : 0; k < where.length; k++) {
        const index = where[k]!;
        if (common && index > original + COMMON) break;
        shared.set(index, (shared.get(index) ?? 0) + 1);
      }
    }
    for (const [index, count] of shared) if (count >= 1) candidates.push({ original, written: index, shared: count });
  });
  candidates.sort((a, b) => b.shared - a.shared || a.original - b.original || a.written - b.written);
  const partners = new Array<number | undefined>(originals.length).fill(undefined);
  const taken = new Set<number>();
  for (const { original, written: index } of candidates) {
    if (partners[original] !== undefined || taken.has(index)) continue;
    partners[original] = index;
    taken.add(index);
  }
  return partners;
}

/** Where in ascending numbers the first stands that is not under `from`. */
function firstFrom(ascending: readonly number[], from: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

function cellsInPlace(original: Grid, written: Grid): number {
  const rows = matchRows(original, written);
  const widths = [widthOf(original), widthOf(written)] as const;
  const columns = matchColumns(original, written, rows, widths);
  let inPlace = 0;
  original.forEach((row, index) => {
    const partner = rows[index];
    if (partner === undefined) return;
    const other = written[partner]!;
    const direct = row.filter((cell, column) => cell !== "" && other[columns[column] ?? -1] === cell).length;
    // A row that is shorter than its table has merged cells, or empty ones that nobody wrote down: only the sequence counts.
    const ragged = row.length < widths[0] || other.length < widths[1];
    inPlace += ragged ? Math.max(direct, longestCommon(filled(row), filled(other))) : direct;
  });
  return inPlace;
}

function widthOf(grid: Grid): number {
  return grid.reduce((width, row) => Math.max(width, row.length), 0);
}

function filled(row: readonly string[]): readonly string[] {
  return row.filter((cell) => cell !== "");
}

const SEPARATOR = "\u001f";

/** For each row the one that answers to it: equal rows first, by the pairing of words, then the most alike between them. */
function matchRows(original: Grid, written: Grid): (number | undefined)[] {
  const vocabulary = new Vocabulary();
  const list = (grid: Grid): WordList => {
    const rows = new WordList(vocabulary);
    for (const row of grid) {
      rows.ids.push(vocabulary.number(filled(row).join(SEPARATOR)));
      rows.joints.push(0);
      rows.segmentOf.push(0);
    }
    return rows;
  };
  const { left, right } = pairWords(wholeSide(list(original)), wholeSide(list(written)));
  const partners = Array.from(left, (partner) => (partner < 0 ? undefined : partner));
  for (let i = 0; i < partners.length; i++) {
    if (partners[i] !== undefined) continue;
    let end = i;
    while (end < partners.length && partners[end] === undefined) end++;
    const from = i === 0 ? 0 : partners[i - 1]! + 1;
    const to = end === partners.length ? written.length : partners[end]!;
    const free: number[] = [];
    for (let j = from; j < to; j++) if (right[j]! < 0) free.push(j);
    alignRows(original, written, [i, end], free, partners);
    i = end;
  }
  return partners;
}

/** Beyond this many pairs of rows, or of rows with the cells of the first, those that are left answer to each other by their order. */
const MOST = { rowPairs: 20_000, cells: 2_000_000 };

function alignRows(
  original: Grid,
  written: Grid,
  [from, to]: readonly [number, number],
  free: readonly number[],
  partners: (number | undefined)[],
): void {
  const rows = to - from;
  const pairs = rows * free.length;
  if (pairs > MOST.rowPairs || pairs * (original[from]?.length ?? 0) > MOST.cells) {
    for (let k = 0; k < Math.min(rows, free.length); k++) partners[from + k] = free[k];
    return;
  }
  const score = Array.from({ length: rows + 1 }, () => new Float64Array(free.length + 1));
  const alike = (i: number, k: number): number => sharedCells(original[from + i]!, written[free[k]!]!);
  for (let i = rows - 1; i >= 0; i--)
    for (let k = free.length - 1; k >= 0; k--)
      score[i]![k] = Math.max(score[i + 1]![k]!, score[i]![k + 1]!, score[i + 1]![k + 1]! + alike(i, k));
  for (let i = 0, k = 0; i < rows && k < free.length;) {
    const here = score[i]![k]!;
    if (here === score[i + 1]![k + 1]! + alike(i, k)) {
      partners[from + i] = free[k];
      i++;
      k++;
    } else if (here === score[i + 1]![k]!) i++;
    else k++;
  }
}

/** Cells in the same column count most, the same text elsewhere in the row a little. */
function sharedCells(row: readonly string[], other: readonly string[]): number {
  let shared = 0;
  const rest = new Set(other);
  row.forEach((cell, column) => {
    if (cell !== "" && rest.has(cell)) shared += other[column] === cell ? 1 : 0.5;
  });
  return shared;
}

/** The column of the written table in which most cells of each column stand. */
function matchColumns(
  original: Grid,
  written: Grid,
  rows: readonly (number | undefined)[],
  widths: readonly [number, number],
): number[] {
  const votes = Array.from({ length: widths[0] }, () => new Map<number, number>());
  original.forEach((row, index) => {
    const other = rows[index] === undefined ? undefined : written[rows[index]];
    if (other === undefined) return;
    const places = new Map<string, number[]>();
    other.forEach((text, at) => {
      const known = places.get(text);
      if (known === undefined) places.set(text, [at]);
      else known.push(at);
    });
    row.forEach((cell, column) => {
      const at = cell === "" ? undefined : places.get(cell);
      if (at === undefined) return;
      // Where a text stands twice in a row, the nearest column is meant.
      const next = firstFrom(at, column);
      const [before, behind] = [at[next - 1], at[next]];
      const best =
        before === undefined || (behind !== undefined && behind - column < column - before) ? behind! : before;
      votes[column]!.set(best, (votes[column]!.get(best) ?? 0) + 1);
    });
  });
  return votes.map((found, column) => {
    let chosen = column;
    let most = found.get(column) ?? 0;
    for (const [at, count] of found) if (count > most) [chosen, most] = [at, count];
    return chosen;
  });
}

/** Rows with more pairs of cells are only compared as far as they agree from both ends. */
const MOST_CELL_PAIRS = 1_000_000;

function longestCommon(one: readonly string[], other: readonly string[]): number {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start++;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  const a = one.slice(start, one.length - end);
  const b = other.slice(start, other.length - end);
  if (a.length * b.length > MOST_CELL_PAIRS) return start + end;
  return start + end + longestCommonInside(a, b);
}

function longestCommonInside(a: readonly string[], b: readonly string[]): number {
  let previous = new Uint32Array(b.length + 1);
  for (const cell of a) {
    const current = new Uint32Array(b.length + 1);
    b.forEach((other, j) => {
      current[j + 1] = cell === other ? previous[j]! + 1 : Math.max(previous[j + 1]!, current[j]!);
    });
    previous = current;
  }
  return previous[b.length]!;
}
