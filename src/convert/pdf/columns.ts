/**
 * Reading order: where a page has columns, one is read to its end before the next. What stands across them parts them into
 * bands, each read on its own. The order in which the file draws the text decides between columns and rows of short cells,
 * which look alike: a typesetter draws a column from top to bottom, a form row by row.
 */
import { mergeLines, type Line } from "./lines.js";
import type { Box } from "./page.js";

/** Something that has its place on a page: a line or part of one, a table, a picture. */
export interface Piece extends Box {
  readonly order: number;
  readonly line?: Line;
}

const MOST_COLUMNS = 8;
/** A page with more pieces is a drawing or a trick; it is read from top to bottom. */
const MOST_PIECES = 4_000;
/** Fewer lines beside one another are no columns. */
const LEAST_LINES = 3;
/** Sides whose lines have fewer letters on average are bullets, numbers or labels of what stands beside them. */
const LEAST_LETTERS = 5;
/** Lines at least so long, in multiples of their size, are running text even where the file draws row by row. */
const TEXT_WIDTH = 14;

/** The pieces in runs, each of which is read from top to bottom; the runs in reading order. `rightFirst` for right-to-left pages. */
export function flowsOf<P extends Piece>(pieces: readonly P[], rightFirst: boolean): P[][] {
  return order([...pieces], rightFirst, MOST_COLUMNS).filter((flow) => flow.length > 0);
}

function order<P extends Piece>(pieces: P[], rightFirst: boolean, depth: number): P[][] {
  const sorted = pieces.sort((a, b) => a.top - b.top || a.left - b.left);
  if (depth === 0 || pieces.length < 2 * LEAST_LINES || pieces.length > MOST_PIECES) return [sorted];
  const gutter = bestGutter(sorted);
  if (gutter === undefined) return [sorted];
  const flows: P[][] = [];
  let across: P[] = [];
  for (const band of bandsAt(sorted, gutter)) {
    if (!isColumns(band)) {
      across.push(...band.across, ...band.left, ...band.right);
      continue;
    }
    const [first, second] = rightFirst ? [band.right, band.left] : [band.left, band.right];
    flows.push(...order([...across, ...band.across], rightFirst, depth - 1));
    across = [];
    flows.push(...order(first, rightFirst, depth - 1), ...order(second, rightFirst, depth - 1));
  }
  flows.push(across.sort((a, b) => a.top - b.top || a.left - b.left));
  return flows;
}

/** What stands across the columns, and what follows below it beside the gutter until something stands across again. */
interface Band<P extends Piece> {
  readonly across: P[];
  readonly left: P[];
  readonly right: P[];
}

function bandsAt<P extends Piece>(sorted: readonly P[], gutter: number): Band<P>[] {
  const bands: Band<P>[] = [{ across: [], left: [], right: [] }];
  for (const piece of sorted) {
    let band = bands.at(-1)!;
    const side = sideOf(piece, gutter);
    if (side === "across" && band.left.length + band.right.length > 0)
      bands.push((band = { across: [], left: [], right: [] }));
    band[side].push(piece);
  }
  return bands;
}

/** A line that only pokes across, as an equation does, belongs to the side of most of it. */
function sideOf(piece: Piece, gutter: number): "left" | "right" | "across" {
  const width = piece.right - piece.left;
  const poke = Math.min(0.2 * width, 24);
  if (piece.right <= gutter + 1 || (piece.line !== undefined && piece.right - gutter < poke)) return "left";
  if (piece.left >= gutter - 1 || (piece.line !== undefined && gutter - piece.left < poke)) return "right";
  return "across";
}

/** The place that parts most letters into columns: a left edge at which several lines begin. */
function bestGutter(pieces: readonly Piece[]): number | undefined {
  const starts = new Map<number, number>();
  for (const { line, left } of pieces) {
    if (line !== undefined) starts.set(Math.round(left / 2), (starts.get(Math.round(left / 2)) ?? 0) + 1);
  }
  const candidates = [...starts.keys()]
    .map((key) => ({ key, count: (starts.get(key) ?? 0) + (starts.get(key + 1) ?? 0) }))
    .filter(({ count }) => count >= LEAST_LINES)
    .sort((a, b) => b.count - a.count)
    .slice(0, 24);
  let best: number | undefined;
  let most = 0;
  for (const { key } of candidates) {
    const gutter = key * 2 - 2;
    let letters = 0;
    for (const band of bandsAt(pieces, gutter)) {
      if (isColumns(band)) letters += Math.min(lettersOf(band.left), lettersOf(band.right));
    }
    if (letters > most) [best, most] = [gutter, letters];
  }
  return best;
}

function isColumns({ left, right }: Band<Piece>): boolean {
  if (left.length < LEAST_LINES || right.length < LEAST_LINES) return false;
  const fewer = Math.min(left.length, right.length);
  // Beside one another, not one below the other.
  const shared = Math.min(bottomOf(left), bottomOf(right)) - Math.max(topOf(left), topOf(right));
  if (shared <= 0) return false;
  if (lettersOf(left) < LEAST_LETTERS * left.length || lettersOf(right) < LEAST_LETTERS * right.length) return false;
  const drawn = [
    ...left.map(({ order }) => ({ order, side: 0 })),
    ...right.map(({ order }) => ({ order, side: 1 })),
  ].sort((a, b) => a.order - b.order);
  let switches = 0;
  for (let index = 1; index < drawn.length; index += 1)
    if (drawn[index]!.side !== drawn[index - 1]!.side) switches += 1;
  if (switches <= Math.max(1, 0.3 * fewer)) return true;
  return fewer >= 6 && isText(left) && isText(right);
}

function isText(pieces: readonly Piece[]): boolean {
  let wide = 0;
  for (const { line, left, right } of pieces)
    if (line !== undefined && right - left >= TEXT_WIDTH * line.size) wide += 1;
  return wide >= 0.6 * pieces.length;
}

function lettersOf(pieces: readonly Piece[]): number {
  let letters = 0;
  for (const { line } of pieces) letters += line?.text.length ?? 0;
  return letters;
}

function topOf(pieces: readonly Piece[]): number {
  return pieces.reduce((top, piece) => Math.min(top, piece.top), Infinity);
}

function bottomOf(pieces: readonly Piece[]): number {
  return pieces.reduce((bottom, piece) => Math.max(bottom, piece.bottom), -Infinity);
}

/** The pieces of a run with those of one line put together again. */
export function joinRows<P extends Piece>(flow: readonly P[], withLine: (line: Line) => P): P[] {
  const rows: P[][] = [];
  for (const piece of flow) {
    const row = rows.findLast((each, index) => index >= rows.length - 4 && onOneLine(each[0]!, piece));
    if (row === undefined) rows.push([piece]);
    else row.push(piece);
  }
  return rows.map((row) => (row.length === 1 ? row[0]! : withLine(mergeLines(row.map(({ line }) => line!)))));
}

function onOneLine(one: Piece, other: Piece): boolean {
  if (one.line === undefined || other.line === undefined) return false;
  return Math.abs(one.line.baseline - other.line.baseline) < 0.3 * Math.min(one.line.size, other.line.size);
}
