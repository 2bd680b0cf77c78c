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
  .tuple(fc.constantFrom("", "\uFEFF"), fc.array(fc.tuple(line, fc.constantFrom("\n", "\r\n", "\n\n", "\r")), { maxLength: 40 }), line)
  .map(([mark, lines, last]) => mark + lines.map((pair) => pair.join("")).join("") + last)
  // A document comes from UTF-8: no half of a pair stands alone in it.
  .map((text) => decoder.decode(encoder.encode(text)));

describe("passages", () => {
  it("tile any document, keep under the ceiling and stay above the floor where they can", () => {
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
  it("show", () => {
    expect(FLOOR_CHARACTERS + TABLE_TOKENS + cutDocument(paragraph(3)).passages.length).toBeGreaterThan(0);
  });
});
