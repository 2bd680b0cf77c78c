import { MdcxError } from "../errors.js";
import { LeastRecent } from "./least-recent.js";
import type { Head } from "./head.js";
import { PAGE, type PageReader } from "./pages.js";
import type { Primitives } from "./primitives.js";
import { chunkCount, CHUNKS_PER_LEAF, type ImageOpener } from "./seal.js";
import { chunkInLeaf, leafInFile, requireLeaf } from "./sealed-leaves.js";
import type { Source } from "./source.js";

/** How much of an opened package is kept in memory. */
export interface CacheLimits {
  /** Decrypted pages of 16 KiB. */
  readonly pages: number;
  /** Checked leaves of 64 KiB, still sealed, so that neighbouring pages are read and hashed once. */
  readonly leaves: number;
}
export const DEFAULT_CACHE: CacheLimits = { pages: 1_024, leaves: 64 };

/**
 * Thrown where a page is wanted at once and its leaf is neither here nor can be read without waiting. The caller awaits
 * `SealedPages.fetch` for that page and runs again what it was doing.
 */
export class NotHereYet extends Error {
  override readonly name = "NotHereYet";
  constructor(readonly page: number) {
    super(`Page ${page} of the image has not come yet.`);
  }
}

/**
 * The image of an opened package: each leaf is checked against the table whenever it is read, and the same bytes in
 * memory are decrypted, so that a file that changes underneath gives an error and never a page of each.
 */
export class SealedPages implements PageReader {
  readonly length: number;
  #opener: ImageOpener | undefined;
  readonly #pages: LeastRecent<Uint8Array>;
  readonly #leaves: LeastRecent<Uint8Array>;
  readonly #decrypted: Uint8Array;
  #chunksDecrypted = 0;
  /** Leaves that were read here and that nobody else holds. */
  readonly #own = new WeakSet<Uint8Array>();
  /** A leaf that was let go, to be read into: a search of a large package reads a hundred, 8 MB to be collected. */
  #spare: Uint8Array | undefined;

  constructor(
    private readonly source: Source,
    private readonly p: Primitives,
    private readonly head: Head,
    opener: ImageOpener,
    cache: CacheLimits = DEFAULT_CACHE,
  ) {
    this.length = head.imageLength;
    this.#opener = opener;
    this.#pages = new LeastRecent(cache.pages);
    this.#leaves = new LeastRecent(cache.leaves);
    this.#decrypted = new Uint8Array(Math.ceil(head.imageLength / PAGE / 8));
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
  async fetch(first: number, count: number): Promise<void> {
    const lastLeaf = Math.floor((first + count - 1) / CHUNKS_PER_LEAF);
    for (let leaf = Math.floor(first / CHUNKS_PER_LEAF); leaf <= lastLeaf; leaf++) {
      if (this.#leaves.get(leaf)) continue;
      const { offset, length } = leafInFile(this.head, leaf);
      this.#keep(leaf, await this.source.read(offset, length));
    }
  }

  /** Keeps the bytes of a leaf that have been checked against the table. */
  keepChecked(number: number, bytes: Uint8Array): void {
    this.#leaves.set(number, bytes);
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
    this.#pages.clear();
    this.#leaves.clear();
  }

  #page(number: number): Uint8Array {
    const kept = this.#pages.get(number);
    if (kept) return kept;
    const opener = this.#requireOpener();
    const leaf = this.#leaf(Math.floor(number / CHUNKS_PER_LEAF), number);
    const page = opener.openChunk(number, chunkInLeaf(this.head, number, leaf));
    this.#pages.set(number, page);
    const bit = 1 << (number & 7);
    if ((this.#decrypted[number >> 3]! & bit) === 0) {
      this.#decrypted[number >> 3]! |= bit;
      this.#chunksDecrypted++;
    }
    return page;
  }

  #requireOpener(): ImageOpener {
    if (this.#opener) return this.#opener;
    throw new MdcxError("bad-input", `${this.head.name} has been closed.`);
  }

  #leaf(number: number, forPage: number): Uint8Array {
    const kept = this.#leaves.get(number);
    if (kept) return kept;
    if (!this.source.readNow) throw new NotHereYet(forPage);
    const { offset, length } = leafInFile(this.head, number);
    const own = this.#spare?.length === length ? this.#spare : new Uint8Array(length);
    const bytes = this.source.readNow(offset, length, own);
    // A source in memory gives a view of itself instead, which is nobody's to write into.
    const used = bytes === own;
    if (used) this.#own.add(own);
    this.#spare = used ? undefined : own;
    this.#keep(number, bytes);
    return bytes;
  }

  #keep(number: number, bytes: Uint8Array): void {
    requireLeaf(this.p, this.head, number, bytes);
    const forgotten = this.#leaves.set(number, bytes);
    if (forgotten !== undefined && this.#own.has(forgotten)) this.#spare = forgotten;
  }
}
