import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { zipSync, strToU8 } from "fflate";
import { describe, expect, it } from "vitest";
import { Archive } from "../../src/convert/archive.js";
import { sharedData } from "../shared-data.js";

const parts = { "word/document.xml": strToU8("<w/>"), "[Content_Types].xml": strToU8("<Types/>".repeat(500)) };

describe("an archive", () => {
  it("gives back what was put into it, deflated or stored", () => {
    for (const level of [0, 6] as const) {
      const archive = Archive.open(zipSync(parts, { level }));
      expect(archive.names).toEqual(Object.keys(parts));
      for (const [name, bytes] of Object.entries(parts))
        expect(Buffer.from(archive.read(name))).toEqual(Buffer.from(bytes));
      expect(archive.findings).toEqual([]);
    }
  });

  it("finds a part whatever its case and with a slash before it", () => {
    const archive = Archive.open(zipSync({ "OEBPS/Content.opf": strToU8("x") }));
    expect(archive.find("/oebps/content.OPF")).toBe("OEBPS/Content.opf");
    expect(archive.find("elsewhere")).toBeUndefined();
  });

  it("that lost its end, at whatever length, is refused in a sentence", () => {
    const whole = zipSync(parts);
    for (let length = 0; length < whole.length; length += 7)
      expect(() => Archive.open(whole.subarray(0, length))).toThrow(/not complete|damaged/);
  });

  it("says that a checksum is wrong and still gives the bytes", () => {
    const bytes = zipSync(parts, { level: 0 });
    const at = Buffer.from(bytes).indexOf("<w/>");
    bytes[at + 1] = "v".charCodeAt(0);
    const archive = Archive.open(bytes);
    expect(Buffer.from(archive.read("word/document.xml")).toString()).toBe("<v/>");
    expect(archive.findings[0]?.kind).toBe("wrong checksum");
  });

  it("is never read past what it may inflate to, whatever size it states", () => {
    const bomb = zipSync({ bomb: new Uint8Array(40 * 1024 * 1024) });
    expect(() => Archive.open(bomb).read("bomb")).toThrow(/over 300 times its size/);
    // The same with a size that lies: 10 bytes.
    const entry = Buffer.from(bomb.buffer).lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    new DataView(bomb.buffer).setUint32(entry + 24, 10, true);
    expect(() => Archive.open(bomb).read("bomb")).toThrow(/inflates to 4 MiB or more/);
  });

  it("with any byte changed gives bytes or a refusal, never another error", () => {
    const whole = zipSync(parts);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const bytes = whole.slice();
        bytes[at]! ^= change;
        try {
          const archive = Archive.open(bytes);
          for (const name of archive.names) archive.read(name);
        } catch (error) {
          expect(error).toMatchObject({ code: "refused" });
        }
      }),
      { numRuns: 2000 },
    );
  });

  it.skipIf(sharedData === undefined)(
    "of 70,000 parts is listed, one that holds a bomb in an unused part is read",
    async () => {
      const folder = join(sharedData!, "hostile/zip-bad");
      const many = Archive.open(await readFile(join(folder, "made__70000-entries.docx")));
      expect(many.names.length).toBeGreaterThan(69_999);
      const media = Archive.open(await readFile(join(folder, "made__bomb-512mib-media.docx")));
      expect(media.read("word/document.xml").length).toBeGreaterThan(0);
      const bomb = Archive.open(await readFile(join(folder, "made__bomb-1gib-document.docx")));
      expect(() => bomb.read("word/document.xml")).toThrow(/over 300 times its size/);
    },
  );
});
