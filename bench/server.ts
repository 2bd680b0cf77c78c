/**
 * Ten packages of 100,000 passages mounted in one server, as an agent meets them: `mdcx serve` in a process of its own, asked
 * over its standard input by the official client. The packages are made once and kept (MDCX_BENCH_CACHE, or the system's
 * folder for temporary files): 1.8 GB.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { VECTORS_VERSION } from "../src/meaning/vectors.js";
import { WORD_INDEX_VERSION } from "../src/words/dictionary-writer.js";
import { median } from "./measures.js";
import { questionsOf } from "./scale.js";

const PACKAGES = 10;
/** Servers started for the time of a start. */
const STARTS = 5;
/** Questions before times are taken: the first ones read dictionaries and codes, and make the index of grams. */
const WARMING = 5;
/** Minutes, in the server's own variable, after which it lets go of the model; and how long is waited for it, in milliseconds. */
const IDLE_MINUTES = 0.1;
const IDLE_WAIT = 30_000;

/** Figures of one run: milliseconds and megabytes. */
export interface ServerScale {
  readonly packages: number;
  readonly passages: number;
  /** From the start of the process to its answer to `initialize`: median. */
  readonly start: number;
  readonly firstQuestion: { readonly words: number; readonly fused: number };
  readonly warm: { readonly words: Spread; readonly fused: Spread };
  /** Pings that were sent while fused questions were answered. */
  readonly ping: Spread;
  /** Resident after all questions. */
  readonly resident: { readonly words: number; readonly fused: number; readonly rested: number };
  /** One package by words: the tool as a client calls it, and the library in a process of its own. */
  readonly one: { readonly tool: number; readonly library: number };
}

/** Milliseconds. */
interface Spread {
  readonly p50: number;
  readonly p95: number;
}

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** A server in a process of its own, and a client of it. */
class Served {
  private constructor(
    readonly client: Client,
    readonly start: number,
    readonly process: number,
  ) {}

  static async start(files: readonly string[], key: string): Promise<Served> {
    const started = performance.now();
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [here("../cli/main.js"), "serve", ...files],
      env: { ...process.env, MDCX_KEY: key, MDCX_LOG: "off", MDCX_IDLE_UNLOAD_MINUTES: String(IDLE_MINUTES) },
    });
    const client = new Client({ name: "mdcx-bench", version: "1" });
    await client.connect(transport);
    return new Served(client, performance.now() - started, transport.pid!);
  }

  /** Milliseconds that a question takes. */
  async ask(query: string, mode: string): Promise<number> {
    const asked = performance.now();
    const { isError } = await this.client.callTool({ name: "search", arguments: { query, mode } });
    if (isError === true) throw new Error(`The server refused ${JSON.stringify(query)}.`);
    return performance.now() - asked;
  }

  async ping(): Promise<number> {
    const asked = performance.now();
    await this.client.ping();
    return performance.now() - asked;
  }

  /** Megabytes of memory that the process has at present. Linux alone says it. */
  get resident(): number {
    const status = readFileSync(`/proc/${this.process}/status`, "utf8");
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) / 1000;
  }
}

function spreadOf(times: readonly number[]): Spread {
  const sorted = [...times].sort((a, b) => a - b);
  return { p50: median(sorted), p95: sorted[Math.floor(0.95 * sorted.length)]! };
}

/** All questions in one mode: the first one's time, and those of the warm ones. */
async function askAll(
  served: Served,
  questions: readonly string[],
  mode: string,
  meanwhile: (asked: Promise<number>) => Promise<void> = () => Promise.resolve(),
): Promise<{ first: number; warm: Spread }> {
  const times: number[] = [];
  for (const question of questions) {
    const asked = served.ask(question, mode);
    if (times.length >= WARMING) await meanwhile(asked);
    times.push(await asked);
  }
  return { first: times[0]!, warm: spreadOf(times.slice(WARMING)) };
}

