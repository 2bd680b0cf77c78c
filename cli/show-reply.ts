import type { Hit, Reply } from "../src/index.js";
import { indexableText } from "../src/text/markers.js";
import { wrapped } from "./layout.js";
import { marked } from "./marked.js";
import { counted, note, printable, printableLine, say, styled } from "./print.js";
import { reflowed } from "./reflow.js";

/** Prints a reply for a person: rank, document and place, headings, and the passage with what found it marked. */
export function showReply(reply: Reply): void {
  for (const one of Object.values(reply.meaningUnavailable ?? {}))
    if (one.state !== "available") note(`mdcx: by words alone: ${printableLine(one.reason)} ${one.remedy}`);
  if (reply.passages.length === 0) {
    say(reply.hint ?? "Nothing was found.");
    return;
  }
  if (reply.warning !== undefined) note(`${styled("yellow", printableLine(reply.warning))}\n`);
  const matched = new Set(reply.matched);
  say(reply.passages.map((hit) => passage(hit, matched)).join("\n\n"));
  for (const [word, forms] of Object.entries(reply.readAs))
    note(styled("dim", `\n${printableLine(word)} was read as ${forms.map(printableLine).join(", ")}.`));
  const shown = reply.passages.length;
  if (reply.found > shown)
    note(
      styled(
        "dim",
        `\n${shown} of ${counted(reply.found, "passage")} with a word of the question or one like it; --limit shows more.`,
      ),
    );
  for (const terms of Object.values(reply.unknownTerms)) {
    // Single characters of a script without spaces are no words to a reader.
    const words = terms.filter((term) => Array.from(term).length > 1);
    if (words.length > 0) note(styled("dim", `Not in the package: ${words.map(printableLine).join(", ")}`));
  }
}

function passage(hit: Hit, matched: ReadonlySet<string>): string {
  const place = hit.place ? ` · ${hit.place.kind} ${printableLine(hit.place.value)}` : ` · line ${hit.line}`;
  const dated = hit.dated === undefined ? "" : ` · ${hit.dated}`;
  const by = hit.foundBy.includes("word") ? "" : " · by meaning";
  const indent = "    ";
  const lines = [
    `${styled("bold", String(hit.rank).padStart(2))}  ${styled("cyan", printableLine(hit.document))}${styled("dim", place + dated + by)}`,
  ];
  const above = [hit.title, ...headingsAbove(hit)].map(printableLine).join(" › ");
  lines.push(styled("dim", wrapped(above, indent)));
  if (hit.header !== undefined) lines.push(styled("dim", wrapped(printable(hit.header).trimEnd(), indent)));
  lines.push(
    wrapped(
      marked(shownText(hit), matched, (text) => styled(["bold", "yellow"], text)),
      indent,
    ),
  );
  return lines.join("\n");
}

/** The headings over a passage, without one that its own first line says again. */
function headingsAbove(hit: Hit): readonly string[] {
  const { heading } = hit;
  const [first = ""] = tidy(bodyOf(hit)).split("\n", 1);
  return /^#{1,6}\s/.test(first) && first.includes(heading.at(-1) ?? "") ? heading.slice(0, -1) : heading;
}

function shownText(hit: Hit): string {
  const text = printable(tidy(bodyOf(hit)));
  return hit.kind === "text" || hit.kind === "ocr" ? reflowed(text) : text;
}

/** A passage without its markers and, where it is the document's first, the front matter: what they say stands above already. */
function bodyOf({ text, line }: Hit): string {
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
