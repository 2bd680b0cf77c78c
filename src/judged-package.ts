import type { Near } from "./meaning/nearest.js";
import type { Calibration } from "./ranking/calibration.js";
import type { Ranked } from "./ranking/fuse.js";
import { crosses } from "./ranking/question-language.js";
import { judge, JUDGED_PASSAGES, runnerUp, type Judgement } from "./ranking/relevance.js";

/** A package's judgement of a question, and the cosine of its nearest passage. */
export interface JudgedPackage extends Judgement {
  readonly similarity: number;
}

/** The question's language, `und` where it cannot be told, and those of the passages. */
export interface Languages {
  readonly language: string;
  readonly languageOf: (hit: Ranked) => string;
}

/**
 * How near a package comes to a question, by its own calibration; undefined where nothing was found in it.
 *
 * @param hits the nearest passages of this package, first the nearest within their language
 * @param vector of the question
 */
export function judgePackage(
  calibration: Calibration,
  hits: readonly Near[],
  vector: Float32Array,
  { language, languageOf }: Languages,
): JudgedPackage | undefined {
  if (hits.length === 0) return undefined;
  const similarities = hits.map(({ similarity }) => similarity).sort((a, b) => b - a);
  const foreign = hits.slice(0, JUDGED_PASSAGES).map((hit) => crosses(language, languageOf(hit)));
  // Where the nearest of all is in another language, so is the answer, if there is one.
  const crossing = foreign[0] === true ? 1 : foreign.filter(Boolean).length / foreign.length;
  const question = { vector, runnerUp: runnerUp(similarities)!, crossing };
  return { similarity: similarities[0]!, ...judge(similarities[0]!, calibration, question) };
}
