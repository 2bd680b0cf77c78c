import type { GoldenQuestion } from "./golden.js";

/** What is measured of a ranking of documents; each from 0 to 1, the more the better. */
export const MEASURES = ["hit@1", "recall@3", "mrr", "ndcg@5"] as const;

export type Measure = (typeof MEASURES)[number];
export type Measures = Readonly<Record<Measure, number>>;

/** The means over some questions. */
export interface Figures extends Measures {
  readonly questions: number;
}

/**
 * Measures one ranking. A question that `any` of its documents answers is answered by the first of them, and asks for no
 * other; one that needs `all` recalls the share of them that was found. nDCG has gain 1 and discount log2(rank + 1).
 *
 * @param ranked documents, best first, none twice
 */
export function measure(ranked: readonly string[], { documents, needs }: GoldenQuestion): Measures {
  const wanted = new Set(documents);
  const ranks = ranked.flatMap((document, at) => (wanted.has(document) ? [at + 1] : []));
  const counted = needs === "any" ? ranks.slice(0, 1) : ranks;
  const ideal = needs === "any" ? 1 : wanted.size;
  const first = ranks[0];
  const gain = (rank: number): number => 1 / Math.log2(rank + 1);
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
  return {
    "hit@1": first === 1 ? 1 : 0,
    "recall@3": counted.filter((rank) => rank <= 3).length / ideal,
    mrr: first === undefined ? 0 : 1 / first,
    "ndcg@5":
      sum(counted.filter((rank) => rank <= 5).map(gain)) /
      sum(Array.from({ length: Math.min(5, ideal) }, (_, at) => gain(at + 1))),
  };
}

/** The mean of each measure; zeros over no question. */
export function average(measured: readonly Measures[]): Figures {
  const mean = (name: Measure): number =>
    measured.reduce((sum, one) => sum + one[name], 0) / Math.max(1, measured.length);
  return {
    questions: measured.length,
    "hit@1": mean("hit@1"),
    "recall@3": mean("recall@3"),
    mrr: mean("mrr"),
    "ndcg@5": mean("ndcg@5"),
  };
}

/** How often the package said that it is not about a question. */
export interface Warnings {
  readonly unanswerable: number;
  /** Of the unanswerable: warned of, as they should be. */
  readonly flagged: number;
  readonly answerable: number;
  /** Of the answerable: warned of, as they should not be. */
  readonly wronglyFlagged: number;
}

/** Of the answerable questions at most this share should be warned of. */
export const MOST_WRONGLY_FLAGGED = 0.05;

/** Both counts as shares of the questions of their kind; 0 where there is none. */
export function shares({ unanswerable, flagged, answerable, wronglyFlagged }: Warnings): {
  readonly flagged: number;
  readonly wronglyFlagged: number;
} {
  return { flagged: flagged / Math.max(1, unanswerable), wronglyFlagged: wronglyFlagged / Math.max(1, answerable) };
}
