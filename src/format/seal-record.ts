import { MdcxError } from "../errors.js";
import { CHUNKS_PER_LEAF, isImageLength } from "./seal.js";

/** Bytes of a seal record. */
export const SEAL_RECORD = 44;
/** The one suite of format version 2: it fixes every algorithm and size of the container; nothing is negotiated. */
const SUITE = 1;

/** What the seal record says: u8 suite, u8 chunks a leaf, u16 zero, u64 image length, 32 bytes root. */
export interface SealRecord {
  /** Length of the image in bytes: a positive multiple of 16,384, at most 2^36. */
  readonly imageLength: number;
  /** H("mdcx/2 leaves", table), 32 bytes: the identity of the image. */
  readonly root: Uint8Array;
}

/** The 44 bytes of a seal record. */
export function writeSealRecord(record: SealRecord): Uint8Array {
  const bytes = new Uint8Array(SEAL_RECORD);
  bytes.set([SUITE, CHUNKS_PER_LEAF]);
  new DataView(bytes.buffer).setBigUint64(4, BigInt(record.imageLength), true);
  bytes.set(record.root, 12);
  return bytes;
}

/**
 * The image length that 44 bytes of a seal record state, refused unless it is within the limits. It is read apart from
 * the rest because the length of the file is checked with it, before anything of its size is allocated.
 */
export function readImageLength(bytes: Uint8Array, name: string): number {
  const length = new DataView(bytes.buffer, bytes.byteOffset, SEAL_RECORD).getBigUint64(4, true);
  // As BigInt until it is known to be small: 2^64 - 1 as a double is another number.
  if (length > BigInt(Number.MAX_SAFE_INTEGER) || !isImageLength(Number(length))) {
    throw new MdcxError(
      "bad-length",
      `${name} states an image of ${length} bytes, which no package has: the file is damaged.`,
    );
  }
  return Number(length);
}

/** Refuses a seal record of another suite, another leaf size or with its reserved bytes set. */
export function requireSuite(bytes: Uint8Array, name: string): void {
  const [suite, chunksPerLeaf, reservedLow, reservedHigh] = bytes;
  if (suite !== SUITE || chunksPerLeaf !== CHUNKS_PER_LEAF || reservedLow !== 0 || reservedHigh !== 0) {
    throw new MdcxError(
      "bad-suite",
      `${name} is sealed with suite ${suite ?? 0} and ${chunksPerLeaf ?? 0} chunks a leaf, which this reader does not know.`,
    );
  }
}
