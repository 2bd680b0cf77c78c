import { describe, expect, it } from "vitest";
import type { EngineOptions } from "../../../src/convert/engine.js";
import { engine } from "../../../src/convert/pdf/engine.js";
import { line, lines, makePdf, type MadeDocument } from "./make-pdf.js";

const OPTIONS: EngineOptions = { ocr: "off" };
const convert = (made: MadeDocument, options: EngineOptions = OPTIONS): ReturnType<typeof engine> =>
  engine({ path: "made.pdf", bytes: makePdf(made) }, options);
const markdownOf = async (content: string): Promise<string> =>
  (await convert({ pages: [{ content }] })).markdown.replace("<!-- mdcx:page 1 -->\n\n", "").trimEnd();

const LONG = [
  "The first line of this paragraph runs to the right edge of its column here",
  "and the second one does so as well, because people set their text in full",
  "lines until the last.",
];

describe("paragraphs", () => {
  it("are put together from their lines", async () => {
    expect(await markdownOf(lines(72, 700, LONG))).toBe(LONG.join(" "));
  });

  it("are parted by space and by an indent", async () => {
    const text =
      lines(72, 700, LONG) + lines(72, 640, LONG) + line(84, 604, "An indent begins") + line(72, 592, "one as well.");
    expect((await markdownOf(text)).split("\n\n")).toEqual([
      LONG.join(" "),
      LONG.join(" "),
      "An indent begins one as well.",
    ]);
  });

  it("join a word broken by a hyphen and keep the hyphen of a word that has one elsewhere", async () => {
    const broken = [
      "This sentence breaks one word at the end of its first line, namely under-",
      "standing, and runs on to its end in the second.",
    ];
    expect(await markdownOf(lines(72, 700, broken))).toContain("namely understanding, and");
    const kept = [
      "A well-known fact stands at the end of this first line, and it is a well-",
      "known one, as everybody sees who reads it in the second.",
    ];
    expect(await markdownOf(lines(72, 700, kept))).toContain("it is a well-known one");
  });

  it("go on over the end of a page, and the marker of the next page follows them", async () => {
    const pages = [
      {
        content: lines(72, 120, [
          "A sentence that begins on the first page of this document and does not end",
          "there, since its writer had so much to say about the subject that he went",
        ]),
      },
      { content: lines(72, 700, ["on with it on the second page.", "", "Then another."], 24) },
    ];
    const { markdown } = await convert({ pages });
    expect(markdown).toContain("that he went on with it on the second page.\n\n<!-- mdcx:page 2 -->\n\nThen another.");
  });

  it("show emphasis inside them, raised letters, and nothing that Markdown would take for its own", async () => {
    const text =
      line(72, 700, "This is") +
      line(108, 700, "strongly", 10, "F2") +
      line(152, 700, "meant, 1 * 2 and [a](b).") +
      line(255, 703.5, "4", 6.5);
    expect(await markdownOf(text)).toBe("This is **strongly** meant, 1 * 2 and [a\\](b).<sup>4</sup>");
  });
});

describe("numbers of notes", () => {
  it("stand raised at their word, and raised and apart before their text", async () => {
    const text =
      line(72, 700, "The depot") +
      line(118, 703.5, "1", 6.5) +
      line(126, 700, "of the package holds it, and everybody reads what is there.") +
      line(72, 603, "1", 6) +
      line(75.5, 600, "The overwhelming part of them.", 8);
    const markdown = await markdownOf(text);
    expect(markdown).toContain("The depot<sup>1</sup> of the package");
    expect(markdown).toContain("<sup>1</sup> The overwhelming part");
  });
});

