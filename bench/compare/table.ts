import { median } from "../measures.js";
import type { Comparison, Round, Standing } from "./compare.js";

/** One line of the table for each contender and size: medians over the rounds. */
export function comparisonTable(comparisons: readonly Comparison[]): string {
  return comparisons.map(sizeTable).join("\n\n");
}

function sizeTable({ passages, markdownBytes, standings }: Comparison): string {
  const megabytes = markdownBytes / 1e6;
  const rows = standings.map((standing) => {
    const { name, asked, encrypted, cannot, rounds } = standing;
    const title = `${encrypted ? "" : "*"}${name}, ${asked}${encrypted ? "" : "*"}`;
    if (rounds.length === 0) return `| ${title} | – | – | – | – | – | – | – | ${cannot ?? "not measured"} |`;
    const own = standings.find(({ id }) => id === (asked === "words" ? "mdcx" : "mdcx-meaning"));
    const middle = (of: (round: Round) => number): number => median(rounds.map(of));
    return `| ${[
      title,
      packing(standing, megabytes),
      (middle(({ fileBytes }) => fileBytes) / markdownBytes).toFixed(2),
      number(middle(({ open }) => open)),
      `${middle(({ first }) => first.seconds).toFixed(2)} s, ${middle(({ first }) => first.megabytes).toFixed(0)} MB`,
      [middle(({ warm }) => warm.p50), middle(({ warm }) => warm.p95), middle(({ warm }) => warm.p99)]
        .map(number)
        .join(" / "),
      middle(({ warm }) => warm.megabytes).toFixed(0),
      ratios(standing, own, ({ first }) => first.seconds),
      ratios(standing, own, ({ warm }) => warm.p50) + (cannot === undefined ? "" : `; then ${cannot}`),
    ].join(" | ")} |`;
  });
  return [
    `**${passages.toLocaleString("en")} passages, ${megabytes.toFixed(megabytes < 10 ? 1 : 0)} MB of Markdown** (*not encrypted* in italics; medians of ${Math.max(...standings.map(({ rounds }) => rounds.length))} rounds)`,
    "",
    "| | build: MB/s, peak | file / Markdown | open, ms | first answer, whole process | warm p50 / p95 / p99, ms | MB, warm | first answer, times mdcx | warm p50, times mdcx |",
    "|---|---|---|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

/** Megabytes of Markdown a second, and the most memory that it took. */
function packing({ rounds, id }: Standing, megabytes: number): string {
  // With the vectors made up, its time would be nobody's: what encoding takes is the part `encoder`.
  if (id === "mdcx-meaning") return "–";
  const built = rounds.flatMap(({ build }) => (build === undefined ? [] : [build]));
  return `${number(megabytes / median(built.map(({ seconds }) => seconds)))}, ${median(built.map((one) => one.megabytes)).toFixed(0)} MB`;
}

/** Round by round against mdcx in the same round: the median, and between what they lay. */
export function ratios(standing: Standing, own: Standing | undefined, of: (round: Round) => number): string {
  if (own === undefined || own === standing) return standing === own ? "1" : "–";
  const all = ratioOf(standing, own, of);
  return all.length === 0 ? "–" : `${number(median(all))} (${number(Math.min(...all))}–${number(Math.max(...all))})`;
}

export function ratioOf(standing: Standing, own: Standing, of: (round: Round) => number): number[] {
  return standing.rounds.flatMap((round, i) => {
    const beside = own.rounds[i];
    return beside === undefined ? [] : [of(round) / of(beside)];
  });
}

/** Two figures that say something, never more. */
function number(value: number): string {
  if (value >= 99.5) return value.toFixed(0);
  return value >= 9.95 ? value.toFixed(0) : value.toFixed(value >= 0.995 ? 1 : 2);
}
