import { badImage } from "../image/cells.js";
import type { ByteStream } from "../image/streams.js";
import { readHalf, toHalves } from "./half.js";

/**
 * The last part of the stream `codes`: every vector in two bits a number, a quarter of its codes, for readers who would have
 * to fetch them (spec/image.md §7). A sketch proves nothing, as codes do; it says which vectors are worth fetching.
 */

/** What two bits stand for, in units of the row's factor: the best four levels for normal numbers are as 3.3 to 1. */
const LEVELS = [-10, -3, 3, 10] as const;
/** From how many standard deviations on a number is at an outer level. */
const OUTER = 0.98;
/** Bytes of a row's factor. */
const FACTOR = 2;
const IN_A_BYTE = 4;
/** No vector less the mean has a longer number than 2, nor, then, a greater factor. */
const GREATEST_FACTOR = 2;

/** Bytes of one sketch. */
export function sketchLength(dimensions: number): number {
  return FACTOR + Math.ceil(dimensions / IN_A_BYTE);
}

/** The sketches of vectors that lie one behind the other. */
export function makeSketches(vectors: Float32Array, mean: Float32Array): Uint8Array {
  const dimensions = mean.length;
  const length = sketchLength(dimensions);
  const rows = vectors.length / dimensions;
  const sketches = new Uint8Array(rows * length);
  for (let row = 0; row < rows; row++) {
    const sketch = sketches.subarray(row * length, (row + 1) * length);
    sketchRow(vectors.subarray(row * dimensions, (row + 1) * dimensions), mean, sketch);
  }
  return sketches;
}

function sketchRow(vector: Float32Array, mean: Float32Array, into: Uint8Array): void {
  let squares = 0;
  for (let i = 0; i < mean.length; i++) squares += (vector[i]! - mean[i]!) ** 2;
  const outer = OUTER * Math.sqrt(squares / mean.length);
  let product = 0;
  for (let i = 0; i < mean.length; i++) {
    const rest = vector[i]! - mean[i]!;
    const level = rest < 0 ? (rest <= -outer ? 0 : 1) : rest < outer ? 2 : 3;
    product += rest * LEVELS[level];
    into[FACTOR + (i >> 2)]! |= level << (2 * (i & 3));
  }
  // Makes the product of the vector with itself come out right, and so, about, that with a question near it.
  into.set(toHalves(Float32Array.of(product > 0 ? squares / product : 0)));
}

/** The sketches of a package, read at the first question and kept: a quarter of a byte a number. */
export class Sketches {
  #rows: Uint8Array | undefined;

  /** @param start where they begin in the stream, behind the codes; the mean stands at its beginning */
  constructor(
    private readonly stream: ByteStream,
    private readonly start: number,
    private readonly count: number,
    private readonly dimensions: number,
  ) {}

  /** Reads them unless they are here, and says that the mean is wanted with them. */
  load(): Uint8Array {
    if (this.#rows !== undefined) return this.#rows;
    const end = this.start + this.count * sketchLength(this.dimensions);
    this.stream.want?.([
      { start: 0, end: 4 * this.dimensions },
      { start: this.start, end },
    ]);
    return (this.#rows = this.stream.read(this.start, end).slice());
  }

  /** What the cosine of every row with the question is likely to be. */
  estimate(unit: Float64Array, mean: Float64Array): Float32Array {
    const rows = this.load();
    const tables = tablesOf(unit);
    const length = sketchLength(this.dimensions);
    const estimates = new Float32Array(this.count);
    const base = unit.reduce((sum, number, i) => sum + number * mean[i]!, 0);
    for (let row = 0, at = 0; row < this.count; row++, at += length) {
      let sum = 0;
      for (let byte = FACTOR, table = 0; byte < length; byte++, table += 256) sum += tables[table + rows[at + byte]!]!;
      const factor = readHalf(rows, at);
      if (!(factor >= 0 && factor <= GREATEST_FACTOR)) badImage("a factor of its sketches is out of range");
      estimates[row] = base + factor * sum;
    }
    return estimates;
  }

  /** Frees the memory; the next question reads them again. */
  close(): void {
    this.#rows = undefined;
  }
}

/** By byte of a sketch and its value: what it adds to the product with a question. */
function tablesOf(unit: Float64Array): Float32Array {
  const tables = new Float32Array(256 * Math.ceil(unit.length / IN_A_BYTE));
  for (let value = 0; value < 256; value++) {
    for (let first = 0, at = value; first < unit.length; first += IN_A_BYTE, at += 256) {
      let sum = 0;
      for (let i = first; i < Math.min(first + IN_A_BYTE, unit.length); i++)
        sum += unit[i]! * LEVELS[(value >> (2 * (i - first))) & 3]!;
      tables[at] = sum;
    }
  }
  return tables;
}
