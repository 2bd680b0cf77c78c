import { FAILED, type LeafJob, LeafWorker } from "../format/leaf-run.js";
import { LEAF_DIGEST } from "../format/leaves.js";
import type { Primitives } from "../format/primitives.js";

/** A job as it is posted to the threads. Of typed arrays in shared memory each thread gets a view of its own. */
export interface SharedJob {
  readonly job: LeafJob;
  /** Two counters (leaves taken, leaves done), then one outcome a leaf. */
  readonly ledger: Int32Array;
}

const TAKEN = 0;
const FINISHED = 1;
const OUTCOMES = 2;

/** Puts a job whose bytes are shared memory into a form in which several threads can work on it. */
export function shareJob(job: LeafJob): SharedJob {
  const digests = new Uint8Array(new SharedArrayBuffer(LEAF_DIGEST * job.count));
  digests.set(job.digests);
  const ledger = new Int32Array(new SharedArrayBuffer(4 * (OUTCOMES + job.count))).fill(FAILED, OUTCOMES);
  return { job: { ...job, digests }, ledger };
}

/**
 * Takes leaves until none is left. A leaf is taken by one thread only, so that no chunk is sealed twice; a thread that
 * comes late, or never, changes nothing but the time.
 */
export function takeLeaves(p: Primitives, { job, ledger }: SharedJob): void {
  let worker: LeafWorker | undefined;
  for (;;) {
    const index = Atomics.add(ledger, TAKEN, 1);
    if (index >= job.count) return;
    worker ??= new LeafWorker(p, job);
    ledger[OUTCOMES + index] = worker.work(index);
    // After the bytes of the leaf: who reads this count sees them.
    Atomics.add(ledger, FINISHED, 1);
  }
}

/** Whether every leaf is done, by whichever thread. */
export function isFinished({ job, ledger }: SharedJob): boolean {
  return Atomics.load(ledger, FINISHED) === job.count;
}

/** One outcome a leaf; `FAILED` for what is not done. */
export function outcomes({ ledger }: SharedJob): Uint8Array {
  return Uint8Array.from(ledger.subarray(OUTCOMES));
}
