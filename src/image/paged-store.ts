import { MdcxError } from "../errors.js";
import { PAGE, type PageProducer } from "../format/pages.js";
import type { FileContents } from "./sqlite.js";

/**
 * The bytes of a database that is being written, in pages that are allocated as SQLite reaches them: one copy of the
 * image in memory, never a second one while it grows. Finished, it gives its pages out in order and lets each go.
 */
export class PagedStore implements PageProducer {
  private readonly pages: (Uint8Array | undefined)[];
  private end = PAGE;

  /** @param first the page of an empty database, PAGE bytes */
  constructor(first: Uint8Array) {
    if (first.length !== PAGE) throw new MdcxError("internal", "An empty database is not one page long.");
    this.pages = [first.slice()];
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
    const page = this.pages[number];
    if (page === undefined) throw new MdcxError("internal", `Page ${number} of the image was taken before.`);
    this.pages[number] = undefined;
    return page;
  }

  /** Page `number` without taking it. */
  page(number: number): Uint8Array {
    return this.read(number * PAGE, (number + 1) * PAGE);
  }

  private read(start: number, end: number): Uint8Array {
    const number = Math.floor(start / PAGE);
    const offset = start - number * PAGE;
    const page = this.pages[number] ?? new Uint8Array(PAGE);
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
      const page = (this.pages[number] ??= new Uint8Array(PAGE));
      page.set(bytes.subarray(done, done + count), offset);
      done += count;
      this.end = Math.max(this.end, (number + 1) * PAGE);
    }
  }
}
