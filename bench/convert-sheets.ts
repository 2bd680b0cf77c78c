/** Cells of a workbook at their addresses: a sheet is written as several tables, each under the range that it covers. */
import create from "markdown-it";
import { cellKey, type TableTally } from "../src/convert/compare/tables.js";
import { readMarkdown, type TableText } from "../src/convert/compare/reading.js";
import { Vocabulary } from "../src/convert/compare/words.js";

const SHEET = /^<!-- mdcx:sheet "(?:[^"\\]|\\.)*" ([A-Z]+)(\d+)(?::[A-Z]+(\d+))? -->$/gm;

/** Cells of the exported sheets that stand at their own address in the Markdown. */
export function compareSheets(sheets: readonly TableText[], markdown: string): TableTally {
  const written = markdown.split(/^## /m).slice(1).map(cellsOf);
  const total = { cells: 0, inPlace: 0, lost: 0, added: 0 };
  sheets.forEach((rows, index) => {
    const there = written[index] ?? new Map<string, string>();
    const addresses = [...there.keys()].map((address) => address.split(",").map(Number) as [number, number]);
    const first = (axis: 0 | 1): number => addresses.reduce((least, address) => Math.min(least, address[axis]), 1e9);
    // Some exports begin at A1, others at the first cell in use.
    const [best] = [compareSheet(rows, there, 0, 0), compareSheet(rows, there, first(0), first(1))].sort(
      (a, b) => b.inPlace - a.inPlace,
    );
    total.cells += best!.cells;
    total.inPlace += best!.inPlace;
    total.lost += best!.lost;
  });
  return total;
}

function compareSheet(
  rows: TableText,
  there: ReadonlyMap<string, string>,
  left: number,
  top: number,
): { readonly cells: number; readonly inPlace: number; readonly lost: number } {
  let cells = 0;
  let inPlace = 0;
  let lost = 0;
  const texts = new Set(there.values());
  rows.forEach((row, y) => {
    row.forEach((text, x) => {
      const key = cellKey(text);
      // The exports are in a code page: what it does not have came out as these.
      if (key === "" || /[\ufffd?_]/.test(key)) return;
      cells++;
      if (there.get(`${left + x},${top + y}`) === key) inPlace++;
      else if (!texts.has(key)) lost++;
    });
  });
  return { cells, inPlace, lost };
}

function cellsOf(section: string): Map<string, string> {
  const cells = new Map<string, string>();
  const ranges = [...section.matchAll(SHEET)];
  ranges.forEach((range, at) => {
    const text = section.slice(range.index + range[0].length, ranges[at + 1]?.index);
    const x = columnOf(range[1]!);
    const top = Number(range[2]) - 1;
    const height = Number(range[3] ?? range[2]) - top;
    const { tables, words } = readMarkdown(text, new Vocabulary(), create, { formulasApart: true });
    const rows = tables.flat();
    // Rows that hold one title stand above the table as a paragraph; a header without text was written for the syntax.
    const grid = rows.length > height ? rows.slice(rows.length - height) : rows;
    const first = top + height - grid.length;
    grid.forEach((row, y) => {
      row.forEach((cell, column) => cells.set(`${x + column},${first + y}`, cellKey(cell)));
    });
    words.segments.slice(0, first - top).forEach((segment, y) => cells.set(`${x},${top + y}`, cellKey(segment.text)));
    if (grid.length === 0) cells.set(`${x},${top}`, cellKey(text.replace(/\\(?=[!-/:-@[-`{-~])/g, "")));
  });
  return cells;
}

function columnOf(letters: string): number {
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
