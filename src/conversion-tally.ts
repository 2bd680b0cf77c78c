import type { FrontMatterValue } from "./text/front-matter.js";

/** What the certificates of a package's documents come to. Figures only: they are public. */
export interface ConversionFigures {
  /** Documents that were converted. */
  readonly documents: number;
  readonly ok: number;
  readonly warn: number;
  readonly fail: number;
  readonly unverifiable: number;
  /** Words of the originals, as independent readers see them. */
  readonly words: number;
  /** Of these, words that the conversion left out before any was recovered. */
  readonly words_lost: number;
}

const COUNTS = ["documents", "ok", "warn", "fail", "unverifiable", "words", "words_lost"] as const;

/** The figures as claims hold them; null where there are none, or what is there was written by something else. */
export function readConversionFigures(claim: Readonly<Record<string, unknown>> | null): ConversionFigures | null {
  if (claim === null) return null;
  const figures: Partial<Record<(typeof COUNTS)[number], number>> = {};
  for (const name of COUNTS) {
    const value = claim[name];
    if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) return null;
    figures[name] = value;
  }
  return figures as ConversionFigures;
}

/** Adds up what the front matter of converted documents states (spec/convert.md). */
export class ConversionTally {
  readonly #figures = { documents: 0, ok: 0, warn: 0, fail: 0, unverifiable: 0, words: 0, words_lost: 0 };

  /** Takes a document into account where it has a certificate: a status and the digest of its original. */
  add({ status, source_sha256: digest, words, words_lost: lost }: Readonly<Record<string, FrontMatterValue>>): void {
    if (status !== "ok" && status !== "warn" && status !== "fail" && status !== "unverifiable") return;
    if (digest === undefined) return;
    this.#figures.documents++;
    this.#figures[status]++;
    // What could not be checked neither raises nor lowers the coverage.
    if (status === "unverifiable") return;
    this.#figures.words += count(words);
    this.#figures.words_lost += count(lost);
  }

  /** Null where no document was converted. */
  figures(): ConversionFigures | null {
    return this.#figures.documents === 0 ? null : { ...this.#figures };
  }
}

function count(value: FrontMatterValue | undefined): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}
