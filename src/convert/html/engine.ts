/** HTML: a page as a visitor without scripts sees it. */
import type { Conversion, Engine } from "../engine.js";
import { safeTarget } from "../markdown.js";
import { refuse } from "../refusal.js";
import { encodingFindings } from "../text/engine.js";
import { BlockWriter } from "./blocks.js";
import { decodeHtml } from "./decode.js";
import { readMetadata } from "./metadata.js";
import { findNotes } from "./notes.js";
import { parseHtml } from "./tree.js";
import { keepVisible } from "./visible.js";

/** Pages are read whole; the largest seen here is 1.2 MB. */
const LARGEST = 64 * 1024 * 1024;

export const engine: Engine = async ({ bytes }): Promise<Conversion> => {
  if (bytes.length > LARGEST) refuse("The page is larger than 64 MiB: split it into smaller ones.");
  const decoding = decodeHtml(bytes);
  const root = await parseHtml(decoding.text);
  const metadata = readMetadata(root);
  const withheld = keepVisible(root, { withholdNavigation: true });
  const notes = findNotes([
    { root, resolve: (href) => (href.startsWith("#") ? { page: 0, id: decoded(href.slice(1)) } : undefined) },
  ]);
  const markdown = new BlockWriter({ notes, linkTarget }).write(root.children);
  return {
    engine: "parse5 8.1.1",
    markdown: markdown === "" ? "" : `${markdown}\n`,
    ...metadata,
    withheld,
    labels: [],
    findings: encodingFindings(decoding),
  };
};

/** A link to a place in the page itself stays its words: Markdown has no such places. */
function linkTarget(href: string): string | undefined {
  return href.trim().startsWith("#") ? undefined : safeTarget(href);
}

/** An id as the page has it, of the end of an address. */
export function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
