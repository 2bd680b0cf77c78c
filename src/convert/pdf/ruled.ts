/** Tables whose cells are drawn: a grid of lines, in which a missing piece of line makes one cell of two. */
import type { FoundCell, PageContents, Rule, TextItem } from "./page.js";
import { byLines, isCell, pieceRows, rowsByBaseline, type TableRegion } from "./table-rows.js";

/** Lines that stand this close, in points, are one: the two edges of a stroked box, double lines. */
const SAME_LINE = 3;
/** Pieces of a line part by no more than this where they are one. */
const BRIDGED = 4;
/** A line meets another one that ends this close to it. */
const MEETS = 3.5;
/** Share of a cell's side that must be drawn for it to part two cells. */
const DRAWN = 0.6;
/** A page with more lines than this is a drawing or a map. */
const MOST_LINES = 1_500;
/** Words that stand across the lines of a grid, as a share of those in it, above which the lines belong to a drawing. */
const MOST_ACROSS = 0.12;

/** Share of the cells that hold something. Labels of a drawing stand in few of the fields that its lines make. */
const LEAST_FILLED = 0.25;
const SMALL = 16;
const SMALL_FILLED = 0.55;

/** A line, horizontal or vertical: `at` is its own place, `from` and `to` are its ends. */
export interface DrawnLine {
  at: number;
  from: number;
  to: number;
}

interface Grid {
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  readonly horizontals: readonly DrawnLine[];
  readonly verticals: readonly DrawnLine[];
}

/** The tables of a page that are drawn as a grid. `items` are the words to look at. */
export function ruledTables(page: PageContents, items: readonly TextItem[]): TableRegion[] {
  const lines = [...page.rules, ...edgesOf(page)];
  const horizontals = mergedLines(lines, "horizontal");
  const verticals = mergedLines(lines, "vertical");
  if (horizontals.length + verticals.length > MOST_LINES) return [];
  return gridsOf(horizontals, verticals).flatMap((grid) => tableOf(grid, items) ?? []);
}

/**
 * Upper and lower edges of shaded areas: a row of headings is often parted from the rows below by its shade alone. Their
 * sides say nothing, the boxes of diagrams have them too.
 */
function edgesOf({ fills }: PageContents): Rule[] {
  return fills.slice(0, MOST_LINES).flatMap(({ left, top, right, bottom }) => [
    { x1: left, y1: top, x2: right, y2: top, thickness: 0 },
    { x1: left, y1: bottom, x2: right, y2: bottom, thickness: 0 },
  ]);
}

/** The lines of one direction, pieces of one line put together, sorted by place. */
export function mergedLines(rules: readonly Rule[], direction: "horizontal" | "vertical"): DrawnLine[] {
  const lines = rules
    .filter(({ x1, y1, x2, y2 }) => x2 - x1 >= y2 - y1 === (direction === "horizontal"))
    .map(({ x1, y1, x2, y2 }) =>
      direction === "horizontal" ? { at: (y1 + y2) / 2, from: x1, to: x2 } : { at: (x1 + x2) / 2, from: y1, to: y2 },
    )
    .sort((a, b) => a.at - b.at || a.from - b.from);
  const merged: DrawnLine[] = [];
  for (let start = 0; start < lines.length;) {
    let end = start + 1;
    while (end < lines.length && lines[end]!.at - lines[start]!.at <= SAME_LINE) end += 1;
    const same = lines.slice(start, end).sort((a, b) => a.from - b.from);
    let open: DrawnLine | undefined;
    for (const line of same) {
      if (open !== undefined && line.from <= open.to + BRIDGED) open.to = Math.max(open.to, line.to);
      else merged.push((open = { ...line }));
    }
    start = end;
  }
  return merged;
}

