import type { WorkSheet, WorkBook } from "@e965/xlsx";
import type { Conversion, Finding, Original } from "../engine.js";
import { escapeText, heading, listItem } from "../markdown.js";
import { writeGrid, type GridCell } from "../odf/grid.js";
import { optional } from "../../node/optional-package.js";
import { refuse } from "../refusal.js";
import { cellName } from "../xlsx/reference.js";

/** Cells of all sheets that are read. */
const MOST_CELLS = 1_000_000;

/** Excel up to 2003: what every cell shows, sheet by sheet. */
export async function convertExcel({ bytes, path, password }: Original): Promise<Conversion> {
  const { read } = await optional(`Converting ${path}`, () => import("@e965/xlsx"));
  let book: WorkBook;
  try {
    book = read(bytes, { type: "array", dense: true, cellHTML: false, ...(password !== undefined && { password }) });
  } catch (cause) {
    if (/password|encrypt/i.test((cause as Error).message))
      refuse(
        `${path} is an old Excel workbook protected by a password: open it in Excel and save it as .xlsx without one.`,
        {
          cause,
        },
      );
    refuse(
      `${path} is an old Excel workbook (.xls) that cannot be read: open it in Excel or LibreOffice and save it as .xlsx.`,
      {
        cause,
      },
    );
  }
  const blocks: string[] = [];
  const labels: string[] = [];
  const comments: string[] = [];
  const findings: Finding[] = [];
  let count = 0;
  book.SheetNames.forEach((name, index) => {
    blocks.push(heading(2, escapeText(name)));
    if ((book.Workbook?.Sheets?.[index]?.Hidden ?? 0) > 0) {
      labels.push("Hidden sheet");
      blocks.push("*Hidden sheet*");
      findings.push({
        severity: "note",
        kind: "hidden sheet",
        text: `The sheet “${name}” is hidden; it is converted like the others.`,
      });
    }
    const { cells, notes, merges } = readSheet(book.Sheets[name]!, MOST_CELLS - count);
    count += cells.length;
    blocks.push(...writeGrid(name, cells, merges));
    for (const { place, text } of notes) {
      labels.push(`${name}!${place}`);
      comments.push(listItem("-", `${escapeText(`${name}!${place}`)}: ${escapeText(text)}`, 0));
    }
  });
  if (count >= MOST_CELLS)
    findings.push({
      severity: "warn",
      kind: "too many cells",
      text: "The workbook has more than a million cells: the first million was converted.",
    });
  if (comments.length > 0) {
    labels.push("Comments");
    blocks.push("## Comments", comments.join("\n"));
  }
  const { Title: title } = book.Props ?? {};
  // No date: when a program made the file says nothing of when its text was published.
  return {
    engine: "SheetJS 0.20.3 (@e965/xlsx)",
    markdown: `${blocks.join("\n\n")}\n`,
    ...(title !== undefined && title.trim() !== "" && { title: title.trim() }),
    pagesTotal: book.SheetNames.length,
    withheld: [],
    labels,
    findings,
  };
}

function readSheet(
  sheet: WorkSheet,
  most: number,
): {
  cells: GridCell[];
  notes: { place: string; text: string }[];
  merges: { top: number; left: number; bottom: number; right: number }[];
} {
  const cells: GridCell[] = [];
  const notes: { place: string; text: string }[] = [];
  (sheet["!data"] ?? []).forEach((row, r) => {
    row.forEach((cell, c) => {
      const text = (cell.w ?? (typeof cell.v === "string" ? cell.v : "")).trim();
      if (text !== "" && cells.length < most) cells.push({ row: r + 1, column: c + 1, text });
      for (const { t } of cell.c ?? []) notes.push({ place: cellName(r + 1, c + 1), text: t });
    });
  });
  const merges = (sheet["!merges"] ?? []).map(({ s, e }) => ({
    top: s.r + 1,
    left: s.c + 1,
    bottom: e.r + 1,
    right: e.c + 1,
  }));
  return { cells, notes, merges };
}
