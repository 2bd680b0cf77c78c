import { badImage } from "../image/cells.js";
import type { ByteStream } from "../image/streams.js";
import { NotHereYet } from "../format/not-here-yet.js";
import type { ScanBeside } from "./scan/scan-beside.js";
import { newScanRows, strideOf, type ScanQuestion, type ScanRows } from "./scan/scan.js";
import { makeSketches, sketchLength } from "./sketches.js";

/**
 * The stream `codes`: vectors in one byte a number, for the scan (spec/image.md §7). A row is its vector less the mean of
 * the package's vectors, divided by the row's scale and rounded. The mean is taken off because the vectors of a package
 * share a large part: what is left is half as long, and so is the error. The length of that error, the row's reach, says
 * how far the codes may lead astray: no product with a vector of length 1 is off by more (Cauchy, Schwarz).
 */

/** Rows that stand together: their scales, their reaches, their codes. */
export const BLOCK_ROWS = 256;
/** Bytes of scale and reach. */
const ROW_HEAD = 8;
/** Greatest code; -128 is not used. */
const GREATEST = 127;
/** No number of a unit vector is further than 2 from one of another; with room for rounding. */
const GREATEST_SCALE = 2.01 / GREATEST;
/** What float32 loses of sums of a few numbers of about 1. */
const LAST_DIGITS = 2e-6;
/** Bytes of codes in one memory at most; a package of more rows has several. */
const SEGMENT = 2 ** 28;

/** Where row `row` of the codes begins, where it is the first of a block; behind the last one are the sketches. */
export function codesStart(row: number, dimensions: number): number {
  return 4 * dimensions + row * (ROW_HEAD + dimensions);
}

/** Bytes of the stream. */
export function codesLength(rows: number, dimensions: number): number {
  return codesStart(rows, dimensions) + rows * sketchLength(dimensions);
}

/**
 * Makes the stream, block by block: the mean, then blocks of scales, reaches and codes, then the sketches.
 *
 * @param vectors `count` unit vectors from row `first`, one behind the other; every block of rows is asked for three times
 */
export function* makeCodes(
  rows: number,
  dimensions: number,
  vectors: (first: number, count: number) => Float32Array,
): Generator<Uint8Array> {
  const mean = meanOf(rows, dimensions, vectors);
  const header = new Uint8Array(4 * dimensions);
  const view = new DataView(header.buffer);
  mean.forEach((number, i) => {
    view.setFloat32(4 * i, number, true);
  });
  yield header;
  for (let first = 0; first < rows; first += BLOCK_ROWS) {
    const count = Math.min(BLOCK_ROWS, rows - first);
    const numbers = vectors(first, count);
    const block = new Uint8Array(count * (ROW_HEAD + dimensions));
    const heads = new DataView(block.buffer, 0, ROW_HEAD * count);
    for (let row = 0; row < count; row++) {
      const codes = new Int8Array(block.buffer, ROW_HEAD * count + row * dimensions, dimensions);
      const vector = numbers.subarray(row * dimensions, (row + 1) * dimensions);
      const { scale, reach } = quantiseRow(vector, mean, codes);
      heads.setFloat32(4 * row, scale, true);
      heads.setFloat32(4 * (count + row), reach, true);
    }
    yield block;
  }
  for (let first = 0; first < rows; first += BLOCK_ROWS)
    yield makeSketches(vectors(first, Math.min(BLOCK_ROWS, rows - first)), mean);
}

function meanOf(
  rows: number,
  dimensions: number,
  vectors: (first: number, count: number) => Float32Array,
): Float32Array {
  const sums = new Float64Array(dimensions);
  for (let first = 0; first < rows; first += BLOCK_ROWS) {
    const numbers = vectors(first, Math.min(BLOCK_ROWS, rows - first));
    for (let at = 0; at < numbers.length; at += dimensions)
      for (let i = 0; i < dimensions; i++) sums[i]! += numbers[at + i]!;
  }
  return Float32Array.from(sums, (sum) => (rows === 0 ? 0 : sum / rows));
}

