import type { Conversion, Original } from "../engine.js";
import { paragraph, table } from "../markdown.js";
import { cellMarkdown } from "../odf/grid.js";
import { optional } from "../../node/optional-package.js";
import { refuse } from "../refusal.js";
import { cleanText, escapeLine } from "../text/plain.js";

/** Word up to 2003: its words, paragraphs and tables. Which of them are headings or lists the library does not say. */
export async function convertWord({ bytes, path }: Original): Promise<Conversion> {
  const { default: WordExtractor } = await optional(`Converting ${path}`, () => import("word-extractor"));
  let document: Awaited<ReturnType<InstanceType<typeof WordExtractor>["extract"]>>;
  try {
    document = await new WordExtractor().extract(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch (cause) {
    refuse(
      `${path} is an old Word document (.doc) that cannot be read: open it in Word or LibreOffice and save it as .docx.`,
      {
        cause,
      },
    );
  }
  const exact = { filterUnicode: false };
  const labels: string[] = [];
  const blocks = textBlocks(document.getBody(exact));
  const section = (title: string, text: string): void => {
    const inside = textBlocks(text);
    if (inside.length === 0) return;
    labels.push(title);
    blocks.push(`## ${title}`, ...inside);
  };
  blocks.push(...textBlocks(document.getTextboxes({ ...exact, includeHeadersAndFooters: false })));
  section("Footnotes", document.getFootnotes(exact));
  section("Endnotes", document.getEndnotes(exact));
  section("Comments", document.getAnnotations(exact));
  section("Headers and footers", document.getHeaders({ ...exact, includeFooters: true }));
  return {
    engine: "word-extractor 1.0.4",
    markdown: blocks.length === 0 ? "" : `${blocks.join("\n\n")}\n`,
    withheld: [],
    labels,
    findings: [
      {
        severity: "note",
        kind: "old Word document",
        text: "Of an old Word document the words and tables are read, not which of them are headings or lists: save it as .docx to have those too.",
      },
    ],
  };
}

/** Lines are paragraphs; a line of cells, each closed by a tab, is a row. */
function textBlocks(text: string): string[] {
  const blocks: string[] = [];
  let rows: string[][] = [];
  const close = (): void => {
    if (rows.length > 0) blocks.push(table(rows.map((row) => row.map((cell) => ({ markdown: cellMarkdown(cell) })))));
    rows = [];
  };
  for (const line of cleanText(text).text.split("\n")) {
    if (/\S.*\t$/.test(line)) rows.push(line.slice(0, -1).split("\t"));
    else {
      close();
      if (line.trim() !== "") blocks.push(paragraph(escapeLine(line.trim())));
    }
  }
  close();
  return blocks;
}
