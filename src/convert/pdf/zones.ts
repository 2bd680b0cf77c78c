/** Columns of running text, apart from those of tables: what stands in two of them is not one row. */
import type { TextItem } from "./page.js";
import { pieceRows, type PieceRow } from "./table-rows.js";

/** Words of a piece that is a line of a sentence rather than a cell. */
const SENTENCE = 4;
/** Lines of sentences that begin under one another before they count as a column of text. */
const LEAST_LINES = 5;
/** Rows without a sentence that a column of text may be interrupted by: formulas, headings, a small table. */
const LONGEST_BREAK = 8;
/** Columns of text in columns of text: more than this are none. */
const DEEPEST = 4;
/** Left edges that are tried: the column's own, and those of what is indented or hangs out. */
const MOST_EDGES = 12;
const NONE: readonly PieceRow[] = [];

/** The rows of a page in groups, none of which holds more than one column of running text. */
export function zonesOf(rows: readonly PieceRow[], depth = 0): (readonly PieceRow[])[] {
  const edges = depth < DEEPEST ? columnEdges(rows) : [];
  const bands = edges.map((edge) => ({ edge, band: textBand(rows, edge) }));
  const { edge, band } = bands.reduce((a, b) => (b.band.length > a.band.length ? b : a), { edge: 0, band: NONE });
  if (band.length === 0) return [rows];
  const inBand = band.flatMap(wordsOf);
  const middle = channelBefore(band, edge);
  const taken = new Set(band);
  const parts = [
    pieceRows(inBand.filter((item) => item.x < middle)),
    pieceRows(inBand.filter((item) => item.x >= middle)),
    rows.filter((row) => !taken.has(row)),
  ];
  return parts.flatMap((part) => (part.length === 0 ? [] : zonesOf(part, depth + 1)));
}

function wordsOf({ pieces }: PieceRow): readonly TextItem[] {
  return pieces.flatMap(({ items }) => items);
}

/** The middle of the widest channel that the rows leave open up to `edge`: numbers and bullets hang out of their column. */
function channelBefore(rows: readonly PieceRow[], edge: number): number {
  const before = rows
    .flatMap(({ pieces }) => pieces.map(({ left, right }) => ({ left, right })))
    .filter(({ left }) => left <= edge + 1)
    .sort((a, b) => a.left - b.left);
  let covered = before[0]?.right ?? edge;
  let widest = 0;
  let middle = edge;
  for (const { left, right } of [...before, { left: edge + 1, right: edge + 1 }]) {
    if (left - covered > widest) {
      widest = left - covered;
      middle = (left + covered) / 2;
    }
    covered = Math.max(covered, right);
  }
  return middle;
}

/** Places where lines of sentences begin, other than the first: the left edges of further columns. */
function columnEdges(rows: readonly PieceRow[]): number[] {
  const lefts = rows
    .flatMap(({ pieces }) => pieces.filter(({ items }) => items.length >= SENTENCE).map(({ left }) => left))
    .sort((a, b) => a - b);
  const edges: { at: number; count: number }[] = [];
  for (const left of lefts) {
    const last = edges.at(-1);
    if (last !== undefined && left - last.at < 3) last.count += 1;
    else edges.push({ at: left, count: 1 });
  }
  return edges
    .filter(({ count }) => count >= 2)
    .slice(1)
    .sort((a, b) => b.count - a.count)
    .slice(0, MOST_EDGES)
    .map(({ at }) => at - 1);
}

/** The longest run of rows that nothing crosses at `edge`, with sentences on both sides of it. */
function textBand(rows: readonly PieceRow[], edge: number): readonly PieceRow[] {
  let best: readonly PieceRow[] = NONE;
  let run: PieceRow[] = [];
  let sinceSentence = 0;
  const close = (): void => {
    let end = run.length - sinceSentence;
    // What follows on one side only still belongs to the text there: the rest of a table, a list.
    while (end > 0 && end < run.length && isOneSided(run[end]!, edge) && isNear(run[end - 1]!, run[end]!)) end += 1;
    const kept = run.slice(0, end);
    if (kept.length > best.length && hasBothSides(kept, edge)) best = kept;
    run = [];
    sinceSentence = 0;
  };
  for (const row of rows) {
    if (row.pieces.some(({ left, right }) => left < edge && right > edge)) {
      close();
      continue;
    }
    const sentence = row.pieces.some(({ items }) => items.length >= SENTENCE);
    if (run.length === 0 && !sentence) continue;
    run.push(row);
    sinceSentence = sentence ? 0 : sinceSentence + 1;
    if (sinceSentence > LONGEST_BREAK) close();
  }
  close();
  return best;
}

function isOneSided({ pieces }: PieceRow, edge: number): boolean {
  return pieces.every(({ left }) => left < edge) || pieces.every(({ left }) => left >= edge);
}

function isNear(above: PieceRow, below: PieceRow): boolean {
  return below.baseline - above.baseline < 3 * below.size;
}

function hasBothSides(rows: readonly PieceRow[], edge: number): boolean {
  const sentences = (side: (left: number) => boolean): number =>
    rows.filter(({ pieces }) => pieces.some(({ left, items }) => items.length >= SENTENCE && side(left))).length;
  const least = Math.max(LEAST_LINES, 0.2 * rows.length);
  return sentences((left) => left < edge) >= least && sentences((left) => left >= edge) >= least;
}
