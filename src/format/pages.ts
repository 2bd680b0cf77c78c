/** Bytes of one page of the image, which is one chunk of the sealed image. */
export const PAGE = 16_384;

/** The decrypted image as the image reader sees it: pages, checked before they are given out. */
export interface PageReader {
  /** Bytes in the image: a positive multiple of PAGE. */
  readonly length: number;
  /**
   * `count` pages from page `first`, decrypted. Throws `MdcxError("leaf-damaged" | "chunk-damaged")`, and `NotHereYet`
   * where the source is remote and the bytes have not come.
   */
  readPages(first: number, count: number): Uint8Array;
  /** Throws `NotHereYet` for all of these pages that have not come, together. Not there where every page can be read at once. */
  readonly want?: ((pages: readonly number[]) => void) | undefined;
  /** How many distinct chunks have been decrypted so far, for measuring. */
  readonly chunksDecrypted: number;
}

/** A finished, immutable image on its way into a package. Pages are taken once, in order. */
export interface PageProducer {
  /** Bytes in the image: a positive multiple of PAGE. */
  readonly length: number;
  /** Page `number` (PAGE bytes). The producer may let the page go afterwards: each is asked for once, in order. */
  takePage(number: number): Uint8Array;
}
