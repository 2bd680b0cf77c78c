import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { MdcxError } from "../errors.js";
import type { HandedScan } from "../meaning/scan/scan.js";
import type { ScanBeside } from "../meaning/scan/scan-beside.js";

export interface ScanRequest {
  readonly number: number;
  readonly scans: readonly HandedScan[];
}

export interface ScanAnswer {
  readonly number: number;
  /** Why there is nothing. */
  readonly failure?: string;
}

interface Awaited {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** V8's young generation, in MB: the thread makes next to nothing. */
const YOUNG = 1;

/** A thread for scans, started when the first is asked. It keeps no process alive that has nothing else to do. */
class ScanProxy implements ScanBeside {
  #worker: Worker | undefined;
  readonly #awaited = new Map<number, Awaited>();
  #number = 0;

  scan(scans: readonly HandedScan[]): Promise<void> {
    const worker = (this.#worker ??= this.#start());
    const number = this.#number++;
    return new Promise((resolve, reject) => {
      this.#awaited.set(number, { resolve, reject });
      worker.ref();
      worker.postMessage({ number, scans } satisfies ScanRequest);
    });
  }

  rest(): void {
    const worker = this.#worker;
    if (worker === undefined) return;
    this.#worker = undefined;
    void worker.terminate();
    this.#fail("it was closed");
  }

  #start(): Worker {
    const worker = new Worker(createRequire(import.meta.url).resolve("#scan-thread"), {
      // Options of the program, such as what kind of script its own is, are not meant for it.
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG },
    });
    worker.on("message", ({ number, failure }: ScanAnswer) => {
      const awaited = this.#awaited.get(number);
      this.#awaited.delete(number);
      if (this.#awaited.size === 0) worker.unref();
      if (failure === undefined) awaited?.resolve();
      else awaited?.reject(new MdcxError("internal", failure));
    });
    const ended = (why: string): void => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#fail(why);
    };
    worker.on("error", ({ message }) => {
      ended(message);
    });
    worker.on("exit", () => {
      ended("it ended");
    });
    return worker;
  }

  #fail(why: string): void {
    const awaited = [...this.#awaited.values()];
    this.#awaited.clear();
    for (const { reject } of awaited)
      reject(new MdcxError("internal", `The thread that scans gave no answer: ${why}.`));
  }
}

/** The thread of this process: scans are bound by the memory's speed, and two at once would only share it. */
export const scanBeside: ScanBeside = new ScanProxy();
