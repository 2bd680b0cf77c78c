import type { ScanQuestion } from "./scan.js";

/** The arrays that a scan goes through. */
export interface ScanArrays {
  /** Rows of `query.length` codes. */
  readonly codes: Int8Array;
  readonly scales: Float32Array;
  readonly reaches: Float32Array;
  readonly query: Int16Array;
  /** Where the result of each row goes. */
  readonly upper: Float32Array;
}

/**
 * What scan.wat does, in JavaScript and bit for bit: `Math.fround` after each operation is float32 arithmetic, for
 * doubles hold more than twice its digits.
 */
export function scanScalar(
  { codes, scales, reaches, query, upper }: ScanArrays,
  { base, factor }: Omit<ScanQuestion, "query">,
): void {
  const stride = query.length;
  const [start, step] = [Math.fround(base), Math.fround(factor)];
  for (let row = 0, at = 0; row < scales.length; row++) {
    let sum = 0;
    for (let i = 0; i < stride; i++, at++) sum = (sum + codes[at]! * query[i]!) | 0;
    const product = Math.fround(scales[row]! * Math.fround(Math.fround(sum) * step));
    upper[row] = Math.fround(start + product) + reaches[row]!;
  }
}
