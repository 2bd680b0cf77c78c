import type { Overflow } from "../format/overflow.js";
import { putPair, putVarint } from "./varint.js";

/** Bytes of a block: blocks, so that growing copies nothing and what is full can leave memory. */
const BLOCK = 1 << 17;
/** Of the room outside of which an index overflows, what the log may take. */
const LOG_SHARE = 1 / 4;
/** A pair takes so many bytes at most, and so does the number of pairs of a passage. */
const LONGEST_PAIR = 10;

/** A block of the log: in memory, or where it went. */
interface Block {
  readonly used: number;
  readonly bytes: Uint8Array | number;
}

/** What passages hold in order of arrival: of each its forms with their frequencies. Full blocks go where there is room. */
export class PostingLog {
  #full: Block[] = [];
  #bytes = new Uint8Array(0);
  #used = 0;
  /** Bytes of full blocks that may stay in memory. */
  #room: number;

  constructor(private readonly overflow?: Overflow) {
    this.#room = (overflow?.room ?? Infinity) * LOG_SHARE;
  }

  /** Begins the next passage. */
  begin(distinct: number): void {
    const most = (distinct + 1) * LONGEST_PAIR;
    if (this.#used + most > this.#bytes.length) {
      this.#store();
      this.#bytes = new Uint8Array(Math.max(BLOCK, most));
    }
    this.#used = putVarint(this.#bytes, this.#used, distinct);
  }

  /** Adds a form to the passage that was begun last. */
  pair(form: number, frequency: number): void {
    this.#used = putPair(this.#bytes, this.#used, form, frequency);
  }

  /** Gives every form of every passage, in order of arrival. */
  play(each: (form: number, frequency: number, passage: number) => void): void {
    let passage = 0;
    for (const { bytes, used } of [...this.#full, { bytes: this.#bytes, used: this.#used }])
      passage = playBlock(typeof bytes === "number" ? this.overflow!.get(bytes) : bytes, used, passage, each);
  }

  /** Lets go of everything. */
  clear(): void {
    this.#full = [];
    this.#bytes = new Uint8Array(0);
    this.#used = 0;
  }

  #store(): void {
    if (this.#used === 0) return;
    this.#room -= this.#bytes.length;
    const bytes =
      this.#room >= 0 || this.overflow === undefined
        ? this.#bytes
        : this.overflow.put(this.#bytes.subarray(0, this.#used));
    this.#full.push({ bytes, used: this.#used });
    this.#used = 0;
  }
}

/** @returns the passage behind the last one of the block */
function playBlock(
  source: Uint8Array,
  end: number,
  first: number,
  each: (form: number, frequency: number, passage: number) => void,
): number {
  let at = 0;
  const number = (): number => {
    let byte = source[at++]!;
    let value = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = source[at++]!;
      value |= (byte & 0x7f) << shift;
    }
    return value >>> 0;
  };
  let passage = first;
  for (; at < end; passage++) {
    for (let distinct = number(); distinct > 0; distinct--) {
      const pair = number();
      each(pair >>> 1, (pair & 1) === 0 ? 1 : number() + 2, passage);
    }
  }
  return passage;
}
