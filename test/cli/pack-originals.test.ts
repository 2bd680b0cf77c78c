import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { beforeAll, describe, expect, it } from "vitest";
import { done, KEY, mdcx, scratchFolder } from "./mdcx.js";

const folder = await scratchFolder("originals");
const at = (...names: string[]): string => join(folder, ...names);
const withKey = { env: { MDCX_KEY: KEY } };

const W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** A Word document of a heading and a paragraph. */
function docx(heading: string, text: string): Uint8Array {
  const paragraph = (style: string, words: string): string =>
    `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr><w:r><w:t>${words}</w:t></w:r></w:p>`;
  return zipSync({
    "[Content_Types].xml": strToU8(
      `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    ),
    "_rels/.rels": strToU8(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${R}/officeDocument" Target="word/document.xml"/></Relationships>`,
    ),
    "word/document.xml": strToU8(
      `<w:document xmlns:w="${W}"><w:body>${paragraph("Heading1", heading)}${paragraph("Normal", text)}</w:body></w:document>`,
    ),
  });
}

beforeAll(async () => {
  await mkdir(at("in", "letters"), { recursive: true });
  await mkdir(at("run"));
  await writeFile(at("in", "notes.md"), "# Notes\n\nThe second tide is the higher one.\n");
  await writeFile(at("in", "letters", "lease.docx"), docx("Lease", "The lease of the boathouse ends in March."));
  await writeFile(at("in", "rules.html"), "<title>Rules</title><h1>Rules</h1><p>Keep clear of the fairway buoys.</p>");
  await writeFile(at("in", "wide.txt"), Buffer.from("\uFEFFDie Schleuse bleibt im Winter geschlossen.\n", "utf16le"));
  await writeFile(at("in", "cut.docx"), docx("Cut", "short").subarray(0, 200));
  await writeFile(at("in", "photo.png"), Buffer.from("\x89PNG\r\n\x1a\n0000IHDR", "latin1"));
});

describe("mdcx pack of a folder of originals", () => {
  it("converts them on the way, names what it cannot read, and finds what they say", async () => {
    const { stdout } = await done(["pack", at("in"), "--target", at("a.mdcx"), "--json"], withKey);
    const summary = JSON.parse(stdout) as {
      documents: number;
      conversion: Record<string, number>;
      left_out: { document: string; reason: string }[];
    };
    expect(summary.documents).toBe(4);
    expect(summary.conversion).toMatchObject({ documents: 3, ok: 3, words_lost: 0 });
    expect(Object.fromEntries(summary.left_out.map(({ document, reason }) => [document, reason]))).toEqual({
      "@/cut.docx": expect.stringMatching(/not complete/) as string,
      "@/photo.png": expect.stringMatching(/PNG/) as string,
    });
    for (const [question, document] of [
      ["When does the lease of the boathouse end?", "@/letters/lease.docx.md"],
      ["fairway buoys", "@/rules.html.md"],
      ["Wann bleibt die Schleuse geschlossen?", "@/wide.txt.md"],
      ["the higher tide", "@/notes.md"],
    ]) {
      const found = await done(["search", at("a.mdcx"), question!, "--json", "--limit", "1"], withKey);
      const reply = JSON.parse(found.stdout) as { passages: { path: string }[] };
      expect(reply.passages[0]?.path, question).toBe(document);
    }
  });

  it("says in the statement what the conversion came to, without a name or a word of the documents", async () => {
    const { stdout } = await done(["info", at("a.mdcx"), "--json"]);
    expect(stdout).toContain('"conversion"');
    expect(stdout).not.toMatch(/lease|boathouse/i);
  });

  it("gives a document back with its certificate in its front matter", async () => {
    const { stdout } = await done(["document", at("a.mdcx"), "@/letters/lease.docx.md"], withKey);
    expect(stdout).toMatch(
      /^---\n[\s\S]*source: letters\/lease\.docx\n[\s\S]*status: ok\ncoverage: 1\n[\s\S]*---\n\n# Lease\n/,
    );
  });

  it("leaves nothing on the disk but the package", async () => {
    await done(["pack", at("in"), "--target", at("run", "b.mdcx")], {
      env: { MDCX_KEY: KEY, TMPDIR: at("run") },
      cwd: at("run"),
    });
    expect(await readdir(at("run"))).toEqual(["b.mdcx"]);
  });

  it("packs a converted folder without the pages about it", async () => {
    await mdcx(["convert", at("in"), "--output", at("markdown")]);
    const { stdout } = await done(["pack", at("markdown"), "--target", at("c.mdcx"), "--json"], withKey);
    const summary = JSON.parse(stdout) as { documents: number; conversion: { documents: number } };
    expect(summary.documents).toBe(4);
    expect(summary.conversion.documents).toBe(4);
  });
});
