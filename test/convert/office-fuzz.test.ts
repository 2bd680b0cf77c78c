import fc from "fast-check";
import { unzipSync, zipSync } from "fflate";
import { describe, it } from "vitest";
import { MdcxError } from "../../src/errors.js";
import type { Engine, Reader } from "../../src/convert/engine.js";
import { engine as slides } from "../../src/convert/pptx/engine.js";
import { reader as slidesReader } from "../../src/convert/pptx/reader.js";
import { engine as sheets } from "../../src/convert/xlsx/engine.js";
import { reader as sheetsReader } from "../../src/convert/xlsx/reader.js";
import { OPTIONS } from "./office.js";
import { body, madePresentation, text, title } from "./pptx/made-presentation.js";
import { madeWorkbook, rowsOf } from "./xlsx/made-workbook.js";

const RUNS = process.env.MDCX_LONG === undefined ? 150 : 5_000;

const workbook = madeWorkbook({
  strings: ["<t>one</t>", "<r><t>two</t></r>"],
  formats: ["0.00%", "yyyy-mm-dd", '[Red]0;"x"@'],
  sheets: [
    {
      name: "A",
      rows: `${rowsOf([
        ["a", 1],
        ["b", 2],
      ])}<row r="9"><c t="s" s="1"><v>1</v></c><c s="2"><v>45000</v></c><c><f>A1</f></c></row>`,
      after: '<mergeCells><mergeCell ref="A1:B2"/></mergeCells><hyperlinks><hyperlink ref="A1" r:id="l"/></hyperlinks>',
      relationships: [{ id: "l", kind: "hyperlink", target: "https://example.org", external: true }],
    },
  ],
});
const presentation = madePresentation({
  slides: [
    { shapes: title("T") + body(text("one") + text("two", { level: 2 })), notes: text("said") },
    {
      shapes: `<p:grpSp>${body(text("deep"))}</p:grpSp><p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr><a:tc gridSpan="2"><a:txBody>${text("c")}</a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`,
      hidden: true,
    },
  ],
});

/** Cuts a piece out of one part, or puts it there twice, or puts something else there. */
const damage = fc.record({
  part: fc.nat(),
  at: fc.nat(),
  length: fc.nat(60),
  instead: fc.constantFrom(
    "",
    "twice",
    "<",
    "</",
    "&",
    "&#x110000;",
    '"',
    "-1",
    "99999999999",
    "1e309",
    "<![CDATA[",
    "<!--",
    "\u0000",
    "é",
  ),
});

function damaged(
  whole: Uint8Array,
  { part, at, length, instead }: { part: number; at: number; length: number; instead: string },
): Uint8Array {
  const parts = unzipSync(whole);
  const names = Object.keys(parts);
  const name = names[part % names.length]!;
  const old = Buffer.from(parts[name]!);
  const from = at % Math.max(1, old.length);
  const piece = old.subarray(from, from + length);
  const inside = instead === "twice" ? Buffer.concat([piece, piece]) : Buffer.from(instead);
  parts[name] = Buffer.concat([old.subarray(0, from), inside, old.subarray(from + length)]);
  return zipSync(parts);
}

describe.each<[string, Uint8Array, Engine, Reader]>([
  ["workbook", workbook, sheets, sheetsReader],
  ["presentation", presentation, slides, slidesReader],
])("a %s with any part damaged", (_name, whole, engine, reader) => {
  it("is converted and read, or refused in a sentence, and never fails otherwise", async () => {
    await fc.assert(
      fc.asyncProperty(damage, async (what) => {
        const original = { path: "damaged", bytes: damaged(whole, what) };
        for (const work of [engine, reader]) {
          try {
            await work(original, OPTIONS);
          } catch (error) {
            if (!(error instanceof MdcxError) || error.code !== "refused") throw error;
          }
        }
      }),
      { numRuns: RUNS, seed: 20240501 },
    );
  }, 600_000);
});
