import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { indexableText } from "../../src/text/markers.js";
import {
  CEILING_TOKENS,
  cutDocument,
  cutPassages,
  FLOOR_CHARACTERS,
  TABLE_TOKENS,
  type PassageCut,
} from "../../src/text/passages.js";
import { estimateTokens } from "../../src/text/tokens.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of every passage of `markdown`; fails where they do not tile it. */
function textsOf(markdown: string, passages: readonly PassageCut[] = cutPassages(markdown)): string[] {
  const bytes = encoder.encode(markdown);
  let at = 0;
  const texts = passages.map(({ start, end }) => {
    expect(start).toBe(at);
    expect(end).toBeGreaterThan(start);
    at = end;
    return decoder.decode(bytes.subarray(start, end));
  });
  expect(at).toBe(bytes.length);
  return texts;
}

const sentence = "The harbour master signs the ledger before the tide turns. ";
const paragraph = (sentences: number): string => `${sentence.repeat(sentences).trim()}\n\n`;

const line = fc.oneof(
  fc.constantFrom(
    "",
    "# One",
    "## Two",
    "###### Six",
    "Title",
    "=====",
    "-----",
    "---",
    "***",
    "```",
    "~~~ sh",
    "````",
    "| a | b |",
    "|---|---|",
    "| 1 | 2 |",
    "- item",
    "  more",
    "    code",
    "\tcode",
    "1. one",
    "> quote",
    "title: x",
    "<!-- mdcx:page 3 -->",
    '<!-- mdcx:sheet "Sums" A1:B2 -->',
    "<!-- note -->",
    sentence,
    sentence.repeat(30),
    "長い文です。".repeat(80),
    "x".repeat(3000),
    "e\u0301\u0302".repeat(200),
    "😀".repeat(300),
    "|".repeat(700),
  ),
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.string({ unit: "binary", maxLength: 20 }),
);
const markdown = fc
  .tuple(
    fc.constantFrom("", "\uFEFF"),
    fc.array(fc.tuple(line, fc.constantFrom("\n", "\r\n", "\n\n", "\r")), { maxLength: 40 }),
    line,
  )
  .map(([mark, lines, last]) => mark + lines.map((pair) => pair.join("")).join("") + last)
  // A document comes from UTF-8: no half of a pair stands alone in it.
  .map((text) => decoder.decode(encoder.encode(text)));

