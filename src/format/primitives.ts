import { MdcxError } from "../errors.js";
import type { LeafJob } from "./leaf-run.js";

/** Cost of scrypt (RFC 7914): N = 2^log2n, block size r, parallelism p. */
export interface ScryptCost {
  readonly log2n: number;
  readonly r: number;
  readonly p: number;
}

/** AES-256-GCM (NIST SP 800-38D) under one key: 12-byte nonces, 16-byte tags appended to the ciphertext. */
export interface Aead {
  /**
   * @param into memory for the `plaintext.length + 16` bytes, which is given back, instead of new memory; it may begin
   * where the plaintext does
   */
  seal(nonce: Uint8Array, plaintext: Uint8Array, aad?: Uint8Array, into?: Uint8Array): Uint8Array;
  /**
   * The plaintext, or `undefined` when the tag does not hold; nothing of altered data is ever given out.
   *
   * @param into memory whose beginning takes the plaintext, and which is given back, instead of new memory; it may be
   * `sealed` itself
   */
  open(nonce: Uint8Array, sealed: Uint8Array, aad?: Uint8Array, into?: Uint8Array): Uint8Array | undefined;
}

/**
 * The cryptographic primitives that the format stands on. Two implementations give the same bytes: Node's own crypto
 * (`src/node/primitives.ts`) and noble (`src/format/portable.ts`) for browsers. All lengths are in bytes.
 */
export interface Primitives {
  readonly name: "node" | "portable";
  randomBytes(length: number): Uint8Array;
  /** SHA-256 of the parts, concatenated. */
  sha256(...parts: readonly Uint8Array[]): Uint8Array;
  hmacSha256(key: Uint8Array, ...parts: readonly Uint8Array[]): Uint8Array;
  hmacSha512(key: Uint8Array, ...parts: readonly Uint8Array[]): Uint8Array;
  /** @param key 32 bytes */
  aesGcm(key: Uint8Array): Aead;
  /** 32 bytes. The caller has checked the cost against its caps. */
  scrypt(passphrase: Uint8Array, salt: Uint8Array, cost: ScryptCost): Promise<Uint8Array>;
  /** Compares without telling by its time where the two differ; false for different lengths. */
  equal(a: Uint8Array, b: Uint8Array): boolean;
  /** Several threads for leaves by the megabyte; absent where there is only one. */
  readonly leafThreads?: LeafThreads;
}

/**
 * Works on the leaves of a job side by side. Hashing costs as much as encrypting, so that one thread that does both
 * reaches half of what AES-GCM alone does.
 */
export interface LeafThreads {
  /** Memory that all threads see; a job in other memory is done by one. */
  allocate(length: number): Uint8Array;
  /** One outcome a leaf, as `LeafWorker` gives them. */
  run(job: LeafJob): Promise<Uint8Array>;
}

/** Holds both implementations to the sizes of the suite; noble would take nonces of other lengths. */
export function requireAesKey(key: Uint8Array): void {
  if (key.length !== 32) throw new MdcxError("internal", `An AES-256-GCM key has 32 bytes, not ${key.length}.`);
}
export function requireNonce(nonce: Uint8Array): void {
  if (nonce.length !== 12) throw new MdcxError("internal", `An AES-GCM nonce has 12 bytes here, not ${nonce.length}.`);
}

/** Bytes that scrypt needs at this cost, as OpenSSL counts them: 128 · r · (N + p + 2). */
export function scryptMemory({ log2n, r, p }: ScryptCost): number {
  return 128 * r * (2 ** log2n + p + 2);
}
