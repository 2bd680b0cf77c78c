import { type ChunkKeys, chunkNonce, TAG } from "./chunked.js";
import { leafChunks, leafRange } from "./geometry.js";
import { CHUNK_DAMAGED, chunkInRun, DONE, LEAF_DAMAGED, type LeafJob } from "./leaf-run.js";
import { LEAF_DIGEST, leafMessage } from "./leaves.js";
import type { LeafThreads, Primitives } from "./primitives.js";

/** The W3C's Web Cryptography API, as browsers and Node have it. */
export type WebCrypto = typeof globalThis.crypto.subtle;

/** The key of a job as WebCrypto holds it, and the nonce that its chunks' nonces come from. */
interface WebKeys {
  readonly key: Awaited<ReturnType<WebCrypto["importKey"]>>;
  readonly nonce: Uint8Array;
}

/**
 * Leaves by WebCrypto, for browsers: whole images are sealed and verified by the platform's own AES and SHA-256, off the
 * page's thread. Single pages, which SQLite wants at once, stay with noble.
 */
export class WebCryptoLeaves implements LeafThreads {
  constructor(
    private readonly subtle: WebCrypto,
    private readonly equal: Primitives["equal"],
  ) {}

  // WebCrypto takes no shared memory.
  allocate(length: number): Uint8Array {
    return new Uint8Array(length);
  }

  async run(job: LeafJob): Promise<Uint8Array> {
    const keys = job.work.kind === "check" ? undefined : await this.importKeys(job.work.keys);
    const leaves = Array.from({ length: job.count }, (_, index) => this.work(job, keys, index));
    return Uint8Array.from(await Promise.all(leaves));
  }

  private async importKeys({ key, nonce }: ChunkKeys): Promise<WebKeys> {
    const imported = await this.subtle.importKey("raw", Uint8Array.from(key), "AES-GCM", false, ["encrypt", "decrypt"]);
    return { key: imported, nonce };
  }

  /** Leaf `index` of the job, from 0; gives how it ended, as `LeafWorker` does. */
  private async work(job: LeafJob, keys: WebKeys | undefined, index: number): Promise<number> {
    const leaf = job.first + index;
    const digest = job.digests.subarray(LEAF_DIGEST * index, LEAF_DIGEST * (index + 1));
    const chunks = leafChunks(leaf, job.imageLength);
    if (job.work.kind === "seal") {
      for (let number = chunks.start; number < chunks.end; number++) await this.seal(job, keys!, number);
      digest.set(await this.digestOf(job, leaf));
      return DONE;
    }
    if (!this.equal(await this.digestOf(job, leaf), digest)) return LEAF_DAMAGED;
    if (keys === undefined) return DONE;
    for (let number = chunks.start; number < chunks.end; number++)
      if (!(await this.open(job, keys, number))) return CHUNK_DAMAGED + number - chunks.start;
    return DONE;
  }

  private async seal(job: LeafJob, { key, nonce }: WebKeys, number: number): Promise<void> {
    const chunk = chunkInRun(job, number);
    const algorithm = { name: "AES-GCM", iv: Uint8Array.from(chunkNonce(nonce, number)) };
    const page = Uint8Array.from(chunk.subarray(0, chunk.length - TAG));
    chunk.set(new Uint8Array(await this.subtle.encrypt(algorithm, key, page)));
  }

  private async open(job: LeafJob, { key, nonce }: WebKeys, number: number): Promise<boolean> {
    const chunk = chunkInRun(job, number);
    const algorithm = { name: "AES-GCM", iv: Uint8Array.from(chunkNonce(nonce, number)) };
    try {
      chunk.set(new Uint8Array(await this.subtle.decrypt(algorithm, key, Uint8Array.from(chunk))));
      return true;
    } catch {
      return false;
    }
  }

  private async digestOf(job: LeafJob, leaf: number): Promise<Uint8Array> {
    const { start } = leafRange(job.first, job.imageLength);
    const range = leafRange(leaf, job.imageLength);
    const bytes = job.bytes.subarray(range.start - start, range.end - start);
    return new Uint8Array(await this.subtle.digest("SHA-256", leafMessage(leaf, bytes)));
  }
}
