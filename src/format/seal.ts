import { MdcxError } from "../errors.js";
import { ChunkOpener, ChunkSealer, SALT } from "./chunked.js";
import { chunkCount, CHUNKS_PER_LEAF, leafChunks } from "./geometry.js";
import { type LeafRun, runLeaves } from "./leaf-run.js";
import { LEAF_DIGEST } from "./leaves.js";
import type { Primitives } from "./primitives.js";

export { CHUNK, SEALED_PREFIX } from "./chunked.js";
export * from "./geometry.js";

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
  constructor(
    private readonly p: Primitives,
    imageKey: Uint8Array,
    claimsDigest: Uint8Array,
    salt: Uint8Array = p.randomBytes(SALT),
  ) {
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

  /**
   * Seals whole leaves in place, side by side where the platform has threads: page *k* stands where its chunk will
   * (`chunkInRun`). With the run that holds the last leaf the image is finished.
   *
   * @returns the digests of the leaves, 32 bytes each
   */
  async sealLeaves(run: LeafRun): Promise<Uint8Array> {
    const first = CHUNKS_PER_LEAF * run.first;
    const { end } = leafChunks(run.first + run.count - 1, run.imageLength);
    const digests = new Uint8Array(LEAF_DIGEST * run.count);
    await this.chunks.sealRun(first, end, end === chunkCount(run.imageLength), async (keys) => {
      if (first === 0) run.bytes.set(this.prefix);
      await runLeaves(this.p, { ...run, digests, work: { kind: "seal", keys } });
    });
    return digests;
  }
}

/** Opens the chunks of a sealed image in any order. */
export class ImageOpener {
  private readonly chunks: ChunkOpener;

  /**
   * @param prefix the first 56 bytes of the sealed image
   * @throws MdcxError `bad-commitment`
   */
  constructor(
    private readonly p: Primitives,
    imageKey: Uint8Array,
    claimsDigest: Uint8Array,
    prefix: Uint8Array,
  ) {
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

  /**
   * Checks whole leaves and decrypts the same bytes in place, side by side where the platform has threads: page *k* then
   * stands at the beginning of `chunkInRun(run, k)`.
   *
   * @param digests what the leaf table says, 32 bytes a leaf
   * @throws MdcxError `leaf-damaged`, `chunk-damaged`; the bytes of the run are then of no use
   */
  async openLeaves(run: LeafRun, digests: Uint8Array): Promise<void> {
    await runLeaves(this.p, { ...run, digests, work: { kind: "open", keys: this.chunks.keys } });
  }
}

/**
 * Checks whole leaves without a key.
 *
 * @param digests what the leaf table says, 32 bytes a leaf
 * @throws MdcxError `leaf-damaged`
 */
export async function checkLeaves(p: Primitives, run: LeafRun, digests: Uint8Array): Promise<void> {
  await runLeaves(p, { ...run, digests, work: { kind: "check" } });
}
