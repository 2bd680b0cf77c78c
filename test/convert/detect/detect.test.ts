import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { detect } from "../../../src/convert/detect.js";
import { sharedData } from "../../shared-data.js";

const bytesOf = (latin1: string): Uint8Array => Uint8Array.from(Buffer.from(latin1, "latin1"));
const zip = (parts: Record<string, string>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])));
const formatOf = (bytes: Uint8Array, name: string): string | undefined => {
  const found = detect(bytes, name);
  return "format" in found ? found.format : undefined;
};
const refusalOf = (bytes: Uint8Array, name: string): string => {
  const found = detect(bytes, name);
  return "refused" in found ? found.refused : `(${JSON.stringify(found)})`;
};
const office = (type: string): Uint8Array =>
  zip({ "[Content_Types].xml": `<Types><Override PartName="/x" ContentType="${type}"/></Types>` });

describe("a format is told by content, not by name", () => {
  it("finds a PDF by its header, also behind a little of something else", () => {
    expect(formatOf(bytesOf("%PDF-1.7\n1 0 obj"), "a.docx")).toBe("pdf");
    expect(formatOf(bytesOf(`HTTP/1.1 200 OK\r\n\r\n%PDF-1.4\n1 0 obj\n<<>>`), "a")).toBe("pdf");
    expect(formatOf(strToU8("# On PDF\n\nA file begins with `%PDF-1.7`.\n"), "a.md")).toBe("markdown");
  });

  it.each([
    ["docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"],
    ["docx", "application/vnd.ms-word.document.macroEnabled.main+xml"],
    ["xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"],
    ["xlsx", "application/vnd.ms-excel.sheet.macroEnabled.main+xml"],
    ["pptx", "application/vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml"],
  ])("finds %s by its content type %s", (format, type) => {
    expect(formatOf(office(type), "x.bin")).toBe(format);
  });

  it("finds EPUB and OpenDocument by what they say of themselves", () => {
    expect(formatOf(zip({ mimetype: "application/epub+zip" }), "a.pdf")).toBe("epub");
    expect(formatOf(zip({ "META-INF/container.xml": "<container/>" }), "a.zip")).toBe("epub");
    expect(formatOf(zip({ mimetype: "application/vnd.oasis.opendocument.text" }), "a")).toBe("odt");
    expect(formatOf(zip({ mimetype: "application/vnd.oasis.opendocument.spreadsheet-template" }), "a")).toBe("ods");
    expect(formatOf(zip({ mimetype: "application/vnd.oasis.opendocument.presentation" }), "a")).toBe("odp");
  });

  it("refuses other archives by name", () => {
    expect(refusalOf(zip({ "a.txt": "x" }), "a.docx")).toMatch(/ZIP archive, not a document/);
    expect(refusalOf(zip({}), "a.docx")).toMatch(/empty ZIP archive/);
    expect(refusalOf(zip({ "META-INF/MANIFEST.MF": "x" }), "a.jar")).toMatch(/Java archive/);
    expect(refusalOf(zip({ "Index/Document.iwa": "x" }), "a.pages")).toMatch(/Apple Pages.*export/);
    expect(refusalOf(zip({ "xl/workbook.bin": "x" }), "a.xlsb")).toMatch(/\.xlsb.*save it as \.xlsx/);
    expect(refusalOf(zip({ "a.txt": "x" }).subarray(0, 40), "a.docx")).toMatch(/not complete/);
  });

  it.each([
    ["a PNG picture", "\x89PNG\r\n\x1a\n0000"],
    ["a JPEG picture", "\xff\xd8\xff\xe0"],
    ["a gzip archive", "\x1f\x8b\x08"],
    ["an SQLite database", "SQLite format 3\0"],
    ["a WebP picture", "RIFF0000WEBPVP8 "],
    ["a program", "\x7fELF\x02\x01"],
    ["a video or recording", "\0\0\0\x20ftypisom"],
  ])("refuses %s by name, whatever the file is called", (is, start) => {
    for (const name of ["a.pdf", "a.txt", "a.md", "a"]) expect(refusalOf(bytesOf(start), name)).toContain(is);
  });

  it("refuses an empty file", () => {
    for (const name of ["a.pdf", "a.docx", "a.txt"]) expect(refusalOf(new Uint8Array(), name)).toMatch(/is empty/);
  });
});

