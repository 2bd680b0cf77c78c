/** Sheets of an OpenDocument spreadsheet: what every cell shows, where it stands. */
import { safeTarget } from "../markdown.js";
import type { Area } from "../xlsx/reference.js";
import { child, children, descendants, textOf, type XmlElement } from "../xml.js";
import { cellMarkdown, type GridCell } from "./grid.js";
import { plainText } from "./story.js";

export interface OdfSheet {
  readonly name: string;
  readonly hidden: boolean;
  /** By rows, then columns. */
  readonly cells: readonly GridCell[];
  readonly merges: readonly Area[];
  /** Annotations with the row and column of their cell. */
  readonly annotations: readonly { readonly row: number; readonly column: number; readonly annotation: XmlElement }[];
  /** What is drawn on the sheet. */
  readonly shapes: XmlElement | undefined;
  /** Whether not all copies of what repeats were read, or not all cells. */
  readonly cut: boolean;
}

/** Cells of one sheet that are read. */
const MOST_CELLS = 1_000_000;
/** Copies of a row or a cell that are read: one that repeats may stand for a billion, and says the same each time. */
const MOST_COPIES = 1_000;

export function readSheets(body: XmlElement, isHidden: (style: string | undefined) => boolean): OdfSheet[] {
  return children(body, "table").map((element) => {
    const reading = new SheetReading();
    reading.rows(element);
    return {
      name: element.attributes.name ?? "",
      hidden: isHidden(element.attributes["style-name"]),
      cells: reading.cells,
      merges: reading.merges,
      annotations: reading.annotations,
      shapes: child(element, "shapes"),
      cut: reading.cut,
    };
  });
}

class SheetReading {
  readonly cells: GridCell[] = [];
  readonly merges: Area[] = [];
  readonly annotations: { row: number; column: number; annotation: XmlElement }[] = [];
  cut = false;
  #row = 1;

  rows(holder: XmlElement): void {
    for (const element of children(holder)) {
      if (/^table-(?:header-rows|rows|row-group)$/.test(element.name)) this.rows(element);
      if (element.name !== "table-row") continue;
      const repeated = Number(element.attributes["number-rows-repeated"] ?? 1);
      const shows = [...cellsOf(element)].some(({ cell }) => showsOf(cell) !== "" || child(cell, "annotation"));
      if (shows) for (let copy = 0; copy < this.#copies(repeated); copy++) this.#cellsOfRow(element, copy);
      this.#row += repeated;
    }
  }

  #copies(repeated: number): number {
    const copies = this.cells.length < MOST_CELLS ? Math.min(repeated, MOST_COPIES) : 0;
    if (copies < repeated) this.cut = true;
    return copies;
  }

  #cellsOfRow(element: XmlElement, copy: number): void {
    const row = this.#row + copy;
    for (const { cell, column, repeated } of cellsOf(element)) {
      const text = showsOf(cell);
      const annotation = child(cell, "annotation");
      if (annotation !== undefined) this.annotations.push({ row, column, annotation });
      if (text === "") continue;
      const markdown = linked(cell);
      for (let i = 0; i < this.#copies(repeated); i++)
        this.cells.push({ row, column: column + i, text, ...(markdown !== undefined && { markdown }) });
      const down = Number(cell.attributes["number-rows-spanned"] ?? 1);
      const across = Number(cell.attributes["number-columns-spanned"] ?? 1);
      if (down > 1 || across > 1)
        this.merges.push({ top: row, left: column, bottom: row + down - 1, right: column + across - 1 });
    }
  }
}

function* cellsOf(row: XmlElement): Generator<{ cell: XmlElement; column: number; repeated: number }> {
  let column = 1;
  for (const cell of children(row)) {
    if (cell.name !== "table-cell" && cell.name !== "covered-table-cell") continue;
    const repeated = Number(cell.attributes["number-columns-repeated"] ?? 1);
    // What a merged cell covers is kept in the file and shown by nobody.
    if (cell.name === "table-cell") yield { cell, column, repeated };
    column += repeated;
  }
}

/** What a cell shows: its paragraphs; a file without them, which some programs write, has only the value. */
function showsOf(cell: XmlElement): string {
  const paragraphs = children(cell, "p");
  if (paragraphs.length > 0) return paragraphs.map(plainText).join("\n").trim();
  const { attributes } = cell;
  const value =
    attributes["string-value"] ?? attributes["date-value"] ?? attributes["time-value"] ?? attributes["boolean-value"];
  return (value ?? attributes.value ?? "").trim();
}

/** A cell that is one link as Markdown. */
function linked(cell: XmlElement): string | undefined {
  const links = [...descendants(cell, "a")];
  const [first] = links;
  if (first === undefined) return undefined;
  const parts = children(cell, "p").map((p) =>
    p.children
      .map((node) => {
        if (typeof node === "string" || node.name !== "a") return cellMarkdown(plainText(node));
        const target = safeTarget(node.attributes.href ?? "");
        const label = cellMarkdown(textOf(node));
        return target === undefined || label === "" || target.startsWith("#") ? label : `[${label}](${target})`;
      })
      .join(" "),
  );
  return parts.join("\n");
}
