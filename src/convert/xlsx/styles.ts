import { child, children, type XmlElement } from "../xml.js";

/**
 * Formats that have a number and no code in the file (ISO 29500-1, §18.8.30), as Excel shows them in English; the short
 * date has two digits of the year there.
 */
const BUILT_IN: Readonly<Record<number, string>> = {
  0: "General",
  1: "0",
  2: "0.00",
  3: "#,##0",
  4: "#,##0.00",
  5: '"$"#,##0_);("$"#,##0)',
  6: '"$"#,##0_);[Red]("$"#,##0)',
  7: '"$"#,##0.00_);("$"#,##0.00)',
  8: '"$"#,##0.00_);[Red]("$"#,##0.00)',
  9: "0%",
  10: "0.00%",
  11: "0.00E+00",
  12: "# ?/?",
  13: "# ??/??",
  14: "m/d/yy",
  15: "d-mmm-yy",
  16: "d-mmm",
  17: "mmm-yy",
  18: "h:mm AM/PM",
  19: "h:mm:ss AM/PM",
  20: "h:mm",
  21: "h:mm:ss",
  22: "m/d/yy h:mm",
  37: "#,##0_);(#,##0)",
  38: "#,##0_);[Red](#,##0)",
  39: "#,##0.00_);(#,##0.00)",
  40: "#,##0.00_);[Red](#,##0.00)",
  41: '_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)',
  42: '_("$"* #,##0_);_("$"* (#,##0);_("$"* "-"_);_(@_)',
  43: '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)',
  44: '_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)',
  45: "mm:ss",
  46: "[h]:mm:ss",
  47: "mm:ss.0",
  48: "##0.0E+0",
  49: "@",
};

/** The format code of every style that a cell can have, by the number that the cell gives (`cellXfs`). */
export function readFormats(styles: XmlElement | undefined): readonly string[] {
  if (styles === undefined) return [];
  const written = new Map<number, string>();
  const list = child(styles, "numFmts");
  for (const each of list === undefined ? [] : children(list, "numFmt")) {
    const { numFmtId: id, formatCode: code } = each.attributes;
    if (id !== undefined && code !== undefined) written.set(Number(id), code);
  }
  const cells = child(styles, "cellXfs");
  return (cells === undefined ? [] : children(cells, "xf")).map((each) => {
    const id = Number(each.attributes.numFmtId ?? 0);
    return written.get(id) ?? BUILT_IN[id] ?? BUILT_IN[elsewhere(id)]!;
  });
}

/** The format of Excel in English for one that East Asian editions of it define. */
function elsewhere(id: number): number {
  if (id >= 32 && id <= 35) return 21;
  return (id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? 14 : 0;
}
