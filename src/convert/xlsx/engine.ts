import type { Conversion, Engine } from "../engine.js";
import { escapeText, heading, image, link, listItem, marker, paragraph, table, type Cell } from "../markdown.js";
import { OfficePackage } from "../ooxml/package.js";
import { sampledPages } from "../pdf/sampling.js";
import { MOST_CHARACTERS, type Book } from "./cells.js";
import { readComments, readPeople } from "./comments.js";
import { readDrawing } from "./drawing.js";
import { areaName, cellName, type Area } from "./reference.js";
import { splitRegions, type Region } from "./regions.js";
import { MOST_CELLS, readSheet, type Sheet, type SheetCell } from "./sheet.js";
import { readWorkbook, type SheetEntry } from "./workbook.js";

/** Fields of a table, empty ones included; a region with more of them, nearly all empty, is written as a list of its cells. */
const MOST_FIELDS = 2_000_000;
const SPARSE = 20;
/** Rows of one text above a table that are its caption and not its header. */
const MOST_CAPTIONS = 3;

/** Workbooks of Excel 2007 and later, Strict ones included, with and without macros. */
export const engine: Engine = async (original, options) => {
  const office = OfficePackage.open(original.bytes, "xl/workbook.xml");
  const { sheets, book } = await readWorkbook(office);
  const writer = new WorkbookWriter(office, book);
  for (const number of sampledPages(sheets.length, options.sample ?? sheets.length)) writer.sheet(sheets[number - 1]!);
  return { ...writer.finish(), ...office.properties(), pagesTotal: sheets.length };
};

class WorkbookWriter {
  readonly #blocks: string[] = [];
  readonly #comments: string[] = [];
  readonly #labels: string[] = [];
  readonly #people: ReadonlyMap<string, string>;

  constructor(
    readonly office: OfficePackage,
    readonly book: Book,
  ) {
    this.#people = readPeople(office);
  }

  sheet(entry: SheetEntry): void {
    this.#blocks.push(heading(2, escapeText(entry.name)));
    if (entry.hidden !== "no") {
      const label = entry.hidden === "hidden" ? "Hidden sheet" : "Very hidden sheet";
      this.#label(label);
      this.#blocks.push(`*${label}*`);
      this.office.note(
        "note",
        "hidden sheet",
        `The sheet “${entry.name}” is ${entry.hidden} in the workbook; it is converted like the others.`,
      );
    }
    if (entry.part === undefined) {
      this.office.note("warn", "missing part", `The sheet “${entry.name}” is listed and not there.`);
      return;
    }
    const bytes = this.office.bytes(entry.part);
    if (bytes === undefined) return;
    const sheet = readSheet(bytes, entry.part, this.book, this.office);
    this.#noteSheet(entry, sheet);
    const links = linksByCell(sheet);
    for (const region of splitRegions(sheet.cells, sheet.merges)) this.#region(entry.name, region, links);
    for (const part of sheet.drawings) this.#drawing(entry, part);
    for (const { reference, author, text } of readComments(this.office, entry.part, this.#people)) {
      const place = `${entry.name}!${reference}`;
      this.#label(place);
      this.#comments.push(
        listItem("-", `${escapeText(place)}${author === "" ? "" : ` (${escapeText(author)})`}: ${inline(text)}`, 0),
      );
    }
  }

  finish(): Conversion {
    if (this.#comments.length > 0) {
      this.#label("Comments");
      this.#blocks.push(heading(2, "Comments"), this.#comments.join("\n"));
    }
    return {
      engine: "SpreadsheetML, numbers by numfmt",
      markdown: `${this.#blocks.filter((block) => block !== "").join("\n\n")}\n`,
      withheld: [],
      labels: this.#labels,
      findings: [...this.office.archive.findings, ...this.office.findings],
    };
  }

