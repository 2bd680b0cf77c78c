import { MdcxError } from "../errors.js";
import { LeastRecent } from "../format/least-recent.js";
import { NotHereYet } from "../format/not-here-yet.js";
import { badImage } from "../image/cells.js";
import type { ByteStream } from "../image/streams.js";
import { BLOCK_ROWS, Codes, codesStart, makeCodes, type Bounds, type CodesOptions } from "./codes.js";
import { MOST_DIMENSIONS } from "./description.js";
import { fromHalves, toHalves } from "./half.js";
import { Sketches } from "./sketches.js";

/** Version of the streams `codes` and `halves`, `rule:vectors` in meta (spec/image.md §7). */
export const VECTORS_VERSION = 2;

/** Rows that are allocated together, so that a packer's memory grows with what it has encoded; a multiple of a block's. */
const CHUNK_ROWS = 16 * BLOCK_ROWS;

/** Rows of halves that are kept: what a question compares for the ranking of all packages and for each alone, 768 bytes each. */
const KEPT_ROWS = 1_024;

/** The two streams of an image that hold its vectors. */
export interface VectorStreams {
  readonly codes: ByteStream;
  readonly halves: ByteStream;
}

/** The vectors of a package that is being made, by passage number and in any order. They are kept as halves. */
export class VectorRows {
  readonly #chunks: Uint8Array[] = [];
  readonly #filled: Uint8Array;
  #missing: number;

