import { ed25519 } from "@noble/curves/ed25519.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes } from "@noble/hashes/utils.js";
import { digestClaims, signedMessage } from "../../../src/format/head.js";
import { sign } from "../../../src/format/signature.js";
import { primitives } from "../../../src/node/primitives.js";
import { editClaims, flip, putTogether, redigest, takeApart, type Parts } from "../forge.js";
import { everywhere, type Refusal } from "./refusal.js";
import { ISSUER_SECRET_KEY, testBytes } from "./world.js";

const group = "signature";
const { Point } = ed25519;
const ORDER = Point.Fn.ORDER;
/** A point of order 8. */
const TORSION = Point.fromBytes(hexToBytes("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"), true);
const IDENTITY = "0100000000000000000000000000000000000000000000000000000000000000";

function messageOf(parts: Parts): Uint8Array {
  return signedMessage(digestClaims(primitives, parts.claims), parts.sealRecord);
}

function withSignature(id: string, why: string, signature: (parts: Parts) => Uint8Array): Refusal {
  return {
    id,
    group,
    why,
    base: "signed",
    expect: everywhere("bad-signature"),
    make: ({ signed }) => {
      const parts = takeApart(signed.bytes);
      return putTogether(redigest({ ...parts, signature: signature(parts) }));
    },
  };
}

/** The claims name this key, and the signature is made for claims and seal record as they then are. */
function withKey(id: string, why: string, key: string, signature: (parts: Parts) => Uint8Array): Refusal {
  return {
    id,
    group,
    why,
    base: "signed",
    expect: everywhere("bad-signature"),
    make: ({ signed }) => {
      const parts = editClaims(takeApart(signed.bytes), (text) =>
        text.replace(/"public_key":"[^"]+"/, `"public_key":"${key}"`),
      );
      return putTogether(redigest({ ...parts, signature: signature(parts) }));
    },
  };
}

function scalar(bytes: Uint8Array): bigint {
  return Point.Fn.create(BigInt(`0x${bytesToHex(bytes.slice().reverse())}`));
}

function littleEndian(value: bigint): Uint8Array {
  return hexToBytes(value.toString(16).padStart(64, "0")).reverse();
}

/** A signature whose equation holds only when multiplied by the cofactor: torsion in the key, in R, or in both. */
function mixedSignature(
  message: Uint8Array,
  torsionInKey: boolean,
  torsionInR: boolean,
): { key: Uint8Array; signature: Uint8Array } {
  const a = scalar(testBytes("mixed-order key"));
  const r = scalar(testBytes("mixed-order nonce"));
  const plainKey = Point.BASE.multiply(a);
  const plainR = Point.BASE.multiply(r);
  const key = (torsionInKey ? plainKey.add(TORSION) : plainKey).toBytes();
  const R = (torsionInR ? plainR.add(TORSION) : plainR).toBytes();
  const k = scalar(sha512(concatBytes(R, key, message)));
  return { key, signature: concatBytes(R, littleEndian(Point.Fn.create(r + k * a))) };
}
const MIXED_KEY = bytesToHex(mixedSignature(new Uint8Array(0), true, false).key);
const PLAIN_KEY = bytesToHex(mixedSignature(new Uint8Array(0), false, false).key);
/** R the identity and S zero: with a key of small order the equation holds for every message, times the cofactor. */
const universal = (): Uint8Array => concatBytes(hexToBytes(IDENTITY), new Uint8Array(32));

const refusals: readonly Refusal[] = [
  withSignature("s-plus-order", "S has the group order added.", ({ signature }) => {
    const s = BigInt(`0x${bytesToHex(signature.slice(32).reverse())}`);
    return concatBytes(signature.subarray(0, 32), littleEndian(s + ORDER));
  }),
  withSignature("flipped", "A bit of the signature is flipped and the head digest made right.", ({ signature }) =>
    flip(signature, 3),
  ),
  withSignature(
    "zeros-under-key",
    "The signature is zeros though the claims name a key: a removed signature.",
    () => new Uint8Array(64),
  ),
  withSignature("other-key", "The signature is right, but by another key.", (parts) =>
    sign(testBytes("insider"), messageOf(parts)),
  ),
  withSignature("other-claims", "The signature covers other claims.", (parts) =>
    sign(ISSUER_SECRET_KEY, signedMessage(testBytes("other claims"), parts.sealRecord)),
  ),
  withSignature("other-root", "The signature covers a seal record with another root.", (parts) =>
    sign(ISSUER_SECRET_KEY, signedMessage(digestClaims(primitives, parts.claims), flip(parts.sealRecord, 20))),
  ),
  withSignature("no-domain", "The signature covers claims digest and seal record without the domain string.", (parts) =>
    sign(ISSUER_SECRET_KEY, concatBytes(digestClaims(primitives, parts.claims), parts.sealRecord)),
  ),
  withSignature(
    "version-1-replayed",
    "The signature covers the bytes of the claims themselves, as version 1 signed its header.",
    (parts) => sign(ISSUER_SECRET_KEY, parts.claims),
  ),
  withSignature("non-canonical-r", "R is encoded with its y above the field's prime.", (parts) =>
    concatBytes(hexToBytes(`ee${"ff".repeat(30)}7f`), parts.signature.subarray(32)),
  ),
  {
    id: "signature-without-key",
    group,
    why: "A signature stands where the claims name no key.",
    base: "unsigned",
    expect: everywhere("bad-signature"),
    make: ({ unsigned }) => {
      const parts = takeApart(unsigned.bytes);
      return putTogether(redigest({ ...parts, signature: sign(ISSUER_SECRET_KEY, messageOf(parts)) }));
    },
  },
  withKey("key-identity", "The key is the identity; R the identity, S zero.", IDENTITY, universal),
  withKey("key-order-2", "The key has order 2; R the identity, S zero.", `ec${"ff".repeat(30)}7f`, universal),
  withKey("key-order-4", "The key has order 4; R the identity, S zero.", "00".repeat(32), universal),
  withKey("key-order-8", "The key has order 8; R the identity, S zero.", bytesToHex(TORSION.toBytes()), universal),
  withKey(
    "key-non-canonical",
    "The key is the identity with its y above the prime.",
    `ee${"ff".repeat(30)}7f`,
    universal,
  ),
  withKey("key-not-a-point", "The key decodes to no point.", `02${"00".repeat(31)}`, universal),
  withKey(
    "key-mixed-order",
    "The key has a part of order 8; the equation holds times the cofactor.",
    MIXED_KEY,
    (parts) => mixedSignature(messageOf(parts), true, false).signature,
  ),
  withKey(
    "r-mixed-order",
    "R has a part of order 8; the equation holds times the cofactor.",
    PLAIN_KEY,
    (parts) => mixedSignature(messageOf(parts), false, true).signature,
  ),
];

export const signatureRefusals: readonly Refusal[] = refusals.map((refusal) => ({
  ...refusal,
  id: refusal.id.startsWith("signature") ? refusal.id : `signature-${refusal.id}`,
}));
