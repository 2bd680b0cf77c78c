import { MdcxError } from "../errors.js";
import { chunkRange, CHUNKS_PER_LEAF, leafRange } from "./geometry.js";
import type { Head } from "./head.js";
import { leafBuffer, runLength, type LeafRun } from "./leaf-run.js";
import { LEAF_DIGEST, leafDigest } from "./leaves.js";
import type { Primitives } from "./primitives.js";
import type { Source } from "./source.js";

/** Leaves worked on at once when a whole image is read or written: about four MiB. */
export const LEAVES_PER_RUN = 64;

/** What the table says of `count` leaves from `first` on, 32 bytes each. */
export function digestsOf(head: Head, first: number, count = 1): Uint8Array {
  return head.table.subarray(LEAF_DIGEST * first, LEAF_DIGEST * (first + count));
}

/** Refuses the bytes of leaf `number` unless they give the digest in the table. */
export function requireLeaf(p: Primitives, head: Head, number: number, bytes: Uint8Array): void {
  if (p.equal(leafDigest(p, number, bytes), digestsOf(head, number))) return;
  throw new MdcxError(
    "leaf-damaged",
    `${head.name} is damaged or was changed at leaf ${number} of its image: get it again.`,
  );
}

/** Where leaf `number` stands in the file. */
export function leafInFile(head: Head, number: number): { readonly offset: number; readonly length: number } {
  const { start, end } = leafRange(number, head.imageLength);
  return { offset: head.sealedStart + start, length: end - start };
}

/** Where chunk `number` stands in the file. */
export function chunkInFile(head: Head, number: number): { readonly offset: number; readonly length: number } {
  const { start, end } = chunkRange(number, head.imageLength);
  return { offset: head.sealedStart + start, length: end - start };
}

/** The bytes of chunk `number` within the bytes of its leaf. */
export function chunkInLeaf(head: Head, number: number, leafBytes: Uint8Array): Uint8Array {
  const leaf = leafRange(Math.floor(number / CHUNKS_PER_LEAF), head.imageLength);
  const chunk = chunkRange(number, head.imageLength);
  return leafBytes.subarray(chunk.start - leaf.start, chunk.end - leaf.start);
}

/**
 * Reads the whole sealed image once, run by run, as it stands in the file: nothing is checked yet. All runs are in the
 * same memory, so what is done with one must be done before the next is asked for.
 */
export async function* readRuns(source: Source, p: Primitives, head: Head): AsyncGenerator<LeafRun> {
  const { imageLength, leaves } = head;
  const memory = leafBuffer(p, runLength({ imageLength, first: 0, count: Math.min(LEAVES_PER_RUN, leaves) }));
  for (let first = 0; first < leaves; first += LEAVES_PER_RUN) {
    const run = { imageLength, first, count: Math.min(LEAVES_PER_RUN, leaves - first) };
    const bytes = memory.subarray(0, runLength(run));
    bytes.set(await source.read(leafInFile(head, first).offset, bytes.length));
    yield { ...run, bytes };
  }
}