/** The first `count` packages and the key of them all, made where they are not there yet. */
export function largePackages(data: string, passages: number, count = PACKAGES): { files: string[]; key: string } {
  const kept = process.env.MDCX_BENCH_CACHE;
  const folder = join(
    kept === undefined || kept === "" ? join(tmpdir(), "mdcx-bench") : kept,
    `server-${passages}-${WORD_INDEX_VERSION}.${VECTORS_VERSION}`,
  );
  mkdirSync(folder, { recursive: true });
  const keyFile = join(folder, "key");
  if (!existsSync(keyFile)) writeFileSync(keyFile, printed([here("../cli/main.js"), "keygen", "--package"]));
  const key = readFileSync(keyFile, "utf8").trim();
  const files = Array.from({ length: count }, (_, i) => join(folder, `collection-${i}.mdcx`));
  if (!files.every((file) => existsSync(file)))
    printed([here("./server-make.js"), data, String(passages), ...files], { MDCX_KEY: key });
  return { files, key };
}

/** What a program of Node prints. */
function printed(args: readonly string[], environment: NodeJS.ProcessEnv = {}): string {
  const { status, stdout } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...environment },
  });
  if (status !== 0) throw new Error(`${args.join(" ")} failed.`);
  return stdout;
}

export async function measureServer(
  data: string,
  passages = 100_000,
  note: (text: string) => void = () => undefined,
): Promise<ServerScale> {
  note("the packages");
  const { files, key } = largePackages(data, passages);
  const questions = questionsOf(data);
  note("starts");
  const starts: number[] = [];
  for (let i = 0; i < STARTS; i++) {
    const served = await Served.start(files, key);
    starts.push(served.start);
    await served.client.close();
  }
  note("by words");
  const byWords = await Served.start(files, key);
  const words = await askAll(byWords, questions, "words");
  const residentWords = byWords.resident;
  await byWords.client.close();
  note("by words and meaning");
  const served = await Served.start(files, key);
  const pings: number[] = [];
  const fused = await askAll(served, questions, "auto", async (asked) => {
    const call = { isOpen: true };
    const ended = asked.finally(() => (call.isOpen = false));
    while (call.isOpen) {
      pings.push(await served.ping());
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await ended;
  });
  const residentFused = served.resident;
  note("idle");
  await new Promise((resolve) => setTimeout(resolve, IDLE_MINUTES * 60_000 + IDLE_WAIT));
  const rested = served.resident;
  await served.client.close();
  note("one package");
  const one = await Served.start(files.slice(0, 1), key);
  const tool = (await askAll(one, questions, "words")).warm.p50;
  await one.client.close();
  const list = join(files[0]!, "..", "questions.json");
  writeFileSync(list, JSON.stringify(questions));
  const library = Number(printed([here("./server-library.js"), files[0]!, list, String(WARMING)], { MDCX_KEY: key }));
  return {
    packages: files.length,
    passages,
    start: median(starts),
    firstQuestion: { words: words.first, fused: fused.first },
    warm: { words: words.warm, fused: fused.warm },
    ping: spreadOf(pings),
    resident: { words: residentWords, fused: residentFused, rested },
    one: { tool, library },
  };
}

/** The figures beside what they must reach. */
export function serverTable(scale: ServerScale): string {
  const { firstQuestion, warm, ping, resident, one } = scale;
  const ms = (value: number): string => `${value.toFixed(1)} ms`;
  const spread = ({ p50, p95 }: Spread): string => `${ms(p50)} / ${ms(p95)}`;
  const mb = (value: number): string => `${value.toFixed(0)} MB`;
  return [
    `| a server of ${scale.packages} packages, ${scale.passages.toLocaleString("en")} passages each | mdcx | goal |`,
    "|---|---|---|",
    `| start, to the answer to \`initialize\` | ${ms(scale.start)} | ≤ 1 s |`,
    `| first question: words, words and meaning | ${ms(firstQuestion.words)}, ${ms(firstQuestion.fused)} | |`,
    `| warm question by words, p50 / p95 | ${spread(warm.words)} | ≤ 100 ms |`,
    `| warm question by words and meaning, p50 / p95 | ${spread(warm.fused)} | ≤ 100 ms |`,
    `| \`ping\` meanwhile, p50 / p95 | ${spread(ping)} | ≤ 20 ms |`,
    `| resident after all questions by words | ${mb(resident.words)} | ≤ 500 MB |`,
    `| resident with meaning, encoder loaded | ${mb(resident.fused)} | ≤ 1,300 MB |`,
    `| resident once it is unloaded | ${mb(resident.rested)} | ≤ 750 MB |`,
    `| one package: the tool over the library | ${ms(one.tool)} − ${ms(one.library)} = ${ms(one.tool - one.library)} | ≤ 15 ms |`,
  ].join("\n");
}
