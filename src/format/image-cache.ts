import { LeastRecent } from "./least-recent.js";

/** More pages or leaves than an image has (2^22 and 2^20): keys of one image stand together. */
const IMAGE = 2 ** 23;

/**
 * A leaf that was checked, still sealed, so that neighbouring pages are read and hashed once. One that was read into memory
 * of ours may be read into again when it is let go; a view of a source in memory is nobody's to write into.
 */
interface KeptLeaf {
  readonly bytes: Uint8Array;
  readonly ours: boolean;
}

/** Room in memory for decrypted pages of 16 KiB and sealed leaves of 64 KiB, of several images. */
export class CacheRoom {
  readonly pages: LeastRecent<Uint8Array>;
  readonly leaves: LeastRecent<KeptLeaf>;
  /** A leaf that was let go, to be read into: a search of a large package reads a hundred, 8 MB to be collected. */
  spare: Uint8Array | undefined;
  #images = 0;

  /** @param limits how many of each are kept, of all images together */
  constructor(limits: { readonly pages: number; readonly leaves: number }) {
    this.pages = new LeastRecent(limits.pages);
    this.leaves = new LeastRecent(limits.leaves);
  }

  /** The first key of an image that comes in. */
  enter(): number {
    return IMAGE * this.#images++;
  }
}

/** What a process keeps of all images that it has open together: 16 MiB of pages, 4 MiB of leaves. */
const SHARED = new CacheRoom({ pages: 1_024, leaves: 64 });

/** The same for images that lie elsewhere, 32 and 128 MiB: what has come must still be here when the question goes on. */
const REMOTE = new CacheRoom({ pages: 2_048, leaves: 2_048 });

/**
 * What is kept in memory of one image. All images share the room, so that ten packages take no more than one, and what is
 * asked often has most of it.
 */
export class ImageCache {
  readonly #first: number;

  constructor(private readonly room: CacheRoom) {
    this.#first = room.enter();
  }

  /** In the room of all images of the process of that kind, unless one is given. */
  static in(room: CacheRoom | undefined, remote: boolean): ImageCache {
    return new ImageCache(room ?? (remote ? REMOTE : SHARED));
  }

  page(number: number): Uint8Array | undefined {
    return this.room.pages.get(this.#first + number);
  }

  keepPage(number: number, bytes: Uint8Array): void {
    this.room.pages.set(this.#first + number, bytes);
  }

  leaf(number: number): Uint8Array | undefined {
    return this.room.leaves.get(this.#first + number)?.bytes;
  }

  keepLeaf(number: number, leaf: KeptLeaf): void {
    const forgotten = this.room.leaves.set(this.#first + number, leaf);
    if (forgotten?.ours === true) this.room.spare = forgotten.bytes;
  }

  /** Memory to read a leaf of that length into. */
  memoryForLeaf(length: number): Uint8Array {
    const { spare } = this.room;
    this.room.spare = undefined;
    return spare?.length === length ? spare : new Uint8Array(length);
  }

  /** Lets go of all that is kept of the image. */
  clear(): void {
    const isOwn = (key: number): boolean => key >= this.#first && key < this.#first + IMAGE;
    this.room.pages.forget(isOwn);
    this.room.leaves.forget(isOwn);
  }
}
