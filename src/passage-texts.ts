import { textOf } from "./document.js";
import type { Image } from "./image/reader.js";
import type { Document, Passage } from "./image/records.js";
import { indexableText } from "./text/markers.js";
import type { PassageCut } from "./text/passages.js";

/** What stands over a passage and in it, as it is indexed and embedded (DESIGN §4). */
export interface PassageTexts {
  /** Of its document. */
  readonly title: string;
  /** Headings over it, outermost first, without one that is the title. */
  readonly headings: readonly string[];
  /** Caption and header of the table whose later rows it holds; empty where it is none. */
  readonly header: string;
  /** Its Markdown without markers and front matter. */
  readonly own: string;
}

/**
 * The texts of a document's passages, in order, as they are cut.
 * @param beginning whether `bytes` may begin with front matter: an overview does not
 */
export function* passageTexts(
  bytes: Uint8Array,
  passages: readonly PassageCut[],
  title: string,
  beginning = true,
): Generator<PassageTexts> {
  for (const [ordinal, { start, end, heading, header }] of passages.entries())
    yield {
      title,
      headings: heading,
      header: header ? textOf(bytes.subarray(header.start, header.end)) : "",
      own: indexableText(textOf(bytes.subarray(start, end)), { atStart: beginning && ordinal === 0 }),
    };
}

/** The same texts of a passage that lies in an image. */
export function passageTextsOf(image: Image, document: Document, passage: Passage): PassageTexts {
  const header = image.headerBytes(passage);
  const atStart = passage.number === document.firstPassage && passage.kind !== "overview";
  return {
    title: document.title ?? "",
    headings: image.headingPath(passage),
    header: header === undefined ? "" : textOf(header),
    own: indexableText(textOf(image.passageBytes(passage)), { atStart }),
  };
}

/** A first heading that is the title says nothing more, and would be stored and counted twice. */
export function withoutTitle(passage: PassageCut, title: string): PassageCut {
  return passage.heading[0] === title ? { ...passage, heading: passage.heading.slice(1) } : passage;
}
