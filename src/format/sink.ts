/**
 * Where a package is written to: random access, because the head goes into its place last, when root, signature and tag
 * are known. The bytes handed over are not changed by the caller until the promise is settled.
 */
export interface Sink {
  write(offset: number, bytes: Uint8Array): Promise<void>;
}

/** A sink in memory, for packages small enough to be held: tests, vectors and browsers. */
export class MemorySink implements Sink {
  #bytes = new Uint8Array(1 << 16);
  #length = 0;

  write(offset: number, bytes: Uint8Array): Promise<void> {
    const end = offset + bytes.length;
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(end, 2 * this.#bytes.length));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, offset);
    this.#length = Math.max(this.#length, end);
    return Promise.resolve();
  }

  /** A copy of all that was written. */
  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }
}
