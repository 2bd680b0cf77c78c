import { MdcxError } from "./errors.js";
import { LIMITS } from "./image/schema.js";
import type { Calibration } from "./ranking/calibration.js";
import { LONGEST_QUESTION } from "./asked-question.js";

/** The questions by which a package was calibrated, where somebody chose them. */
export function focusOf(meaning: { readonly calibration: Calibration | undefined }): readonly string[] | undefined {
  const { calibration } = meaning;
  if (calibration === undefined || calibration.origin === "estimated") return undefined;
  return calibration.questions.map(({ question }) => question);
}

/**
 * Refuses questions of calibration that a package could not keep, or that nobody could ask, before anything is encoded.
 *
 * @throws MdcxError `bad-input`
 */
export function requireFocus(questions: readonly string[]): void {
  if (questions.length > LIMITS.questions)
    throw new MdcxError(
      "bad-input",
      `${questions.length} questions of calibration are more than the ${LIMITS.questions} that a package keeps: give fewer.`,
    );
  for (const question of questions) {
    if (question.trim() === "")
      throw new MdcxError("bad-input", "A question of calibration is empty: give one that the package answers.");
    if (question.length > LONGEST_QUESTION)
      throw new MdcxError(
        "bad-input",
        `A question of calibration has ${question.length.toLocaleString("en")} characters and at most ${LONGEST_QUESTION.toLocaleString("en")} can be asked: shorten “${question.slice(0, 40)}…”.`,
      );
  }
}
