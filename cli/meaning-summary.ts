import type { MeaningSummary } from "../src/pack-entry.js";
import { errorRates } from "./error-rates.js";
import { printableLine } from "./print.js";

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
  return `from ${answerableAt.value.toFixed(3)}, ${origin}${errorRates(meaning)}`;
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