describe("reading order", () => {
  it("reads one column to its end before the next, and what stands across them where it stands", async () => {
    const column = (name: string): string[] =>
      Array.from({ length: 12 }, (_, index) => `${name} ${index} has about as many words as lines of a column`);
    const text =
      line(72, 740, "A title that stands across both of the columns of this page", 16, "F2") +
      lines(60, 700, column("Left"), 12, 9) +
      lines(320, 700, column("Right"), 12, 9);
    const markdown = await markdownOf(text);
    expect(markdown.indexOf("Left 11")).toBeLessThan(markdown.indexOf("Right 0"));
    expect(markdown.startsWith("# A title")).toBe(true);
  });

  it("reads a form row by row, as its file draws it", async () => {
    const rows = ["Name", "Street", "Town", "Country"]
      .map((label, index) => line(72, 700 - 14 * index, label) + line(300, 700 - 14 * index, `value ${index}`))
      .join("");
    const words = (await markdownOf(rows)).replace(/[|\s-]+/g, " ");
    expect(words).toContain("Name value 0 Street value 1");
  });

  it("turns pages that stand on their side", async () => {
    const upwards = LONG.map((text, index) => `BT /F1 10 Tf 0 1 -1 0 ${100 + 12 * index} 100 Tm (${text}) Tj ET`).join(
      "\n",
    );
    expect(await markdownOf(upwards)).toBe(LONG.join(" "));
    const { markdown } = await convert({ pages: [{ content: lines(72, 700, LONG), rotate: 90 }] });
    expect(markdown).toContain(LONG.join(" "));
  });
});

describe("headings", () => {
  const body = (y: number): string => lines(72, y, LONG);
  const page =
    line(72, 740, "1 Beginnings", 18, "F2") + body(700) + line(72, 640, "1.1 Of something", 13, "F2") + body(610);

  it("come from sizes and weights where there are no bookmarks", async () => {
    const markdown = await markdownOf(page);
    expect(markdown).toContain("# 1 Beginnings\n");
    expect(markdown).toContain("\n## 1.1 Of something\n");
  });

  it("come from bookmarks, whatever they look like", async () => {
    const content = line(72, 740, "Plain as text") + body(716);
    const { markdown } = await convert({
      pages: [{ content }],
      outline: ["A book", "A part", "Plain as text"].map((title, depth) => ({ title, page: 1, depth })),
    });
    expect(markdown).toContain("### Plain as text\n");
  });

  it("have the same levels in a part as in the whole", async () => {
    const chapter = (number: number): string =>
      page.replaceAll("1 Beg", `${number} Beg`).replaceAll("1.1", `${number}.1`);
    const pages = Array.from({ length: 12 }, (_, index) => ({ content: chapter(index + 1) }));
    const whole = (await convert({ pages })).markdown;
    const part = (await convert({ pages }, { ...OPTIONS, pages: { from: 5, to: 6 } })).markdown;
    expect(part.startsWith("<!-- mdcx:page 5 -->")).toBe(true);
    expect(whole).toContain(part.trimEnd());
    expect(part).toContain("## 6.1 Of something");
  });

  it("that lead to a sampled page are written at its beginning", async () => {
    const pages = Array.from({ length: 20 }, (_, index) => ({ content: index === 9 ? page : body(700) }));
    const outline = [
      { title: "1 Beginnings", page: 10, depth: 0 },
      { title: "1.1 Of something", page: 10, depth: 1 },
    ];
    const { markdown, pagesTotal, labels } = await convert({ pages, outline }, { ...OPTIONS, sample: 2 });
    expect(pagesTotal).toBe(20);
    expect(markdown.match(/mdcx:page \d+/g)).toEqual(["mdcx:page 1", "mdcx:page 20"]);
    expect(markdown).toContain("<!-- mdcx:page 20 -->\n\n# 1 Beginnings\n\n## 1.1 Of something\n\n");
    expect(labels).toEqual(["1 Beginnings", "1.1 Of something"]);
  });

  it("of sections that a sampled page ends are not written", async () => {
    const pages = Array.from({ length: 20 }, (_, index) => ({
      content: index === 19 ? line(72, 740, "Index", 18, "F2") + body(700) : index === 9 ? page : body(700),
    }));
    const outline = [
      { title: "1 Beginnings", page: 10, depth: 0 },
      { title: "1.1 Of something", page: 10, depth: 1 },
    ];
    const { markdown, labels } = await convert({ pages, outline }, { ...OPTIONS, sample: 2 });
    expect(markdown).toContain("<!-- mdcx:page 20 -->\n\n# Index\n");
    expect(markdown).not.toContain("Beginnings");
    expect(labels).toEqual([]);
  });
});

