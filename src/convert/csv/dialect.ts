/** Which sign separates the cells of a text table. */
import Papa from "papaparse";

const DELIMITERS = [",", ";", "\t", "|"] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** Rows that are looked at. */
const PREVIEW = 200;

/**
 * The delimiter that gives most rows the same number of cells. Between two that do equally well a comma between digits is
 * a decimal one, and what the extension says decides last.
 */
export function guessDelimiter(text: string, extension: string): Delimiter {
  const usual: Delimiter = extension === "tsv" || extension === "tab" ? "\t" : extension === "psv" ? "|" : ",";
  let best = usual as Delimiter;
  let most = 0;
  for (const delimiter of new Set([usual, ...DELIMITERS])) {
    const score = regularity(text, delimiter) * (delimiter === "," && isDecimal(text) ? 0.8 : 1);
    if (score > most) {
      most = score;
      best = delimiter;
    }
  }
  return best;
}

/** Share of the rows that have the most frequent number of cells, if that is at least two; a little more for more cells. */
function regularity(text: string, delimiter: Delimiter): number {
  const { data } = Papa.parse<string[]>(text.slice(0, 200_000), { delimiter, preview: PREVIEW, skipEmptyLines: true });
  const counts = new Map<number, number>();
  for (const row of data) if (row.length > 1) counts.set(row.length, (counts.get(row.length) ?? 0) + 1);
  let score = 0;
  for (const [cells, rows] of counts) score = Math.max(score, rows / data.length + Math.min(cells, 10) / 1_000);
  return score;
}

function isDecimal(text: string): boolean {
  const start = text.slice(0, 20_000);
  const commas = start.match(/,/g)?.length ?? 0;
  const decimal = start.match(/\d,\d/g)?.length ?? 0;
  return commas > 0 && decimal > 0.8 * commas && start.includes(";");
}
