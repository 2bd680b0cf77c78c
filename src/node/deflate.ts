import { deflateRawSync } from "node:zlib";
import type { Deflate } from "../image/deflate.js";

/** Deflate by Node's zlib: level 6, or level 1 where speed matters more than size. */
export function nodeDeflate(options: { readonly fast?: boolean } = {}): Deflate {
  const level = options.fast === true ? 1 : 6;
  return (bytes) => deflateRawSync(bytes, { level });
}
