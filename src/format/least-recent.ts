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

  set(key: number, value: T): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.limit) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }

  clear(): void {
    this.#entries.clear();
  }
}
