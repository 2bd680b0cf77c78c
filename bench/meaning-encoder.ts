/**
 * How fast texts become vectors: the encoder beside ONNX Runtime itself, fed the same tokens by as many threads in the same
 * run; and how soon a fresh process has answered its first question.
 */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { Tokeniser } from "../src/meaning/tokeniser.js";
import { findModel } from "../src/node/encoder/find-model.js";
import type { ModelFolder } from "../src/node/encoder/model-files.js";
import { openEncoder } from "../src/node/encoder/open.js";
import { keepRuntimeQuiet } from "../src/node/encoder/telemetry.js";
import { median } from "./measures.js";
import type { OnnxStart } from "./onnx-thread.js";
import { readSet, XQUAD_LANGUAGES } from "./retrieval-sets.js";

/** Paragraphs of each language: some 400 texts, 90,000 tokens. */
const PARAGRAPHS = 50;
/** Each way is measured so often, in turns, and its median counts. */
const ROUNDS = 3;
const PROCESSES = 5;
/** Texts of a run of the batched layout; 4 to 16 are alike. */
const BATCH = 8;

/** Tokens a second, medians of rounds that take turns. */
export interface EncoderSpeed {
  readonly texts: number;
  readonly tokens: number;
  readonly threads: number;
  /** The encoder: texts in, unit vectors out, tokenising included. */
  readonly encoder: number;
  /** ONNX Runtime, a session of one thread in each of as many threads, text by text. */
  readonly sessions: number;
  /** ONNX Runtime, one session with all threads, padded batches of texts of like length. */
  readonly batches: number;
  /** The encoder's share of ONNX Runtime's tokens a second in the same layout, the median over the rounds. */
  readonly share: number;
  /** Milliseconds from the start of a process to the answer of its first question, probes included. */
  readonly firstQuestion: number;
  /** Of it, Node's own start. */
  readonly bareProcess: number;
}

export async function measureEncoder(data: string, note: (text: string) => void): Promise<EncoderSpeed> {
  const texts = XQUAD_LANGUAGES.flatMap((language) =>
    readSet(data, `xquad/${language}`)
      .documents.slice(0, PARAGRAPHS)
      .map(({ text }) => text),
  );
  const threads = availableParallelism();
  const model = await findModel(undefined, { download: false, fromPackage: false });
  const { ids, starts } = await tokenised(model, texts);

  keepRuntimeQuiet();
  const encoder = openEncoder(undefined, { threads });
  const file = model.weights[0]!;
  const sessions = await startRuntime({ file, threads: 1, batch: 1, ids, starts }, threads);
  const batches = await startRuntime({ file, threads, batch: BATCH, ids, starts }, 1);
  // Loads every session.
  await encoder.encode(texts.slice(0, 32), "passage");

  const rounds: { encoder: number; sessions: number; batches: number }[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const perSecond = async (work: () => Promise<unknown>): Promise<number> => {
      const start = performance.now();
      await work();
      return (ids.length / (performance.now() - start)) * 1_000;
    };
    rounds.push({
      encoder: await perSecond(() => encoder.encode(texts, "passage")),
      sessions: await perSecond(() => sessions.run()),
      batches: await perSecond(() => batches.run()),
    });
    note(`round ${round} of ${ROUNDS}`);
  }
  await Promise.all([encoder.close(), sessions.end(), batches.end()]);

  return {
    texts: texts.length,
    tokens: ids.length,
    threads,
    encoder: median(rounds.map((round) => round.encoder)),
    sessions: median(rounds.map((round) => round.sessions)),
    batches: median(rounds.map((round) => round.batches)),
    share: median(rounds.map((round) => round.encoder / round.sessions)),
    firstQuestion: processTime(FIRST_QUESTION),
    bareProcess: processTime("console.log(performance.now());"),
  };
}

/** As a table for people. */
export function encoderTable(speed: EncoderSpeed): string {
  const count = (value: number) => Math.round(value).toLocaleString("en");
  const seconds = (value: number) => `${(value / 1_000).toFixed(2)} s`;
  return [
    `| ${count(speed.texts)} paragraphs in ${XQUAD_LANGUAGES.length} languages, ${count(speed.tokens)} tokens, ${speed.threads} threads | tokens a second |`,
    "|---|---|",
    `| mdcx, tokenising and pooling included | ${count(speed.encoder)} |`,
    `| ONNX Runtime, ${speed.threads} sessions of one thread, text by text | ${count(speed.sessions)} |`,
    `| ONNX Runtime, one session of ${speed.threads} threads, batches of ${BATCH} | ${count(speed.batches)} |`,
    `| share of ONNX Runtime in the same layout (goal .90) | ${speed.share.toFixed(2)} |`,
    `| first question of a fresh process, probes included | ${seconds(speed.firstQuestion)}, of it Node ${seconds(speed.bareProcess)} |`,
  ].join("\n");
}

/** Tokens of all texts as the encoder has them, the longest first. */
async function tokenised(
  model: ModelFolder,
  texts: readonly string[],
): Promise<{ ids: Int32Array; starts: Int32Array }> {
  const json = async (path: string) => JSON.parse(await readFile(path, "utf8")) as object;
  const tokeniser = await Tokeniser.load(await json(model.tokenizer), await json(model.tokenizerConfig!));
  const { prefixes, window } = model.usage;
  const windows = texts
    .flatMap((text) => tokeniser.tokenise(text, prefixes.passage, window))
    .sort((a, b) => b.length - a.length);
  const starts = new Int32Array(windows.length + 1);
  windows.forEach((each, index) => (starts[index + 1] = starts[index]! + each.length));
  const ids = new Int32Array(starts.at(-1)!);
  windows.forEach((each, index) => {
    ids.set(each, starts[index]);
  });
  return { ids, starts };
}

/** ONNX Runtime in so many threads, loaded. */
async function startRuntime(start: Omit<OnnxStart, "counter">, count: number) {
  const counter = new Int32Array(new SharedArrayBuffer(4));
  const workers = Array.from(
    { length: count },
    () => new Worker(new URL("./onnx-thread.js", import.meta.url), { workerData: { ...start, counter } }),
  );
  await Promise.all(workers.map((worker) => once(worker, "message")));
  return {
    async run() {
      Atomics.store(counter, 0, 0);
      await Promise.all(
        workers.map((worker) => {
          worker.postMessage("run");
          return once(worker, "message");
        }),
      );
    },
    async end() {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

const OPEN = new URL("../src/node/encoder/open.js", import.meta.url).href;
const PROBES_MODULE = new URL("../src/meaning/probes.js", import.meta.url).href;
/** As a reader does: it asks what the encoder is, encodes the question, and the probes of the package. */
const FIRST_QUESTION = `
  import { openEncoder } from ${JSON.stringify(OPEN)};
  import { makeProbes } from ${JSON.stringify(PROBES_MODULE)};
  const encoder = openEncoder(undefined, { threads: 1 });
  const asked = encoder.encode(["When does the lease of the warehouse end?"], "query");
  await Promise.all([encoder.describe(), makeProbes(encoder), asked]);
  console.log(performance.now());
`;

/** Milliseconds since its start that a process prints, the median of several. */
function processTime(script: string): number {
  const times = Array.from({ length: PROCESSES }, () =>
    Number(execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" })),
  );
  return median(times);
}
