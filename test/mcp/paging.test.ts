import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pagesOf } from "../../mcp/paging.js";
import { replyTokens } from "../../mcp/reply-size.js";

const line = fc.oneof(
  fc.string({ unit: "binary", maxLength: 400 }),
  fc.string({ unit: fc.constantFrom("水", "位", "𠮷", "e", " ", "й"), maxLength: 600 }),
  fc.constant(""),
);
const text = fc.array(line, { maxLength: 60 }).map((lines) => lines.join("\n"));

describe("pages of a text", () => {
  it("joined give the text back, whatever it holds", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 20, max: 300 }), (whole, limit) => {
        expect(pagesOf(whole, limit).join("")).toBe(whole);
      }),
      { seed: 3 },
    );
  });

  it("hold no more than their limit, and never half a character", () => {
    fc.assert(
      fc.property(text, (whole) => {
        for (const page of pagesOf(whole, 100)) {
          expect(Buffer.from(page, "utf8").toString("utf8")).toBe(page);
          expect(replyTokens(page)).toBeLessThanOrEqual(100);
        }
      }),
      { seed: 3 },
    );
  });

  it("end at the end of a line where the lines are shorter than a page", () => {
    const pages = pagesOf("a line of some words\n".repeat(500), 200);
    expect(pages.length).toBeGreaterThan(5);
    for (const page of pages) expect(page.endsWith("\n")).toBe(true);
  });

  it("begin a long paragraph behind its heading: a heading alone is no page", () => {
    const text = `# Rules of the harbour\n\n${"The pier is closed at night. ".repeat(40)}\n`;
    const pages = pagesOf(text, 100);
    expect(pages.join("")).toBe(text);
    expect(pages[0]).toContain("closed at night");
    for (const page of pages.slice(0, -1)) expect(replyTokens(page)).toBeGreaterThan(90);
    for (const page of pages) expect(replyTokens(page)).toBeLessThanOrEqual(100);
  });

  it("are one page, an empty one, for an empty text", () => {
    expect(pagesOf("", 100)).toEqual([""]);
  });
});
