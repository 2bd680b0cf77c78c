import { deflateSync, inflateSync } from "fflate";

/** Deflates bytes to a raw DEFLATE stream (RFC 1951), without header or checksum. */
export type Deflate = (bytes: Uint8Array) => Uint8Array;

/**
 * Inflates a raw DEFLATE stream that must give `length` bytes, or nothing where it gives fewer or more. Whatever it would
 * give, no more than a byte beyond `length` is kept. Throws where the stream is malformed.
 */
export type Inflate = (deflated: Uint8Array, length: number) => Uint8Array | undefined;

/** Deflate in plain JavaScript: level 6, or level 1 where speed matters more than size. */
export function portableDeflate(options: { readonly fast?: boolean } = {}): Deflate {
  const level = options.fast === true ? 1 : 6;
  return (bytes) => deflateSync(bytes, { level });
}

/** Inflate in plain JavaScript. */
export const portableInflate: Inflate = (deflated, length) => {
  // fflate writes into `out` and nowhere else, and lets go what does not fit: the byte beyond shows a stream that goes on.
  const out = new Uint8Array(length + 1);
  return inflateSync(deflated, { out }).length === length ? out.subarray(0, length) : undefined;
};
