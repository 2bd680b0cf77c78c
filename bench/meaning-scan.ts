/**
 * The search by meaning without its encoder: what the scan of the codes costs beside JavaScript's and a comparison of
 * plain float32 vectors, and what the codes alone would have kept.
 */
import { readFileSync } from "node:fs";
import type { ByteStream } from "../src/image/streams.js";
import { Codes } from "../src/meaning/codes.js";
import { fromHalves, toHalves } from "../src/meaning/half.js";
import { MeaningSearch } from "../src/meaning/nearest.js";
import { scalarRows } from "../src/meaning/scan/scan.js";
import { VectorIndex, VectorRows } from "../src/meaning/vectors.js";
import { mean, median } from "./measures.js";

/** Times in milliseconds, the median and the least of the rounds; in each round every way has its turn. */
export interface ScanSpeed {
  readonly passages: number;
  readonly dimensions: number;
  readonly ways: readonly { readonly way: string; readonly median: number; readonly least: number }[];
  /** Vectors that a search of the nearest 50 reads and compares. */
  readonly rescored: number;
  /** Making both streams from float32 vectors, and reading the codes into memory. */
  readonly make: number;
  readonly load: number;
}

/** What the int8 codes of a collection are worth. Shares from 0 to 1, means over the questions. */
export interface CodeQuality {
  readonly name: string;
  readonly passages: number;
  readonly questions: number;
  /** Of the exact first 10 and 50, those that are so by the codes alone. */
  readonly kept10: number;
  readonly kept50: number;
  /** Vectors that the search of the first 10 and 50 compared. */
  readonly rescored10: number;
  readonly rescored50: number;
  /** Questions whose first 50 are those of comparing all, in that order. */
  readonly exact: number;
}

/** A stream in memory that counts how often it is read. */
class CountingStream implements ByteStream {
  reads = 0;
  readonly #bytes: Uint8Array;

  constructor(chunks: Iterable<Uint8Array>) {
    this.#bytes = Buffer.concat([...chunks]);
  }

  get length(): number {
    return this.#bytes.length;
  }

  read(start: number, end: number): Uint8Array {
    this.reads++;
    return this.#bytes.subarray(start, end);
  }
}

/** Both streams of vectors that lie one behind the other. */
function streamsOf(vectors: Float32Array, dimensions: number): { codes: CountingStream; halves: CountingStream } {
  const rows = new VectorRows(dimensions, vectors.length / dimensions);
  for (let row = 0; row < rows.passages; row++) rows.set(row, rowOf(vectors, dimensions, row));
  const { codes, halves } = rows.streams();
  return { codes: new CountingStream(codes), halves: new CountingStream(halves) };
}

function rowOf(vectors: Float32Array, dimensions: number, row: number): Float32Array {
  return vectors.subarray(row * dimensions, (row + 1) * dimensions);
}

/**
 * Unit vectors about a common direction, as the shipped model's are: the mean is .88 long, and so two of them have a
 * cosine of about .77. What they do not share points anywhere, so that more of them are nearly as near as the nearest
 * than in real text.
 */
export function randomVectors(count: number, dimensions: number, seed = 1): Float32Array {
  let state = seed;
  const random = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  const number = (): number => random() + random() + random() - 1.5;
  const common = Float64Array.from({ length: dimensions }, number);
  // The sum of three uniform numbers has a variance of a quarter, here as there.
  const own = Math.sqrt(1 / 0.88 ** 2 - 1);
  const vectors = new Float32Array(count * dimensions);
  for (let row = 0; row < count; row++) {
    const vector = rowOf(vectors, dimensions, row);
    let squares = 0;
    for (let i = 0; i < dimensions; i++) {
      vector[i] = common[i]! + own * number();
      squares += vector[i]! ** 2;
    }
    const length = Math.sqrt(squares);
    for (let i = 0; i < dimensions; i++) vector[i] = vector[i]! / length;
  }
  return vectors;
}

/** Scans and searches random vectors. */
export function measureScanSpeed(passages = 100_000, dimensions = 384, rounds = 15): ScanSpeed {
  const vectors = randomVectors(passages, dimensions);
  const questions = randomVectors(rounds + 1, dimensions, 2);
  const makeStart = performance.now();
  const streams = streamsOf(vectors, dimensions);
  const make = performance.now() - makeStart;
  const index = new VectorIndex(streams, passages, dimensions);
  const search = new MeaningSearch([index]);
  const inJavaScript = new Codes(streams.codes, passages, dimensions, { newRows: scalarRows });
  const products = new Float32Array(passages);
  const ways: Record<string, (question: Float32Array) => void> = {
    "scan, WebAssembly": (question) => index.bounds(Float64Array.from(question)),
    "scan, JavaScript": (question) => inJavaScript.scan(Float64Array.from(question)),
    "float32 vectors, JavaScript": (question) => {
      for (let row = 0, at = 0; row < passages; row++) {
        let product = 0;
        for (let i = 0; i < dimensions; i++, at++) product += question[i]! * vectors[at]!;
        products[row] = product;
      }
    },
    "nearest 50, exact": (question) => search.nearest(question, { limit: 50 }),
  };
  const loadStart = performance.now();
  index.bounds(Float64Array.from(rowOf(questions, dimensions, 0)));
  const load = performance.now() - loadStart;
  const times = Object.keys(ways).map((way) => ({ way, taken: [] as number[] }));
  let read = 0;
  for (let round = 0; round <= rounds; round++) {
    const question = rowOf(questions, dimensions, round);
    for (const { way, taken } of times) {
      const before = streams.halves.reads;
      const start = performance.now();
      ways[way]!(question);
      const time = performance.now() - start;
      read += streams.halves.reads - before;
      // The first round compiles.
      if (round > 0) taken.push(time);
    }
  }
  return {
    passages,
    dimensions,
    ways: times.map(({ way, taken }) => ({ way, median: median(taken), least: Math.min(...taken) })),
    rescored: read / (rounds + 1),
    make,
    load,
  };
}

