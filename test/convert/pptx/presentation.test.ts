import { describe, expect, it } from "vitest";
import { engine } from "../../../src/convert/pptx/engine.js";
import { reader } from "../../../src/convert/pptx/reader.js";
import { convertWhole, OPTIONS, packed, relationships } from "../office.js";
import { body, madePresentation, shape, text, title } from "./made-presentation.js";

const convert = (bytes: Uint8Array) => convertWhole(engine, reader, bytes);
const one = (shapes: string) => madePresentation({ slides: [{ shapes }] });

describe("a presentation", () => {
  it("becomes its slides in the order of the show, each with its place and its title", async () => {
    const { markdown, certificate, pagesTotal } = await convert(
      madePresentation({ slides: [{ shapes: title("First") }, { shapes: shape(text("only words")) }, { shapes: "" }] }),
    );
    expect(markdown).toBe(
      "<!-- mdcx:slide 1 -->\n\n## First\n\n<!-- mdcx:slide 2 -->\n\nonly words\n\n<!-- mdcx:slide 3 -->\n",
    );
    expect(certificate.words.coverage).toBe(1);
    expect(pagesTotal).toBe(3);
  });

  it("says the title first, wherever it stands among the shapes", async () => {
    const { markdown } = await convert(
      one(
        shape(text("box")) +
          shape("<a:p><a:r><a:t>Title</a:t></a:r><a:br/><a:r><a:t>in two</a:t></a:r></a:p>", { type: "ctrTitle" }),
      ),
    );
    expect(markdown).toContain("## Title in two\n\nbox");
  });

  it("takes bullets and numbers from layout and master, and leaves their words there", async () => {
    const { markdown } = await convert(
      one(
        body(
          text("bulleted") +
            text("plain", { level: 1 }) +
            text("again") +
            text("counted", { level: 2 }) +
            text("on", { level: 2 }) +
            text("own", { properties: "<a:buNone/>" }),
        ),
      ),
    );
    expect(markdown).toContain("- bulleted\n\nplain\n\n- again\n\n    4. counted\n    5. on\n\nown\n");
  });

  it("gives a text box a list only where it says so", async () => {
    const dot = { properties: '<a:buChar char="-"/>' };
    const { markdown } = await convert(
      one(shape(text("- no list") + text("item", dot) + text("item two", { ...dot, level: 3 }))),
    );
    expect(markdown).toContain("\\- no list\n\n- item\n    - item two\n");
  });

  it("goes into groups in groups, but not for ever", async () => {
    const nested = (depth: number): string =>
      "<p:grpSp>".repeat(depth) + shape(text("deep")) + "</p:grpSp>".repeat(depth);
    expect((await convert(one(nested(20)))).markdown).toContain("deep");
    const { findings } = await engine({ path: "made", bytes: one(nested(200)) }, OPTIONS);
    expect(findings).toMatchObject([{ kind: "deep groups" }]);
    // Deeper than any reader may recurse: the slide is given up, the presentation is not.
    expect((await engine({ path: "made", bytes: one(nested(5000)) }, OPTIONS)).findings).toMatchObject([
      { kind: "damaged part" },
    ]);
  });

  it("keeps emphasis, breaks and links, a link of several runs being one", async () => {
    const linked = (words: string, more = ""): string =>
      `<a:r><a:rPr${more}><a:hlinkClick r:id="l"/></a:rPr><a:t>${words}</a:t></a:r>`;
    const { markdown, certificate } = await convert(
      madePresentation({
        slides: [
          {
            shapes: shape(
              `<a:p><a:r><a:rPr b="1"/><a:t>bold</a:t></a:r><a:r><a:t> and </a:t></a:r><a:r><a:rPr i="1"/><a:t>slanted</a:t></a:r><a:br/><a:r><a:t>H</a:t></a:r><a:r><a:rPr b="1"/><a:t>2</a:t></a:r><a:r><a:t>O</a:t></a:r></a:p><a:p>${linked("see ")}${linked("this", ' b="1"')}</a:p>`,
            ),
            relationships: [{ id: "l", kind: "hyperlink", target: "https://example.org/x", external: true }],
          },
        ],
      }),
    );
    expect(markdown).toContain("**bold** and *slanted*\nH2O\n\n[see **this**](https://example.org/x)");
    expect(certificate.links).toEqual({ reference: 1, lost: 0, added: 0 });
  });

  it("takes a link on a whole shape for its first words, and for a picture", async () => {
    const click = '<a:hlinkClick r:id="l"/>';
    const { markdown, certificate } = await convert(
      madePresentation({
        slides: [
          {
            shapes:
              shape(text("press") + text("here"), undefined, click) +
              `<p:pic><p:nvPicPr><p:cNvPr id="3" name="P" descr="a map">${click}</p:cNvPr></p:nvPicPr><p:blipFill><a:blip r:embed="i"/></p:blipFill></p:pic>`,
            relationships: [
              { id: "l", kind: "hyperlink", target: "https://example.org/x", external: true },
              { id: "i", kind: "image", target: "../media/map.png" },
            ],
          },
        ],
        parts: { "ppt/media/map.png": "" },
      }),
    );
    expect(markdown).toContain("[press](https://example.org/x)\n\nhere\n\n[![a map](map.png)](https://example.org/x)");
    expect(certificate.links?.reference).toBe(2);
  });

  it("writes tables, with merged cells as HTML", async () => {
    const cell = (words: string, more = ""): string => `<a:tc${more}><a:txBody>${text(words)}</a:txBody></a:tc>`;
    const tableOf = (rows: string): string =>
      `<p:graphicFrame><a:graphic><a:graphicData><a:tbl>${rows}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
    const { markdown, certificate } = await convert(
      one(
        tableOf(`<a:tr>${cell("a")}${cell("b | c")}</a:tr><a:tr>${cell("1")}${cell("2")}</a:tr>`) +
          tableOf(
            `<a:tr>${cell("wide", ' gridSpan="2"')}${cell("", ' hMerge="1"')}</a:tr><a:tr>${cell("x")}${cell("y")}</a:tr>`,
          ),
      ),
    );
    expect(markdown).toContain("| a | b \\| c |\n| --- | --- |\n| 1 | 2 |");
    expect(markdown).toContain('<th colspan="2">wide</th>');
    expect(certificate.tables).toEqual({ cells: 7, inPlace: 7, lost: 0, added: 0 });
  });

  it("writes charts as the tables that were saved with them", async () => {
    const points = (list: readonly (string | number)[]): string =>
      list.map((value, i) => `<c:pt idx="${i}"><c:v>${value}</c:v></c:pt>`).join("");
    const categories = `<c:cat><c:strRef><c:strCache>${points(["North", "South"])}</c:strCache></c:strRef></c:cat>`;
    const series = (name: string, values: readonly number[]): string =>
      `<c:ser><c:tx><c:strRef><c:strCache>${points([name])}</c:strCache></c:strRef></c:tx>${categories}<c:val><c:numRef><c:numCache><c:formatCode>0.0%</c:formatCode>${points(values)}</c:numCache></c:numRef></c:val></c:ser>`;
    const { markdown, certificate } = await convert(
      madePresentation({
        slides: [
          {
            shapes:
              '<p:graphicFrame><a:graphic><a:graphicData><c:chart r:id="c"/></a:graphicData></a:graphic></p:graphicFrame>',
            relationships: [{ id: "c", kind: "chart", target: "../charts/one.xml" }],
          },
        ],
        parts: {
          "ppt/charts/one.xml": `<c:chartSpace xmlns:c="urn:c" xmlns:a="urn:a"><c:chart><c:title><c:tx><c:rich>${text("Share")}</c:rich></c:tx></c:title><c:plotArea><c:barChart>${series("2023", [0.1234, 0.5])}${series("2024", [0.2, 1])}</c:barChart></c:plotArea></c:chart></c:chartSpace>`,
        },
      }),
    );
    expect(markdown).toContain(
      "**Share**\n\n|  | 2023 | 2024 |\n| --- | --- | --- |\n| North | 12.3% | 20.0% |\n| South | 50.0% | 100.0% |",
    );
    expect(certificate.tables?.cells).toBeGreaterThan(7);
  });

  it("writes SmartArt as a nested list by its data", async () => {
    const point = (id: string, words: string, type = "node"): string =>
      `<dgm:pt modelId="${id}" type="${type}"><dgm:t>${words === "" ? "" : text(words)}</dgm:t></dgm:pt>`;
    const { markdown } = await convert(
      madePresentation({
        slides: [
          {
            shapes:
              '<p:graphicFrame><a:graphic><a:graphicData><dgm:relIds r:dm="d"/></a:graphicData></a:graphic></p:graphicFrame>',
            relationships: [{ id: "d", kind: "diagramData", target: "../diagrams/d.xml" }],
          },
        ],
        parts: {
          "ppt/diagrams/d.xml": `<dgm:dataModel xmlns:dgm="urn:dgm" xmlns:a="urn:a"><dgm:ptLst>${point("0", "", "doc")}${point("1", "Board")}${point("2", "Sales")}${point("3", "Presented", "pres")}${point("4", "Support")}</dgm:ptLst><dgm:cxnLst><dgm:cxn srcId="1" destId="2" srcOrd="0"/><dgm:cxn srcId="0" destId="1" srcOrd="0"/><dgm:cxn srcId="0" destId="4" srcOrd="1"/><dgm:cxn srcId="2" destId="1" srcOrd="0"/></dgm:cxnLst></dgm:dataModel>`,
        },
      }),
    );
    expect(markdown).toContain("- Board\n    - Sales\n- Support\n");
    expect(markdown).not.toContain("Presented");
  });

  it("writes formulas as LaTeX, by the newer of two ways to say them", async () => {
    const math =
      "<a14:m><m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath></a14:m>";
    const { markdown, certificate } = await convert(
      one(
        `<mc:AlternateContent><mc:Choice Requires="a14">${shape(`<a:p><a:r><a:t>Half: </a:t></a:r>${math}</a:p>`)}</mc:Choice><mc:Fallback>${shape(text("picture of a formula"))}</mc:Fallback></mc:AlternateContent>`,
      ),
    );
    expect(markdown).toContain("Half: $\\frac{a}{2}$");
    expect(markdown).not.toContain("picture of");
    expect(certificate.formulas).toEqual({ reference: 1, lost: 0, added: 0 });
  });

  it("takes the older way where nothing comes of the newer", async () => {
    const { markdown } = await convert(
      one(
        `<mc:AlternateContent><mc:Choice Requires="x"><p:new/></mc:Choice><mc:Fallback>${shape(text("still said"))}</mc:Fallback></mc:AlternateContent>`,
      ),
    );
    expect(markdown).toContain("still said");
  });

  it("adds the speaker's notes under their slide", async () => {
    const { markdown, labels } = await convert(
      madePresentation({ slides: [{ shapes: title("T"), notes: text("Breathe.") + text("Go on.") }] }),
    );
    expect(markdown).toBe("<!-- mdcx:slide 1 -->\n\n## T\n\n### Speaker notes\n\nBreathe.\n\nGo on.\n");
    expect(labels).toEqual(["Speaker notes"]);
  });

  it("writes a footer once and withholds it on the other slides, as it does every slide's number", async () => {
    const shapes =
      shape(text("Acme 2024"), { type: "ftr", idx: "11" }) +
      shape('<a:p><a:fld type="slidenum"><a:t>3</a:t></a:fld></a:p>', { type: "sldNum", idx: "12" });
    const { markdown, withheld, certificate } = await convert(madePresentation({ slides: [{ shapes }, { shapes }] }));
    expect(markdown.match(/Acme/g)).toHaveLength(1);
    expect(withheld).toEqual([
      { kind: "page-number", text: "3" },
      { kind: "running-head", text: "Acme 2024" },
      { kind: "page-number", text: "3" },
    ]);
    expect(certificate.words.withheld).toEqual({ "page-number": 2, "running-head": 2 });
  });

  it("withholds a slide's number that stands in a box of its own, and no number that stands among words", async () => {
    const number = '<a:fld type="slidenum"><a:t>1</a:t></a:fld>';
    const { markdown, withheld } = await convert(
      one(shape(`<a:p>${number}</a:p>`) + shape(`<a:p><a:r><a:t>Slide </a:t></a:r>${number}</a:p>`)),
    );
    expect(markdown).toBe("<!-- mdcx:slide 1 -->\n\nSlide 1\n");
    expect(withheld).toEqual([{ kind: "page-number", text: "1" }]);
  });

  it("names hidden slides and converts them", async () => {
    const { markdown, findings } = await convert(
      madePresentation({ slides: [{ shapes: title("Seen") }, { shapes: title("Unseen"), hidden: true }] }),
    );
    expect(markdown).toContain("<!-- mdcx:slide 2 -->\n\n*Hidden slide*\n\n## Unseen");
    expect(findings).toMatchObject([{ kind: "hidden slide" }]);
  });

  it("lists comments of the old and the new kind with their answers", async () => {
    const { markdown, certificate } = await convert(
      madePresentation({
        slides: [
          { shapes: title("A"), relationships: [{ id: "c", kind: "comments", target: "../comments/old.xml" }] },
          { shapes: title("B"), relationships: [{ id: "c", kind: "comments", target: "../comments/new.xml" }] },
        ],
        relationships: [
          { id: "o", kind: "commentAuthors", target: "commentAuthors.xml" },
          { id: "n", kind: "authors", target: "authors.xml" },
        ],
        parts: {
          "ppt/commentAuthors.xml":
            '<p:cmAuthorLst xmlns:p="urn:p"><p:cmAuthor id="0" name="Ann Lee" initials="AL"/></p:cmAuthorLst>',
          "ppt/authors.xml": '<p188:authorLst xmlns:p188="urn:n"><p188:author id="{9}" name="Bo Ek"/></p188:authorLst>',
          "ppt/comments/old.xml":
            '<p:cmLst xmlns:p="urn:p"><p:cm authorId="0" dt="2024-05-01T10:00:00"><p:text>Too long?</p:text></p:cm></p:cmLst>',
          "ppt/comments/new.xml": `<p188:cmLst xmlns:p188="urn:n" xmlns:a="urn:a"><p188:cm authorId="{9}" created="2024-06-02T10:00:00"><p188:replyLst><p188:reply authorId="{9}"><p188:txBody>${text("Done.")}</p188:txBody></p188:reply></p188:replyLst><p188:txBody>${text("Fix this.")}</p188:txBody></p188:cm></p188:cmLst>`,
        },
      }),
    );
    expect(markdown).toMatch(
      /## Comments\n\n- Slide 1 \(Ann Lee, 2024-05-01\): Too long\?\n- Slide 2 \(Bo Ek, 2024-06-02\): Fix this\.\n- Slide 2 \(Bo Ek\): Done\.\n$/,
    );
    expect(certificate.comments).toEqual({ reference: 3, lost: 0, added: 0 });
  });

  it("names what it does not convert: embedded files and objects, unknown shapes, pictures without data", async () => {
    const frame = (content: string): string =>
      `<p:graphicFrame><a:graphic><a:graphicData>${content}</a:graphicData></a:graphic></p:graphicFrame>`;
    const picture = (id: string): string =>
      `<p:pic><p:nvPicPr><p:cNvPr id="3" name="P"/></p:nvPicPr><p:blipFill><a:blip r:embed="${id}"/></p:blipFill></p:pic>`;
    const { markdown, findings, certificate } = await convert(
      madePresentation({
        slides: [
          {
            shapes:
              frame(`<p:oleObj progId="Excel.Sheet.12">${picture("i")}</p:oleObj>`) +
              frame("<p:hologram/>") +
              picture("none") +
              "<p:pic/>",
            relationships: [
              { id: "i", kind: "image", target: "../media/i.emf" },
              { id: "e", kind: "package", target: "../embeddings/book.xlsx" },
            ],
          },
        ],
        parts: { "ppt/media/i.emf": "" },
      }),
    );
    expect(findings.map(({ kind }) => kind)).toEqual([
      "embedded object",
      "unknown shape",
      "missing picture",
      "missing picture",
      "embedded file",
    ]);
    expect(markdown).toContain("![](i.emf)\n\n![](P)\n\n![]()");
    expect(certificate.images).toMatchObject({ reference: 3, placed: 3 });
  });

  it("takes its title, language and date from its properties", async () => {
    const bytes = packed({
      "_rels/.rels": relationships([
        { id: "r", kind: "officeDocument", target: "ppt/presentation.xml" },
        { id: "c", kind: "metadata/core-properties", target: "/docProps/core.xml" },
      ]),
      "ppt/presentation.xml": "<presentation/>",
      "docProps/core.xml":
        "<coreProperties><title> The plan </title><language>de-AT</language><modified>2024-05-01T10:00:00Z</modified></coreProperties>",
    });
    expect(await engine({ path: "made", bytes }, OPTIONS)).toMatchObject({
      title: "The plan",
      language: "de-AT",
    });
  });

  it("takes only as many slides as are asked for, and the reader the same ones", async () => {
    const original = {
      path: "made",
      bytes: madePresentation({ slides: Array.from({ length: 7 }, (_, i) => ({ shapes: title(`N${i + 1}`) })) }),
    };
    const { markdown } = await engine(original, { ...OPTIONS, sample: 2 });
    expect(markdown.match(/^## .*/gm)).toEqual(["## N1", "## N7"]);
    expect((await reader(original, { ...OPTIONS, sample: 2 })).units.map(({ text: words }) => words)).toEqual([
      "N1",
      "N7",
    ]);
  });

  it("with a slide that is damaged or not there keeps the others", async () => {
    const bytes = madePresentation({
      slides: [{ shapes: title("kept") }, { shapes: "<p:sp>" }, { shapes: title("kept too") }],
      parts: {},
    });
    const { markdown, findings } = await engine({ path: "made", bytes }, OPTIONS);
    expect(markdown).toContain("## kept\n");
    expect(markdown).toContain("## kept too\n");
    expect(findings).toMatchObject([{ severity: "warn", kind: "damaged part" }]);
  });

  it("that is another kind of document is refused in a sentence", async () => {
    const bytes = packed({
      "_rels/.rels": relationships([{ id: "r", kind: "officeDocument", target: "d.xml" }]),
      "d.xml": "<document/>",
    });
    await expect(engine({ path: "a", bytes }, OPTIONS)).rejects.toThrow("d.xml is no presentation");
  });
});
