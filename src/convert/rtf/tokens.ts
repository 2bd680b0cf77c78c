/** RTF as tokens (Rich Text Format Specification 1.9.1): groups, control words, bytes. */

export type RtfToken =
  | { readonly kind: "open" }
  | { readonly kind: "close" }
  | { readonly kind: "word"; readonly word: string; readonly param: number | undefined }
  | { readonly kind: "byte"; readonly byte: number };

const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** Line ends between tokens are none; binary data is skipped, however long it says it is. */
export function* tokensOf(bytes: Uint8Array): Generator<RtfToken> {
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at]!;
    if (byte === OPEN || byte === CLOSE) {
      yield byte === OPEN ? { kind: "open" } : { kind: "close" };
      at++;
    } else if (byte === BACKSLASH) {
      const end = wordEnd(bytes, at + 1);
      if (end === at + 1) {
        const sign = String.fromCharCode(bytes[at + 1] ?? 0x20);
        if (sign === "'") {
          const value = parseInt(String.fromCharCode(bytes[at + 2] ?? 0x30, bytes[at + 3] ?? 0x30), 16);
          if (!Number.isNaN(value)) yield { kind: "byte", byte: value };
          at += 4;
        } else {
          yield { kind: "word", word: sign, param: undefined };
          at += 2;
        }
        continue;
      }
      const word = ascii(bytes, at + 1, end);
      let stop = end;
      if (bytes[stop] === 0x2d) stop++;
      while (isDigit(bytes[stop]) && stop - end < 12) stop++;
      const param = stop > end ? Number(ascii(bytes, end, stop)) : Number.NaN;
      at = bytes[stop] === 0x20 ? stop + 1 : stop;
      if (word === "bin") at += Math.max(0, Number.isNaN(param) ? 0 : param);
      else yield { kind: "word", word, param: Number.isNaN(param) ? undefined : param };
    } else {
      if (byte !== 0x0a && byte !== 0x0d && byte !== 0) yield { kind: "byte", byte };
      at++;
    }
  }
}

/** The longest control word of the specification has 20 letters or so. */
function wordEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at - from < 40 && isLetter(bytes[at])) at++;
  return at;
}

function isLetter(byte = 0): boolean {
  return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);
}

function isDigit(byte = 0): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function ascii(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}
