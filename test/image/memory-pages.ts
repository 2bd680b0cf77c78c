import { PAGE, type PageProducer, type PageReader } from "../../src/format/pages.js";

/** A finished image in memory, as the readers of a package see it, without the package around it. */
export class MemoryPages implements PageReader {
  private readonly seen = new Set<number>();
  /** Called before each read; what it throws is what the read throws. */
  onRead: ((first: number, count: number) => void) | undefined;

  constructor(readonly bytes: Uint8Array) {}

  /** Takes all pages of a finished image. */
  static of(producer: PageProducer): MemoryPages {
    const bytes = new Uint8Array(producer.length);
    for (let page = 0; page * PAGE < bytes.length; page++) bytes.set(producer.takePage(page), page * PAGE);
    return new MemoryPages(bytes);
  }

  get length(): number {
    return this.bytes.length;
  }

  get chunksDecrypted(): number {
    return this.seen.size;
  }

  /** Forgets what was read, for counting anew. */
  forget(): void {
    this.seen.clear();
  }

  /** The pages read since the last `forget`, in ascending order. */
  get pagesRead(): number[] {
    return [...this.seen].sort((a, b) => a - b);
  }

  readPages(first: number, count: number): Uint8Array {
    this.onRead?.(first, count);
    for (let page = first; page < first + count; page++) this.seen.add(page);
    return this.bytes.subarray(first * PAGE, (first + count) * PAGE);
  }
}
