import { describe, expect, it } from "vitest";
import { BytesSource } from "../../src/format/bytes-source.js";
import { openContainer, readHead, rekey, reseal, verifyContainer } from "../../src/format/container.js";
import type { ResealOptions } from "../../src/format/container.js";
import { unlockHead } from "../../src/format/open.js";
import { parseSecret } from "../../src/format/secret.js";
import { MemorySink } from "../../src/format/sink.js";
import { primitives } from "../../src/node/primitives.js";
import { editEnvelope, flip, putTogether, redigest, retag, takeApart } from "./forge.js";
import { KEY, OTHER_KEY, SIGNING_KEY, tinyImage, tinyPackage } from "./packages.js";

const source = (bytes: Uint8Array): BytesSource => new BytesSource(bytes);
const THIRD_KEY = { kind: "key", bytes: new Uint8Array(32).fill(77) } as const;

async function rekeyed(bytes: Uint8Array, options: Omit<Parameters<typeof rekey>[3], "secret">): Promise<Uint8Array> {
  const sink = new MemorySink();
  await rekey(source(bytes), sink, primitives, { secret: KEY, ...options });
  return sink.bytes();
}

async function resealed(bytes: Uint8Array, options: Omit<ResealOptions, "secret">): Promise<Uint8Array> {
  const sink = new MemorySink();
  await reseal(source(bytes), sink, primitives, { secret: KEY, ...options });
  return sink.bytes();
}

const opens = (bytes: Uint8Array, secret = KEY) => openContainer(source(bytes), primitives, { secret });

describe("rekey", () => {
  it("changes no byte of claims, seal record, signature, table, image and the slots that stay", async () => {
    const before = await tinyPackage({ signingKey: SIGNING_KEY, pages: 300 });
    const after = await rekeyed(before, { add: [{ secret: OTHER_KEY, label: "for Ada" }] });
    const [old, now] = [takeApart(before), takeApart(after)];
    for (const part of ["claims", "sealRecord", "signature", "table", "sealed"] as const) {
      expect(Buffer.compare(old[part], now[part]), part).toBe(0);
    }
    const slots = (await readHead(source(after), primitives)).envelope.slots.map(({ raw }) => raw);
    expect(slots[0]).toEqual((await readHead(source(before), primitives)).envelope.slots[0]!.raw);
    expect(slots[1]).toMatchObject({ type: "key", label: "for Ada" });
    for (const secret of [KEY, OTHER_KEY]) await opens(after, secret);
    expect((await verifyContainer(source(after), primitives, { secret: KEY })).signature).toBe("signed-by-named-key");
  });

  it("lets a removed slot's secret open no more", async () => {
    const both = await rekeyed(await tinyPackage(), { add: [{ secret: OTHER_KEY }] });
    const one = await rekeyed(both, { remove: [1] });
    await opens(one);
    await expect(opens(one, OTHER_KEY)).rejects.toMatchObject({ code: "wrong-secret" });
  });

  it("refuses to add a secret that opens already, or removing one slot would not end its access", async () => {
    const base = await tinyPackage();
    await expect(rekeyed(base, { add: [{ secret: KEY }] })).rejects.toMatchObject({
      code: "bad-input",
      message: expect.stringContaining("opens slot 0 already") as string,
    });
    await opens(await rekeyed(base, { remove: [0], add: [{ secret: KEY }] }));
  });

  it("replaces the only slot by another", async () => {
    const after = await rekeyed(await tinyPackage(), { remove: [0], add: [{ secret: OTHER_KEY }] });
    await opens(after, OTHER_KEY);
    await expect(opens(after)).rejects.toMatchObject({ code: "wrong-secret" });
  });

  it("keeps slots of an unknown type with all their members, and unknown members of the envelope", async () => {
    const odd = { type: "quantum", odd: [1, { two: null }], __proto__x: "x", label: "later" };
    const base = await tinyPackage();
    const { fileKey } = await unlockHead(source(base), primitives, { secret: KEY });
    const edited = editEnvelope(takeApart(base), ({ slots }) => ({ later: { a: 1 }, slots: [odd, ...slots] }));
    const after = await rekeyed(putTogether(retag(edited, fileKey)), { add: [{ secret: OTHER_KEY }] });
    const { envelope } = await readHead(source(after), primitives);
    expect(JSON.parse(JSON.stringify(envelope.raw.later))).toEqual({ a: 1 });
    expect(JSON.parse(JSON.stringify(envelope.slots[0]!.raw))).toEqual(odd);
    expect(envelope.slots.map(({ type }) => type)).toEqual(["unknown", "key", "key"]);
  });

  it("refuses to leave no slot that opens, slots that are not there, and too many", async () => {
    const base = await tinyPackage();
    await expect(rekeyed(base, { remove: [0] })).rejects.toMatchObject({ code: "bad-input" });
    await expect(rekeyed(base, { remove: [1] })).rejects.toMatchObject({ code: "bad-input" });
    const add = Array.from({ length: 64 }, () => ({ secret: OTHER_KEY }));
    await expect(rekeyed(base, { add })).rejects.toMatchObject({ code: "bad-envelope" });
    const withUnknown = editEnvelope(takeApart(base), ({ slots }) => ({ slots: [...slots, { type: "quantum" }] }));
    const { fileKey } = await unlockHead(source(base), primitives, { secret: KEY });
    await expect(rekeyed(putTogether(retag(withUnknown, fileKey)), { remove: [0] })).rejects.toMatchObject({
      code: "bad-input",
    });
  });

  it("refuses a package with one bad leaf, and one whose envelope somebody without the key changed", async () => {
    const base = await tinyPackage({ pages: 9 });
    const add = [{ secret: OTHER_KEY }];
    await expect(rekeyed(flip(base, -1), { add })).rejects.toMatchObject({ code: "leaf-damaged" });
    const edited = editEnvelope(takeApart(base), ({ slots }) => ({
      slots: slots.map((slot) => ({ ...slot, label: "x" })),
    }));
    await expect(rekeyed(putTogether(redigest(edited)), { add })).rejects.toMatchObject({ code: "bad-tag" });
  });

  it("cannot keep out an old envelope, put back before the same image: it opens, as documented", async () => {
    const before = await rekeyed(await tinyPackage({ signingKey: SIGNING_KEY }), { add: [{ secret: OTHER_KEY }] });
    const after = await rekeyed(before, { remove: [1] });
    const { envelope, tag } = takeApart(before);
    const back = putTogether(redigest({ ...takeApart(after), envelope, tag }));
    await opens(back, OTHER_KEY);
    expect(Buffer.compare(back, before)).toBe(0);
  });
});

