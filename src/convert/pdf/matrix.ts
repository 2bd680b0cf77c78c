/** A transformation of the plane as PDF writes it: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** First `inner`, then `outer`. */
export function times(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [g, h, i, j, k, l] = inner;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

/** Where a transformation takes a point. */
export function place(matrix: Matrix, x: number, y: number): readonly [number, number] {
  return [matrix[0] * x + matrix[2] * y + matrix[4], matrix[1] * x + matrix[3] * y + matrix[5]];
}

/** The six numbers of an operator's argument; the identity where it has none, or others than finite numbers. */
export function matrixOf(numbers: unknown): Matrix {
  const list =
    Array.isArray(numbers) || numbers instanceof Float32Array ? Array.from(numbers as ArrayLike<unknown>) : [];
  return list.length === 6 && list.every((number) => typeof number === "number" && Number.isFinite(number))
    ? (list as unknown as Matrix)
    : IDENTITY;
}
