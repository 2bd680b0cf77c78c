import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expand } from "../../src/format/derive.js";
import { parseSecret } from "../../src/format/secret.js";
import { bytes, hex, implementations, readVectors, wycheproof } from "./vectors.js";

const [node, portable] = implementations as [(typeof implementations)[number], (typeof implementations)[number]];
const utf8 = (text: string) => new TextEncoder().encode(text);

describe.each(implementations)("$name primitives", (p) => {
  describe("AES-256-GCM", () => {
    interface Test {
      ivSize: number;
      keySize: number;
      key: string;
      iv: string;
      aad: string;
      msg: string;
      ct: string;
      tag: string;
    }
    const tests = wycheproof<object, Test>("aes_gcm_test.json").filter(({ keySize }) => keySize === 256);
    const usual = tests.filter(({ ivSize }) => ivSize === 96);

    it("agrees with Wycheproof on 256-bit keys and 96-bit nonces, the only ones of the suite", () => {
      expect(usual.length).toBeGreaterThan(60);
      for (const test of usual) {
        const aead = p.aesGcm(bytes(test.key));
        const [nonce, aad, plaintext] = [bytes(test.iv), bytes(test.aad), bytes(test.msg)];
        const sealed = bytes(test.ct + test.tag);
        const expected = test.result === "valid" ? test.msg : undefined;
        const opened = aead.open(nonce, sealed, aad);
        expect(opened === undefined ? undefined : hex(opened), `test ${test.tcId} ${test.comment}`).toBe(expected);
        if (test.result === "valid") expect(hex(aead.seal(nonce, plaintext, aad))).toBe(test.ct + test.tag);
      }
    });

    it("refuses nonces and keys of other lengths", () => {
      const others = tests.filter(({ ivSize }) => ivSize !== 96);
      expect(others.length).toBeGreaterThan(30);
      for (const test of others) {
        const aead = p.aesGcm(bytes(test.key));
        expect(() => aead.seal(bytes(test.iv), bytes(test.msg))).toThrow("12 bytes");
        expect(() => aead.open(bytes(test.iv), bytes(test.ct + test.tag))).toThrow("12 bytes");
      }
      for (const length of [0, 16, 24, 31, 33]) expect(() => p.aesGcm(new Uint8Array(length))).toThrow("32 bytes");
    });

    it("gives nothing for less than a tag, and takes an absent AAD for an empty one", () => {
      const aead = p.aesGcm(new Uint8Array(32));
      const nonce = new Uint8Array(12);
      for (let length = 0; length < 16; length++) expect(aead.open(nonce, new Uint8Array(length))).toBeUndefined();
      expect(aead.seal(nonce, utf8("x"))).toEqual(aead.seal(nonce, utf8("x"), new Uint8Array(0)));
    });
  });

  it.each([
    [
      "HMAC-SHA-256",
      "hmac_sha256_test.json",
      (key: Uint8Array, message: Uint8Array[]) => p.hmacSha256(key, ...message),
    ],
    [
      "HMAC-SHA-512",
      "hmac_sha512_test.json",
      (key: Uint8Array, message: Uint8Array[]) => p.hmacSha512(key, ...message),
    ],
  ])("%s agrees with Wycheproof, the message whole or in parts", (_, file, mac) => {
    const tests = wycheproof<{ tagSize: number }, { key: string; msg: string; tag: string }>(file);
    expect(tests).toHaveLength(174);
    for (const test of tests) {
      const message = bytes(test.msg);
      const whole = mac(bytes(test.key), [message]);
      const parts = mac(bytes(test.key), [message.subarray(0, 3), new Uint8Array(0), message.subarray(3)]);
      expect(parts).toEqual(whole);
      // Wycheproof has tags cut to half their length as well.
      const same = p.equal(whole.subarray(0, test.tagSize / 8), bytes(test.tag));
      expect(same, `test ${test.tcId} ${test.comment}`).toBe(test.result === "valid");
    }
  });

  it("HKDF-Expand-SHA-512 agrees with Wycheproof once the test has extracted", () => {
    const tests = wycheproof<object, { ikm: string; salt: string; info: string; size: number; okm: string }>(
      "hkdf_sha512_test.json",
    );
    expect(tests).toHaveLength(83);
    for (const test of tests) {
      // RFC 5869: an absent salt is a hash length of zeros, which HMAC pads to like an empty key.
      const extracted = p.hmacSha512(bytes(test.salt), bytes(test.ikm));
      const okm = () => expand(p, extracted, bytes(test.info), test.size);
      if (test.result === "valid") expect(hex(okm()), `test ${test.tcId} ${test.comment}`).toBe(test.okm);
      else expect(okm).toThrow(RangeError);
    }
  });

  it("scrypt agrees with RFC 7914 and with OpenSSL, over passphrases after NFC", async () => {
    interface Test {
      password: string;
      salt?: string;
      saltHex?: string;
      N: number;
      r: number;
      p: number;
      dkLen: number;
      dk: string;
    }
    const tests = readVectors("scrypt/scrypt.json") as Test[];
    let run = 0;
    for (const test of tests) {
      // One vector needs 1 GiB and seconds.
      if (test.N > 2 ** 17 && process.env.MDCX_LONG === undefined) continue;
      const salt = test.saltHex === undefined ? utf8(test.salt!) : bytes(test.saltHex);
      const key = await p.scrypt(utf8(test.password), salt, { log2n: Math.log2(test.N), r: test.r, p: test.p });
      // The last step is PBKDF2 in blocks of 32 bytes: a longer or shorter key has the same beginning.
      const length = Math.min(32, test.dkLen);
      expect(hex(key.subarray(0, length))).toBe(test.dk.slice(0, 2 * length));
      run++;
    }
    expect(run).toBeGreaterThanOrEqual(tests.length - 1);

    const accents = tests.filter(({ password }) => password.normalize("NFC") === "é");
    const composed = accents.find(({ password }) => password.length === 1)!;
    expect(accents).toHaveLength(2);
    for (const { password, saltHex, dk } of accents) {
      const secret = parseSecret(password);
      const key = await p.scrypt(secret.bytes, bytes(saltHex!), { log2n: 10, r: 8, p: 1 });
      expect(hex(key.subarray(0, 16))).toBe(composed.dk);
      if (password !== composed.password) expect(dk).not.toBe(composed.dk);
    }
  });

  it("compares equal bytes as equal, and bytes of other lengths or values as not", () => {
    expect(p.equal(Uint8Array.of(1, 2), Uint8Array.of(1, 2))).toBe(true);
    expect(p.equal(new Uint8Array(0), new Uint8Array(0))).toBe(true);
    expect(p.equal(Uint8Array.of(1, 2), Uint8Array.of(1, 3))).toBe(false);
    expect(p.equal(Uint8Array.of(0x80), Uint8Array.of(0))).toBe(false);
    expect(p.equal(Uint8Array.of(1, 2), Uint8Array.of(1))).toBe(false);
  });

  it("gives random bytes of the length asked for, twice not the same", () => {
    expect(p.randomBytes(0)).toHaveLength(0);
    expect(p.randomBytes(24)).toHaveLength(24);
    expect(p.randomBytes(24)).not.toEqual(p.randomBytes(24));
  });

  it("gives plain Uint8Arrays, whose slice copies", () => {
    for (const value of [
      p.randomBytes(8),
      p.sha256(),
      p.hmacSha256(new Uint8Array(1)),
      p.aesGcm(new Uint8Array(32)).seal(new Uint8Array(12), new Uint8Array(1)),
    ]) {
      expect(Object.getPrototypeOf(value)).toBe(Uint8Array.prototype);
    }
  });
});

