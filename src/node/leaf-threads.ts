import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { LeafJob } from "../format/leaf-run.js";
import type { LeafThreads, Primitives } from "../format/primitives.js";
import { isFinished, outcomes, type SharedJob, shareJob, takeLeaves } from "./leaf-ledger.js";

/** Under this many bytes of image a thread is not worth its start: some 40 ms on a core of its own, and 20 MB of memory. */
const WORTH_THREADS = 96 * 2 ** 20;
/** Four threads seal faster than a disk writes. */
const MOST_HELPERS = 3;

/**
 * Shares leaves with worker threads. The calling thread works too and takes what is left, so a worker that has not
 * started yet, or cannot (sources run without being compiled), costs nothing but time. Who gives the next job before
 * the promise of the last one is settled keeps the helpers busy, even where the machine lets one of them wait.
 */
export class WorkerThreads implements LeafThreads {
  private helpers: Worker[] | undefined;
  /** Jobs of which a helper still has a leaf. */
  private readonly waiting = new Map<SharedJob, () => void>();

  /**
   * @param p what the calling thread works with
   * @param most helpers beside the calling thread
   * @param script what a helper runs
   */
  constructor(
    private readonly p: () => Primitives,
    private readonly most = Math.min(MOST_HELPERS, availableParallelism() - 1),
    private readonly script = new URL("./leaf-worker.js", import.meta.url),
  ) {}

  allocate(length: number): Uint8Array {
    return new Uint8Array(new SharedArrayBuffer(length));
  }

  /** The calling thread's share is done when this returns, that of the helpers when the promise is settled. */
  async run(job: LeafJob): Promise<Uint8Array> {
    const shared = shareJob(job);
    if (job.bytes.buffer instanceof SharedArrayBuffer && job.imageLength >= WORTH_THREADS) {
      this.helpers ??= Array.from({ length: this.most }, () => this.start());
      for (const helper of this.helpers) helper.postMessage(shared);
    }
    takeLeaves(this.p(), shared);
    if (!isFinished(shared)) {
      await new Promise<void>((resolve) => {
        this.waiting.set(shared, resolve);
        this.helpers?.forEach((helper) => {
          helper.ref();
        });
      });
    }
    job.digests.set(shared.job.digests);
    return outcomes(shared);
  }

  private start(): Worker {
    const helper = new Worker(this.script);
    // An idle helper does not keep the process alive; one that fails is done without.
    helper.unref();
    helper.on("message", () => {
      this.settle(isFinished);
    });
    helper.on("error", () => {
      this.helpers = this.helpers?.filter((other) => other !== helper);
      // Its leaf will never be done: the jobs end with what there is, and that leaf as failed.
      this.settle(() => true);
    });
    return helper;
  }

  private settle(ended: (shared: SharedJob) => boolean): void {
    for (const [shared, resolve] of this.waiting) {
      if (!ended(shared)) continue;
      this.waiting.delete(shared);
      resolve();
    }
    if (this.waiting.size > 0) return;
    this.helpers?.forEach((helper) => {
      helper.unref();
    });
  }
}
