import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { MdcxError } from "../errors.js";
import {
  errorOf,
  type CorpusAnswer,
  type CorpusEvent,
  type CorpusRequest,
  type CorpusStart,
  type Opened,
} from "./corpus-messages.js";
import { keepRuntimeQuiet } from "./encoder/telemetry.js";

/**
 * Megabytes of what the thread made lately, before it is looked through for what is used no more. Buffers of pages hang on small
 * objects there: with the usual 48 a server of ten large packages keeps 25 MB more that nobody needs.
 */
const YOUNG = 12;

export interface LinkHooks {
  readonly onAnswer: (answer: Extract<CorpusAnswer, { readonly call?: number }>) => void;
  readonly onEvent: (event: CorpusEvent) => void;
  /** Told once, where the thread ends though nobody closed it. */
  readonly onEnd: (error: unknown) => void;
}

/** A thread that holds a corpus, from the opening of its packages to its end. */
export class CorpusLink {
  readonly #worker: Worker;
  readonly #ended: Promise<unknown>;
  #closed = false;

  private constructor(
    worker: Worker,
    readonly opened: readonly Opened[],
    { onAnswer, onEvent, onEnd }: LinkHooks,
  ) {
    this.#worker = worker;
    worker.on("message", (answer: CorpusAnswer) => {
      if (answer.kind === "event") onEvent(answer.event);
      else if (answer.kind !== "opened") onAnswer(answer);
    });
    let cause: unknown = new MdcxError(
      "internal",
      "The thread that reads the packages has ended: ask again, and it opens them anew.",
    );
    worker.on("error", (error) => {
      cause = error;
    });
    this.#ended = new Promise<void>((resolve) => {
      worker.once("exit", () => {
        if (!this.#closed) onEnd(cause);
        resolve();
      });
    });
  }

  /**
   * Starts the thread and opens all packages, or none.
   *
   * @param givenUp by place: the call that nobody waits for any more
   * @throws MdcxError that names the file which was refused
   */
  static async open(start: CorpusStart, givenUp: Int32Array, hooks: LinkHooks): Promise<CorpusLink> {
    // The thread's own environment is a copy that ONNX Runtime would not see.
    keepRuntimeQuiet();
    const worker = new Worker(createRequire(import.meta.url).resolve("#corpus-thread"), {
      workerData: { start, givenUp },
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG },
      // Standard output belongs to whoever started this process: what a library prints goes to standard error.
      stdout: true,
    });
    worker.stdout.pipe(process.stderr, { end: false });
    try {
      const opened = await new Promise<readonly Opened[]>((resolve, reject) => {
        worker.on("error", reject);
        worker.on("exit", () => {
          reject(new MdcxError("internal", "The thread that reads the packages ended before it had opened them."));
        });
        worker.on("message", function first(answer: CorpusAnswer) {
          if (answer.kind === "event") hooks.onEvent(answer.event);
          else {
            worker.off("message", first);
            if (answer.kind === "opened") resolve(answer.packages);
            else if (answer.kind === "refused") reject(errorOf(answer));
          }
        });
      });
      return new CorpusLink(worker, opened, hooks);
    } catch (error) {
      await worker.terminate();
      throw error;
    }
  }

  post(request: CorpusRequest): void {
    this.#worker.postMessage(request);
  }

  /**
   * Lets the thread end by itself, which takes as long as a model that is being loaded: ended by force in its midst, ONNX
   * Runtime aborts the whole process.
   */
  async close(): Promise<void> {
    this.#closed = true;
    this.post({ kind: "close" });
    await this.#ended;
  }
}
