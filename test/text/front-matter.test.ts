import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutPassages } from "../../src/text/passages.js";
import { readFrontMatter } from "../../src/text/front-matter.js";

describe("front matter", () => {
  it("holds strings, numbers, booleans, quoted text, lists and nothing", () => {
    const text = [
      "---",
      "# a comment",
      "title: 'It''s: a title' # said",
      'source: "C:\\\\Files \\u00e9"',
      "date: 2024-05-01",
      "indexed: False",
      "coverage: 99.95",
      "pages_total: 600",
      "version: 1.10",
      "Language: de",
      "tags: [a, 'b, c', \"d\"]",
      "authors:",
      "  - Ada",
      "  - Grace",
      "empty:",
      "folded: >",
      "  runs on",
      "  and on",
      "---",
      "Text",
    ].join("\n");
    const { fields, end } = readFrontMatter(text);
    expect({ ...fields }).toEqual({
      title: "It's: a title",
      source: "C:\\Files é",
      date: "2024-05-01",
      indexed: false,
      coverage: 99.95,
      pages_total: 600,
      version: "1.10",
      language: "de",
      tags: ["a", "b, c", "d"],
      authors: ["Ada", "Grace"],
      empty: null,
      folded: "runs on and on",
    });
    expect(text.slice(end)).toBe("Text");
  });

  it("may follow a byte order mark, have CRLF, and end with three dots", () => {
    const text = "\uFEFF---\r\ntitle: T\r\n...\r\nText";
    expect(text.slice(readFrontMatter(text).end)).toBe("Text");
  });

  it.each([
    ["a rule and a paragraph", "---\n\nThe text begins here.\n\n---\n\nMore.\n"],
    ["a rule without an end", "---\ntitle: T\ntext\n"],
    ["two rules", "---\n---\ntext\n"],
    ["a block past its bounds", `---\n${"a: b\n".repeat(20_000)}---\n`],
    ["a rule of four", "----\ntitle: T\n---\n"],
    ["front matter that is not at the beginning", "\n---\ntitle: T\n---\n"],
  ])("is not %s: no text is lost", (_, text) => {
    expect(readFrontMatter(text)).toMatchObject({ end: 0 });
    expect(cutPassages(text).length).toBeGreaterThan(0);
  });

  it("gives no field a prototype", () => {
    const { fields } = readFrontMatter("---\n__proto__: x\nconstructor: y\n---\n");
    expect(Object.keys(fields)).toEqual(["__proto__", "constructor"]);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it("never throws, and its end is inside the text", () => {
    const line = fc.oneof(fc.constantFrom("---", "a: [", 'b: "\\', "- x", "  y", "c: 'd", "...", ""), fc.string());
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const text = ["---", ...lines].join("\n");
        expect(readFrontMatter(text).end).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 2000, seed: 4 },
    );
  });
});
