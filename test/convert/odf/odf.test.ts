import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { engine } from "../../../src/convert/odf/engine.js";
import { reader } from "../../../src/convert/odf/reader.js";
import { sharedData } from "../../shared-data.js";
import { certified, expectNothingLost } from "../certified.js";

const NAMES = ["office", "text", "table", "draw", "style", "fo", "presentation", "svg", "xlink", "dc", "meta"]
  .map((prefix) => `xmlns:${prefix}="urn:${prefix}"`)
  .join(" ");

function odf(kind: string, body: string, styles = "", more: Record<string, string> = {}): Uint8Array {
  const content = `<?xml version="1.0"?><office:document-content ${NAMES}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`;
  const parts: Record<string, string> = {
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    "content.xml": content,
    ...more,
  };
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])), { level: 0 });
}

function convert(bytes: Uint8Array): ReturnType<typeof certified> {
  return certified(engine, reader, { path: "a.odt", bytes });
}

describe("an OpenDocument text", () => {
  it("becomes headings, emphasis, links, notes, comments and tracked changes, and loses nothing", async () => {
    const { markdown, certificate, findings } = await convert(
      odf(
        "text",
        `<text:tracked-changes><text:changed-region text:id="c1"><text:deletion><office:change-info><dc:creator>Ann Lee</dc:creator><dc:date>2024-05-01T10:00:00</dc:date></office:change-info><text:p>gone words</text:p></text:deletion></text:changed-region></text:tracked-changes>
<text:h text:outline-level="2">A <text:span text:style-name="B">head</text:span></text:h>
<text:p>Some<text:s text:c="3"/><text:span text:style-name="B">bold</text:span> text<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note.</text:p></text:note-body></text:note> and <text:a xlink:href="https://example.org/x">a link</text:a><office:annotation><dc:creator>Bo</dc:creator><dc:date>2024-01-02T00:00:00</dc:date><text:p>Why?</text:p></office:annotation>.<text:change text:change-id="c1"/></text:p>
<text:p><draw:frame><draw:image xlink:href="Pictures/a.png"/><svg:title>A cat</svg:title></draw:frame></text:p>
<text:p><draw:frame><draw:object xlink:href="./Object 1"/><draw:image xlink:href="./ObjectReplacements/Object 1"/></draw:frame></text:p>`,
        `<style:style style:name="B" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>`,
        {
          "Object 1/content.xml": `<math xmlns="http://www.w3.org/1998/Math/MathML"><mfrac><mi>a</mi><mi>b</mi></mfrac></math>`,
        },
      ),
    );
    expect(markdown).toBe(
      `## A **head**

Some **bold** text[^1] and [a link](https://example.org/x).

![A cat](a.png)

$\\frac{a}{b}$

[^1]: A note.

## Comments

- Bo, 2024-01-02: Why?

## Tracked changes

- Deleted by Ann Lee, 2024-05-01: gone words
`,
    );
    expectNothingLost(certificate);
    expect(certificate).toMatchObject({
      links: { reference: 1, lost: 0, added: 0 },
      footnotes: { reference: 1, lost: 0, added: 0 },
      comments: { reference: 1, lost: 0, added: 0 },
      formulas: { reference: 1, lost: 0, added: 0 },
      images: { reference: 1, placed: 1 },
    });
    expect(findings.map(({ kind }) => kind)).toEqual(["tracked changes"]);
  });

  it("numbers lists as they go on, and nests what stands deeper", async () => {
    const list = (attributes: string, items: string): string => `<text:list ${attributes}>${items}</text:list>`;
    const item = (inside: string): string => `<text:list-item>${inside}</text:list-item>`;
    const { markdown, certificate } = await convert(
      odf(
        "text",
        list(
          `text:style-name="N"`,
          item("<text:p>one</text:p>") + item(`<text:p>two</text:p>${list("", item("<text:p>inner</text:p>"))}`),
        ) +
          "<text:p>between</text:p>" +
          list(`text:style-name="N" text:continue-numbering="true"`, item("<text:p>three</text:p>")) +
          list(`text:style-name="X"`, item("<text:p>no sign</text:p>")),
        `<text:list-style style:name="N"><text:list-level-style-number text:level="1" style:num-format="1"/><text:list-level-style-bullet text:level="2" text:bullet-char="•"/></text:list-style>
         <text:list-style style:name="X"><text:list-level-style-number text:level="1" style:num-format=""/></text:list-style>`,
      ),
    );
    expect(markdown).toBe("1. one\n2. two\n   - inner\n\nbetween\n\n3. three\n\nno sign\n");
    expectNothingLost(certificate);
  });

  it("is refused by engine and reader in a sentence where its XML is damaged", async () => {
    const bytes = odf("text", "<text:p>one</text:p><text:p>&#x110000;</text:q>", "");
    for (const work of [engine, reader])
      await expect((async () => work({ path: "a.odt", bytes }, { ocr: "off" }))()).rejects.toMatchObject({
        code: "refused",
        message: expect.stringContaining("not well-formed XML") as string,
      });
  });

  it("is refused where a password protects it", async () => {
    const manifest = `<manifest:manifest xmlns:manifest="urn:m"><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>`;
    await expect(convert(odf("text", "", "", { "META-INF/manifest.xml": manifest }))).rejects.toThrow(
      /protected by a password/,
    );
  });

  it("is read from one flat XML file too", async () => {
    const xml = `<?xml version="1.0"?><office:document ${NAMES} office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text><text:p>flat words</text:p></office:text></office:body></office:document>`;
    const { markdown, certificate } = await convert(strToU8(xml));
    expect(markdown).toBe("flat words\n");
    expectNothingLost(certificate);
  });
});

