import type { OfficePackage } from "../ooxml/package.js";
import { shownText, type Book, type StoredCell } from "./cells.js";
import { MOST_COLUMNS, MOST_ROWS, parseArea, parseCell, type Area } from "./reference.js";
import { StringItem } from "./shared-strings.js";
import { attribute, Enough, streamXml } from "./stream.js";

/** Cells with something to show that are written of a sheet. */
export const MOST_CELLS = 1_000_000;

/** A cell that shows something. */
export interface SheetCell {
  readonly row: number;
  readonly column: number;
  readonly text: string;
}

/** What one sheet shows. */
export interface Sheet {
  /** By rows, then columns. */
  readonly cells: readonly SheetCell[];
  readonly merges: readonly Area[];
  readonly links: readonly { readonly area: Area; readonly target: string }[];
  /** Parts of what is drawn on it. */
  readonly drawings: readonly string[];
  readonly hiddenRows: number;
  readonly hiddenColumns: number;
  /** Formulas that were saved without a result, and are shown themselves. */
  readonly unsolved: number;
  readonly cut: boolean;
  /** Why the rest could not be read. */
  readonly fault: string | undefined;
}

/** Merged cells that are kept: no honest sheet has as many, and each is looked at for every cell below it. */
const MOST_MERGES = 100_000;

/** Reads a sheet by events. */
export function readSheet(bytes: Uint8Array, part: string, book: Book, office: OfficePackage): Sheet {
  const reading = new SheetReading(part, book, office);
  const fault = streamXml(bytes, part, reading);
  return reading.result(fault);
}

class SheetReading {
  readonly #cells: SheetCell[] = [];
  readonly #merges: Area[] = [];
  readonly #links: { area: Area; target: string }[] = [];
  readonly #drawings: string[] = [];
  readonly #item = new StringItem();
  readonly #path: string[] = [];
  #hiddenRows = 0;
  #hiddenColumns = 0;
  #unsolved = 0;
  #cut = false;
  #sorted = true;
  #row = 0;
  #column = 0;
  #stored: { type: string; style: number } | undefined;
  #value: string | undefined;
  #inline: string | undefined;
  #formula: string | undefined;

  constructor(
    readonly part: string,
    readonly book: Book,
    readonly office: OfficePackage,
  ) {}

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#path.push(name);
    if (this.#stored !== undefined) {
      if (name === "v") this.#value = "";
      else if (name === "f") this.#formula = "";
      else if (name === "is") this.#inline = "";
      else if (this.#inline !== undefined) this.#item.open(name);
      return;
    }
    switch (name) {
      case "row": {
        this.#openRow(attributes);
        return;
      }
      case "c": {
        this.#openCell(attributes);
        return;
      }
      case "col":
        if (isTrue(attributes.hidden)) this.#hiddenColumns += columnsIn(attributes);
        return;
      case "mergeCell": {
        const area = parseArea(attributes.ref ?? "");
        if (area !== undefined && this.#merges.length < MOST_MERGES) this.#merges.push(area);
        return;
      }
      case "hyperlink": {
        this.#link(attributes);
        return;
      }
      case "drawing": {
        const target = this.office.relationships(this.part).get(attribute(attributes, "id") ?? "");
        if (target !== undefined && !target.external) this.#drawings.push(target.target);
        return;
      }
    }
  }

  close(name: string): void {
    this.#path.pop();
    if (this.#stored === undefined) return;
    if (name === "c") this.#closeCell(this.#stored);
    else if (name === "is") this.#inline = this.#item.take();
    else if (this.#inline !== undefined) this.#item.close(name);
  }

  text(text: string): void {
    if (this.#stored === undefined) return;
    const inside = this.#path.at(-1);
    if (inside === "v") this.#value = (this.#value ?? "") + text;
    else if (inside === "f") this.#formula = (this.#formula ?? "") + text;
    else this.#item.add(text);
  }

  result(fault: string | undefined): Sheet {
    if (!this.#sorted) this.#cells.sort((a, b) => a.row - b.row || a.column - b.column);
    return {
      cells: this.#cells,
      merges: this.#merges,
      links: this.#links,
      drawings: this.#drawings,
      hiddenRows: this.#hiddenRows,
      hiddenColumns: this.#hiddenColumns,
      unsolved: this.#unsolved,
      cut: this.#cut,
      fault,
    };
  }

  /** Rows and cells without a reference follow the one before: some writers leave it out. */
  #openRow(attributes: Readonly<Record<string, string>>): void {
    const stated = Number(attributes.r);
    this.#row =
      Number.isInteger(stated) && stated >= 1 && stated <= MOST_ROWS ? stated : Math.min(this.#row + 1, MOST_ROWS);
    this.#column = 0;
    if (isTrue(attributes.hidden)) this.#hiddenRows++;
  }

  #openCell(attributes: Readonly<Record<string, string>>): void {
    const place = parseCell(attributes.r ?? "");
    if (place !== undefined) this.#row = place.row;
    this.#column = place?.column ?? Math.min(this.#column + 1, MOST_COLUMNS);
    this.#row = Math.max(1, this.#row);
    this.#stored = { type: attributes.t ?? "n", style: Number(attributes.s ?? 0) };
    this.#value = this.#inline = this.#formula = undefined;
  }

  #closeCell(stored: { type: string; style: number }): void {
    const { type, style } = stored;
    const cell: StoredCell = { type, style, value: this.#value, inline: this.#inline };
    this.#stored = undefined;
    let text = shownText(cell, this.book);
    if (text === "" && this.#value === undefined && this.#inline === undefined && this.#formula !== undefined) {
      this.#unsolved++;
      text = this.#formula.trim() === "" ? "" : `=${this.#formula.trim()}`;
    }
    if (text.trim() === "") return;
    this.book.budget.left -= text.length;
    if (this.#cells.length >= MOST_CELLS || this.book.budget.left < 0) {
      this.#cut = true;
      throw new Enough();
    }
    const last = this.#cells.at(-1);
    if (last !== undefined && (last.row > this.#row || (last.row === this.#row && last.column >= this.#column)))
      this.#sorted = false;
    this.#cells.push({ row: this.#row, column: this.#column, text });
    const target = this.#formula === undefined ? undefined : formulaTarget(this.#formula);
    if (target !== undefined)
      this.#links.push({
        area: { top: this.#row, bottom: this.#row, left: this.#column, right: this.#column },
        target,
      });
  }

  #link(attributes: Readonly<Record<string, string>>): void {
    const area = parseArea(attributes.ref ?? "");
    const relationship = this.office.relationships(this.part).get(attribute(attributes, "id") ?? "");
    if (area === undefined || relationship?.external !== true) return;
    const { location } = attributes;
    this.#links.push({ area, target: relationship.target + (location === undefined ? "" : `#${location}`) });
  }
}

function isTrue(value: string | undefined): boolean {
  return value !== undefined && /^(?:1|true|on)$/i.test(value);
}

function columnsIn(attributes: Readonly<Record<string, string>>): number {
  const from = Number(attributes.min ?? 1);
  const to = Math.min(MOST_COLUMNS, Number(attributes.max ?? from));
  return Number.isFinite(to - from) ? Math.max(0, to - from + 1) : 0;
}

/** The address in a formula that makes a link, where it is written out: `HYPERLINK("https://…", "Title")`. */
function formulaTarget(formula: string): string | undefined {
  return /^\s*HYPERLINK\s*\(\s*"([^"]+)"\s*[,)]/i.exec(formula)?.[1];
}
