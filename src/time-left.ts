/** What of the time of a run without an encoder passes until all documents are read, and until the index is written (measured). */
const READ = 0.87;
const INDEXED = 0.97;
/** Nothing is said earlier: threads are starting, code is not compiled yet. */
const FIRST_SECONDS = 3;
const FIRST_SHARE = 0.02;

/** Where a run stands. */
export interface At {
  readonly stage: "documents" | "index" | "meaning" | "sealing";
  readonly done: number;
  readonly total: number;
}

/**
 * How long packing will still take, from how long it has taken so far: documents by their bytes, since one may be as long as
 * a thousand others. Of an encoder, which takes most of the time, nothing is known until all documents are read.
 */
export class TimeLeft {
  readonly #started: number;
  readonly #behind: Float64Array;
  #encoding: { readonly since: number; readonly done: number } | undefined;

  /**
   * @param sizes of the documents in their order; where one is not known, they count alike
   * @param withMeaning whether passages are encoded
   * @param now milliseconds that only grow
   */
  constructor(
    sizes: readonly (number | undefined)[],
    private readonly withMeaning: boolean,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#started = now();
    const known = sizes.every((size) => size !== undefined);
    this.#behind = new Float64Array(sizes.length + 1);
    for (const [i, size] of sizes.entries()) this.#behind[i + 1] = this.#behind[i]! + (known ? size! + 1 : 1);
  }

  /** Seconds; undefined where too little is known to say. */
  at(place: At): number | undefined {
    const share = this.withMeaning ? undefined : this.#shareOf(place);
    if (place.stage === "meaning") return this.#encodingLeft(place);
    const seconds = (this.now() - this.#started) / 1000;
    if (share === undefined || share < FIRST_SHARE || seconds < FIRST_SECONDS) return undefined;
    return (seconds * (1 - share)) / share;
  }

  /** How much of the whole is done, from 0 to 1. */
  #shareOf({ stage, done, total }: At): number | undefined {
    switch (stage) {
      case "documents":
        return (READ * this.#behind[done]!) / this.#behind.at(-1)!;
      case "index":
        return READ;
      case "sealing":
        return INDEXED + ((1 - INDEXED) * done) / total;
      case "meaning":
        return undefined;
    }
  }

  #encodingLeft({ done, total }: At): number | undefined {
    const now = this.now();
    this.#encoding ??= { since: now, done };
    const seconds = (now - this.#encoding.since) / 1000;
    const encoded = done - this.#encoding.done;
    return seconds < FIRST_SECONDS || encoded === 0 ? undefined : (seconds * (total - done)) / encoded;
  }
}
