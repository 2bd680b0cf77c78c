import type { DecodedPostings } from "./postings.js";

/** Bytes that a posting takes: the number of its passage and its frequency. */
const POSTING = 6;

/**
 * Decoded posting lists of all mounted packages, those that were asked for last. A question adds most of its postings up
 * twice, by stem and by likeness, and words that many passages hold come back in other questions.
 */
export class PostingCache {
  // A Map iterates in the order of insertion, so putting an entry back makes it the youngest.
  readonly #lists = new Map<number, DecodedPostings>();
  #bytes = 0;

  /** @param limit bytes kept */
  constructor(private readonly limit: number) {}

  /** The postings of a form of a package, as `decode` gives them unless they are kept. */
  get(packageNumber: number, form: number, decode: () => DecodedPostings): DecodedPostings {
    // A form's number is below 2^32.
    const key = packageNumber * 0x1_0000_0000 + form;
    const known = this.#lists.get(key);
    const list = known ?? decode();
    if (known === undefined) this.#bytes += POSTING * list.passages.length;
    else this.#lists.delete(key);
    this.#lists.set(key, list);
    if (this.#bytes > this.limit) this.#forget();
    return list;
  }

  #forget(): void {
    for (const [key, { passages }] of this.#lists) {
      this.#lists.delete(key);
      this.#bytes -= POSTING * passages.length;
      if (this.#bytes <= this.limit) return;
    }
  }
}
