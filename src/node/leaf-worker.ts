import { parentPort } from "node:worker_threads";
import { type SharedJob, takeLeaves } from "./leaf-ledger.js";
import { primitives } from "./primitives.js";

/** A thread that helps with leaves; started by leaf-threads.ts and told of each job once. It answers through the ledger. */
parentPort?.on("message", (job: SharedJob) => {
  takeLeaves(primitives, job);
});
