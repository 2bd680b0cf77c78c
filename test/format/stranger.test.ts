import { createDecipheriv, createHash, createHmac, createPublicKey, scryptSync, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ValidVector } from "./refusals/vector-files.js";

/**
 * A reader written from spec/container.md alone, over Node's crypto: it imports nothing of the format's code, so that
 * writer and reader cannot be wrong in the same way. It opens valid packages and refuses nothing by name.
 */
class Stranger {
  readonly claims: Buffer;
  readonly record: Buffer;
  readonly signature: Buffer;
  readonly envelope: Buffer;
  readonly tag: Buffer;
  readonly headDigest: Buffer;
  readonly table: Buffer;
  readonly sealed: Buffer;
  readonly imageLength: number;
  readonly C: Buffer;

  constructor(private readonly file: Buffer) {
    const n = file.readUInt32LE(8);
    const m = file.readUInt32LE(120 + n);
    this.claims = file.subarray(12, 12 + n);
    this.record = file.subarray(12 + n, 56 + n);
    this.signature = file.subarray(56 + n, 120 + n);
    this.envelope = file.subarray(124 + n, 124 + n + m);
    this.tag = file.subarray(124 + n + m, 156 + n + m);
    this.headDigest = file.subarray(156 + n + m, 188 + n + m);
    this.imageLength = Number(this.record.readBigUInt64LE(4));
    const leaves = Math.ceil((this.imageLength / 16_384 + 1) / 4);
    this.table = file.subarray(188 + n + m, 188 + n + m + 32 * leaves);
    this.sealed = file.subarray(188 + n + m + 32 * leaves);
    this.C = H("mdcx/2 claims", this.claims);
  }

  headDigestHolds(): boolean {
    const end = this.headDigest.byteOffset - this.file.byteOffset;
    return H("mdcx/2 head", this.file.subarray(0, end)).equals(this.headDigest);
  }

  leavesHold(): boolean {
    const leaves = Array.from({ length: this.table.length / 32 }, (_, i) => {
      const number = Buffer.alloc(8);
      number.writeBigUInt64LE(BigInt(i));
      const start = i === 0 ? 0 : 56 + 65_600 * i;
      return H("mdcx/2 leaf", number, this.sealed.subarray(start, 56 + 65_600 * (i + 1)));
    });
    return Buffer.concat(leaves).equals(this.table) && H("mdcx/2 leaves", this.table).equals(this.record.subarray(12));
  }

  signatureHolds(publicKey: Buffer): boolean {
    const spki = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), publicKey]);
    const key = createPublicKey({ key: spki, format: "der", type: "spki" });
    const message = Buffer.concat([Buffer.from("mdcx/2 signature\0"), this.C, this.record]);
    expect(message.length).toBe(93);
    return verify(null, message, key, this.signature);
  }

  fileKey(secret: { passphrase?: string; key?: Buffer }): Buffer {
    const { slots } = JSON.parse(this.envelope.toString()) as { slots: LooseSlot[] };
    for (const slot of slots) {
      const salt = Buffer.from(slot.salt, "hex");
      let derived: Buffer;
      if (slot.type === "scrypt" && secret.passphrase !== undefined) {
        const cost = { N: 2 ** slot.log2n, r: slot.r, p: slot.p, maxmem: 2 ** 29 };
        derived = scryptSync(secret.passphrase.normalize("NFC"), salt, 32, cost);
      } else if (slot.type === "key" && secret.key) derived = secret.key;
      else continue;
      const { key, nonce, commitment } = X(derived, Buffer.concat([Buffer.from(`mdcx/2 slot\0${slot.type}\0`), salt]));
      if (commitment.toString("hex") === slot.commitment)
        return open(key, nonce, Buffer.from(slot.wrapped, "hex"), this.C);
    }
    throw new Error("no slot");
  }

  tagHolds(F: Buffer): boolean {
    const hmac = createHmac("sha256", expand(F, Buffer.from("mdcx/2 envelope key"), 32));
    for (const part of [Buffer.from("mdcx/2 tag\0"), this.C, this.record, this.signature, this.envelope])
      hmac.update(part);
    return hmac.digest().equals(this.tag);
  }

  pages(F: Buffer): Buffer[] {
    const suite = Buffer.from("c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM\0");
    const imageKey = expand(F, Buffer.from("mdcx/2 image key"), 32);
    const { key, nonce, commitment } = X(imageKey, Buffer.concat([suite, this.sealed.subarray(0, 24), this.C]));
    expect(commitment.equals(this.sealed.subarray(24, 56))).toBe(true);
    return Array.from({ length: this.imageLength / 16_384 + 1 }, (_, k) => {
      const number = Buffer.alloc(12);
      number.writeUInt32BE(k, 8);
      const chunk = this.sealed.subarray(56 + 16_400 * k, 56 + 16_400 * (k + 1));
      return open(key, Buffer.from(nonce.map((byte, at) => byte ^ number[at]!)), chunk);
    });
  }
}

