import { textOf } from "./document.js";
import type { Image } from "./image/reader.js";
import type { Document, Passage } from "./image/records.js";
import { indexableText } from "./text/markers.js";

/** What stands over a passage and in it, as it is indexed. */
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

/** The text whose vector a passage has: title, headings over it, table header, text (DESIGN §4), a line each. */
export function embeddedText({ title, headings, header, own }: PassageTexts): string {
  return [title, ...headings, header.trim(), own.trim()].filter((line) => line !== "").join("\n");
}

/** The same text of a passage that lies in an image: what `pack` embedded, so that its vector can be taken over. */
export function embeddedTextOf(image: Image, document: Document, passage: Passage): string {
  const header = image.headerBytes(passage);
  return embeddedText({
    title: document.title ?? "",
    headings: image.headingPath(passage),
    header: header === undefined ? "" : textOf(header),
    own: indexableText(textOf(image.passageBytes(passage)), { atStart: passage.number === document.firstPassage }),
  });
}
