import { describe, expect, it } from "vitest";
import { field, item, paragraph, run, styled } from "./build.js";
import { convertKnown, markdownOf } from "./convert.js";

describe("paragraphs of a Word document", () => {
  it("become headings by the name of their style, whatever its id", async () => {
    expect(
      await markdownOf(styled("berschrift1", "One") + styled("berschrift3", "Three") + paragraph(run("Text."))),
    ).toBe("# One\n\n### Three\n\nText.");
  });

  it("become headings by names that other writers give, and by outline levels through the styles they are based on", async () => {
    const styles = [
      '<w:style w:type="paragraph" w:styleId="a"><w:name w:val="Überschrift 2"/></w:style>',
      '<w:style w:type="paragraph" w:styleId="b"><w:name w:val="Clause"/><w:basedOn w:val="c"/></w:style>',
      '<w:style w:type="paragraph" w:styleId="c"><w:name w:val="Base"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>',
      '<w:style w:type="paragraph" w:styleId="d"><w:name w:val="Loop"/><w:basedOn w:val="d"/></w:style>',
    ].join("");
    const body = styled("a", "A") + styled("b", "B") + styled("d", "D") + styled("Heading1", "Not defined");
    expect(await markdownOf({ body, styles })).toBe("## A\n\n### B\n\nD\n\n# Not defined");
  });

  it("put the title above all headings and name the document by it", async () => {
    const { conversion, markdown } = await convertKnown({
      body: styled("Titel", "The Lease") + styled("berschrift1", "Parties"),
      core: "<dc:title>Template 7</dc:title><dc:language>en-GB</dc:language>",
    });
    expect(markdown).toBe("# The Lease\n\n## Parties\n");
    expect(conversion.title).toBe("The Lease");
    expect(conversion.language).toBe("en-GB");
  });

  it("show the numbers that Word computes before headings, and say that they are not in the text", async () => {
    const numbered = (style: string, text: string, ilvl: number): string =>
      styled(style, text, `<w:numPr><w:ilvl w:val="${ilvl}"/><w:numId w:val="4"/></w:numPr>`);
    const { conversion, markdown } = await convertKnown(
      numbered("berschrift1", "Subject", 0) + numbered("berschrift2", "Rent", 1) + numbered("berschrift2", "Term", 1),
    );
    expect(markdown).toBe("# Article I Subject\n\n## 1.1 Rent\n\n## 1.2 Term\n");
    expect(conversion.labels).toEqual(["Article I", "1.1", "1.2"]);
  });

  it("stay paragraphs where a clause of many words has the style of a heading", async () => {
    const clause = "The tenant shall pay. ".repeat(20).trim();
    expect(await markdownOf(styled("berschrift1", clause))).toBe(clause);
  });

  it("become quotations and blocks of code by their style", async () => {
    expect(
      await markdownOf(
        styled("Zitat", "Said.") +
          styled("Zitat", "Said again.") +
          styled("Code", "if (a) {") +
          styled("Code", "  b*c*;"),
      ),
    ).toBe("> Said.\n>\n> Said again.\n\n```\nif (a) {\n  b*c*;\n```");
  });

  it("set in a font of code are a listing together and a span alone, unless the whole document is typed so", async () => {
    const code = (text: string): string => paragraph(run(text, '<w:rFonts w:ascii="Consolas"/>'));
    const prose = paragraph(run("A longer paragraph in an ordinary font stands around the code here."));
    expect(await markdownOf(prose + code("one()") + prose + code("two()") + code("three()"))).toMatch(
      /here\.\n\n`one\(\)`\n\nA longer[^\n]+\n\n```\ntwo\(\)\nthree\(\)\n```$/,
    );
    expect(await markdownOf(code("Typewritten") + code("text."))).toBe("Typewritten\n\ntext.");
  });

  it("keep their line breaks, and none at their ends", async () => {
    const br = "<w:r><w:br/></w:r>";
    expect(await markdownOf(paragraph(br + run("one") + br + run("two") + '<w:r><w:br w:type="page"/></w:r>'))).toBe(
      "one\\\ntwo",
    );
  });

  it("read as themselves where they look like Markdown", async () => {
    const texts = [
      "# no heading",
      "1. no list",
      "- nor this",
      "*a* _b_ `c` [d](e) ![f](g)",
      "<b>h</b> &amp;copy; $x$",
      "> i",
    ];
    const { markdown } = await convertKnown(
      texts.map((text) => paragraph(run(text.replaceAll("<", "&lt;").replaceAll(">", "&gt;")))).join(""),
    );
    expect(markdown).toBe(
      "\\# no heading\n\n1\\. no list\n\n\\- nor this\n\n\\*a\\* \\_b\\_ \\`c\\` [d\\](e) ![f\\](g)\n\n\\<b>h\\</b> \\&copy; \\$x\\$\n\n\\> i\n",
    );
  });

  it("go on in the next one where their end was deleted or their first letter is set large", async () => {
    const body =
      paragraph(run("One"), "<w:rPr><w:del/></w:rPr>") +
      paragraph(run("half.")) +
      paragraph(run("T"), '<w:framePr w:dropCap="drop"/>') +
      paragraph(run("his."));
    const { markdown, reference } = await convertKnown(body);
    expect(markdown).toBe("Onehalf.\n\nThis.\n");
    expect(reference.units[0]!.text.split(/\s+/).filter(Boolean)).toEqual(["Onehalf.", "This."]);
  });
});