/** Lines that meet, put together to grids with at least one inner line. */
function gridsOf(horizontals: readonly DrawnLine[], verticals: readonly DrawnLine[]): Grid[] {
  const parent = new Int32Array(horizontals.length + verticals.length).map((_, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    while (parent[root] !== root) root = parent[root] = parent[parent[root]!]!;
    return root;
  };
  for (const [row, horizontal] of horizontals.entries()) {
    for (const [column, vertical] of verticals.entries()) {
      if (meets(vertical.at, horizontal) && meets(horizontal.at, vertical))
        parent[rootOf(row)] = rootOf(horizontals.length + column);
    }
  }
  const groups = new Map<number, { horizontals: DrawnLine[]; verticals: DrawnLine[] }>();
  const groupOf = (index: number): { horizontals: DrawnLine[]; verticals: DrawnLine[] } => {
    const root = rootOf(index);
    const group = groups.get(root) ?? { horizontals: [], verticals: [] };
    groups.set(root, group);
    return group;
  };
  for (const [row, line] of horizontals.entries()) groupOf(row).horizontals.push(line);
  for (const [column, line] of verticals.entries()) groupOf(horizontals.length + column).verticals.push(line);
  return [...groups.values()]
    .filter((group) => group.horizontals.length > 0 && group.verticals.length > 0)
    .map((group) => ({
      ...group,
      // Tables that are open at their sides end where their lines of the other direction do.
      xs: boundaries(group.verticals, group.horizontals),
      ys: boundaries(group.horizontals, group.verticals),
    }))
    .filter(({ xs, ys }) => xs.length >= 3 && ys.length >= 3);
}

function meets(at: number, line: DrawnLine): boolean {
  return at >= line.from - MEETS && at <= line.to + MEETS;
}

function boundaries(lines: readonly DrawnLine[], across: readonly DrawnLine[]): number[] {
  const places = [...lines.map(({ at }) => at)];
  places.push(Math.min(...across.map(({ from }) => from)), Math.max(...across.map(({ to }) => to)));
  places.sort((a, b) => a - b);
  const kept: number[] = [];
  for (const place of places) if (kept.length === 0 || place - kept.at(-1)! > SAME_LINE + 2) kept.push(place);
  return kept;
}

function tableOf(grid: Grid, items: readonly TextItem[]): TableRegion | undefined {
  const { xs, ys } = grid;
  const columns = xs.length - 1;
  const rows = ys.length - 1;
  if (columns * rows > 20_000) return undefined;
  const inside = new Map<number, TextItem[]>();
  const taken: TextItem[] = [];
  let across = 0;
  const words = items.filter((item) => slot(ys, middleOf(item)) >= 0 && slot(xs, item.x + item.width / 2) >= 0);
  const starts = startsOfWords(words);
  for (const item of words) {
    // A word in several styles that runs over its cell's border stays in the cell where it begins.
    const start = starts.get(item) ?? item;
    const column = slot(xs, start.x + start.width / 2);
    const row = slot(ys, middleOf(start));
    taken.push(item);
    if (crosses(item, row, column, grid)) across += 1;
    const key = row * columns + column;
    const there = inside.get(key);
    if (there === undefined) inside.set(key, [item]);
    else there.push(item);
  }
  if (taken.length === 0 || across > MOST_ACROSS * taken.length) return undefined;
  const cells = mergedCells(grid).map((cell) => ({ ...cell, items: [] as TextItem[] }));
  const cellAt = new Int32Array(rows * columns);
  for (const [index, { row, column, rowspan, colspan }] of cells.entries()) {
    for (let r = row; r < row + rowspan; r += 1)
      cellAt.fill(index, r * columns + column, r * columns + column + colspan);
  }
  for (const [key, there] of inside) cells[cellAt[key]!]!.items.push(...there);
  if (!isTable(cells, taken.length)) return undefined;
  return {
    left: xs[0]!,
    right: xs.at(-1)!,
    top: ys[0]!,
    bottom: ys.at(-1)!,
    items: taken,
    rows: withoutEmpty(cells, rows, columns).flatMap(splitAlignedRow),
  };
}

function middleOf({ y, height }: TextItem): number {
  return y + height / 2;
}

/** For the further parts of words that are in several parts, the first one. */
function startsOfWords(items: readonly TextItem[]): Map<TextItem, TextItem> {
  const starts = new Map<TextItem, TextItem>();
  const sorted = items.toSorted((a, b) => a.order - b.order || a.x - b.x);
  for (const [index, item] of sorted.entries()) {
    const before = sorted[index - 1];
    if (before === undefined || item.blankBefore || Math.abs(item.baseline - before.baseline) > 0.1 * item.fontSize)
      continue;
    if (Math.abs(item.x - before.x - before.width) < 0.08 * item.fontSize)
      starts.set(item, starts.get(before) ?? before);
  }
  return starts;
}

/** The interval of `edges` that holds `place`, or -1. */
function slot(edges: readonly number[], place: number): number {
  if (place < edges[0]! || place > edges.at(-1)!) return -1;
  let index = 0;
  while (index < edges.length - 2 && place > edges[index + 1]!) index += 1;
  return index;
}

function crosses(item: TextItem, row: number, column: number, { xs, ys, verticals }: Grid): boolean {
  const middle = (ys[row]! + ys[row + 1]!) / 2;
  const margin = 0.3 * item.fontSize;
  return [xs[column]!, xs[column + 1]!].some(
    (x) =>
      item.x < x - margin &&
      item.x + item.width > x + margin &&
      verticals.some((line) => Math.abs(line.at - x) <= SAME_LINE + 2 && middle > line.from && middle < line.to),
  );
}

interface Place {
  readonly row: number;
  readonly column: number;
  readonly rowspan: number;
  readonly colspan: number;
}

/** The cells of a grid; neighbours without a line between them are one, as far as that gives a rectangle. */
function mergedCells({ xs, ys, horizontals, verticals }: Grid): Place[] {
  const columns = xs.length - 1;
  const rows = ys.length - 1;
  const closedRight = (row: number, column: number): boolean =>
    column === columns - 1 || drawn(verticals, xs[column + 1]!, ys[row]!, ys[row + 1]!);
  const closedBelow = (row: number, column: number): boolean =>
    row === rows - 1 || drawn(horizontals, ys[row + 1]!, xs[column]!, xs[column + 1]!);
  const done = new Uint8Array(rows * columns);
  const places: Place[] = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      if (done[row * columns + column] === 1) continue;
      let colspan = 1;
      while (!closedRight(row, column + colspan - 1) && done[row * columns + column + colspan] === 0) colspan += 1;
      let rowspan = 1;
      const opensBelow = (): boolean => {
        const last = row + rowspan - 1;
        for (let c = column; c < column + colspan; c += 1) if (closedBelow(last, c)) return false;
        for (let c = column; c < column + colspan - 1; c += 1) if (closedRight(last + 1, c)) return false;
        return true;
      };
      while (opensBelow()) rowspan += 1;
      for (let r = row; r < row + rowspan; r += 1) done.fill(1, r * columns + column, r * columns + column + colspan);
      places.push({ row, column, rowspan, colspan });
    }
  }
  return places;
}

