import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { reader } from "../../../src/convert/pdf/reader.js";
import { sampledPages, wantedPages } from "../../../src/convert/pdf/sampling.js";
import { sharedData } from "../../shared-data.js";
import { lines, makePdf } from "./make-pdf.js";

const read = async (bytes: Uint8Array, options = {}, password?: string) =>
  await reader({ path: "a.pdf", bytes, ...(password === undefined ? {} : { password }) }, { ocr: "off", ...options });

describe("the independent reader of PDF", () => {
  it("gives one unit a page, with its number as the place", async () => {
    const found = await read(makePdf([{ content: lines("First page.") }, { content: lines("Second page.") }]));
    expect(found.units).toEqual([
      { place: "page 1", text: expect.stringContaining("First page.") as string },
      { place: "page 2", text: expect.stringContaining("Second page.") as string },
    ]);
    expect(found.reader).toContain("PDFium");
  });

  it("joins a word that is broken at the end of a line, and keeps a hyphen inside one", async () => {
    const found = await read(makePdf([{ content: lines("The conver-", "sion of well-known files") }]));
    expect(found.units[0]!.text).toContain("The conversion of well-known files");
  });

  it("keeps two lines two words", async () => {
    const found = await read(makePdf([{ content: lines("one", "two") }]));
    expect(found.units[0]!.text.split(/\s+/).filter(Boolean)).toEqual(["one", "two"]);
  });

  it("gives the targets of links out of the document, not those inside it or of other schemes, printed addresses as text", async () => {
    const link = (action: string, area = "72 700 200 712") =>
      `<< /Type /Annot /Subtype /Link /Rect [${area}] /Border [0 0 0] /A << ${action} >> >>`;
    const found = await read(
      makePdf([
        {
          content: lines("See www.example.com for more"),
          annotations: [
            link("/S /URI /URI (https://example.org/a?b=1)", "400 714 540 726"),
            link("/S /URI /URI (https://example.org/a?b=1)", "72 700 140 712"),
            link("/S /URI /URI (https://example.org/a?b=1)", "300 500 400 512"),
            link("/S /URI /URI (mailto:ann@example.org)"),
            link("/S /URI /URI (javascript:alert\\(1\\))"),
            link("/S /Launch /F (calc.exe)"),
          ],
        },
      ]),
    );
    // The first two are one link that is broken at the end of a line.
    expect(found.links).toEqual(["https://example.org/a?b=1", "https://example.org/a?b=1", "mailto:ann@example.org"]);
  });

  it("gives what text fields and text boxes show, notes as comments, and no password", async () => {
    const field = (name: string, value: string, more = "") =>
      `<< /Type /Annot /Subtype /Widget /Rect [72 600 300 620] /FT /Tx /T (${name}) /V (${value}) ${more} >>`;
    const found = await read(
      makePdf(
        [
          {
            content: lines("Name:"),
            annotations: [
              field("name", "Ann Lee"),
              field("secret", "hunter2", "/Ff 8192"),
              field("hidden", "unseen", "/F 2"),
              "<< /Type /Annot /Subtype /FreeText /Rect [72 500 300 520] /Contents (In a box) /DA (/F1 12 Tf) >>",
              "<< /Type /Annot /Subtype /Text /Rect [72 400 90 420] /Contents (Please check) >>",
            ],
          },
        ],
        {
          fields: [
            [0, 0],
            [0, 1],
            [0, 2],
          ],
        },
      ),
    );
    const words = found.units[0]!.text.split(/\s+/).filter(Boolean).join(" ");
    expect(words).toBe("Name: Ann Lee In a box Please check");
    expect(found.comments).toEqual(["Please check"]);
  });

  it("reads only the pages that are asked for", async () => {
    const bytes = makePdf(Array.from({ length: 9 }, (_, index) => ({ content: lines(`Page ${index + 1}.`) })));
    const places = async (options: object) => (await read(bytes, options)).units.map(({ place }) => place);
    expect(await places({ pages: { from: 4, to: 5 } })).toEqual(["page 4", "page 5"]);
    expect(await places({ pages: { from: 8, to: 99 } })).toEqual(["page 8", "page 9"]);
    expect(await places({ sample: 3 })).toEqual(["page 1", "page 5", "page 9"]);
  });

  it("refuses what is no PDF in one sentence and goes on reading afterwards", async () => {
    await expect(read(Buffer.from("%PDF-1.7\nnothing"))).rejects.toThrow(
      "a.pdf is damaged: no page of it can be read.",
    );
    expect((await read(makePdf([{ content: lines("Still here") }]))).units).toHaveLength(1);
  });
});

describe("the choice of sampled pages", () => {
  it("spreads over the document, first and last page among them, none twice", () => {
    for (const [total, count] of [
      [600, 20],
      [7, 3],
      [5, 5],
      [5, 9],
      [2, 2],
      [9, 1],
    ] as const) {
      const pages = sampledPages(total, count);
      expect(new Set(pages).size).toBe(Math.min(total, count));
      expect(pages[0]).toBe(1);
      if (count > 1) expect(pages.at(-1)).toBe(total);
    }
    expect(sampledPages(0, 5)).toEqual([]);
  });

  it("stays within a range of pages", () => {
    expect(wantedPages(100, { pages: { from: 11, to: 20 }, sample: 2 })).toEqual([11, 20]);
    expect(wantedPages(3, { pages: { from: 5, to: 9 } })).toEqual([]);
  });
});

const hostile = sharedData === undefined ? undefined : join(sharedData, "hostile");
const reason = "the shared data is not there";

describe.skipIf(hostile === undefined || !existsSync(hostile))(`protected files (skipped where ${reason})`, () => {
  const file = (name: string) => readFileSync(join(hostile!, "pdf-encrypted", name));

  it.each([
    ["pdfminer__rc4-40.pdf", "baz"],
    ["pdfminer__aes-128.pdf", "foo"],
    ["pdfminer__aes-256-r6.pdf", "usersecret"],
    ["pdfjs__issue21579.pdf", "pässwört"],
  ])("%s is refused without its password and with a wrong one, and read with it", async (name, password) => {
    await expect(read(file(name))).rejects.toThrow("is protected by a password");
    await expect(read(file(name), {}, "not it")).rejects.toThrow("does not open");
    const found = await read(file(name), {}, password);
    expect(found.units.map(({ text }) => text).join("")).toMatch(/\w/);
  });
});

const converted = sharedData === undefined ? undefined : join(sharedData, "convert/pdf");

describe.skipIf(converted === undefined || !existsSync(converted))(`Arabic (skipped where ${reason})`, () => {
  it("has the letters of a ligature in the order in which they are read", async () => {
    const found = await read(readFileSync(join(converted!, "docling__right_to_left_02.pdf")));
    const text = found.units[0]!.text;
    expect(text).toContain("من الأهودا");
    expect(text).not.toMatch(/األ|اإل|اآل/);
  });
});
