import { describe, expect, it } from "vitest";
import { BytesSource } from "../../src/format/bytes-source.js";
import { openContainer, readHead, verifyContainer } from "../../src/format/container.js";
import { primitives } from "../../src/node/primitives.js";
import { KEY, SIGNING_KEY, tinyImage, tinyPackage } from "./packages.js";

describe("a package that was just written", () => {
  for (const signingKey of [undefined, SIGNING_KEY]) {
    const kind = signingKey ? "signed" : "unsigned";
    for (const pages of [1, 3, 4, 5, 8, 70]) {
      it(`gives every page back, ${kind}, ${pages} pages`, async () => {
        const bytes = await tinyPackage({ pages, ...(signingKey && { signingKey }) });
        const opened = await openContainer(new BytesSource(bytes), primitives, { secret: KEY });
        expect(Buffer.compare(opened.pages.readPages(0, pages), tinyImage(pages).bytes)).toBe(0);
        expect(opened.pages.chunksDecrypted).toBe(pages);
        const report = await verifyContainer(new BytesSource(bytes), primitives, { secret: KEY });
        expect(report.chunks).toBe(pages + 1);
        expect((await readHead(new BytesSource(bytes), primitives)).signatureState).toBe(
          signingKey ? "signed-by-named-key" : "unsigned",
        );
      });
    }
  }
});
