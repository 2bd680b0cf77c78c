import { describe, expect, it } from "vitest";
import { cell, item, paragraph, row, run, styled } from "./build.js";
import { convertKnown, markdownOf } from "./convert.js";

const table = (...rows: readonly string[]): string => `<w:tbl><w:tblPr/>${rows.join("")}</w:tbl>`;
const p = (text: string): string => paragraph(run(text));

describe("tables of a Word document", () => {
  it("have pipes where every cell is a line, lists and several paragraphs in cells included", async () => {
    const body = table(
      row(cell(paragraph(run("Name", "<w:b/>"))), cell(paragraph(run("Duties", "<w:b/>")))),
      row(cell(p("Ann | Lee")), cell(p("Reads:") + item("letters", 2) + p("- typed"))),
      row(cell(item("", 1)), cell(p("1. typed"))),
      row(cell(item("", 1)), cell("")),
    );
    const { markdown, conversion } = await convertKnown(body);
    expect(markdown).toBe(
      [
        "| Name | Duties |",
        "| --- | --- |",
        "| Ann \\| Lee | Reads:<br>• letters<br>\\- typed |",
        "| 1\\. | 1\\. typed |",
        "| 2\\. |  |",
        "",
      ].join("\n"),
    );
    expect(conversion.labels).toEqual(["1.", "2."]);
  });

  it("are HTML where cells span, and each merged cell stands once", async () => {
    const { markdown, reference } = await convertKnown(
      table(
        row(cell(p("A"), '<w:vMerge w:val="restart"/>'), cell(p("B"), '<w:gridSpan w:val="2"/>')),
        row(cell("", "<w:vMerge/>"), cell(p("C")), cell(p("D"))),
        `<w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>${cell(p("E"))}${cell(p("F"))}</w:tr>`,
      ),
    );
    expect(markdown.replace(/\n/g, "")).toBe(
      '<table><tr><th rowspan="2">A</th><th colspan="2">B</th></tr><tr><td>C</td><td>D</td></tr><tr><td></td><td>E</td><td>F</td></tr></table>',
    );
    expect(reference.tables).toEqual([
      [
        ["A", "B"],
        ["C", "D"],
        ["", "E", "F"],
      ],
    ]);
  });

  it("keep tables in their cells, and are read through controls around rows and cells", async () => {
    const inner = table(row(cell(p("in 1")), cell(p("in 2"))));
    const body = table(
      `<w:sdt><w:sdtContent>${row(cell(p("a")), `<w:sdt><w:sdtContent>${cell(inner + p("after"))}</w:sdtContent></w:sdt>`)}</w:sdtContent></w:sdt>`,
    );
    const { markdown, certificate } = await convertKnown(body);
    expect(markdown).toContain("<th>a</th>");
    expect(markdown).toContain("| in 1 | in 2 |");
    expect(certificate.tables).toMatchObject({ cells: 4, inPlace: 4 });
  });

  it("of one cell are a frame, and what is in them stands without one", async () => {
    expect(await markdownOf(table(row(cell(p("Note.") + item("a", 2)))))).toBe("Note.\n\n- a");
  });

  it("have no headings inside, which would begin a section", async () => {
    expect(await markdownOf(table(row(cell(styled("berschrift1", "H")), cell(p("x")))))).toBe(
      "| **H** | x |\n| --- | --- |",
    );
  });

  it("nested deeper than anybody reads lose no word", async () => {
    let body = p("core");
    for (let depth = 0; depth < 40; depth++) body = table(row(cell(p(`left${depth}`)), cell(body + p(""))));
    await convertKnown(body);
  });
});