describe("the two implementations", () => {
  const data = (maxLength: number) => fc.uint8Array({ maxLength });
  const of = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

  it("hash the same, whole and in parts", () => {
    fc.assert(
      fc.property(data(200), data(40), data(300), (key, a, b) => {
        expect(node.sha256(a, b)).toEqual(portable.sha256(a, b));
        expect(hex(node.sha256(a, b))).toBe(createHash("sha256").update(a).update(b).digest("hex"));
        expect(node.hmacSha256(key, a, b)).toEqual(portable.hmacSha256(key, a, b));
        expect(node.hmacSha512(key, a, b)).toEqual(portable.hmacSha512(key, a, b));
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  it("seal the same, open what the other sealed, and both refuse any bit changed", () => {
    fc.assert(
      fc.property(of(32), of(12), data(40), data(300), fc.nat(), (key, nonce, aad, plaintext, where) => {
        const [a, b] = [node.aesGcm(key), portable.aesGcm(key)];
        const sealed = a.seal(nonce, plaintext, aad);
        expect(b.seal(nonce, plaintext, aad)).toEqual(sealed);
        expect(a.open(nonce, sealed, aad)).toEqual(plaintext);
        expect(b.open(nonce, sealed, aad)).toEqual(plaintext);
        const bit = where % (sealed.length * 8);
        sealed[bit >> 3]! ^= 1 << (bit & 7);
        expect(a.open(nonce, sealed, aad)).toBeUndefined();
        expect(b.open(nonce, sealed, aad)).toBeUndefined();
      }),
      { seed: 2, numRuns: 200 },
    );
  });

  it("derive the same from a passphrase", async () => {
    await fc.assert(
      fc.asyncProperty(
        data(80),
        of(32),
        fc.record({
          log2n: fc.integer({ min: 10, max: 12 }),
          r: fc.integer({ min: 8, max: 12 }),
          p: fc.integer({ min: 1, max: 4 }),
        }),
        async (passphrase, salt, cost) => {
          expect(await node.scrypt(passphrase, salt, cost)).toEqual(await portable.scrypt(passphrase, salt, cost));
        },
      ),
      { seed: 3, numRuns: 15 },
    );
  });

  it("expand the same", () => {
    fc.assert(
      fc.property(of(32), data(60), fc.integer({ min: 0, max: 300 }), (secret, info, length) => {
        expect(expand(node, secret, info, length)).toEqual(expand(portable, secret, info, length));
      }),
      { seed: 4, numRuns: 100 },
    );
  });
});
