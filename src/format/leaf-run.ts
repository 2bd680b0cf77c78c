import { MdcxError } from "../errors.js";
import { type ChunkKeys, chunkNonce, TAG } from "./chunked.js";
import { chunkRange, leafChunks, leafRange } from "./geometry.js";
import { LEAF_DIGEST, leafDigest } from "./leaves.js";
import type { Aead, Primitives } from "./primitives.js";

/** Leaves that follow one another, in one piece of memory, laid out as in the sealed image. */
export interface LeafRun {
  /** Bytes of the whole image. */
  readonly imageLength: number;
  /** Number of the first leaf. */
  readonly first: number;
  readonly count: number;
  /** The leaves; {@link runLength} says how many bytes. From {@link leafBuffer} where threads are to share the work. */
  readonly bytes: Uint8Array;
}

/**
 * What is done to a run of leaves, in place:
 * - `seal`: pages stand in the places of their chunks; encrypt each and add its tag, then write the leaf's digest;
 * - `check`: compare each leaf with its digest;
 * - `open`: the same, and then decrypt the same bytes, each chunk into its own place.
 */
export interface LeafJob extends LeafRun {
  /** 32 bytes a leaf: written by `seal`, expected by the others. */
  readonly digests: Uint8Array;
  readonly work: { readonly kind: "check" } | { readonly kind: "seal" | "open"; readonly keys: ChunkKeys };
}

/** How the work on one leaf ended; from {@link CHUNK_DAMAGED} on, the place in the leaf of the chunk that is damaged. */
export const DONE = 0;
export const LEAF_DAMAGED = 1;
export const FAILED = 2;
export const CHUNK_DAMAGED = 3;

/** Bytes of the leaves of a run. */
export function runLength({ imageLength, first, count }: Omit<LeafRun, "bytes">): number {
  return leafRange(first + count - 1, imageLength).end - leafRange(first, imageLength).start;
}

/** Memory for a run, shared between threads where there are some. */
export function leafBuffer(p: Primitives, length: number): Uint8Array {
  return p.leafThreads?.allocate(length) ?? new Uint8Array(length);
}

/** Where page or chunk `number` lies in the bytes of a run. */
export function chunkInRun(run: LeafRun, number: number): Uint8Array {
  const { start } = leafRange(run.first, run.imageLength);
  const chunk = chunkRange(number, run.imageLength);
  return run.bytes.subarray(chunk.start - start, chunk.end - start);
}

/**
 * Does the whole job, on several threads where the platform has them.
 *
 * @throws MdcxError `leaf-damaged`, `chunk-damaged`; the bytes of the run are then of no use
 */
export async function runLeaves(p: Primitives, job: LeafJob): Promise<void> {
  if (job.bytes.length !== runLength(job) || job.digests.length !== LEAF_DIGEST * job.count) {
    throw new MdcxError("internal", `Memory for ${job.count} leaves from ${job.first} on has the wrong length.`);
  }
  const outcomes = await (p.leafThreads?.run(job) ?? runHere(p, job));
  for (const [index, outcome] of outcomes.entries()) {
    const leaf = job.first + index;
    if (outcome === DONE) continue;
    if (outcome === FAILED) throw new MdcxError("internal", `The work on leaf ${leaf} of the image was not done.`);
    if (outcome === LEAF_DAMAGED) {
      throw new MdcxError(
        "leaf-damaged",
        `The file is damaged or was changed at leaf ${leaf} of its image: get it again.`,
      );
    }
    const chunk = leafChunks(leaf, job.imageLength).start + outcome - CHUNK_DAMAGED;
    throw new MdcxError("chunk-damaged", `Chunk ${chunk} of the image is damaged: get the file again.`);
  }
}

function runHere(p: Primitives, job: LeafJob): Uint8Array {
  const worker = new LeafWorker(p, job);
  return Uint8Array.from({ length: job.count }, (_, index) => worker.work(index));
}

/** Works on single leaves of a job. Several of them, in threads, may share a job as long as each leaf is worked on once. */
export class LeafWorker {
  private readonly aead: Aead | undefined;
  /** Where the run begins in the sealed image. */
  private readonly start: number;

  constructor(
    private readonly p: Primitives,
    private readonly job: LeafJob,
  ) {
    this.aead = job.work.kind === "check" ? undefined : p.aesGcm(job.work.keys.key);
    this.start = leafRange(job.first, job.imageLength).start;
  }

  /** Leaf `index` of the job, from 0; gives how it ended. */
  work(index: number): number {
    const { p, job } = this;
    const number = job.first + index;
    const { start, end } = leafRange(number, job.imageLength);
    const leaf = job.bytes.subarray(start - this.start, end - this.start);
    const digest = job.digests.subarray(LEAF_DIGEST * index, LEAF_DIGEST * (index + 1));
    if (job.work.kind === "seal") {
      const outcome = this.eachChunk(number, sealInPlace);
      digest.set(leafDigest(p, number, leaf));
      return outcome;
    }
    if (!p.equal(leafDigest(p, number, leaf), digest)) return LEAF_DAMAGED;
    return this.eachChunk(number, openInPlace);
  }

  /** Does something to every chunk of a leaf, until one of them gives nothing. */
  private eachChunk(leaf: number, work: typeof sealInPlace | typeof openInPlace): number {
    const { aead, job } = this;
    if (aead === undefined || job.work.kind === "check") return DONE;
    const { start, end } = leafChunks(leaf, job.imageLength);
    for (let number = start; number < end; number++) {
      const chunk = chunkRange(number, job.imageLength);
      const bytes = job.bytes.subarray(chunk.start - this.start, chunk.end - this.start);
      if (work(aead, chunkNonce(job.work.keys.nonce, number), bytes) === undefined)
        return CHUNK_DAMAGED + number - start;
    }
    return DONE;
  }
}

function sealInPlace(aead: Aead, nonce: Uint8Array, chunk: Uint8Array): Uint8Array {
  return aead.seal(nonce, chunk.subarray(0, chunk.length - TAG), undefined, chunk);
}

function openInPlace(aead: Aead, nonce: Uint8Array, chunk: Uint8Array): Uint8Array | undefined {
  return aead.open(nonce, chunk, undefined, chunk);
}
