import { describe, expect, it } from "vitest";
import { BytesSource } from "../../src/format/bytes-source.js";
import { readHead, verifyContainer } from "../../src/format/container.js";
import { primitives } from "../../src/node/primitives.js";
import { SIGNING_KEY, KEY, tinyPackage } from "../format/packages.js";
import { openAndReadAll, outcome, type Outcome } from "../format/refusals/outcome.js";

/** A machine that does other things as well may take a multiple of the three minutes. */
const timeout = 3_600_000;

/**
 * Every byte of a package flipped, and the package cut at every length: run by `npm run test:exhaustive`, which takes
 * minutes. The package is the smallest there is, of one page. Signed and unsigned are files of their own, so that they
 * run side by side.
 */
export function testEveryPosition(signed: boolean): void {
  const name = signed ? "signed" : "unsigned";

  describe.skipIf(process.env.MDCX_EXHAUSTIVE === undefined)("every position (npm run test:exhaustive)", () => {
    it(`of the ${name} package: a flipped byte is refused by opening and by verify`, { timeout }, async () => {
      const bytes = await tinyPackage({ pages: 1, ...(signed && { signingKey: SIGNING_KEY }) });
      const { sealedStart } = await readHead(new BytesSource(bytes), primitives);
      const names = new Map<string, number>();
      const changed = bytes.slice();
      for (let at = 0; at < bytes.length; at++) {
        // Another bit at each position, so that all eight of them get their turn.
        changed[at] = bytes[at]! ^ (1 << (at % 8));
        const { k, v } = await bothReaders(changed);
        expect([k, v], `byte ${at}`).not.toContain("accepted");
        names.set(`${k} by opening, ${v} by verify`, (names.get(`${k} by opening, ${v} by verify`) ?? 0) + 1);
        changed[at] = bytes[at]!;
      }
      report(`${name}, flipped: ${bytes.length} bytes (${sealedStart} of head and table), none accepted`, names);
    });

    it(`of the ${name} package: a cut is refused by opening and by verify`, { timeout }, async () => {
      const bytes = await tinyPackage({ pages: 1, ...(signed && { signingKey: SIGNING_KEY }) });
      const names = new Map<string, number>();
      for (let length = 0; length < bytes.length; length++) {
        const { k, v } = await bothReaders(bytes.subarray(0, length));
        expect([k, v], `cut to ${length}`).not.toContain("accepted");
        names.set(`${k} by opening, ${v} by verify`, (names.get(`${k} by opening, ${v} by verify`) ?? 0) + 1);
      }
      report(`${name}, cut: ${bytes.length} lengths, none accepted`, names);
    });
  });
}

async function bothReaders(bytes: Uint8Array): Promise<{ readonly k: Outcome; readonly v: Outcome }> {
  return {
    k: await outcome(() => openAndReadAll(bytes, { secret: KEY })),
    v: await outcome(() => verifyContainer(new BytesSource(bytes), primitives)),
  };
}

function report(title: string, names: ReadonlyMap<string, number>): void {
  const lines = [...names].sort((a, b) => b[1] - a[1]).map(([name, count]) => `  ${count} × ${name}`);
  console.log([title, ...lines].join("\n"));
}
