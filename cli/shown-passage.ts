import type { Hit } from "../src/index.js";
import { indexableText } from "../src/text/markers.js";
import { wrapped } from "./layout.js";
import { marked } from "./marked.js";
import { printable, printableLine, styled } from "./print.js";
import { reflowed } from "./reflow.js";

/** What is shown of a passage, of a package's or a folder's. */
export type ShownPassage = Pick<Hit, "title" | "heading" | "header" | "kind" | "line" | "text">;

/** Before the lines that stand around a passage, so that a pipe without colours tells them from it. */
const AROUND = "  ┆ ";

/** What stands around a passage in its document. */
export interface ShownContext {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** A passage for a person: title and headings, its table's header, its text with what found it marked, what stands around it. */
export function shownPassage(
  hit: ShownPassage,
  matched: ReadonlySet<string>,
  indent: string,
  { before, after }: ShownContext = {},
): string {
  const above = [hit.title, ...headingsAbove(hit)].map(printableLine).join(" › ");
  const lines = [styled("dim", wrapped(above, indent))];
  if (hit.header !== undefined) lines.push(styled("dim", wrapped(printable(hit.header).trimEnd(), indent)));
  const text = marked(shownText(hit), matched, (form) => styled(["bold", "yellow"], form));
  if (before !== undefined) {
    const firstLine = hit.line - before.split("\n").length + 1;
    lines.push(around(indexableText(before, { atStart: firstLine === 1 })), "");
  }
  lines.push(wrapped(text, indent));
  if (after !== undefined) lines.push("", around(indexableText(after)));
  return lines.join("\n");
}

function around(text: string): string {
  return styled("dim", wrapped(reflowed(printable(tidy(text))), AROUND));
}

/** The headings over a passage, without one that its own first line says again. */
function headingsAbove(hit: ShownPassage): readonly string[] {
  const { heading } = hit;
  const [first = ""] = tidy(bodyOf(hit)).split("\n", 1);
  return /^#{1,6}\s/.test(first) && first.includes(heading.at(-1) ?? "") ? heading.slice(0, -1) : heading;
}

function shownText(hit: ShownPassage): string {
  const text = printable(tidy(bodyOf(hit)));
  return hit.kind === "text" || hit.kind === "ocr" ? reflowed(text) : text;
}

/** A passage without its markers and, where it is the document's first, the front matter: what they say stands above already. */
function bodyOf({ text, line }: ShownPassage): string {
  return indexableText(text, { atStart: line === 1 });
}

/** A passage without the blank lines around it and with no more than one within. */
function tidy(text: string): string {
  return text
    .replace(/^\ufeff/, "")
    .replace(/\r\n?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .replace(/^\n+|\s+$/g, "");
}
