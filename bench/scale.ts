/**
 * A package of 100,000 passages as a user meets it: whole processes, from packing to the first answer and to warm
 * questions, next to SQLite's FTS5 over the same text, unencrypted, in the same run.
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { nodeWithSqlite } from "./compare/peers-here.js";
import { median } from "./measures.js";
import { dataFolder, JUDGED_SETS, readSet } from "./retrieval-sets.js";
import { nodeCommand, runMeasured, type Finished, type ProcessCost } from "./whole-process.js";

/** Whole processes started for each figure. */
const RUNS = 7;
/** Warm questions, of 3 to 10 words. */
const WARM = 200;

/** Figures at one size. */
export interface Scale {
  readonly passages: number;
  readonly markdownMegabytes: number;
  readonly pack: ProcessCost & {
    /** Of Markdown, a second of processor time. */
    readonly megabytesASecondAndCore: number;
    /** Greatest resident size over the size of the Markdown. */
    readonly memoryOverMarkdown: number;
  };
  readonly fileOverMarkdown: number;
  /** A `mdcx search` of three words with a random key, process and all: medians. */
  readonly firstAnswer: ProcessCost;
  /** The same process that only prints its version. */
  readonly emptyProcess: ProcessCost;
  /** What the first question of three words decrypts. */
  readonly chunks: {
    readonly opening: number;
    readonly dictionary: number;
    readonly question: number;
    readonly all: number;
  };
  /** Milliseconds of `Package.search`, ten passages, by percentile. */
  readonly warm: { readonly p50: number; readonly p95: number; readonly p99: number };
  /** SQLite FTS5 on the same passages, in the clear; undefined where no Node with node:sqlite is installed. */
  readonly fts5:
    | {
        readonly fileOverMarkdown: number;
        readonly firstAnswer: ProcessCost;
        readonly warm: { readonly p50: number; readonly p95: number; readonly p99: number };
      }
    | undefined;
}

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Runs a program of Node in a process of its own and says what it cost. */
export function measureProcess(
  node: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Finished {
  return runMeasured(nodeCommand(args, { node, environment }));
}

function medians(costs: readonly ProcessCost[]): ProcessCost {
  return {
    seconds: median(costs.map((cost) => cost.seconds)),
    cpuSeconds: median(costs.map((cost) => cost.cpuSeconds)),
    megabytes: median(costs.map((cost) => cost.megabytes)),
  };
}

/** Questions of 3 to 10 words from the sets that the collection is made of. */
export function questionsOf(data: string): string[] {
  const words = (text: string): number => text.trim().split(/\s+/).length;
  return JUDGED_SETS.flatMap((name) => readSet(data, name).questions)
    .map(({ text }) => text.replace(/\s+/g, " ").trim())
    .filter((text) => words(text) >= 3 && words(text) <= 10)
    .slice(0, WARM);
}

export function measureScale(data: string, passages = 100_000, note: (text: string) => void = () => undefined): Scale {
  const folder = mkdtempSync(join(tmpdir(), "mdcx-bench-"));
  try {
    const file = join(folder, "scale.mdcx");
    const questions = join(folder, "questions.json");
    writeFileSync(questions, JSON.stringify(questionsOf(data)));
    note("making the collection");
    const documents = join(folder, "documents");
    measureProcess(process.execPath, [here("./scale-make.js"), data, String(passages), documents]);
    note("packing");
    const cli = here("../cli/main.js");
    const key = String(measureProcess(process.execPath, [cli, "keygen", "--package"]).printed).trim();
    const packed = measureProcess(process.execPath, [cli, "pack", documents, "--target", file, "--json"], {
      MDCX_KEY: key,
    });
    const { markdown_bytes: markdownBytes } = packed.printed as { markdown_bytes: number };
    const markdownMegabytes = markdownBytes / 1e6;
    note("first answers");
    const three = questionsOf(data).find((text) => text.split(" ").length === 3)!;
    const first = Array.from({ length: RUNS }, () =>
      measureProcess(process.execPath, [cli, "search", file, three, "--json"], { MDCX_KEY: key }),
    );
    const empty = Array.from({ length: RUNS }, () => measureProcess(process.execPath, [cli, "--version"]));
    note("warm questions");
    const warm = measureProcess(process.execPath, [here("./scale-warm.js"), file, questions, three], { MDCX_KEY: key })
      .printed as Pick<Scale, "chunks" | "warm">;
    return {
      passages,
      markdownMegabytes,
      pack: {
        ...cost(packed),
        megabytesASecondAndCore: markdownMegabytes / packed.cpuSeconds,
        memoryOverMarkdown: packed.megabytes / markdownMegabytes,
      },
      fileOverMarkdown: statSync(file).size / markdownBytes,
      firstAnswer: medians(first),
      emptyProcess: medians(empty),
      ...warm,
      fts5: measureFts5(data, passages, folder, questions, three, markdownBytes, note),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function cost({ seconds, cpuSeconds, megabytes }: ProcessCost): ProcessCost {
  return { seconds, cpuSeconds, megabytes };
}

function measureFts5(
  data: string,
  passages: number,
  folder: string,
  questions: string,
  three: string,
  markdownBytes: number,
  note: (text: string) => void,
): Scale["fts5"] {
  const node = nodeWithSqlite();
  if (node === undefined) {
    note("FTS5 left out: it needs Node 24 (bench/README.md)");
    return undefined;
  }
  note("SQLite FTS5");
  const file = join(folder, "fts5.sqlite");
  measureProcess(node, [here("./fts5.js"), "build", file, data, String(passages)]);
  const first = Array.from({ length: RUNS }, () => measureProcess(node, [here("./fts5.js"), "ask", file, three]));
  const warm = measureProcess(node, [here("./fts5.js"), "warm", file, questions]).printed as {
    p50: number;
    p95: number;
    p99: number;
  };
  return { fileOverMarkdown: statSync(file).size / markdownBytes, firstAnswer: medians(first), warm };
}

/** The figures beside what they must reach. */
export function scaleTable(scale: Scale): string {
  const { pack, firstAnswer, emptyProcess, chunks, warm, fts5 } = scale;
  const ms = (value: number): string => `${value.toFixed(1)} ms`;
  const one = ({ seconds, cpuSeconds, megabytes }: ProcessCost): string =>
    `${seconds.toFixed(2)} s (${cpuSeconds.toFixed(2)} s of processor), ${megabytes.toFixed(0)} MB`;
  const share = (part: number): string => `${((100 * part) / chunks.all).toFixed(1)} %`;
  const read = chunks.opening + chunks.dictionary + chunks.question;
  return [
    `| ${scale.passages.toLocaleString("en")} passages, ${scale.markdownMegabytes.toFixed(0)} MB of Markdown | mdcx | SQLite FTS5, not encrypted | goal |`,
    "|---|---|---|---|",
    `| pack, words only | ${pack.megabytesASecondAndCore.toFixed(1)} MB a second and core, ${pack.memoryOverMarkdown.toFixed(1)} × the Markdown in memory | – | ≥ 5, < 3 × |`,
    `| file / Markdown | ${scale.fileOverMarkdown.toFixed(2)} | ${fts5 ? fts5.fileOverMarkdown.toFixed(2) : "–"} | ≤ 0.65 |`,
    `| open and first answer, whole process | ${one(firstAnswer)} | ${fts5 ? one(fts5.firstAnswer) : "–"} | ≤ 0.6 s, ≤ 200 MB |`,
    `| the process alone (\`--version\`) | ${one(emptyProcess)} | – | |`,
    `| chunks decrypted for it (opening + dictionary + question) | ${share(read)} (${chunks.opening} + ${chunks.dictionary} + ${chunks.question} of ${chunks.all}) | – | < 15 % |`,
    `| warm question, p50 / p95 / p99 | ${ms(warm.p50)} / ${ms(warm.p95)} / ${ms(warm.p99)} | ${fts5 ? `${ms(fts5.warm.p50)} / ${ms(fts5.warm.p95)} / ${ms(fts5.warm.p99)}` : "–"} | p50 ≤ 10 ms |`,
  ].join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const data = dataFolder();
  if (data === undefined)
    throw new Error("The retrieval sets are not here: set MDCX_DATA to the folder of the shared data.");
  const scale = measureScale(data, Number(process.argv[2] ?? 100_000), (text) => {
    process.stderr.write(`${text}\n`);
  });
  console.log(scaleTable(scale));
}
