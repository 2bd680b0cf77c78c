import { ConversionTally, type ConversionFigures } from "./conversion-tally.js";
import type { ClaimedFacts } from "./format/claims.js";
import type { DocumentRecord } from "./image/records.js";
import type { FrontMatterValue } from "./text/front-matter.js";

/** Adds up what the documents of a package come to, as its claims state it. */
export class DocumentTally {
  readonly #conversions = new ConversionTally();
  readonly #languages = new Map<string, number>();
  readonly #dates: string[] = [];

  /** @param fields its front matter, where a converted document has its certificate */
  add(
    { language, indexed, date }: Pick<DocumentRecord, "language" | "indexed" | "date">,
    fields: Readonly<Record<string, FrontMatterValue>>,
  ): void {
    this.#conversions.add(fields);
    if (indexed) this.#languages.set(language, (this.#languages.get(language) ?? 0) + 1);
    if (date !== null) this.#dates.push(date);
  }

  /** Of the documents that are searched, most frequent first. */
  get languages(): ClaimedFacts["languages"] {
    return [...this.#languages]
      .map(([code, documents]) => ({ code, documents }))
      .sort((a, b) => b.documents - a.documents || (a.code < b.code ? -1 : 1));
  }

  get dated(): ClaimedFacts["dated"] {
    const dates = this.#dates.sort();
    return { count: dates.length, from: dates[0] ?? null, to: dates.at(-1) ?? null };
  }

  /** Null where none was converted. */
  get conversion(): ConversionFigures | null {
    return this.#conversions.figures();
  }
}
