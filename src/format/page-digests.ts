import type { Aead, Primitives } from "./primitives.js";

const DIGEST = 16;
const NOTHING = new Uint8Array(0);

/**
 * What each sealed page was when its leaf was checked, so that it can be read again without the other three. The page's own GCM
 * tag would not do: whoever has the key can make other bytes of the same tag, and a signed package must not be changed by
 * those who can open it. This is a tag as well (GMAC, NIST SP 800-38D), but under a key that nobody has outside of this
 * process: no bytes of the same tag can be found without it. SHA-256 took half the time of reading a page.
 */
export class PageDigests {
  /** 16 bytes a page; the system gives memory only for what is written. */
  readonly #digests: Uint8Array;
  readonly #kept: Uint8Array;
  readonly #aead: Aead;

  constructor(
    private readonly p: Primitives,
    pages: number,
  ) {
    this.#digests = new Uint8Array(DIGEST * pages);
    this.#kept = new Uint8Array(Math.ceil(pages / 8));
    this.#aead = p.aesGcm(p.randomBytes(32));
  }

  has(page: number): boolean {
    return (this.#kept[page >> 3]! & (1 << (page & 7))) !== 0;
  }

  /** @param sealed the bytes of a page as they stand in a leaf that was checked */
  keep(page: number, sealed: Uint8Array): void {
    if (this.has(page)) return;
    this.#digests.set(this.#digest(page, sealed), DIGEST * page);
    this.#kept[page >> 3]! |= 1 << (page & 7);
  }

  /** Whether the bytes are those that were kept. */
  agrees(page: number, sealed: Uint8Array): boolean {
    const kept = this.#digests.subarray(DIGEST * page, DIGEST * (page + 1));
    return this.has(page) && this.p.equal(this.#digest(page, sealed), kept);
  }

  /** A page has one nonce, under which other bytes are looked at only to be refused; no tag leaves this object. */
  #digest(page: number, sealed: Uint8Array): Uint8Array {
    const nonce = new Uint8Array(12);
    new DataView(nonce.buffer).setUint32(8, page);
    return this.#aead.seal(nonce, NOTHING, sealed);
  }
}
