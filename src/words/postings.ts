import { badIndex, ByteReader } from "./varint.js";

/** Greatest frequency that is kept; more says nothing to BM25, and sums of frequencies stay small integers. */
export const GREATEST_FREQUENCY = 4095;

/** What a posting list is added up into, over all mounted passages. */
export interface Accumulator {
  /** Weighted frequency by passage; 0 where nothing was added. */
  readonly sums: Int32Array;
  /** The passages whose sum is not 0, in order of arrival. */
  readonly touched: Int32Array;
  count: number;
}

export function newAccumulator(passages: number): Accumulator {
  // One place more: adding writes the next passage before it knows whether that is new.
  return { sums: new Int32Array(passages), touched: new Int32Array(passages + 1), count: 0 };
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
    touched[count] = passage;
    count += isZero(sum);
    sums[passage] = sum + weight * frequency;
  }
  into.count = count;
  return at;
}

/** A posting list decoded, to be added up more than once. */
export interface DecodedPostings {
  /** Numbers of the passages in their package, ascending. */
  readonly passages: Uint32Array;
  /** How often each holds the form. */
  readonly frequencies: Uint16Array;
}

/** Decodes a posting list of `documents` postings whose bytes are `bytes`, no more and no fewer. */
export function decodePostings(bytes: Uint8Array, documents: number, passages: number): DecodedPostings {
  const list = { passages: new Uint32Array(documents), frequencies: new Uint16Array(documents) };
  const reader = new ByteReader(bytes);
  let passage = -1;
  for (let i = 0; i < documents; i++) {
    const value = reader.varint();
    passage += Math.floor(value / 2) + 1;
    if (passage >= passages) throw badIndex("a posting names a passage that is not there");
    const frequency = value % 2 === 0 ? 1 : reader.varint() + 2;
    if (frequency > GREATEST_FREQUENCY) throw badIndex("a form is in a passage too often");
    list.passages[i] = passage;
    list.frequencies[i] = frequency;
  }
  if (reader.position !== bytes.length) throw badIndex("a posting list has another length than it says");
  return list;
}

/** Adds `weight` × frequency to the sum of every passage of a list, the first passage of whose package is number `base`. */
export function addDecoded(
  { passages, frequencies }: DecodedPostings,
  base: number,
  weight: number,
  into: Accumulator,
): void {
  const { sums, touched } = into;
  let { count } = into;
  for (let i = 0; i < passages.length; i++) {
    const passage = base + passages[i]!;
    const sum = sums[passage]!;
    touched[count] = passage;
    count += isZero(sum);
    sums[passage] = sum + weight * frequencies[i]!;
  }
  into.count = count;
}

/** 1 for a sum of 0, 0 for a greater one: whether a passage was met before nobody can foresee, a processor neither. */
function isZero(sum: number): number {
  return (sum - 1) >>> 31;
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
