import { H, labelled } from "./derive.js";
import type { Primitives } from "./primitives.js";

/** Bytes of one entry of the leaf table. */
export const LEAF_DIGEST = 32;

const LEAF_LABEL = labelled("mdcx/2 leaf");

/** Digest of leaf `i`: H("mdcx/2 leaf", u64 i, bytes). The number keeps two leaves from trading places. */
export function leafDigest(p: Primitives, i: number, bytes: Uint8Array): Uint8Array {
  return p.sha256(LEAF_LABEL, u64(i), bytes);
}

/** What is hashed for leaf `i`, in one piece, for hash functions that take no parts. */
export function leafMessage(i: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const message = new Uint8Array(LEAF_LABEL.length + 8 + bytes.length);
  message.set(LEAF_LABEL);
  message.set(u64(i), LEAF_LABEL.length);
  message.set(bytes, LEAF_LABEL.length + 8);
  return message;
}

/** Root of the leaf table (32 bytes a leaf): H("mdcx/2 leaves", table). It stands in the seal record, under the signature. */
export function rootOf(p: Primitives, table: Uint8Array): Uint8Array {
  return H(p, "mdcx/2 leaves", table);
}

function u64(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value), true);
  return bytes;
}
