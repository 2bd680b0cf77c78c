import fc from "fast-check";
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { chunkNonce } from "../../src/format/chunked.js";
import { H, X } from "../../src/format/derive.js";
import { leafDigest, rootOf } from "../../src/format/leaves.js";
import { PAGE } from "../../src/format/pages.js";
import type { Primitives } from "../../src/format/primitives.js";
import {
  CHUNK,
  CHUNKS_PER_LEAF,
  chunkCount,
  ImageOpener,
  ImageSealer,
  isImageLength,
  leafCount,
  leafRange,
  sealedLength,
  SEALED_PREFIX,
} from "../../src/format/seal.js";
import { bytes, hex, implementations } from "./vectors.js";

const key = Uint8Array.from({ length: 32 }, (_, i) => i);
const claims = Uint8Array.from({ length: 32 }, (_, i) => 255 - i);
const salt = new Uint8Array(24).fill(7);
const page = (number: number) => new Uint8Array(PAGE).fill(number + 1);
const refused = expect.objectContaining({ code: "internal" }) as Error;

describe("the geometry of the sealed image", () => {
  it.each([
    [1, 2, 56 + 16_384 + 32, 1],
    [3, 4, 56 + 3 * 16_384 + 64, 1],
    [4, 5, 56 + 4 * 16_384 + 80, 2],
    [8, 9, 56 + 8 * 16_384 + 144, 3],
    [2 ** 22, 2 ** 22 + 1, 56 + 2 ** 36 + 16 * (2 ** 22 + 1), 2 ** 20 + 1],
  ])("of %i pages: %i chunks, %i bytes, %i leaves", (pages, chunks, length, leaves) => {
    expect(chunkCount(pages * PAGE)).toBe(chunks);
    expect(sealedLength(pages * PAGE)).toBe(length);
    expect(leafCount(pages * PAGE)).toBe(leaves);
  });

  it("has 33,554,464 bytes of leaf table at 64 GiB and 524,320 at 1 GiB", () => {
    expect(32 * leafCount(2 ** 36)).toBe(33_554_464);
    expect(32 * leafCount(2 ** 30)).toBe(524_320);
  });

  it("tiles the sealed image with its leaves", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), (pages) => {
        const length = pages * PAGE;
        let end = 0;
        for (let i = 0; i < leafCount(length); i++) {
          const range = leafRange(i, length);
          expect(range.start).toBe(end);
          expect(range.end).toBeGreaterThan(range.start);
          end = range.end;
        }
        expect(end).toBe(sealedLength(length));
      }),
      { seed: 1 },
    );
  });

  it("ends with a leaf of 16 bytes where the pages are a multiple of four", () => {
    const { start, end } = leafRange(1, 4 * PAGE);
    expect(end - start).toBe(16);
    expect(leafRange(0, 4 * PAGE)).toEqual({ start: 0, end: SEALED_PREFIX + CHUNKS_PER_LEAF * CHUNK });
  });

  it("knows which lengths an image may have", () => {
    for (const length of [PAGE, 2 * PAGE, 2 ** 36]) expect(isImageLength(length)).toBe(true);
    for (const length of [0, -PAGE, 16_383, 16_385, 2 ** 36 + PAGE, 2 ** 53, Number.NaN, 2 ** 64, 1.5]) {
      expect(isImageLength(length)).toBe(false);
    }
  });
});

