/**
 * What tells a table from what looks alike: prose in two columns, lists, contents, listings of code, formulas, running
 * heads. Where it is doubtful there is no table, because the words of a false one are torn from their sentences.
 */
import type { Line } from "./lines.js";
import { isCell, meets, piecesIn, stepsOf, twoSteps, type Block, type Column, type PieceRow } from "./table-rows.js";

/** Two rows are one table only with this many columns: two lines of two words each are an address. */
const COLUMNS_OF_TWO_ROWS = 4;

/** Share of a table's cells that hold something. Sparse ones have half; words that lost most of their letters less. */
const LEAST_FILLED = 0.4;
/** A few pieces stand under one another by chance, in diagrams and formulas: small tables must be full. */
const SMALL = 16;
const SMALL_FILLED = 0.75;

/** Whether rows that nothing but space parts into columns are a table. */
export function isTable({ rows, columns }: Block, pageHeight: number): boolean {
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

/** Whether what stands in the columns are cells: no listing of code, list, contents, formula or sentences. */
export function hasCells({ rows, columns }: Block, leastFilled: number): boolean {
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

function isNumeric(pieces: readonly Line[]): boolean {
  return (
    pieces.filter(({ text }) => /^[-+−(]?[\p{Sc}]?\s?\d[\d.,' ]*\s?[%)\p{L}]{0,3}$/u.test(text)).length >
    0.5 * pieces.length
  );
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

/** Rows follow one another at like distances: not labels here and there. */
export function isEven(rows: readonly PieceRow[]): boolean {
  const steps = stepsOf(rows);
  const usual = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)]!;
  const odd = steps.filter((step) => step < 0.45 * usual || step > 2.5 * usual).length;
  return odd <= 0.2 * steps.length;
}

/** Running heads and letterheads have their parts left and right. */
function isInMargin(rows: readonly PieceRow[], pageHeight: number): boolean {
  return rows.at(-1)!.bottom < 0.13 * pageHeight || rows[0]!.top > 0.9 * pageHeight;
}
