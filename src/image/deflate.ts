import { deflateSync } from "fflate";

/** Deflates bytes to a raw DEFLATE stream (RFC 1951), without header or checksum. */
export type Deflate = (bytes: Uint8Array) => Uint8Array;

/** Deflate in plain JavaScript: level 6, or level 1 where speed matters more than size. */
export function portableDeflate(options: { readonly fast?: boolean } = {}): Deflate {
  const level = options.fast === true ? 1 : 6;
  return (bytes) => deflateSync(bytes, { level });
}
