import { concatBytes } from "@noble/hashes/utils.js";
import { MdcxError } from "../errors.js";
import { labelled, X } from "./derive.js";
import type { Aead, Primitives } from "./primitives.js";

/**
 * C2SP chunked encryption (https://c2sp.org/chunked-encryption) with AES-256-GCM and HKDF-Expand-SHA-512:
 * salt (24) || commitment (32) || chunks. Every chunk but the last holds 16,384 bytes and its tag; the last one is
 * always shorter, and empty where the message is a multiple of 16,384 bytes, so a cut at a chunk's edge shows.
 */
const SUITE = "c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM";

/** Plaintext bytes of a full chunk. */
export const CHUNK_PLAINTEXT = 16_384;
/** Bytes of an AES-GCM tag. */
export const TAG = 16;
/** Sealed bytes of a full chunk. */
export const CHUNK = CHUNK_PLAINTEXT + TAG;
/** Bytes of the salt. */
export const SALT = 24;
/** Bytes before the first chunk: salt and commitment. */
export const SEALED_PREFIX = SALT + 32;

/** What seals and opens the chunks of one message: secret, and good for that message only. */
export interface ChunkKeys {
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** The base nonce, 12 bytes. */
  readonly nonce: Uint8Array;
}

/** Nonce of chunk `number`: the base nonce XOR the number as 12 bytes, big-endian. The number is under 2^32. */
export function chunkNonce(base: Uint8Array, number: number): Uint8Array {
  // Not `slice`: that of a Buffer is a view, and every chunk would change the base of the next.
  const nonce = new Uint8Array(base);
  nonce[8]! ^= number >>> 24;
  nonce[9]! ^= number >>> 16;
  nonce[10]! ^= number >>> 8;
  nonce[11]! ^= number;
  return nonce;
}

/** Key, base nonce and commitment of one sealed message. */
export function deriveChunkKey(p: Primitives, key: Uint8Array, context: Uint8Array, salt: Uint8Array) {
  return X(p, key, labelled(SUITE, salt, context));
}

/**
 * Seals one message, chunk by chunk, in order. A nonce that is used twice under one key gives both plaintexts away and
 * lets anyone forge, so a chunk number is sealed once; after an error nothing more is: begin anew with a new key.
 */
export class ChunkSealer {
  /** salt || commitment: the 56 bytes that stand before the chunks. */
  readonly prefix: Uint8Array;
  private readonly aead: Aead;
  private readonly keys: ChunkKeys;
  private next = 0;
  private state: "open" | "finished" | "failed" = "open";

  /**
   * @param key 32 bytes
   * @param context bound into the keys, not stored
   * @param salt 24 random bytes, never used before under this key
   */
  constructor(p: Primitives, key: Uint8Array, context: Uint8Array, salt: Uint8Array) {
    if (salt.length !== SALT) throw new MdcxError("internal", `The salt must be ${SALT} bytes, not ${salt.length}.`);
    const derived = deriveChunkKey(p, key, context, salt);
    this.prefix = concatBytes(salt, derived.commitment);
    this.aead = p.aesGcm(derived.key);
    this.keys = derived;
  }

  /** Chunks sealed so far, and so the number that must come next. */
  get sealed(): number {
    return this.next;
  }

  /** Seals a full chunk: 16,384 bytes in, 16,400 out. */
  seal(number: number, plaintext: Uint8Array): Uint8Array {
    this.take(number, number + 1, plaintext.length === CHUNK_PLAINTEXT);
    return this.encrypt(number, plaintext);
  }

  /** Seals the last chunk, of 0 to 16,383 bytes. */
  finish(rest: Uint8Array): Uint8Array {
    const number = this.next;
    this.take(number, number + 1, rest.length < CHUNK_PLAINTEXT);
    const sealed = this.encrypt(number, rest);
    this.state = "finished";
    return sealed;
  }

  /**
   * Hands the chunks from `first` to `end` to `work`, which seals each of them once; `last` when the last chunk of the
   * message is among them.
   */
  async sealRun(first: number, end: number, last: boolean, work: (keys: ChunkKeys) => Promise<void>): Promise<void> {
    this.take(first, end, first < end);
    if (last) this.state = "finished";
    try {
      await work(this.keys);
    } catch (error) {
      this.state = "failed";
      throw error;
    }
  }

  private take(number: number, end: number, fits: boolean): void {
    if (this.state === "open" && number === this.next && fits) {
      // Counted before the cipher is touched: a chunk that failed half way is not sealed a second time.
      this.next = end;
      return;
    }
    const why =
      this.state !== "open"
        ? `the sealer has ${this.state}`
        : fits
          ? `chunk ${number} was asked for where ${this.next} is next`
          : `chunk ${number} has the wrong length`;
    this.state = this.state === "finished" ? "finished" : "failed";
    throw new MdcxError("internal", `The image cannot be sealed: ${why}. Begin anew with a new file key.`);
  }

  private encrypt(number: number, plaintext: Uint8Array): Uint8Array {
    try {
      return this.aead.seal(chunkNonce(this.keys.nonce, number), plaintext);
    } catch (error) {
      this.state = "failed";
      throw error;
    }
  }
}

/** Opens the chunks of one sealed message in any order. */
export class ChunkOpener {
  /** For whoever opens many chunks at once. */
  readonly keys: ChunkKeys;
  private readonly aead: Aead;

  /**
   * Checks the commitment before any chunk is touched.
   *
   * @param prefix the 56 bytes before the chunks
   * @throws MdcxError `bad-commitment`
   */
  constructor(p: Primitives, key: Uint8Array, context: Uint8Array, prefix: Uint8Array) {
    if (prefix.length !== SEALED_PREFIX) {
      throw new MdcxError("bad-length", `The sealed image is shorter than its first ${SEALED_PREFIX} bytes.`);
    }
    const derived = deriveChunkKey(p, key, context, prefix.subarray(0, SALT));
    if (!p.equal(derived.commitment, prefix.subarray(SALT))) {
      throw new MdcxError("bad-commitment", "The sealed image was not made with the key of this package.");
    }
    this.aead = p.aesGcm(derived.key);
    this.keys = derived;
  }

  /**
   * The plaintext of one chunk of 16 to 16,400 bytes.
   *
   * @throws MdcxError `chunk-damaged`
   */
  open(number: number, sealed: Uint8Array): Uint8Array {
    const plaintext = sealed.length > CHUNK ? undefined : this.aead.open(chunkNonce(this.keys.nonce, number), sealed);
    if (plaintext === undefined) {
      throw new MdcxError("chunk-damaged", `Chunk ${number} of the image is damaged: get the file again.`);
    }
    return plaintext;
  }
}