function quantiseRow(vector: Float32Array, mean: Float32Array, into: Int8Array): { scale: number; reach: number } {
  let greatest = 0;
  for (let i = 0; i < into.length; i++) greatest = Math.max(greatest, Math.abs(vector[i]! - mean[i]!));
  const scale = Math.fround(greatest / GREATEST);
  let squares = 0;
  for (let i = 0; i < into.length; i++) {
    const rest = vector[i]! - mean[i]!;
    // A scale of 0 says that the row is the mean, to the last digit.
    if (scale > 0) into[i] = Math.round(rest / scale);
    squares += (rest - scale * into[i]!) ** 2;
  }
  return { scale, reach: Math.sqrt(squares) };
}

/** Upper bounds of the cosines of a question with rows `first` and following; the room is reused by the next scan. */
export interface Bounds {
  readonly first: number;
  /** Rows here. */
  readonly rows: number;
  /** No cosine of the row is greater. */
  readonly upper: Float32Array;
  /** The greatest of them of every `GROUP` rows. */
  readonly greatest: Float32Array;
  /** The cosine of row `i` is at least `upper[i] - 2 × (reaches[i] + rounding)`. */
  readonly reaches: Float32Array;
  readonly rounding: number;
}

/** How codes are held; nobody but tests and measurements needs another way. */
export interface CodesOptions {
  /** Where and how rows are scanned: in WebAssembly where that is possible, unless given. */
  readonly newRows?: typeof newScanRows;
  /** Bytes of codes in one memory at most. */
  readonly segment?: number;
  /** What can scan them while this thread does something else. */
  readonly beside?: ScanBeside | undefined;
}

/**
 * The codes of a package in memory. They are read at the first question and kept; where the stream throws because its
 * bytes have not come, what has been read stays, and asking again goes on from there.
 */
export class Codes {
  readonly #stream: ByteStream;
  readonly #rows: number;
  readonly #dimensions: number;
  readonly #newRows: typeof newScanRows;
  readonly #segmentRows: number;
  readonly #beside: ScanBeside | undefined;
  #mean: Float64Array | undefined;
  #segments: ScanRows[] = [];
  #read = 0;
  /** What was asked last and is still in the room for results. */
  #last: { readonly unit: Float64Array; readonly bounds: Bounds[] } | undefined;
  /** Another thread scans, and writes into the room for results. */
  #scanning: Promise<void> | undefined;

  /** @throws MdcxError `bad-image` where the stream has not the length that `rows` and `dimensions` give it */
  constructor(stream: ByteStream, rows: number, dimensions: number, options: CodesOptions = {}) {
    if (stream.length !== codesLength(rows, dimensions)) badImage("its codes are not as many as its passages");
    this.#stream = stream;
    this.#rows = rows;
    this.#dimensions = dimensions;
    this.#newRows = options.newRows ?? newScanRows;
    this.#beside = options.beside;
    const blocks = Math.floor((options.segment ?? SEGMENT) / strideOf(dimensions) / BLOCK_ROWS);
    this.#segmentRows = Math.max(1, blocks) * BLOCK_ROWS;
  }

