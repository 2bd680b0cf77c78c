import type { MeaningSummary } from "../src/pack-entry.js";
import { errorRates } from "./error-rates.js";
import { counted, note, printableLine } from "./print.js";

/** The model, what it encoded, and what of it was known before. */
export function meaningLine(meaning: MeaningSummary): string {
  const parts = [
    `${meaning.encoded.toLocaleString("en")} encoded`,
    meaning.reused > 0 && `${meaning.reused.toLocaleString("en")} reused`,
    meaning.repeated > 0 && `${meaning.repeated.toLocaleString("en")} with the text of another`,
    meaning.windowed > 0 && `${meaning.windowed.toLocaleString("en")} longer than its window and read in parts`,
  ].filter((part) => part !== false);
  return `${printableLine(meaning.model)}: ${parts.join(", ")}`;
}

/** From where a package answers, how that was found, and how often it is wrong. */
export function calibrationLine(meaning: MeaningSummary, inherited: boolean): string | undefined {
  const { answerableAt } = meaning;
  if (answerableAt === null) return undefined;
  const origin =
    answerableAt.origin === "estimated"
      ? "estimated from its own passages"
      : `from the focus questions${inherited ? " that it had before" : ""}`;
  const tried = errorRates(meaning);
  return `from ${answerableAt.value.toFixed(2)}, ${origin}${tried === "" ? "" : ` (of questions tried: ${tried})`}`;
}

/** The same for a program. */
export function forProgramMeaning(meaning: MeaningSummary, inherited: boolean): Record<string, unknown> {
  return {
    model: meaning.model,
    encoded: meaning.encoded,
    reused: meaning.reused,
    repeated: meaning.repeated,
    windowed: meaning.windowed,
    tokens: meaning.tokens,
    seconds_encode: meaning.seconds,
    answerable_at: meaning.answerableAt,
    focus_inherited: inherited,
    false_alarms: meaning.falseAlarms,
    misses: meaning.misses,
  };
}

/** Foreign questions that would not warn, from which on the questions given are doubted; the model's own line lets 5 to 15 % pass. */
const MOST_MISSES = 0.3;
/** So few questions say little about the weakest that is still answered. */
const FEW_QUESTIONS = 5;

/** Says what makes a calibration from questions doubtful. */
export function noteDoubts({
  misses,
  questions,
}: {
  readonly misses: number | null;
  readonly questions: number;
}): void {
  if (misses !== null && misses > MOST_MISSES)
    note(
      "mdcx: warning: a question given for the calibration is no nearer to the package than questions about anything else, so it will hardly warn: does the package answer each of them?",
    );
  else if (questions > 0 && questions < FEW_QUESTIONS)
    note(
      `mdcx: ${counted(questions, "question")} for the calibration is little: easy ones draw the line too high; ten or more, hard ones among them, draw it well.`,
    );
}
