/** Ten passages are asked for, everywhere. */
export const HITS = 10;

/** Candidates that each ranking gives where two are fused. */
export const CANDIDATES = 100;

/** A question as its engine gets it. */
export interface Question {
  readonly text: string;
  /** Its vector, where it is also asked by meaning: nobody's time holds the encoder's. */
  readonly vector?: Float32Array;
}

/** What an index is made of: files, so that each peer reads in the same way and no bigger collection has to fit memory. */
export interface Passages {
  /** Lines of JSON: [path, text]. */
  readonly lines: AsyncIterable<readonly [path: string, text: string]>;
  /** The vectors in the same order, where meaning is indexed too. */
  readonly vectors?: AsyncIterable<Float32Array>;
}

/** An index that can be asked. */
export interface Opened {
  /** Texts of the best passages, best first: an index that only gives numbers has not answered. */
  ask(question: Question): readonly string[] | Promise<readonly string[]>;
  close(): void | Promise<void>;
}

/** A library as a user would write it down: makes an index under a path, opens it again. */
export interface Engine {
  build(passages: Passages, target: string): Promise<void>;
  open(target: string): Promise<Opened>;
}

/**
 * Puts two rankings together as the reciprocal ranks say (Cormack, Clarke, Büttcher 2009), for engines that leave it to
 * their user.
 */
export function fused<T>(...rankings: readonly (readonly T[])[]): T[] {
  const scores = new Map<T, number>();
  for (const ranking of rankings)
    ranking.forEach((item, rank) => scores.set(item, (scores.get(item) ?? 0) + 1 / (60 + rank + 1)));
  return [...scores].sort(([, a], [, b]) => b - a).map(([item]) => item);
}
