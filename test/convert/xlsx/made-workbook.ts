import { escape, packed, relationships, type MadeRelationship } from "../office.js";

/** A sheet of known content. */
export interface MadeSheet {
  readonly name: string;
  readonly state?: "hidden" | "veryHidden";
  /** `<row>` elements as written. */
  readonly rows: string;
  /** What follows `sheetData`: merges, links, drawings. */
  readonly after?: string;
  readonly relationships?: readonly MadeRelationship[];
}

export interface MadeWorkbook {
  readonly sheets: readonly MadeSheet[];
  /** Items of the shared strings as written, without `si`. */
  readonly strings?: readonly string[];
  /** Format codes: style 0 is General, style 1 the first of them. */
  readonly formats?: readonly string[];
  readonly date1904?: boolean;
  readonly parts?: Readonly<Record<string, string>>;
  readonly relationships?: readonly MadeRelationship[];
}

export function madeWorkbook(book: MadeWorkbook): Uint8Array {
  const { sheets, strings, formats = [], date1904 = false, parts = {} } = book;
  const main: MadeRelationship[] = sheets.map((_, i) => ({
    id: `s${i}`,
    kind: "worksheet",
    target: `worksheets/made${i}.xml`,
  }));
  main.push({ id: "styles", kind: "styles", target: "/xl/looks.xml" }, ...(book.relationships ?? []));
  if (strings !== undefined) main.push({ id: "strings", kind: "sharedStrings", target: "words.xml" });
  const all: Record<string, string> = {
    "_rels/.rels": relationships([{ id: "r", kind: "officeDocument", target: "xl/book.xml" }]),
    "xl/book.xml": `<workbook xmlns:r="urn:r"><workbookPr date1904="${date1904 ? 1 : 0}"/><sheets>${sheets
      .map(
        ({ name, state }, i) =>
          `<sheet name="${escape(name)}" sheetId="${i + 1}"${state === undefined ? "" : ` state="${state}"`} r:id="s${i}"/>`,
      )
      .join("")}</sheets></workbook>`,
    "xl/_rels/book.xml.rels": relationships(main),
    "xl/looks.xml": `<styleSheet><numFmts>${formats
      .map((code, i) => `<numFmt numFmtId="${200 + i}" formatCode="${escape(code)}"/>`)
      .join(
        "",
      )}</numFmts><cellXfs><xf numFmtId="0"/>${formats.map((_, i) => `<xf numFmtId="${200 + i}"/>`).join("")}</cellXfs></styleSheet>`,
    ...parts,
  };
  if (strings !== undefined)
    all["xl/words.xml"] =
      `<sst count="99999" uniqueCount="0">${strings.map((item) => `<si>${item}</si>`).join("")}</sst>`;
  for (const [i, sheet] of sheets.entries()) {
    all[`xl/worksheets/made${i}.xml`] =
      `<worksheet xmlns:r="urn:r"><dimension ref="A1:XFD1048576"/><sheetData>${sheet.rows}</sheetData>${sheet.after ?? ""}</worksheet>`;
    if (sheet.relationships !== undefined)
      all[`xl/worksheets/_rels/made${i}.xml.rels`] = relationships(sheet.relationships);
  }
  return packed(all);
}

/** Rows of texts and numbers from A1 on; undefined leaves a cell out. */
export function rowsOf(grid: readonly (readonly (string | number | undefined)[])[]): string {
  return grid
    .map((row, y) => {
      const cells = row.map((value, x) => {
        const place = `${String.fromCharCode(65 + x)}${y + 1}`;
        if (value === undefined) return "";
        return typeof value === "number"
          ? `<c r="${place}"><v>${value}</v></c>`
          : `<c r="${place}" t="inlineStr"><is><t>${escape(value)}</t></is></c>`;
      });
      return `<row r="${y + 1}">${cells.join("")}</row>`;
    })
    .join("");
}
