/** A map that forgets what has not been asked for the longest. */
export class LeastRecent<T, Key extends number | string = number> {
  // A Map iterates in the order of insertion, so putting an entry back makes it the youngest.
  readonly #entries = new Map<Key, T>();

  constructor(private readonly limit: number) {}

  get(key: Key): T | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /** @returns the value that was forgotten for it */
  set(key: Key, value: T): T | undefined {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.limit) return undefined;
    for (const [oldest, forgotten] of this.#entries) {
      this.#entries.delete(oldest);
      return forgotten;
    }
    return undefined;
  }

  /** Forgets every entry with such a key. */
  forget(isSuch: (key: Key) => boolean): void {
    for (const key of this.#entries.keys()) if (isSuch(key)) this.#entries.delete(key);
  }
}