function drawn(lines: readonly DrawnLine[], at: number, from: number, to: number): boolean {
  let covered = 0;
  for (const line of lines) {
    if (Math.abs(line.at - at) > SAME_LINE + 2) continue;
    covered += Math.max(0, Math.min(to, line.to) - Math.max(from, line.from));
  }
  return covered >= DRAWN * (to - from);
}

type FilledPlace = Place & { readonly items: readonly TextItem[] };

/** Frames around text, panels and diagrams are made of lines too: a table has cells beside and above one another. */
function isTable(cells: readonly FilledPlace[], words: number): boolean {
  const filled = cells.filter(({ items }) => items.length > 0);
  if (filled.length < 3) return false;
  const rows = new Set(filled.map(({ row }) => row));
  const columns = new Set(filled.map(({ column }) => column));
  if (rows.size < 2 || columns.size < 2) return false;
  if (filled.length < (cells.length <= SMALL ? SMALL_FILLED : LEAST_FILLED) * cells.length) return false;
  if (filled.filter(({ items }) => isCell(items.map(({ text }) => text).join(" "))).length < 0.7 * filled.length)
    return false;
  const largest = Math.max(...filled.map(({ items }) => items.length));
  if (largest >= 40 && largest >= 0.6 * words) return false;
  // Where cells hold columns of their own, only some of the table's lines are drawn: its columns show by their alignment.
  const parted = filled.filter(({ items }) => isParted(items));
  return parted.length < Math.max(2, 0.15 * filled.length) && !filled.some(({ items }) => isParted(items, 3));
}