describe("notes and comments of a Word document", () => {
  const reference = (kind: string, id: number): string => `<w:r><w:${kind}Reference w:id="${id}"/></w:r>`;
  const note = (kind: string, id: number, text: string): string =>
    `<w:${kind} w:id="${id}">${paragraph(`<w:r><w:${kind}Ref/></w:r>${run(` ${text}`)}`)}</w:${kind}>`;

  it("stand behind the text, numbered in the order in which it refers to them", async () => {
    const body =
      paragraph(run("A") + reference("footnote", 7) + run(" (see) B") + reference("footnote", 3)) +
      paragraph(run("C") + reference("endnote", 2) + run("(d)") + reference("footnote", 7));
    const footnotes =
      '<w:footnote w:type="separator" w:id="0"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>' +
      note("footnote", 3, "second") +
      `<w:footnote w:id="7">${p("first")}${p("more")}</w:footnote>` +
      note("footnote", 9, "never referred to");
    expect(await markdownOf({ body, footnotes, endnotes: note("endnote", 2, "end") })).toBe(
      "A[^1] (see) B[^2]\n\nC[^e1]\\(d)[^1]\n\n[^1]: first\n\n    more\n\n[^2]: second\n\n[^e1]: end",
    );
  });

  it("are listed with who wrote them, when, about what, and in reply to whom", async () => {
    const comment = (id: number, author: string, date: string, text: string): string =>
      `<w:comment w:id="${id}" w:author="${author}" w:date="${date}"><w:p w14:paraId="P${id}">${run(text)}</w:p></w:comment>`;
    const body = paragraph(
      `<w:commentRangeStart w:id="1"/>${run("The rent")}<w:commentRangeEnd w:id="1"/>${reference("comment", 1)}${run(" is due.")}`,
    );
    const { markdown, conversion } = await convertKnown({
      body,
      comments:
        comment(2, "Bob", "2024-05-02T08:00:00Z", "Agreed.") +
        comment(1, "Ann Lee", "2024-05-01T08:00:00Z", "Too high?"),
      commentsExtended: '<w15:commentEx w15:paraId="P1"/><w15:commentEx w15:paraId="P2" w15:paraIdParent="P1"/>',
    });
    expect(markdown).toBe(
      "The rent is due.\n\n## Comments\n\n- Ann Lee, 2024-05-01, on “The rent”: Too high?\n- Bob, 2024-05-02, in reply to Ann Lee: Agreed.\n",
    );
    expect(conversion.labels).toEqual([
      "Comments",
      "Ann Lee, 2024-05-01, on “The rent”:",
      "Bob, 2024-05-02, in reply to Ann Lee:",
    ]);
  });
});

describe("tracked changes of a Word document", () => {
  const change = (kind: string, content: string): string =>
    `<w:${kind} w:id="1" w:author="Ann Lee" w:date="2024-05-01T10:00:00Z">${content}</w:${kind}>`;
  const gone = (text: string): string => `<w:r><w:delText xml:space="preserve">${text}</w:delText></w:r>`;

  it("are accepted in the text, and what they took away is listed", async () => {
    const body =
      paragraph(run("The ") + change("ins", run("new ")) + change("del", gone("old ") + gone("worn ")) + run("door.")) +
      table(
        row(cell(p("kept")), cell(p("row"))),
        `<w:tr><w:trPr>${change("del", "")}</w:trPr>${cell(p("dropped"))}${cell("")}</w:tr>`,
      );
    const { markdown, conversion } = await convertKnown(body);
    expect(markdown).toBe(
      "The new door.\n\n| kept | row |\n| --- | --- |\n\n## Tracked changes\n\n- Deleted by Ann Lee, 2024-05-01: old worn\n- Deleted by Ann Lee, 2024-05-01: dropped\n",
    );
    expect(conversion.findings.map(({ text }) => text)).toEqual([
      "Changes are tracked: 1 insertion in the text, 2 deletions listed under its end.",
    ]);
  });

  it("leave moved text once, where it was moved to", async () => {
    const body =
      paragraph(change("moveFrom", run("moved ")) + run("one ")) +
      paragraph(run("two ") + change("moveTo", run("moved")));
    expect(await markdownOf(body)).toBe("one\n\ntwo moved");
  });

  it("show moved text as deleted where it was moved to nowhere", async () => {
    expect(await markdownOf(paragraph(change("moveFrom", run("away ")) + run("here")))).toBe(
      "here\n\n## Tracked changes\n\n- Deleted by Ann Lee, 2024-05-01: away",
    );
  });
});

