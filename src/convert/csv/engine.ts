import Papa from "papaparse";
import type { Engine, Finding } from "../engine.js";
import { escapeText, paragraph, table, type Cell } from "../markdown.js";
import { decodeText } from "../text/encoding.js";
import { controlFindings, encodingFindings } from "../text/engine.js";
import { guessDelimiter, type Delimiter } from "./dialect.js";

/** Comma-separated values and their relatives: one table, its first row the header. */
export const engine: Engine = (original) => {
  const decoded = decodeText(original.bytes);
  let dropped = 0;
  const clean = decoded.text.replace(/(?![\t\n\r])\p{Cc}/gu, () => {
    dropped++;
    return " ";
  });
  const { text, delimiter } = withoutHint(clean, /\.([^./\\]+)$/.exec(original.path)?.[1]?.toLowerCase() ?? "");
  const { rows, unclosed } = parseRows(text, delimiter);
  const findings: Finding[] = [...encodingFindings(decoded), ...controlFindings(dropped)];
  if (unclosed > 0)
    findings.push({
      severity: "warn",
      kind: "unclosed quotation mark",
      text: `A quotation mark is never closed in ${unclosed} ${unclosed === 1 ? "row" : "rows"}: it was taken as a sign of the text.`,
    });
  const trimmed = withoutEmptyEdges(rows);
  const widths = new Set(trimmed.map((row) => row.length));
  if (widths.size > 1)
    findings.push({
      severity: "note",
      kind: "rows of unequal length",
      text: `Rows have between ${Math.min(...widths)} and ${Math.max(...widths)} cells: missing ones are empty.`,
    });
  const markdown = table(trimmed.map((row) => row.map(cellOf)));
  return Promise.resolve({
    engine: "papaparse 5.7.1",
    markdown: markdown === "" ? "" : `${markdown}\n`,
    withheld: [],
    labels: [],
    findings,
  });
};

/** Excel writes the delimiter into a first line of its own, `sep=;`, which is no row. */
function withoutHint(text: string, extension: string): { text: string; delimiter: Delimiter } {
  const hint = /^\uFEFF?sep=([,;\t|])\r?\n/i.exec(text);
  if (hint === null) return { text, delimiter: guessDelimiter(text, extension) };
  return { text: text.slice(hint[0].length), delimiter: hint[1] as Delimiter };
}

/** Rows whose quotation mark is never closed are mended one by one up to this many; then marks count no longer. */
const MOST_MENDED = 20;

/**
 * All rows. A mark that is never closed would swallow the rest of the file into one cell: the line it stands in is read
 * without marks, and parsing goes on behind it.
 */
function parseRows(text: string, delimiter: Delimiter): { rows: string[][]; unclosed: number } {
  const rows: string[][] = [];
  let rest = text;
  for (let mended = 0; ; mended++) {
    const marks = mended < MOST_MENDED;
    let start = 0;
    let broken = false as boolean;
    Papa.parse<string[]>(rest, {
      delimiter,
      skipEmptyLines: true,
      ...(!marks && { quoteChar: "\0" }),
      step: ({ data, errors, meta }, parser) => {
        broken = errors.some(({ code }) => code === "MissingQuotes");
        if (broken) {
          parser.abort();
          return;
        }
        rows.push(data);
        start = meta.cursor;
      },
    });
    if (!broken) return { rows, unclosed: mended };
    const begin = start + (/^(?:\r\n|\r|\n)+/.exec(rest.slice(start))?.[0].length ?? 0);
    const end = rest.slice(begin).search(/\r\n|\r|\n/);
    const line = end < 0 ? rest.slice(begin) : rest.slice(begin, begin + end);
    rows.push(line.split(delimiter));
    rest = end < 0 ? "" : rest.slice(begin + end).replace(/^(?:\r\n|\r|\n)/, "");
  }
}

/** Rows without the empty ones at the end and the empty columns at the right, which sheets leave behind. */
function withoutEmptyEdges(rows: readonly (readonly string[])[]): string[][] {
  let width = 0;
  let height = 0;
  rows.forEach((row, number) => {
    row.forEach((cell, column) => {
      if (cell.trim() === "") return;
      width = Math.max(width, column + 1);
      height = number + 1;
    });
  });
  return rows.slice(0, height).map((row) => row.slice(0, width));
}

function cellOf(text: string): Cell {
  const lines = text.split(/\r\n|\r|\n/).map((line) => paragraph(escapeText(line)).trim());
  // A pipe at the beginning of a cell looks like a table within it; as a character reference it is a sign.
  return { markdown: lines.join("<br>").replace(/^\|/, "&#124;") };
}
