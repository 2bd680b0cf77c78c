import type { Accumulator } from "./postings.js";

/** How much a term tells that `documents` of `passages` passages hold (BM25, Robertson and Zaragoza 2009, §3.2); never negative. */
export function inverseDocumentFrequency(passages: number, documents: number): number {
  return Math.log(1 + (passages - documents + 0.5) / (documents + 0.5));
}

/** `1 - b + b * length / mean length` of every passage, what its frequencies are held against. */
export function lengthNorms(lengths: readonly (Uint16Array | Uint32Array)[], words: number, b: number): Float32Array {
  const passages = lengths.reduce((sum, list) => sum + list.length, 0);
  const mean = Math.max(words, 1) / Math.max(passages, 1);
  const norms = new Float32Array(passages);
  let at = 0;
  for (const list of lengths) {
    for (const length of list) norms[at++] = 1 - b + (b * length) / mean;
  }
  return norms;
}

/** Passages of which the greatest score is told, as a power of two: whoever looks for great ones passes over the others by the group. */
export const GROUP_BITS = 8;

/** What terms came to by passage, 0 where none is, and the greatest of each group. */
export interface TermScores {
  readonly byPassage: Float32Array;
  readonly greatest: Float32Array;
}

export function newTermScores(passages: number): TermScores {
  return {
    byPassage: new Float32Array(passages),
    greatest: new Float32Array(Math.ceil(passages / 2 ** GROUP_BITS)),
  };
}

/**
 * Adds one term to the scores of the passages that hold it, which come to be greater than 0, and empties it.
 * @param unit what a frequency of 1 is in `term.sums`
 * @param weight how many times the term counts, its idf included
 */
export function addTerm(
  term: Accumulator,
  unit: number,
  weight: number,
  k1: number,
  norms: Float32Array,
  { byPassage, greatest }: TermScores,
): void {
  const { sums, touched, count } = term;
  const factor = weight * (k1 + 1);
  const scale = k1 * unit;
  for (let i = 0; i < count; i++) {
    const passage = touched[i]!;
    const sum = sums[passage]!;
    // sum / unit is the frequency; both sides of the fraction are multiplied by unit.
    const score = Math.fround(byPassage[passage]! + (factor * sum) / (sum + scale * norms[passage]!));
    byPassage[passage] = score;
    if (score > greatest[passage >> GROUP_BITS]!) greatest[passage >> GROUP_BITS] = score;
    sums[passage] = 0;
  }
  term.count = 0;
}
