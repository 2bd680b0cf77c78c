import { MdcxError } from "../errors.js";

/** Largest value that the streams of the word index hold as one varint. */
export const MAX_VARINT = 0xffff_ffff;

/** The refusal of a word index whose bytes do not follow spec/words.md. */
export function badIndex(what: string): MdcxError {
  return new MdcxError("bad-image", `The word index of this package is damaged or forged: ${what}.`);
}

/** How many bytes `value` takes as an unsigned LEB128 integer. */
export function varintLength(value: number): number {
  if (value < 0x80) return 1;
  if (value < 0x4000) return 2;
  if (value < 0x20_0000) return 3;
  return value < 0x1000_0000 ? 4 : 5;
}

/** Writes `value` (0 to MAX_VARINT) as unsigned LEB128 at `position`; returns the position behind it. */
export function putVarint(bytes: Uint8Array, position: number, value: number): number {
  let rest = value;
  let at = position;
  while (rest >= 0x80) {
    bytes[at++] = (rest & 0x7f) | 0x80;
    rest = Math.floor(rest / 128);
  }
  bytes[at++] = rest;
  return at;
}

/**
 * Writes a number and a frequency of at least 1, most often 1: `2 * number`, or `2 * number + 1` followed by the frequency
 * less 2; returns the position behind them.
 */
export function putPair(bytes: Uint8Array, at: number, number: number, frequency: number): number {
  if (frequency === 1) return putVarint(bytes, at, number * 2);
  return putVarint(bytes, putVarint(bytes, at, number * 2 + 1), frequency - 2);
}

export function pairLength(number: number, frequency: number): number {
  return varintLength(number * 2 + 1) + (frequency === 1 ? 0 : varintLength(frequency - 2));
}

/** A growing run of bytes with varints. */
export class ByteWriter {
  #bytes = new Uint8Array(1 << 12);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  varint(value: number): void {
    this.#reserve(5);
    this.#length = putVarint(this.#bytes, this.#length, value);
  }

  /** Appends `bytes` from `start` to `end`. */
  append(bytes: Uint8Array, start = 0, end = bytes.length): void {
    this.#reserve(end - start);
    this.#bytes.set(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end), this.#length);
    this.#length += end - start;
  }

  /** The bytes written so far, as a view. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#length + more, Math.ceil(this.#bytes.length * 1.5)));
    larger.set(this.view());
    this.#bytes = larger;
  }
}

/** A position in bytes from which varints are read; every read is checked against the end. */
export class ByteReader {
  position = 0;

  constructor(readonly bytes: Uint8Array) {}

  /** @throws MdcxError("bad-image") past the end, or for a value over MAX_VARINT */
  varint(): number {
    const { bytes } = this;
    let at = this.position;
    let byte = bytes[at++];
    if (byte !== undefined && byte < 0x80) {
      this.position = at;
      return byte;
    }
    let value = 0;
    let scale = 1;
    for (;;) {
      if (byte === undefined) throw badIndex("a number is cut off");
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) break;
      scale *= 128;
      if (scale > 2 ** 28) throw badIndex("a number is too large");
      byte = bytes[at++];
    }
    if (value > MAX_VARINT) throw badIndex("a number is too large");
    this.position = at;
    return value;
  }

  /** Moves over `length` bytes and returns where they start. */
  skip(length: number): number {
    const start = this.position;
    if (length > this.bytes.length - start) throw badIndex("a string is cut off");
    this.position = start + length;
    return start;
  }

  /** @throws MdcxError("bad-image") where bytes are left */
  end(): void {
    if (this.position !== this.bytes.length) throw badIndex("bytes are left over");
  }
}