/** Whether at least `lines` lines of a cell consist of pieces with wide gaps between. */
function isParted(items: readonly TextItem[], lines = 1): boolean {
  let parted = 0;
  for (const { pieces } of pieceRows(items)) {
    const gap = pieces.some((piece, index) => index > 0 && piece.left - pieces[index - 1]!.right > 1.5 * piece.size);
    // A mark before the text is a list in the cell.
    if (gap && pieces.some(({ text }, index) => index < pieces.length - 1 && /[\p{L}\p{N}]/u.test(text))) parted += 1;
  }
  return parted >= lines;
}

/** The rows of cells, without rows and columns in which nothing stands: the space between double lines, margins. */
function withoutEmpty(cells: readonly FilledPlace[], rows: number, columns: number): FoundCell[][] {
  const filledRows = new Uint8Array(rows);
  const filledColumns = new Uint8Array(columns);
  for (const { row, column, items } of cells) {
    if (items.length === 0) continue;
    filledRows[row] = 1;
    filledColumns[column] = 1;
  }
  const count = (filled: Uint8Array, from: number, length: number): number =>
    filled.subarray(from, from + length).reduce((sum, each) => sum + each, 0);
  const found: FoundCell[][] = Array.from({ length: rows }, () => []);
  for (const { row, column, rowspan, colspan, items } of cells) {
    const keptRows = count(filledRows, row, rowspan);
    const keptColumns = count(filledColumns, column, colspan);
    if (keptRows === 0 || keptColumns === 0) continue;
    // A merged cell whose first row is dropped begins in the first one that is kept.
    const first = filledRows.indexOf(1, row);
    found[first]!.push({ items: byLines(items), rowspan: keptRows, colspan: keptColumns });
  }
  return found.filter((_, row) => filledRows[row] === 1);
}

/** A drawn row that holds several lines which answer to one another in most columns is as many rows. */
export function splitAlignedRow(cells: readonly FoundCell[]): FoundCell[][] {
  if (cells.length < 2 || cells.some(({ rowspan, colspan }) => rowspan > 1 || colspan > 1)) return [[...cells]];
  const lines = cells.map(({ items }) => rowsByBaseline(items));
  const most = Math.max(...lines.map((each) => each.length));
  if (most < 3 || lines[0]!.length < 0.9 * most) return [[...cells]];
  const full = lines.filter((each) => each.length >= 0.7 * most).length;
  if (full < Math.max(2, 0.6 * cells.length)) return [[...cells]];
  const rows = rowsByBaseline(cells.flatMap(({ items }) => items));
  const answered = rows.filter(
    (row) => cells.filter(({ items }) => items.some((item) => row.includes(item))).length >= 2,
  );
  if (answered.length < 0.9 * rows.length) return [[...cells]];
  return rows.map((row) =>
    cells.map(({ items }) => ({ items: byLines(items.filter((item) => row.includes(item))), rowspan: 1, colspan: 1 })),
  );
}
