import { loadNumberFormatter } from "../ooxml/number-format.js";
import { attributeOf, elementsIn, localName, pathIn, type RawPackage } from "../ooxml/raw-package.js";
import { secondFormat } from "../ooxml/second-format.js";
import { optional } from "../../node/optional-package.js";

/** What the reader's sheets share. */
export interface RawWorkbook {
  readonly sheets: readonly { readonly name: string; readonly part: string | undefined }[];
  readonly strings: readonly string[];
  /** Format codes by style. */
  readonly codes: readonly string[];
  readonly date1904: boolean;
  readonly show: (code: string, value: number, date1904?: boolean) => string;
  /** Characters seen so far, in all sheets. */
  seen: number;
}

export async function openRawWorkbook(office: RawPackage): Promise<RawWorkbook> {
  const root = office.tree(office.main);
  const targets = office.targets(office.main);
  const sheets = elementsIn(pathIn(root, "sheets"), "sheet")
    .slice(0, 2_000)
    .map(({ attributes }, index) => {
      const target = targets.get(attributeOf(attributes, "id") ?? "");
      return {
        name: attributes.name ?? `Sheet${index + 1}`,
        part: target?.external === false ? target.target : undefined,
      };
    });
  const byNumfmt = await loadNumberFormatter();
  const { getFormatFromId } = await optional("Showing numbers as a sheet shows them", () => import("numfmt"));
  return {
    seen: 0,
    sheets,
    strings: office
      .targetsOf(office.main, "sharedStrings")
      .slice(0, 1)
      .flatMap((part) => stringsOf(office, part)),
    codes: office
      .targetsOf(office.main, "styles")
      .slice(0, 1)
      .flatMap((part) => codesOf(office, part, (id) => getFormatFromId(id))),
    date1904: ["1", "true"].includes(pathIn(root, "workbookPr")?.attributes.date1904 ?? ""),
    show: (code, value, date1904 = false) => secondFormat(code, value, date1904) ?? byNumfmt(code, value, date1904),
  };
}

/** Numfmt lists the formats without a code in the file; Excel's short date has two digits of the year (ISO 29500-1, §18.8.30). */
function codesOf(office: RawPackage, part: string, usual: (id: number) => string): string[] {
  const root = office.tree(part);
  const own: Record<string, string> = {};
  for (const { attributes } of elementsIn(pathIn(root, "numFmts"), "numFmt"))
    own[attributes.numFmtId ?? ""] = attributes.formatCode ?? "";
  return elementsIn(pathIn(root, "cellXfs"), "xf").map(({ attributes: { numFmtId = "0" } }) =>
    Object.hasOwn(own, numFmtId)
      ? own[numFmtId]!
      : Number(numFmtId) > 58
        ? "General"
        : usual(Number(numFmtId)).replace("yyyy", "yy"),
  );
}

function stringsOf(office: RawPackage, part: string): string[] {
  const strings: string[] = [];
  let text = "";
  let path: string[] = [];
  office.stream(part, {
    onopentag: (name) => {
      const local = localName(name);
      if (local === "si") text = "";
      path.push(local);
    },
    ontext: (piece) => {
      if (path.at(-1) === "t" && !path.includes("rPh")) text += piece;
    },
    onclosetag: () => {
      if (path.pop() === "si") strings.push(text);
      if (path.length > 1_000) path = [];
    },
  });
  return strings;
}
