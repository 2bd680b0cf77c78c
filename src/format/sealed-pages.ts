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

/** Leaves that are brought at most where one after the other is read: 2 MiB. */
const MOST_AHEAD = 32;

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
  /** A bit for each page that was decrypted. */
  readonly #opened: Uint8Array;
  #chunksDecrypted = 0;
  /** Where a page is read that is decrypted at once. */
  readonly #room = new Uint8Array(PAGE + 16);
  readonly want: ((pages: readonly number[]) => void) | undefined;
  /** The leaf behind the last one that was missing, and how many were brought with it. */
  #ahead = { next: -1, leaves: 1 };

  constructor(
    private readonly source: Source,
    private readonly p: Primitives,
    private readonly head: Head,
    opener: ImageOpener,
    room?: CacheRoom,
  ) {
    this.#kept = ImageCache.in(room, source.readNow === undefined);
    this.want = source.readNow
      ? undefined
      : (pages) => {
          this.#want(pages);
        };
    this.length = head.imageLength;
    this.#opener = opener;
    this.#digests = new PageDigests(p, head.imageLength / PAGE);
    this.#opened = new Uint8Array(Math.ceil(head.imageLength / PAGE / 8));
  }

  get chunksDecrypted(): number {
    return this.#chunksDecrypted;
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
    const leaf = Math.floor(first / CHUNKS_PER_LEAF);
    const last = Math.floor((first + count - 1) / CHUNKS_PER_LEAF);
    await this.#bring(Array.from({ length: last - leaf + 1 }, (_, i) => leaf + i));
  }

  async #bring(leaves: readonly number[]): Promise<void> {
    await Promise.all(
      leaves.map(async (leaf) => {
        if (this.#kept.leaf(leaf)) return;
        const { offset, length } = leafInFile(this.head, leaf);
        this.#keep(leaf, await this.source.read(offset, length), false);
      }),
    );
  }

  #want(pages: readonly number[]): void {
    const missing = new Set<number>();
    for (const page of pages) {
      const leaf = Math.floor(page / CHUNKS_PER_LEAF);
      if (!this.#kept.page(page) && !this.#kept.leaf(leaf)) missing.add(leaf);
    }
    if (missing.size > 0) throw new NotHereYet(() => this.#bring([...missing]));
  }

  /** Whoever reads one leaf after the other, as SQLite does with a table, is brought twice as many each time. */
  #notHere(leaf: number): NotHereYet {
    const { next, leaves } = this.#ahead;
    const count = leaf === next ? Math.min(2 * leaves, MOST_AHEAD) : 1;
    const end = Math.min(leaf + count, this.head.leaves);
    this.#ahead = { next: end, leaves: count };
    return new NotHereYet(() => this.#bring(Array.from({ length: end - leaf }, (_, i) => leaf + i)));
  }

  /** Keeps the bytes of a leaf that have been checked against the table. */
  keepChecked(number: number, bytes: Uint8Array): void {
    this.#kept.keepLeaf(number, { bytes, ours: false });
  }

  /** Opens the last chunk, which is empty and which no page needs: it proves that nothing was cut off. */
  requireEnd(): void {
    const last = chunkCount(this.length) - 1;
    const leaf = this.#leaf(Math.floor(last / CHUNKS_PER_LEAF));
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
    const [byte, bit] = [number >> 3, 1 << (number & 7)];
    if ((this.#opened[byte]! & bit) === 0) this.#chunksDecrypted++;
    this.#opened[byte]! |= bit;
    this.#kept.keepPage(number, page);
    return page;
  }

  /** The sealed bytes of a page: alone where it was read before, else of its leaf. */
  #sealed(number: number): Uint8Array {
    const { source, head } = this;
    const leaf = Math.floor(number / CHUNKS_PER_LEAF);
    if (this.#digests.has(number) && source.readNow && !this.#kept.leaf(leaf)) {
      const { offset, length } = chunkInFile(head, number);
      const bytes = source.readNow(offset, length, this.#room);
      if (this.#digests.agrees(number, bytes)) return bytes;
      // Refused as any leaf that was changed, unless it is whole again.
    }
    const bytes = this.#leaf(leaf);
    if (source.readNow) {
      // Its other pages too: whoever reads here and there, as a question's nearest vectors are read, comes back to them.
      const first = leaf * CHUNKS_PER_LEAF;
      const end = Math.min(first + CHUNKS_PER_LEAF, this.length / PAGE);
      for (let page = first; page < end; page++) this.#digests.keep(page, chunkInLeaf(head, page, bytes));
    }
    return chunkInLeaf(head, number, bytes);
  }

  #requireOpener(): ImageOpener {
    if (this.#opener) return this.#opener;
    throw new MdcxError("bad-input", `${this.head.name} has been closed.`);
  }

  #leaf(number: number): Uint8Array {
    const kept = this.#kept.leaf(number);
    if (kept) return kept;
    if (!this.source.readNow) throw this.#notHere(number);
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
