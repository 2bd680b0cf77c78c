/**
 * Where the bytes of a package come from: the one interface behind which all reading of packages sits.
 * A local file and bytes in memory read at once (`readNow`); a remote source reads only by promise.
 */
export interface Source {
  /** What to call it in messages: a file name or an address, never an absolute path of this machine. */
  readonly name: string;
  /** Bytes in the whole file. */
  readonly length: number;
  /** Exactly `length` bytes from `offset`; rejects with `MdcxError("io")` where there are fewer. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /**
   * The same without waiting; absent where the source cannot (HTTP).
   * @param into bytes that nobody needs any more, of that length: the source may read into them instead of new ones
   */
  readNow?(offset: number, length: number, into?: Uint8Array): Uint8Array;
  close(): Promise<void>;
}
