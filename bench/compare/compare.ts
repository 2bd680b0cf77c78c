/**
 * mdcx next to what people search text with, in the same run: the same passages, the same questions, whole processes.
 * `npm run bench compare -- --sizes 1000,10000 --runs 3`; bench/README.md says how the peers are installed.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  nodeCommand,
  ProcessFailed,
  runMeasured,
  type Command,
  type Finished,
  type ProcessCost,
} from "../whole-process.js";
import { Collection } from "./collection.js";
import { contenders, type Asked, type Contender } from "./contenders.js";
import { Ledger } from "./ledger.js";

/** Sizes that are measured unless others are asked for. */
export const SIZES: readonly number[] = [1000, 10_000, 100_000];
/** Rounds in which every contender has its turn. */
export const RUNS = 3;
/** Larger collections are compared by words alone: the vectors of a million passages take 1.5 GB a peer. */
const MOST_WITH_MEANING = 100_000;
/** An index that takes longer than this to build is built in the first round only. */
const LONG_BUILD = 15;
/** What is not built by then cannot be used at that size. */
const BUILD_MINUTES = 10;
/** Seconds that a round of warm questions takes at the most. */
const WARM_SECONDS = 8;

/** What one round found. Times of questions in milliseconds. */
export interface Round {
  /** Undefined where the index of an earlier round was used. */
  readonly build: ProcessCost | undefined;
  readonly fileBytes: number;
  /** Opening and asking inside the process, without the program's own start. */
  readonly open: number;
  readonly answer: number;
  /** The whole process that opens, asks once and ends. */
  readonly first: ProcessCost;
  readonly warm: {
    readonly p50: number;
    readonly p95: number;
    readonly p99: number;
    readonly questions: number;
    readonly megabytes: number;
  };
}

/** A contender at a size: its rounds, or why it has none. */
export interface Standing {
  readonly id: string;
  readonly name: string;
  readonly asked: Asked;
  readonly encrypted: boolean;
  readonly rounds: readonly Round[];
  readonly cannot?: string;
}

/** All contenders at one size. */
export interface Comparison {
  readonly passages: number;
  readonly markdownBytes: number;
  readonly standings: readonly Standing[];
}

export interface CompareOptions {
  readonly sizes?: readonly number[];
  readonly runs?: number;
  /** Ids of contenders: those alone, mdcx among them always. */
  readonly only?: readonly string[];
}

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export function compare(data: string, options: CompareOptions, note: (text: string) => void): Comparison[] {
  const { sizes = SIZES, runs = RUNS, only } = options;
  const kept = process.env.MDCX_BENCH_CACHE;
  const folder = kept ? join(kept, "compare") : mkdtempSync(join(tmpdir(), "mdcx-bench-"));
  try {
    const ledger = Ledger.open(folder, here("../.."), { sizes, runs, only, node: process.version });
    if (ledger.begun) note("going on with the run that was broken off");
    const key = ledger.step("key", () =>
      String(runMeasured(nodeCommand([here("../../cli/main.js"), "keygen", "--package"])).printed).trim(),
    );
    const all = contenders({ data, key, cache: folder }).filter(
      ({ id }) => only === undefined || id.startsWith("mdcx") || only.includes(id),
    );
    const found: Comparison[] = [];
    const failed = new Map<string, string>();
    for (const size of sizes) {
      const collection = collectionOf(data, folder, size, note);
      const table = new SizeRun(collection, ledger, join(folder, "indexes", String(size)), note);
      found.push(table.measure(all, runs, failed));
    }
    ledger.finish();
    return found;
  } finally {
    if (!kept) rmSync(folder, { recursive: true, force: true });
  }
}

