/** What meaning costs: packing with the real model, and a package of 100,000 passages asked by words and meaning. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { MeaningSummary } from "../src/pack-entry.js";
import { median } from "./measures.js";
import { measureProcess, questionsOf } from "./scale.js";

/** Whole processes started for each figure. */
const RUNS = 5;
/** Documents of Cranfield that are packed with the real model. */
const PACKED = 500;

/** Figures of one run. */
export interface MeaningScale {
  readonly passages: number;
  /** Of the time of packing real documents, the part in which the encoder had work. */
  readonly encoderShare: number;
  /** Tokens a second of that run, and how many passages it encoded. */
  readonly tokensASecond: number;
  readonly encoded: number;
  readonly fileMegabytes: number;
  /** Seconds of a `mdcx search` by words and meaning, process and all, and of one by words alone: medians. */
  readonly firstFused: number;
  readonly firstWords: number;
  readonly firstMegabytes: number;
  /** Milliseconds of warm questions, ten passages: medians, and the 95th percentile of fused ones. */
  readonly warm: {
    readonly fused: { readonly p50: number; readonly p95: number };
    readonly words: number;
    readonly meaning: number;
    readonly encoder: number;
    readonly megabytes: number;
  };
}

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export function measureMeaningScale(data: string, passages = 100_000, note: (text: string) => void): MeaningScale {
  const folder = mkdtempSync(join(tmpdir(), "mdcx-bench-"));
  try {
    const cli = here("../cli/main.js");
    const key = String(measureProcess(process.execPath, [cli, "keygen", "--package"]).printed).trim();
    const environment = { MDCX_KEY: key };
    const make = (what: string, size: number, file: string) =>
      measureProcess(process.execPath, [here("./meaning-scale-make.js"), what, data, String(size), file], environment)
        .printed as { seconds: number; meaning: MeaningSummary; bytes: number };
    note("packing with the model");
    const real = make("real", PACKED, join(folder, "real.mdcx"));
    note("packing with likely vectors");
    const file = join(folder, "likely.mdcx");
    const likely = make("likely", passages, file);
    const questions = questionsOf(data);
    writeFileSync(join(folder, "questions.json"), JSON.stringify(questions));
    const three = questions.find((text) => text.split(" ").length === 3)!;
    note("first answers");
    const first = (mode: string) =>
      Array.from({ length: RUNS }, () =>
        measureProcess(process.execPath, [cli, "search", file, three, "--mode", mode, "--json"], environment),
      );
    const [fused, words] = [first("auto"), first("words")];
    const answer = fused[0]!.printed as { similarity?: number };
    if (answer.similarity === undefined) throw new Error("The first answer was not asked by meaning.");
    note("warm questions");
    const warm = measureProcess(
      process.execPath,
      [here("./meaning-scale-warm.js"), file, join(folder, "questions.json")],
      environment,
    ).printed as MeaningScale["warm"];
    return {
      passages,
      encoderShare: real.meaning.seconds / real.seconds,
      tokensASecond: real.meaning.tokens / real.meaning.seconds,
      encoded: real.meaning.encoded,
      fileMegabytes: likely.bytes / 1e6,
      firstFused: median(fused.map(({ seconds }) => seconds)),
      firstWords: median(words.map(({ seconds }) => seconds)),
      firstMegabytes: median(fused.map(({ megabytes }) => megabytes)),
      warm,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The figures beside what they must reach. */
export function meaningScaleTable(scale: MeaningScale): string {
  const { warm } = scale;
  const ms = (value: number): string => `${value.toFixed(1)} ms`;
  return [
    `| ${scale.passages.toLocaleString("en")} passages, ${scale.fileMegabytes.toFixed(0)} MB | mdcx | goal |`,
    "|---|---|---|",
    `| packing: share of the time that the encoder has work (${scale.encoded.toLocaleString("en")} passages, ${scale.tokensASecond.toFixed(0)} tokens a second) | ${(100 * scale.encoderShare).toFixed(0)} % | ≥ 90 % |`,
    `| first fused answer, whole process | ${scale.firstFused.toFixed(2)} s, ${scale.firstMegabytes.toFixed(0)} MB | ≤ 2 s |`,
    `| first answer by words alone | ${scale.firstWords.toFixed(2)} s | |`,
    `| warm fused question, p50 / p95 | ${ms(warm.fused.p50)} / ${ms(warm.fused.p95)} | ≤ 25 ms |`,
    `| of which the encoder | ${ms(warm.encoder)} | 8 ms |`,
    `| by words alone, by meaning alone | ${ms(warm.words)}, ${ms(warm.meaning)} | |`,
    `| memory, warm | ${warm.megabytes.toFixed(0)} MB | |`,
  ].join("\n");
}
