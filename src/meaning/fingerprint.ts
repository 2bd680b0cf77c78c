import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/** Four texts that have nothing in common, so that every model puts them apart. They may never change. */
export const FINGERPRINT_TEXTS: readonly string[] = [
  "The harbour pilot boards the ship two miles before the breakwater.",
  "Ein Integral über eine stetige Funktion ist selbst stetig.",
  "Se bate la mantequilla con el azúcar hasta que quede blanca.",
  "裁判所は契約の解除を認めなかった。",
];

/**
 * What stands for the SHA-256 of a model whose file nobody sees: a digest of its name, its dimensions and, for each of the
 * texts above, the component in which its vector differs most from the mean of the four, with its sign.
 *
 * It must be the same at every call, while servers differ in the last bits of a number from one call to the next (other
 * batches, threads or cards), so no rounding will do: of 4 × 384 components rounded to three decimals, some lies within 1e-6
 * of a boundary in 95 of 100 cases. The largest of 384 components is ahead of the next by .006 on average (the shipped
 * model): noise of 1e-6 turns one of the four in one case of 700, and other weights agree in all four by one chance in 2^32.
 * What weights that are nearly the same change, the probes of the package measure.
 *
 * @param vectors unit vectors of FINGERPRINT_TEXTS, in their order
 */
export function fingerprint(model: string, vectors: readonly Float32Array[]): string {
  const dimensions = vectors[0]!.length;
  const mean = new Float64Array(dimensions);
  for (const vector of vectors) for (let i = 0; i < dimensions; i++) mean[i]! += vector[i]! / vectors.length;
  const outstanding = vectors.map((vector) => {
    let most = 0;
    for (let i = 1; i < dimensions; i++)
      if (Math.abs(vector[i]! - mean[i]!) > Math.abs(vector[most]! - mean[most]!)) most = i;
    return vector[most]! < mean[most]! ? -1 - most : most;
  });
  return bytesToHex(sha256(new TextEncoder().encode(JSON.stringify([model, dimensions, ...outstanding]))));
}
