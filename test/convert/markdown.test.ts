import fc from "fast-check";
import MarkdownIt from "markdown-it";
import { describe, expect, it } from "vitest";
import {
  escapeText,
  footnote,
  heading,
  image,
  link,
  listItem,
  marker,
  paragraph,
  table,
} from "../../src/convert/markdown.js";
import { readMarker } from "../../src/text/markers.js";

/** The reader on the other side: a CommonMark implementation that is not ours. */
const markdown = new MarkdownIt({ html: true });

function textOfHtml(html: string): string {
  return html
    .replace(/<[^>]*>/g, "")
    .replace(/&(lt|gt|amp|quot);/g, (_, name: string) => ({ lt: "<", gt: ">", amp: "&", quot: '"' })[name]!);
}

const syntax = fc.stringMatching(/^[ a-z0-9*_`[\](){}<>&;#!|~$\\:+.=^"'-]{0,40}$/);

describe("text of the original", () => {
  it("reads as itself, whatever it looks like", () => {
    fc.assert(
      fc.property(syntax, (text) => {
        const html = markdown.render(paragraph(escapeText(text)));
        expect(textOfHtml(html).trim()).toBe(text.replace(/\s+/g, " ").trim());
        expect(html.replace(/<\/?p>/g, "")).not.toMatch(/<[a-z]/);
      }),
      { numRuns: 3000 },
    );
  });

  it("is not made a link or an image by what stands in the next run", () => {
    fc.assert(
      fc.property(syntax, syntax, (one, two) => {
        expect(markdown.render(paragraph(escapeText(one) + escapeText(two)))).not.toMatch(
          /<(a|img|code|em|strong|h\d|li|hr|blockquote)\b/,
        );
      }),
      { numRuns: 3000 },
    );
  });

  it("is no emphasis where an underscore touches a letter on one side only", () => {
    expect(markdown.render(escapeText("e/_x_ and a_b"))).toBe("<p>e/_x_ and a_b</p>\n");
  });

  it("is not made a formula by its dollars", () => {
    expect(escapeText("$HOME/$USER")).toBe("\\$HOME/\\$USER");
  });

  it("is left as it is where nothing in it is syntax", () => {
    for (const text of [
      "a snake_case name",
      "5 * 3 = 15",
      "(see below)",
      "a | b",
      "50 % of 3 < 4",
      "~12 km",
      "$5-$10 a head",
      "US$ and A$",
      'it\'s "so"',
    ])
      expect(paragraph(escapeText(text))).toBe(text);
  });
});

describe("blocks", () => {
  it("a heading stays on its line and keeps its number signs", () => {
    expect(heading(9, "C \n #")).toBe("###### C \\#");
    expect(textOfHtml(markdown.render(heading(2, escapeText("About C #"))))).toBe("About C #\n");
  });

  it("a pipe inside a cell is no border", () => {
    const rows = [
      [{ markdown: "a" }, { markdown: "b|c" }],
      [{ markdown: escapeText("\\|") }, { markdown: "one\ntwo" }],
    ];
    const html = markdown.render(table(rows));
    expect(html).toContain("<th>b|c</th>");
    expect(html).toContain("<td>\\|</td>");
    expect(html).toContain("<td>one<br>two</td>");
  });

  it("a table whose cells span is HTML, with Markdown inside", () => {
    const html = markdown.render(
      table([[{ markdown: "**a** & b", colspan: 2 }], [{ markdown: "c" }, { markdown: "d" }]]),
    );
    expect(html).toContain('<th colspan="2">');
    expect(html).toContain("<strong>a</strong> &amp; b");
    expect(html).toContain("<td>c</td>");
  });

  it("nested items and what continues them stay in their list", () => {
    const list = [
      listItem("10.", "one\n\ncontinued", 0),
      listItem("-", "inner", 1),
      listItem("-", "innermost", 2),
    ].join("\n");
    expect(markdown.render(list).replace(/\s+/g, "")).toBe(
      '<olstart="10"><li><p>one</p><p>continued</p><ul><li>inner<ul><li>innermost</li></ul></li></ul></li></ol>',
    );
  });

  it("a note keeps its paragraphs", () => {
    expect(footnote("3", "one\n\ntwo")).toBe("[^3]: one\n\n    two");
  });
});

describe("links and images", () => {
  it.each(["javascript:alert(1)", " JaVa\nScript:alert(1)", "data:text/html,x", "vbscript:x", "file:///etc/passwd"])(
    "%j is not followed, its words stay",
    (target) => {
      expect(link("words", target)).toBe("words");
    },
  );

  it("a link whose text holds a bracket before a colon stays a link at the start of a line", () => {
    expect(markdown.render(paragraph(link("see [1]: here", "https://example.org")))).toContain("<a href=");
    expect(markdown.render(paragraph(escapeText("[1]: https://example.org")))).toContain("[1]: https");
  });

  it("a target with blanks and brackets stays one target", () => {
    expect(markdown.render(link("a", "https://example.org/a (b) c"))).toContain(
      'href="https://example.org/a%20(b)%20c"',
    );
  });

  it("an image keeps its alternative text and shows no folder", () => {
    expect(markdown.render(image("a [b] *c*", "../media/image 1.png"))).toContain(
      '<img src="image%201.png" alt="a [b] *c*">',
    );
  });
});

describe("markers", () => {
  it("are read back as the places they state", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 30 }), (name) => {
        const place = readMarker(marker({ kind: "chapter", name: `x${name}` }));
        expect(place?.value).toBe(`x${name}`.replace(/\s+/g, " ").trim());
      }),
    );
    expect(readMarker(marker({ kind: "sheet", name: "My --> sheet", range: "A1:D20" }))?.value).toBe(
      "'My --> sheet'!A1:D20",
    );
    expect(readMarker(marker({ kind: "page", number: 12 }))).toEqual({
      kind: "page",
      value: "12",
      recognised: false,
    });
    expect(readMarker(marker({ kind: "page", number: 12, ocr: true }))?.recognised).toBe(true);
  });
});
