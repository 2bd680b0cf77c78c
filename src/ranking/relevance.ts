import type { AnswerableOrigin } from "../format/claims.js";
import type { Calibration, Reference } from "./calibration.js";

/** How much a package has to do with a question, by its own calibration; from most to nothing. */
export const BANDS = ["strong", "near", "weak", "none"] as const;
export type Band = (typeof BANDS)[number];

/** What the bands mean, in a sentence for agents. */
export const BAND_MEANINGS =
  "How near the packages come to the question by meaning: strong, as near as to half of the questions that they answer; " +
  "near, as to four in five of those; weak, less near, but nearer than to questions on other subjects; none, no nearer than that.";

/** What a similarity says. */
export interface Judgement {
  readonly band: Band;
  /** One or two sentences for person and agent; only where the band is `none`. */
  readonly warning?: string;
}

/** A question as far as its judgement depends on it. */
export interface JudgedQuestion {
  /** Its vector, of unit length: some questions are near to everything, which is taken off. */
  readonly vector: Float32Array;
  /** Whether it is in a language that the package is not in, for sure. Its answers then lie further away. */
  readonly crosses: boolean;
}

/** How near a package comes to a text. */
export interface Closeness {
  /** Cosine of the nearest passage. */
  readonly similarity: number;
  /**
   * By how much that stands above what the text has in common with anything: with its mean similarity to passages all
   * over the package and to everyday questions. `null` without a calibration.
   */
  readonly clearance: number | null;
}

/**
 * How far from what strangers reach to what questions with an answer reach the line is drawn, by where the latter comes
 * from. Set by bench/meaning-warnings.ts: the least that still warns of four in five questions from elsewhere, where one
 * in twenty with an answer would be too many.
 */
export const MARGINS: Readonly<Record<AnswerableOrigin, number>> = {
  estimated: 0.74,
  focus: 0.95,
  "focus-after": 0.95,
};

const WARNING =
  "Nothing here seems to be about this question: the nearest passage is no nearer than passages are to questions on other " +
  "subjects. The passages are given all the same; trust only what their text itself says.";

/**
 * The similarity below which a question of ordinary wording warns.
 *
 * @param crosses for one in another language than the package: a model draws those together less, so that the line is
 * where strangers are on average, and what is not surely off the subject passes
 */
export function warnsBelow(
  { strangers, answerableAt, margin }: Pick<Calibration, "strangers" | "answerableAt" | "margin">,
  crosses = false,
): number {
  const line = crosses ? strangers : strangers + margin * (answerableAt - strangers);
  // Where strangers come nearer than own questions the formula would draw its line above both.
  return Math.min(line, answerableAt);
}

/** A similarity as it would be of a question that is as near to anything as questions are on average. */
export function comparable(similarity: number, { direction, weight, level }: Reference, vector: Float32Array): number {
  return similarity - weight * product(vector, direction) + level;
}

/**
 * What the similarity of the nearest passage says about a package.
 *
 * @param question without it the similarity is taken as it is, which is right for one of ordinary wording alone
 */
export function judge(similarity: number, calibration: Calibration, question?: JudgedQuestion): Judgement {
  const value = question === undefined ? similarity : comparable(similarity, calibration.reference, question.vector);
  if (value < warnsBelow(calibration, question?.crosses)) return { band: "none", warning: WARNING };
  if (value < calibration.answerableAt) return { band: "weak" };
  return { band: value < calibration.typical ? "near" : "strong" };
}

/** Whether a package bears on a question: whether `judge` does not warn. */
export function answers(similarity: number, calibration: Calibration, question?: JudgedQuestion): boolean {
  return judge(similarity, calibration, question).band !== "none";
}

/** @param vector of the text; without it, and by the calibration alone, an ordinary one is assumed */
export function closeness(similarity: number, calibration?: Calibration, vector?: Float32Array): Closeness {
  if (calibration === undefined) return { similarity, clearance: null };
  const { direction, weight, level } = calibration.reference;
  const common = vector === undefined ? level : weight * product(vector, direction);
  return { similarity, clearance: similarity - common };
}

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
