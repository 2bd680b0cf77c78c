import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { MdcxError } from "../../errors.js";
import { failure, type Failure } from "./messages.js";
import { keepRuntimeQuiet } from "./telemetry.js";

/** How long a thread may take to end by itself; a run of a model of the largest window takes less. */
const GRACE = 5_000;

/** What is told to who waits when an encoder is closed. */
export function closed(): MdcxError {
  return new MdcxError("encoder-failed", "The encoder was closed before it was done: ask again.");
}

/**
 * A worker thread of the encoder: its answers, and its end, which may come at any time (its memory may not suffice). It
 * keeps the process alive only while something is awaited from it.
 */
export class EncoderThread<Request, Answer> {
  /** Why it can no longer be asked. */
  ended: MdcxError | undefined;
  readonly #worker: Worker;
  readonly #exit: Promise<void>;

  /**
   * @param script `#session-thread`: the package's own name of a compiled file, which sources run by a test find as well
   * @param onAnswer given every answer but the failure of the whole thread
   * @param onEnd told once, when it will answer no more
   */
  constructor(script: string, start: object, onAnswer: (answer: Answer) => void, onEnd: (error: MdcxError) => void) {
    keepRuntimeQuiet();
    this.#worker = new Worker(createRequire(import.meta.url).resolve(script), {
      workerData: start,
      // Options of the program, such as what kind of script its own is, are not meant for these.
      execArgv: [],
    });
    this.#worker.unref();
    const end = ({ code, message }: Pick<Failure, "code" | "message">): void => {
      if (this.ended !== undefined) return;
      this.ended = new MdcxError(code, message);
      onEnd(this.ended);
    };
    this.#worker.on("message", (answer: Answer | Failure) => {
      const failed = answer as Partial<Failure>;
      if (failed.kind === "failed" && failed.request === undefined) {
        end(failed as Failure);
        void this.#worker.terminate();
      } else onAnswer(answer as Answer);
    });
    this.#worker.on("error", (error) => {
      end(failure(error));
    });
    this.#exit = new Promise((resolve) => {
      this.#worker.on("exit", () => {
        end({ code: "encoder-failed", message: "A thread of the encoder ended before its work was done: ask again." });
        resolve();
      });
    });
  }

  post(request: Request, transfer: ArrayBuffer[] = []): void {
    this.#worker.postMessage(request, transfer);
  }

  /** Whether the process waits for it. */
  hold(awaited: boolean): void {
    if (awaited) this.#worker.ref();
    else this.#worker.unref();
  }

  /** @param last what lets the thread end by itself; without it, it is ended at once */
  async close(last?: Request): Promise<void> {
    this.ended ??= closed();
    this.#worker.ref();
    if (last === undefined) void this.#worker.terminate();
    else {
      this.post(last);
      const late = setTimeout(() => void this.#worker.terminate(), GRACE);
      await this.#exit;
      clearTimeout(late);
    }
    await this.#exit;
  }
}
