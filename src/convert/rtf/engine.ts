import type { Engine, Finding } from "../engine.js";
import { escapeText, footnote, listItem } from "../markdown.js";
import { independentDecoder } from "../text/reader.js";
import { lineOf, readRtf } from "./document.js";

/** Rich Text Format, as Word, WordPad and TextEdit write it. */
export const engine: Engine = async (original) => {
  const decode = await independentDecoder();
  const safe = (bytes: Uint8Array, encoding: string): string => {
    try {
      return decode(bytes, encoding);
    } catch {
      return decode(bytes, "cp1252");
    }
  };
  const read = readRtf(original.bytes, safe);
  const labels: string[] = [];
  const blocks = [read.body, ...read.notes.map((text, i) => footnote(String(i + 1), text))];
  const section = (title: string, items: readonly string[]): void => {
    if (items.length === 0) return;
    labels.push(title);
    blocks.push(`## ${title}`, items.join("\n"));
  };
  section(
    "Comments",
    read.comments.map(({ author, text }) => {
      const said = `${author === "" ? "Comment" : author}:`;
      labels.push(said);
      return listItem("-", `${escapeText(said)} ${text.replace(/\s*\n\s*/g, " ")}`, 0);
    }),
  );
  section(
    "Tracked changes",
    read.deletions
      .filter(({ text }) => text.trim() !== "")
      .map(({ author, text }) => {
        const said = author === "" || author === "Unknown" ? "Deleted:" : `Deleted by ${author}:`;
        labels.push(said);
        return listItem("-", `${escapeText(said)} ${lineOf(text)}`, 0);
      }),
  );
  if (read.heads.length > 0) {
    labels.push("Headers and footers");
    blocks.push("## Headers and footers", ...read.heads);
  }
  const findings: Finding[] = [];
  if (read.pictures > 0)
    findings.push({
      severity: "note",
      kind: "pictures",
      text: `${read.pictures === 1 ? "A picture is" : `${read.pictures} pictures are`} left out: RTF gives them no name and seldom a text.`,
    });
  if (read.deletions.length > 0)
    findings.push({
      severity: "note",
      kind: "tracked changes",
      text: "Changes are tracked: the text stands as if all were accepted, what was deleted is listed at the end.",
    });
  const markdown = blocks.filter((block) => block !== "").join("\n\n");
  return {
    engine: "mdcx rtf",
    markdown: markdown === "" ? "" : `${markdown}\n`,
    ...(read.title !== "" && { title: read.title }),
    withheld: read.hidden.map((text) => ({ kind: "hidden" as const, text })),
    labels,
    findings,
  };
};
