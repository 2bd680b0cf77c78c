import { SaxesParser } from "saxes";
import { Archive } from "../archive.js";
import type { Reader, ReferenceUnit } from "../engine.js";
import { refuse } from "../refusal.js";
import { startsWith } from "../signatures.js";
import { decodeXml } from "../xml.js";
import { partCells, type RawCell } from "../xlsx/raw-regions.js";

/** What an OpenDocument file holds, by the events of its raw XML: no tree, no styles, nothing of the engine's. */
export const reader: Reader = (original) => {
  const { bytes } = original;
  const packed = startsWith(bytes, "PK");
  const archive = packed ? Archive.open(bytes) : undefined;
  const text = (name: string): string | undefined => {
    const found = archive?.find(name);
    return found === undefined ? undefined : decodeXml(archive!.read(found));
  };
  const content = packed ? text("content.xml") : decodeXml(bytes);
  if (content === undefined) refuse("The document lacks its part content.xml.");
  const events = new Events((path) => text(`${path.replace(/^\.\//, "")}/content.xml`));
  events.read(content);
  const styles = text("styles.xml");
  const heads = styles === undefined || !events.isText ? [] : headsAndFeet(styles);
  return Promise.resolve({
    reader: "raw XML by saxes 6.0.0",
    units: [...events.units(), ...heads.map((each) => ({ text: each }))],
    tables: events.tables,
    links: events.links,
    footnotes: events.footnotes,
    comments: events.comments,
    formulas: events.formulas,
    images: events.images,
  });
};

/** Never text: declarations, what stands in for something else, who commented and when. */
const UNREAD =
  /^(?:office:forms|office:scripts|office:font-face-decls|office:automatic-styles|office:styles|office:master-styles|office:meta|office:settings|text:note-citation|text:sequence-decls|text:variable-decls|text:user-field-decls|office:change-info|text:change-info|dc:creator|dc:date|meta:date-string|meta:creator-initials|loext:sender-initials|text:table-of-content-source|text:[a-z]+-index-source|text:bibliography-source|table:covered-table-cell|table:content-validations|table:named-expressions|draw:page-thumbnail|svg:title|svg:desc|office:event-listeners|anim:par|draw:object-ole|text:insertion|text:format-change|table:tracked-changes)$/;

interface OpenSheet {
  readonly name: string;
  readonly cells: RawCell[];
  row: number;
  column: number;
  rowsRepeated: number;
}

class Events {
  readonly tables: string[][][] = [];
  readonly links: string[] = [];
  readonly footnotes: string[] = [];
  readonly comments: string[] = [];
  readonly formulas: string[] = [];
  readonly images: string[] = [];
  readonly #units: { place?: string; text: string }[] = [{ text: "" }];
  readonly #deleted: string[] = [];
  /** Texts that are being collected, innermost last; the first is that of the place. */
  readonly #texts: string[] = [""];
  readonly #openTables: string[][][] = [];
  #unread = 0;
  #slides = 0;
  #sheet: OpenSheet | undefined;
  #isSpreadsheet = false;
  isText = false;

  constructor(private readonly object: (path: string) => string | undefined) {}

