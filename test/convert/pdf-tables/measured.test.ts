import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compareTables } from "../../../src/convert/compare/tables.js";
import { contentsOf } from "../../../src/convert/pdf/contents.js";
import { PdfDocument } from "../../../src/convert/pdf/document.js";
import { blankBetween } from "../../../src/convert/pdf/lines.js";
import type { FoundTable, TextItem } from "../../../src/convert/pdf/page.js";
import { findTables } from "../../../src/convert/pdf/tables.js";
import { sharedData } from "../../shared-data.js";

/** PDFs with tables whose right Markdown the projects that they come from keep. */
const EXPECTED = [
  "markitdown__REPAIR-2022-INV-001_multipage.pdf.markitdown.md",
  "markitdown__SPARSE-2024-INV-1234_borderless_table.pdf.markitdown.md",
  "markitdown__movie-theater-booking-2024.pdf.markitdown.md",
  "docling__2305.03393v1-pg9.pdf.docling.md",
  "docling__table_mislabeled_as_picture.pdf.docling.md",
  "docling__redp5110_sampled.pdf.docling.md",
  "docling__normal_4pages.pdf.docling.md",
];

const folder = sharedData === undefined ? undefined : join(sharedData, "convert");

describe.skipIf(folder === undefined || !existsSync(folder))(
  "the tables of real documents (skipped where the shared data is not there)",
  () => {
    it("have at least 85 of 100 cells in place", { timeout: 120_000 }, async () => {
      let cells = 0;
      let inPlace = 0;
      for (const name of EXPECTED) {
        const markdown = readFileSync(join(folder!, "expected/pdf", name), "utf8");
        const tally = compareTables(pipeTables(markdown), await tablesIn(name.replace(/\.\w+\.md$/, "")));
        cells += tally.cells;
        inPlace += tally.inPlace;
      }
      expect(cells).toBeGreaterThan(450);
      expect(inPlace / cells).toBeGreaterThanOrEqual(0.85);
    });

    it.each([
      ["pypdf__crazyones-pdfa.pdf"],
      ["markitdown__test.pdf"],
      ["markitdown__masterformat_partial_numbering.pdf"],
      ["docling__amt_handbook_sample.pdf"],
      ["docling__code_and_formula.pdf"],
      ["pypdf__mistitled_outlines_example.pdf"],
    ])("are none in %s, which has none", async (name) => {
      expect(await tablesIn(name)).toEqual([]);
    });
  },
);

async function tablesIn(name: string): Promise<string[][][]> {
  const bytes = new Uint8Array(readFileSync(join(folder!, "pdf", name)));
  const document = await PdfDocument.open({ path: name, bytes });
  try {
    const tables: string[][][] = [];
    for (let number = 1; number <= document.pageCount; number += 1) {
      const page = await document.read(number);
      if (typeof page !== "string") tables.push(...findTables(contentsOf(page).contents).map(gridOf));
    }
    return tables;
  } finally {
    await document.close();
  }
}

function gridOf({ rows }: FoundTable): string[][] {
  return rows.map(({ cells }) => cells.map(({ items }) => textOf(items)));
}

function textOf(items: readonly TextItem[]): string {
  return items.reduce((text, item, index) => {
    const before = items[index - 1];
    const parted =
      before !== undefined &&
      (Math.abs(item.baseline - before.baseline) > 0.45 * item.fontSize || blankBetween(before, item));
    return `${text}${parted ? " " : ""}${item.text}`;
  }, "");
}

/** The pipe tables of a Markdown text with more than one row; contents, which some take for a table, left out. */
function pipeTables(markdown: string): string[][][] {
  const tables: string[][][] = [];
  let open: string[][] | undefined;
  for (const line of markdown.split("\n")) {
    if (!line.startsWith("|")) open = undefined;
    else if (!/^\|[\s\-|:]+\|$/.test(line)) {
      const cells = line
        .trim()
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim());
      if (open === undefined) tables.push((open = [cells]));
      else open.push(cells);
    }
  }
  return tables.filter((table) => table.length > 1 && !table.some((row) => /(?:\. ){4}/.test(row[0]!)));
}
