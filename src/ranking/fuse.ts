/**
 * One order out of the rankings by words and by meaning (spec/fusion.md). Only ranks are added: a score of words and a
 * cosine have no common measure, and neither leaves its ranking.
 */

/** How deep each ranking is asked. */
export const DEPTH = 50;

/** The constant of reciprocal rank: the larger, the less the first places stand out. */
const K = 60;

/** A passage in its place in a ranking: the list is the order. */
export interface Ranked {
  /** Place of its package among the mounted ones. */
  readonly package: number;
  /** Its number in that package. */
  readonly passage: number;
}

/** What finds passages. */
export type Finder = "word" | "meaning";

/** A passage in the fused order. It carries no score: what it was placed by means nothing outside the answer. */
export interface Fused extends Ranked {
  /** The rankings that hold it and can speak for it. */
  readonly foundBy: readonly Finder[];
}

export interface FuseOptions {
  /** How many at most. */
  readonly limit: number;
  /** Whether words can tell about a passage: not where it is in another language than the question. */
  wordsSpeakFor(hit: Ranked): boolean;
  /** Whether meaning can: not where its package has no vectors of the question's model. All may, unless given. */
  meaningSpeaksFor?(hit: Ranked): boolean;
  /** Order of two that are equal; independent of the order of mounting. */
  order(a: Ranked, b: Ranked): number;
}

interface Places {
  readonly hit: Ranked;
  /** Rank from 1 by what found it. */
  readonly ranks: Map<Finder, number>;
}

/**
 * Fuses by reciprocal rank, each ranking only where it can speak. A passage that one ranking cannot speak for has the
 * mean of the others counted in its place, so that it stands neither above nor below one that both place alike; a
 * ranking that can speak and does not hold a passage within its depth counts nothing for it.
 *
 * @param words passages by words, best first
 * @param meaning passages by meaning, nearest first
 */
export function fuse(words: readonly Ranked[], meaning: readonly Ranked[], options: FuseOptions): Fused[] {
  const meaningSpeaks = (hit: Ranked): boolean => options.meaningSpeaksFor?.(hit) ?? true;
  const found = new Map<string, Places>();
  const add = (by: Finder, hits: readonly Ranked[]): void => {
    hits.forEach((hit, i) => {
      const key = `${hit.package}/${hit.passage}`;
      let places = found.get(key);
      if (places === undefined) found.set(key, (places = { hit, ranks: new Map() }));
      places.ranks.set(by, i + 1);
    });
  };
  add(
    "word",
    words.filter((hit) => options.wordsSpeakFor(hit)),
  );
  add("meaning", meaning.filter(meaningSpeaks));
  const scored = Array.from(found.values(), ({ hit, ranks }) => {
    let sum = 0;
    for (const rank of ranks.values()) sum += 1 / (K + rank);
    const speaking = (options.wordsSpeakFor(hit) ? 1 : 0) + (meaningSpeaks(hit) ? 1 : 0);
    return { hit, foundBy: [...ranks.keys()], score: sum / speaking };
  });
  scored.sort((a, b) => b.score - a.score || options.order(a.hit, b.hit));
  return scored
    .slice(0, options.limit)
    .map(({ hit, foundBy }) => ({ package: hit.package, passage: hit.passage, foundBy }));
}
