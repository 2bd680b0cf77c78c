import type { Primitives } from "./primitives.js";

const DIGEST = 32;

/**
 * What each sealed page was when its leaf was checked, so that it can be read again without the other three. A hash and not
 * the page's GCM tag: whoever has the key can make other bytes of the same tag, and a signed package must not be changed by
 * those who can open it.
 */
export class PageDigests {
  /** 32 bytes a page; the system gives memory only for what is written. */
  readonly #digests: Uint8Array;
  readonly #kept: Uint8Array;
  #count = 0;

  constructor(
    private readonly p: Primitives,
    pages: number,
  ) {
    this.#digests = new Uint8Array(DIGEST * pages);
    this.#kept = new Uint8Array(Math.ceil(pages / 8));
  }

  /** Pages whose digest is kept. */
  get count(): number {
    return this.#count;
  }

  has(page: number): boolean {
    return (this.#kept[page >> 3]! & (1 << (page & 7))) !== 0;
  }

  /** @param sealed the bytes of a page as they stand in a leaf that was checked */
  keep(page: number, sealed: Uint8Array): void {
    if (this.has(page)) return;
    this.#digests.set(this.p.sha256(sealed), DIGEST * page);
    this.#kept[page >> 3]! |= 1 << (page & 7);
    this.#count++;
  }

  /** Whether the bytes are those that were kept. */
  agrees(page: number, sealed: Uint8Array): boolean {
    const kept = this.#digests.subarray(DIGEST * page, DIGEST * (page + 1));
    return this.has(page) && this.p.equal(this.p.sha256(sealed), kept);
  }
}
