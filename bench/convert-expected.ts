/** What the documents of the set should become, in the forms in which their projects state it. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import create from "markdown-it";
import Papa from "papaparse";
import { parse, type DefaultTreeAdapterTypes } from "parse5";
import { readMarkdown, type TableText } from "../src/convert/compare/reading.js";
import { markdownParser } from "../src/convert/compare/syntax.js";
import { Vocabulary } from "../src/convert/compare/words.js";
import { readNative } from "./convert-native.js";

/** A right answer. What is absent is not stated by it and is not judged. */
export interface Expected {
  readonly text: string;
  readonly headings?: readonly string[];
  readonly tables?: readonly TableText[];
  /** Sheets of a workbook as exported: cell for cell at its address. */
  readonly sheets?: readonly TableText[];
  /** Cells that repeat a neighbour: docling writes the text of a merged cell into every cell that it covers. */
  readonly repeats?: readonly string[];
  /** It states a part of the document only: other words in the output are no fault. */
  readonly partial?: boolean;
}

/** A document of the set. */
export interface SetFile {
  /** Inside the set: `docx/pandoc__lists.docx`. */
  readonly path: string;
  readonly format: string;
  readonly tags: readonly string[];
  readonly expected?: Expected;
}

export function readSetFiles(folder: string): SetFile[] {
  const [, ...lines] = readFileSync(join(folder, "MANIFEST.tsv"), "utf8").trimEnd().split("\n");
  return lines.map((line) => {
    const [path, format, , , , tags, answers] = line.split("\t");
    const expected = readExpected(
      folder,
      (answers ?? "").split(" ").filter((name) => name !== ""),
    );
    return { path: path!, format: format!, tags: tags!.split(","), ...(expected !== undefined && { expected }) };
  });
}

function readExpected(folder: string, names: readonly string[]): Expected | undefined {
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  const there = names.filter((name) => existsSync(join(folder, name)));
  const sheets = there.filter((name) => /\.sheet\d+\.csv$/.test(name));
  if (sheets.length > 0) return fromSheets(sheets.map(read));
  const one = (ending: string): string | undefined => there.find((name) => name.endsWith(ending));
  const markdown = one(".md");
  if (markdown !== undefined) return withoutRepeats(fromMarkdown(read(markdown)));
  const native = one(".native");
  if (native !== undefined) return readNative(read(native));
  const article = one(".readability.html");
  if (article !== undefined) return { text: visibleText(read(article)), partial: true };
  const csv = one(".csv.json");
  if (csv !== undefined)
    return fromRecords([JSON.parse(read(csv)) as Record<string, string> | Record<string, string>[]].flat());
  const text = there.find((name) => name.endsWith(".txt") && !name.endsWith(".words.txt"));
  return text === undefined ? undefined : { text: read(text) };
}

/** The words, headings and tables of Markdown; formulas and images apart. */
export function fromMarkdown(markdown: string): Expected {
  const { words, tables } = readMarkdown(markdown, new Vocabulary(), create, { formulasApart: true });
  const lines = words.segments.filter((_segment, at) => !isOptional(words, at)).map(({ text }) => text);
  return { text: lines.join("\n"), headings: headingsOf(markdown), tables };
}

function withoutRepeats(expected: Expected): Expected {
  const repeats: string[] = [];
  const tables = expected.tables?.map((rows) =>
    rows.map((row, y) =>
      row.map((cell, x) => {
        if (cell === "" || (cell !== row[x - 1] && cell !== rows[y - 1]?.[x])) return cell;
        repeats.push(cell);
        return "";
      }),
    ),
  );
  return { ...expected, repeats, ...(tables !== undefined && { tables }) };
}

/** Numbers of list items and labels of notes have segments of their own. */
function isOptional(
  words: { readonly segmentOf: readonly number[]; readonly optional: ReadonlySet<number> },
  segment: number,
): boolean {
  const at = words.segmentOf.indexOf(segment);
  return at >= 0 && words.optional.has(at);
}

export function headingsOf(markdown: string): string[] {
  const tokens = markdownParser(create).parse(markdown, {});
  return tokens.flatMap((token, at) =>
    token.type === "heading_open"
      ? [(tokens[at + 1]?.children ?? []).map((child) => (child.type === "softbreak" ? " " : child.content)).join("")]
      : [],
  );
}

function fromSheets(sheets: readonly string[]): Expected {
  const tables = sheets.map((sheet) => Papa.parse<string[]>(sheet.replace(/^\ufeff/, "")).data);
  return { text: tables.flat(2).join("\n"), sheets: tables };
}

function fromRecords(records: readonly Readonly<Record<string, string>>[]): Expected {
  const names = Object.keys(records[0] ?? {});
  const rows = [names, ...records.map((record) => names.map((name) => record[name] ?? ""))];
  return { text: rows.flat().join("\n"), tables: [rows] };
}

type HtmlNode = DefaultTreeAdapterTypes.Node;

/** Blocks end a word, elements within a line do not; formulas are no words. */
const WITHIN_LINE = /^(?:a|abbr|b|bdi|cite|code|em|font|i|kbd|mark|q|s|samp|small|span|strong|sub|sup|tt|u|var)$/;

function visibleText(html: string): string {
  const parts: string[] = [];
  const visit = (node: HtmlNode): void => {
    if (node.nodeName === "#text") parts.push((node as DefaultTreeAdapterTypes.TextNode).value);
    if (/^(?:script|style|template|noscript|head|math)$/.test(node.nodeName)) return;
    const separator = WITHIN_LINE.test(node.nodeName) ? "" : "\n";
    parts.push(separator);
    if ("childNodes" in node) node.childNodes.forEach(visit);
    parts.push(separator);
  };
  visit(parse(html));
  return parts.join("");
}
