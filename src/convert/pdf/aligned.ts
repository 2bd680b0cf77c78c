/** Tables without a drawn grid: columns are what stands under one another with a white channel between. */
import type { Line } from "./lines.js";
import type { FoundCell, PageContents, TextItem } from "./page.js";
import {
  byLines,
  meets,
  pieceRows,
  stepsOf,
  twoSteps,
  type Block,
  type Column,
  type PieceRow,
  type TableRegion,
} from "./table-rows.js";
import { hasCells, isEven, isTable } from "./table-signs.js";
import { zonesOf } from "./zones.js";

/** Distance of two baselines, in sizes of the font, beyond which a table does not go on. */
const LARGEST_STEP = 3.2;
/** Share of the cells of a table between lines that hold something. */
const LEAST_FILLED_BETWEEN_LINES = 0.3;
/** Words of a line across several columns that is no heading of them. */
const SENTENCE = 8;

/** The tables among words whose columns are kept apart by nothing but space. */
export function alignedTables({ height }: PageContents, items: readonly TextItem[]): TableRegion[] {
  const upright = items.filter(({ rotation, vertical }) => rotation === 0 && !vertical);
  const rows = pieceRows(upright);
  // Most pages are text in one column.
  if (rows.filter(({ pieces }) => pieces.length >= 2).length < 2) return [];
  return zonesOf(rows).flatMap((zone) => tablesOf(zone, height));
}

function tablesOf(rows: readonly PieceRow[], pageHeight: number): TableRegion[] {
  const tables: TableRegion[] = [];
  let used = 0;
  for (const block of blocksOf(rows).map(trimmed)) {
    if (!isTable(block, pageHeight)) continue;
    const start = rows.indexOf(block.rows[0]!);
    const heads = headsAbove(block, rows.slice(used, start));
    tables.push(regionOf(block, heads));
    used = start + block.rows.length;
  }
  return tables;
}

/**
 * The table that `rows`, which stand between two horizontal lines, are; undefined where they are text. `inner` are the
 * heights of further lines between them.
 */
export function columnTable(rows: readonly PieceRow[], inner: readonly number[]): TableRegion | undefined {
  const block: Block = { rows: [], columns: [] };
  const fullest = rows.reduce((a, b) => (b.pieces.length > a.pieces.length ? b : a), rows[0]!);
  const spanning = new Set<PieceRow>();
  for (const row of [fullest, ...rows.filter((each) => each !== fullest)]) {
    const columns = withRow(block, row);
    if (columns === undefined) spanning.add(row);
    else {
      block.rows.push(row);
      block.columns = columns;
    }
  }
  const body = rows.filter((row) => !spanning.has(row));
  const { columns } = block;
  if (columns.length < 2 || rows.length < 2 || spanning.size > Math.max(2, 0.3 * rows.length)) return undefined;
  if ([...spanning].some(({ pieces }) => pieces.some(({ items }) => items.length >= SENTENCE))) return undefined;
  const full = body.filter(({ pieces }) => pieces.length >= 2).length;
  if (full < Math.max(2, 0.5 * rows.length) || !isEven(rows)) return undefined;
  if (!hasCells({ rows: body, columns }, LEAST_FILLED_BETWEEN_LINES)) return undefined;
  const strips = [...inner, Infinity].map((end, index) =>
    rows.filter(({ baseline }) => baseline < end && baseline >= (inner[index - 1] ?? -Infinity)),
  );
  const ruled =
    strips.length >= 4 && strips.filter((strip) => firstColumnLines(strip, columns) <= 1).length >= 0.7 * strips.length;
  const found = strips.flatMap((strip, index) => {
    const heads = index === 0 && strips.length > 1 && !strip.some((row) => spanning.has(row));
    return stripRows(strip, columns, spanning, ruled || heads);
  });
  return tableOf(rows, found);
}

/** Lines of a strip with something in the first column. */
function firstColumnLines(strip: readonly PieceRow[], columns: readonly Column[]): number {
  return strip.filter(({ pieces }) => pieces.some((piece) => meets(piece, columns[0]!))).length;
}

