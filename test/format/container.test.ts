import { describe, expect, it } from "vitest";
import { BytesSource } from "../../src/format/bytes-source.js";
import { claimsObject } from "../../src/format/claims.js";
import {
  openContainer,
  readHead,
  signatureSentence,
  verifyContainer,
  writeContainer,
} from "../../src/format/container.js";
import { CacheRoom } from "../../src/format/image-cache.js";
import type { JsonObject } from "../../src/format/json.js";
import { unlockHead, type OpenedContainer } from "../../src/format/open.js";
import { PAGE } from "../../src/format/pages.js";
import type { SealedPages } from "../../src/format/sealed-pages.js";
import { formatKey, parseSecret } from "../../src/format/secret.js";
import { primitives as portable } from "../../src/format/portable.js";
import { NotHereYet } from "../../src/format/not-here-yet.js";
import { publicKeyOf } from "../../src/format/signature.js";
import { MemorySink } from "../../src/format/sink.js";
import type { Source } from "../../src/format/source.js";
import { primitives } from "../../src/node/primitives.js";
import { facts, KEY, OTHER_KEY, OTHER_SIGNING_KEY, SIGNING_KEY, tinyImage, tinyPackage } from "./packages.js";

const source = (bytes: Uint8Array): BytesSource => new BytesSource(bytes);

