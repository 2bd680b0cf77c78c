import { badImage } from "../image/cells.js";
import { MdcxError } from "../errors.js";

/**
 * Numbers of IEEE 754 binary16, little-endian, and vectors made of them. Node 20 has no Float16Array.
 *
 * Halving moves each number by at most 2^-11 of itself and so costs a vector its unit length: whoever reads one divides by
 * the length again, so that a product of two is a true cosine (spec/image.md §7).
 */

/** Bits of a float32 without its sign from which on it rounds to no finite half: 65,520. */
const TOO_LARGE = 0x477ff000;
/** 2^-14, the least normal half. Below it halves are multiples of 2^-24. */
const LEAST_NORMAL = 0x38800000;
/** 2^-25: this and all below it round to zero. */
const ROUNDS_TO_ZERO = 0x33000000;
/** 2^-24. */
const SUBNORMAL_UNIT = 5.960464477539063e-8;

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/**
 * Vectors as halves, each number rounded to the nearest, ties to even.
 *
 * @param vectors any number of vectors, one behind the other
 * @returns two bytes a number
 * @throws MdcxError `encoder-failed` for NaN, infinities and numbers of 65,520 and more
 */
export function toHalves(vectors: Float32Array): Uint8Array {
  const halves = new Uint8Array(vectors.length * 2);
  for (let i = 0; i < vectors.length; i++) {
    float[0] = vectors[i]!;
    const half = halfOf(bits[0]!);
    halves[2 * i] = half;
    halves[2 * i + 1] = half >>> 8;
  }
  return halves;
}

function halfOf(single: number): number {
  const sign = (single >>> 16) & 0x8000;
  const size = single & 0x7fffffff;
  if (size >= TOO_LARGE) {
    throw new MdcxError(
      "encoder-failed",
      "The encoder gave a vector that holds a number too large or none at all: try another model.",
    );
  }
  // A carry out of the fraction goes into the exponent, which is what rounding up to the next power means.
  if (size >= LEAST_NORMAL) return sign | ((size - 0x38000000 + 0xfff + ((size >>> 13) & 1)) >>> 13);
  if (size <= ROUNDS_TO_ZERO) return sign;
  const shift = 126 - (size >>> 23);
  const fraction = (size & 0x7fffff) | 0x800000;
  const half = fraction >>> shift;
  return sign | ((fraction + (1 << (shift - 1)) - 1 + (half & 1)) >>> shift);
}

let table: Float32Array | undefined;

/** The number of every half; NaN for those that are none and for infinities, so that a sum over a row shows them. */
function numbers(): Float32Array {
  if (table !== undefined) return table;
  table = new Float32Array(0x10000);
  for (let half = 0; half < 0x8000; half++) {
    const exponent = half >>> 10;
    const fraction = half & 0x3ff;
    const size = exponent === 0 ? fraction * SUBNORMAL_UNIT : (1 + fraction / 1024) * 2 ** (exponent - 15);
    table[half] = exponent === 31 ? NaN : size;
    table[half | 0x8000] = exponent === 31 ? NaN : -size;
  }
  return table;
}

/** The number whose half stands at `at`; NaN for one that is no finite number. */
export function readHalf(bytes: Uint8Array, at: number): number {
  return numbers()[bytes[at]! | (bytes[at + 1]! << 8)]!;
}

/**
 * Vectors from their halves, each divided by its length.
 *
 * @param bytes any number of rows of `dimensions` halves
 * @returns one unit vector after another
 * @throws MdcxError `bad-image` for an incomplete row, a half that is no finite number, and a row of zeros
 */
export function fromHalves(bytes: Uint8Array, dimensions: number): Float32Array {
  if (bytes.length % (2 * dimensions) !== 0) badImage("a vector is not complete");
  const number = numbers();
  const vectors = new Float32Array(bytes.length / 2);
  for (let start = 0; start < vectors.length; start += dimensions) {
    let squares = 0;
    for (let i = start; i < start + dimensions; i++) {
      const value = number[bytes[2 * i]! | (bytes[2 * i + 1]! << 8)]!;
      vectors[i] = value;
      squares += value * value;
    }
    const factor = 1 / lengthOf(squares);
    for (let i = start; i < start + dimensions; i++) vectors[i] = vectors[i]! * factor;
  }
  return vectors;
}

/**
 * The cosine of a vector and a row of halves, in double precision and from the halves alone, so that it depends on
 * nothing else. From -1 to 1.
 *
 * @param unit a vector of length 1
 * @throws MdcxError `bad-image` as `fromHalves`
 */
export function cosineToHalves(unit: Float64Array, halves: Uint8Array): number {
  const number = numbers();
  let product = 0;
  let squares = 0;
  for (let i = 0; i < unit.length; i++) {
    const value = number[halves[2 * i]! | (halves[2 * i + 1]! << 8)]!;
    product += unit[i]! * value;
    squares += value * value;
  }
  return Math.max(-1, Math.min(1, product / lengthOf(squares)));
}

function lengthOf(squares: number): number {
  return squares > 0 ? Math.sqrt(squares) : badImage("a vector is no direction");
}
