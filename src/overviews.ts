import { concatBytes } from "@noble/hashes/utils.js";
import { cutPassages, type PassageCut } from "./text/passages.js";

/** Overviews that were written elsewhere: what a document, or many of its passages, say in sum (spec/jsonl.md §3). */
export interface OverviewSource {
  /** Texts about the document of that path, in their order; asked of every document that can be found, by each of its names. */
  of(path: string): readonly string[];
  /** Told of documents that are not packed here though they are of the collection: what is about them is no slip. */
  elsewhere?(names: readonly string[]): void;
}

/** The overviews of one document in one piece, as they are stored. */
export interface OverviewCuts {
  readonly bytes: Uint8Array;
  readonly passages: readonly PassageCut[];
}

/** Puts texts about one document together: one behind the other, each cut as a document is. */
export function cutOverviews(texts: readonly string[]): OverviewCuts {
  const encoder = new TextEncoder();
  const parts = texts.map((text) => ({ bytes: encoder.encode(text), passages: cutPassages(text) }));
  let at = 0;
  const passages = parts.flatMap(({ bytes, passages }) => {
    const start = at;
    at += bytes.length;
    return passages.map((one) => ({
      ...one,
      ...moved(one, start),
      ...(one.header && { header: moved(one.header, start) }),
    }));
  });
  return { bytes: concatBytes(...parts.map(({ bytes }) => bytes)), passages };
}

function moved({ start, end }: { readonly start: number; readonly end: number }, by: number) {
  return { start: start + by, end: end + by };
}