  /**
   * Bounds of the cosine of every row. What lies outside them is proven, so that rescoring within them finds the exact
   * best.
   *
   * @param unit the question, of length 1
   * @throws NotHereYet while another thread scans
   */
  scan(unit: Float64Array): Bounds[] {
    const scanning = this.#scanning;
    if (scanning !== undefined) throw new NotHereYet(() => scanning);
    // A package among several is asked once for the ranking of all and once for what it says alone.
    if (this.#last?.unit.every((number, i) => number === unit[i]) === true) return this.#last.bounds;
    const mean = this.#load();
    this.#last = undefined;
    const { question, rounding } = this.#question(unit, mean);
    for (const segment of this.#segments) segment.scan(question);
    return this.#keep(unit, rounding);
  }

  /**
   * Scans in another thread; \`scan\` of the same question then finds what came of it. Does nothing where there is none.
   *
   * @throws what the stream throws, while the codes are not in memory yet
   */
  async scanBeside(unit: Float64Array): Promise<void> {
    const beside = this.#beside;
    if (beside === undefined) return;
    while (this.#scanning !== undefined) await this.#scanning;
    const mean = this.#load();
    const { question, rounding } = this.#question(unit, mean);
    const segments = this.#segments;
    const scans = segments.flatMap((segment) => segment.hand?.(question) ?? []);
    if (scans.length < segments.length) return;
    this.#last = undefined;
    this.#scanning = beside
      .scan(scans)
      .then(() => {
        if (segments === this.#segments) this.#keep(unit, rounding);
      })
      // Where the thread cannot, this one does.
      .catch(() => undefined)
      .finally(() => {
        this.#scanning = undefined;
      });
    await this.#scanning;
  }

  /** The mean of all vectors. */
  mean(): Float64Array {
    return (this.#mean ??= readMean(this.#stream.read(0, 4 * this.#dimensions)));
  }

  /** Frees the memory; the next scan reads the codes again. */
  close(): void {
    this.#segments = [];
    this.#read = 0;
    this.#last = undefined;
    this.#beside?.rest();
  }

  #question(unit: Float64Array, mean: Float64Array): { question: ScanQuestion; rounding: number } {
    const { query, scale } = quantiseQuery(unit);
    // The question's own rounding is as long as this at most, and what codes stand for at most 2, as far apart as unit
    // vectors can be.
    const rounding = Math.sqrt(this.#dimensions) / scale + LAST_DIGITS;
    let base = rounding;
    for (let i = 0; i < mean.length; i++) base += unit[i]! * mean[i]!;
    return { question: { query, base, factor: 1 / scale }, rounding };
  }

  #keep(unit: Float64Array, rounding: number): Bounds[] {
    const bounds = this.#segments.map(({ upper, greatest, reaches }, i) => ({
      first: i * this.#segmentRows,
      rows: Math.min(this.#segmentRows, this.#rows - i * this.#segmentRows),
      upper,
      greatest,
      reaches,
      rounding,
    }));
    this.#last = { unit: unit.slice(), bounds };
    return bounds;
  }

  #load(): Float64Array {
    const mean = this.mean();
    while (this.#read < this.#rows) {
      const first = this.#read;
      const count = Math.min(BLOCK_ROWS, this.#rows - first);
      const start = codesStart(first, this.#dimensions);
      const block = this.#stream.read(start, start + count * (ROW_HEAD + this.#dimensions));
      const place = Math.floor(first / this.#segmentRows);
      this.#segments[place] ??= this.#newRows(
        Math.min(this.#segmentRows, this.#rows - first),
        this.#dimensions,
        this.#beside !== undefined,
      );
      this.#fill(this.#segments[place], first - place * this.#segmentRows, count, block);
      this.#read += count;
    }
    return mean;
  }

  #fill({ scales, reaches, codes, stride }: ScanRows, first: number, count: number, block: Uint8Array): void {
    const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
    const rows = new Int8Array(block.buffer, block.byteOffset + ROW_HEAD * count, count * this.#dimensions);
    const halfRoot = 0.501 * Math.sqrt(this.#dimensions);
    for (let row = 0; row < count; row++) {
      const scale = view.getFloat32(4 * row, true);
      const reach = view.getFloat32(4 * (count + row), true);
      if (!(scale >= 0 && scale <= GREATEST_SCALE)) badImage("a scale of its codes is out of range");
      // Rounding moves each number by half a scale at most. A longer reach would have every row rescored.
      if (!(reach >= 0 && reach <= halfRoot * scale + LAST_DIGITS)) badImage("a reach of its codes is out of range");
      scales[first + row] = scale;
      reaches[first + row] = reach;
      codes.set(rows.subarray(row * this.#dimensions, (row + 1) * this.#dimensions), (first + row) * stride);
    }
  }
}

function readMean(bytes: Uint8Array): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const mean = Float64Array.from({ length: bytes.length / 4 }, (_, i) => view.getFloat32(4 * i, true));
  const squares = mean.reduce((sum, number) => sum + number * number, 0);
  // The mean of unit vectors is no longer than they are. NaN fails as well.
  return squares <= 1.01 ? mean : badImage("the mean of its vectors is out of range");
}

/**
 * A unit vector in int16 by the greatest scale that lets no number leave int16 and no sum of products with codes leave
 * int32: its own rounding then hardly counts.
 */
function quantiseQuery(unit: Float64Array): { query: Int16Array; scale: number } {
  let greatest = 0;
  let sum = 0;
  for (const number of unit) {
    greatest = Math.max(greatest, Math.abs(number));
    sum += Math.abs(number);
  }
  // Rounding adds at most half to each number; a forged code may be -128.
  const scale = Math.min(32_767 / greatest, ((2 ** 31 - 1) / 128 - unit.length / 2) / sum);
  return { query: Int16Array.from(unit, (number) => Math.round(number * scale)), scale };
}
