/**
 * The characters of a page. What it declares counts wherever that stands, not in its first 1,024 bytes only, but bytes that
 * are UTF-8 are read as such whatever is declared: no other text looks like it by chance.
 */
import { isUtf8 } from "node:buffer";
import { latin1 } from "../signatures.js";
import { decodeText, type DecodedText } from "../text/encoding.js";

/** Declarations are looked for up to here. */
const DECLARED_WITHIN = 262_144;

export function decodeHtml(bytes: Uint8Array): DecodedText {
  const declared = declaredEncoding(bytes);
  // Encodings of seven bits are valid UTF-8 too, and a declaration that reads as ASCII is not in UTF-16.
  const counts = declared !== undefined && !/^utf-?(?:8|16)|^unicode/.test(declared);
  return decodeText(bytes, counts && (!isUtf8(bytes) || declared.startsWith("iso-2022")) ? declared : undefined);
}

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const start = latin1(bytes, 0, DECLARED_WITHIN);
  const found =
    /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)/.exec(start)?.[1] ??
    /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w.:-]+)/i.exec(start)?.[1];
  return found?.toLowerCase();
}
