import { MdcxError } from "../errors.js";
import type { Overflow } from "../format/overflow.js";
import { PAGE, type PageProducer } from "../format/pages.js";
import type { FileContents } from "./sqlite.js";

/** Of the room outside of which an image overflows, what its pages may take. */
const PAGES_SHARE = 1 / 4;
/** SQLite goes back to the last pages of seven tables and to their parents: fewer than these would go in and out all the time. */
const FEWEST_PAGES = 256;

/**
 * The bytes of a database that is being written, in pages that are allocated as SQLite reaches them: one copy of the
 * image in memory, never a second one while it grows. Finished, it gives its pages out in order and lets each go. Where
 * there is room elsewhere, the pages that were left alone longest go there.
 */
export class PagedStore implements PageProducer {
  /** The pages in memory, those that were left alone longest first where there is room elsewhere. */
  private readonly pages = new Map<number, Uint8Array>();
  /** Where a page lies elsewhere. It may have changed in memory since. */
  private readonly places = new Map<number, number>();
  private readonly most: number;
  private end = PAGE;

  /** @param first the page of an empty database, PAGE bytes */
  constructor(
    first: Uint8Array,
    private readonly overflow?: Overflow,
  ) {
    if (first.length !== PAGE) throw new MdcxError("internal", "An empty database is not one page long.");
    this.most = overflow === undefined ? Infinity : Math.max(FEWEST_PAGES, (overflow.room * PAGES_SHARE) / PAGE);
    this.pages.set(0, first.slice());
  }

  /** Bytes written so far, in whole pages. */
  get length(): number {
    return this.end;
  }

  /**
   * The store as sql.js takes it: the file begins with one page, and then claims room for 2^40 bytes, so that the file
   * system writes in place and never moves the contents into an array of its own.
   */
  contents(): FileContents {
    const store: FileContents = {
      length: 2 ** 40,
      slice: () => store,
      subarray: (start, end) => this.read(start, end),
      set: (bytes, position) => {
        this.write(bytes, position);
      },
    };
    return { length: PAGE, slice: () => store, subarray: (start, end) => this.read(start, end) };
  }

  takePage(number: number): Uint8Array {
    const page = this.find(number);
    if (page === undefined) throw new MdcxError("internal", `Page ${number} of the image was taken before.`);
    this.pages.delete(number);
    this.places.delete(number);
    return page;
  }

  /** Page `number` without taking it. */
  page(number: number): Uint8Array {
    return this.read(number * PAGE, (number + 1) * PAGE);
  }

  private read(start: number, end: number): Uint8Array {
    const number = Math.floor(start / PAGE);
    const offset = start - number * PAGE;
    const page = this.find(number) ?? new Uint8Array(PAGE);
    // SQLite reads and writes within one page at a time.
    return page.subarray(offset, offset + (end - start));
  }

  private write(heap: Uint8Array, position: number): void {
    // What sql.js passes is a signed view of its heap; the same bytes unsigned are copied without conversion.
    const bytes = new Uint8Array(heap.buffer, heap.byteOffset, heap.byteLength);
    for (let done = 0; done < bytes.length;) {
      const number = Math.floor((position + done) / PAGE);
      const offset = position + done - number * PAGE;
      const count = Math.min(PAGE - offset, bytes.length - done);
      const page = this.find(number) ?? new Uint8Array(PAGE);
      this.keep(number, page);
      page.set(bytes.subarray(done, done + count), offset);
      done += count;
      this.end = Math.max(this.end, (number + 1) * PAGE);
    }
  }

  private find(number: number): Uint8Array | undefined {
    const page = this.pages.get(number);
    if (page !== undefined || this.overflow === undefined) return page;
    const place = this.places.get(number);
    return place === undefined ? undefined : this.overflow.get(place);
  }

  /** Keeps a page in memory that is about to be written to, as the last one touched. */
  private keep(number: number, page: Uint8Array): void {
    if (this.overflow !== undefined) this.pages.delete(number);
    this.pages.set(number, page);
    if (this.pages.size <= this.most) return;
    const [oldest, bytes] = this.pages.entries().next().value!;
    this.pages.delete(oldest);
    this.places.set(oldest, this.overflow!.put(bytes, this.places.get(oldest)));
  }
}