describe.each(implementations)("an image sealed by the $name primitives", (p) => {
  const sealer = () => new ImageSealer(p, key, claims, salt);

  it("opens again page by page, in any order", () => {
    const seal = sealer();
    const sealed = [0, 1, 2].map((number) => seal.sealPage(number, page(number)));
    const last = seal.finish();
    expect(last).toHaveLength(16);
    const opener = new ImageOpener(p, key, claims, seal.prefix);
    for (const number of [2, 0, 1]) expect(opener.openChunk(number, sealed[number]!)).toEqual(page(number));
    expect(opener.openChunk(3, last)).toHaveLength(0);
    expect(() => opener.openChunk(2, last)).toThrow(expect.objectContaining({ code: "chunk-damaged" }));
  });

  it("has a salt of its own each time", () => {
    const [a, b] = [new ImageSealer(p, key, claims), new ImageSealer(p, key, claims)];
    expect(a.prefix).toHaveLength(56);
    expect(a.prefix.subarray(0, 24)).not.toEqual(b.prefix.subarray(0, 24));
    expect(a.prefix.subarray(24)).not.toEqual(b.prefix.subarray(24));
    expect(a.sealPage(0, page(0))).not.toEqual(b.sealPage(0, page(0)));
  });

  it("is refused with other claims, another key, or a prefix that is short", () => {
    const { prefix } = sealer();
    const code = (name: string) => expect.objectContaining({ code: name }) as Error;
    expect(() => new ImageOpener(p, key, new Uint8Array(32), prefix)).toThrow(code("bad-commitment"));
    expect(() => new ImageOpener(p, claims, claims, prefix)).toThrow(code("bad-commitment"));
    expect(() => new ImageOpener(p, key, claims, prefix.subarray(1))).toThrow(code("bad-length"));
  });

  /** After a refusal nothing is sealed any more, not even what would have been right. */
  const isOver = (seal: ImageSealer, next: number) => {
    expect(() => seal.sealPage(next, page(next))).toThrow(refused);
    expect(() => seal.finish()).toThrow(refused);
  };

  it("never seals the same chunk number twice", () => {
    const seal = sealer();
    seal.sealPage(0, page(0));
    expect(() => seal.sealPage(0, page(0))).toThrow(refused);
    isOver(seal, 1);
  });

  it("never seals out of order", () => {
    for (const wrong of [1, 2, -1, Number.NaN]) {
      const seal = sealer();
      expect(() => seal.sealPage(wrong, page(0))).toThrow(refused);
      isOver(seal, 0);
    }
  });

  it("never seals after a page of the wrong length", () => {
    for (const length of [0, PAGE - 1, PAGE + 1]) {
      const seal = sealer();
      expect(() => seal.sealPage(0, new Uint8Array(length))).toThrow(refused);
      isOver(seal, 0);
      isOver(seal, 1);
    }
  });

  it("never seals after the cipher has failed, not the same page and not the next", () => {
    let broken = false;
    const failing: Primitives = {
      ...p,
      aesGcm: (aesKey) => {
        const aead = p.aesGcm(aesKey);
        return {
          open: (...given) => aead.open(...given),
          seal: (...given) => {
            if (broken) throw new Error("no memory");
            return aead.seal(...given);
          },
        };
      },
    };
    const seal = new ImageSealer(failing, key, claims, salt);
    seal.sealPage(0, page(0));
    broken = true;
    expect(() => seal.sealPage(1, page(1))).toThrow("no memory");
    broken = false;
    isOver(seal, 1);
    isOver(seal, 2);
  });

  it("never seals after its end, and has no end without a page", () => {
    const seal = sealer();
    seal.sealPage(0, page(0));
    seal.finish();
    isOver(seal, 1);
    isOver(seal, 2);
    expect(() => sealer().finish()).toThrow(refused);
  });

  it("refuses a salt of another length", () => {
    expect(() => new ImageSealer(p, key, claims, new Uint8Array(23))).toThrow(refused);
  });

  it("hashes its leaves with their number, and the table with its own label", () => {
    const leaf = Uint8Array.of(1, 2, 3);
    const plain = (...parts: (string | Uint8Array)[]) => {
      const hash = createHash("sha256");
      for (const part of parts) hash.update(part);
      return hash.digest("hex");
    };
    expect(hex(leafDigest(p, 258, leaf))).toBe(plain("mdcx/2 leaf\0", bytes("0201000000000000"), leaf));
    expect(leafDigest(p, 0, leaf)).not.toEqual(leafDigest(p, 1, leaf));
    expect(hex(rootOf(p, leaf))).toBe(plain("mdcx/2 leaves\0", leaf));
    expect(hex(H(p, "mdcx/2 claims", leaf, leaf))).toBe(plain("mdcx/2 claims\0", leaf, leaf));
  });

  it("cuts 76 bytes into key, nonce and commitment", () => {
    const { key: aesKey, nonce, commitment } = X(p, key, claims);
    expect([aesKey.length, nonce.length, commitment.length]).toEqual([32, 12, 32]);
  });
});

describe("the nonce of a chunk", () => {
  it("is the base nonce XOR the number, big-endian, and differs for every number", () => {
    const base = bytes("00112233445566778899aabb");
    expect(hex(chunkNonce(base, 0))).toBe("00112233445566778899aabb");
    expect(hex(chunkNonce(base, 1))).toBe("00112233445566778899aaba");
    expect(hex(chunkNonce(base, 0x400000))).toBe("0011223344556677 88d9aabb".replace(" ", ""));
    const seen = new Set(Array.from({ length: 5000 }, (_, number) => hex(chunkNonce(base, number))));
    expect(seen.size).toBe(5000);
    expect(hex(base)).toBe("00112233445566778899aabb");
    // The slice of a Buffer is a view into it: a base nonce that changes with every chunk would be lost.
    const buffer = Buffer.from(base);
    expect(hex(chunkNonce(buffer, 255))).toBe("00112233445566778899aa44");
    expect(hex(buffer)).toBe("00112233445566778899aabb");
  });
});