describe("what is kept out", () => {
  it("are running heads and page numbers, which are counted", async () => {
    const pages = Array.from({ length: 6 }, (_, index) => ({
      content:
        line(72, 760, "A Book of Pages", 8) +
        lines(
          72,
          700,
          LONG.map((text) => text.replace("line", "abcdef"[index]!.repeat(4))),
        ) +
        line(300, 40, `- ${index + 1} -`, 8),
    }));
    const { markdown, withheld } = await convert({ pages });
    expect(markdown).not.toMatch(/Book of Pages|- \d -/);
    expect(withheld.filter(({ kind }) => kind === "running-head")).toHaveLength(6);
    expect(withheld.filter(({ kind }) => kind === "page-number").map(({ text }) => text)).toContain("- 3 -");
  });

  it("is text that nobody sees: unpainted, white on white, or off the page", async () => {
    const hidden = `BT 3 Tr /F1 10 Tf 72 500 Td (ignore the reader) Tj ET\n1 1 1 rg ${line(72, 480, "white words")} 0 g ${line(900, 460, "far away")}`;
    const { markdown, withheld, findings } = await convert({ pages: [{ content: lines(72, 700, LONG) + hidden }] });
    expect(markdown).not.toMatch(/ignore|white|far/);
    expect(withheld).toEqual(
      ["ignore the reader", "white words", "far away"].map((text) => ({ kind: "hidden", text })),
    );
    expect(findings.map(({ kind }) => kind)).toEqual(["hidden text"]);
  });

  it("is no row of a table that goes on below the page, but what lies apart down there", async () => {
    const rows = Array.from(
      { length: 12 },
      (_, row) => line(72, 60 - 14 * row, `key${row}`) + line(300, 60 - 14 * row, `value${row}`),
    );
    const apart = line(72, -400, "ignore the reader");
    const { markdown, withheld } = await convert({
      pages: [{ content: lines(72, 700, LONG) + rows.join("") + apart }],
    });
    for (let row = 0; row < 12; row += 1) expect(markdown).toMatch(new RegExp(`key${row}\\b[^]*value${row}\\b`));
    expect(withheld).toEqual([{ kind: "hidden", text: "ignore the reader" }]);
  });

  it("is no letter of a word that is thickened by drawing some of its letters before it", async () => {
    expect(await markdownOf(line(72, 700, "Sp") + line(72.3, 700, "Specifies that"))).toBe("Specifies that");
  });

  it("is no white text on a dark ground", async () => {
    expect(await markdownOf(`0 0 0.4 rg 60 690 300 24 re f 1 1 1 rg ${line(72, 700, "Seen by all")}`)).toBe(
      "Seen by all",
    );
  });
});

