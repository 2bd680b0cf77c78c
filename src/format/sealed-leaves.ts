import { MdcxError } from "../errors.js";
import type { Head } from "./head.js";
import { LEAF_DIGEST, leafDigest } from "./leaves.js";
import type { Primitives } from "./primitives.js";
import { CHUNK, chunkCount, CHUNKS_PER_LEAF, leafRange, SEALED_PREFIX, sealedLength } from "./seal.js";
import type { Source } from "./source.js";

/** Leaves read at once when the whole image is read: about one MiB. */
const LEAVES_PER_READ = 16;

/** Refuses the bytes of leaf `number` unless they give the digest in the table. */
export function requireLeaf(p: Primitives, head: Head, number: number, bytes: Uint8Array): void {
  const expected = head.table.subarray(LEAF_DIGEST * number, LEAF_DIGEST * (number + 1));
  if (p.equal(leafDigest(p, number, bytes), expected)) return;
  throw new MdcxError(
    "leaf-damaged",
    `${head.name} is damaged or was changed at leaf ${number} of its image: get the file again.`,
  );
}

/** Where leaf `number` stands in the file. */
export function leafInFile(head: Head, number: number): { readonly offset: number; readonly length: number } {
  const { start, end } = leafRange(number, head.imageLength);
  return { offset: head.sealedStart + start, length: end - start };
}

/** The bytes of chunk `number` within the bytes of its leaf. */
export function chunkInLeaf(head: Head, number: number, leafBytes: Uint8Array): Uint8Array {
  const { start } = leafRange(Math.floor(number / CHUNKS_PER_LEAF), head.imageLength);
  const from = SEALED_PREFIX + CHUNK * number;
  const to = Math.min(from + CHUNK, sealedLength(head.imageLength));
  return leafBytes.subarray(from - start, to - start);
}

/** The numbers of the chunks of leaf `number`. */
export function chunksOfLeaf(head: Head, number: number): { readonly first: number; readonly end: number } {
  const first = CHUNKS_PER_LEAF * number;
  return { first, end: Math.min(first + CHUNKS_PER_LEAF, chunkCount(head.imageLength)) };
}

/** Some leaves that follow one another, every one of them checked against the table. */
export interface CheckedLeaves {
  readonly first: number;
  /** The leaves as they stand in the file. */
  readonly bytes: Uint8Array;
  /** One view into `bytes` a leaf. */
  readonly leaves: readonly Uint8Array[];
}

/** Reads the whole sealed image once, in bounded memory, and gives out only what has been checked. */
export async function* readCheckedLeaves(source: Source, p: Primitives, head: Head): AsyncGenerator<CheckedLeaves> {
  for (let first = 0; first < head.leaves; first += LEAVES_PER_READ) {
    const { start } = leafRange(first, head.imageLength);
    const last = Math.min(first + LEAVES_PER_READ, head.leaves) - 1;
    const bytes = await source.read(head.sealedStart + start, leafRange(last, head.imageLength).end - start);
    const leaves: Uint8Array[] = [];
    for (let number = first; number <= last; number++) {
      const range = leafRange(number, head.imageLength);
      const leaf = bytes.subarray(range.start - start, range.end - start);
      requireLeaf(p, head, number, leaf);
      leaves.push(leaf);
    }
    yield { first, bytes, leaves };
  }
}
