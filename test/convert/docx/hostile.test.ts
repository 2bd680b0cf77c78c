import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { MdcxError } from "../../../src/errors.js";
import { sharedData } from "../../shared-data.js";
import { cell, item, paragraph, row, run, STYLES, wordFile } from "./build.js";
import { convertBytes, type Converted } from "./convert.js";

/** The conversion, or the sentence by which it was refused. */
async function outcome(bytes: Uint8Array): Promise<Converted | string> {
  try {
    return await convertBytes(bytes);
  } catch (error) {
    if (error instanceof MdcxError && error.code === "refused") return error.message;
    throw error;
  }
}

const hostile = sharedData === undefined ? undefined : join(sharedData, "hostile");

describe.skipIf(hostile === undefined)(
  "hostile Word documents of the set (shared data; skipped where it is missing)",
  () => {
    const files = (folder: string): string[] =>
      readdirSync(join(hostile!, folder))
        .filter((name) => name.endsWith(".docx"))
        .map((name) => `${folder}/${name}`);

    it.each([...files("docx-broken"), ...files("zip-bad")])(
      "%s is converted or refused in one sentence, in time",
      async (file) => {
        const before = performance.now();
        const came = await outcome(readFileSync(join(hostile!, file)));
        expect(performance.now() - before).toBeLessThan(10_000);
        if (typeof came === "string") {
          expect(came).toMatch(/^[A-Z][^\n]{20,300}\.$/);
          expect(came).not.toMatch(/root:|\/etc\//);
        } else expect(came.certificate.words.lost).toBe(0);
      },
    );

    const markdown = async (file: string): Promise<string> => {
      const came = await outcome(readFileSync(join(hostile!, "docx-broken", file)));
      if (typeof came === "string") throw new Error(came);
      return came.markdown;
    };

    it("keep no link by script and fetch nothing", async () => {
      expect(await markdown("made__external-rels.docx")).not.toMatch(/javascript/i);
    });

    it("have neither hidden nor deleted text in the body", async () => {
      const text = await markdown("made__hidden-and-deleted.docx");
      expect(text).not.toContain("HIDDENTEXT");
      expect(text.split("## Tracked changes")[0]).not.toContain("DELETEDTEXT");
      expect(text).toContain("inserted");
    });

    it("are read in UTF-16", async () => {
      expect((await markdown("made__utf16-document.docx")).trim()).not.toBe("");
    });
  },
);

describe("damaged Word documents", () => {
  const good = wordFile({
    body: [
      paragraph(run("One ") + run("two", "<w:b/>"), '<w:pStyle w:val="berschrift1"/>'),
      item("three", 1),
      item("four", 1, 1),
      `<w:tbl>${row(cell(paragraph(run("five"))), cell(paragraph(run("six")), '<w:vMerge w:val="restart"/>'))}${row(cell(""), cell("", "<w:vMerge/>"))}</w:tbl>`,
      paragraph(
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r>' + run("seven") + '<w:r><w:footnoteReference w:id="1"/></w:r>',
      ),
    ].join(""),
    footnotes: `<w:footnote w:id="1">${paragraph(run("eight"))}</w:footnote>`,
  });

  it("are converted or refused, whatever element, value or piece of them is another", async () => {
    const parts = unzipSync(good);
    const names = Object.keys(parts);
    const value = fc.constantFrom("-1", "999999999", "", "true", "1e9", "none", "0", "restart");
    const damage = fc.record({
      part: fc.constantFrom(...names),
      kind: fc.constantFrom("rename", "value", "cut", "repeat"),
      at: fc.nat(),
      to: fc.nat(),
      value,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 4 }), async (damages) => {
        const damaged = { ...parts };
        for (const { part, kind, at, to, value: other } of damages) {
          let xml = strFromU8(damaged[part]!);
          const tags = Array.from(xml.matchAll(/<w:(\w+)/g), ([, name]) => name!);
          const [from, into] = [tags[at % tags.length], tags[to % tags.length]];
          if (kind === "cut") xml = xml.slice(0, at % xml.length) + xml.slice((at % xml.length) + (to % 30));
          else if (kind === "value")
            xml = xml.replace(/w:val="[^"]*"/g, (found, index: number) =>
              index % 3 === at % 3 ? `w:val="${other}"` : found,
            );
          else if (from === undefined || into === undefined) continue;
          else if (kind === "rename") xml = xml.replaceAll(new RegExp(`(</?)w:${from}(?=[\\s/>])`, "g"), `$1w:${into}`);
          else xml = xml.replace(new RegExp(`<w:${from}(?:\\s[^>]*)?>[^]*?</w:${from}>`), (found) => found.repeat(3));
          damaged[part] = strToU8(xml);
        }
        await outcome(zipSync(damaged, { level: 0 }));
      }),
      { numRuns: process.env.MDCX_LONG === undefined ? 150 : 3_000, seed: 20_241 },
    );
  });

  it("lose only the part that is damaged, and say so", async () => {
    const parts = unzipSync(good);
    const broken = (name: string): Uint8Array => zipSync({ ...parts, [name]: strToU8("<w:unclosed") });
    for (const name of ["word/styles.xml", "word/numbering.xml", "word/footnotes.xml"]) {
      const came = await outcome(broken(name));
      if (typeof came === "string") throw new Error(came);
      expect(came.markdown).toContain("three");
      expect(came.conversion.findings.map(({ kind }) => kind)).toContain("damaged part");
    }
    expect(await outcome(broken("word/document.xml"))).toMatch(/not well-formed/);
  });

  it("are taken no worse where their styles go round in circles or their lists are not defined", async () => {
    const came = await outcome(
      wordFile({
        body: paragraph(run("a"), '<w:pStyle w:val="x"/>') + item("b", 77) + item("c", 1, 8),
        styles: `${STYLES}<w:style w:type="paragraph" w:styleId="x"><w:name w:val="X"/><w:basedOn w:val="y"/></w:style><w:style w:type="paragraph" w:styleId="y"><w:name w:val="Y"/><w:basedOn w:val="x"/></w:style>`,
      }),
    );
    if (typeof came === "string") throw new Error(came);
    expect(came.markdown).toBe("a\n\nb\n\nc\n");
  });

  it("are refused with a way out where the main part is something else", async () => {
    const parts = unzipSync(good);
    const came = await outcome(zipSync({ ...parts, "word/document.xml": strToU8("<theme/>") }));
    expect(came).toMatch(/is no Word document: open it in the program that made it and save it as DOCX\.$/);
  });
});