/**
 * What the codes of a collection keep, and what the search costs and finds there.
 *
 * @param passages vectors of one model, one behind the other, as the encoder gives them
 */
export function measureCodes(
  name: string,
  passages: Float32Array,
  questions: Float32Array,
  dimensions: number,
): CodeQuality {
  const count = passages.length / dimensions;
  const streams = streamsOf(passages, dimensions);
  const index = new VectorIndex(streams, count, dimensions);
  const search = new MeaningSearch([index]);
  const stored = fromHalves(toHalves(passages), dimensions);
  const asked = Array.from({ length: questions.length / dimensions }, (_, i) => rowOf(questions, dimensions, i));
  const kept = { 10: [] as number[], 50: [] as number[] };
  const rescored = { 10: [] as number[], 50: [] as number[] };
  const right: number[] = [];
  for (const question of asked) {
    const cosines = Float64Array.from({ length: count }, (_, row) => {
      let product = 0;
      for (let i = 0; i < dimensions; i++) product += question[i]! * stored[row * dimensions + i]!;
      return product;
    });
    const byCodes = new Float64Array(count);
    for (const { first, rows, upper, reaches } of index.bounds(Float64Array.from(question)))
      for (let row = 0; row < rows; row++) byCodes[first + row] = upper[row]! - reaches[row]!;
    const exact = greatest(cosines, 50);
    for (const depth of [10, 50] as const) {
      const first = new Set(greatest(byCodes, depth));
      const best = exact.slice(0, depth);
      kept[depth].push(best.filter((row) => first.has(row)).length / best.length);
      const before = streams.halves.reads;
      const found = search.nearest(question, { limit: depth });
      rescored[depth].push(streams.halves.reads - before);
      // Equal passages may stand in either order: what counts is how near they are.
      if (depth === 50)
        right.push(found.every(({ similarity }, i) => Math.abs(similarity - cosines[exact[i]!]!) < 1e-6) ? 1 : 0);
    }
  }
  return {
    name,
    passages: count,
    questions: asked.length,
    kept10: mean(kept[10]),
    kept50: mean(kept[50]),
    rescored10: mean(rescored[10]),
    rescored50: mean(rescored[50]),
    exact: mean(right),
  };
}

function greatest(numbers: Float64Array, count: number): number[] {
  return [...numbers.keys()].sort((a, b) => numbers[b]! - numbers[a]! || a - b).slice(0, count);
}

export function scanTable(speed: ScanSpeed): string {
  const fastest = speed.ways[0]!.median;
  return [
    `| ${speed.passages.toLocaleString("en")} × ${speed.dimensions} | ms, median | ms, least | ratio |`,
    "|---|---|---|---|",
    ...speed.ways.map(
      ({ way, median, least }) =>
        `| ${way} | ${median.toFixed(2)} | ${least.toFixed(2)} | ${(median / fastest).toFixed(1)} |`,
    ),
    "",
    `A search of the nearest 50 compares ${Math.round(speed.rescored)} vectors; making the streams took ${Math.round(speed.make)} ms, reading the codes into memory ${Math.round(speed.load)} ms.`,
  ].join("\n");
}

export function codesTable(rows: readonly CodeQuality[]): string {
  return [
    "| collection | passages | questions | of the first 10 by codes alone | of the first 50 | compared for 10 | for 50 | exact |",
    "|---|---|---|---|---|---|---|---|",
    ...rows.map(
      ({ name, passages, questions, kept10, kept50, rescored10, rescored50, exact }) =>
        `| ${name} | ${passages} | ${questions} | ${kept10.toFixed(3)} | ${kept50.toFixed(3)} | ${rescored10.toFixed(0)} | ${rescored50.toFixed(0)} | ${exact.toFixed(3)} |`,
    ),
  ].join("\n");
}

// `node dist/bench/meaning-scan.js [PASSAGES.f32 QUESTIONS.f32 …]`, the files holding vectors of 384 dimensions.
if (process.argv[1]?.endsWith("meaning-scan.js") === true) {
  console.log(scanTable(measureScanSpeed()));
  const files = process.argv.slice(2);
  const read = (file: string): Float32Array => new Float32Array(Uint8Array.from(readFileSync(file)).buffer);
  const rows: CodeQuality[] = [];
  for (let i = 0; i + 1 < files.length; i += 2)
    rows.push(measureCodes(files[i]!, read(files[i]!), read(files[i + 1]!), 384));
  if (rows.length > 0) console.log(`\n${codesTable(rows)}`);
}
