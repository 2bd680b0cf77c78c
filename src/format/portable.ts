import { gcm } from "@noble/ciphers/aes.js";
import { hmac } from "@noble/hashes/hmac.js";
import { scryptAsync } from "@noble/hashes/scrypt.js";
import { sha256, sha512 } from "@noble/hashes/sha2.js";
import { randomBytes } from "@noble/hashes/utils.js";
import { WebCryptoLeaves, type WebCrypto } from "./web-leaves.js";
import { type Primitives, requireAesKey, requireNonce, scryptMemory } from "./primitives.js";

/**
 * The primitives in plain JavaScript, for browsers and every other platform. They are synchronous because the image is
 * read synchronously (spec/image.md); WebCrypto only promises.
 */
const noble: Primitives = {
  name: "portable",

  randomBytes: (length) => randomBytes(length),

  sha256(...parts) {
    const hash = sha256.create();
    for (const part of parts) hash.update(part);
    return hash.digest();
  },

  hmacSha256(key, ...parts) {
    const mac = hmac.create(sha256, key);
    for (const part of parts) mac.update(part);
    return mac.digest();
  },

  hmacSha512(key, ...parts) {
    const mac = hmac.create(sha512, key);
    for (const part of parts) mac.update(part);
    return mac.digest();
  },

  aesGcm(key) {
    requireAesKey(key);
    return {
      seal(nonce, plaintext, aad, into) {
        requireNonce(nonce);
        return put(gcm(key, nonce, aad).encrypt(plaintext), into);
      },
      open(nonce, sealed, aad, into) {
        requireNonce(nonce);
        let plaintext: Uint8Array;
        try {
          plaintext = gcm(key, nonce, aad).decrypt(sealed);
        } catch {
          return undefined;
        }
        return put(plaintext, into);
      },
    };
  },

  scrypt: (passphrase, salt, cost) =>
    scryptAsync(passphrase, salt, {
      N: 2 ** cost.log2n,
      r: cost.r,
      p: cost.p,
      dkLen: 32,
      maxmem: scryptMemory(cost),
    }),

  equal(a, b) {
    if (a.length !== b.length) return false;
    let difference = 0;
    for (let i = 0; i < a.length; i++) difference |= a[i]! ^ b[i]!;
    return difference === 0;
  },
};

// Pages outside a secure context have no WebCrypto: noble does the leaves then, one after the other.
const subtle = (globalThis as { crypto?: { subtle?: WebCrypto } }).crypto?.subtle;

/** noble, and WebCrypto for leaves by the megabyte where there is one. */
export const primitives: Primitives =
  subtle === undefined ? noble : { ...noble, leafThreads: new WebCryptoLeaves(subtle, (a, b) => noble.equal(a, b)) };

function put(bytes: Uint8Array, into: Uint8Array | undefined): Uint8Array {
  into?.set(bytes);
  return into ?? bytes;
}
