import type { ConversionFigures } from "../src/conversion-tally.js";
import { percent } from "../src/convert/run/totals.js";
import { counted } from "./print.js";

/** How many documents were converted, and what their certificates come to; undefined where none was. */
export function conversionLine(figures: ConversionFigures | null): string | undefined {
  if (figures === null) return undefined;
  const { documents, words, words_lost: lost } = figures;
  const statuses = (["ok", "warn", "fail", "unverifiable"] as const)
    .filter((status) => figures[status] > 0)
    .map((status) => `${figures[status]} ${status}`);
  const coverage = words === 0 ? "" : `; ${percent(1 - lost / words)} of ${counted(words, "word")}`;
  return `${counted(documents, "document")}: ${statuses.join(", ")}${coverage}`;
}
