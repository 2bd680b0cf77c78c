import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { certify } from "../../../src/convert/compare/certify.js";
import { sharedData } from "../../shared-data.js";
import { convertPage } from "./convert.js";

const SKIPPED = "(shared data; skipped where it is missing)";
/** The largest pages alone take as long as all the others. */
const LARGEST = process.env.MDCX_LONG === undefined ? 120_000 : Infinity;
const pages = (...folder: string[]): string[] => {
  const path = join(sharedData!, ...folder);
  return readdirSync(path)
    .filter((name) => name.endsWith(".html"))
    .map((name) => join(path, name));
};

describe.skipIf(sharedData === undefined)(`pages of other projects' tests ${SKIPPED}`, () => {
  it("lose no word against the independent reader", async () => {
    for (const path of pages("convert", "html")) {
      const bytes = readFileSync(path);
      if (bytes.length > LARGEST) continue;
      const { certificate } = await convertPage(bytes, path);
      expect({ path, lost: certificate.words.lost, added: certificate.words.added }).toEqual({
        path,
        lost: 0,
        added: 0,
      });
      if (certificate.tables !== undefined)
        expect({ path, ...certificate.tables }).toMatchObject({ inPlace: certificate.tables.cells });
    }
  });

  it("hold every word of the article that Readability finds in them", async () => {
    const folder = join(sharedData!, "convert", "expected", "html");
    for (const name of readdirSync(folder)) {
      // Its formulas are words there.
      if (!name.endsWith(".readability.html") || name.includes("mathjax")) continue;
      const article = await convertPage(readFileSync(join(folder, name)));
      const bytes = readFileSync(join(sharedData!, "convert", "html", name.replace(".readability.html", "")));
      if (bytes.length > LARGEST) continue;
      const page = await convertPage(bytes);
      const { words } = await certify(page.conversion, { reader: "Readability", units: article.reference.units });
      expect({ name, lost: words.lost }).toEqual({ name, lost: 0 });
    }
  });
});

describe.skipIf(sharedData === undefined)(`hostile pages ${SKIPPED}`, () => {
  it("are converted in time, 200,000 nested elements included", async () => {
    for (const path of [...pages("hostile", "html-broken"), ...pages("hostile", "wrong-type")]) {
      const before = performance.now();
      const { conversion, certificate } = await convertPage(readFileSync(path), path);
      expect(performance.now() - before).toBeLessThan(10_000);
      expect({ path, lost: certificate.words.lost, added: certificate.words.added }).toEqual({
        path,
        lost: 0,
        added: 0,
      });
      expect(conversion.markdown).not.toMatch(/FROMSCRIPT|NOSCRIPT|TEMPLATE|\]\((?:javascript|data|file):/);
    }
  });
});