/** A slot as JSON.parse gives it; the cost is there where the type is `scrypt`. */
interface LooseSlot {
  type: string;
  salt: string;
  commitment: string;
  wrapped: string;
  log2n: number;
  r: number;
  p: number;
}

function H(label: string, ...parts: Buffer[]): Buffer {
  return createHash("sha256")
    .update(Buffer.concat([Buffer.from(`${label}\0`), ...parts]))
    .digest();
}

function expand(secret: Buffer, info: Buffer, length: number): Buffer {
  const first = createHmac("sha512", secret).update(info).update(Uint8Array.of(1)).digest();
  const second = createHmac("sha512", secret).update(first).update(info).update(Uint8Array.of(2)).digest();
  return Buffer.concat([first, second]).subarray(0, length);
}

function X(secret: Buffer, info: Buffer): { key: Buffer; nonce: Buffer; commitment: Buffer } {
  const bytes = expand(secret, info, 76);
  return { key: bytes.subarray(0, 32), nonce: bytes.subarray(32, 44), commitment: bytes.subarray(44) };
}

function open(key: Buffer, nonce: Buffer, sealed: Buffer, aad?: Buffer): Buffer {
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: 16 });
  decipher.setAuthTag(sealed.subarray(-16));
  if (aad) decipher.setAAD(aad);
  return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
}

/** The key in `mdcx-key-…`, its checksum checked. */
function keyOf(text: string): Buffer {
  const bits = Array.from(text.slice("mdcx-key-".length), (character) =>
    "abcdefghijklmnopqrstuvwxyz234567".indexOf(character).toString(2).padStart(5, "0"),
  ).join("");
  const bytes = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
  expect(H("mdcx/2 key text", bytes.subarray(0, 32)).subarray(0, 3).equals(bytes.subarray(32))).toBe(true);
  return bytes.subarray(0, 32);
}

describe("a reader written from the specification alone", () => {
  for (const name of ["unsigned", "signed", "older", "other"]) {
    it(`opens ${name}.mdcx and finds what its JSON says`, () => {
      const at = (extension: string): Buffer =>
        readFileSync(new URL(`../../spec/vectors/${name}.${extension}`, import.meta.url));
      const vector = JSON.parse(at("json").toString()) as ValidVector;
      const stranger = new Stranger(at("mdcx"));
      expect(stranger.C.toString("hex")).toBe(vector.claims_digest);
      expect(stranger.claims.toString()).toBe(vector.claims);
      expect(stranger.headDigestHolds()).toBe(true);
      expect(stranger.leavesHold()).toBe(true);
      if (vector.issuer_public_key === null) expect(stranger.signature.every((byte) => byte === 0)).toBe(true);
      else expect(stranger.signatureHolds(Buffer.from(vector.issuer_public_key, "hex"))).toBe(true);
      const F = stranger.fileKey({ key: keyOf(vector.key) });
      expect(F.toString("hex")).toBe(vector.file_key);
      if (vector.passphrase !== null) expect(stranger.fileKey({ passphrase: vector.passphrase }).equals(F)).toBe(true);
      expect(stranger.tagHolds(F)).toBe(true);
      const pages = stranger.pages(F);
      expect(pages.pop()).toHaveLength(0);
      expect(pages.map((page) => createHash("sha256").update(page).digest("hex"))).toEqual(vector.page_sha256);
    });
  }
});
