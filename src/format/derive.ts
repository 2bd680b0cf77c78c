import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Primitives } from "./primitives.js";

const ZERO = new Uint8Array(1);

/** `text` || 0x00, the way in which every label of the format is set off from what follows. The text is ASCII. */
export function labelled(text: string, ...parts: readonly Uint8Array[]): Uint8Array {
  return concatBytes(utf8ToBytes(text), ZERO, ...parts);
}

/** H(label, x…) of spec/container.md: SHA-256(label || 0x00 || x…), 32 bytes. */
export function H(p: Pick<Primitives, "sha256">, label: string, ...parts: readonly Uint8Array[]): Uint8Array {
  return p.sha256(labelled(label), ...parts);
}

/**
 * HKDF-Expand-SHA-512 (RFC 5869, section 2.3). There is no Extract: `secret` is uniformly random already and is the
 * HMAC key itself. (`hkdf` of Node and HKDF of WebCrypto extract first and give other bytes.)
 *
 * @param secret 32 bytes
 * @param length bytes wanted, at most 255 · 64
 */
export function expand(
  p: Pick<Primitives, "hmacSha512">,
  secret: Uint8Array,
  info: Uint8Array | string,
  length: number,
): Uint8Array {
  const infoBytes = typeof info === "string" ? utf8ToBytes(info) : info;
  const blocks = Math.ceil(length / 64);
  if (blocks > 255) throw new RangeError(`HKDF-Expand gives at most ${255 * 64} bytes, not ${length}`);
  const output = new Uint8Array(blocks * 64);
  let previous: Uint8Array = new Uint8Array(0);
  for (let i = 0; i < blocks; i++) {
    previous = p.hmacSha512(secret, previous, infoBytes, Uint8Array.of(i + 1));
    output.set(previous, i * 64);
  }
  return output.slice(0, length);
}

/** What {@link X} derives: an AES-256-GCM key, a nonce, and a commitment to the key that is stored beside the ciphertext. */
export interface CommittedKey {
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** 12 bytes. */
  readonly nonce: Uint8Array;
  /** 32 bytes. AES-GCM does not commit to its key: without this one ciphertext could open under two keys. */
  readonly commitment: Uint8Array;
}

/** X(secret, info) of spec/container.md: 76 bytes of {@link expand}, cut into key, nonce and commitment. */
export function X(p: Pick<Primitives, "hmacSha512">, secret: Uint8Array, info: Uint8Array): CommittedKey {
  const bytes = expand(p, secret, info, 76);
  return { key: bytes.slice(0, 32), nonce: bytes.slice(32, 44), commitment: bytes.slice(44, 76) };
}
