import { utf8ToBytes } from "@noble/hashes/utils.js";
import { embeddedTextOf } from "./embedded-text.js";
import type { Primitives } from "./format/primitives.js";
import type { Image } from "./image/reader.js";
import { sameModel, type EncoderDescription } from "./meaning/encoder.js";
import type { VectorIndex } from "./meaning/vectors.js";

/** Vectors that are known already and need not be made again. */
export interface VectorSource {
  /**
   * Halves of the vector that the same model gave exactly this embedded text, as a passage, in memory of their own;
   * undefined where it is not known.
   */
  get(text: string): Uint8Array | undefined;
}

/** What a package offers for reuse. */
export interface VectorPackage {
  readonly image: Image;
  readonly description: EncoderDescription | undefined;
  readonly vectors: VectorIndex | undefined;
}

/**
 * The vectors of an opened package, looked up by the text that each was made of: a passage whose text, headings and
 * title are unchanged has its vector there, wherever its document stands now. The texts are read when this is called, and
 * only digests of them are kept; the vectors are read as they are asked for, so the package must stay open.
 *
 * @returns undefined where the package has no vectors, or another model made them
 */
export function vectorsOfPackage(
  old: VectorPackage,
  wanted: EncoderDescription,
  p: Pick<Primitives, "sha256">,
): VectorSource | undefined {
  const { image, description } = old;
  if (description === undefined || !sameModel(description, wanted)) return undefined;
  const { vectors } = old;
  if (vectors === undefined) return undefined;
  const digestOf = (text: string): string => digestKey(textDigest(p, text));
  const rows = new Map<string, number>();
  for (let number = 0; number < image.documentCount; number++) {
    const document = image.document(number);
    for (const passage of image.passagesOf(document)) {
      const key = digestOf(embeddedTextOf(image, document, passage));
      if (!rows.has(key)) rows.set(key, passage.number);
    }
  }
  return {
    get: (text) => {
      const row = rows.get(digestOf(text));
      // A copy: what the package gives is a view that would keep a whole decrypted page for each vector.
      return row === undefined ? undefined : new Uint8Array(vectors.halves(row));
    },
  };
}

/** What stands for an embedded text where vectors are looked up: SHA-256 of its UTF-8, 32 bytes. */
export function textDigest(p: Pick<Primitives, "sha256">, text: string): Uint8Array {
  return p.sha256(utf8ToBytes(text));
}

/** A digest as the key of a Map: a string of as many units as it has bytes. */
export function digestKey(digest: Uint8Array): string {
  return String.fromCharCode(...digest);
}
