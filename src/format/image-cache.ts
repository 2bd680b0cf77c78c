import { LeastRecent } from "./least-recent.js";

/** Decrypted pages that are kept, 32 MiB, and sealed leaves, 4 MiB: of all images that a process has open together. */
const PAGES = 2_048;
const LEAVES = 64;

/** More pages or leaves than an image has (2^22 and 2^20): keys of one image stand together. */
const IMAGE = 2 ** 23;

/**
 * A leaf that was checked, still sealed, so that neighbouring pages are read and hashed once. One that was read into memory
 * of ours may be read into again when it is let go; a view of a source in memory is nobody's to write into.
 */
export interface KeptLeaf {
  readonly bytes: Uint8Array;
  readonly ours: boolean;
}

const pages = new LeastRecent<Uint8Array>(PAGES);
const leaves = new LeastRecent<KeptLeaf>(LEAVES);
let images = 0;
/** A leaf that was let go, to be read into: a search of a large package reads a hundred, 8 MB to be collected. */
let spare: Uint8Array | undefined;

/**
 * What is kept in memory of one image. All images share the room, so that ten packages take no more than one, and what is
 * asked often has most of it.
 */
export class ImageCache {
  readonly #first = IMAGE * images++;

  page(number: number): Uint8Array | undefined {
    return pages.get(this.#first + number);
  }

  keepPage(number: number, bytes: Uint8Array): void {
    pages.set(this.#first + number, bytes);
  }

  leaf(number: number): Uint8Array | undefined {
    return leaves.get(this.#first + number)?.bytes;
  }

  keepLeaf(number: number, leaf: KeptLeaf): void {
    const forgotten = leaves.set(this.#first + number, leaf);
    if (forgotten?.ours === true) spare = forgotten.bytes;
  }

  /** Memory to read a leaf of that length into. */
  static room(length: number): Uint8Array {
    const room = spare?.length === length ? spare : new Uint8Array(length);
    spare = undefined;
    return room;
  }

  /** Lets go of all that was decrypted. */
  clear(): void {
    const isOwn = (key: number): boolean => key >= this.#first && key < this.#first + IMAGE;
    pages.forget(isOwn);
    leaves.forget(isOwn);
  }
}