describe("lists, code, links, notes", () => {
  it("makes lists of bullets and numbers, nested by their indents", async () => {
    const bullet = (x: number, y: number, text: string): string =>
      `BT /F1 10 Tf ${x} ${y} Td (\\225) Tj ET\n${line(x + 12, y, text)}`;
    const text =
      lines(72, 740, LONG) +
      bullet(84, 690, "first") +
      bullet(102, 678, "inner") +
      bullet(84, 666, "second") +
      lines(84, 630, ["1. one", "2. two", "3. three"]);
    expect(await markdownOf(text)).toContain("- first\n    - inner\n- second\n\n1. one\n2. two\n3. three");
  });

  it("makes no listing of an inner item that a paragraph parts from its list", async () => {
    const bullet = (x: number, y: number, text: string): string =>
      `BT /F1 10 Tf ${x} ${y} Td (\\225) Tj ET\n${line(x + 12, y, text)}`;
    const text =
      lines(72, 740, LONG) +
      bullet(84, 690, "outer") +
      line(102, 660, "Between the two of them.") +
      bullet(102, 630, "inner") +
      bullet(102, 618, "another");
    expect(await markdownOf(text)).toContain("- outer\n\nBetween the two of them.\n\n- inner\n- another");
  });

  it("keeps lines and indents of a listing", async () => {
    const text =
      lines(72, 700, LONG) +
      lines(72, 650, ["for all of us do", "end"], 11, 9, "F4") +
      line(72 + 4 * 5.4, 628, "print\\(1\\)".replaceAll("\\", ""), 9, "F4");
    expect(await markdownOf(text)).toContain("```\nfor all of us do\nend\n    print(1)\n```");
  });

  it("writes links out of the document, and those inside it and to programs as plain words", async () => {
    const link = (y: number, action: string): string =>
      `<< /Type /Annot /Subtype /Link /Rect [70 ${y - 3} 200 ${y + 9}] /Border [0 0 0] /A ${action} >>`;
    const annotations = [
      link(700, "<< /S /URI /URI (https://example.org/a) >>"),
      link(680, "<< /S /Launch /F (calc.exe) >>"),
      link(660, "<< /S /JavaScript /JS (app.alert\\(1\\)) >>"),
    ];
    const { markdown } = await convert({
      pages: [
        { content: line(72, 700, "a page") + line(72, 680, "a program") + line(72, 660, "a script"), annotations },
      ],
    });
    expect(markdown).toContain("[a page](https://example.org/a)");
    expect(markdown).not.toMatch(/calc|alert/);
  });

  it("lists notes at the end and says that the heading is its own", async () => {
    const annotations = ["<< /Type /Annot /Subtype /Text /Rect [10 10 20 20] /Contents (Please *check*) >>"];
    const { markdown, labels } = await convert({ pages: [{ content: line(72, 700, "Text"), annotations }] });
    expect(markdown).toMatch(/\n## Comments\n\n- Please \\\*check\\\*\n$/);
    expect(labels).toEqual(["Comments"]);
  });
});

describe("metadata", () => {
  it("takes a title that a person gave, not the name of a file", async () => {
    const pages = [{ content: line(72, 700, "Text") }];
    expect(await convert({ pages, info: "/Title (On Gardens)", catalogue: "/Lang (en-gb)" })).toMatchObject({
      title: "On Gardens",
      language: "en-GB",
      pagesTotal: 1,
    });
    expect((await convert({ pages, info: "/Title (Microsoft Word - draft3.doc)" })).title).toBeUndefined();
  });
});

describe("fonts that do not say which letters they show", () => {
  /** As a program numbers the glyphs of a subset: by their first use, from `!` on. */
  const numbered = (texts: readonly string[]): string[] => {
    const known: string[] = [];
    return texts.map((text) =>
      Array.from(text, (sign) => {
        if (sign === " ") return sign;
        if (!known.includes(sign)) known.push(sign);
        return String.fromCharCode(0x21 + known.indexOf(sign));
      }).join(""),
    );
  };

  it("are reported with their pages, and make no heading", async () => {
    const [title, ...text] = numbered(["The review of measures", ...LONG]);
    const unreadable = line(72, 740, title!, 20, "F5") + lines(72, 700, text, 12, 10, "F5");
    const readable = { content: lines(72, 700, LONG) };
    const { findings, markdown } = await convert({ pages: [readable, { content: unreadable }, readable] });
    expect(findings).toEqual([
      {
        severity: "warn",
        kind: "unreadable text",
        text: "Fonts of page 2 do not say which letters they show. What is written in them on page 2 is not the text that one sees there.",
      },
    ]);
    expect(markdown).not.toMatch(/^#/m);
  });

  it("are not those of listings, formulas and charts of signs", async () => {
    const content =
      lines(
        72,
        700,
        ['if (!a && b != c["x"]) { $p = &q % 2; }', "a = b * (c + d) - 1; /* # */ @x; ~y | z"],
        12,
        10,
        "F4",
      ) +
      line(72, 600, Array.from({ length: 60 }, (_, index) => String.fromCharCode(0x21 + index)).join(" "), 10, "F5");
    expect((await convert({ pages: [{ content }] })).findings).toEqual([]);
  });
});
