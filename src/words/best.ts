import type { WordHit } from "./search.js";

/** The best `limit` hits of any number, as a heap whose root is the worst of them. */
export class Best {
  readonly #heap: WordHit[] = [];

  /** @param order negative where its first hit comes before its second; never 0 for two hits */
  constructor(
    readonly limit: number,
    readonly order: (a: WordHit, b: WordHit) => number,
  ) {}

  /** A hit with a smaller score is not kept. */
  get least(): number {
    return this.#heap.length < this.limit ? 0 : (this.#heap[0]?.score ?? Infinity);
  }

  wouldKeep(hit: WordHit): boolean {
    if (this.#heap.length < this.limit) return true;
    const worst = this.#heap[0];
    return worst !== undefined && this.order(hit, worst) < 0;
  }

  add(hit: WordHit): void {
    const heap = this.#heap;
    if (heap.length < this.limit) {
      let at = heap.push(hit) - 1;
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (this.order(heap[parent]!, hit) > 0) break;
        heap[at] = heap[parent]!;
        at = parent;
      }
      heap[at] = hit;
    } else if (this.wouldKeep(hit)) {
      this.#sink(hit);
    }
  }

  /** Puts `hit` in the place of the worst. */
  #sink(hit: WordHit): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && this.order(heap[child + 1]!, heap[child]!) > 0) child++;
      if (this.order(hit, heap[child]!) > 0) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = hit;
  }

  /** Best first. */
  sorted(): WordHit[] {
    return this.#heap.sort(this.order);
  }
}
