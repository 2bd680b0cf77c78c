import { badIndex, ByteWriter, type ByteReader } from "./varint.js";

/** Longest string in a front-coded list, in UTF-8 bytes: LONGEST_FORM units of three bytes each, and some room. */
export const LONGEST_STRING = 255;

/**
 * Decoded bytes may be this many times the coded ones. Sorted words stay far below it, the writer keeps to it by writing
 * a string whole now and then, and a forged list cannot ask the reader for more memory than that.
 */
export const LARGEST_EXPANSION = 16;

const NIBBLE = 15;

/** Strings in ascending byte order, decoded: string `i` is `bytes[offsets[i]]` up to `bytes[offsets[i + 1]]`. */
export interface SortedStrings {
  readonly count: number;
  readonly bytes: Uint8Array;
  /** `count + 1` positions in `bytes`. */
  readonly offsets: Uint32Array;
}

// A form may begin with what elsewhere marks the order of bytes.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** String `number` as text. */
export function stringAt({ bytes, offsets }: SortedStrings, number: number): string {
  return decoder.decode(bytes.subarray(offsets[number], offsets[number + 1]));
}

/** Writes strings in ascending byte order, each as the length it shares with the one before and the rest. */
export class FrontCoder {
  #previous: Uint8Array = new Uint8Array(0);
  #decoded = 0;

  constructor(readonly writer: ByteWriter) {}

  /** Goes on behind a string that is written elsewhere. */
  follow(string: Uint8Array): void {
    this.#previous = string;
  }

  write(string: Uint8Array): void {
    const { writer } = this;
    const previous = this.#previous;
    let shared = 0;
    const most = Math.min(previous.length, string.length);
    while (shared < most && previous[shared] === string[shared]) shared++;
    this.#decoded += string.length;
    if (this.#decoded > LARGEST_EXPANSION * writer.length) shared = 0;
    const rest = string.length - shared;
    writer.byte((Math.min(shared, NIBBLE) << 4) | Math.min(rest, NIBBLE));
    if (shared >= NIBBLE) writer.varint(shared - NIBBLE);
    if (rest >= NIBBLE) writer.varint(rest - NIBBLE);
    writer.append(string, shared);
    this.#previous = string;
  }
}

/** Reads what {@link FrontCoder} wrote, checking order and sizes. */
export class FrontDecoder {
  readonly offsets: Uint32Array;
  #bytes: Uint8Array;
  #count = 0;
  #length = 0;

  /**
   * @param count strings to come
   * @throws MdcxError("bad-image") where `reader` cannot hold so many
   */
  constructor(
    readonly reader: ByteReader,
    count: number,
    /** Bytes that the strings may take. */
    private readonly most = LARGEST_EXPANSION * reader.bytes.length + 2 * LONGEST_STRING,
  ) {
    // A string takes two bytes at least: its head and, strings being distinct, one of its own.
    if (count > reader.bytes.length / 2) throw badIndex("it names more strings than it can hold");
    this.offsets = new Uint32Array(count + 1);
    this.#bytes = new Uint8Array(reader.bytes.length * 2 + LONGEST_STRING);
  }

