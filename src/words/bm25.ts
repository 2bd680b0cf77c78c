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

/**
 * Adds one term to the scores of the passages that hold it, which come to be greater than 0, and empties it.
 * @param unit what a frequency of 1 is in `term.sums`
 * @param weight how many times the term counts, its idf included
 * @param scores by passage
 * @returns the greatest score that came of it
 */
export function addTerm(
  term: Accumulator,
  unit: number,
  weight: number,
  k1: number,
  norms: Float32Array,
  scores: Float32Array,
): number {
  const { sums, touched, count } = term;
  const factor = weight * (k1 + 1);
  const scale = k1 * unit;
  let greatest = 0;
  for (let i = 0; i < count; i++) {
    const passage = touched[i]!;
    const sum = sums[passage]!;
    // sum / unit is the frequency; both sides of the fraction are multiplied by unit.
    const score = Math.fround(scores[passage]! + (factor * sum) / (sum + scale * norms[passage]!));
    scores[passage] = score;
    if (score > greatest) greatest = score;
    sums[passage] = 0;
  }
  term.count = 0;
  return greatest;
}
