import type { ScanQuestion } from "./scan.js";

/**
 * What scan.wat does, in JavaScript and bit for bit: `Math.fround` after each operation is float32 arithmetic, for
 * doubles hold more than twice its digits.
 *
 * @param codes rows of `query.length` codes
 * @param upper where the result of each row goes
 */
export function scanScalar(
  codes: Int8Array,
  scales: Float32Array,
  query: Int16Array,
  upper: Float32Array,
  { base, factor, slack }: Omit<ScanQuestion, "query">,
): void {
  const stride = query.length;
  const [b, f, s] = [Math.fround(base), Math.fround(factor), Math.fround(slack)];
  for (let row = 0, at = 0; row < scales.length; row++) {
    let sum = 0;
    for (let i = 0; i < stride; i++, at++) sum = (sum + codes[at]! * query[i]!) | 0;
    const product = Math.fround(Math.fround(sum) * f);
    upper[row] = b + Math.fround(scales[row]! * Math.fround(s + product));
  }
}
