import { MdcxError } from "../errors.js";
import { ImageCache, type CacheRoom } from "./image-cache.js";
import type { Head } from "./head.js";
import { NotHereYet } from "./not-here-yet.js";
import { PAGE, type PageReader } from "./pages.js";
import type { Primitives } from "./primitives.js";
import { chunkCount, CHUNKS_PER_LEAF, type ImageOpener } from "./seal.js";
import { chunkInFile, chunkInLeaf, leafInFile, requireLeaf } from "./sealed-leaves.js";
import { PageDigests } from "./page-digests.js";
import type { Source } from "./source.js";

/**
 * The image of an opened package: a leaf is checked against the table when it is read, and the same bytes in memory are
 * decrypted. A page of it that is read again is held against its own digest of that time, so that a file that changes
 * underneath gives an error and never a page of each.
 */
export class SealedPages implements PageReader {
  readonly length: number;
  #opener: ImageOpener | undefined;
  readonly #kept: ImageCache;
  readonly #digests: PageDigests;

  constructor(
    private readonly source: Source,
    private readonly p: Primitives,
    private readonly head: Head,
    opener: ImageOpener,
    room?: CacheRoom,
  ) {
    this.#kept = new ImageCache(room);
    this.length = head.imageLength;
    this.#opener = opener;
    this.#digests = new PageDigests(p, head.imageLength / PAGE);
  }

  get chunksDecrypted(): number {
    return this.#digests.count;
  }

  /** The result may be a view into the cache: it must not be written to. */
  readPages(first: number, count: number): Uint8Array {
    if (first < 0 || count < 1 || (first + count) * PAGE > this.length) {
      throw new MdcxError("bad-image", `${this.head.name} has no pages ${first} to ${first + count - 1}.`);
    }
    if (count === 1) return this.#page(first);
    const bytes = new Uint8Array(count * PAGE);
    for (let index = 0; index < count; index++) bytes.set(this.#page(first + index), index * PAGE);
    return bytes;
  }

  /** Brings the leaves of these pages, for a source that reads only by promise. */
  async bring(first: number, count: number): Promise<void> {
    const lastLeaf = Math.floor((first + count - 1) / CHUNKS_PER_LEAF);
    for (let leaf = Math.floor(first / CHUNKS_PER_LEAF); leaf <= lastLeaf; leaf++) {
      if (this.#kept.leaf(leaf)) continue;
      const { offset, length } = leafInFile(this.head, leaf);
      this.#keep(leaf, await this.source.read(offset, length), false);
    }
  }

  /** Keeps the bytes of a leaf that have been checked against the table. */
  keepChecked(number: number, bytes: Uint8Array): void {
    this.#kept.keepLeaf(number, { bytes, ours: false });
  }

  /** Opens the last chunk, which is empty and which no page needs: it proves that nothing was cut off. */
  requireEnd(): void {
    const last = chunkCount(this.length) - 1;
    const leaf = this.#leaf(Math.floor(last / CHUNKS_PER_LEAF), last);
    this.#requireOpener().openChunk(last, chunkInLeaf(this.head, last, leaf));
  }

  /** Lets go of the key and of all that was decrypted. */
  close(): void {
    this.#opener = undefined;
    this.#kept.clear();
  }

  #page(number: number): Uint8Array {
    const kept = this.#kept.page(number);
    if (kept) return kept;
    const opener = this.#requireOpener();
    const page = opener.openChunk(number, this.#sealed(number));
    this.#kept.keepPage(number, page);
    return page;
  }

  /** The sealed bytes of a page: alone where it was read before, else of its leaf. */
  #sealed(number: number): Uint8Array {
    const { source, head } = this;
    const leaf = Math.floor(number / CHUNKS_PER_LEAF);
    if (this.#digests.has(number) && source.readNow && !this.#kept.leaf(leaf)) {
      const { offset, length } = chunkInFile(head, number);
      const bytes = source.readNow(offset, length);
      if (this.#digests.agrees(number, bytes)) return bytes;
      // Refused as any leaf that was changed, unless it is whole again.
    }
    const bytes = chunkInLeaf(head, number, this.#leaf(leaf, number));
    this.#digests.keep(number, bytes);
    return bytes;
  }

  #requireOpener(): ImageOpener {
    if (this.#opener) return this.#opener;
    throw new MdcxError("bad-input", `${this.head.name} has been closed.`);
  }

  #leaf(number: number, forPage: number): Uint8Array {
    const kept = this.#kept.leaf(number);
    if (kept) return kept;
    if (!this.source.readNow) throw new NotHereYet(() => this.bring(forPage, 1));
    const { offset, length } = leafInFile(this.head, number);
    const memory = this.#kept.memoryForLeaf(length);
    const bytes = this.source.readNow(offset, length, memory);
    this.#keep(number, bytes, bytes === memory);
    return bytes;
  }

  #keep(number: number, bytes: Uint8Array, ours: boolean): void {
    requireLeaf(this.p, this.head, number, bytes);
    this.#kept.keepLeaf(number, { bytes, ours });
  }
}
