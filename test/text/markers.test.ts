import { describe, expect, it } from "vitest";
import { cutDocument } from "../../src/text/passages.js";

const long = (word: string): string => `${`${word} and more words of the same kind, `.repeat(12)}until it ends.`;

describe("a marker that says ocr", () => {
  it("makes the passages below it ocr, until the next marker", () => {
    const markdown = ["<!-- mdcx:page 1 ocr -->", long("scanned"), "<!-- mdcx:page 2 -->", long("typed")].join("\n\n");
    const { passages } = cutDocument(markdown);
    expect(passages.map(({ kind, place }) => [kind, place?.value])).toEqual([
      ["ocr", "1"],
      ["text", "2"],
    ]);
    expect(passages[0]!.place).toEqual({ kind: "page", value: "1" });
  });
});

describe("a marker behind front matter and a blank line", () => {
  it("is the place of a document's only passage, and its heading stands over it", () => {
    const { passages } = cutDocument("---\ntitle: x\n---\n\n<!-- mdcx:page 1 -->\n\n# Name\n\nA few words.\n");
    expect(passages).toMatchObject([{ start: 0, heading: ["Name"], place: { kind: "page", value: "1" } }]);
  });
});