describe("text without a signature", () => {
  it("is told apart by its extension", () => {
    const text = strToU8("a,b\n1,2\n");
    expect(formatOf(text, "x.csv")).toBe("csv");
    expect(formatOf(text, "x.TSV")).toBe("csv");
    expect(formatOf(text, "x.md")).toBe("markdown");
    expect(formatOf(text, "deep/x.TXT")).toBe("text");
    expect(refusalOf(text, "x.dat")).toMatch(/rename it to/);
    expect(refusalOf(text, ".hidden")).toMatch(/without an extension/);
    expect(refusalOf(text, "x.pdf")).toMatch(/named \.pdf but/);
  });

  it("is HTML where it begins as a page does, whatever the file is called", () => {
    expect(formatOf(strToU8("<!DOCTYPE html><p>x"), "x.txt")).toBe("html");
    expect(formatOf(strToU8("\uFEFF<!-- c --> <HTML>x"), "x.md")).toBe("html");
    expect(formatOf(strToU8("<table><tr><td>1"), "x.xls")).toBe("html");
    expect(formatOf(strToU8('<div align="center">\n\n# Title\n'), "x.md")).toBe("markdown");
    expect(formatOf(strToU8("anything"), "x.htm")).toBe("html");
    expect(formatOf(strToU8('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">'), "x")).toBe("html");
  });

  it("is a message where it begins with the headers of one", () => {
    const message = strToU8("From: a@example.org\nSubject: x\n\ntext");
    expect(formatOf(message, "x.eml")).toBe("eml");
    expect(formatOf(message, "x")).toBe("eml");
    expect(formatOf(message, "x.txt")).toBe("text");
    expect(refusalOf(strToU8("no header here"), "x.eml")).toMatch(/no header/);
  });

  it("is text in UTF-16 and UTF-32 too, and with a stray NUL", () => {
    expect(formatOf(Buffer.from("a;b\n1;2\n", "utf16le"), "x.csv")).toBe("csv");
    expect(formatOf(Buffer.from("это простой документ\n", "utf16le"), "x.txt")).toBe("text");
    expect(formatOf(bytesOf("before\0after\nline\x0c2\n"), "x.txt")).toBe("text");
  });

  it("is refused where it is binary data", () => {
    const noise = Uint8Array.from({ length: 4_000 }, (_, i) => (i * 2_654_435_761) >>> 13);
    expect(refusalOf(noise, "x.txt")).toMatch(/binary data/);
  });

  it("names XML that is no page", () => {
    expect(refusalOf(strToU8("<svg xmlns='http://www.w3.org/2000/svg'/>"), "x.svg")).toMatch(/SVG picture/);
    expect(refusalOf(strToU8("<?xml version='1.0'?><w:wordDocument/>"), "x.doc")).toMatch(/Word 2003 XML/);
    expect(refusalOf(strToU8("<?xml version='1.0'?><stock/>"), "x.xml")).toMatch(/outermost element is stock/);
  });
});

describe.skipIf(sharedData === undefined)("the files of other converters' tests (not in the repository)", () => {
  const list = (folder: string): string[] =>
    readdirSync(join(sharedData!, folder)).filter((name) => statSync(join(sharedData!, folder, name)).isFile());

  /** Each is what its refusal says: a theme without a document, a download that broke off, nothing, and a notebook. */
  const REFUSED: Record<string, RegExp> = {
    "poi__stress025.docx": /Office theme/,
    "poi__Divino_Revelado.pptx": /not complete/,
    "made-here__empty.txt": /is empty/,
    "markitdown__test_notebook.ipynb": /Jupyter notebook/,
  };

  it.each(["pdf", "docx", "pptx", "xlsx", "html", "epub", "csv", "md", "txt", "other"])("are found: %s", (folder) => {
    const formats: Record<string, string> = { md: "markdown", txt: "text", vtt: "text" };
    for (const name of list(`convert/${folder}`)) {
      const found = detect(readFileSync(join(sharedData!, "convert", folder, name)), name);
      const kind = folder === "other" ? name.split(".").at(-1)! : folder;
      if (name in REFUSED) expect("refused" in found ? found.refused : "", name).toMatch(REFUSED[name]!);
      else expect(found, name).toEqual({ format: formats[kind] ?? kind });
    }
  });

  it("are told by content where the name lies", () => {
    const of = (name: string): ReturnType<typeof detect> =>
      detect(readFileSync(join(sharedData!, "hostile", "wrong-type", name)), name);
    expect(of("made__pdf-named.docx")).toEqual({ format: "pdf" });
    expect(of("made__docx-named.pdf")).toEqual({ format: "docx" });
    expect(of("made__docx-named.txt")).toEqual({ format: "docx" });
    expect(of("made__html-named.txt")).toEqual({ format: "html" });
    expect(of("made__html-named.xls.xlsx")).toEqual({ format: "html" });
    expect(of("made__noext")).toEqual({ format: "pdf" });
    expect(of("made__UPPER.PDF")).toEqual({ format: "pdf" });
    for (const name of list("hostile/wrong-type").filter((each) => /empty|png|gz/.test(each)))
      expect(of(name), name).toHaveProperty("refused");
  });

  it("are known as protected where Office encrypted them", () => {
    for (const name of list("hostile/office-encrypted"))
      expect(detect(readFileSync(join(sharedData!, "hostile", "office-encrypted", name)), name)).toEqual({
        protected: "office",
      });
  });

  it("are told apart in bounded time where they are broken", () => {
    for (const kind of [
      "docx-broken",
      "xlsx-broken",
      "pptx-broken",
      "zip-bad",
      "md-broken",
      "csv-broken",
      "pdf-broken",
    ])
      for (const name of list(`hostile/${kind}`)) {
        const bytes = readFileSync(join(sharedData!, "hostile", kind, name));
        const start = performance.now();
        detect(bytes, name);
        expect(performance.now() - start, name).toBeLessThan(2_000);
      }
  });
});