describe("lists of a Word document", () => {
  it("nest, count, and keep every kind of number", async () => {
    const body = [
      item("one", 1),
      item("two", 1),
      item("first", 1, 1),
      item("deep", 1, 2),
      item("second", 1, 1),
      item("three", 1),
      paragraph(run("Between.")),
      item("dot", 2),
      item("circle", 2, 1),
      item("four", 1),
      item("again", 3),
    ].join("");
    expect(await markdownOf(body)).toBe(
      [
        "1. one",
        "2. two",
        "    - (a) first",
        "        - 2.a.1 deep",
        "    - (b) second",
        "3. three",
        "",
        "Between.",
        "",
        "- dot",
        "    - circle",
        "",
        "4. four",
        "",
        "1) again",
      ].join("\n"),
    );
  });

  it("go on where another list of the same definition stopped", async () => {
    expect(await markdownOf(item("one", 1) + paragraph(run("Text.")) + item("two", 5))).toBe(
      "1. one\n\nText.\n\n2. two",
    );
  });

  it("hold the paragraphs that are set in below an item", async () => {
    const body =
      item("one", 2) +
      paragraph(run("more of one"), '<w:ind w:left="360"/>') +
      item("two", 2) +
      paragraph(run("Text."));
    expect(await markdownOf(body)).toBe("- one\n\n  more of one\n\n- two\n\nText.");
  });

  it("are made of the entries of a table of contents", async () => {
    const styles =
      '<w:style w:type="paragraph" w:styleId="v1"><w:name w:val="toc 1"/></w:style><w:style w:type="paragraph" w:styleId="v2"><w:name w:val="toc 2"/></w:style>';
    expect(await markdownOf({ body: styled("v1", "Parties 1") + styled("v2", "Tenant 2"), styles })).toBe(
      "- Parties 1\n    - Tenant 2",
    );
  });
});