  #label(words: string): void {
    this.#labels.push(words);
  }

  #region(name: string, region: Region, links: ReadonlyMap<string, string>): void {
    const write = (cell: SheetCell): string => {
      const target = links.get(cellName(cell.row, cell.column));
      return target === undefined ? inline(cell.text) : link(inline(cell.text), target);
    };
    const { area, cells } = region;
    if (cells.length === 1) {
      this.#blocks.push(marker({ kind: "sheet", name, range: areaName(area) }), write(cells[0]!));
      return;
    }
    if (fields(area) > MOST_FIELDS && fields(area) > SPARSE * cells.length) {
      const items = cells.map((cell) => {
        const place = cellName(cell.row, cell.column);
        this.#label(place);
        return listItem("-", `${place}: ${write(cell)}`, 0);
      });
      this.#blocks.push(marker({ kind: "sheet", name, range: areaName(area) }), items.join("\n"));
      return;
    }
    this.#slices(name, region, write);
  }

  /** One table; or, where it is long, several under the same header, each with its own place. */
  #slices(name: string, region: Region, write: (cell: SheetCell) => string): void {
    const { area, cells } = region;
    let headerRow: number | undefined;
    for (const { rows, part } of slicesOf(region, write)) {
      if (headerRow === undefined) {
        const captions = takeCaptions(rows);
        headerRow = area.top + captions.length;
        this.#blocks.push(marker({ kind: "sheet", name, range: areaName(part) }), ...captions, table(rows));
        continue;
      }
      const header = new Array<Cell>(area.right - area.left + 1).fill(EMPTY);
      for (const { row, column, text } of cells) {
        if (row > headerRow) break;
        if (row < headerRow) continue;
        header[column - area.left] = { markdown: inline(text) };
        this.#label(text);
      }
      this.#blocks.push(marker({ kind: "sheet", name, range: areaName(part) }), table([header, ...rows]));
    }
  }

  #drawing(entry: SheetEntry, part: string): void {
    const { texts, charts, images } = readDrawing(this.office, part, this.book.format);
    for (const text of texts) this.#blocks.push(inline(text));
    for (const titles of charts) {
      this.#label("Chart");
      this.#blocks.push(`*Chart*${titles.length === 0 ? "" : `: ${titles.map(escapeText).join(", ")}`}`);
      this.office.note(
        "note",
        "chart",
        `The sheet “${entry.name}” holds a chart; what it draws stands in the cells, its titles in the text.`,
      );
    }
    if (images.length > 0) this.#blocks.push(images.map(({ alt, name }) => image(alt, name)).join("\n"));
  }

  #noteSheet({ name, chart }: SheetEntry, sheet: Sheet): void {
    const note = (severity: "note" | "warn", kind: string, text: string): void => {
      this.office.note(severity, kind, text);
    };
    if (chart) note("note", "chart sheet", `The sheet “${name}” is a chart and has no cells.`);
    if (sheet.hiddenRows > 0 || sheet.hiddenColumns > 0)
      note(
        "note",
        "hidden cells",
        `The sheet “${name}” has hidden rows (${sheet.hiddenRows}) and columns (${sheet.hiddenColumns}); their cells are converted like the others.`,
      );
    if (sheet.unsolved > 0)
      note(
        "warn",
        "formula without result",
        `The sheet “${name}” holds ${sheet.unsolved} formulas without a saved result, which are shown themselves: open it in a spreadsheet and save it.`,
      );
    if (sheet.cut)
      note(
        "warn",
        "too many cells",
        `The sheet “${name}” shows more than ${MOST_CELLS.toLocaleString("en")} cells or ${MOST_CHARACTERS.toLocaleString("en")} characters; the rest is left out.`,
      );
    if (sheet.fault !== undefined)
      note(
        "warn",
        "damaged part",
        `The sheet “${name}” is not well-formed from some place on, and the rest is lost: ${sheet.fault}`,
      );
  }
}

function fields({ top, left, bottom, right }: Area): number {
  return (bottom - top + 1) * (right - left + 1);
}

/** Lines of a cell, each as it reads; an empty line would end a row of a table, and so would a bar at its beginning. */
function inline(text: string): string {
  // Most cells are numbers, in which nothing is syntax.
  if (/^-?\d(?:[\d.,:%/]*[\d%])?$/.test(text)) return text;
  return text
    .split(/\r\n?|\n/)
    .map((line) => paragraph(escapeText(line).trim()).replace(/^\|/, "&#124;"))
    .filter((line) => line !== "")
    .join("\n");
}

/**
 * The rows of a region and where they lie, some thousand cells at a time: a place of a hundred thousand rows helps nobody
 * to find what is cited, and as one table a million cells would be gigabytes to whoever parses it.
 */
function* slicesOf(
  { area, cells }: Region,
  write: (cell: SheetCell) => string,
): Generator<{ readonly rows: Cell[][]; readonly part: Area }> {
  const width = area.right - area.left + 1;
  const most = Math.max(LEAST_ROWS, Math.floor(MOST_SLICE / width));
  let at = 0;
  for (let top = area.top; top <= area.bottom; top += most) {
    const bottom = Math.min(top + most - 1, area.bottom);
    const rows = Array.from({ length: bottom - top + 1 }, () => new Array<Cell>(width).fill(EMPTY));
    const first = at;
    for (; at < cells.length && cells[at]!.row <= bottom; at++) {
      const cell = cells[at]!;
      rows[cell.row - top]![cell.column - area.left] = { markdown: write(cell) };
    }
    if (at > first) yield { rows, part: { ...area, top, bottom } };
  }
}

const EMPTY: Cell = { markdown: "" };
/** Fields of one table; the reader cuts at the same places. */
const MOST_SLICE = 40_000;
const LEAST_ROWS = 100;

/** Takes off the rows above the header that hold only a caption in the first column. @returns the captions */
function takeCaptions(rows: Cell[][]): string[] {
  const filled = (row: readonly Cell[] | undefined): number =>
    (row ?? []).filter(({ markdown }) => markdown !== "").length;
  let count = 0;
  while (
    count < MOST_CAPTIONS &&
    rows.length > count + 2 &&
    rows[count]![0]!.markdown !== "" &&
    filled(rows[count]) === 1
  )
    count++;
  if (count === 0 || filled(rows[count]) < 2) return [];
  return rows.splice(0, count).map(([first]) => first!.markdown);
}

/** Targets of links by the cells that they lie on; a link on a whole column is looked up only where cells are. */
function linksByCell(sheet: Sheet): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  const wide: { area: Area; target: string }[] = [];
  for (const each of sheet.links) {
    if (fields(each.area) === 1) links.set(cellName(each.area.top, each.area.left), each.target);
    else if (wide.length < 1_000) wide.push(each);
  }
  for (const { row, column } of wide.length === 0 ? [] : sheet.cells) {
    const found = wide.find(
      ({ area }) => row >= area.top && row <= area.bottom && column >= area.left && column <= area.right,
    );
    if (found !== undefined) links.set(cellName(row, column), found.target);
  }
  return links;
}
