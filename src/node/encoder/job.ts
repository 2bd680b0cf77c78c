import type { MdcxError } from "../../errors.js";
import type { Encoded } from "../../meaning/encoder.js";
import { meanOf } from "../../meaning/pooling.js";

/** A window that waits for a session. */
export interface Window {
  readonly text: number;
  readonly ids: Int32Array;
}

/** Texts tokenised at once: enough to keep sessions busy, few enough that a question waits some 50 ms at most. */
const CHUNK = 32;

/** One call of `encode`: which of its texts are where on their way, and the vectors that are there. */
export class Job {
  /** Windows that wait for a session. */
  readonly ready: Window[] = [];
  /** Whether texts of it are being tokenised. */
  tokenising = false;
  /** Numbers of the texts, the longest first: at the end the sessions are busy with short ones, and finish together. */
  readonly #order: Uint32Array;
  #next = 0;
  #done = 0;
  #tokens = 0;
  #windowed = 0;
  #vectors: Float32Array | undefined;
  /** Windows that are still missing, and those that are there, of texts that are not done. */
  readonly #partial = new Map<number, { missing: number; rows: Float32Array[] }>();
  readonly result: Promise<Encoded>;
  #resolve!: (encoded: Encoded) => void;
  #reject!: (error: MdcxError) => void;

  constructor(
    readonly texts: readonly string[],
    readonly prefix: string,
    private readonly onProgress: ((done: number) => void) | undefined,
  ) {
    this.#order = Uint32Array.from(texts.keys()).sort((a, b) => texts[b]!.length - texts[a]!.length || a - b);
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  get remaining(): number {
    return this.texts.length - this.#done;
  }

  /** The numbers of the texts that are tokenised next; none when all are. */
  nextTexts(): Uint32Array {
    const chunk = this.#order.subarray(this.#next, this.#next + CHUNK);
    this.#next += chunk.length;
    return chunk;
  }

  get untokenised(): number {
    return this.texts.length - this.#next;
  }

  /** @param windows of each text; their tokens are consecutive in `ids` */
  tokenised(texts: Uint32Array, ids: Int32Array, lengths: Int32Array, windows: Int32Array): void {
    let window = 0;
    let token = 0;
    texts.forEach((text, index) => {
      const count = windows[index]!;
      this.#partial.set(text, { missing: count, rows: [] });
      if (count > 1) this.#windowed++;
      for (let each = 0; each < count; each++) {
        const length = lengths[window++]!;
        this.ready.push({ text, ids: ids.subarray(token, token + length) });
        token += length;
      }
    });
    this.#tokens += ids.length;
  }

  /** @param rows one unit vector a window */
  arrived(windows: readonly Window[], rows: Float32Array): void {
    const dimensions = rows.length / windows.length;
    this.#vectors ??= new Float32Array(this.texts.length * dimensions);
    windows.forEach(({ text }, index) => {
      const row = rows.subarray(index * dimensions, (index + 1) * dimensions);
      const partial = this.#partial.get(text)!;
      partial.rows.push(row);
      if (--partial.missing > 0) return;
      this.#partial.delete(text);
      this.#vectors!.set(partial.rows.length === 1 ? row : meanOf(joined(partial.rows), dimensions), text * dimensions);
      this.#done++;
    });
    this.onProgress?.(this.#done);
    if (this.remaining === 0) this.#resolve({ vectors: this.#vectors, windowed: this.#windowed, tokens: this.#tokens });
  }

  fail(error: MdcxError): void {
    this.#reject(error);
  }
}

function joined(rows: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(rows.length * rows[0]!.length);
  rows.forEach((row, index) => {
    all.set(row, index * row.length);
  });
  return all;
}
