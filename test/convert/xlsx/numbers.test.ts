import { beforeAll, describe, expect, it } from "vitest";
import { loadNumberFormatter, type NumberFormatter } from "../../../src/convert/ooxml/number-format.js";
import { secondFormat } from "../../../src/convert/ooxml/second-format.js";
import { engine } from "../../../src/convert/xlsx/engine.js";
import { reader } from "../../../src/convert/xlsx/reader.js";
import { convertWhole } from "../office.js";
import { madeWorkbook } from "./made-workbook.js";

/** Code, stored value, and what Excel shows; the second way knows them all. */
const BOTH: readonly (readonly [code: string, value: number, shown: string])[] = [
  ["General", 0, "0"],
  ["General", 0.1 + 0.2, "0.3"],
  ["General", 1 / 3, "0.333333333"],
  ["General", -1234567.891, "-1234567.891"],
  ["General", 12345678901, "12345678901"],
  ["General", 123456789012, "1.23457E+11"],
  ["General", 0.00001, "0.00001"],
  ["General", 0.0000123456789, "1.23457E-05"],
  ["0", 2.5, "3"],
  ["0", -2.5, "-3"],
  ["0.00", 1.005, "1.01"],
  ["#,##0", 1234567, "1,234,567"],
  ["#,##0.00", -1234.5, "-1,234.50"],
  ["#,##0.00;[Red](#,##0.00)", -1234.5, "(1,234.50)"],
  ['0;-0;"nil"', 0, "nil"],
  ["0.0%", 0.1785, "17.9%"],
  ["#,##0,", 1234567, "1,235"],
  ['0.0,,"M"', 12345678, "12.3M"],
  ["$#,##0.00", 5, "$5.00"],
  ["[$€-407] #,##0.00", 1234.5, "€ 1,234.50"],
  ['0" kg"', 12, "12 kg"],
  ["000", 7, "007"],
  ["#.##", 0.5, ".5"],
  ["yyyy-mm-dd", 45292, "2024-01-01"],
  ["d-mmm-yy", 41434, "9-Jun-13"],
  ["dddd, d mmmm yyyy", 45292, "Monday, 1 January 2024"],
  ["yyyy-mm-dd", 60, "1900-02-29"],
  ["yyyy-mm-dd", 59, "1900-02-28"],
  ["h:mm AM/PM", 0.75, "6:00 PM"],
  ["hh:mm:ss", 0.5 + 1 / 86400, "12:00:01"],
  ["mm:ss.0", 0.0005, "00:43.2"],
  ["[h]:mm:ss", 3.14159, "75:23:53"],
  ["[mm]:ss", 1.5, "2160:00"],
  ["[h]:m:s.000", -0.08546296296296296, "-2:3:4.000"],
  ["m/d/yy h:mm", 41434.25, "6/9/13 6:00"],
];

/** What only numfmt knows, on both sides of a certificate. */
const NUMFMT_ONLY: readonly (readonly [code: string, value: number, shown: string])[] = [
  ["# ?/?", 1.5, "1 1/2"],
  ["0.00E+00", 12345.678, "1.23E+04"],
  ["[>=100]0;0.0", 12.34, "12.3"],
  ["[$-407]d. mmmm yyyy", 45292, "1. Januar 2024"],
];

describe("numbers as a sheet shows them", () => {
  let byNumfmt: NumberFormatter;
  beforeAll(async () => {
    byNumfmt = await loadNumberFormatter();
  });

  it.each(BOTH)("%s of %d is %s, on both ways", (code, value, shown) => {
    expect(byNumfmt(code, value)).toBe(shown);
    expect(secondFormat(code, value, false)).toBe(shown);
  });

  it.each(NUMFMT_ONLY)("%s of %d is %s, which the second way leaves to numfmt", (code, value, shown) => {
    expect(byNumfmt(code, value)).toBe(shown);
    expect(secondFormat(code, value, false)).toBeUndefined();
  });

  it("a date before the calendar and a damaged code come out as plain numbers, where Excel would show only #", () => {
    for (const code of ["yyyy-mm-dd", '"open', "[[]", "0".repeat(5000)]) expect(byNumfmt(code, -1.5)).toBe("-1.5");
  });

  it("days count from 1904 where the workbook says so", async () => {
    const { markdown } = await convertWhole(
      engine,
      reader,
      madeWorkbook({
        date1904: true,
        formats: ["yyyy-mm-dd", "0"],
        sheets: [{ name: "S", rows: '<row><c s="1"><v>0</v></c><c s="2"><v>0</v></c></row>' }],
      }),
    );
    expect(markdown).toContain("| 1904-01-01 | 0 |");
  });

  it("dates that are written out are shown by the format of their cell", async () => {
    const { markdown } = await convertWhole(
      engine,
      reader,
      madeWorkbook({
        formats: ["d mmm yyyy", "h:mm"],
        sheets: [
          {
            name: "S",
            rows: '<row><c t="d" s="1"><v>2024-02-29</v></c><c t="d" s="2"><v>2024-02-29T06:30:00</v></c><c t="d"><v>1900-01-01</v></c><c t="d"><v>soon</v></c></row>',
          },
        ],
      }),
    );
    expect(markdown).toContain("| 29 Feb 2024 | 6:30 | 1900-01-01 | soon |");
  });

  it("a format may put words around a text, and none hides it", async () => {
    const { markdown } = await convertWhole(
      engine,
      reader,
      madeWorkbook({
        formats: ['0;-0;0;@" (old)"', ";;;", "@"],
        sheets: [
          {
            name: "S",
            rows: '<row><c t="str" s="1"><v>text</v></c><c t="str" s="2"><v>kept</v></c><c s="3"><v>007</v></c></row>',
          },
        ],
      }),
    );
    expect(markdown).toContain("| text (old) | kept | 7 |");
  });

  it("a number that its format hides is not shown", async () => {
    const { markdown } = await convertWhole(
      engine,
      reader,
      madeWorkbook({
        formats: ["0;-0;;@"],
        sheets: [{ name: "S", rows: '<row><c s="1"><v>5</v></c><c s="1"><v>0</v></c><c s="1"><v>6</v></c></row>' }],
      }),
    );
    expect(markdown).toContain("| 5 |  | 6 |");
  });
});