describe("runs of a Word document", () => {
  it("that look the same are written as one", async () => {
    expect(
      await markdownOf(
        paragraph(
          run("a", "<w:b/>") +
            run(" ") +
            run("b", "<w:b/>") +
            run(" c") +
            run("d", "<w:i/>") +
            run("e", '<w:b w:val="0"/>'),
        ),
      ),
    ).toBe("**a b** c*d*e");
  });

  it("say bold by style, strike, subscript and superscript", async () => {
    expect(
      await markdownOf(
        paragraph(
          run("S", '<w:rStyle w:val="Fett"/>') +
            run(" gone ", "<w:strike/>") +
            run("H") +
            run("2", '<w:vertAlign w:val="subscript"/>') +
            run("O m") +
            run("2", '<w:vertAlign w:val="superscript"/>'),
        ),
      ),
    ).toBe("**S** ~~gone~~ H<sub>2</sub>O m<sup>2</sup>");
  });

  it("keep emphasis where a mark of punctuation touches a letter", async () => {
    expect(await markdownOf(paragraph(run("Note:", "<w:b/>") + run("text")))).toBe("**Note**:text");
    expect(await markdownOf(paragraph(run("中文") + run("“强调”", "<w:b/>") + run("中文")))).toBe("中文“**强调**”中文");
    expect(await markdownOf(paragraph(run("x") + run("(", "<w:i/>") + run("y")))).toBe("x<em>(</em>y");
  });

  it("are read through controls, tags, insertions and directions", async () => {
    const body = paragraph(
      `<w:sdt><w:sdtPr/><w:sdtContent><w:sdt><w:sdtContent>${run("a ")}</w:sdtContent></w:sdt></w:sdtContent></w:sdt>` +
        `<w:smartTag w:element="x"><w:smartTag w:element="y">${run("b ")}</w:smartTag></w:smartTag>` +
        `<w:customXml w:element="z">${run("c ")}</w:customXml><w:dir w:val="rtl">${run("שלום ", "<w:rtl/>")}</w:dir>` +
        `<w:ins w:id="1" w:author="Ann">${run("d")}</w:ins>`,
    );
    expect(await markdownOf(`<w:sdt><w:sdtContent>${body}</w:sdtContent></w:sdt>`)).toBe("a b c שלום d");
  });

  it("hold hyphens, tabs and signs of picture fonts", async () => {
    const body = paragraph(
      run("e") +
        "<w:r><w:noBreakHyphen/></w:r>" +
        run("mail") +
        "<w:r><w:tab/></w:r>" +
        run("soft") +
        "<w:r><w:softHyphen/></w:r>" +
        run("ly ") +
        '<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r><w:r><w:sym w:font="Symbol" w:char="F061"/></w:r>' +
        run(" \uF062", '<w:rFonts w:ascii="Symbol"/>'),
    );
    expect(await markdownOf(body)).toBe("e-mail softly ☑α β");
  });

  it("that are hidden are left out, and that is said", async () => {
    const { conversion, markdown, certificate } = await convertKnown(
      paragraph(
        run("seen ") + run("unseen", "<w:vanish/>") + run(" secret", '<w:rStyle w:val="Versteckt"/>') + run("end"),
      ),
    );
    expect(markdown).toBe("seen end\n");
    expect(conversion.withheld.map(({ kind, text }) => [kind, text])).toEqual([
      ["hidden", "unseen"],
      ["hidden", " secret"],
    ]);
    expect(certificate.words.withheld).toEqual({ hidden: 2 });
    expect(conversion.findings.map(({ kind }) => kind)).toEqual(["hidden text"]);
  });

  it("lead where links and fields lead, and nowhere by script", async () => {
    const link = (id: string, text: string): string => `<w:hyperlink r:id="${id}">${run(text)}</w:hyperlink>`;
    const { markdown, certificate } = await convertKnown({
      body:
        paragraph(`${link("a", "one")} ${link("b", "two")}<w:hyperlink w:anchor="x">${run("three")}</w:hyperlink>`) +
        paragraph(field(' HYPERLINK "https://x.example/q?a=1" \\l "part" ', run("four", "<w:b/>") + run(" and"))) +
        paragraph(
          field(
            `<w:r><w:instrText>HYPERLINK "https://y.example/</w:instrText></w:r>${field(" QUOTE 7 ", run("7"))}<w:r><w:instrText>"</w:instrText></w:r>`,
            run("five"),
          ),
        ) +
        paragraph(`<w:fldSimple w:instr=" REF a ">${run("six")}</w:fldSimple>`),
      links: { a: "https://example.org/a b", b: "javascript:alert(1)" },
    });
    expect(markdown).toBe(
      "[one](https://example.org/a%20b)twothree\n\n[**four** and](https://x.example/q?a=1#part)\n\n[five](https://y.example/7)\n\nsix\n",
    );
    expect(certificate.links).toEqual({ reference: 3, lost: 0, added: 0 });
  });

  it("are text where a field is opened and never closed", async () => {
    const body =
      paragraph(`<w:r><w:fldChar w:fldCharType="begin"/></w:r>${run("all the rest")}`) + paragraph(run("and more"));
    expect(await markdownOf(body)).toBe("all the rest\n\nand more");
  });

  it("show the boxes and lists of forms", async () => {
    const form = (data: string, name: string): string =>
      `<w:r><w:fldChar w:fldCharType="begin"><w:ffData>${data}</w:ffData></w:fldChar></w:r><w:r><w:instrText>${name}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;
    const body = paragraph(
      form('<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>', "FORMCHECKBOX") +
        run(" yes ") +
        form('<w:checkBox><w:default w:val="0"/></w:checkBox>', "FORMCHECKBOX") +
        run(" no ") +
        form(
          '<w:ddList><w:result w:val="1"/><w:listEntry w:val="red"/><w:listEntry w:val="blue"/></w:ddList>',
          "FORMDROPDOWN",
        ),
    );
    expect(await markdownOf(body)).toBe("☒ yes ☐ no blue");
  });

  it("show what a field draws without a result: readings above words, signs by their code", async () => {
    const drawn = (instruction: string): string =>
      `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve">${instruction}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;
    const body = paragraph(
      drawn(' EQ \\* jc2 \\* "Font:MS Mincho" \\* hps10 \\o\\ad(\\s\\up 9(よみ),読)') +
        run("む ") +
        drawn(" EQ \\f(1,2) ") +
        run(" ") +
        drawn(' SYMBOL 97 \\f "Symbol" '),
    );
    expect(await markdownOf(body)).toBe("読(よみ)む 1/2 α");
  });
});
