import { nearestPaths } from "../nearest-names.js";

/** A field that lines of a file have and nothing is made of: a slip, or what another program wrote for itself. */
export interface UnknownKey {
  readonly key: string;
  /** What a line should be: a record of a document, or an overview. */
  readonly of: "records" | "overviews";
  /** Lines that have it, and the first of them. */
  readonly records: number;
  readonly firstLine: number;
  /** The field that it is most like, where it is like any. */
  readonly nearest?: string;
}

/** Collects such fields, in the order in which they come. */
export class UnknownKeys {
  readonly #seen = new Map<string, { records: number; readonly firstLine: number }>();

  /** @param fields those that a line may have */
  constructor(
    private readonly of: UnknownKey["of"],
    private readonly fields: readonly string[],
  ) {}

  note(keys: readonly string[], line: number): void {
    for (const key of keys) {
      const known = this.#seen.get(key);
      if (known) known.records++;
      else this.#seen.set(key, { records: 1, firstLine: line });
    }
  }

  list(): UnknownKey[] {
    return [...this.#seen].map(([key, seen]) => {
      const [nearest] = nearestPaths(key, this.fields);
      return { key, of: this.of, ...seen, ...(nearest !== undefined && { nearest }) };
    });
  }
}
