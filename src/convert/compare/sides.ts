/** The two sides of a pairing and what becomes of their words. */
import type { WordList } from "./words.js";

/** One side of a pairing: words in order, all of them or a selection. */
export interface Side {
  readonly ids: ArrayLike<number>;
  readonly list: WordList;
  /** Position in `list` of each word. */
  readonly at: (index: number) => number;
}

/** For each word the index of its partner on the other side, or one of the values below. */
export interface Pairing {
  readonly left: Int32Array;
  readonly right: Int32Array;
}

/** No partner. */
export const ALONE = -1;
/** Spelled by other words of the other side: `conver` `sion` for `conversion`. */
export const RESPACED = -2;

export function wholeSide(list: WordList): Side {
  return { ids: list.ids, list, at: (index) => index };
}

export function selectedSide(list: WordList, positions: readonly number[]): Side {
  return { ids: positions.map((at) => list.ids[at]!), list, at: (index) => positions[index]! };
}
