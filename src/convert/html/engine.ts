/** HTML: a page as a visitor without scripts sees it. */
import type { Engine } from "../engine.js";
import { safeTarget } from "../markdown.js";
import { refuse } from "../refusal.js";
import { encodingFindings } from "../text/engine.js";
import { relative } from "./address.js";
import { BlockWriter } from "./blocks.js";
import { decodeHtml } from "./decode.js";
import { readMetadata } from "./metadata.js";
import { findNotes } from "./notes.js";
import { parseHtml } from "./tree.js";
import { keepVisible } from "./visible.js";

/** Pages are read whole; the largest seen here is 1.2 MB. */
const LARGEST = 64 * 1024 * 1024;

export const engine: Engine = async ({ path, bytes }) => {
  if (bytes.length > LARGEST) refuse("The page is larger than 64 MiB: split it into smaller ones.");
  const decoded = decodeHtml(bytes);
  const root = await parseHtml(decoded.text);
  const metadata = readMetadata(root);
  const withheld = keepVisible(root, { withholdNavigation: true });
  const own = path.replace(/^.*[/\\]/, "");
  const placeIn = (href: string): string | undefined => {
    const target = relative(href);
    return target?.id && (target.path === "" || target.path === own) ? target.id : undefined;
  };
  const resolve = (href: string): { page: number; id: string } | undefined => {
    const id = placeIn(href);
    return id === undefined ? undefined : { page: 0, id };
  };
  // A link to a place in the page itself stays its words: Markdown has no such places.
  const linkTarget = (href: string): string | undefined =>
    placeIn(href) === undefined && href.trim() !== "#" ? safeTarget(href) : undefined;
  const writer = new BlockWriter({ notes: findNotes([{ root, resolve }]), linkTarget });
  const markdown = writer.write(root.children);
  return {
    engine: "parse5 8.1.1",
    markdown: markdown === "" ? "" : `${markdown}\n`,
    ...metadata,
    withheld,
    labels: [],
    findings: encodingFindings(decoded),
  };
};
