import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from "node:crypto";
import { type Primitives, requireAesKey, requireNonce, scryptMemory } from "../format/primitives.js";
import { WorkerThreads } from "./leaf-threads.js";

const TAG = 16;
const ALGORITHM = "aes-256-gcm";
const OPTIONS = { authTagLength: TAG };

/** The primitives by Node's own crypto (OpenSSL). They give the same bytes as `src/format/portable.ts`. */
export const primitives: Primitives = {
  name: "node",

  randomBytes: (length) => plain(randomBytes(length)),

  sha256(...parts) {
    const hash = createHash("sha256");
    for (const part of parts) hash.update(part);
    return plain(hash.digest());
  },

  hmacSha256: (key, ...parts) => hmac("sha256", key, parts),

  hmacSha512: (key, ...parts) => hmac("sha512", key, parts),

  aesGcm(key) {
    requireAesKey(key);
    return {
      seal(nonce, plaintext, aad, into) {
        requireNonce(nonce);
        const cipher = createCipheriv(ALGORITHM, key, nonce, OPTIONS);
        if (aad !== undefined) cipher.setAAD(aad);
        const sealed = into ?? new Uint8Array(plaintext.length + TAG);
        sealed.set(cipher.update(plaintext));
        cipher.final();
        sealed.set(cipher.getAuthTag(), plaintext.length);
        return sealed;
      },
      open(nonce, sealed, aad, into) {
        requireNonce(nonce);
        const length = sealed.length - TAG;
        if (length < 0) return undefined;
        const decipher = createDecipheriv(ALGORITHM, key, nonce, OPTIONS);
        decipher.setAuthTag(sealed.subarray(length));
        if (aad !== undefined) decipher.setAAD(aad);
        const plaintext = decipher.update(sealed.subarray(0, length));
        try {
          decipher.final();
        } catch {
          return undefined;
        }
        if (into === undefined) return plain(plaintext);
        into.set(plaintext);
        return into;
      },
    };
  },

  scrypt: (passphrase, salt, cost) =>
    new Promise((resolve, reject) => {
      const options = { N: 2 ** cost.log2n, r: cost.r, p: cost.p, maxmem: scryptMemory(cost) };
      scrypt(passphrase, salt, 32, options, (error, key) => {
        if (error === null) resolve(plain(key));
        else reject(error);
      });
    }),

  leafThreads: new WorkerThreads(() => primitives),

  equal: (a, b) => a.length === b.length && timingSafeEqual(a, b),
};

function hmac(hash: "sha256" | "sha512", key: Uint8Array, parts: readonly Uint8Array[]): Uint8Array {
  const mac = createHmac(hash, key);
  for (const part of parts) mac.update(part);
  return plain(mac.digest());
}

/** A Buffer as what the format's code expects: `slice` of a Uint8Array copies, that of a Buffer does not. */
function plain(buffer: Buffer): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length);
}
