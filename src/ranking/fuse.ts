/**
 * One order out of the rankings by words and by meaning (spec/fusion.md). Only ranks are added: a score of words and a
 * cosine have no common measure, and neither leaves its ranking.
 */

/** How deep each ranking is fused: this many passages by words, and by meaning as many on each side (spec/fusion.md). */
export const DEPTH = 50;

/**
 * How deep meaning is asked for it. A model finds the question's own language nearer, so that what answers in another one
 * stands far behind much that does not: of the nearest 64 the first 50 are fused that words can speak for, and the first
 * 50 that they cannot. Each one more is a vector to be compared, in a package of 100,000 passages a page to be read.
 */
export const MEANING_DEPTH = 64;

/**
 * The constant of reciprocal rank: what the first places stand out by. With the usual 60 any passage that both rankings
 * hold comes before the first of one alone, however deep they are asked; 10 is the best over the bench's collections.
 */
export const K = 10;

/**
 * How much the rank by meaning counts once more for a passage in the question's language that shares no word with it, where
 * words were asked to their end: in a small package it would come after every passage in another language (spec/fusion.md §1).
 */
const UNSHARED = 0.5;

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
  /** The rankings that hold it and were counted. */
  readonly foundBy: readonly Finder[];
}

/** The same with what it was placed by, for a ranking that joins later. */
export interface Weighed extends Fused {
  /** Sum of the reciprocal ranks. */
  readonly sum: number;
}

export interface WeighOptions {
  /** Whether words can tell about a passage: not where it is in another language than the question. */
  wordsSpeakFor(hit: Ranked): boolean;
  /** Whether meaning can: not where its package has no vectors of the question's model. All may, unless given. */
  meaningSpeaksFor?(hit: Ranked): boolean;
  /** Order of two that are equal; independent of the order of mounting. It may have to read where they stand. */
  order(a: Ranked, b: Ranked): number;
  /** How many of the first places are looked at; behind them what is equal stands in any order. All, unless given. */
  readonly looked?: number;
}

export interface FuseOptions extends WeighOptions {
  /** How many at most. */
  readonly limit: number;
}

interface Placed {
  readonly hit: Ranked;
  readonly foundBy: Finder[];
  sum: number;
}

/**
 * Fuses by reciprocal rank, each ranking only where it can speak. A ranking that can speak for a passage and does not hold
 * it within its depth counts nothing. For one that cannot, the other stands in: with the passage's rank among those that
 * it alone can speak for, since there the first of them is what the first would have been.
 *
 * A passage for which neither can speak keeps its rank by words, and nothing stands in.
 *
 * @param words passages by words, best first
 * @param meaning passages by meaning, nearest first, `MEANING_DEPTH` of them
 */
export function fuse(words: readonly Ranked[], meaning: readonly Ranked[], options: FuseOptions): Fused[] {
  return weigh(words, meaning, { looked: options.limit, ...options })
    .slice(0, options.limit)
    .map(({ package: at, passage, foundBy }) => ({ package: at, passage, foundBy }));
}

/** What `fuse` gives the best of: all passages that either ranking holds, with their sums. */
export function weigh(words: readonly Ranked[], meaning: readonly Ranked[], options: WeighOptions): Weighed[] {
  const wordsSpeak = (hit: Ranked): boolean => options.wordsSpeakFor(hit);
  const meaningSpeaks = (hit: Ranked): boolean => options.meaningSpeaksFor?.(hit) ?? true;
  const placed = new Map<string, Placed>();
  // What words asked to their end do not hold shares no word with the question; it matters beside other languages alone.
  const wordsEnd = words.length < DEPTH && meaning.some((hit) => meaningSpeaks(hit) && !wordsSpeak(hit));
  const count = (by: Finder, hits: readonly Ranked[], otherSpeaks: (hit: Ranked) => boolean): void => {
    let alone = 0;
    hits.forEach((hit, i) => {
      const key = `${hit.package}/${hit.passage}`;
      let place = placed.get(key);
      if (place === undefined) placed.set(key, (place = { hit, foundBy: [], sum: 0 }));
      place.foundBy.push(by);
      place.sum += 1 / (K + i + 1);
      if (!otherSpeaks(hit) && (by === "meaning" || wordsSpeak(hit))) place.sum += 1 / (K + ++alone);
      else if (by === "meaning" && wordsEnd && !place.foundBy.includes("word")) place.sum += UNSHARED / (K + i + 1);
    });
  };
  count(
    "word",
    words.filter((hit) => wordsSpeak(hit) || !meaningSpeaks(hit)),
    meaningSpeaks,
  );
  const sides = [0, 0];
  const withinDepth = (hit: Ranked): boolean => sides[wordsSpeak(hit) ? 0 : 1]!++ < DEPTH;
  count(
    "meaning",
    meaning.filter((hit) => meaningSpeaks(hit) && withinDepth(hit)),
    wordsSpeak,
  );
  return decided([...placed.values()], options).map(({ hit, foundBy, sum }) => ({
    package: hit.package,
    passage: hit.passage,
    foundBy,
    sum,
  }));
}

/** Greatest sum first, then what both hold. Equal ones are decided only within the places that are looked at. */
function decided(placed: Placed[], options: WeighOptions): Placed[] {
  const { looked = Infinity } = options;
  const compare = (a: Placed, b: Placed): number => b.sum - a.sum || b.foundBy.length - a.foundBy.length;
  placed.sort(compare);
  for (let start = 0; start < Math.min(looked, placed.length);) {
    let end = start + 1;
    while (end < placed.length && compare(placed[start]!, placed[end]!) === 0) end++;
    if (end > start + 1)
      placed.splice(start, end - start, ...placed.slice(start, end).sort((a, b) => options.order(a.hit, b.hit)));
    start = end;
  }
  return placed;
}
