/**
 * How near a question is to everything in a language. Models draw texts of one language together, so that in a package of
 * several the passages of the question's language stand before the answer in another: of XQuAD, half of it in one
 * language and half in another, questions about the other half found their paragraph first in .40 of cases, and in .62 when
 * half of what each language is nearer in the mean is taken off (spec/fusion.md §5). The mean vectors are stored, for then
 * the means of several packages are those of one, and a reader need not read every vector.
 */
import { badImage } from "../image/cells.js";
import { fromBase64, toBase64 } from "./base64.js";
import { fromHalves } from "./half.js";
import { product } from "./product.js";

/** Before the language in a key of `meta`; the value is the number of passages, a blank, and the mean as base64 of float32. */
const KEY = "vectors:mean:";
/** Languages whose mean is kept, those of most passages: of others there is too little to tell. */
const MOST_LANGUAGES = 64;
/** Share of a language's mean that is taken off: more costs within the question's language (spec/fusion.md §5). */
const SHARE = 0.5;
/** With so many passages half of that: the mean of a few says what they are about. */
const HALF_SURE = 8;

/** The mean of a language's vectors in a package. */
export interface LanguageMean {
  readonly passages: number;
  readonly mean: Float32Array;
}

/** Adds up the vectors of a package that is being made, by the language of their documents. */
export class LanguageSums {
  readonly #sums = new Map<string, { passages: number; readonly sum: Float64Array }>();

  constructor(private readonly dimensions: number) {}

  /** @param halves the vector as it is stored */
  add(language: string, halves: Uint8Array): void {
    let one = this.#sums.get(language);
    if (one === undefined) {
      one = { passages: 0, sum: new Float64Array(this.dimensions) };
      this.#sums.set(language, one);
    }
    one.passages++;
    const vector = fromHalves(halves, this.dimensions);
    for (let i = 0; i < vector.length; i++) one.sum[i]! += vector[i]!;
  }

  /** What `meta` of the image says of them: of one language too, for the package may stand beside one in another. */
  meta(): Record<string, string> {
    const most = [...this.#sums].sort((a, b) => b[1].passages - a[1].passages || (a[0] < b[0] ? -1 : 1));
    return Object.fromEntries(
      most.slice(0, MOST_LANGUAGES).map(([language, { passages, sum }]) => {
        const mean = Float32Array.from(sum, (number) => number / passages);
        return [KEY + language, `${passages} ${toBase64(bytesOf(mean))}`];
      }),
    );
  }
}

/** The means that an image states, by language. @throws MdcxError `bad-image` */
export function readLanguageMeans(
  meta: ReadonlyMap<string, string>,
  dimensions: number,
): ReadonlyMap<string, LanguageMean> {
  const means = new Map<string, LanguageMean>();
  for (const [key, value] of meta) {
    if (!key.startsWith(KEY)) continue;
    const [, passages, base64] = /^([1-9][0-9]{0,9}) ([A-Za-z0-9+/]+=*)$/.exec(value) ?? [];
    if (passages === undefined || base64 === undefined) return badImage("the mean of a language is not stated");
    const mean = readMean(base64, dimensions);
    // A mean of vectors of length 1 is no longer than they are.
    if (!(mean.reduce((sum, number) => sum + number * number, 0) <= 1.01))
      return badImage("the mean of a language is none of its vectors");
    means.set(key.slice(KEY.length), { passages: Number(passages), mean });
  }
  return means;
}

/**
 * What is to be taken off the cosines of each language's passages, so that their order is that within their language.
 *
 * @param query of unit length
 * @param packages the means of each mounted package
 * @returns nothing where all passages are in one language
 */
export function languageLevels(
  query: Float32Array,
  packages: readonly ReadonlyMap<string, LanguageMean>[],
): ReadonlyMap<string, number> {
  const near = new Map<string, { passages: number; sum: number }>();
  for (const means of packages)
    for (const [language, { passages, mean }] of means) {
      const known = near.get(language) ?? { passages: 0, sum: 0 };
      near.set(language, { passages: known.passages + passages, sum: known.sum + passages * product(query, mean) });
    }
  if (near.size < 2) return new Map();
  const all = [...near.values()];
  const passages = all.reduce((sum, one) => sum + one.passages, 0);
  const mean = all.reduce((sum, one) => sum + one.sum, 0) / passages;
  return new Map(
    [...near].map(([language, one]) => {
      const sure = one.passages / (one.passages + HALF_SURE);
      return [language, SHARE * sure * (one.sum / one.passages - mean)];
    }),
  );
}

/**
 * The mean cosine of two passages of all packages, which is the square of the length of their mean: what two texts have that have
 * nothing to do with each other. 0 where there are fewer than two.
 *
 * @param packages the means of each mounted package, of one model
 */
export function meanCosine(packages: readonly ReadonlyMap<string, LanguageMean>[]): number {
  const sum: number[] = [];
  let all = 0;
  for (const means of packages)
    for (const { passages, mean } of means.values()) {
      all += passages;
      mean.forEach((number, i) => (sum[i] = (sum[i] ?? 0) + passages * number));
    }
  if (all < 2) return 0;
  const square = sum.reduce((total, number) => total + number * number, 0);
  // Each passage with itself is no pair.
  return (square - all) / (all * (all - 1));
}

function bytesOf(numbers: Float32Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * numbers.length));
  numbers.forEach((number, i) => {
    view.setFloat32(4 * i, number, true);
  });
  return new Uint8Array(view.buffer);
}

function readMean(base64: string, dimensions: number): Float32Array {
  const bytes = fromBase64(base64) ?? badImage("the mean of a language is not base64");
  if (bytes.length !== 4 * dimensions) return badImage("the mean of a language has other dimensions than its vectors");
  const view = new DataView(bytes.buffer);
  return Float32Array.from({ length: dimensions }, (_, i) => view.getFloat32(4 * i, true));
}