describe("passages", () => {
  it("tile any document and keep under the ceiling", () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const passages = cutPassages(text);
        const texts = textsOf(text, passages);
        for (const [i, passage] of texts.entries()) {
          const tokens = estimateTokens(indexableText(passage, { atStart: i === 0 }));
          expect(tokens).toBeLessThanOrEqual(passages[i]!.tokens + 1);
          expect(passages[i]!.tokens).toBeLessThanOrEqual(CEILING_TOKENS);
        }
      }),
      { numRuns: 1500, seed: 3 },
    );
  });

  it("of an empty document are none, of blanks or front matter alone one", () => {
    expect(cutPassages("")).toEqual([]);
    expect(textsOf("\n\n")).toEqual(["\n\n"]);
    expect(textsOf("---\ntitle: Only\n---\n")).toEqual(["---\ntitle: Only\n---\n"]);
  });

  it("give CRLF, a byte order mark and a missing last line end back exactly", () => {
    const text = `\uFEFF# Title\r\n\r\n${sentence.repeat(40)}\r\nend`;
    expect(textsOf(text).join("")).toBe(text);
  });

  it("keep a heading with what follows, and carry the headings over them", () => {
    const text = `# Harbour\n\n${paragraph(12)}## Tides\n\n${paragraph(12)}### Night\n\n${paragraph(12)}## Ledger\n\n${paragraph(12)}`;
    const passages = cutPassages(text);
    expect(passages.map(({ heading }) => heading)).toEqual([
      ["Harbour"],
      ["Harbour", "Tides"],
      ["Harbour", "Tides", "Night"],
      ["Harbour", "Ledger"],
    ]);
    for (const passage of textsOf(text, passages)) {
      expect(passage).toMatch(/^#/);
      expect(passage.trim()).toMatch(/turns\.$/);
    }
  });

  it("join sections under the floor, under the headings that they share", () => {
    const passages = cutPassages("# Top\n\n## A\n\nOne line.\n\n## B\n\nAnother line.\n");
    expect(passages).toHaveLength(1);
    expect(passages[0]!.heading).toEqual(["Top"]);
  });

  it("know setext headings, and a rule under several lines is no heading", () => {
    const { title, passages } = cutDocument(
      `Harbour\n=======\n\n${paragraph(10)}Line one\nline two\n---\n\n${paragraph(10)}`,
    );
    expect(title).toBe("Harbour");
    expect(new Set(passages.flatMap(({ heading }) => heading))).toEqual(new Set(["Harbour"]));
  });

  it("take a # inside a code fence for code, and cut long code at line ends", () => {
    const text = `# Scripts\n\n\`\`\`sh\n# not a heading\n${'echo "good morning" && sleep 1\n'.repeat(200)}\`\`\`\n`;
    const passages = cutPassages(text);
    expect(passages.length).toBeGreaterThan(4);
    for (const [i, passage] of textsOf(text, passages).entries()) {
      expect(passages[i]!.heading).toEqual(["Scripts"]);
      expect(passages[i]!.kind).toBe("code");
      expect(passage.endsWith("\n")).toBe(true);
    }
  });

  it("cut a paragraph past the ceiling at ends of sentences", () => {
    const texts = textsOf(sentence.repeat(300));
    expect(texts.length).toBeGreaterThan(10);
    for (const passage of texts) expect(passage).toMatch(/^The harbour.*turns\. $/s);
  });

  it("cut one endless word between its characters", () => {
    for (const passage of textsOf("e\u0301".repeat(5000))) expect(passage.startsWith("e")).toBe(true);
    for (const passage of textsOf("👍🏽".repeat(3000))) expect(passage).not.toContain("\uFFFD");
  });

  it("of a table are tiles of rows, the later ones with caption and header as a byte range", () => {
    const row = (i: number): string => `| Pier ${i} | 1.234,5${i} Euro | paid in März |\n`;
    const header = "Table 1: dues of the year\n\n| Pier | Dues | State |\n| --- | ---: | --- |\n";
    const text = `## Dues\n\n${header}${Array.from({ length: 60 }, (_, i) => row(i)).join("")}\n${paragraph(8)}`;
    const passages = cutPassages(text);
    const texts = textsOf(text, passages);
    const tables = passages.filter(({ kind }) => kind === "table");
    expect(tables.length).toBeGreaterThan(5);
    expect(texts[0]).toContain(header);
    expect(tables[0]!.header).toBeUndefined();
    for (const table of tables.slice(1)) {
      expect(decoder.decode(encoder.encode(text).subarray(table.header!.start, table.header!.end))).toBe(header);
      expect(table.tokens).toBeLessThan(TABLE_TOKENS * 1.6);
      expect(table.heading).toEqual(["Dues"]);
    }
    expect(passages.at(-1)!.kind).toBe("text");
  });

  it("have the place that the marker above them states", () => {
    const text = `<!-- mdcx:page 11 -->\n${paragraph(10)}<!-- mdcx:page 12 -->\n${paragraph(10)}<!-- mdcx:sheet "My sheet" A1:D20 -->\n${paragraph(10)}<!-- mdcx:chapter "One \\"two\\"" -->\n${paragraph(10)}<!-- mdcx:slide 3 -->\n${paragraph(10)}`;
    expect(cutPassages(text).map(({ place }) => place)).toEqual([
      { kind: "page", value: "11" },
      { kind: "page", value: "12" },
      { kind: "sheet", value: "'My sheet'!A1:D20" },
      { kind: "chapter", value: 'One "two"' },
      { kind: "slide", value: "3" },
    ]);
  });

  it("stay at or above the floor, in a book of short and long sections", () => {
    const text = Array.from({ length: 200 }, (_, i) => `## Section ${i}\n\n${paragraph(1 + ((i * 7) % 23))}`).join("");
    for (const passage of textsOf(text)) expect(passage.trim().length).toBeGreaterThanOrEqual(FLOOR_CHARACTERS);
  });

  it("do not take the indented text of a plain manual for code", () => {
    const text = `Manual\n\n${`    ${sentence}\n    ${sentence}\n\n`.repeat(40)}`;
    for (const { kind } of cutPassages(text)) expect(kind).toBe("text");
    expect(cutPassages(`${`${sentence}\n`.repeat(50)}\n${"    let x = f(y);\n".repeat(40)}`).at(-1)!.kind).toBe("code");
  });

  it("take time in proportion to hostile text", () => {
    const size = process.env.MDCX_LONG === undefined ? 200_000 : 10_000_000;
    const cost = (text: string): number => {
      const before = process.cpuUsage();
      cutPassages(text);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    for (const part of [
      ">",
      "|",
      "|\n",
      "a",
      "# a\n",
      "- a\n",
      "```\n",
      "a\r",
      "a\n-\n",
      "a|b\n-|-\n",
      "[",
      "<!-- mdcx:",
      "* ",
      "\u0301",
    ]) {
      const text = part.repeat(size / part.length);
      cost(text.slice(0, size / 4));
      // Four times the text costs four times as much; a square would cost sixteen.
      const small = cost(text.slice(0, size / 4));
      expect(cost(text), JSON.stringify(part)).toBeLessThan(9 * small + 100_000);
    }
  });
});

describe("what is indexed", () => {
  it("leaves out markers and front matter and nothing else", () => {
    const text =
      "---\ntitle: T\n---\n<!-- mdcx:page 1 -->\r\nSee https://example.org <!-- note -->\n<!-- mdcx:page x -->\n";
    expect(indexableText(text, { atStart: true })).toBe(
      "See https://example.org <!-- note -->\n<!-- mdcx:page x -->\n",
    );
    expect(indexableText(text)).toContain("title: T");
  });
});
