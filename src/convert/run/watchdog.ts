/**
 * A thread inside every worker process that ends the process, whatever its main thread is busy with: when it takes more
 * memory than it may, and when the run has gone (a killed run leaves no worker behind).
 */
import { writeSync } from "node:fs";
import { workerData } from "node:worker_threads";
import { LAST_WORDS } from "./messages.js";

/** What the main thread of a worker tells its watchdog. */
export interface Watch {
  /** Resident bytes. */
  readonly limit: number;
  readonly parent: number;
}

const { limit, parent } = workerData as Watch;

// A runaway document takes about 1 GB a second: between two looks it gets 20 MB further.
setInterval(() => {
  const resident = process.memoryUsage.rss();
  if (resident > limit) {
    writeSync(LAST_WORDS, `memory ${resident}`);
    process.kill(process.pid, "SIGKILL");
  } else if (process.ppid !== parent) process.kill(process.pid, "SIGKILL");
}, 20);
