import { ed25519 } from "@noble/curves/ed25519.js";

/**
 * Ed25519 (RFC 8032) by one implementation on every platform: of the 914 edge cases of C2SP's CCTV, Node and noble
 * decide 248 differently, and a signature that holds in one reader and not in another is worse than none.
 */

/** Bytes of a public key and of a signature. */
export const PUBLIC_KEY = 32;
export const SIGNATURE = 64;

/** The 32-byte public key of a 32-byte secret key. */
export function publicKeyOf(secretKey: Uint8Array): Uint8Array {
  return ed25519.getPublicKey(secretKey);
}

/** The 64-byte signature of the message; the same message and key give the same signature. */
export function sign(secretKey: Uint8Array, message: Uint8Array): Uint8Array {
  return ed25519.sign(message, secretKey);
}

/**
 * Whether the signature holds, by a rule under which the two readings of RFC 8032 (with and without the cofactor) are
 * one: S is under the group order; key and R are canonical encodings of points of the prime-order subgroup; the key is
 * not the identity; the equation holds.
 */
export function verifySignature(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== PUBLIC_KEY || signature.length !== SIGNATURE) return false;
  // Decodes canonical encodings only, refuses S out of range and keys of small order, the identity among them.
  if (!ed25519.verify(signature, message, publicKey, { zip215: false })) return false;
  return isTorsionFree(publicKey) && isTorsionFree(signature.subarray(0, 32));
}

function isTorsionFree(encoded: Uint8Array): boolean {
  return ed25519.Point.fromBytes(encoded, false).isTorsionFree();
}
