import { MdcxError } from "../errors.js";
import { CHUNK, ChunkOpener, ChunkSealer, SALT, SEALED_PREFIX, TAG } from "./chunked.js";
import { PAGE } from "./pages.js";
import type { Primitives } from "./primitives.js";

export { CHUNK, SEALED_PREFIX } from "./chunked.js";

/** Chunks in a leaf, the unit that is hashed and fetched; fixed by suite 1. */
export const CHUNKS_PER_LEAF = 4;
/** Sealed bytes of a full leaf: 65,600. */
export const LEAF = CHUNKS_PER_LEAF * CHUNK;
/** Bytes of the longest image, 2^36 (64 GiB). */
export const MAX_IMAGE = 2 ** 36;

/** Whether an image may have this length: a positive multiple of 16,384, at most 2^36. */
export function isImageLength(length: number): boolean {
  return Number.isSafeInteger(length) && length > 0 && length <= MAX_IMAGE && length % PAGE === 0;
}

/** Chunks of an image of `length` bytes: one a page, and the last, which is empty. */
export function chunkCount(length: number): number {
  return length / PAGE + 1;
}

/** Bytes of the sealed image: 56 + length + 16 · chunks. */
export function sealedLength(length: number): number {
  return SEALED_PREFIX + length + TAG * chunkCount(length);
}

/** Leaves of the sealed image. */
export function leafCount(length: number): number {
  return Math.ceil(chunkCount(length) / CHUNKS_PER_LEAF);
}

/** Where leaf `i` lies in the sealed image, in bytes: leaf 0 begins with salt and commitment, the last ends with the image. */
export function leafRange(i: number, length: number): { start: number; end: number } {
  return {
    start: i === 0 ? 0 : SEALED_PREFIX + LEAF * i,
    end: Math.min(SEALED_PREFIX + LEAF * (i + 1), sealedLength(length)),
  };
}

/**
 * Seals an image page by page, in order: page *k* is chunk *k*, and the last chunk is always empty. A refused call ends
 * the sealer (spec/container.md: a chunk number is sealed once per file key).
 */
export class ImageSealer {
  private readonly chunks: ChunkSealer;

  /**
   * @param imageKey 32 bytes, derived from a file key that has sealed nothing yet
   * @param claimsDigest C, 32 bytes
   * @param salt 24 bytes; given only to make test vectors
   */
  constructor(p: Primitives, imageKey: Uint8Array, claimsDigest: Uint8Array, salt: Uint8Array = p.randomBytes(SALT)) {
    this.chunks = new ChunkSealer(p, imageKey, claimsDigest, salt);
  }

  /** salt || commitment, the first 56 bytes of the sealed image and of leaf 0. */
  get prefix(): Uint8Array {
    return this.chunks.prefix;
  }

  /** Seals page `number` (16,384 bytes) into 16,400 bytes. */
  sealPage(number: number, page: Uint8Array): Uint8Array {
    return this.chunks.seal(number, page);
  }

  /** The last chunk: 16 bytes of tag. */
  finish(): Uint8Array {
    if (this.chunks.sealed === 0) throw new MdcxError("internal", "An image has at least one page.");
    return this.chunks.finish(new Uint8Array(0));
  }
}

/** Opens the chunks of a sealed image in any order. */
export class ImageOpener {
  private readonly chunks: ChunkOpener;

  /**
   * @param prefix the first 56 bytes of the sealed image
   * @throws MdcxError `bad-commitment`
   */
  constructor(p: Primitives, imageKey: Uint8Array, claimsDigest: Uint8Array, prefix: Uint8Array) {
    this.chunks = new ChunkOpener(p, imageKey, claimsDigest, prefix);
  }

  /**
   * Page `number`, or nothing (0 bytes) for the last chunk. The caller cuts the chunks by the length of the image, so a
   * chunk is 16,400 bytes, and 16 the last.
   *
   * @throws MdcxError `chunk-damaged`
   */
  openChunk(number: number, bytes: Uint8Array): Uint8Array {
    return this.chunks.open(number, bytes);
  }
}
