import { escapeText, link, table } from "../markdown.js";
import type { LeftOut } from "./plan.js";
import type { Brief } from "./record.js";
import { FINDINGS } from "../../node/run-files.js";
import { percent, STATUSES, totalsOf } from "./totals.js";

/** The page is of the conversion and no document: packing keeps it, and no search finds it. */
export const NOT_INDEXED = "---\nindexed: false\n---\n\n";

/** INDEX.md: what there is, folder by folder, and how much of it survived. */
export function* indexPage(documents: readonly Brief[], leftOut: readonly LeftOut[]): Generator<string> {
  yield `${NOT_INDEXED}# Index\n\n${totalsTable(documents)}\n\n`;
  yield `What was found is in ${link(FINDINGS, FINDINGS)}, every certificate in \`_manifest.json\`.\n`;
  for (const [folder, inside] of byFolder(documents)) {
    yield `\n## ${folder === "" ? "Top folder" : escapeText(folder)}\n\n`;
    yield `${table([HEADER, ...inside.map(row)])}\n`;
  }
  if (leftOut.length === 0) return;
  yield "\n## Left out\n\n";
  for (const { path, reason } of leftOut) yield `- ${visible(path)}: ${visible(reason)}\n`;
}

const HEADER = ["Document", "Title", "Status", "Coverage", "Lost words"].map((markdown) => ({ markdown }));

function row({ source, target, facts, status, words }: Brief): { markdown: string }[] {
  const name = visible(nameOf(source));
  const verified = status !== "unverifiable" && words.reference > 0;
  return [
    target === undefined ? name : link(name, hrefOf(target)),
    visible(facts.title ?? ""),
    status,
    verified ? percent(words.coverage) : "",
    verified ? words.lost.toLocaleString("en") : "",
  ].map((markdown) => ({ markdown }));
}

/** Sums for a person, as a table of two columns. */
export function totalsTable(documents: readonly Brief[]): string {
  const { byStatus, words } = totalsOf(documents);
  const statuses = STATUSES.filter((status) => byStatus[status] > 0).map((status) => `${byStatus[status]} ${status}`);
  const rows = [
    ["Documents", `${documents.length}${statuses.length > 0 ? ` (${statuses.join(", ")})` : ""}`],
    ["Coverage", `${percent(words.coverage)} of ${words.reference.toLocaleString("en")} words, before recovery`],
    ["Words lost", `${words.lost.toLocaleString("en")}, ${words.recovered.toLocaleString("en")} of them recovered`],
    ["Words added", words.added.toLocaleString("en")],
  ];
  return table(
    rows.map((texts) => texts.map((markdown) => ({ markdown }))),
    { header: false },
  );
}

function byFolder(documents: readonly Brief[]): Map<string, Brief[]> {
  const folders = new Map<string, Brief[]>();
  for (const brief of documents) {
    const folder = brief.source.slice(0, Math.max(0, brief.source.lastIndexOf("/")));
    const inside = folders.get(folder);
    if (inside === undefined) folders.set(folder, [brief]);
    else inside.push(brief);
  }
  return new Map([...folders].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** A path as the target of a link. */
export function hrefOf(path: string): string {
  return path
    .split("/")
    .map((part) => encodeURIComponent(part))
    .join("/");
}

/** Names and sentences as inline text: what would hide or reorder it, or end its line, is shown by its number. */
export function visible(text: string): string {
  return escapeText(
    text.replace(/[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu, (sign) =>
      /[\t\n\r ]/.test(sign) ? " " : `\\u{${sign.codePointAt(0)!.toString(16)}}`,
    ),
  );
}
