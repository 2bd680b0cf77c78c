/** A map that forgets what has not been asked for the longest. */
export class LeastRecent<T> {
  // A Map iterates in the order of insertion, so putting an entry back makes it the youngest.
  readonly #entries = new Map<number, T>();

  constructor(private readonly limit: number) {}

  get(key: number): T | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /** @returns the value that was forgotten for it */
  set(key: number, value: T): T | undefined {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.limit) return undefined;
    for (const [oldest, forgotten] of this.#entries) {
      this.#entries.delete(oldest);
      return forgotten;
    }
    return undefined;
  }

  clear(): void {
    this.#entries.clear();
  }
}