/** The rows of what stands between two lines: one, where each row has its lines, or what the distances of lines say. */
function stripRows(
  strip: readonly PieceRow[],
  columns: readonly Column[],
  spanning: ReadonlySet<PieceRow>,
  single: boolean,
): FoundCell[][] {
  const found: FoundCell[][] = [];
  for (let start = 0; start < strip.length;) {
    if (spanning.has(strip[start]!)) {
      found.push(headRow(strip[start]!, columns));
      start += 1;
      continue;
    }
    let end = start;
    while (end < strip.length && !spanning.has(strip[end]!)) end += 1;
    const rows = strip.slice(start, end);
    const cells = rows.map((row) => cellsOf(row, columns));
    const joined = single
      ? [columns.map((_, index) => cells.flatMap((row) => row[index]!))]
      : joinedRows(rows, cells, columns);
    found.push(...joined.map(plainRow));
    start = end;
  }
  return found;
}

function blocksOf(rows: readonly PieceRow[]): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const row of rows) {
    const columns = open !== undefined && follows(open, row) ? withRow(open, row) : undefined;
    if (open !== undefined && columns !== undefined) {
      open.rows.push(row);
      open.columns = columns;
    } else {
      if (open !== undefined) blocks.push(open);
      open =
        row.pieces.length < 2
          ? undefined
          : { rows: [row], columns: row.pieces.map(({ left, right }) => ({ left, right })) };
    }
  }
  if (open !== undefined) blocks.push(open);
  return blocks;
}

/** Rows right above a table whose pieces each stand over one column or several: headings of groups of columns. */
function headsAbove({ rows, columns }: Block, above: readonly PieceRow[]): PieceRow[] {
  const heads: PieceRow[] = [];
  for (const row of above.toReversed()) {
    const below = heads[0] ?? rows[0]!;
    if (row.pieces.length < 2 || row.size > 1.12 * below.size || below.baseline - row.baseline > 2.2 * below.size)
      break;
    const spans = row.pieces.map((piece) => spanOf(piece, columns));
    if (
      spans.some(
        (span, index) =>
          span.count === 0 || (index > 0 && span.first < spans[index - 1]!.first + spans[index - 1]!.count),
      )
    )
      break;
    heads.unshift(row);
  }
  return heads;
}

/** The columns over which a piece stands. */
function spanOf(piece: Line, columns: readonly Column[]): { first: number; count: number } {
  const over = columns.flatMap(({ left, right }, index) =>
    piece.left < right - 0.5 && piece.right > left + 0.5 ? [index] : [],
  );
  return { first: over[0] ?? 0, count: over.length };
}

function follows({ rows }: Block, row: PieceRow): boolean {
  const last = rows.at(-1)!;
  const step = row.baseline - last.baseline;
  const size = Math.max(row.size, last.size);
  if (row.pieces.length === 1 && row.size > 1.12 * last.size) return false;
  const steps = stepsOf(rows);
  const usual = steps.length < 2 ? 0 : steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)]!;
  return step < LARGEST_STEP * size && (usual === 0 || step < Math.max(2.2 * size, 1.8 * usual));
}

/**
 * The columns with the pieces of one more row, or undefined where a piece stands across two columns or two pieces in one,
 * or where a piece stands alone between the columns: it is the heading of what follows.
 */
function withRow({ rows, columns }: Block, row: PieceRow): Column[] | undefined {
  let next = columns.map((column) => ({ ...column }));
  for (const piece of row.pieces) {
    const { first, count } = spanOf(piece, next);
    if (count <= 1) continue;
    // Numbers to the right of a column that is wider elsewhere looked like a column of their own.
    const over = next.slice(first, first + count);
    if (rows.some(({ pieces }) => over.filter((column) => pieces.some((each) => meets(each, column))).length > 1))
      return undefined;
    const merged = { left: over[0]!.left, right: over.at(-1)!.right };
    next = [...next.slice(0, first), merged, ...next.slice(first + count)];
  }
  const fresh: Column[] = [];
  const met = new Set<Column>();
  for (const piece of row.pieces) {
    const column = next.find((each) => meets(piece, each));
    if (column === undefined && row.pieces.length === 1) return undefined;
    if (column === undefined) {
      fresh.push({ left: piece.left, right: piece.right });
      continue;
    }
    if (met.has(column)) return undefined;
    met.add(column);
    column.left = Math.min(column.left, piece.left);
    column.right = Math.max(column.right, piece.right);
  }
  const all = [...next, ...fresh].sort((a, b) => a.left - b.left);
  // The white channel must stay open: half a blank is not one.
  const open = all.every((column, index) => index === 0 || column.left - all[index - 1]!.right > 0.25 * row.size);
  return open ? all : undefined;
}

