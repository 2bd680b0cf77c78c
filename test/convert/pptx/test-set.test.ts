import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MdcxError } from "../../../src/errors.js";
import { certify } from "../../../src/convert/compare/certify.js";
import { engine } from "../../../src/convert/pptx/engine.js";
import { reader } from "../../../src/convert/pptx/reader.js";
import { expectWhole, OPTIONS } from "../office.js";
import { sharedData } from "../../shared-data.js";

const files = (folder: string): string[] => (sharedData === undefined ? [] : readdirSync(join(sharedData, folder)));
const bytesOf = (...path: string[]): Uint8Array => readFileSync(join(sharedData!, ...path));

/** Its end is missing, and the directory with it. */
const CUT_SHORT = "poi__Divino_Revelado.pptx";

/** Words of a text as anyone would count them, without markers, targets and tags. */
function wordsOf(markdown: string): string[] {
  const text = markdown
    .replace(/<[^>]*>/g, " ")
    .replace(/\]\([^)]*\)/g, "] ")
    .replace(/^\s*\d+\. /gm, "")
    .replaceAll("\\", "");
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}

/** Words that the other projects add: who wrote a comment and when, and merged cells once for each that they cover. */
const NOT_OURS: Readonly<Record<string, RegExp>> = {
  "docling__powerpoint_comments.pptx": /^(?:author|time|j[rs]|\d+|\d+t\d+)$/,
  "docling__powerpoint_sample.pptx": /^(?:class[12]|a|merged|with|b|r[34])$/,
};

describe.skipIf(sharedData === undefined)("presentations of other projects (needs the shared data)", () => {
  const expected = files("convert/expected/pptx").filter((name) => !name.endsWith(".native"));

  it.each(expected)("hold every word that is expected of them: %s", async (name) => {
    const file = name.replace(/\.(?:docling\.md|pandoc-input\.words\.txt)$/, "");
    const { markdown } = await engine({ path: file, bytes: bytesOf("convert/pptx", file) }, OPTIONS);
    const held = new Map<string, number>();
    for (const word of wordsOf(markdown)) held.set(word, (held.get(word) ?? 0) + 1);
    const lost = wordsOf(readFileSync(join(sharedData!, "convert/expected/pptx", name), "utf8")).filter((word) => {
      const left = held.get(word) ?? 0;
      held.set(word, left - 1);
      return left <= 0 && NOT_OURS[file]?.test(word) !== true;
    });
    expect(lost).toEqual([]);
  });

  it.each(files("convert/pptx").filter((name) => name !== CUT_SHORT))(
    "are converted whole, by the word of the reader: %s",
    async (name) => {
      const original = { path: name, bytes: bytesOf("convert/pptx", name) };
      const conversion = await engine(original, OPTIONS);
      const certificate = await certify(conversion, await reader(original, OPTIONS));
      expectWhole(certificate);
      expect(certificate.order ?? 1).toBeGreaterThan(0.98);
    },
  );

  it("that are cut short are refused as incomplete", async () => {
    const original = { path: CUT_SHORT, bytes: bytesOf("convert/pptx", CUT_SHORT) };
    await expect(engine(original, OPTIONS)).rejects.toThrow(/not complete/);
  });

  it.each(files("hostile/pptx-broken"))("that are broken end in a sentence or in text, soon: %s", async (name) => {
    const original = { path: name, bytes: bytesOf("hostile/pptx-broken", name) };
    const begun = performance.now();
    try {
      await engine(original, OPTIONS);
      await reader(original, OPTIONS);
    } catch (error) {
      if (!(error instanceof MdcxError)) throw error;
      expect(error.code).toBe("refused");
      expect(error.message).toMatch(/^[^\n]{20,400}\.$/);
    }
    expect(performance.now() - begun).toBeLessThan(10_000);
  });
});
