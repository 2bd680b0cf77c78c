import { VectorIndex, VectorRows } from "../../src/meaning/vectors.js";
import { stream } from "../words/memory-streams.js";

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Unit vectors about a common direction, as those of one model are. @param spread 0 for all the same */
export function unitVectors(count: number, dimensions: number, seed: number, spread = 0.6): Float32Array[] {
  const random = randomNumbers(seed);
  const number = (): number => random() + random() + random() - 1.5;
  const common = Float64Array.from({ length: dimensions }, number);
  return Array.from({ length: count }, () => unit(common.map((one) => one + spread * number())));
}

export function unit(vector: ArrayLike<number>): Float32Array {
  const length = Math.hypot(...Array.from(vector));
  return Float32Array.from(vector, (number) => number / length);
}

/** The streams of a package with these vectors. */
export function streamsOf(vectors: readonly Float32Array[], dimensions: number) {
  const rows = new VectorRows(dimensions, vectors.length);
  vectors.forEach((vector, row) => {
    rows.set(row, vector);
  });
  const { codes, halves } = rows.streams();
  return { codes: joined(codes), halves: joined(halves) };
}

export function indexOf(vectors: readonly Float32Array[], dimensions = vectors[0]!.length): VectorIndex {
  const { codes, halves } = streamsOf(vectors, dimensions);
  return new VectorIndex({ codes: stream(codes), halves: stream(halves) }, vectors.length, dimensions);
}

export function joined(chunks: Iterable<Uint8Array>): Uint8Array {
  return new Uint8Array(Buffer.concat([...chunks]));
}
