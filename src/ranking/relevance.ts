import type { AnswerableOrigin } from "../format/claims.js";
import type { Calibration, Reference } from "./calibration.js";
import { product } from "../meaning/product.js";

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
  /**
   * Cosine of the fifth nearest passage of the package (of its last, where it has fewer): `runnerUp` of its similarities. What
   * is answered stands out; a question about nothing here has many passages equally near. Without it an ordinary one is assumed.
   */
  readonly runnerUp?: number;
  /**
   * Share of the nearest passages that are, for sure, in another language than the question: 1 for a package that is not in
   * it at all. Answers in another language lie further away.
   */
  readonly crossing: number;
}

/** How near a package comes to a text. */
export interface Closeness {
  /** Cosine of the nearest passage. */
  readonly similarity: number;
  /**
   * What is left of that when a part of what the text has in common with many passages here, and with everyday questions,
   * is taken off. `null` without a calibration.
   */
  readonly clearance: number | null;
}

/**
 * How far from what strangers reach to what questions with an answer reach the line is drawn, by where the latter comes
 * from. Set by bench/meaning-warnings.ts: the least that still warns of four in five questions from elsewhere, where one
 * in twenty with an answer would be too many.
 */
export const MARGINS: Readonly<Record<AnswerableOrigin, number>> = {
  estimated: 0.72,
  focus: 0.95,
  "focus-after": 0.95,
};

const WARNING =
  "Nothing here seems to be about this question: the nearest passage is no nearer than passages are to questions on other " +
  "subjects. The passages are given all the same; trust only what their text itself says.";

/**
 * The similarity below which a question of ordinary wording warns.
 *
 * @param crossing share of the nearest passages in another language than the question: the model draws those together
 * less, and wholly across languages the line is what strangers reach
 */
export function warnsBelow(
  { strangers, answerableAt, margin }: Pick<Calibration, "strangers" | "answerableAt" | "margin">,
  crossing = 0,
): number {
  const line = strangers + (1 - crossing) * margin * (answerableAt - strangers);
  // Where strangers come nearer than own questions the formula would draw its line above both.
  return Math.min(line, answerableAt);
}

/** Which of the nearest passages a question's answer has to stand out from. */
const RUNNER_UP = 5;

/** How many passages to ask for, so that a question can be judged. */
export const JUDGED_PASSAGES = RUNNER_UP;

/** The similarity that an answer has to stand out from. @param similarities of the nearest passages of a package, greatest first */
export function runnerUp(similarities: readonly number[]): number | undefined {
  return similarities[Math.min(RUNNER_UP, similarities.length) - 1];
}

/** A similarity as it would be of a question with a runner-up, and as near to anything, as questions have and are on average. */
export function comparable(
  similarity: number,
  reference: Reference,
  question: Pick<JudgedQuestion, "vector" | "runnerUp">,
): number {
  return similarity - common(similarity, reference, question) + reference.level;
}

/** What a question has in common with many passages here and with everyday questions, as far as it is taken off. */
function common(
  similarity: number,
  { direction, weight, runnerUpWeight, gap }: Reference,
  { vector, runnerUp = similarity - gap }: Pick<JudgedQuestion, "vector" | "runnerUp">,
): number {
  return runnerUpWeight * runnerUp + weight * product(vector, direction);
}

/**
 * What the similarity of the nearest passage says about a package.
 *
 * @param question without it the similarity is taken as it is, which is right for one of ordinary wording alone
 */
export function judge(similarity: number, calibration: Calibration, question?: JudgedQuestion): Judgement {
  const value = question === undefined ? similarity : comparable(similarity, calibration.reference, question);
  if (value < warnsBelow(calibration, question?.crossing)) return { band: "none", warning: WARNING };
  if (value < calibration.answerableAt) return { band: "weak" };
  return { band: value < calibration.typical ? "near" : "strong" };
}

/**
 * Of how many of a question's words, weighed by their idf, one of the nearest passages must hold all the others together so
 * that the question is about them, however far it seems by meaning: a short question about a detail is near to nothing. Set
 * by bench/meaning-warnings.ts: of questions that are answered nine in ten hold as much, of foreign ones one in twenty.
 */
const COVERED = 0.5;

/**
 * Meaning alone does not warn: where the words of a question stand together in one of the nearest passages, it is about
 * them.
 *
 * @param coverage asked only where it could change something: share of the question's words, weighed by their idf, that
 * one of the nearest passages holds
 */
export function upheld(judgement: Judgement, coverage: () => number): Judgement {
  return judgement.warning !== undefined && coverage() >= COVERED ? { band: "weak" } : judgement;
}

/** Whether a package bears on a question: whether `judge` does not warn. */
export function answers(similarity: number, calibration: Calibration, question?: JudgedQuestion): boolean {
  return judge(similarity, calibration, question).band !== "none";
}

/**
 * @param vector of the text; without it, and by the calibration alone, an ordinary one is assumed
 * @param runnerUp as in JudgedQuestion
 */
export function closeness(
  similarity: number,
  calibration?: Calibration,
  vector?: Float32Array,
  runnerUp?: number,
): Closeness {
  if (calibration === undefined) return { similarity, clearance: null };
  const { reference } = calibration;
  const question = vector && { vector, ...(runnerUp !== undefined && { runnerUp }) };
  return { similarity, clearance: similarity - (question ? common(similarity, reference, question) : reference.level) };
}
