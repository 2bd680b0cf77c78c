import { readFileSync } from "node:fs";
import { join } from "node:path";
import { read, utils, write } from "@e965/xlsx";
import { describe, expect, it } from "vitest";
import { certify } from "../../../src/convert/compare/certify.js";
import { detect } from "../../../src/convert/detect.js";
import { engine } from "../../../src/convert/legacy/engine.js";
import { reader } from "../../../src/convert/legacy/reader.js";
import { sharedData } from "../../shared-data.js";

const options = { ocr: "off" } as const;

function workbook(): Uint8Array {
  const book = utils.book_new();
  const sheet = utils.aoa_to_sheet([
    ["Date", "Price", "Größe"],
    [{ t: "n", v: 45_413, z: "yyyy-mm-dd" }, { t: "n", v: 5.5, z: "0.00%" }, "Привет"],
  ]);
  utils.book_append_sheet(book, sheet, "First");
  utils.book_append_sheet(book, utils.aoa_to_sheet([["alone"]]), "Second");
  book.Props = { Title: "Prices", CreatedDate: new Date("2015-03-04T12:00:00Z") };
  book.Workbook = { Sheets: [{}, { Hidden: 1 }] };
  return new Uint8Array(write(book, { type: "array", bookType: "biff8" }) as ArrayBuffer);
}

describe("an Excel workbook up to 2003", () => {
  it("gives what its cells show, sheet by sheet", async () => {
    const bytes = workbook();
    expect(detect(bytes, "a.xls")).toEqual({ format: "xls" });
    const made = await engine({ path: "a.xls", bytes }, options);
    expect(made.markdown).toBe(`## First

<!-- mdcx:sheet "First" A1:C2 -->

| Date | Price | Größe |
| --- | --- | --- |
| 2024-05-01 | 550.00% | Привет |

## Second

*Hidden sheet*

<!-- mdcx:sheet "Second" A1 -->

alone
`);
    expect(made.findings.map(({ kind }) => kind)).toEqual(["hidden sheet"]);
  });

  it("has the title that it states, and no date: when a program made the file does not say when its text was published", async () => {
    const made = await engine({ path: "a.xls", bytes: workbook() }, options);
    expect(read(workbook(), { type: "array" }).Props).toMatchObject({ CreatedDate: expect.anything() as unknown });
    expect(made.title).toBe("Prices");
    expect(made.date).toBeUndefined();
  });

  it("is not certified: no second reader shows numbers as the sheet does", async () => {
    await expect(reader({ path: "a.xls", bytes: workbook() }, options)).rejects.toThrow(/no second reader/);
  });

  it("is refused where it is damaged", async () => {
    const bytes = workbook();
    const directory = Buffer.from(bytes);
    directory.fill(0xff, 512, 3_000);
    await engine({ path: "a.xls", bytes: directory }, options).catch((error: unknown) => {
      expect(error).toMatchObject({ code: "refused" });
    });
  });
});

describe.skipIf(sharedData === undefined)("old documents of others (not in the repository)", () => {
  const original = (name: string): { path: string; bytes: Uint8Array } => ({
    path: name,
    bytes: readFileSync(join(sharedData!, "convert/other", name)),
  });

  it("give their words and tables in order, by the piece table too", async () => {
    const document = original("docling__legacy_sample.doc");
    const made = await engine(document, options);
    expect(made.markdown).toContain("| Leaves | Ash, Elm, Maple | 50 |");
    expect(made.markdown).toContain("Let’s swim!");
    const { words, order, status } = await certify(made, await reader(document, options));
    expect({ lost: words.lost, added: words.added, order, status }).toEqual({
      lost: 0,
      added: 0,
      order: 1,
      status: "ok",
    });
  });

  it("are refused with the way out where no library reads them", async () => {
    const slides = original("docling__legacy_sample.ppt");
    await expect(engine(slides, options)).rejects.toThrow(/old PowerPoint presentation \(\.ppt\).*save it as \.pptx/);
  });
});
