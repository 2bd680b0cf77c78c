import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { closeOcr, recognisePage, type RecognisedPage } from "../../../src/convert/pdf/ocr.js";
import { PdfiumDocument } from "../../../src/convert/pdf/pdfium.js";
import { sharedData } from "../../shared-data.js";
import { lines, makePdf } from "../pdf-reader/make-pdf.js";

async function recognise(bytes: Uint8Array, languages = ["eng"], number = 1): Promise<RecognisedPage> {
  const document = await PdfiumDocument.open({ path: "scan.pdf", bytes });
  try {
    return await recognisePage(document, number, languages);
  } finally {
    document.close();
  }
}

const letter = makePdf([
  {
    content: lines(
      "Dear Ann, the lease of the house in Garden Street ends on 31 March. Please tell",
      "us by the first of February whether you wish to stay for another year of twelve",
      "months.",
      "",
      "1. The rent is 750 pounds.",
      "2. Heating is paid apart.",
    ),
  },
]);

afterAll(closeOcr);

// A machine that does much else at the same time takes several times as long.
describe("recognising the text of a page", { timeout: 60_000 }, () => {
  it("gives paragraphs with their lines joined, and the items of a list apart", async () => {
    const page = await recognise(letter);
    expect(page.text.split("\n\n")).toEqual([
      "Dear Ann, the lease of the house in Garden Street ends on 31 March. Please tell us by the first of February whether you wish to stay for another year of twelve months.",
      "1. The rent is 750 pounds.",
      "2. Heating is paid apart.",
    ]);
    expect(page.confidence).toBeGreaterThan(85);
    expect(page.turn).toBe(0);
  });

  it("gives no text for a blank page", async () => {
    expect((await recognise(makePdf([{ content: "" }]))).text).toBe("");
  });

  it("names the package of a language that is not installed, and refuses what is no language", async () => {
    await expect(recognise(letter, ["eng", "xho"])).rejects.toMatchObject({
      code: "missing-package",
      message:
        "Recognising text in xho needs the package @tesseract.js-data/xho: run npm install @tesseract.js-data/xho.",
    });
    await expect(recognise(letter, ["../eng"])).rejects.toThrow("is no language of Tesseract");
  });

  it("ends in an error when its thread dies, and starts afresh with the next page", async () => {
    const dying = recognise(letter);
    // Awaited below; the thread ends before anyone looks.
    dying.catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await closeOcr();
    await expect(dying).rejects.toMatchObject({ code: "refused" });
    expect((await recognise(letter)).text).toContain("Garden Street");
  });

  it("refuses a page that is not there", async () => {
    await expect(recognise(letter, ["eng"], 7)).rejects.toThrow("Page 7 cannot be drawn");
  });
});

describe.skipIf(sharedData === undefined || !existsSync(join(sharedData, "convert/pdf")))(
  "scanned documents (skipped where the shared data is not there)",
  () => {
    it.each([
      ["docling__ocr_test.pdf", 0],
      ["docling__ocr_test_rotated_90.pdf", 90],
    ])("%s gives every word that Tesseract itself gives", { timeout: 60_000 }, async (name, turn) => {
      const page = await recognise(readFileSync(join(sharedData!, "convert/pdf", name)));
      const expected = readFileSync(
        join(sharedData!, "convert/expected/pdf", `${name}.docling-tesseract.md`),
        "utf8",
      ).match(/\w+/g)!;
      const found = new Set(page.text.match(/\w+/g));
      expect(expected.filter((word) => !found.has(word))).toEqual([]);
      expect(page.turn).toBe(turn);
    });
  },
);
