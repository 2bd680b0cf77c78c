import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Deflate, Inflate } from "../image/deflate.js";

/** How hard zlib tries: level 6, or 1 where speed matters more than size. */
export function deflateLevel({ fast = false }: { readonly fast?: boolean } = {}): number {
  return fast ? 1 : 6;
}

/** Deflate by Node's zlib. */
export function nodeDeflate(options: { readonly fast?: boolean } = {}): Deflate {
  const level = deflateLevel(options);
  return (bytes) => deflateRawSync(bytes, { level });
}

/** Inflate by Node's zlib. */
export const nodeInflate: Inflate = (deflated, length) => {
  const inflated = inflateRawSync(deflated, { maxOutputLength: length + 1 });
  return inflated.length === length ? inflated : undefined;
};
