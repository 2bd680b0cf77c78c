import { loadNumberFormatter } from "../ooxml/number-format.js";
import type { OfficePackage } from "../ooxml/package.js";
import { refuse } from "../refusal.js";
import { child, children, parseXml } from "../xml.js";
import { MOST_CHARACTERS, type Book } from "./cells.js";
import { readSharedStrings } from "./shared-strings.js";
import { readFormats } from "./styles.js";

/** A sheet as the workbook lists it. */
export interface SheetEntry {
  readonly name: string;
  readonly hidden: "no" | "hidden" | "very hidden";
  /** Undefined where the list points nowhere. */
  readonly part: string | undefined;
  /** A sheet that is only a chart. */
  readonly chart: boolean;
}

/** Sheets that are listed; a fuzzer's list of millions is not gone through. */
const MOST_SHEETS = 2_000;

/** Reads the workbook part: sheets in the order of their tabs, and what they share. */
export async function readWorkbook(office: OfficePackage): Promise<{ sheets: SheetEntry[]; book: Book }> {
  const workbook = parseXml(office.archive.read(office.main), office.main);
  const list = child(workbook, "sheets");
  const relationships = office.relationships(office.main);
  if (office.related(office.main, "vbaProject").length > 0)
    office.note("note", "macros", "The workbook holds macros, which are not converted.");
  const listed = list === undefined ? [] : children(list, "sheet");
  if (listed.length === 0)
    refuse("The workbook lists no sheet: it is damaged, open it in a spreadsheet and save it again.");
  const sheets = listed.slice(0, MOST_SHEETS).map((each, index): SheetEntry => {
    const { name = `Sheet${index + 1}`, state = "visible", id } = each.attributes;
    const relationship = relationships.get(id ?? "");
    return {
      name,
      hidden: state === "hidden" ? "hidden" : state === "veryHidden" ? "very hidden" : "no",
      part: relationship?.external === false ? relationship.target : undefined,
      chart: relationship?.kind === "chartsheet",
    };
  });
  return {
    sheets,
    book: await readBook(office, /^(?:1|true)$/i.test(child(workbook, "workbookPr")?.attributes.date1904 ?? "")),
  };
}

async function readBook(office: OfficePackage, date1904: boolean): Promise<Book> {
  const [stringsPart] = office.related(office.main, "sharedStrings");
  const [stylesPart] = office.related(office.main, "styles");
  const bytes = stringsPart === undefined ? undefined : office.bytes(stringsPart);
  const shared = bytes === undefined ? undefined : readSharedStrings(bytes, stringsPart!);
  if (shared?.fault !== undefined)
    office.note("warn", "damaged part", `The shared strings end early, and texts of cells are lost: ${shared.fault}`);
  return {
    strings: shared?.strings ?? [],
    formats: readFormats(stylesPart === undefined ? undefined : office.tree(stylesPart)),
    date1904,
    format: await loadNumberFormatter(),
    budget: { left: MOST_CHARACTERS },
  };
}
