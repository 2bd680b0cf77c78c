/**
 * Tables without a drawn grid: columns are what stands under one another with a white channel between. Prose in two
 * columns, lists, contents and listings of code look alike in this, so each is told apart; where it is doubtful there is
 * no table, because the words of a false one are torn from their sentences.
 */
import type { Line } from "./lines.js";
import type { FoundCell, PageContents, TextItem } from "./page.js";
import { byLines, isCell, pieceRows, type PieceRow, type TableRegion } from "./table-rows.js";
import { zonesOf } from "./zones.js";

/** A column: the interval that its pieces cover. */
interface Column {
  left: number;
  right: number;
}

/** Rows that follow one another with their pieces in common columns. */
interface Block {
  readonly rows: PieceRow[];
  columns: Column[];
}

/** Distance of two baselines, in sizes of the font, beyond which a table does not go on. */
const LARGEST_STEP = 3.2;
/** Two rows are one table only with this many columns: two lines of two words each are an address. */
const COLUMNS_OF_TWO_ROWS = 4;

/** Share of a table's cells that hold something. Sparse ones have half; words that lost most of their letters less. */
const LEAST_FILLED = 0.4;
const LEAST_FILLED_BETWEEN_LINES = 0.3;
/** Words of a line across several columns that is no heading of them. */
const SENTENCE = 8;
/** A few pieces stand under one another by chance, in diagrams and formulas: small tables must be full. */
const SMALL = 16;
const SMALL_FILLED = 0.75;

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

function meets(piece: Line, { left, right }: Column): boolean {
  return piece.left < right - 0.5 && piece.right > left + 0.5;
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

function isTable({ rows, columns }: Block, pageHeight: number): boolean {
  const full = rows.filter(({ pieces }) => pieces.length >= 2);
  if (columns.length < 2 || full.length < 2) return false;
  if (full.length === 2 && columns.length < COLUMNS_OF_TWO_ROWS) return false;
  if (!isEven(rows) || (rows.length <= 4 && isInMargin(rows, pageHeight))) return false;
  if (!hasCells({ rows, columns }, rows.length * columns.length <= SMALL ? SMALL_FILLED : LEAST_FILLED)) return false;
  const inColumns = piecesIn({ rows, columns });
  const aligned = inColumns.filter((each) => isAligned(each)).length;
  if (aligned < Math.ceil(0.75 * columns.length)) return false;
  const height = rows.at(-1)!.bottom - rows[0]!.top;
  return !(height > 0.5 * pageHeight && columns.length <= 3 && !inColumns.some(isNumeric));
}

function piecesIn({ rows, columns }: Block): Line[][] {
  const pieces = rows.flatMap((row) => row.pieces);
  return columns.map((column) => pieces.filter((piece) => meets(piece, column)));
}

/** Whether what stands in the columns are cells: no listing of code, list, contents, formula or sentences. */
function hasCells({ rows, columns }: Block, leastFilled: number): boolean {
  const pieces = rows.flatMap((row) => row.pieces);
  if (pieces.every(({ monospaced }) => monospaced)) return false;
  if (pieces.length < leastFilled * rows.length * columns.length) return false;
  if (pieces.filter(({ text }) => isCell(text)).length < 0.6 * pieces.length) return false;
  const inColumns = piecesIn({ rows, columns });
  if (isList(inColumns) || isContents(rows, inColumns)) return false;
  // Text beside a table of its own; where a table holds sentences, they explain what stands before them.
  if (isProse(inColumns[0]!, columns[0]!)) return false;
  const prose = inColumns.filter((each, index) => isProse(each, columns[index]!)).length;
  return prose < Math.max(1, columns.length / 2) || isWrapped(rows, columns[0]!);
}

/** Sentences with a term before each: lines follow one another closely, and wherever they do not a term begins a row. */
function isWrapped(rows: readonly PieceRow[], first: Column): boolean {
  const [tight, loose] = twoSteps(stepsOf(rows));
  return (
    loose > 0 &&
    rows.slice(1).every((row, index) => {
      const begins = row.pieces.some((piece) => meets(piece, first));
      return begins === row.baseline - rows[index]!.baseline > 1.15 * tight;
    })
  );
}

function stepsOf(rows: readonly PieceRow[]): number[] {
  return rows.slice(1).map((row, index) => row.baseline - rows[index]!.baseline);
}

/** Rows follow one another at like distances: not labels here and there. */
function isEven(rows: readonly PieceRow[]): boolean {
  const steps = stepsOf(rows);
  const usual = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)]!;
  const odd = steps.filter((step) => step < 0.45 * usual || step > 2.5 * usual).length;
  return odd <= 0.2 * steps.length;
}

