import fc from "fast-check";
import { generateKeyPairSync, sign as nodeSign, verify as nodeVerify } from "node:crypto";
import { describe, expect, it } from "vitest";
import { publicKeyOf, sign, verifySignature } from "../../src/format/signature.js";
import { bytes, hex, readVectors, wycheproof } from "./vectors.js";

/** Order of the prime-order subgroup, RFC 8032. */
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

describe("Wycheproof's signatures", () => {
  const tests = wycheproof<{ publicKey: { pk: string } }, { msg: string; sig: string }>("ed25519_test.json");

  it("are accepted where they are valid and refused where they are not", () => {
    expect(tests).toHaveLength(151);
    for (const test of tests) {
      const verdict = verifySignature(bytes(test.publicKey.pk), bytes(test.msg), bytes(test.sig));
      expect(verdict, `test ${test.tcId} ${test.comment}`).toBe(test.result === "valid");
    }
  });
});

describe("CCTV's edge cases", () => {
  /**
   * What the rule of spec/container.md refuses, by CCTV's own flags:
   * - a key or R with a component of small order: not in the prime-order subgroup;
   * - a key of small order: the identity is the only one of them without such a component;
   * - a key or R in a second encoding;
   * - a residue of small order: the equation without the cofactor does not hold.
   *
   * `low_order_R` alone is R = identity, a member of the prime-order subgroup: accepted. `reencoded_k` comes only
   * together with a second encoding.
   */
  const REFUSED = [
    "low_order_A",
    "low_order_component_A",
    "low_order_component_R",
    "non_canonical_A",
    "non_canonical_R",
    "low_order_residue",
  ];
  const tests = readVectors("cctv-ed25519/ed25519vectors.json") as {
    number: number;
    key: string;
    sig: string;
    msg: string;
    flags: string[] | null;
  }[];

  it("get the verdict of the rule, all 914", () => {
    expect(tests).toHaveLength(914);
    const accepted: string[][] = [];
    for (const { number, key, sig, msg, flags } of tests) {
      const expected = !(flags ?? []).some((flag) => REFUSED.includes(flag));
      const verdict = verifySignature(bytes(key), new TextEncoder().encode(msg), bytes(sig));
      expect(verdict, `vector ${number}: ${String(flags)}`).toBe(expected);
      if (verdict) accepted.push(flags ?? []);
    }
    expect(accepted.sort()).toEqual([[], ["low_order_R"]]);
  });
});

describe("a signature", () => {
  const secretKey = bytes("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60");
  const publicKey = bytes("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");

  it("is that of RFC 8032, section 7.1", () => {
    expect(publicKeyOf(secretKey)).toEqual(publicKey);
    const signature = sign(secretKey, new Uint8Array(0));
    expect(hex(signature)).toBe(
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    );
    expect(verifySignature(publicKey, new Uint8Array(0), signature)).toBe(true);
  });

  it("holds for its key and message, agrees with Node's, and with no other bit", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(), (message, where) => {
        const { privateKey, publicKey } = generateKeyPairSync("ed25519");
        const seed = Uint8Array.from(Buffer.from(privateKey.export({ format: "jwk" }).d!, "base64url"));
        const key = publicKeyOf(seed);
        const signature = sign(seed, message);
        expect(hex(signature)).toBe(nodeSign(null, message, privateKey).toString("hex"));
        expect(nodeVerify(null, message, publicKey, signature)).toBe(true);
        expect(verifySignature(key, message, signature)).toBe(true);
        const altered = [key, message, signature].filter(({ length }) => length > 0);
        for (const part of altered) {
          const bit = where % (part.length * 8);
          part[bit >> 3]! ^= 1 << (bit & 7);
          expect(verifySignature(key, message, signature)).toBe(false);
          part[bit >> 3]! ^= 1 << (bit & 7);
        }
      }),
      { seed: 1, numRuns: 25 },
    );
  });

  it("is refused with the group order added to S, which the equation alone would accept", () => {
    const message = new TextEncoder().encode("mdcx");
    const signature = sign(secretKey, message);
    const s = BigInt(`0x${hex(signature.slice(32).reverse())}`) + ORDER;
    const larger = Uint8Array.from([...signature.slice(0, 32), ...bytes(s.toString(16).padStart(64, "0")).reverse()]);
    expect(verifySignature(publicKey, message, signature)).toBe(true);
    expect(verifySignature(publicKey, message, larger)).toBe(false);
  });

  it("is refused, not thrown at, when key or signature have the wrong length or are no points", () => {
    const signature = sign(secretKey, new Uint8Array(0));
    expect(verifySignature(publicKey.slice(1), new Uint8Array(0), signature)).toBe(false);
    expect(verifySignature(publicKey, new Uint8Array(0), signature.slice(1))).toBe(false);
    expect(verifySignature(publicKey, new Uint8Array(0), new Uint8Array(64))).toBe(false);
    expect(verifySignature(new Uint8Array(32).fill(0xff), new Uint8Array(0), signature)).toBe(false);
    expect(verifySignature(new Uint8Array(32), new Uint8Array(0), new Uint8Array(64))).toBe(false);
  });
});