describe("reseal", () => {
  it("seals the same pages under new keys, one revision on, and keeps the slots whose secret is given", async () => {
    const before = await tinyPackage({ signingKey: SIGNING_KEY, pages: 8, slots: [{ secret: KEY, label: "mine" }] });
    const after = await resealed(before, { signingKey: SIGNING_KEY, add: [{ secret: THIRD_KEY }] });
    const { head, pages } = await opens(after);
    expect(head.claims.revision).toBe(2);
    expect(head.claims.packageId).toBe((await readHead(source(before), primitives)).claims.packageId);
    expect(head.envelope.slots.map(({ label }) => label)).toEqual(["mine", undefined]);
    expect(Buffer.compare(pages.readPages(0, 8), tinyImage(8).bytes)).toBe(0);
    const [old, now] = [takeApart(before), takeApart(after)];
    for (let at = 0; at < old.sealed.length - 16; at += 16_400) {
      expect(Buffer.compare(old.sealed.slice(at, at + 16), now.sealed.slice(at, at + 16))).not.toBe(0);
    }
    await opens(after, THIRD_KEY);
    await verifyContainer(source(after), primitives, { secret: KEY, minRevision: 2 });
  });

  it("names the slots that it would drop, and writes nothing unless that is confirmed", async () => {
    const before = await tinyPackage({ slots: [{ secret: KEY }, { secret: OTHER_KEY, label: "Ada" }] });
    await expect(resealed(before, {})).rejects.toMatchObject({ code: "bad-input" });
    await expect(resealed(before, { confirmDropped: () => false })).rejects.toMatchObject({ code: "bad-input" });
    const asked: (string | undefined)[] = [];
    const after = await resealed(before, { confirmDropped: (slots) => asked.push(...slots.map((s) => s.label)) === 1 });
    expect(asked).toEqual(["Ada"]);
    await opens(after);
    await expect(opens(after, OTHER_KEY)).rejects.toMatchObject({ code: "wrong-secret" });
  });

  it("needs the issuer's key where the package is signed, and no other", async () => {
    const signed = await tinyPackage({ signingKey: SIGNING_KEY });
    await expect(resealed(signed, {})).rejects.toMatchObject({ code: "bad-input" });
    await expect(resealed(signed, { signingKey: new Uint8Array(32).fill(3) })).rejects.toMatchObject({
      code: "bad-input",
    });
    await expect(resealed(await tinyPackage(), { signingKey: SIGNING_KEY })).rejects.toMatchObject({
      code: "bad-input",
    });
  });

  it("refuses a package with one bad leaf, also the last of 16 bytes that no page needs", async () => {
    for (const pages of [6, 8]) {
      const base = await tinyPackage({ pages });
      await expect(resealed(flip(base, -1), {})).rejects.toMatchObject({ code: "leaf-damaged" });
    }
  });

  it("keeps the cost of a passphrase slot", async () => {
    const secret = parseSecret("a passphrase");
    const before = await tinyPackage({ slots: [{ secret, cost: { log2n: 16, r: 8, p: 1 } }] });
    const sink = new MemorySink();
    const { kept } = await reseal(source(before), sink, primitives, { secret });
    expect(kept).toHaveLength(1);
    const [slot] = (await readHead(source(sink.bytes()), primitives)).envelope.slots;
    expect(slot).toMatchObject({ type: "scrypt", cost: { log2n: 16, r: 8, p: 1 } });
  });
});
