import { parentPort } from "node:worker_threads";
import { type SharedJob, takeLeaves } from "./leaf-ledger.js";
import { primitives } from "./primitives.js";

/** A thread that helps with leaves; leaf-threads.ts starts it, posts each job once, and hears when no leaf of it is left. */
parentPort?.on("message", (job: SharedJob) => {
  takeLeaves(primitives, job);
  parentPort?.postMessage(null);
});
