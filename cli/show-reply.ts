import type { Hit, Reply } from "../src/index.js";
import { counted, note, printableLine, say, styled } from "./print.js";
import { shownPassage } from "./shown-passage.js";

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
  const head = `${styled("bold", String(hit.rank).padStart(2))}  ${styled("cyan", printableLine(hit.document))}`;
  return `${head}${styled("dim", place + dated + by)}\n${shownPassage(hit, matched, "    ")}`;
}
