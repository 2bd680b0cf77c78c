import type { Pooling } from "./encoder.js";

/**
 * One unit vector of the vectors of a text's tokens.
 *
 * @param tokens `count × dimensions`, without padding: texts run one by one
 * @returns `dimensions` numbers; zeros where the model gave zeros
 */
export function pool(tokens: Float32Array, dimensions: number, pooling: Pooling): Float32Array {
  const count = tokens.length / dimensions;
  if (pooling !== "mean") {
    const row = pooling === "cls" ? 0 : count - 1;
    return unit(tokens.slice(row * dimensions, (row + 1) * dimensions));
  }
  return meanOf(tokens, dimensions);
}

/** The unit vector in the direction of the mean of some vectors, rows of `rows`. */
export function meanOf(rows: Float32Array, dimensions: number): Float32Array {
  // Doubles: the sum of 512 tokens loses three digits of a float's seven.
  const sum = new Float64Array(dimensions);
  for (let start = 0; start < rows.length; start += dimensions)
    for (let at = 0; at < dimensions; at++) sum[at]! += rows[start + at]!;
  return unit(Float32Array.from(sum));
}

/** Brings a vector to unit length, in place. */
export function unit(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const each of vector) squares += each * each;
  const length = Math.sqrt(squares);
  if (length > 0) for (let at = 0; at < vector.length; at++) vector[at]! /= length;
  return vector;
}