  read(xml: string): void {
    const parser = strictParser();
    const path: { name: string; attributes: Record<string, string> }[] = [];
    const frames: { alt: string[]; picture: boolean; other: boolean }[] = [];
    let label: string[] | undefined;
    parser.on("opentag", ({ name, attributes }) => {
      if (path.length > 2_000) refuse("The document is nested deeper than 2,000 elements.");
      path.push({ name, attributes });
      if ((name === "svg:title" || name === "svg:desc") && frames.length > 0) label = frames.at(-1)!.alt;
      if (this.#unread > 0 || UNREAD.test(name)) {
        this.#unread++;
        return;
      }
      if (name === "draw:frame") frames.push({ alt: [], picture: false, other: false });
      if (name === "draw:image" && frames.length > 0) frames.at(-1)!.picture = true;
      if (name === "draw:text-box" && frames.length > 0) frames.at(-1)!.other = true;
      if (name === "draw:object" && this.#formula(attributes["xlink:href"]) && frames.length > 0)
        frames.at(-1)!.other = true;
      this.#open(name, attributes);
    });
    parser.on("closetag", ({ name }) => {
      const { attributes } = path.pop()!;
      if (name === "svg:title" || name === "svg:desc") label = undefined;
      if (this.#unread > 0) {
        this.#unread--;
        return;
      }
      if (name === "draw:frame") {
        const frame = frames.pop();
        if (frame?.picture && !frame.other) this.images.push(frame.alt.join(". "));
      }
      this.#close(name, attributes);
    });
    const characters = (text: string): void => {
      if (label !== undefined && text.trim() !== "") label.push(text.trim());
      else if (this.#unread === 0 && path.some(({ name }) => /^text:(?:p|h)$/.test(name)))
        this.#add(text.replace(/[\t\n\r ]+/g, " "));
    };
    parser.on("text", characters);
    parser.on("cdata", characters);
    parser.write(xml).close();
    this.#endUnit();
  }

  units(): ReferenceUnit[] {
    const back = [...this.footnotes, ...this.comments, ...this.#deleted].map((text) => ({ text }));
    return [...this.#units.filter(({ text }) => text.trim() !== ""), ...back];
  }

  #add(text: string): void {
    this.#texts.push(this.#texts.pop()! + text);
  }

  #open(name: string, attributes: Record<string, string>): void {
    switch (name) {
      case "office:text":
        this.isText = true;
        break;
      case "office:spreadsheet":
        this.#isSpreadsheet = true;
        break;
      case "text:p":
      case "text:h":
      case "text:line-break":
        this.#add("\n");
        break;
      case "text:s":
      case "text:tab":
      case "text:ruby-text":
        this.#add(" ");
        break;
      case "text:a":
        this.links.push(attributes["xlink:href"] ?? "");
        break;
      case "text:note":
      case "office:annotation":
      case "text:deletion":
        this.#texts.push("");
        break;
      case "draw:page":
        this.#slides++;
        this.#endUnit(`slide ${this.#slides}`);
        break;
      case "table:table":
        if (this.#isSpreadsheet && this.#sheet === undefined) {
          this.#endUnit(`sheet ${attributes["table:name"] ?? ""}`);
          this.#add(`${attributes["table:name"] ?? ""}\n`);
          this.#sheet = { name: attributes["table:name"] ?? "", cells: [], row: 1, column: 1, rowsRepeated: 1 };
        } else this.#openTables.push([]);
        break;
      case "table:table-row":
        if (this.#openTables.length > 0) this.#openTables.at(-1)!.push([]);
        else if (this.#sheet !== undefined) {
          this.#sheet.column = 1;
          this.#sheet.rowsRepeated = Number(attributes["table:number-rows-repeated"] ?? 1);
        }
        break;
      case "table:table-cell":
        this.#texts.push("");
        break;
    }
  }

  #close(name: string, attributes: Record<string, string>): void {
    switch (name) {
      case "text:p":
      case "text:h":
        this.#add("\n");
        break;
      case "text:note":
        this.footnotes.push(this.#texts.pop()!.trim());
        break;
      case "office:annotation":
        this.comments.push(this.#texts.pop()!.trim());
        break;
      case "text:deletion":
        this.#deleted.push(this.#texts.pop()!.trim());
        break;
      case "table:table": {
        const table = this.#openTables.pop();
        if (table !== undefined) this.tables.push(table);
        else this.#endSheet();
        break;
      }
      case "table:table-row":
        if (this.#openTables.length === 0 && this.#sheet !== undefined) this.#sheet.row += this.#sheet.rowsRepeated;
        break;
      case "table:table-cell":
        this.#endCell(this.#texts.pop()!, attributes);
        break;
    }
  }

  #endCell(shown: string, attributes: Record<string, string>): void {
    const repeated = Number(attributes["table:number-columns-repeated"] ?? 1);
    const value =
      attributes["office:string-value"] ??
      attributes["office:date-value"] ??
      attributes["office:time-value"] ??
      attributes["office:boolean-value"] ??
      attributes["office:value"] ??
      "";
    const row = this.#openTables.at(-1)?.at(-1);
    if (row !== undefined) {
      const text = shown.trim();
      for (let i = 0; i < Math.min(200, repeated); i++) row.push(text);
      this.#add(`\n${Array.from({ length: text === "" ? 1 : Math.min(200, repeated) }, () => shown).join("\n")}\n`);
      return;
    }
    const sheet = this.#sheet;
    if (sheet === undefined) return;
    const text = shown.trim() === "" ? value.trim() : shown.replace(/\n+/g, "\n").trim();
    if (text !== "")
      // As many copies as the engine takes: it reports that there are more.
      for (let down = 0; down < Math.min(1_000, sheet.rowsRepeated); down++)
        for (let across = 0; across < Math.min(1_000, repeated) && sheet.cells.length < 1_000_000; across++) {
          const [r, c] = [sheet.row + down, sheet.column + across];
          sheet.cells.push({
            row: r,
            column: c,
            text,
            lastRow: r + Number(attributes["table:number-rows-spanned"] ?? 1) - 1,
            lastColumn: c + Number(attributes["table:number-columns-spanned"] ?? 1) - 1,
          });
        }
    sheet.column += repeated;
  }

  #endSheet(): void {
    if (this.#sheet === undefined) return;
    for (const group of partCells(this.#sheet.cells)) {
      const inOrder = [...group].sort((a, b) => a.row - b.row || a.column - b.column);
      this.#add(`${inOrder.map(({ text }) => text).join("\n")}\n`);
      const table = tableOf(group);
      if (table !== undefined) this.tables.push(table);
    }
    this.#endUnit();
    this.#sheet = undefined;
  }

  #endUnit(place?: string): void {
    this.#units.at(-1)!.text += this.#texts[0]!;
    this.#texts[0] = "";
    this.#units.push({ ...(place !== undefined && { place }), text: "" });
  }

  /** Whether the object is a formula; its signs are counted apart from words. */
  #formula(href: string | undefined): boolean {
    const xml = href === undefined ? undefined : this.object(href);
    if (xml === undefined || !/<(?:\w+:)?math\b/.test(xml)) return false;
    // The source that LibreOffice keeps beside the formula is not shown.
    const shown = xml.replace(/<(?:\w+:)?annotation\b[\s\S]*?<\/(?:\w+:)?annotation>/g, "");
    this.formulas.push(
      shown
        .replace(/<[^>]*>/g, " ")
        .replace(/\s+/g, " ")
        .trim(),
    );
    return true;
  }
}

/** More fields than this, empty ones included, are a few cells far apart, which no table holds. */
const MOST_FIELDS = 2_000_000;
/** Rows of one text above a row with more: the table's caption. */
const MOST_CAPTIONS = 3;

/** Cells that belong together as rows of texts, without their caption; undefined where they are no table. */
function tableOf(cells: readonly RawCell[]): string[][] | undefined {
  const [top, left] = [Math.min(...extremes(cells, "row")), Math.min(...extremes(cells, "column"))];
  const height = Math.max(...extremes(cells, "row")) - top + 1;
  const width = Math.max(...extremes(cells, "column")) - left + 1;
  if (cells.length < 2 || height * width > MOST_FIELDS) return undefined;
  const rows = Array.from({ length: height }, () => new Array<string>(width).fill(""));
  for (const { row, column, text } of cells) rows[row - top]![column - left] = text;
  const texts = (row: readonly string[]): number => row.filter((text) => text !== "").length;
  const caption = rows.findIndex((row) => texts(row) !== 1 || row[0] === "");
  return caption > 0 && caption <= MOST_CAPTIONS && caption < height - 1 && texts(rows[caption]!) > 1
    ? rows.slice(caption)
    : rows;
}

/** The least and the greatest row or column. */
function extremes(cells: readonly RawCell[], side: "row" | "column"): [number, number] {
  return cells.reduce<[number, number]>(
    ([least, most], cell) => [Math.min(least, cell[side]), Math.max(most, cell[side])],
    [Infinity, 0],
  );
}

/** A parser that refuses what is not XML, instead of an error with a line number alone. */
function strictParser(): SaxesParser<{ xmlns: false }> {
  const parser = new SaxesParser<{ xmlns: false }>({ xmlns: false });
  parser.on("error", ({ message }) => {
    refuse(`The document holds what is not well-formed XML (${message}): open it in its program and save it again.`);
  });
  return parser;
}

/** Heads and feet of the pages by the events of the styles, each text once. */
function headsAndFeet(xml: string): string[] {
  const parser = strictParser();
  const found = new Set<string>();
  let inside = 0;
  let text = "";
  parser.on("opentag", ({ name }) => {
    if (inside > 0) {
      inside++;
      if (/^text:(?:s|tab|p|line-break)$/.test(name)) text += name === "text:p" ? "\n" : " ";
    } else if (/^style:(?:header|footer)(?:-left|-first)?$/.test(name)) {
      inside = 1;
      text = "";
    }
  });
  parser.on("text", (characters) => {
    if (inside > 0) text += characters;
  });
  parser.on("closetag", () => {
    if (inside > 0 && --inside === 0 && text.trim() !== "") text.split("\n").forEach((line) => found.add(line.trim()));
  });
  parser.write(xml).close();
  found.delete("");
  return [...found];
}
