import type { FolderPassage, FolderReply, FoundDocument, Unsearched } from "../src/folder-search.js";
import type { OpenedFolder } from "../src/node/markdown-folder.js";
import { counted, note, printableLine, say, styled } from "./print.js";
import { shownPassage } from "./shown-passage.js";

/** Kinds of files that are counted one by one. */
const NAMED_KINDS = 4;

/** Prints a reply for a person: each document with its best passage, and where in it there is more. */
export function showFolderReply({ documents, found, matched, readAs, hint }: FolderReply): void {
  if (hint !== undefined) say(hint);
  const forms = new Set(matched);
  if (documents.length > 0) say(documents.map((one) => shownDocument(one, forms)).join("\n\n"));
  for (const [word, read] of Object.entries(readAs))
    note(styled("dim", `\n${printableLine(word)} was read as ${read.map(printableLine).join(", ")}.`));
  if (found > documents.length)
    note(styled("dim", `\n${documents.length} of ${counted(found, "document")} that bear on it; --limit shows more.`));
}

function shownDocument({ rank, document, title, found, passages }: FoundDocument, forms: ReadonlySet<string>): string {
  const [best, ...others] = passages;
  const head = `${styled("bold", String(rank).padStart(2))}  ${styled("cyan", printableLine(document))}`;
  const lines = [head + styled("dim", placeOf(best!)), shownPassage({ title, ...best! }, forms, "    ")];
  if (others.length > 0) lines.push(styled("dim", `    ${whereElse(others, found - passages.length)}`));
  return lines.join("\n");
}

function placeOf({ line, place }: FolderPassage): string {
  return ` · ${place ? `${place.kind} ${printableLine(place.value)} · ` : ""}line ${line}`;
}

function whereElse(passages: readonly FolderPassage[], more: number): string {
  const lines = passages.map(({ line }) => line).sort((a, b) => a - b);
  const named = `also ${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}`;
  return more > 0 ? `${named} and ${more.toLocaleString("en")} more` : named;
}

/** What was searched, and which files were not. */
export function searchedLines({ search, unsearched }: OpenedFolder): string[] {
  const { documents, passages } = search.size;
  const line = `Searched ${counted(documents, "document")} (${counted(passages, "passage")}) by words alone; \`mdcx pack --meaning\` finds by meaning too.`;
  if (unsearched.length === 0) return [line];
  return [line, `Not searched: ${kindsOf(unsearched)}; --json names them with the reason.`];
}

/** Files by their endings, most first: `12 pdf, 3 png, 1 other`. */
function kindsOf(unsearched: readonly Unsearched[]): string {
  const counts = new Map<string, number>();
  for (const { document } of unsearched) {
    const kind = /[^/]\.([^./]{1,8})$/.exec(document)?.[1]?.toLowerCase() ?? "other";
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const sorted = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const rest = sorted.slice(NAMED_KINDS).reduce((sum, [, count]) => sum + count, 0);
  const named = sorted.slice(0, NAMED_KINDS).map(([kind, count]) => `${count} ${printableLine(kind)}`);
  return [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}
