/**
 * A place outside memory for what does not fit into it while a package is made. Whoever provides one sees to it that nothing
 * can be read there: it takes plaintext.
 */
export interface Overflow {
  /** Bytes of pages, and of a word index in the making, that may stay in memory. */
  readonly room: number;
  /**
   * Keeps a copy of `bytes`.
   *
   * @param place an earlier one, of as many bytes, that is needed no more
   * @returns where they are, for {@link get}
   * @throws MdcxError `io`, with no room left for one
   */
  put(bytes: Uint8Array, place?: number): number;
  /** The bytes of a place, in memory of their own. */
  get(place: number): Uint8Array;
}
