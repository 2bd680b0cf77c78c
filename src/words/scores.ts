import { GROUP_BITS, newTermScores, type TermScores } from "./bm25.js";

/** A passage with a score less than this has none. */
const LEAST = Number.MIN_VALUE;

/** What the answers weigh: the best score of each comes to its weight. */
export interface Weights {
  readonly byStem: number;
  readonly byLikeness: number;
}

/** What the passages of all mounted packages score for one question: in the answer by stem, in that by likeness, and in both. */
export class PassageScores {
  readonly byStem: TermScores;
  readonly byLikeness: TermScores;
  #factors: Weights = { byStem: 0, byLikeness: 0 };

  constructor(
    readonly passages: number,
    private readonly weights: Weights,
  ) {
    this.byStem = newTermScores(passages);
    this.byLikeness = newTermScores(passages);
  }

  /** Forgets the question before. */
  clear(): void {
    for (const { byPassage, greatest } of [this.byStem, this.byLikeness]) {
      byPassage.fill(0);
      greatest.fill(0);
    }
  }

  /** Puts the answers together, once all terms are added. */
  end(): void {
    const factor = ({ greatest }: TermScores, weight: number): number => {
      const most = greatest.reduce((most, one) => Math.max(most, one), 0);
      return most > 0 ? weight / most : 0;
    };
    this.#factors = {
      byStem: factor(this.byStem, this.weights.byStem),
      byLikeness: factor(this.byLikeness, this.weights.byLikeness),
    };
  }

  /** The score of a passage; 0 where none of the question's words is. */
  at(passage: number): number {
    const { byStem, byLikeness } = this.#factors;
    return this.byStem.byPassage[passage]! * byStem + this.byLikeness.byPassage[passage]! * byLikeness;
  }

  /** How many passages have a score. Whether one does nobody can foresee, a processor neither. */
  count(): number {
    const [a, b] = [this.byStem, this.byLikeness].map(({ byPassage }) => new Int32Array(byPassage.buffer)) as [
      Int32Array,
      Int32Array,
    ];
    let count = 0;
    // No score is negative, so that none but 0 has no bit.
    for (let i = 0; i < a.length; i++) count += -(a[i]! | b[i]!) >>> 31;
    return count;
  }

  /** Tells of every passage whose score is `least()` or more, which may rise meanwhile. */
  forEach(least: () => number, tell: (passage: number, score: number) => void): void {
    const [stem, likeness] = [this.byStem.greatest, this.byLikeness.greatest];
    const { byStem, byLikeness } = this.#factors;
    let wanted = Math.max(LEAST, least());
    for (let group = 0; group < stem.length; group++) {
      // No score of the group is greater, for rounding keeps the order.
      if (stem[group]! * byStem + likeness[group]! * byLikeness < wanted) continue;
      const end = Math.min(this.passages, (group + 1) << GROUP_BITS);
      for (let passage = group << GROUP_BITS; passage < end; passage++) {
        const score = this.at(passage);
        if (score < wanted) continue;
        tell(passage, score);
        wanted = Math.max(LEAST, least());
      }
    }
  }
}