/** Running heads and letterheads have their parts left and right. */
function isInMargin(rows: readonly PieceRow[], pageHeight: number): boolean {
  return rows.at(-1)!.bottom < 0.13 * pageHeight || rows[0]!.top > 0.9 * pageHeight;
}

/** Markers of a list, and what they mark. */
function isList(columns: readonly (readonly Line[])[]): boolean {
  const first = columns[0]!;
  const marks = first.filter(({ text }) =>
    /^(?:[\p{P}\p{S}o\uf000-\uf0ff]{1,2}|[([]?[\p{L}\d]{1,4}[.)\]])$/u.test(text),
  );
  return columns.length <= 3 && marks.length >= 0.6 * first.length;
}

/** Contents and indexes: leaders of dots, or titles with page numbers that do not fall. */
function isContents(rows: readonly PieceRow[], columns: readonly (readonly Line[])[]): boolean {
  const leaders = rows.filter(({ pieces }) => pieces.some(({ text }) => /(?:\.\s?){4,}|(?:…\s?){2,}/.test(text)));
  if (leaders.length >= 0.4 * rows.length) return true;
  const numbers = columns.at(-1)!.map(({ text }) => text);
  if (columns.length > 3 || numbers.length < 4 || !numbers.every((text) => /^(?:\d{1,4}|[ivxlc]{1,7})$/i.test(text)))
    return false;
  const values = numbers.filter((text) => /^\d/.test(text)).map(Number);
  return values.every((value, index) => index === 0 || value >= values[index - 1]!);
}

/** Sentences that go on from line to line: lines that fill their column, or begin in the middle of one. */
function isProse(pieces: readonly Line[], { left, right }: Column): boolean {
  const words = pieces.map(({ items }) => items.length).sort((a, b) => a - b);
  const middle = words[Math.floor(words.length / 2)]!;
  const going = pieces.slice(1).filter(({ text }) => /^\p{Ll}/u.test(text)).length;
  if (middle >= 2 && pieces.length >= 3 && going >= 0.5 * (pieces.length - 1)) return true;
  const filled = pieces.filter((piece) => piece.right - piece.left > 0.85 * (right - left)).length;
  return middle >= 4 && filled >= 0.4 * pieces.length;
}

/** Left edges, right edges or middles that stand under one another. */
function isAligned(pieces: readonly Line[]): boolean {
  if (pieces.length < 2) return true;
  const tolerance = 0.3 * pieces[0]!.size;
  return [
    (piece: Line) => piece.left,
    (piece: Line) => piece.right,
    (piece: Line) => (piece.left + piece.right) / 2,
  ].some((edge) => {
    const places = pieces.map(edge).sort((a, b) => a - b);
    const middle = places[Math.floor(places.length / 2)]!;
    return places.filter((place) => Math.abs(place - middle) <= tolerance).length >= 0.6 * places.length;
  });
}

function isNumeric(pieces: readonly Line[]): boolean {
  return (
    pieces.filter(({ text }) => /^[-+−(]?[\p{Sc}]?\s?\d[\d.,' ]*\s?[%)\p{L}]{0,3}$/u.test(text)).length >
    0.5 * pieces.length
  );
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

/** The distance of lines inside a row and that of rows, where they are clearly two; otherwise both 0. */
function twoSteps(steps: readonly number[]): [number, number] {
  const sorted = steps.toSorted((a, b) => a - b);
  let best = 0;
  let widest = 0;
  for (let index = 1; index < sorted.length; index += 1) {
    const jump = sorted[index]! / sorted[index - 1]!;
    if (jump > widest) [best, widest] = [index, jump];
  }
  // One wide step is a gap in the table; rows that wrap part at many.
  if (widest < 1.25 || sorted.length - best < Math.max(2, 0.2 * sorted.length)) return [0, 0];
  return [sorted[best - 1]!, sorted[best]!];
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
