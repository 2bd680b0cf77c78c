import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { MdcxError } from "../../../src/errors.js";
import { certify } from "../../../src/convert/compare/certify.js";
import { OfficePackage } from "../../../src/convert/ooxml/package.js";
import { engine } from "../../../src/convert/xlsx/engine.js";
import { reader } from "../../../src/convert/xlsx/reader.js";
import { readSheet } from "../../../src/convert/xlsx/sheet.js";
import { readWorkbook } from "../../../src/convert/xlsx/workbook.js";
import { expectWhole, OPTIONS } from "../office.js";
import { sharedData } from "../../shared-data.js";

const files = (folder: string): string[] => (sharedData === undefined ? [] : readdirSync(join(sharedData, folder)));
const bytesOf = (...path: string[]): Uint8Array => readFileSync(join(sharedData!, ...path));

/** What changes whenever the workbook is opened: NOW, TODAY, RAND. The exports were made at another time. */
const VOLATILE: Readonly<Record<string, readonly string[]>> = {
  "sheetjs__formula_stress_test.xlsx.sheet1.csv": ["6:2", "7:2"],
  "sheetjs__formula_stress_test.xlsx.sheet7.csv": ["46:2", "47:2"],
};

describe.skipIf(sharedData === undefined)("workbooks of other projects (needs the shared data)", () => {
  const exports = files("convert/expected/xlsx").filter((name) => name.endsWith(".csv"));

  it.each(exports)("show what Excel's own export says: %s", async (name) => {
    const [, workbook, number] = /^(.*)\.sheet(\d+)\.csv$/.exec(name)!;
    const office = OfficePackage.open(bytesOf("convert/xlsx", workbook!), "xl/workbook.xml");
    const { sheets, book } = await readWorkbook(office);
    const part = sheets[Number(number)]!.part!;
    const { cells } = readSheet(office.bytes(part)!, part, book, office);
    const raw = bytesOf("convert/expected/xlsx", name);
    const utf8 = new TextDecoder().decode(raw);
    // Excel for Mac exports in its own encoding, and puts a low line for what that does not have.
    const text = utf8.includes("\uFFFD") ? new TextDecoder("macintosh").decode(raw) : utf8;
    const wanted = Papa.parse<string[]>(text.replace(/^\uFEFF/, "")).data;
    // The export begins where cells are used.
    const top =
      cells.length === 0 || wanted[0]!.some((cell) => cell !== "") ? Math.min(...cells.map(({ row }) => row)) : 1;
    const shown = new Map(cells.map(({ row, column, text: cell }) => [`${row - top + 1}:${column}`, cell.trim()]));
    let compared = 0;
    for (const [y, row] of wanted.entries())
      for (const [x, cell] of row.entries()) {
        const place = `${y + 1}:${x + 1}`;
        const lost = cell.includes("_") || cell.includes("Ö") || VOLATILE[name]?.includes(place) === true;
        if (cell.trim() === "" || lost) continue;
        expect([place, shown.get(place)?.replace(/\r\n?/g, "\n")]).toEqual([
          place,
          cell.trim().replace(/\r\n?/g, "\n"),
        ]);
        compared++;
      }
    expect(compared).toBeGreaterThanOrEqual(cells.length - 4);
  });

  it.each(files("convert/xlsx"))("are converted whole, by the word of the reader: %s", async (name) => {
    const original = { path: name, bytes: bytesOf("convert/xlsx", name) };
    const conversion = await engine(original, OPTIONS);
    expectWhole(await certify(conversion, await reader(original, OPTIONS)));
  });

  it("show elapsed times as the file itself says that they are shown", async () => {
    const { markdown } = await engine(
      { path: "e", bytes: bytesOf("convert/xlsx/poi__ElapsedFormatTests.xlsx") },
      OPTIONS,
    );
    for (const shown of ["75:23:53.376", "53:23 @ hour 75", "53 secs and 4523 mins", "02:03:04.0"])
      expect(markdown).toContain(`| ${shown} |`);
  });

  it.each(files("hostile/xlsx-broken"))(
    "that are broken or meant to harm end in a sentence or in text, soon: %s",
    async (name) => {
      const must = readFileSync(join(sharedData!, "hostile/MANIFEST.tsv"), "utf8")
        .split("\n")
        .find((line) => line.startsWith(`xlsx-broken/${name}\t`))!
        .split("\t")[5];
      const original = { path: name, bytes: bytesOf("hostile/xlsx-broken", name) };
      const begun = performance.now();
      let refusal: MdcxError | undefined;
      try {
        await engine(original, OPTIONS);
        await reader(original, OPTIONS);
      } catch (error) {
        if (!(error instanceof MdcxError)) throw error;
        refusal = error;
      }
      expect(performance.now() - begun).toBeLessThan(10_000);
      if (must === "refuse") expect(refusal).toBeDefined();
      if (refusal === undefined) return;
      expect(refusal.code).toBe("refused");
      expect(refusal.message).toMatch(/^[^\n]{20,400}\.$/);
    },
  );
});
