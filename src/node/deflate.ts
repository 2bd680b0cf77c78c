import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Deflate, Inflate } from "../image/deflate.js";

/** Deflate by Node's zlib: level 6, or level 1 where speed matters more than size. */
export function nodeDeflate(options: { readonly fast?: boolean } = {}): Deflate {
  const level = options.fast === true ? 1 : 6;
  return (bytes) => deflateRawSync(bytes, { level });
}

/** Inflate by Node's zlib. */
export const nodeInflate: Inflate = (deflated, length) => {
  const inflated = inflateRawSync(deflated, { maxOutputLength: length + 1 });
  return inflated.length === length ? inflated : undefined;
};