/** The collection of a size, made where it is not here yet. */
function collectionOf(data: string, folder: string, size: number, note: (text: string) => void): Collection {
  const collection = new Collection(join(folder, `collection-${size}`));
  if (collection.here) return collection;
  note(`making ${size.toLocaleString("en")} passages`);
  rmSync(collection.folder, { recursive: true, force: true });
  const meaning = size <= MOST_WITH_MEANING ? "meaning" : "words";
  runMeasured(
    nodeCommand([here("./collection-make.js"), data, String(size), collection.folder, meaning], {
      environment: { MDCX_BENCH_CACHE: folder },
    }),
  );
  return collection;
}

/** One size: every contender, round after round. */
class SizeRun {
  constructor(
    readonly collection: Collection,
    readonly ledger: Ledger,
    readonly indexes: string,
    readonly note: (text: string) => void,
  ) {}

  /** @param failed why contenders could not at a smaller size; added to */
  measure(all: readonly Contender[], runs: number, failed: Map<string, string>): Comparison {
    const { passages, markdownBytes } = this.collection.facts;
    const asked = all.filter(({ asked: by }) => by === "words" || passages <= 1.1 * MOST_WITH_MEANING);
    const rounds = new Map<string, Round[]>(asked.map(({ id }) => [id, []]));
    mkdirSync(this.indexes, { recursive: true });
    for (let run = 0; run < runs; run++)
      for (const contender of asked) {
        const { id, name, missing } = contender;
        if (missing !== undefined) failed.set(id, missing);
        if (failed.has(id)) continue;
        this.note(`${passages.toLocaleString("en")} passages, round ${run + 1}: ${name}, ${contender.asked}`);
        const round = this.ledger.step(`${passages} ${id} ${run}`, () => this.#round(contender, rounds.get(id)!));
        if ("cannot" in round) {
          failed.set(id, `${round.cannot}, at ${passages.toLocaleString("en")} passages`);
          this.note(failed.get(id)!);
        } else rounds.get(id)!.push(round);
      }
    rmSync(this.indexes, { recursive: true, force: true });
    return {
      passages,
      markdownBytes,
      standings: asked.map(({ id, name, asked: by, encrypted }) => {
        const cannot = failed.get(id);
        return { id, name, asked: by, encrypted, rounds: rounds.get(id)!, ...(cannot !== undefined && { cannot }) };
      }),
    };
  }

  #round(contender: Contender, before: readonly Round[]): Round | { readonly cannot: string } {
    const { collection } = this;
    const target = join(this.indexes, contender.id);
    try {
      const built = (before[0]?.build?.seconds ?? 0) > LONG_BUILD && existsSync(target);
      if (!built) rmSync(target, { recursive: true, force: true });
      const build = built ? undefined : cost(runMeasured(contender.build(collection, target), BUILD_MINUTES));
      const first = runMeasured(contender.first(collection, target), BUILD_MINUTES);
      const inside = contender.inside === undefined ? first : runMeasured(contender.inside(collection, target));
      const { open, answer } = inside.printed as { open: number; answer: number };
      return {
        build,
        fileBytes: bytesUnder(target),
        open,
        answer,
        first: cost(first),
        warm: warmed(contender.warm(collection, target, WARM_SECONDS)),
      };
    } catch (error) {
      if (error instanceof ProcessFailed) return { cannot: error.message };
      throw error;
    }
  }
}

function warmed(command: Command): Round["warm"] {
  const { printed, megabytes } = runMeasured(command, BUILD_MINUTES);
  const { times, found } = printed as { times: number[]; found: number };
  // Every question is made of words of the collection.
  if (found < times.length) throw new ProcessFailed(`finds nothing: ${found} passages for ${times.length} questions`);
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(share * times.length))]!;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), questions: times.length, megabytes };
}

function cost({ seconds, cpuSeconds, megabytes }: Finished): ProcessCost {
  return { seconds, cpuSeconds, megabytes };
}

/** Of a file, or of all files in a folder. */
function bytesUnder(path: string): number {
  if (!statSync(path).isDirectory()) return statSync(path).size;
  return (readdirSync(path, { recursive: true }) as string[])
    .map((name) => statSync(join(path, name)))
    .reduce((sum, { size }) => sum + size, 0);
}
