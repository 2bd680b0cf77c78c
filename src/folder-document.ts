import { decodeText, factsOf, nameAsTitle, textOf, whatInstead } from "./document.js";
import { withoutTitle } from "./passage-texts.js";
import type { Hit } from "./reply.js";
import { detectLanguage } from "./text/languages.js";
import { cutDocument, type PassageCut } from "./text/passages.js";

/** A file of a folder that is searched as it lies there. */
export interface FolderDocument {
  /** Inside the folder, with `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A document that is not searched, and why. */
export interface Unsearched {
  /** `@/folder/name.md` */
  readonly document: string;
  readonly reason: string;
}

/** A passage of a document, as a `Hit` of a package has it. */
export type FolderPassage = Pick<Hit, "line" | "place" | "heading" | "kind" | "header" | "text">;

/** A document as it is held while its folder is asked. */
export interface HeldDocument extends FolderDocument {
  readonly title: string;
  /** BCP 47 primary subtag, or `und`. */
  readonly language: string;
  readonly passages: readonly PassageCut[];
}

/** Reads a document as `pack` does. */
export async function holdDocument({ path, bytes }: FolderDocument): Promise<HeldDocument | Unsearched> {
  const text = decodeText(bytes);
  if (text === undefined) return { document: `@/${path}`, reason: `it is ${whatInstead(bytes)}` };
  const cuts = cutDocument(text);
  const { fields, end } = cuts.frontMatter;
  const facts = factsOf(fields);
  if (!facts.indexed) return { document: `@/${path}`, reason: "its front matter keeps it out of every search" };
  const title = facts.title ?? cuts.title ?? nameAsTitle(path);
  return {
    path,
    bytes,
    title,
    language: facts.language ?? (await detectLanguage(text.slice(end))),
    passages: cuts.passages.map((passage) => withoutTitle(passage, title)),
  };
}

const LINE_FEED = 0x0a;

/** Passage `ordinal` of a document, to be shown. */
export function quotePassage({ bytes, passages }: HeldDocument, ordinal: number): FolderPassage {
  const { start, end, place, heading, kind, header } = passages[ordinal]!;
  let line = 1;
  for (let at = 0; at < start; at++) if (bytes[at] === LINE_FEED) line++;
  return {
    line,
    ...(place && { place }),
    heading,
    kind,
    ...(header && { header: textOf(bytes.subarray(header.start, header.end)) }),
    text: textOf(bytes.subarray(start, end)),
  };
}