/** Without the lines before and after that have one piece only: headings and paragraphs. */
function trimmed({ rows }: Block): Block {
  const kept = [...rows];
  while (kept.length > 0 && kept.at(-1)!.pieces.length < 2) kept.pop();
  const block: Block = { rows: [], columns: [] };
  for (const row of kept) {
    block.columns = withRow(block, row) ?? block.columns;
    block.rows.push(row);
  }
  return block;
}

function regionOf({ rows, columns }: Block, heads: readonly PieceRow[]): TableRegion {
  const cells = rows.map((row) => cellsOf(row, columns));
  return tableOf(
    [...heads, ...rows],
    [...heads.map((row) => headRow(row, columns)), ...joinedRows(rows, cells, columns).map(plainRow)],
  );
}

function tableOf(all: readonly PieceRow[], rows: readonly (readonly FoundCell[])[]): TableRegion {
  return {
    left: Math.min(...all.flatMap(({ pieces }) => pieces.map(({ left }) => left))),
    right: Math.max(...all.flatMap(({ pieces }) => pieces.map(({ right }) => right))),
    top: all[0]!.top,
    bottom: all.at(-1)!.bottom,
    items: all.flatMap(({ pieces }) => pieces.flatMap((piece) => piece.items)),
    rows,
  };
}

/** The words of a row by column. */
function cellsOf(row: PieceRow, columns: readonly Column[]): TextItem[][] {
  const cells: TextItem[][] = columns.map(() => []);
  for (const piece of row.pieces) cells[spanOf(piece, columns).first]!.push(...piece.items);
  return cells;
}

function plainRow(cells: readonly (readonly TextItem[])[]): FoundCell[] {
  return cells.map((items) => ({ items: byLines(items), colspan: 1, rowspan: 1 }));
}

/** A row of headings, each as wide as the columns below it. */
function headRow(row: PieceRow, columns: readonly Column[]): FoundCell[] {
  const cells: FoundCell[] = [];
  let next = 0;
  for (const piece of row.pieces) {
    const { first, count } = spanOf(piece, columns);
    const last = cells.at(-1);
    if (last !== undefined && (next >= columns.length || (count > 0 && first + count <= next))) {
      cells[cells.length - 1] = { ...last, items: [...last.items, ...piece.items] };
      continue;
    }
    for (; count > 0 && next < first; next += 1) cells.push(EMPTY);
    const colspan = Math.max(1, count > 0 ? first + count - next : 1);
    cells.push({ items: [...piece.items], colspan, rowspan: 1 });
    next += colspan;
  }
  for (; next < columns.length; next += 1) cells.push(EMPTY);
  return cells;
}

const EMPTY: FoundCell = { items: [], colspan: 1, rowspan: 1 };

/** Lines that go on in the cells of the line above, put into its row. */
function joinedRows(
  rows: readonly PieceRow[],
  cells: readonly TextItem[][][],
  columns: readonly Column[],
): TextItem[][][] {
  const steps = stepsOf(rows);
  const [tight, loose] = twoSteps(steps);
  const joined: TextItem[][][] = [];
  for (const [index, row] of cells.entries()) {
    const above = joined.at(-1);
    const step = index === 0 ? Infinity : steps[index - 1]!;
    const goesOn =
      above !== undefined &&
      (loose > 0 ? step <= tight * 1.15 : row[0]!.length === 0 && goesOnBelow(cells[index - 1]!, row, columns));
    if (goesOn) for (const [column, cell] of row.entries()) above[column]!.push(...cell);
    else joined.push(row.map((cell) => [...cell]));
  }
  return joined;
}

/** Whether each cell of a line goes on with what the cell above it says. */
function goesOnBelow(above: readonly TextItem[][], row: readonly TextItem[][], columns: readonly Column[]): boolean {
  return row.every((cell, index) => {
    if (cell.length === 0) return true;
    const before = above[index]!;
    if (before.length < 2) return false;
    const first = cell[0]!;
    const end = Math.max(...before.map(({ x, width }) => x + width));
    return end + first.width + 0.3 * first.fontSize > columns[index]!.right;
  });
}