describe("a package that was just written", () => {
  for (const signingKey of [undefined, SIGNING_KEY]) {
    const kind = signingKey ? "signed" : "unsigned";
    // Images of 4q pages end in a leaf of 16 bytes, which is valid.
    for (const pages of [1, 3, 4, 5, 8, 255, 256, 300]) {
      it(`gives every page back, ${kind}, ${pages} pages`, async () => {
        const bytes = await tinyPackage({ pages, ...(signingKey && { signingKey }) });
        const opened = await openContainer(source(bytes), primitives, { secret: KEY });
        expect(Buffer.compare(opened.pages.readPages(0, pages), tinyImage(pages).bytes)).toBe(0);
        expect(opened.pages.chunksDecrypted).toBe(pages);
        opened.pages.requireEnd();
        const report = await verifyContainer(source(bytes), primitives, { secret: KEY });
        expect(report).toMatchObject({ opened: true, chunks: pages + 1, leaves: Math.ceil((pages + 1) / 4) });
        expect(await verifyContainer(source(bytes), primitives)).toMatchObject({ opened: false, chunks: 0 });
      });
    }
  }

  it("opens with primitives that share no code with those that wrote it", async () => {
    const bytes = await tinyPackage({ signingKey: SIGNING_KEY });
    const opened = await openContainer(source(bytes), portable, { secret: KEY });
    expect(Buffer.compare(opened.pages.readPages(0, 6), tinyImage(6).bytes)).toBe(0);
  });

  it("gives back claims it does not know, and names from a prototype as plain members", async () => {
    const unknown = JSON.parse(
      '{"later":[1,{"two":null}],"__proto__":{"polluted":true},"constructor":"x"}',
    ) as JsonObject;
    const bytes = await tinyPackage({ unknown });
    const { claims } = await readHead(source(bytes), primitives);
    expect(JSON.stringify(claims.raw)).toContain(
      '"later":[1,{"two":null}],"__proto__":{"polluted":true},"constructor":"x"',
    );
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it("accepts a bidi control in the title, for the reader to show escaped", async () => {
    const bytes = await tinyPackage({ facts: { title: "abc\u202edef" } });
    expect((await readHead(source(bytes), primitives)).claims.title).toBe("abc\u202edef");
  });

  it("keeps a bounded number of pages and leaves, of all images that share the room, and tells them apart", async () => {
    const cache = new CacheRoom({ pages: 2, leaves: 1 });
    const open = async (count: number): Promise<OpenedContainer> =>
      openContainer(source(await tinyPackage({ pages: count })), primitives, { secret: KEY, cache });
    const [one, other] = [await open(40), await open(24)];
    for (const page of [0, 23, 1, 20, 0, 23]) {
      expect(Buffer.compare(one.pages.readPages(page, 1), tinyImage(40).takePage(page))).toBe(0);
      expect(Buffer.compare(other.pages.readPages(page, 1), tinyImage(24).takePage(page))).toBe(0);
    }
    expect(one.pages.chunksDecrypted).toBe(4);
    const keys = (): number[] => {
      const found: number[] = [];
      cache.pages.forget((key) => found.push(key) < 0);
      return found;
    };
    expect(keys()).toHaveLength(2);
    await other.close();
    expect(keys()).toHaveLength(1);
    expect(Buffer.compare(one.pages.readPages(23, 1), tinyImage(40).takePage(23))).toBe(0);
  });

  it("refuses to read once closed", async () => {
    const opened = await openContainer(source(await tinyPackage()), primitives, { secret: KEY });
    await opened.close();
    expect(() => opened.pages.readPages(1, 1)).toThrow(/has been closed/);
  });
});

describe("reading", () => {
  it("reads no byte behind the leaf table for the head, and no more than leaf 0 to open", async () => {
    const bytes = await tinyPackage({ pages: 20, signingKey: SIGNING_KEY });
    const { sealedStart } = await readHead(source(bytes), primitives);
    const traced = tracing(bytes);
    await readHead(traced.source, primitives);
    expect(traced.end()).toBe(sealedStart);
    await openContainer(traced.source, primitives, { secret: KEY });
    expect(traced.end()).toBe(sealedStart + 56 + 4 * 16_400);
  });

  it("fetches what a source that only promises has not brought yet", async () => {
    const bytes = await tinyPackage({ pages: 12 });
    const { source: remote } = tracing(bytes);
    const { pages } = await openContainer(remote, primitives, { secret: KEY });
    expect(() => pages.readPages(9, 1)).toThrow(NotHereYet);
    await pages.bring(9, 1);
    expect(Buffer.compare(pages.readPages(9, 1), tinyImage(12).takePage(9))).toBe(0);
  });

  it("gives an error and never a page of each when the file changes after opening", async () => {
    const bytes = await tinyPackage({ pages: 12, signingKey: SIGNING_KEY });
    const changing = bytes.slice();
    const { pages } = await openContainer(source(changing), primitives, { secret: KEY });
    const other = await tinyPackage({ pages: 12, signingKey: SIGNING_KEY });
    changing.set(other);
    expect(() => pages.readPages(9, 1)).toThrow(expect.objectContaining({ code: "leaf-damaged" }));
  });
});

describe("a page that is read again", () => {
  /** No page and no leaf stays in memory. */
  const forgetful = new CacheRoom({ pages: 0, leaves: 0 });

  async function opened(): Promise<{ bytes: Uint8Array; pages: SealedPages; read: number[]; sealedStart: number }> {
    const bytes = await tinyPackage({ pages: 12, signingKey: SIGNING_KEY });
    const inner = source(bytes);
    const read: number[] = [];
    const counting: Source = {
      name: inner.name,
      length: inner.length,
      read: (offset, length) => inner.read(offset, length),
      readNow: (offset, length) => {
        read.push(length);
        return bytes.slice(offset, offset + length);
      },
      close: () => inner.close(),
    };
    const { pages, head } = await openContainer(counting, primitives, { secret: KEY, cache: forgetful });
    return { bytes, pages, read, sealedStart: head.sealedStart };
  }

  it("is read without the rest of its leaf, and is the same", async () => {
    const { pages, read } = await opened();
    const first = pages.readPages(9, 1).slice();
    read.length = 0;
    expect(Buffer.compare(pages.readPages(9, 1), first)).toBe(0);
    expect(read).toEqual([16_400]);
  });

  it("is refused where it was changed since", async () => {
    const { bytes, pages, sealedStart } = await opened();
    pages.readPages(9, 1);
    const at = sealedStart + 56 + 9 * 16_400;
    for (const changed of [at, at + 8_000, at + 16_399]) {
      bytes[changed]! ^= 1;
      expect(() => pages.readPages(9, 1)).toThrow(expect.objectContaining({ code: "leaf-damaged" }));
      bytes[changed]! ^= 1;
    }
    expect(pages.readPages(9, 1).length).toBe(16_384);
  });

  it("does not vouch for its neighbours", async () => {
    const { bytes, pages, sealedStart } = await opened();
    pages.readPages(9, 1);
    bytes[sealedStart + 56 + 10 * 16_400 + 5]! ^= 1;
    expect(pages.readPages(9, 1).length).toBe(16_384);
    expect(() => pages.readPages(10, 1)).toThrow(expect.objectContaining({ code: "leaf-damaged" }));
  });
});

describe("pins", () => {
  const issuerKey = publicKeyOf(SIGNING_KEY);
  const packageId = facts().packageId;

  it("say who signed, in one of three sentences", async () => {
    const signed = await tinyPackage({ signingKey: SIGNING_KEY });
    const unsigned = await tinyPackage();
    const sentence = async (bytes: Uint8Array, pins = {}): Promise<string> =>
      (await verifyContainer(source(bytes), primitives, pins)).sentence;
    expect(await sentence(signed, { issuerKey })).toBe("signed by the pinned issuer");
    expect(await sentence(signed)).toBe("signed by the key it names, which proves no person");
    expect(await sentence(unsigned)).toBe("unsigned: agrees with itself only");
    expect(signatureSentence("unsigned")).toBe("unsigned: agrees with itself only");
  });

  it("refuse another key than the pinned one, and an unsigned package under a pin", async () => {
    const signed = await tinyPackage({ signingKey: SIGNING_KEY });
    const pins = { issuerKey: publicKeyOf(OTHER_SIGNING_KEY) };
    for (const read of readers(pins)) {
      await expect(read(signed)).rejects.toMatchObject({ code: "wrong-issuer" });
      await expect(read(await tinyPackage())).rejects.toMatchObject({ code: "unsigned" });
    }
  });

  it("refuse another package and an older revision", async () => {
    const bytes = await tinyPackage({ signingKey: SIGNING_KEY, facts: { revision: 4 } });
    for (const read of readers({ issuerKey, packageId, minRevision: 4 })) await read(bytes);
    for (const read of readers({ packageId: "0".repeat(32) })) {
      await expect(read(bytes)).rejects.toMatchObject({ code: "wrong-package" });
    }
    for (const read of readers({ minRevision: 5 })) {
      await expect(read(bytes)).rejects.toMatchObject({ code: "older-revision" });
    }
  });

  function readers(pins: object): ((bytes: Uint8Array) => Promise<unknown>)[] {
    return [
      (bytes) => readHead(source(bytes), primitives, pins),
      (bytes) => verifyContainer(source(bytes), primitives, pins),
      (bytes) => openContainer(source(bytes), primitives, { secret: KEY, ...pins }),
    ];
  }
});

describe("a secret", () => {
  it("that is wrong, or of the wrong kind, is told from a damaged file", async () => {
    const bytes = await tinyPackage();
    const open = (secret: typeof KEY | (typeof KEY)[]) => openContainer(source(bytes), primitives, { secret });
    await expect(open(OTHER_KEY)).rejects.toMatchObject({ code: "wrong-secret" });
    await expect(open(parseSecret("a passphrase"))).rejects.toMatchObject({ code: "no-usable-slot" });
    await expect(open([])).rejects.toMatchObject({ code: "no-usable-slot" });
    expect((await open([OTHER_KEY, KEY])).slot).toBe(0);
  });

  it("is the same passphrase composed and decomposed, and the same key as text", async () => {
    const cost = { log2n: 15, r: 8, p: 1 };
    const slots = [{ secret: parseSecret("caf\u00e9"), cost }, { secret: KEY }];
    const bytes = await tinyPackage({ slots });
    const open = async (text: string): Promise<number> =>
      (await openContainer(source(bytes), primitives, { secret: parseSecret(text) })).slot;
    expect(await open("cafe\u0301")).toBe(0);
    expect(await open(formatKey(primitives, KEY.bytes))).toBe(1);
    await expect(open("cafe")).rejects.toMatchObject({ code: "wrong-secret" });
  });
});

describe("writing", () => {
  const write = (what: Partial<Parameters<typeof writeContainer>[2]>) =>
    writeContainer(new MemorySink(), primitives, {
      claims: claimsObject(facts()),
      image: tinyImage(2),
      slots: [{ secret: KEY }],
      ...what,
    });

  it("wants the signing key that the claims name, and none where they name none", async () => {
    const issuer = { name: "N", publicKey: publicKeyOf(SIGNING_KEY) };
    const claims = claimsObject(facts({ issuer }));
    await write({ claims, signingKey: SIGNING_KEY });
    await expect(write({ claims })).rejects.toMatchObject({ code: "bad-input" });
    await expect(write({ claims, signingKey: OTHER_SIGNING_KEY })).rejects.toMatchObject({ code: "bad-input" });
    await expect(write({ signingKey: SIGNING_KEY })).rejects.toMatchObject({ code: "bad-input" });
  });

  it("writes no passphrase slot under log2n 15 or r 8, and no more than readers accept", async () => {
    const secret = parseSecret("passphrase");
    for (const cost of [
      { log2n: 14, r: 8, p: 1 },
      { log2n: 15, r: 7, p: 1 },
      { log2n: 15, r: 8, p: 0 },
      { log2n: 15.5, r: 8, p: 1 },
      { log2n: 25, r: 8, p: 1 },
    ]) {
      await expect(write({ slots: [{ secret, cost }] })).rejects.toMatchObject({ code: "bad-input" });
    }
    await expect(write({ slots: [] })).rejects.toMatchObject({ code: "bad-envelope" });
    const many = Array.from({ length: 65 }, () => ({ secret: KEY }));
    await expect(write({ slots: many })).rejects.toMatchObject({ code: "bad-envelope" });
    await expect(write({ slots: [{ secret: KEY, label: "\u001b[2J" }] })).rejects.toMatchObject({ code: "bad-input" });
  });

  it("refuses an image that is no multiple of a page, and claims that it would refuse to read", async () => {
    await expect(write({ image: { ...tinyImage(1), length: PAGE + 1 } })).rejects.toMatchObject({
      code: "image-too-large",
    });
    await expect(write({ claims: { ...claimsObject(facts()), revision: 0 } })).rejects.toMatchObject({
      code: "bad-claims",
    });
  });

  it("uses every page once, in order", async () => {
    const taken: number[] = [];
    const image = tinyImage(9);
    await write({ image: { length: image.length, takePage: (n) => (taken.push(n), image.takePage(n)) } });
    expect(taken).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it("shares no file key, salt, slot salt, commitment, wrapped key, chunk or tag between two packs of the same", async () => {
    const seen = new Set<string>();
    const windows = (bytes: Uint8Array): string[] => {
      const text = Buffer.from(bytes).toString("hex");
      return [
        text.slice(0, 48),
        text.slice(48, 112),
        ...Array.from({ length: 7 }, (_, k) => text.slice(112 + 32_800 * k).slice(0, 32)),
      ];
    };
    for (let round = 0; round < 4; round++) {
      const bytes = await tinyPackage({ signingKey: SIGNING_KEY });
      const { head, fileKey } = await unlockHead(source(bytes), primitives, { secret: KEY });
      const slot = head.envelope.slots[0]!.raw;
      const hex = [head.tag, fileKey].map((part) => Buffer.from(part).toString("hex"));
      const values = [slot.salt, slot.commitment, slot.wrapped, ...hex].map(String);
      for (const value of [...values, ...windows(bytes.subarray(head.sealedStart))]) {
        expect(seen.has(value)).toBe(false);
        seen.add(value);
      }
    }
  });
});

/** A source that reads only by promise, and tells how far it has read. */
function tracing(bytes: Uint8Array): { readonly source: Source; end(): number } {
  let end = 0;
  const inner = source(bytes);
  return {
    source: {
      name: "traced",
      length: bytes.length,
      read(offset, length) {
        end = Math.max(end, offset + length);
        return inner.read(offset, length);
      },
      close: () => Promise.resolve(),
    },
    end: () => end,
  };
}