  /**
   * @param passages how many rows there will be
   * @throws MdcxError `encoder-failed` for a model whose vectors are longer than an image takes
   */
  constructor(
    readonly dimensions: number,
    readonly passages: number,
  ) {
    if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > MOST_DIMENSIONS) {
      throw new MdcxError(
        "encoder-failed",
        `The model's vectors have ${dimensions} dimensions and a package takes 1 to ${MOST_DIMENSIONS}: use another model.`,
      );
    }
    this.#filled = new Uint8Array(passages);
    this.#missing = passages;
  }

  /** @throws MdcxError `encoder-failed` for a vector that is none: of another length, with NaN, all zeros */
  set(row: number, vector: Float32Array): void {
    if (vector.length !== this.dimensions) {
      throw new MdcxError(
        "encoder-failed",
        `The encoder gave a vector of ${vector.length} numbers where its model has ${this.dimensions}: try another model.`,
      );
    }
    const halves = toHalves(vector);
    // A number under 2^-25 is 0 as a half.
    if (!vector.some((number) => Math.abs(number) > 2 ** -25)) {
      throw new MdcxError("encoder-failed", "The encoder gave a vector of zeros for a passage: try another model.");
    }
    this.#put(row, halves);
  }

  /** Takes over a vector as another package holds it. @throws MdcxError `bad-image` for halves that are no vector */
  setHalves(row: number, halves: Uint8Array): void {
    if (halves.length !== 2 * this.dimensions) badImage("a vector is not complete");
    fromHalves(halves, this.dimensions);
    this.#put(row, halves);
  }

  /** The vector as a reader will have it, of length 1. */
  vector(row: number): Float32Array {
    return fromHalves(this.halves(row), this.dimensions);
  }

  /** Its halves, which the caller must not write into. */
  halves(row: number): Uint8Array {
    if (this.#filled[row] !== 1) throw new MdcxError("internal", `Passage ${row} has no vector yet.`);
    return this.#rows(row, 1);
  }

  /** The streams of the image, once all rows are set. The codes come from the halves: the same halves, the same codes. */
  streams(): { codes: Iterable<Uint8Array>; halves: Iterable<Uint8Array> } {
    if (this.#missing > 0) throw new MdcxError("internal", `${this.#missing} passages have no vector.`);
    const vectors = (first: number, count: number): Float32Array =>
      fromHalves(this.#rows(first, count), this.dimensions);
    return { codes: makeCodes(this.passages, this.dimensions, vectors), halves: this.#chunks };
  }

  /** The halves of rows of one chunk. */
  #rows(first: number, count: number): Uint8Array {
    const size = 2 * this.dimensions;
    const at = (first % CHUNK_ROWS) * size;
    return this.#chunks[Math.floor(first / CHUNK_ROWS)]!.subarray(at, at + count * size);
  }

  #put(row: number, halves: Uint8Array): void {
    if (!Number.isInteger(row) || row < 0 || row >= this.passages) {
      throw new MdcxError("internal", `There is no passage ${row} to set a vector of: there are ${this.passages}.`);
    }
    const chunk = Math.floor(row / CHUNK_ROWS);
    const rows = Math.min(CHUNK_ROWS, this.passages - chunk * CHUNK_ROWS);
    this.#chunks[chunk] ??= new Uint8Array(rows * 2 * this.dimensions);
    this.#chunks[chunk].set(halves, (row % CHUNK_ROWS) * 2 * this.dimensions);
    this.#missing -= 1 - this.#filled[row]!;
    this.#filled[row] = 1;
  }
}

/**
 * The vectors of a package. Opening it checks lengths and reads nothing; the codes are read at the first search and kept,
 * `dimensions` bytes a passage, until `close`.
 *
 * Any call may throw what the streams throw (a remote source whose bytes have not come): the same call may be made again.
 */
export class VectorIndex {
  readonly #halves: ByteStream;
  readonly #codes: Codes;
  readonly #sketches: Sketches;
  readonly #streams: VectorStreams;
  #far: boolean | undefined;
  readonly #kept = new LeastRecent<Uint8Array>(KEPT_ROWS);

  /** @throws MdcxError `bad-image` where the streams have not the lengths that passages and dimensions give them */
  constructor(
    streams: VectorStreams,
    readonly passages: number,
    readonly dimensions: number,
    options: Pick<CodesOptions, "beside"> = {},
  ) {
    if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > MOST_DIMENSIONS) {
      badImage("its vectors have a number of dimensions that is out of range");
    }
    if (streams.halves.length !== passages * dimensions * 2) badImage("its vectors are not as many as its passages");
    this.#streams = streams;
    this.#halves = streams.halves;
    this.#codes = new Codes(streams.codes, passages, dimensions, options);
    this.#sketches = new Sketches(streams.codes, codesStart(passages, dimensions), passages, dimensions);
  }

  /** The vector of a passage, of length 1. @throws MdcxError `bad-image` for halves that are no vector */
  vector(row: number): Float32Array {
    return fromHalves(this.halves(row), this.dimensions);
  }

  /** The vector of a passage as it is stored, which the caller must not write into. */
  halves(row: number): Uint8Array {
    if (!Number.isInteger(row) || row < 0 || row >= this.passages) {
      throw new MdcxError("not-found", `There is no passage ${row}: this package has ${this.passages}, from 0.`);
    }
    const kept = this.#kept.get(row);
    if (kept !== undefined) return kept;
    // A copy: a view would keep the whole page that it is of.
    const halves = this.#halves.read(row * 2 * this.dimensions, (row + 1) * 2 * this.dimensions).slice();
    this.#kept.set(row, halves);
    return halves;
  }

  /** Bounds of every passage's cosine with a vector of length 1, from the codes. */
  bounds(unit: Float64Array): Bounds[] {
    return this.#codes.scan(unit);
  }

  /** Has another thread find the bounds, where there is one, so that `bounds` finds them ready. */
  scanBeside(unit: Float64Array): Promise<void> {
    return this.#codes.scanBeside(unit);
  }

  /**
   * Whether the codes would have to be brought from far away: then sketches say which vectors are worth bringing. Decided at
   * the first question.
   */
  get isFar(): boolean {
    this.#far ??= this.#lacksCodes();
    return this.#far;
  }

  /** Brings the sketches, where they are not here. */
  wantSketches(): void {
    this.#sketches.load();
  }

  /** About the cosine of every passage with a vector of length 1, from the sketches. */
  estimates(unit: Float64Array): Float32Array {
    this.#sketches.load();
    return this.#sketches.estimate(unit, this.#codes.mean());
  }

  /** Says which passages' halves are read next, so that one journey brings them all. @throws NotHereYet for what is missing */
  want(rows: readonly number[]): void {
    const size = 2 * this.dimensions;
    const missing = rows.filter((row) => this.#kept.get(row) === undefined);
    this.#halves.want?.(missing.map((row) => ({ start: row * size, end: (row + 1) * size })));
  }

  #lacksCodes(): boolean {
    try {
      this.#streams.codes.want?.([{ start: 0, end: this.#streams.codes.length }]);
      return false;
    } catch (error) {
      if (error instanceof NotHereYet) return true;
      throw error;
    }
  }

  /** Frees the codes. Asking again reads them again. */
  close(): void {
    this.#codes.close();
    this.#sketches.close();
    this.#kept.forget(() => true);
  }
}
