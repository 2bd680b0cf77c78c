import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { LeafJob } from "../format/leaf-run.js";
import type { LeafThreads, Primitives } from "../format/primitives.js";
import { collect, shareJob, takeLeaves } from "./leaf-ledger.js";

/** Under this many bytes of image a thread is not worth its start, some 40 ms on a core of its own. */
const WORTH_THREADS = 32 * 2 ** 20;
/** Four threads seal faster than a disk writes. */
const MOST_HELPERS = 3;
/** Milliseconds for a leaf in a thread that competes for its core with everything else on the machine. */
const PATIENCE = 60_000;

/**
 * Shares leaves with worker threads. The calling thread works too and takes what is left, so a worker that has not
 * started yet, or cannot (sources run without being compiled), costs nothing but time.
 */
export class WorkerThreads implements LeafThreads {
  private helpers: Worker[] | undefined;

  /**
   * @param p what the calling thread works with
   * @param most helpers beside the calling thread
   */
  constructor(
    private readonly p: () => Primitives,
    private readonly most = Math.min(MOST_HELPERS, availableParallelism() - 1),
  ) {}

  allocate(length: number): Uint8Array {
    return new Uint8Array(new SharedArrayBuffer(length));
  }

  /** The work is done when this returns: the promise is for platforms that cannot wait. */
  run(job: LeafJob): Promise<Uint8Array> {
    return new Promise((resolve) => {
      const shared = shareJob(job);
      if (job.bytes.buffer instanceof SharedArrayBuffer && job.imageLength >= WORTH_THREADS) {
        this.helpers ??= Array.from({ length: this.most }, () => this.start());
        for (const helper of this.helpers) helper.postMessage(shared);
      }
      takeLeaves(this.p(), shared);
      const outcomes = collect(shared, PATIENCE);
      job.digests.set(shared.job.digests);
      resolve(outcomes);
    });
  }

  private start(): Worker {
    const helper = new Worker(new URL("./leaf-worker.js", import.meta.url));
    // An idle helper does not keep the process alive; one that fails is done without.
    helper.unref();
    helper.on("error", () => {
      this.helpers = this.helpers?.filter((other) => other !== helper);
    });
    return helper;
  }
}
