import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { certify } from "../../../src/convert/compare/certify.js";
import { engine } from "../../../src/convert/markdown-file/engine.js";
import { reader } from "../../../src/convert/markdown-file/reader.js";
import { sharedData } from "../../shared-data.js";

const options = { ocr: "off" } as const;
const original = (text: string): { path: string; bytes: Uint8Array } => ({ path: "a.md", bytes: Buffer.from(text) });

describe("a Markdown original", () => {
  it("passes through as it is: front matter, line ends, blanks at line ends, no final line end", async () => {
    const text = "---\ntitle: x\n---\r\n\r\n# A  \r\n\ttext\\\r\n* b\r\n\r\n\r\n<!-- c -->";
    expect((await engine(original(text), options)).markdown).toBe(text);
  });

  it("is read for its words without syntax, its tables, links, notes and images", async () => {
    const read = await reader(
      original(
        "# T\n\nA [b](http://x.org/) *c* `d` ![e](f.png)[^1]\n\n| g | h |\n|---|---|\n| i | j |\n\n<div>k<script>no</script></div>\n\n```\nl\n```\n\n[^1]: Note.\n",
      ),
      options,
    );
    expect(read.units[0]!.text.match(/[\p{L}\p{N}]+/gu)).toEqual([
      "T",
      "A",
      "b",
      "c",
      "d",
      "1",
      "g",
      "h",
      "i",
      "j",
      "k",
      "l",
      "1",
      "Note",
    ]);
    expect(read.tables).toEqual([
      [
        ["g", "h"],
        ["i", "j"],
      ],
    ]);
    expect(read.links).toEqual(["http://x.org/"]);
    expect(read.images).toEqual(["e"]);
  });
});

describe.skipIf(sharedData === undefined)("Markdown files of others (not in the repository)", () => {
  const files = (folder: string): string[] =>
    sharedData === undefined
      ? []
      : readdirSync(join(sharedData, folder)).map((name) => join(sharedData!, folder, name));

  // The hostile ones are megabytes of nothing but delimiters.
  const hostile = process.env.MDCX_LONG === undefined ? [] : files("hostile/md-broken");

  it.each([...files("convert/md"), ...hostile])("lose nothing, in bounded time: %s", async (path) => {
    const each = { path, bytes: readFileSync(path) };
    const start = performance.now();
    const conversion = await engine(each, options);
    const certificate = await certify(conversion, await reader(each, options));
    expect(certificate.words).toMatchObject({ lost: 0, added: 0 });
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(conversion.markdown).toBe(new TextDecoder().decode(each.bytes));
  });
});
