import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import {
  ApartAnalyst,
  type AnalysedBatch,
  type AnalysisRules,
  type Analyst,
  type ReadDocument,
} from "../document-analysis.js";

/** Threads unless it is said otherwise: the one that writes keeps up with about so many. */
const MOST_THREADS = 6;
/** Batches that a thread has before it, so that it never waits for the next one. */
const BATCHES_EACH = 2;

/** A batch on its way to a thread. */
export interface AnalysisRequest {
  readonly batch: readonly ReadDocument[];
  readonly rules: AnalysisRules;
}

/** What a thread says of a batch, in the order in which it got them. */
export type AnalysisReply = Required<AnalysedBatch> | { readonly error: unknown };

/** How many threads read documents where nobody says. */
export function usualThreads(): number {
  const processors = availableParallelism();
  return processors === 1 ? 0 : Math.min(MOST_THREADS, processors);
}

interface Job extends AnalysisRequest {
  readonly resolve: (batch: AnalysedBatch) => void;
  readonly reject: (error: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  /** What it has not answered, in its order. */
  readonly jobs: Job[];
}

/**
 * Threads that read documents and count their words, while the thread that has the index and the image writes. A thread that
 * fails, or cannot start because the sources run without being compiled, is done without: what it had is done here.
 */
export class PackThreads implements Analyst {
  readonly width: number;
  readonly #threads: Thread[];
  /** Does what is asked when no thread is left. */
  readonly #instead: Analyst;

  /** @param count at least 1 */
  constructor(count: number, script = new URL("./pack-worker.js", import.meta.url)) {
    this.#instead = new ApartAnalyst(2 * count);
    this.width = BATCHES_EACH * count;
    this.#threads = Array.from({ length: count }, (_, table) => this.#start(script, table, table + count));
  }

  analyse(batch: readonly ReadDocument[], rules: AnalysisRules): Promise<AnalysedBatch> {
    const thread = this.#leastBusy();
    if (thread === undefined) return this.#instead.analyse(batch, rules);
    return new Promise((resolve, reject) => {
      thread.jobs.push({ batch, rules, resolve, reject });
      // The bytes are copied: they are written from here, and read again should the thread end.
      thread.worker.postMessage({ batch, rules } satisfies AnalysisRequest);
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map(({ worker }) => worker.terminate()));
  }

  #leastBusy(): Thread | undefined {
    return this.#threads.reduce<Thread | undefined>(
      (least, thread) => (least === undefined || thread.jobs.length < least.jobs.length ? thread : least),
      undefined,
    );
  }

  /** @param spare number of a second table, for what a thread that ended had before it: batches of a table keep their order */
  #start(script: URL, table: number, spare: number): Thread {
    const thread: Thread = { worker: new Worker(script, { workerData: { table }, execArgv: [] }), jobs: [] };
    thread.worker.on("message", (reply: AnalysisReply) => {
      const job = thread.jobs.shift()!;
      if ("error" in reply) job.reject(reply.error);
      else job.resolve(reply);
    });
    thread.worker.on("error", () => {
      const place = this.#threads.indexOf(thread);
      if (place >= 0) this.#threads.splice(place, 1);
      const instead = new ApartAnalyst(spare);
      for (const { batch, rules, resolve, reject } of thread.jobs.splice(0))
        instead.analyse(batch, rules).then(resolve, reject);
    });
    return thread;
  }
}
