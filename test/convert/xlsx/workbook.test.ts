import { describe, expect, it } from "vitest";
import { certify } from "../../../src/convert/compare/certify.js";
import { engine } from "../../../src/convert/xlsx/engine.js";
import { reader } from "../../../src/convert/xlsx/reader.js";
import { convertWhole, escape, OPTIONS, packed, relationships } from "../office.js";
import { madeWorkbook, rowsOf } from "./made-workbook.js";

const convert = (bytes: Uint8Array) => convertWhole(engine, reader, bytes);

describe("a workbook", () => {
  it("becomes a table a region, under the name of its sheet, with the place of each", async () => {
    const { markdown, certificate, pagesTotal } = await convert(
      madeWorkbook({
        sheets: [
          {
            name: "Sales",
            rows: rowsOf([
              ["Product", "Price"],
              ["Tea", 3.5],
              ["Coffee | beans", 12],
            ]),
          },
          { name: "Empty", rows: "" },
        ],
      }),
    );
    expect(markdown).toBe(
      [
        "## Sales",
        '<!-- mdcx:sheet "Sales" A1:B3 -->',
        "| Product | Price |\n| --- | --- |\n| Tea | 3.5 |\n| Coffee \\| beans | 12 |",
        "## Empty\n",
      ].join("\n\n"),
    );
    expect(certificate.status).toBe("ok");
    expect(certificate.words.coverage).toBe(1);
    expect(pagesTotal).toBe(2);
  });

  it("parts tables where rows are empty, and side by side where their rows differ, but not at spacing columns", async () => {
    const { markdown } = await convert(
      madeWorkbook({
        sheets: [
          {
            name: "S",
            rows: rowsOf([
              ["a", "b", undefined, "x", "y"],
              [1, 2, undefined, 5, 6],
              [3, 4, undefined, undefined, undefined],
              [],
              ["p", undefined, "q"],
              [7, undefined, 8],
            ]),
          },
        ],
      }),
    );
    expect(markdown.match(/mdcx:sheet "S" \S+/g)).toEqual([
      'mdcx:sheet "S" A1:B3',
      'mdcx:sheet "S" D1:E2',
      'mdcx:sheet "S" A5:C6',
    ]);
    expect(markdown).toContain("| p |  | q |");
  });

  it("writes a caption above the header as a line of its own", async () => {
    const { markdown } = await convert(
      madeWorkbook({
        sheets: [{ name: "S", rows: rowsOf([["Reading list"], ["No.", "Title"], [1, "Emma"], [2, "Ulysses"]]) }],
      }),
    );
    expect(markdown).toContain("\n\nReading list\n\n| No. | Title |\n| --- | --- |\n| 1 | Emma |");
  });

  it("writes two cells in the far corners of a sheet as two cells", async () => {
    const rows = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>';
    const { markdown } = await convert(madeWorkbook({ sheets: [{ name: "S", rows }] }));
    expect(markdown).toContain('<!-- mdcx:sheet "S" A1 -->\n\n1\n\n<!-- mdcx:sheet "S" XFD1048576 -->\n\n2');
  });

  it("lists cells that a table of millions of empty fields would be needed for", async () => {
    const wide = Array.from({ length: 16384 }, (_, i) => `<c><v>${i + 1}</v></c>`).join("");
    const tall = Array.from({ length: 999 }, () => "<row><c><v>7</v></c></row>").join("");
    const { markdown, certificate } = await convert(
      madeWorkbook({ sheets: [{ name: "S", rows: `<row>${wide}</row>${tall}` }] }),
    );
    expect(markdown).toContain("- A1: 1\n- B1: 2\n");
    expect(certificate.words.reference).toBe(16384 + 999 + 1);
  });

  it("cuts a long table into several under the same header, each with its place", async () => {
    const list = Array.from({ length: 20_000 }, (_, y) => [y, 2 * y, `row ${y}`]);
    const bytes = madeWorkbook({
      sheets: [{ name: "S", rows: rowsOf([["Long list"], ["No.", "Twice", "So"], ...list]) }],
    });
    const { markdown, labels } = await engine({ path: "made", bytes }, OPTIONS);
    expect(markdown.match(/<!-- .* -->/g)).toEqual([
      '<!-- mdcx:sheet "S" A1:C13333 -->',
      '<!-- mdcx:sheet "S" A13334:C20002 -->',
    ]);
    expect(markdown.match(/^\| No\. \| Twice \| So \|$/gm)).toHaveLength(2);
    expect(labels).toEqual(["No.", "Twice", "So"]);
    const { tables } = await reader({ path: "made", bytes }, OPTIONS);
    expect(tables?.map((rows) => [rows.length, rows[0]])).toEqual([
      [13332, ["No.", "Twice", "So"]],
      [6670, ["No.", "Twice", "So"]],
    ]);
  });

  it("takes places by counting where rows and cells have none", async () => {
    const rows = "<row><c><v>1</v></c><c><v>2</v></c></row><row><c><v>3</v></c><c><v>4</v></c></row>";
    const { markdown } = await convert(madeWorkbook({ sheets: [{ name: "S", rows }] }));
    expect(markdown).toContain("| 1 | 2 |\n| --- | --- |\n| 3 | 4 |");
  });

  it("puts cells into order that are written out of it", async () => {
    const rows =
      '<row r="2"><c r="B2"><v>4</v></c><c r="A2"><v>3</v></c></row><row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row>';
    const { markdown } = await convert(madeWorkbook({ sheets: [{ name: "S", rows }] }));
    expect(markdown).toContain("| 1 | 2 |\n| --- | --- |\n| 3 | 4 |");
  });

  it("names hidden sheets, rows and columns and converts them", async () => {
    const { markdown, labels, findings } = await convert(
      madeWorkbook({
        sheets: [
          {
            name: "Open",
            rows: '<row r="1" hidden="1"><c r="A1"><v>1</v></c></row>',
            after: '<cols><col min="2" max="3" hidden="1"/></cols>',
          },
          { name: "Secret", state: "hidden", rows: rowsOf([["kept"]]) },
          { name: "Deeper", state: "veryHidden", rows: rowsOf([["kept too"]]) },
        ],
      }),
    );
    expect(markdown).toContain("## Secret\n\n*Hidden sheet*\n\n");
    expect(markdown).toContain("## Deeper\n\n*Very hidden sheet*\n\n");
    expect(labels).toEqual(["Hidden sheet", "Very hidden sheet"]);
    expect(findings.map(({ kind }) => kind)).toEqual(["hidden cells", "hidden sheet", "hidden sheet"]);
    expect(findings[0]?.text).toContain("hidden rows (1) and columns (2)");
  });

  it("writes a merged cell once, where it begins", async () => {
    const { markdown, certificate } = await convert(
      madeWorkbook({
        sheets: [
          {
            name: "S",
            rows: rowsOf([
              ["Both", undefined, "C"],
              [1, 2, 3],
            ]),
            after: '<mergeCells><mergeCell ref="A1:B1"/></mergeCells>',
          },
        ],
      }),
    );
    expect(markdown).toContain("| Both |  | C |\n| --- | --- | --- |\n| 1 | 2 | 3 |");
    expect(certificate.tables).toEqual({ cells: 5, inPlace: 5, lost: 0, added: 0 });
  });

  it("shows strings of every kind: shared, rich, inline, computed, with escapes, without readings", async () => {
    const { markdown } = await convert(
      madeWorkbook({
        strings: [
          "<t>shared</t>",
          "<r><t>ri</t></r><r><rPr><b/></rPr><t>ch</t></r>",
          '<t>漢字</t><rPh sb="0" eb="2"><t>かんじ</t></rPh>',
          "<t>a_x0041_b</t>",
        ],
        sheets: [
          {
            name: "S",
            rows:
              '<row r="1"><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c><c t="s"><v>3</v></c><c t="s"><v>77</v></c></row>' +
              '<row r="2"><c t="str"><f>A1</f><v>computed</v></c><c t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c><c t="b"><v>1</v></c><c t="e"><v>#DIV/0!</v></c></row>',
          },
        ],
      }),
    );
    expect(markdown).toContain(
      "| shared | rich | 漢字 | aAb |\n| --- | --- | --- | --- |\n| computed | inline | TRUE | #DIV/0! |",
    );
  });

  it("needs no table of shared strings", async () => {
    const { markdown } = await convert(
      madeWorkbook({
        sheets: [
          {
            name: "S",
            rows: rowsOf([
              ["a", 1],
              ["b", 2],
            ]),
          },
        ],
      }),
    );
    expect(markdown).toContain("| a | 1 |");
  });

  it("shows a formula that was saved without its result, and says so", async () => {
    const { markdown, findings } = await convert(
      madeWorkbook({ sheets: [{ name: "S", rows: "<row><c><f>SUM(B1:B9)</f></c><c><f>1+1</f><v>2</v></c></row>" }] }),
    );
    expect(markdown).toContain("| =SUM(B1:B9) | 2 |");
    expect(findings).toMatchObject([{ severity: "warn", kind: "formula without result" }]);
  });

  it("keeps lines within a cell, and text that would be syntax as text", async () => {
    const { markdown } = await convert(
      madeWorkbook({
        sheets: [
          {
            name: "S",
            rows: rowsOf([
              ["1. first\n\n- second", "| bar"],
              ["# no heading", "*star*"],
            ]),
          },
        ],
      }),
    );
    expect(markdown).toContain(
      "| 1\\. first<br>\\- second | &#124; bar |\n| --- | --- |\n| \\# no heading | \\*star\\* |",
    );
  });

  it("links cells, and leaves out a target that would run something", async () => {
    const { markdown, certificate } = await convert(
      madeWorkbook({
        sheets: [
          {
            name: "S",
            rows: rowsOf([
              ["site", "script"],
              ["x", "y"],
            ]),
            after:
              '<hyperlinks><hyperlink ref="A1" r:id="l1"/><hyperlink ref="B1" r:id="l2"/><hyperlink ref="A2" location="S!A1"/></hyperlinks>',
            relationships: [
              { id: "l1", kind: "hyperlink", target: "https://example.org/a?b=1&c=2", external: true },
              { id: "l2", kind: "hyperlink", target: "javascript:alert(1)", external: true },
            ],
          },
        ],
      }),
    );
    expect(markdown).toContain("| [site](https://example.org/a?b=1&c=2) | script |");
    expect(certificate.links).toEqual({ reference: 1, lost: 0, added: 0 });
  });

  it("links by a formula, at whatever column, where the address is written out", async () => {
    const link = (column: string, formula: string): string =>
      `<c r="${column}1" t="str"><f>${escape(formula)}</f><v>Title ${column}</v></c>`;
    const { markdown, certificate } = await convert(
      madeWorkbook({
        sheets: [
          {
            name: "S",
            rows: `<row r="1">${link("A", 'HYPERLINK("https://example.org/a","Title A")')}${link("ZZ", 'hyperlink("https://example.org/zz")')}${link("ABC", 'HYPERLINK(B1,"x")')}</row>`,
          },
        ],
      }),
    );
    expect(markdown).toContain("[Title A](https://example.org/a)");
    expect(markdown).toContain("[Title ZZ](https://example.org/zz)");
    expect(certificate.links).toEqual({ reference: 2, lost: 0, added: 0 });
  });

  it("lists notes and threads under Comments, a thread not twice", async () => {
    const { markdown, certificate } = await convert(
      madeWorkbook({
        relationships: [{ id: "p", kind: "person", target: "persons/person.xml" }],
        parts: {
          "xl/persons/person.xml": '<personList><person displayName="Ann Lee" id="{1}"/></personList>',
          "xl/threads.xml":
            '<ThreadedComments><threadedComment ref="B1" personId="{1}"><text>Why 7?</text></threadedComment><threadedComment ref="B1" personId="{1}"><text>Because.</text></threadedComment></ThreadedComments>',
          "xl/notes.xml":
            "<comments><authors><author>Bo</author></authors><commentList>" +
            '<comment ref="A1" authorId="0"><text><r><t>Bo:</t></r><r><t>\nlook here</t></r></text></comment>' +
            '<comment ref="B1" authorId="0"><text><t>[Threaded comment] Your version of Excel cannot show it</t></text></comment></commentList></comments>',
        },
        sheets: [
          {
            name: "S",
            rows: rowsOf([["a", 7]]),
            relationships: [
              { id: "n", kind: "comments", target: "../notes.xml" },
              { id: "t", kind: "threadedComment", target: "../threads.xml" },
            ],
          },
        ],
      }),
    );
    expect(markdown).toMatch(
      /## Comments\n\n- S!A1 \(Bo\): look here\n- S!B1 \(Ann Lee\): Why 7\?\n- S!B1 \(Ann Lee\): Because\.\n$/,
    );
    expect(certificate.comments).toEqual({ reference: 3, lost: 0, added: 0 });
  });

  it("writes text boxes, titles of charts and alternative texts of pictures", async () => {
    const { markdown, certificate } = await convert(
      madeWorkbook({
        parts: {
          "xl/drawings/d.xml":
            '<xdr:wsDr xmlns:xdr="urn:d" xmlns:a="urn:a" xmlns:r="urn:r" xmlns:c="urn:c"><xdr:twoCellAnchor><xdr:sp><xdr:txBody><a:p><a:r><a:t>In a box</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:twoCellAnchor>' +
            '<xdr:oneCellAnchor><xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="P" descr="A red kite"/></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="i"/></xdr:blipFill></xdr:pic></xdr:oneCellAnchor>' +
            '<xdr:twoCellAnchor><xdr:graphicFrame><a:graphic><a:graphicData><c:chart r:id="c"/></a:graphicData></a:graphic></xdr:graphicFrame></xdr:twoCellAnchor></xdr:wsDr>',
          "xl/drawings/_rels/d.xml.rels": relationships([
            { id: "i", kind: "image", target: "../media/kite.png" },
            { id: "c", kind: "chart", target: "../charts/c.xml" },
          ]),
          "xl/charts/c.xml":
            '<c:chartSpace xmlns:c="urn:c" xmlns:a="urn:a"><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales by year</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea/></c:chart></c:chartSpace>',
        },
        sheets: [
          {
            name: "S",
            rows: rowsOf([["a"]]),
            after: '<drawing r:id="d"/>',
            relationships: [{ id: "d", kind: "drawing", target: "../drawings/d.xml" }],
          },
        ],
      }),
    );
    expect(markdown).toContain("\n\nIn a box\n\n*Chart*: Sales by year\n\n![A red kite](kite.png)\n");
    expect(certificate.images).toEqual({ reference: 1, placed: 1, withoutText: 0 });
  });

  it("takes only as many sheets as are asked for, and the reader the same ones", async () => {
    const sheets = Array.from({ length: 9 }, (_, i) => ({ name: `N${i + 1}`, rows: rowsOf([[i]]) }));
    const original = { path: "made", bytes: madeWorkbook({ sheets }) };
    const conversion = await engine(original, { ...OPTIONS, sample: 3 });
    const reference = await reader(original, { ...OPTIONS, sample: 3 });
    expect(conversion.markdown.match(/^## .*/gm)).toEqual(["## N1", "## N5", "## N9"]);
    expect(reference.units.map(({ place }) => place)).toEqual(["sheet N1", "sheet N5", "sheet N9"]);
    expect(conversion.pagesTotal).toBe(9);
  });

  it("is seen by the reader as it was made, whatever the engine does", async () => {
    const bytes = madeWorkbook({
      formats: ["0.00%"],
      sheets: [
        {
          name: "S",
          rows: rowsOf([
            ["k", "v"],
            ["x", 1],
          ]),
        },
      ],
    });
    const reference = await reader({ path: "made", bytes }, OPTIONS);
    expect(reference.tables).toEqual([
      [
        ["k", "v"],
        ["x", "1"],
      ],
    ]);
    expect(reference.units).toEqual([{ place: "sheet S", text: "S\nk\nv\nx\n1" }]);
  });

  it("whose engine lost rows is certified to have lost exactly them", async () => {
    const grid = Array.from({ length: 200 }, (_, y) => Array.from({ length: 5 }, (_, x) => y * 5 + x + 1000));
    const original = { path: "made", bytes: madeWorkbook({ sheets: [{ name: "S", rows: rowsOf(grid) }] }) };
    const conversion = await engine(original, OPTIONS);
    const lines = conversion.markdown.split("\n");
    lines.splice(100, 10);
    const damaged = { ...conversion, markdown: lines.join("\n").replace("1007", "1070") };
    const { words, numbers, tables } = await certify(damaged, await reader(original, OPTIONS));
    expect(words).toMatchObject({ reference: 1001, lost: 51, added: 1, coverage: 950 / 1001 });
    expect(numbers).toEqual({ reference: 1000, lost: 51, added: 1 });
    expect(tables).toMatchObject({ cells: 1000, lost: 51 });
  });

  it("that repeats one long text in thousands of cells is cut, and says so", async () => {
    const rows = `<row>${'<c t="s"><v>0</v></c>'.repeat(3_000)}</row>`;
    const bytes = madeWorkbook({ strings: [`<t>${"x".repeat(30_000)}</t>`], sheets: [{ name: "S", rows }] });
    const { markdown, findings } = await engine({ path: "made", bytes }, OPTIONS);
    expect(markdown.length).toBeLessThan(51_000_000);
    expect(findings).toMatchObject([{ severity: "warn", kind: "too many cells" }]);
    expect((await reader({ path: "made", bytes }, OPTIONS)).units[0]!.text.length).toBeLessThan(51_000_000);
  });

  it("that is another kind of document or declares entities is refused in a sentence", async () => {
    const elsewhere = packed({
      "_rels/.rels": relationships([{ id: "r", kind: "officeDocument", target: "d.xml" }]),
      "d.xml": "<document/>",
    });
    await expect(engine({ path: "a", bytes: elsewhere }, OPTIONS)).rejects.toThrow(/lists no sheet/);
    const entities = packed({
      "_rels/.rels": relationships([{ id: "r", kind: "officeDocument", target: "xl/workbook.xml" }]),
      "xl/workbook.xml": '<workbook xmlns:r="urn:r"><sheets><sheet name="S" r:id="s"/></sheets></workbook>',
      "xl/_rels/workbook.xml.rels": relationships([{ id: "s", kind: "worksheet", target: "s.xml" }]),
      "xl/s.xml":
        '<!DOCTYPE x [<!ENTITY a "b">]><worksheet><sheetData><row><c t="str"><v>&a;</v></c></row></sheetData></worksheet>',
    });
    await expect(engine({ path: "a", bytes: entities }, OPTIONS)).rejects.toThrow(/declares entities/);
  });

  it("that breaks off in a sheet gives what stands before, and says so", async () => {
    const { markdown, findings } = await engine(
      {
        path: "made",
        bytes: packed({
          "_rels/.rels": relationships([{ id: "r", kind: "officeDocument", target: "xl/workbook.xml" }]),
          "xl/workbook.xml":
            '<workbook xmlns:r="urn:r"><sheets><sheet name="S" r:id="s"/><sheet name="Gone" r:id="none"/></sheets></workbook>',
          "xl/_rels/workbook.xml.rels": relationships([{ id: "s", kind: "worksheet", target: "s.xml" }]),
          "xl/s.xml": "<worksheet><sheetData><row><c><v>1</v></c><c><v>2</v></c></row><row><c><v>3",
        }),
      },
      OPTIONS,
    );
    expect(markdown).toContain("| 1 | 2 |");
    expect(findings.map(({ kind }) => kind)).toEqual(["damaged part", "missing part"]);
  });
});
