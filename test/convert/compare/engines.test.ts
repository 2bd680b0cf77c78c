import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { certify } from "../../../src/convert/compare/certify.js";
import type { Conversion, Engine, Original, Reader, Reference } from "../../../src/convert/engine.js";
import { FORMATS } from "../../../src/convert/formats.js";
import { sharedData } from "../../shared-data.js";

const page = `<!doctype html><html lang="en"><head><title>Lease</title><style>p { color: red }</style></head><body>
<h1>Lease of rooms</h1>
<p>The lessee pays <b>1,250.50</b> euros on the first day of each month.</p>
<p>Both parties keep a signed copy; the notary keeps the third.</p>
<table><tr><th>Item</th><th>Price</th></tr><tr><td>Desk</td><td>120</td></tr><tr><td>Lamp</td><td>35</td></tr></table>
<p>Disputes go to the court at the seat of the lessor.</p>
<script>document.write("never seen")</script></body></html>`;

async function parts(format: "html" | "docx", original: Original): Promise<[Conversion, Reference]> {
  const found = FORMATS[format] as { engine: () => Promise<Engine>; reader: () => Promise<Reader> };
  const options = { ocr: "off" } as const;
  return [await (await found.engine())(original, options), await (await found.reader())(original, options)];
}

describe("damage to what a real engine wrote", () => {
  const html = { path: "lease.html", bytes: new TextEncoder().encode(page) };
  const damaged = async (change: (markdown: string) => string): ReturnType<typeof certify> => {
    const [conversion, reference] = await parts("html", html);
    const markdown = change(conversion.markdown);
    if (change("x") === "x") expect(markdown).not.toBe(conversion.markdown);
    return certify({ ...conversion, markdown }, reference);
  };

  it("an HTML page is compared with what it shows, not with its markup", async () => {
    const [conversion, reference] = await parts("html", html);
    expect(await certify(conversion, reference)).toMatchObject({
      status: "ok",
      words: { reference: 43, lost: 0, added: 0, coverage: 1 },
      order: 1,
      tables: { cells: 6, inPlace: 6, lost: 0, added: 0 },
    });
  });

  it("a paragraph less is that many words less", async () => {
    const { words, numbers } = await damaged((text) => text.replace(/^Both parties.*\n\n/m, ""));
    expect(words).toMatchObject({ lost: 11, added: 0 });
    expect(numbers).toMatchObject({ lost: 0, added: 0 });
  });

  it("a digit is one number lost and one added", async () => {
    const { words, numbers } = await damaged((text) => text.replace("1,250.50", "1,250.60"));
    expect(words).toMatchObject({ lost: 1, added: 1 });
    expect(numbers).toEqual({ reference: 3, lost: 1, added: 1 });
  });

  it("two cells that change places are two out of place", async () => {
    const { words, tables } = await damaged((text) => text.replace("120", "§").replace("35", "120").replace("§", "35"));
    expect(words).toMatchObject({ lost: 0, added: 0 });
    expect(tables).toEqual({ cells: 6, inPlace: 4, lost: 0, added: 0 });
  });

  it("a page twice is all of its words added", async () => {
    const { words } = await damaged((text) => `${text}\n${text}`);
    expect(words).toMatchObject({ lost: 0, added: words.reference });
  });

  it("nothing is coverage 0", async () => {
    expect((await damaged(() => "")).words.coverage).toBe(0);
  });

  it.skipIf(sharedData === undefined)("every tenth line of a Word document less is every word of them", async () => {
    const path = "convert/docx/markitdown__mk_test.docx";
    const original = { path, bytes: new Uint8Array(readFileSync(join(sharedData!, path))) };
    const [conversion, reference] = await parts("docx", original);
    const whole = await certify(conversion, reference);
    expect(whole.words).toMatchObject({ lost: 0, added: 0 });
    const lines = conversion.markdown.split("\n\n");
    const kept = lines.filter((_line, at) => at % 10 !== 5);
    const dropped = await certify({ ...conversion, markdown: kept.join("\n\n") }, reference);
    const alone = await certify(
      { ...conversion, markdown: lines.filter((_line, at) => at % 10 === 5).join("\n\n") },
      reference,
    );
    expect(dropped.words.lost).toBe(reference.units.length === 0 ? 0 : whole.words.reference - alone.words.lost);
    expect(dropped.words.lost).toBeGreaterThan(50);
  });
});

describe("Markdown made to be slow", () => {
  const patterns = [
    "$$a\n",
    "$a ",
    "[",
    "![",
    "[^a",
    "*a_ ",
    "`a",
    "<a ",
    "|a|b\n|-|-\n",
    "a\n-\n",
    "> ",
    "- ",
    "<td>",
  ];

  it.each(patterns)(
    "is read in bounded time: %j",
    async (pattern) => {
      const markdown = pattern.repeat(50_000 / pattern.length);
      const started = performance.now();
      await certify(
        { engine: "e", markdown, withheld: [], labels: [], findings: [] },
        { reader: "r", units: [{ text: "x" }] },
      );
      // Quadratic, it was minutes for `$$`.
      expect(performance.now() - started).toBeLessThan(10_000);
    },
    20_000,
  );

  it("is read in bounded time: a table of 10,000 columns, rows of which are merged", async () => {
    const row = (from: number, length: number): string[] =>
      Array.from({ length }, (_, i) => String((from + i * 7) % 5));
    const rows = Array.from({ length: 6 }, (_, i) => row(i, i % 2 === 0 ? 10_000 : 9_990));
    const markdown = `<table>${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("\n")}</table>`;
    const started = performance.now();
    const { tables } = await certify(
      { engine: "e", markdown, withheld: [], labels: [], findings: [] },
      { reader: "r", units: [{ text: rows.flat().join(" ") }], tables: [rows] },
    );
    expect(tables).toMatchObject({ cells: 59_970, inPlace: 59_970, lost: 0, added: 0 });
    expect(performance.now() - started).toBeLessThan(10_000);
  }, 20_000);
});
