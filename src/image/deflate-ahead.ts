import type { Deflate } from "./deflate.js";
import { BLOCK } from "./schema.js";

/** Deflates bytes elsewhere; gives what {@link Deflate} gives. */
export type DeflateElsewhere = (bytes: Uint8Array) => Promise<Uint8Array>;

/**
 * Deflates the text of an image before the writer asks for it, block by block as the writer will cut it, so that other
 * threads do it while this one writes.
 */
export class DeflateAhead {
  readonly #block = new Uint8Array(BLOCK);
  #fill = 0;
  #begun = 0;
  #taken = 0;
  readonly #done = new Map<number, Uint8Array>();
  readonly #pending = new Map<number, Promise<void>>();

  /** @param deflate for a block that was not begun: the last one, which is not full */
  constructor(
    private readonly elsewhere: DeflateElsewhere,
    private readonly deflate: Deflate,
  ) {}

  /**
   * Begins with the blocks that `bytes` fill, which are the next of the text.
   * @returns settled when the writer can be given them, and all before
   */
  async feed(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const part = bytes.subarray(at, at + BLOCK - this.#fill);
      this.#block.set(part, this.#fill);
      this.#fill += part.length;
      at += part.length;
      if (this.#fill === BLOCK) this.#begin();
    }
    await Promise.all(this.#pending.values());
  }

  /** What the writer deflates with: takes the blocks in the order in which they were begun. */
  readonly take: Deflate = (bytes) => {
    const number = this.#taken++;
    const deflated = this.#done.get(number);
    this.#done.delete(number);
    return deflated ?? this.deflate(bytes);
  };

  #begin(): void {
    const number = this.#begun++;
    this.#fill = 0;
    const work = this.elsewhere(this.#block.slice()).then((deflated) => {
      this.#done.set(number, deflated);
      this.#pending.delete(number);
    });
    this.#pending.set(number, work);
  }
}
