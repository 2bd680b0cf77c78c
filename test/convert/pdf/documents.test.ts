import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EngineOptions } from "../../../src/convert/engine.js";
import { chaptersOf, chaptersOfOutline } from "../../../src/convert/pdf/chapters.js";
import { engine } from "../../../src/convert/pdf/engine.js";
import { sharedData } from "../../shared-data.js";
import { line, makePdf } from "./make-pdf.js";

const OPTIONS: EngineOptions = { ocr: "off" };

/** Converts a file of the shared data. */
async function convert(
  path: string,
  options: Partial<EngineOptions> = {},
  password?: string,
): ReturnType<typeof engine> {
  const bytes = new Uint8Array(await readFile(join(sharedData!, path)));
  return await engine({ path, bytes, ...(password !== undefined && { password }) }, { ...OPTIONS, ...options });
}

describe.skipIf(sharedData === undefined)("real documents (shared data)", () => {
  it("a paper in two columns reads down each of them", async () => {
    const { markdown } = await convert("convert/pdf/pdfjs__tracemonkey.pdf", { pages: { from: 1, to: 2 } });
    expect(markdown).toContain("# Trace-based Just-in-Time Type Specialization for Dynamic Languages\n");
    expect(markdown).toContain("\n## 1. Introduction\n");
    expect(markdown).toContain(
      "the de facto standard for client-side web programming and is used for the application logic",
    );
    expect(markdown).toContain("- We explain an algorithm for dynamically forming trace trees to cover a program");
    expect(markdown).toContain("```\n1 for (var i = 2; i < 100; ++i) {\n2   if (!primes[i])\n3     continue;");
  });

  it("Japanese without embedded fonts is read by the character maps of the package", async () => {
    expect((await convert("convert/pdf/pdfjs__noembed-sjis.pdf")).markdown).toContain("あいうえお");
  });

  it("Korean words broken at a line's end are whole, and words that end there are apart", async () => {
    const { markdown } = await convert("convert/pdf/docling__normal_4pages.pdf");
    expect(markdown).toContain("단계에 돌입하였다고 세계보건기구(WHO)가 인정한 코로나-19와");
    expect(markdown).toContain("치명률이 높거나");
  });

  it("vertical Japanese is read by columns from the right", async () => {
    const { markdown } = await convert("convert/pdf/pdfminer__jo.pdf");
    expect(markdown).toMatch(/わたくしといふ現象は\s*假定された有機交流電燈の\s*ひとつの青い照明です/);
  });

  it("Arabic comes out in logical order", async () => {
    const { markdown } = await convert("convert/pdf/docling__right_to_left_01.pdf");
    expect(markdown).toContain("تحسين الإنتاجية وحل المشكلات من خلال البرمجة بلغة R وPython");
  });

  it("a manual has the headings of its bookmarks, and neither heads nor page numbers", async () => {
    const { markdown, withheld } = await convert("documents/debian-policy/fhs/fhs-3.0.pdf", {
      pages: { from: 7, to: 14 },
    });
    expect(markdown.match(/^#+ .+$/gm)).toContain("# Chapter 2. The Filesystem");
    expect(withheld.filter(({ kind }) => kind === "page-number").length).toBeGreaterThan(5);
  });

  it("heads that name the current section are kept out, though each stands on few pages", async () => {
    const { markdown, withheld } = await convert("documents/debmake-doc/debmake-doc.de.pdf", {
      pages: { from: 13, to: 21 },
    });
    expect(markdown).not.toContain("CHAPTER 2. VORAUSSETZUNGEN");
    expect(markdown).toMatch(/^#+ 2\.3 Soziale Dynamik von Debian$/m);
    expect(withheld.map(({ text }) => text)).toContain("CHAPTER 2. VORAUSSETZUNGEN 2.3. SOZIALE DYNAMIK VON DEBIAN");
  });

  it("a part of a manual is word for word what it is in the whole", async () => {
    const path = "documents/developers-reference/developers-reference.pdf";
    const pages = (markdown: string): string[] => markdown.split(/^<!-- mdcx:page /m).slice(2, -1);
    const narrow = await convert(path, { pages: { from: 40, to: 46 } });
    const wide = await convert(path, { pages: { from: 38, to: 50 } });
    const wanted = pages(narrow.markdown);
    expect(wanted.length).toBe(5);
    for (const page of wanted) expect(wide.markdown).toContain(page);
  });

  it("a page in a font that does not say its letters is recognised as a picture", { timeout: 120_000 }, async () => {
    const { markdown, withheld, findings } = await convert("convert/pdf/pdfjs__TAMReview.pdf", {
      pages: { from: 4, to: 4 },
      ocr: ["eng"],
    });
    expect(markdown).toMatch(/^<!-- mdcx:page 4 ocr -->\n\n[^\n]*\p{L}{4}/u);
    expect(markdown.match(/\b(?:the|of|and|to|in)\b/g)!.length).toBeGreaterThan(20);
    expect(withheld.map(({ kind }) => kind)).toEqual(["hidden"]);
    expect(findings.map(({ kind }) => kind)).toEqual(["unreadable text"]);
  });

  it("text in rendering mode 3 is kept out and reported", async () => {
    const { markdown, withheld } = await convert("hostile/pdf-broken/made__invisible-injection.pdf");
    expect(withheld.filter(({ kind }) => kind === "hidden")).not.toHaveLength(0);
    for (const { text } of withheld) expect(markdown).not.toContain(text);
  });

  it("syntax of Markdown in a PDF reads as itself", async () => {
    const { markdown } = await convert("hostile/pdf-broken/made__md-injection.pdf");
    expect(markdown.replace("<!-- mdcx:page 1 -->", "")).not.toMatch(/^#|(?<!\\)<|\n---\n|!\[[^\]]*(?<!\\)\]\(/m);
  });

  it("a page count that lies is not believed", async () => {
    expect((await convert("hostile/pdf-broken/made__count-lie.pdf")).pagesTotal).toBe(1);
  });

  it("a page that paints itself for ever is given up, and said to be", { timeout: 60_000 }, async () => {
    const { findings } = await convert("hostile/pdf-broken/pdfjs__operator_list_cycle.pdf");
    expect(findings.map(({ kind }) => kind)).toEqual(["unreadable page"]);
    expect((await convert("convert/pdf/pdfjs__rotation.pdf")).markdown.length).toBeGreaterThan(100);
  });

  it("a protected file asks for its password, says that a wrong one is wrong, and opens with the right one", async () => {
    const path = "hostile/pdf-encrypted/pdfminer__aes-256.pdf";
    await expect(convert(path)).rejects.toThrow(`${path} is protected by a password: give it with --passwords.`);
    await expect(convert(path, {}, "wrong")).rejects.toThrow(`The password given does not open ${path}.`);
    expect((await convert(path, {}, "foo")).markdown).toContain("Secret!");
  });
});

describe("chapters", () => {
  const entry = (
    title: string,
    page: number | undefined,
    depth = 0,
  ): { title: string; page: number | undefined; depth: number } => ({ title, page, depth });

  it("of a long document cover all of its pages, each once", () => {
    const outline = [
      entry("Cover", 1),
      entry("One", 9),
      entry("Inside", 12, 1),
      entry("Two", 40),
      entry("Lost", undefined),
      entry("Three", 180),
    ];
    const chapters = chaptersOfOutline(outline, 260);
    expect(chapters.map(({ title, pages }) => [title, pages.from, pages.to])).toEqual([
      ["Cover", 1, 39],
      ["Two", 40, 86],
      ["Two", 87, 133],
      ["Two", 134, 179],
      ["Three", 180, 220],
      ["Three", 221, 260],
    ]);
  });

  it("without bookmarks are parts of forty pages at most", () => {
    expect(chaptersOfOutline([], 100).map(({ pages }) => pages)).toEqual([
      { from: 1, to: 34 },
      { from: 35, to: 68 },
      { from: 69, to: 100 },
    ]);
  });

  it("are only made of documents longer than the threshold", async () => {
    const bytes = makePdf({
      pages: Array.from({ length: 3 }, (_, index) => ({ content: line(72, 700, `Page ${index}`) })),
    });
    expect(await chaptersOf({ path: "made.pdf", bytes }, 3)).toBeUndefined();
    expect(await chaptersOf({ path: "made.pdf", bytes }, 2)).toEqual([{ title: "Page 1", pages: { from: 1, to: 3 } }]);
  });
});