describe("an OpenDocument spreadsheet", () => {
  const cell = (text: string, attributes = ""): string =>
    `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`;

  it("gives what each cell shows, hidden sheets named, comments by their place", async () => {
    const { markdown, certificate, findings } = await convert(
      odf(
        "spreadsheet",
        `<table:table table:name="First"><table:table-row>${cell("Date")}${cell("Price")}</table:table-row><table:table-row>${cell("1 May", 'office:date-value="2024-05-01"')}${cell("€ 5.00", 'office:value="5"')}</table:table-row><table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>
<table:table table:name="Second" table:style-name="H"><table:table-row><table:table-cell office:value="7"/><table:table-cell><office:annotation><dc:creator>Bo</dc:creator><text:p>Sure?</text:p></office:annotation><text:p>8</text:p></table:table-cell></table:table-row></table:table>`,
        `<style:style style:name="H" style:family="table"><style:table-properties table:display="false"/></style:style>`,
      ),
    );
    expect(markdown).toBe(
      `## First

<!-- mdcx:sheet "First" A1:B2 -->

| Date | Price |
| --- | --- |
| 1 May | € 5.00 |

## Second

*Hidden sheet*

<!-- mdcx:sheet "Second" A1:B1 -->

| 7 | 8 |
| --- | --- |

## Comments

- Second!B1 (Bo): Sure?
`,
    );
    expectNothingLost(certificate);
    expect(certificate.tables).toEqual({ cells: 6, inPlace: 6, lost: 0, added: 0 });
    expect(findings.map(({ kind }) => kind)).toEqual(["hidden sheet"]);
  });

  it("reads a thousand copies where a cell stands for a billion, and says so", async () => {
    const start = performance.now();
    const row = `<table:table-row table:number-rows-repeated="1000000">${cell("x", 'table:number-columns-repeated="20"')}</table:table-row>`;
    const made = await engine(
      { path: "a.ods", bytes: odf("spreadsheet", `<table:table table:name="S">${row.repeat(5)}</table:table>`) },
      { ocr: "off" },
    );
    expect(made.findings.map(({ kind }) => kind)).toEqual(["repeated cells"]);
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});

describe("an OpenDocument presentation", () => {
  it("gives slides with their title, hidden ones named, and what is said with them", async () => {
    const frame = (kind: string, text: string): string =>
      `<draw:frame presentation:class="${kind}"><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`;
    const { markdown, certificate, pagesTotal } = await convert(
      odf(
        "presentation",
        `<draw:page draw:style-name="d">${frame("title", "Hello")}<draw:custom-shape><text:p>in a shape</text:p></draw:custom-shape><presentation:notes>${frame("notes", "say this")}</presentation:notes></draw:page><draw:page draw:style-name="h">${frame("outline", "hidden words")}</draw:page>`,
        `<style:style style:name="h" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>`,
      ),
    );
    expect(markdown).toBe(
      `<!-- mdcx:slide 1 -->

## Hello

in a shape

### Speaker notes

say this

<!-- mdcx:slide 2 -->

*Hidden slide*

hidden words
`,
    );
    expect(pagesTotal).toBe(2);
    expectNothingLost(certificate);
  });
});

describe.skipIf(sharedData === undefined)("OpenDocument files of others (not in the repository)", () => {
  const folder = join(sharedData ?? "", "convert/other");
  const files = sharedData === undefined ? [] : readdirSync(folder).filter((name) => /\.od[tsp]$/.test(name));

  it.each(files)("lose no word, no cell and no order: %s", async (name) => {
    const { certificate } = await convert(readFileSync(join(folder, name)));
    expectNothingLost(certificate);
    expect(certificate.tables?.inPlace).toBe(certificate.tables?.cells);
  });
});
