/**
 * The thread in which pdfjs parses. A page made to hang a reader hangs it without ever giving the event loop a turn (a
 * pattern that paints itself, millions of saved states), and only the end of its thread ends that. One thread serves one
 * document after the other: starting it costs more than most documents do.
 */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { MessageChannel, Worker, type MessagePort } from "node:worker_threads";
import type { PDFWorker } from "pdfjs-dist/types/src/display/api.js";
import { optional } from "../../node/optional-package.js";

export type Pdfjs = typeof import("pdfjs-dist/types/src/pdf.js");

/** Memory of the thread in MiB; manuals of 600 pages take a quarter of it. */
const MEMORY = 256;
/** Of it, for what is new: a page's operators are garbage as soon as they are sent, and a larger part only waits. */
const YOUNG = 24;

/**
 * Each glyph crosses as an object of nine properties, which took a quarter of all the time: shown text is packed into one
 * string and one list of numbers first (`unpack` in shown-text.ts), and the outlines of glyphs, which nobody draws, stay.
 *
 * The legacy build, which alone runs on Node 20, puts its own `push` before all arrays of the process: a loop, in which a
 * tenth of all time was spent. It is put back on both sides.
 */
const START = `
const { workerData: { module, port } } = require("node:worker_threads");
const push = Object.getOwnPropertyDescriptor(Array.prototype, "push");
const SHOW_TEXT = 44;
const pack = (shown) => {
  if (!Array.isArray(shown) || shown.some((each) => each?.vmetric)) return shown;
  const numbers = shown.map((each) => (typeof each === "number" ? each : (each?.width ?? 0)));
  const text = shown.map((each) => (typeof each === "number" ? "\\u0001" : (each?.isSpace ? "\\u0002" : "") + (each?.unicode ?? "")));
  return { text: text.join("\\0"), numbers };
};
const post = port.postMessage.bind(port);
port.postMessage = (message, transfer) => {
  const chunk = message?.chunk;
  if (Array.isArray(chunk?.fnArray)) {
    chunk.fnArray.forEach((operator, index) => {
      if (operator === SHOW_TEXT) chunk.argsArray[index] = [pack(chunk.argsArray[index][0])];
    });
  }
  if (message?.action === "commonobj" && message.data?.[1] === "FontPath") return;
  post(message, transfer);
};
import(module).then(({ WorkerMessageHandler }) => {
  Object.defineProperty(Array.prototype, "push", push);
  WorkerMessageHandler.initializeFromPort(port);
  port.start();
});
`;

export async function pdfjs(): Promise<Pdfjs> {
  return await optional("converting a PDF", async () => {
    const push = Object.getOwnPropertyDescriptor(Array.prototype, "push")!;
    try {
      return await import("pdfjs-dist/legacy/build/pdf.mjs");
    } finally {
      Object.defineProperty(Array.prototype, "push", push);
    }
  });
}

export class PdfThread {
  /** What `getDocument` is given. */
  readonly worker: PDFWorker;
  /** Whether it can still be asked. */
  alive = true;
  /** Who is told when the thread ends. A promise that is raced again and again would keep every result that won. */
  readonly #waiting = new Set<() => void>();
  readonly #thread: Worker;
  readonly #port: MessagePort;

  private constructor(library: Pdfjs) {
    const { port1, port2 } = new MessageChannel();
    const module = pathToFileURL(createRequire(import.meta.url).resolve("pdfjs-dist/legacy/build/pdf.worker.mjs")).href;
    this.#thread = new Worker(START, {
      eval: true,
      workerData: { module, port: port2 },
      transferList: [port2],
      resourceLimits: { maxOldGenerationSizeMb: MEMORY, maxYoungGenerationSizeMb: YOUNG },
      stdout: true,
      stderr: true,
    });
    this.#port = port1;
    const ended = (): void => {
      this.alive = false;
      for (const tell of this.#waiting) tell();
    };
    this.#thread.once("error", ended);
    this.#thread.once("exit", ended);
    this.worker = new library.PDFWorker({ port: port1 as unknown as null, verbosity: 0 });
    port1.start();
    // Whoever waits for an answer keeps the process alive; an idle thread does not.
    port1.unref();
    this.#thread.unref();
  }

  /** The thread of this process, started where there is none. */
  static async get(): Promise<PdfThread> {
    const library = await pdfjs();
    if (current?.alive !== true) current = new PdfThread(library);
    return current;
  }

  /** Calls `tell` when the thread ends, as it does by itself where its memory does not suffice; gives what calls it off. */
  whenEnded(tell: () => void): () => void {
    this.#waiting.add(tell);
    return () => this.#waiting.delete(tell);
  }

  /** Ends the thread with whatever it does. */
  async end(): Promise<void> {
    this.alive = false;
    this.#port.close();
    await this.#thread.terminate();
  }
}

let current: PdfThread | undefined;
