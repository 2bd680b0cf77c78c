import { type PassageKind } from "./schema.js";

/** Whether a document was received or sent, seen from whoever packed it. */
export const DIRECTIONS = ["received", "sent"] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** What is known of a document, as it is given to the writer. `null` where nothing is known. */
export interface DocumentRecord {
  /** Its path in the folder: relative, `/` between the parts, bytes as found. Shown as `@/path`. */
  readonly path: string;
  readonly title: string | null;
  /** A language tag, `und` where it is not known. */
  readonly language: string;
  /** Of the original: `markdown`, `text`, `pdf`, … */
  readonly format: string;
  /** False: exported and returned by name, never searched. */
  readonly indexed: boolean;
  /** SHA-256 of its bytes, 32 bytes. */
  readonly markdownSha256: Uint8Array;
  /** Name of the original, relative as well. */
  readonly source: string | null;
  /** SHA-256 of the original, 32 bytes. */
  readonly sourceSha256: Uint8Array | null;
  /** `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
  readonly date: string | null;
  /** `front-matter`, `source`, `sidecar`, `mtime`, or what a list of dates says. */
  readonly dateOrigin: string | null;
  /** Null where neither is known. */
  readonly direction: Direction | null;
  /** Share of the original's words that the Markdown held before recovery, 0 to 1. */
  readonly coverage: number | null;
  /** Of the conversion: `ok`, `warn`, `fail`, … */
  readonly status: string | null;
  /** True where pages of the original were left out on purpose. */
  readonly sampled: boolean;
  /** Pages of the original. */
  readonly pagesTotal: number | null;
}

/** A document of an image. */
export interface Document extends DocumentRecord {
  /** From 0, in byte order of the path. */
  readonly number: number;
  /** Where its bytes begin in the whole text. */
  readonly start: number;
  readonly bytes: number;
  /** Number of its first passage; of the next one to come where it has none. */
  readonly firstPassage: number;
  /** Overviews included, which come last. */
  readonly passages: number;
}

/** A place of an original: `{ kind: "page", value: "12" }`, `{ kind: "sheet", value: "Sums A1:D20" }`. */
export interface Place {
  readonly kind: string;
  readonly value: string;
}

/** A range of bytes of a document. */
export interface ByteRange {
  /** First byte, from the document's beginning. */
  readonly start: number;
  /** First byte behind it. */
  readonly end: number;
}

/** A passage on its way into an image. */
export interface PassageInput extends ByteRange {
  readonly kind: Exclude<PassageKind, "overview">;
  /** Its headings from the outermost to the innermost. */
  readonly heading: readonly string[];
  readonly place?: Place | undefined;
  /** Caption and header of the table whose later rows it holds. */
  readonly header?: ByteRange | undefined;
}

/**
 * What was written about a document elsewhere. It lies behind the document's own bytes and is no part of it: it is found and
 * shown, and neither exported nor covered by the document's digest.
 */
export interface OverviewInput {
  readonly bytes: Uint8Array;
  /** They tile `bytes`, from which their offsets count; each is stored as an overview, of whatever kind it is. */
  readonly passages: readonly PassageInput[];
}

/** A passage of an image. All offsets count from the beginning of the whole text. */
export interface Passage {
  /** From 0 through the whole image, in the order of the text. */
  readonly number: number;
  readonly document: number;
  readonly start: number;
  readonly length: number;
  /** The line of its document on which it begins, from 1; lines end with LF. */
  readonly line: number;
  /** Number of its innermost heading. */
  readonly heading: number | null;
  readonly kind: PassageKind;
  /** Number of its place. */
  readonly place: number | null;
  /** Caption and header of its table, stored with the table's first passage. */
  readonly header: { readonly start: number; readonly length: number } | null;
}

/** A short text with the vector that the package's encoder gave it, by which a reader knows that encoder again. */
export interface Probe {
  readonly text: string;
  /** Two bytes a dimension, as the stream `halves` has them; of one length in all probes of an image. */
  readonly halves: Uint8Array;
}

/** A question on which the package was calibrated. */
export interface CalibrationRow {
  readonly question: string;
  /** Cosine to the nearest passage, -1 to 1. */
  readonly similarity: number;
}
