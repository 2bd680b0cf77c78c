import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { median } from "../measures.js";
import { logChart, type Curve } from "./chart.js";
import type { Comparison, Round } from "./compare.js";
import type { Asked } from "./contenders.js";

/** A plot: a file, what it shows, and the figure of a round. */
interface Plot {
  readonly file: string;
  readonly title: string;
  readonly yLabel: string;
  readonly asked: Asked;
  readonly of: (round: Round, markdownBytes: number) => number | undefined;
}

const PLOTS: readonly Plot[] = [
  {
    file: "warm-words.svg",
    title: "A warm question by words",
    yLabel: "median, milliseconds",
    asked: "words",
    of: ({ warm }) => warm.p50,
  },
  {
    file: "warm-meaning.svg",
    title: "A warm question by words and meaning, without the encoder",
    yLabel: "median, milliseconds",
    asked: "words and meaning",
    of: ({ warm }) => warm.p50,
  },
  {
    file: "first-answer.svg",
    title: "From starting the program to its first answer",
    yLabel: "whole process, seconds",
    asked: "words",
    of: ({ first }) => first.seconds,
  },
  {
    file: "memory.svg",
    title: "Memory for the first answer",
    yLabel: "whole process at its peak, MB",
    asked: "words",
    of: ({ first }) => first.megabytes,
  },
  {
    file: "build.svg",
    title: "Making the index",
    yLabel: "MB of Markdown a second",
    asked: "words",
    of: ({ build }, markdownBytes) => (build === undefined ? undefined : markdownBytes / 1e6 / build.seconds),
  },
  {
    file: "size.svg",
    title: "Size of the file, text and index",
    yLabel: "times the Markdown",
    asked: "words",
    of: ({ fileBytes }, markdownBytes) => fileBytes / markdownBytes,
  },
];

/** Writes the plots and says their names. */
export function writePlots(folder: string, comparisons: readonly Comparison[]): string[] {
  mkdirSync(folder, { recursive: true });
  return PLOTS.map(({ file, title, yLabel, asked, of }) => {
    const known = comparisons.flatMap(({ standings }) => standings.filter((one) => one.asked === asked));
    const curves: Curve[] = [...new Set(known.map(({ id }) => id))].map((id) => {
      const { name, encrypted } = known.find((one) => one.id === id)!;
      const points = comparisons.flatMap(({ passages, markdownBytes, standings }) => {
        const rounds = standings.find((one) => one.id === id)?.rounds ?? [];
        const figures = rounds.map((round) => of(round, markdownBytes)).filter((figure) => figure !== undefined);
        return figures.length === 0 ? [] : [[passages, median(figures)] as const];
      });
      return { name, points, leading: id.startsWith("mdcx"), broken: !encrypted };
    });
    writeFileSync(join(folder, file), logChart({ title, xLabel: "passages (broken: not encrypted)", yLabel }, curves));
    return file;
  });
}
