import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { BytesSource } from "../../src/format/bytes-source.js";
import { openContainer, writeContainer } from "../../src/format/container.js";
import { publicKeyOf } from "../../src/format/signature.js";
import type { Source } from "../../src/format/source.js";
import { MemorySink } from "../../src/format/sink.js";
import { openPackage, readStatement, verifyPackage } from "../../src/index.js";
import { editClaims, putTogether, resign, retag, takeApart, type Parts } from "../format/forge.js";
import { unlockHead } from "../../src/format/open.js";
import { primitives } from "../../src/node/primitives.js";
import { bytesOf, KEY, packed, type Folder } from "./in-memory.js";

const ISSUER_KEY = new Uint8Array(32).fill(9);
const STRANGER_KEY = new Uint8Array(32).fill(10);
const HARBOUR = fileURLToPath(new URL("../../examples/harbour", import.meta.url));
const SECOND_CHUNK = 16_400;

let harbour: Folder;
let signed: Uint8Array;
let unsigned: Uint8Array;

beforeAll(async () => {
  const files: Record<string, Uint8Array> = {};
  for (const entry of await readdir(HARBOUR, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) {
      const at = join(entry.parentPath, entry.name);
      files[at.slice(HARBOUR.length + 1)] = new Uint8Array(await readFile(at));
    }
  harbour = files;
  ({ bytes: signed } = await packed(harbour, { issuer: "The harbour office", signingKey: ISSUER_KEY }));
  ({ bytes: unsigned } = await packed(harbour, { issuer: "The harbour office" }));
});

/** A source that knows which of its bytes were read. */
function recording(bytes: Uint8Array): { source: Source; read: Uint8Array } {
  const inner = new BytesSource(bytes);
  const read = new Uint8Array(bytes.length);
  const note = (offset: number, length: number): void => void read.fill(1, offset, offset + length);
  return {
    read,
    source: {
      name: inner.name,
      length: inner.length,
      read: (offset, length) => (note(offset, length), inner.read(offset, length)),
      readNow: (offset, length) => (note(offset, length), inner.readNow(offset, length)),
      close: () => inner.close(),
    },
  };
}

describe("what a package states without its key", () => {
  it("is read from the head and the leaf table alone", async () => {
    const { source, read } = recording(signed);
    const head = await readStatement(source);
    expect(head.claims.documents + head.claims.attachments).toBe(Object.keys(harbour).length);
    expect(read.indexOf(0), "first byte that was not read").toBe(head.sealedStart);
    expect(read.lastIndexOf(1), "last byte that was read").toBe(head.sealedStart - 1);
  });

  it("holds no name, no title and no text of a document, and no path of the machine", async () => {
    const head = await readStatement(signed);
    const clear = new TextDecoder("latin1").decode(signed.subarray(0, head.sealedStart));
    const file = new TextDecoder("latin1").decode(signed);
    for (const [path, content] of Object.entries(harbour)) {
      const text = new TextDecoder().decode(bytesOf(content));
      const title = /^title: (.*)$/m.exec(text)?.[1] ?? /^# (.*)$/m.exec(text)?.[1] ?? path;
      const lines = text.split(/\r?\n/).filter((line) => line.length >= 12);
      for (const part of [path, path.split("/").at(-1)!, title, ...lines]) {
        const bytes = new TextDecoder("latin1").decode(bytesOf(part));
        expect(clear.includes(bytes), `${part} in the head`).toBe(false);
        if (part.length >= 8) expect(file.includes(bytes), `${part} in the file`).toBe(false);
      }
    }
    for (const path of [HARBOUR, process.cwd()]) expect(file).not.toContain(path);
    const pkg = await openPackage(signed, { secret: KEY });
    const inside = JSON.stringify([pkg.info(), pkg.documents(), [...pkg.image.meta], await pkg.search("tide gauge")]);
    for (const path of [HARBOUR, process.cwd()]) expect(inside).not.toContain(path);
    await pkg.close();
  });

  it("has an empty title unless one is given", async () => {
    expect((await readStatement(signed)).claims.title).toBe("");
    const { bytes } = await packed({ "a.md": "a" }, { title: "Ten années à Łódź" });
    expect((await readStatement(bytes)).claims.title).toBe("Ten années à Łódź");
  });
});

describe("verifying", () => {
  it("needs no key and reads every byte", async () => {
    for (const bytes of [signed, unsigned]) {
      const { source, read } = recording(bytes);
      const report = await verifyPackage(source);
      expect(read.indexOf(0), "first byte that was not read").toBe(-1);
      expect(report.opened).toBe(false);
    }
  });

  it("says what the signature proves, and never more", async () => {
    expect((await verifyPackage(unsigned)).sentence).toMatch(/^unsigned/);
    expect((await verifyPackage(signed)).sentence).toMatch(/proves no person/);
    const pinned = await verifyPackage(signed, { issuerKey: publicKeyOf(ISSUER_KEY) });
    expect(pinned.sentence).toMatch(/pinned issuer/);
  });

  it("refuses another issuer's key, and an unsigned package where a key is given", async () => {
    const stranger = { issuerKey: publicKeyOf(STRANGER_KEY) };
    await expect(verifyPackage(signed, stranger)).rejects.toMatchObject({ code: "wrong-issuer" });
    await expect(openPackage(signed, { ...stranger, secret: KEY })).rejects.toMatchObject({ code: "wrong-issuer" });
    await expect(verifyPackage(unsigned, stranger)).rejects.toMatchObject({ code: "unsigned" });
  });

  it("with the key opens every chunk and compares the image with the claims", async () => {
    expect(await verifyPackage(signed, { secret: KEY })).toMatchObject({ opened: true });
  });

  it("refuses a replaced image under an untouched head", async () => {
    const { bytes } = await packed(harbour, { issuer: "The harbour office", signingKey: ISSUER_KEY });
    const parts = takeApart(signed);
    const swapped = putTogether({ ...parts, sealed: takeApart(bytes).sealed });
    await expect(verifyPackage(swapped)).rejects.toMatchObject({
      code: expect.stringMatching(/leaf|length/) as string,
    });
  });
});

describe("somebody who holds the secret but not the issuer's key", () => {
  async function resealed(edit: (parts: Parts) => Parts, key: Uint8Array | undefined): Promise<Uint8Array> {
    const container = await openContainer(new BytesSource(signed), primitives, { secret: KEY });
    const sink = new MemorySink();
    const { pages } = container;
    const changed = edit(takeApart(signed));
    await writeContainer(sink, primitives, {
      claims: JSON.parse(new TextDecoder().decode(changed.claims)) as Parameters<typeof writeContainer>[2]["claims"],
      image: { length: pages.length, takePage: (number) => pages.readPages(number, 1).slice() },
      slots: [{ secret: KEY }],
      ...(key && { signingKey: key }),
    });
    await container.close();
    return sink.bytes();
  }
  const publicHex = (key: Uint8Array): string => Buffer.from(publicKeyOf(key)).toString("hex");

  it("can change a claim and seal and sign it anew, but only as somebody else", async () => {
    const forged = await resealed(
      (parts) =>
        editClaims(parts, (text) =>
          text
            .replace("The harbour office", "The Harbour Office")
            .replace(publicHex(ISSUER_KEY), publicHex(STRANGER_KEY)),
        ),
      STRANGER_KEY,
    );
    const issuerKey = publicKeyOf(ISSUER_KEY);
    await expect(verifyPackage(forged, { issuerKey })).rejects.toMatchObject({ code: "wrong-issuer" });
    await expect(openPackage(forged, { issuerKey, secret: KEY })).rejects.toMatchObject({ code: "wrong-issuer" });
    // Without a pinned key it is in order, and the reader says how little that proves.
    expect((await verifyPackage(forged, { secret: KEY })).sentence).toMatch(/proves no person/);
  });

  it("cannot change a claim and keep the signature", async () => {
    const { fileKey } = await unlockHead(new BytesSource(signed), primitives, { secret: KEY });
    const parts = editClaims(takeApart(signed), (text) => text.replace("The harbour office", "The harbour Office"));
    await expect(verifyPackage(putTogether(retag(parts, fileKey)))).rejects.toMatchObject({ code: "bad-signature" });
  });

  it("cannot take the signature away", async () => {
    const { fileKey } = await unlockHead(new BytesSource(signed), primitives, { secret: KEY });
    const parts = retag(resign(takeApart(signed), undefined), fileKey);
    await expect(verifyPackage(putTogether(parts))).rejects.toMatchObject({ code: "bad-signature" });
  });
});

describe("the same folder packed twice", () => {
  it("shares no id, salt, nonce, commitment, wrapped key, tag, leaf or chunk", async () => {
    const [first, second] = [await packed(harbour), await packed(harbour)].map(({ bytes }) => takeApart(bytes));
    expect(first!.sealed.length).toBe(second!.sealed.length);
    const members = (parts: Parts): string[] => {
      const claims = JSON.parse(new TextDecoder().decode(parts.claims)) as { package_id: string };
      const { slots } = JSON.parse(new TextDecoder().decode(parts.envelope)) as { slots: Record<string, string>[] };
      const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
      const chunks = Array.from({ length: Math.ceil((parts.sealed.length - 56) / SECOND_CHUNK) }, (_, i) =>
        hex(parts.sealed.subarray(56 + SECOND_CHUNK * i, 56 + SECOND_CHUNK * i + 32)),
      );
      const leaves = Array.from({ length: parts.table.length / 32 }, (_, i) =>
        hex(parts.table.subarray(32 * i, 32 * i + 32)),
      );
      return [
        claims.package_id,
        ...slots.flatMap(({ salt, commitment, wrapped }) => [salt!, commitment!, wrapped!]),
        hex(parts.sealRecord.subarray(12)),
        hex(parts.tag),
        hex(parts.headDigest),
        hex(parts.sealed.subarray(0, 24)),
        hex(parts.sealed.subarray(24, 56)),
        ...chunks,
        ...leaves,
      ];
    };
    const [a, b] = [new Set(members(first!)), members(second!)];
    expect(b.length).toBeGreaterThan(20);
    expect(b.filter((value) => a.has(value))).toEqual([]);
  });
});
