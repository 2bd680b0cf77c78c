import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { certify } from "../../../src/convert/compare/certify.js";
import { engine } from "../../../src/convert/epub/engine.js";
import { MdcxError } from "../../../src/errors.js";
import { sharedData } from "../../shared-data.js";
import { convertBook } from "./build.js";

const SKIPPED = "(shared data; skipped where it is missing)";

describe.skipIf(sharedData === undefined)(`books of other projects' tests ${SKIPPED}`, () => {
  it("lose no word against the independent reader", async () => {
    const folder = join(sharedData!, "convert", "epub");
    for (const name of readdirSync(folder)) {
      // The longest alone take as long as all the others.
      if (
        !name.endsWith(".epub") ||
        (/jlreq|moby|accessible|indexing|policy|debmake|georgia/.test(name) && process.env.MDCX_LONG === undefined)
      )
        continue;
      const { certificate } = await convertBook(readFileSync(join(folder, name)));
      expect({ name, lost: certificate.words.lost, added: certificate.words.added }).toEqual({
        name,
        lost: 0,
        added: 0,
      });
    }
  });

  it("of Debian hold 99.9 % of the words of the same manual as text", async () => {
    const folder = join(sharedData!, "documents", "developers-reference");
    const bytes = readFileSync(join(folder, "developers-reference.epub"));
    const conversion = await engine({ path: "x.epub", bytes }, { ocr: "off" });
    const text = readFileSync(join(folder, "developers-reference.txt"), "utf8");
    const { words, order } = await certify(conversion, { reader: "the text edition", units: [{ text }] });
    expect(words.coverage).toBeGreaterThan(0.9998);
    expect(order).toBeGreaterThan(0.999);
  });
});

describe.skipIf(sharedData === undefined)(`hostile books ${SKIPPED}`, () => {
  const hostile = (folder: string): string[] =>
    readdirSync(join(sharedData!, "hostile", folder))
      .filter((name) => name.endsWith(".epub"))
      .map((name) => `${folder}/${name}`);

  it("get what is owed to them, in time", async () => {
    const must = new Map(
      readFileSync(join(sharedData!, "hostile", "MANIFEST.tsv"), "utf8")
        .split("\n")
        .map((line) => line.split("\t"))
        .map((cells) => [cells[0]!, cells[5]!] as const),
    );
    for (const file of ["epub-broken", "zip-bad", "wrong-type"].flatMap(hostile)) {
      const before = performance.now();
      let refused: string | undefined;
      try {
        const { conversion } = await convertBook(readFileSync(join(sharedData!, "hostile", file)));
        expect(conversion.markdown).not.toMatch(/root:|localhost/);
      } catch (error) {
        if (!(error instanceof MdcxError)) throw error;
        refused = error.message;
        expect(refused).toMatch(/^[A-Z][^\n]{20,300}\.$/);
      }
      if (must.get(file) === "refuse")
        expect({ file, refused: refused !== undefined }).toEqual({ file, refused: true });
      if (must.get(file) === "text") expect({ file, refused }).toEqual({ file, refused: undefined });
      expect(performance.now() - before).toBeLessThan(10_000);
    }
  });
});
