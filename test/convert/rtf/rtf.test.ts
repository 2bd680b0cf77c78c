import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import iconv from "iconv-lite";
import { describe, expect, it, vi } from "vitest";
import { engine } from "../../../src/convert/rtf/engine.js";
import { reader } from "../../../src/convert/rtf/reader.js";
import { sharedData } from "../../shared-data.js";
import { certified, expectNothingLost } from "../certified.js";

function convert(rtf: string | Uint8Array): ReturnType<typeof certified> {
  const bytes = typeof rtf === "string" ? Buffer.from(rtf, "latin1") : rtf;
  return certified(engine, reader, { path: "a.rtf", bytes });
}

const HEAD =
  "{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial CYR;}{\\f2\\fcharset128 MS Mincho;}}" +
  "{\\stylesheet{\\s0 Normal;}{\\s1\\outlinelevel0 heading 1;}{\\s5 Title;}}{\\*\\revtbl{Unknown;}{Ann Lee;}}";

describe("a document in RTF", () => {
  it("becomes headings, emphasis, links, notes and tracked changes, and loses nothing", async () => {
    const { markdown, certificate, title } = await convert(
      `${HEAD}{\\info{\\title Report}{\\creatim\\yr2024\\mo5\\dy1}}` +
        "\\pard\\s1 Head \\b one\\b0\\par\\pard\\s0 Some {\\b bold} and {\\i slanted} text{\\super\\chftn{\\footnote\\pard\\plain A {\\i note}.}} with " +
        '{\\field{\\*\\fldinst HYPERLINK "https://example.org/x"}{\\fldrslt a link}}.\\par ' +
        "Kept{\\deleted\\revauthdel1  gone words}{\\revised  added}.{\\v secret}\\par" +
        "{\\pict\\pngblip 89504e47}{\\*\\unknown nothing}\\par}",
    );
    expect(markdown).toBe(`# Head **one**

Some **bold** and *slanted* text[^1] with [a link](https://example.org/x).

Kept added.

[^1]: A *note*.

## Tracked changes

- Deleted by Ann Lee: gone words
`);
    expect(title).toBe("Report");
    expectNothingLost(certificate);
    expect(certificate).toMatchObject({
      links: { reference: 1, lost: 0, added: 0 },
      footnotes: { reference: 1, lost: 0, added: 0 },
    });
  });

  it("reads characters by the code page of their font, and Unicode without what stands in for it", async () => {
    const hex = (text: string, page: string): string =>
      Array.from(iconv.encode(text, page), (byte) => `\\'${byte.toString(16)}`).join("");
    const { markdown, certificate } = await convert(
      `${HEAD}\\pard Gr\\'f6\\'dfe {\\f1 ${hex("Привет мир", "cp1251")}} {\\f2 ${hex("日本語", "cp932")}} ` +
        "\\u8364? {\\uc2\\u955\\'aa\\'bb}x \\u-10179?\\u-8704? \\endash\\~\\ldblquote q\\rdblquote\\par}",
    );
    expect(markdown).toBe("Größe Привет мир 日本語 € λx 😀 –\u00a0“q”\n");
    expectNothingLost(certificate);
  });

  it("keeps tables with merged cells, and lists by what stands before their items", async () => {
    const { markdown, certificate } = await convert(
      `${HEAD}\\trowd\\clmgf\\cellx1000\\clmrg\\cellx2000\\cellx3000\\pard\\intbl wide\\cell\\cell c\\cell\\row` +
        "\\trowd\\cellx1000\\cellx2000\\cellx3000\\pard\\intbl d\\cell e\\cell f\\cell\\row\\pard after\\par" +
        "{\\pntext 1.\\tab}one\\par{\\pntext 2.\\tab}two\\par\\pard{\\listtext\\'b7\\tab}dot\\par\\pard end\\par}",
    );
    expect(markdown).toBe(`<table>
<tr>
<th colspan="2">wide</th>
<th>c</th>
</tr>
<tr>
<td>d</td>
<td>e</td>
<td>f</td>
</tr>
</table>

after

1. one
2. two
- dot

end
`);
    expectNothingLost(certificate);
  });

  it("says nothing on the console about digits that are none, in text and in binary data", async () => {
    const printed = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    await convert(`${HEAD}one \\'zz \\'4g{\\*\\pict\\bin6 \\'\\\\'z} \\\\'zz two\\par}`);
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
  });

  it("is read, or refused, in bounded time where it is broken", async () => {
    const broken = [
      "{\\rtf1",
      "{\\rtf1 a}}}}}} b",
      `{\\rtf1 ${"{".repeat(200_000)}deep`,
      "{\\rtf1 a\\bin2000000000 b}",
      "{\\rtf1 \\'zz\\u99999999999? \\u-1 x\\ud}",
      `{\\rtf1 ${"\\par a".repeat(100_000)}}`,
    ];
    const start = performance.now();
    for (const each of broken)
      await convert(each).catch((error: unknown) => {
        expect(error).toMatchObject({ code: "refused" });
      });
    expect(performance.now() - start).toBeLessThan(15_000);
  });
});

describe.skipIf(sharedData === undefined)("RTF files of others (not in the repository)", () => {
  const folder = join(sharedData ?? "", "convert/other");
  const files = sharedData === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith(".rtf"));

  it.each(files)("lose nothing: %s", async (name) => {
    expectNothingLost((await convert(readFileSync(join(folder, name)))).certificate);
  });
});
