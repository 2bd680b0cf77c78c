import { CHUNK, SEALED_PREFIX, TAG } from "./chunked.js";
import { PAGE } from "./pages.js";

/** Chunks in a leaf, the unit that is hashed and fetched; fixed by suite 1. */
export const CHUNKS_PER_LEAF = 4;
/** Sealed bytes of a full leaf: 65,600. */
export const LEAF = CHUNKS_PER_LEAF * CHUNK;
/** Bytes of the longest image, 2^36 (64 GiB). */
export const MAX_IMAGE = 2 ** 36;

/** From `start` (inclusive) to `end` (exclusive). */
export interface Range {
  readonly start: number;
  readonly end: number;
}

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
export function leafRange(i: number, length: number): Range {
  return {
    start: i === 0 ? 0 : SEALED_PREFIX + LEAF * i,
    end: Math.min(SEALED_PREFIX + LEAF * (i + 1), sealedLength(length)),
  };
}

/** The numbers of the chunks in leaf `i`. */
export function leafChunks(i: number, length: number): Range {
  const start = CHUNKS_PER_LEAF * i;
  return { start, end: Math.min(start + CHUNKS_PER_LEAF, chunkCount(length)) };
}

/** Where chunk `number` lies in the sealed image, in bytes. */
export function chunkRange(number: number, length: number): Range {
  const start = SEALED_PREFIX + CHUNK * number;
  return { start, end: Math.min(start + CHUNK, sealedLength(length)) };
}
