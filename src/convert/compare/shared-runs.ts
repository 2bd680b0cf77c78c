import { ALONE } from "./sides.js";

const NONE = -1;

interface Occurrences {
  /** How often the run of each slot stands on this side. */
  readonly counts: Int32Array;
  /** Its first and last place, by slot. */
  readonly first: Int32Array;
  readonly last: Int32Array;
  /** The next place of the same run, by place. */
  readonly next: Int32Array;
}

/**
 * Runs of words without partners that two texts share, found by hash in flat arrays: with a Map this was half of the time
 * of a comparison. Two runs may share a hash, so whoever pairs them compares their words.
 */
export class SharedRuns {
  readonly #length: number;
  readonly #mask: number;
  readonly #hashes: Int32Array;
  readonly #slots: number[] = [];
  readonly #left: Occurrences;
  readonly #right: Occurrences;

  constructor(
    length: number,
    left: ArrayLike<number>,
    leftPartners: Int32Array,
    right: ArrayLike<number>,
    rightPartners: Int32Array,
  ) {
    this.#length = length;
    let size = 16;
    while (size < left.length * 2) size *= 2;
    this.#mask = size - 1;
    this.#hashes = new Int32Array(size);
    this.#left = occurrences(size, left.length);
    this.#right = occurrences(size, right.length);
    this.#scan(left, leftPartners, this.#left, true);
    this.#scan(right, rightPartners, this.#right, false);
  }

  /** Calls `take` with the places of each run that stands equally often on both sides, `least` to `most` times. */
  forEach(least: number, most: number, take: (left: number, right: number) => void): void {
    for (const slot of this.#slots) {
      const count = this.#left.counts[slot]!;
      if (count !== this.#right.counts[slot] || count < least || count > most) continue;
      let i = this.#left.first[slot]!;
      let j = this.#right.first[slot]!;
      for (let k = 0; k < count; k++) {
        take(i, j);
        i = this.#left.next[i]!;
        j = this.#right.next[j]!;
      }
    }
  }

  #scan(ids: ArrayLike<number>, partners: Int32Array, side: Occurrences, insert: boolean): void {
    for (let from = 0; from + this.#length <= ids.length; from++) {
      let hash = 0;
      let k = 0;
      for (; k < this.#length && partners[from + k] === ALONE; k++) {
        hash = Math.imul(hash ^ ids[from + k]!, 0x9e3779b1);
        hash ^= hash >>> 15;
      }
      if (k < this.#length) {
        from += k;
        continue;
      }
      const slot = this.#slotOf(hash, insert);
      if (slot === NONE) continue;
      const last = side.last[slot]!;
      if (last === NONE) side.first[slot] = from;
      else side.next[last] = from;
      side.last[slot] = from;
      side.counts[slot]!++;
    }
  }

  #slotOf(hash: number, insert: boolean): number {
    let slot = hash & this.#mask;
    while (this.#left.counts[slot] !== 0) {
      if (this.#hashes[slot] === hash) return slot;
      slot = (slot + 1) & this.#mask;
    }
    if (!insert) return NONE;
    this.#hashes[slot] = hash;
    this.#slots.push(slot);
    return slot;
  }
}

function occurrences(size: number, words: number): Occurrences {
  return {
    counts: new Int32Array(size),
    first: new Int32Array(size).fill(NONE),
    last: new Int32Array(size).fill(NONE),
    next: new Int32Array(words),
  };
}
