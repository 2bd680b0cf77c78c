import type { Image } from "./image/reader.js";
import type { Document, Passage } from "./image/records.js";
import { passageTextsOf, type PassageTexts } from "./passage-texts.js";

/** The text whose vector a passage has: title, headings over it, table header, text (DESIGN §4), a line each. */
export function embeddedText({ title, headings, header, own }: PassageTexts): string {
  return [title, ...headings, header.trim(), own.trim()].filter((line) => line !== "").join("\n");
}

/** The same text of a passage that lies in an image: what `pack` embedded, so that its vector can be taken over. */
export function embeddedTextOf(image: Image, document: Document, passage: Passage): string {
  return embeddedText(passageTextsOf(image, document, passage));
}