  /** Decodes the next string. */
  read(): void {
    const { reader, offsets } = this;
    const head = reader.skip(1);
    const source = reader.bytes;
    const both = source[head]!;
    let shared = both >> 4;
    let rest = both & NIBBLE;
    if (shared === NIBBLE) shared += reader.varint();
    if (rest === NIBBLE) rest += reader.varint();
    const from = reader.skip(rest);
    const end = this.#length;
    const previous = this.#count === 0 ? 0 : offsets[this.#count - 1]!;
    if (shared > end - previous || shared + rest > LONGEST_STRING) throw badIndex("a string is too long");
    if (end + LONGEST_STRING > this.#bytes.length) this.#grow();
    const bytes = this.#bytes;
    // Ascending: at the first byte that is not shared this string is greater, or the one before ends there.
    const ascends = rest > 0 && (previous + shared === end || source[from]! > bytes[previous + shared]!);
    if (!ascends && this.#count > 0) throw badIndex("its strings are out of order");
    for (let i = 0; i < shared; i++) bytes[end + i] = bytes[previous + i]!;
    for (let i = 0, at = end + shared; i < rest; i++) bytes[at + i] = source[from + i]!;
    this.#length = end + shared + rest;
    this.#count++;
    offsets[this.#count] = this.#length;
  }

  /** Goes on behind string `number` of another list, as the next one of this. */
  follow(strings: SortedStrings, number: number): void {
    const start = strings.offsets[number]!;
    const end = strings.offsets[number + 1]!;
    const own = this.offsets[this.#count]!;
    const previous = this.#count === 0 ? own : this.offsets[this.#count - 1]!;
    const ascends = compareBytes(this.#bytes, previous, own, strings.bytes, start, end) < 0;
    if (!ascends && this.#count > 0) throw badIndex("its strings are out of order");
    if (own + LONGEST_STRING > this.#bytes.length) this.#grow();
    this.#bytes.set(strings.bytes.subarray(start, end), own);
    this.#length = own + end - start;
    this.offsets[++this.#count] = this.#length;
  }

  /** All strings read so far, in no more memory than they take. */
  strings(): SortedStrings {
    return { count: this.#count, bytes: this.#bytes.slice(0, this.#length), offsets: this.offsets };
  }

  #grow(): void {
    if (this.#bytes.length >= this.most) throw badIndex("its strings share too much");
    const larger = new Uint8Array(Math.min(this.most, this.#bytes.length * 2));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Bytes of a string that make its key: six fit exactly into a double. */
const KEY_BYTES = 6;

/**
 * The beginning of string `number` as a number that orders as the strings do: where two keys differ, so do the strings, and
 * the same way. Equal keys say nothing.
 */
export function stringKey({ bytes, offsets }: SortedStrings, number: number): number {
  const start = offsets[number]!;
  const end = offsets[number + 1]!;
  let key = 0;
  for (let at = start; at < start + KEY_BYTES; at++) key = key * 256 + (at < end ? bytes[at]! : 0);
  return key;
}

/** Byte order of string `i` of one list and string `j` of another: negative, 0 or positive. */
export function compareStrings(a: SortedStrings, i: number, b: SortedStrings, j: number): number {
  return compareBytes(a.bytes, a.offsets[i]!, a.offsets[i + 1]!, b.bytes, b.offsets[j]!, b.offsets[j + 1]!);
}

function compareBytes(
  a: Uint8Array,
  aStart: number,
  aEnd: number,
  b: Uint8Array,
  bStart: number,
  bEnd: number,
): number {
  const most = Math.min(aEnd - aStart, bEnd - bStart);
  for (let i = 0; i < most; i++) {
    const difference = a[aStart + i]! - b[bStart + i]!;
    if (difference !== 0) return difference;
  }
  return aEnd - aStart - (bEnd - bStart);
}

/** The first string of a sorted list that is not less than `string`; their count where all are. */
export function lowerBound(strings: SortedStrings, string: Uint8Array): number {
  const { bytes, offsets } = strings;
  let low = 0;
  let high = strings.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = compareBytes(bytes, offsets[middle]!, offsets[middle + 1]!, string, 0, string.length);
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Greater than all strings that begin with `beginning`, and less than all that are greater than these. */
export function behindAll(beginning: Uint8Array): Uint8Array {
  // No byte of UTF-8 is FF.
  const behind = new Uint8Array(beginning.length + 1).fill(0xff);
  behind.set(beginning);
  return behind;
}

/** The strings that begin with `beginning`: from `first`, up to `end`. */
export function beginningWith(strings: SortedStrings, beginning: Uint8Array): { first: number; end: number } {
  return { first: lowerBound(strings, beginning), end: lowerBound(strings, behindAll(beginning)) };
}

/** The number of `string` in a sorted list, or -1. */
export function findString(strings: SortedStrings, string: Uint8Array): number {
  const place = lowerBound(strings, string);
  if (place === strings.count) return -1;
  const { bytes, offsets } = strings;
  return compareBytes(bytes, offsets[place]!, offsets[place + 1]!, string, 0, string.length) === 0 ? place : -1;
}
