import { badIndex } from "./varint.js";

/** What a posting list is added up into, over all mounted passages. */
export interface Accumulator {
  /** Weighted frequency by passage; 0 where nothing was added. */
  readonly sums: Int32Array;
  /** The passages whose sum is not 0, in order of arrival. */
  readonly touched: Int32Array;
  count: number;
}

export function newAccumulator(passages: number): Accumulator {
  return { sums: new Int32Array(passages), touched: new Int32Array(passages), count: 0 };
}

/**
 * Adds `weight` × frequency to the sum of every passage of one posting list (spec/words.md §4).
 * @param documents how many postings there are
 * @param base number of the package's first passage among all mounted ones
 * @param passages passages in the package
 * @returns the position behind the list
 * @throws MdcxError("bad-image") for a list that is cut off or names a passage that is not there
 */
export function addPostings(
  bytes: Uint8Array,
  start: number,
  documents: number,
  base: number,
  passages: number,
  weight: number,
  into: Accumulator,
): number {
  const { sums, touched } = into;
  let { count } = into;
  const length = bytes.length;
  const last = base + passages;
  let at = start;
  let passage = base - 1;
  for (let left = documents; left > 0; left--) {
    let byte = at < length ? bytes[at++]! : 0;
    let value = byte & 0x7f;
    for (let shift = 7; byte >= 0x80 && shift < 35; shift += 7) {
      byte = at < length ? bytes[at++]! : 0;
      value |= (byte & 0x7f) << shift;
    }
    value >>>= 0;
    let frequency = 1;
    if ((value & 1) === 1) {
      byte = at < length ? bytes[at++]! : 0;
      frequency = (byte & 0x7f) + 2;
      if (byte >= 0x80) frequency += (at < length ? bytes[at++]! & 0x7f : 0) << 7;
    }
    passage += (value >>> 1) + 1;
    if (passage >= last) throw badIndex("a posting names a passage that is not there");
    const sum = sums[passage]!;
    if (sum === 0) touched[count++] = passage;
    sums[passage] = sum + weight * frequency;
  }
  into.count = count;
  return at;
}

/** The position behind a posting list of `documents` postings, without reading what it holds. */
export function skipPostings(bytes: Uint8Array, start: number, documents: number): number {
  const length = bytes.length;
  let at = start;
  for (let left = documents; left > 0; left--) {
    if (at >= length) throw badIndex("a posting list is cut off");
    const more = bytes[at]! & 1;
    while (at < length && bytes[at]! >= 0x80) at++;
    at++;
    if (more === 1) {
      while (at < length && bytes[at]! >= 0x80) at++;
      at++;
    }
  }
  if (at > length) throw badIndex("a posting list is cut off");
  return at;
}
