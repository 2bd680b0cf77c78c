import type { Around, Asking, CorpusInfo, CorpusReading, DocumentList } from "../corpus.js";
import { MdcxError } from "../errors.js";
import type { DocumentText, Listing, Reply } from "../reply.js";
import type { SearchOptions } from "../search.js";
import { CorpusLink, type LinkHooks } from "./corpus-link.js";
import { errorOf, type CorpusEvent, type CorpusStart, type Opened, type Question } from "./corpus-messages.js";

/** Calls that the thread has at once: while one waits for a model, another is looked up. The rest wait here. */
const PLACES = 4;

/** A call that is not answered yet. */
interface Open {
  readonly call: number;
  readonly question: Question;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A corpus in a thread of its own, as `CorpusReading`. Calls are answered as they would be one after another; one that is
 * given up while it waits is never run.
 *
 * A thread that ended by an accident (its memory may not suffice) fails the calls that it had; the next call opens the
 * packages anew.
 */
export class CorpusProxy implements CorpusReading {
  readonly #start: CorpusStart;
  readonly #hooks: LinkHooks;
  #link: CorpusLink | undefined;
  #linking: Promise<void> | undefined;
  #closed = false;
  #calls = 0;
  readonly #waiting: Open[] = [];
  /** What the thread has, by place. */
  readonly #running = new Map<number, Open>();
  readonly #givenUp = new Int32Array(new SharedArrayBuffer(PLACES * Int32Array.BYTES_PER_ELEMENT));

  private constructor(start: CorpusStart, onEvent: (event: CorpusEvent) => void) {
    this.#start = start;
    this.#hooks = {
      onEvent,
      onAnswer: (answer) => {
        for (const [place, open] of this.#running) {
          if (open.call !== answer.call) continue;
          this.#running.delete(place);
          if (answer.kind === "answer") open.resolve(answer.value);
          else open.reject(errorOf(answer));
        }
        this.#advance();
      },
      onEnd: (error) => {
        this.#link = undefined;
        for (const { reject } of this.#running.values()) reject(error);
        this.#running.clear();
        this.#advance();
      },
    };
  }

  /**
   * Opens all packages in a thread, or none.
   *
   * @param onEvent told what happens beside the answers
   * @throws MdcxError that names the file which was refused
   */
  static async open(start: CorpusStart, onEvent: (event: CorpusEvent) => void = () => undefined): Promise<CorpusProxy> {
    const proxy = new CorpusProxy(start, onEvent);
    proxy.#link = await CorpusLink.open(start, proxy.#givenUp, proxy.#hooks);
    return proxy;
  }

  /** What was opened at the start, in the order in which it was given. */
  get opened(): readonly Opened[] {
    return this.#link?.opened ?? [];
  }

  search(question: string, options: SearchOptions = {}, asking?: Asking): Promise<Reply> {
    return this.#ask<Reply>({ method: "search", args: [question, options] }, asking);
  }

  info(asking?: Asking): Promise<CorpusInfo> {
    return this.#ask<CorpusInfo>({ method: "info", args: [] }, asking);
  }

  documents(from = 0, limit = 100, listing: Listing = {}, asking?: Asking): Promise<DocumentList> {
    return this.#ask<DocumentList>({ method: "documents", args: [from, limit, listing] }, asking);
  }

  document(name: string, around: Around = {}, asking?: Asking): Promise<DocumentText> {
    return this.#ask<DocumentText>({ method: "document", args: [name, around] }, asking);
  }

  /** Lets the thread end, and refuses the calls that are not answered yet. It may take as long as a model takes to load. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#refuseWaiting(closed());
    for (const { reject } of this.#running.values()) reject(closed());
    this.#running.clear();
    await this.#linking;
    await this.#link?.close();
    this.#link = undefined;
  }

  /** @typeParam T what the thread answers to that method */
  async #ask<T>(question: Question, { signal }: Asking = {}): Promise<T> {
    signal?.throwIfAborted();
    if (this.#closed) throw closed();
    const call = ++this.#calls;
    let giveUp = (): void => undefined;
    try {
      return await new Promise<T>((resolve, reject) => {
        giveUp = () => {
          this.#giveUp(call);
          reject(signal?.reason as Error);
        };
        signal?.addEventListener("abort", giveUp);
        const open = { call, question, resolve: resolve as (value: unknown) => void, reject };
        this.#waiting.push(open);
        this.#advance();
      });
    } finally {
      signal?.removeEventListener("abort", giveUp);
    }
  }

  #giveUp(call: number): void {
    const at = this.#waiting.findIndex((open) => open.call === call);
    if (at >= 0) this.#waiting.splice(at, 1);
    for (const [place, open] of this.#running) if (open.call === call) Atomics.store(this.#givenUp, place, call);
  }

  /** Hands the thread what it has place for. */
  #advance(): void {
    if (this.#link === undefined) {
      if (this.#waiting.length > 0) this.#linking ??= this.#relink();
      return;
    }
    for (let place = 0; place < PLACES && this.#waiting.length > 0; place++) {
      if (this.#running.has(place)) continue;
      const open = this.#waiting.shift()!;
      this.#running.set(place, open);
      this.#link.post({ kind: "ask", call: open.call, place, question: open.question });
    }
  }

  async #relink(): Promise<void> {
    try {
      this.#link = await CorpusLink.open(this.#start, this.#givenUp, this.#hooks);
    } catch (error) {
      this.#refuseWaiting(error);
    }
    this.#linking = undefined;
    this.#advance();
  }

  #refuseWaiting(error: unknown): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

function closed(): MdcxError {
  return new MdcxError("bad-input", "The packages have been closed.");
}
