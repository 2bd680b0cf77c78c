/** A run of bytes in the image, stored in pieces of one page each and read by range. */
export interface ByteStream {
  /** Bytes in the stream. */
  readonly length: number;
  /** The bytes from `start` (inclusive) to `end` (exclusive). The caller must not write into them. */
  read(start: number, end: number): Uint8Array;
  /**
   * Says what will be read next, so that a remote source brings all of it in one round trip. Does nothing where bytes can be
   * read at once; throws `NotHereYet` for all that is missing together.
   */
  readonly want?: ((ranges: readonly ByteRange[]) => void) | undefined;
}

/** Bytes from `start` (inclusive) to `end` (exclusive). */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The streams of an image; the number is the one stored (spec/image.md). */
export const STREAMS = { text: 1, dictionary: 2, postings: 3, lengths: 4, codes: 5, halves: 6 } as const;
export type StreamName = keyof typeof STREAMS;