describe("drawings of a Word document", () => {
  const picture = (id: string, descr: string): string =>
    `<w:r><w:drawing><wp:inline><wp:docPr id="1" name="P" descr="${descr}"/><a:graphic><a:graphicData><pic:pic><pic:nvPicPr><pic:cNvPr id="0" name="f"/></pic:nvPicPr><pic:blipFill><a:blip r:embed="${id}"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;

  it("are placeholders with their alternative text and name", async () => {
    const { markdown, reference } = await convertKnown({
      body: paragraph(run("See ") + picture("i", "A duck") + picture("j", "")),
      pictures: { i: "duck.png", j: "line.png" },
    });
    expect(markdown).toBe("See ![A duck](duck.png)![](line.png)\n");
    expect(reference.images).toEqual(["A duck", ""]);
  });

  it("have their text read once, from one half of what two versions of Word can read", async () => {
    const box = (text: string): string => `<w:txbxContent>${p(text)}</w:txbxContent>`;
    const body = paragraph(
      run("Before ") +
        `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:anchor><wps:wsp><wps:txbx>${box("In the box")}</wps:txbx></wps:wsp></wp:anchor></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox>${box("In the box")}</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>` +
        run("after.") +
        `<w:r><mc:AlternateContent><mc:Choice Requires="unheard"><w:t>newer</w:t></mc:Choice><mc:Fallback><w:t>older</w:t></mc:Fallback></mc:AlternateContent></w:r>` +
        '<w:r><w:pict><v:shape alt="Seal"><v:textpath string="DRAFT"/></v:shape></w:pict></w:r>',
    );
    expect(await markdownOf(body)).toBe("Before after.older\n\nIn the box\n\nDRAFT");
  });
});

describe("charts and diagrams of a Word document", () => {
  const graphic = (content: string): string =>
    paragraph(
      `<w:r><w:drawing><wp:inline><wp:docPr id="1" name="G"/><a:graphic><a:graphicData>${content}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`,
    );
  const points = (kind: string, ...values: readonly string[]): string =>
    `<c:${kind}>${kind === "numCache" ? "<c:formatCode>0.0%</c:formatCode>" : ""}${values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join("")}</c:${kind}>`;

  it("are the title and the table of values, as the chart shows them", async () => {
    const xml = `<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Vacancy</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser><c:tx><c:strRef>${points("strCache", "North")}</c:strRef></c:tx><c:cat><c:strRef>${points("strCache", "2023", "2024")}</c:strRef></c:cat><c:val><c:numRef>${points("numCache", "0.25", "0.5")}</c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`;
    expect(
      await markdownOf({
        body:
          p("See:") +
          graphic('<c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="chart1.xml"/>'),
        others: { "chart1.xml": { type: "chart", xml } },
      }),
    ).toBe("See:\n\nVacancy\n\n|  | North |\n| --- | --- |\n| 2023 | 25.0% |\n| 2024 | 50.0% |");
  });

  it("are the words of a diagram, and not the lines between them", async () => {
    const point = (type: string, text: string): string =>
      `<dgm:pt${type === "" ? "" : ` type="${type}"`}><dgm:t><a:p><a:r><a:t>${text}</a:t></a:r></a:p></dgm:t></dgm:pt>`;
    const xml = `<dgm:dataModel xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><dgm:ptLst>${point("", "Plan")}${point("parTrans", "no")}${point("node", "Do")}</dgm:ptLst></dgm:dataModel>`;
    expect(
      await markdownOf({
        body: graphic(
          '<dgm:relIds xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" r:dm="data1.xml"/>',
        ),
        others: { "data1.xml": { type: "diagramData", xml } },
      }),
    ).toBe("- Plan\n- Do");
  });
});

describe("heads and feet of a Word document", () => {
  const page =
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> PAGE </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>7</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>';

  it("stand once behind the text, without numbers of pages", async () => {
    const { markdown, conversion } = await convertKnown({
      body:
        p("Text.") +
        '<w:sectPr><w:footerReference w:type="default" r:id="footer1"/><w:headerReference w:type="default" r:id="header1"/><w:headerReference w:type="first" r:id="header2"/></w:sectPr>',
      heads: {
        header1: table(row(cell(p("ACME Ltd")), cell(p("Secret")))),
        header2: table(row(cell(p("ACME Ltd")), cell(p("Secret")))),
        footer1: paragraph(run("Page ") + page) + paragraph(run("Contract of the first of May, page ") + page),
      },
    });
    expect(markdown).toBe(
      "Text.\n\n## Headers and footers\n\nACME Ltd\n\nSecret\n\nContract of the first of May, page 7\n",
    );
    expect(conversion.withheld).toEqual([{ kind: "page-number", text: "Page 7" }]);
  });
});

describe("Word documents of other kinds", () => {
  it("are found by what points to their main part, and read in the namespaces of Strict files", async () => {
    const { markdown } = await convertKnown({
      body: styled("berschrift1", "Strict") + table(row(cell(p("a")), cell(p("b")))),
      main: "content/main2.xml",
      strict: true,
    });
    expect(markdown).toBe("# Strict\n\n| a | b |\n| --- | --- |\n");
  });
});
