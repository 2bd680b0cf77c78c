import { describe, expect, it } from "vitest";
import { assemble, convertPart } from "../../../src/convert/convert.js";
import { cell, paragraph, row, run, styled, wordFile } from "./build.js";

describe("a Word document on its way through the converter", () => {
  it("is known by its bytes, whatever its name, and comes out with its certificate", async () => {
    const bytes = wordFile({
      body:
        styled("Titel", "Lease") +
        paragraph(run("The rent is 1,200 euros.")) +
        `<w:tbl>${row(cell(paragraph(run("Month"))), cell(paragraph(run("Paid"))))}${row(cell(paragraph(run("May"))), cell(paragraph(run("yes"))))}</w:tbl>`,
    });
    const original = { path: "lease.pdf", bytes };
    const part = await convertPart(original, { ocr: "off" });
    expect(part.format).toBe("docx");
    expect(part.certificate).toMatchObject({
      status: "ok",
      words: { lost: 0, added: 0, coverage: 1 },
      tables: { cells: 4, inPlace: 4 },
    });
    const { markdown } = assemble({ path: original.path, sha256: "0".repeat(64) }, [part], { ocr: "off" });
    expect(markdown).toMatch(
      /^---\n[^]*title: "?Lease"?\n[^]*\n---\n+# Lease\n\nThe rent is 1,200 euros\.\n\n\| Month \| Paid \|/,
    );
  });

  it("is refused in one sentence where it is another kind of archive", async () => {
    const { certificate } = await convertPart(
      { path: "a.docx", bytes: wordFile({ body: "" }).subarray(0, 300) },
      { ocr: "off" },
    );
    expect(certificate.status).toBe("refused");
    expect(certificate.reason).toMatch(/^The archive has no end, so the file is not complete: .*\.$/);
  });
});
