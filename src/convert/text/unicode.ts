/** Unicode by its byte order mark or by the structure of its bytes, and whether bytes are text at all. */
import { isUtf8 } from "node:buffer";

export type UnicodeEncoding = "utf-8" | "utf-16le" | "utf-16be" | "utf-32le" | "utf-32be";

/** What the bytes show by themselves. `mark` is the length of the byte order mark. */
export interface UnicodeForm {
  readonly encoding: UnicodeEncoding;
  readonly mark: number;
}

/** Bytes that are looked at: an encoding shows in the first lines or not at all. */
const SAMPLE = 65_536;

/** The Unicode encoding of bytes, or undefined where they are of an older one, or no text. */
export function unicodeForm(bytes: Uint8Array): UnicodeForm | undefined {
  return byMark(bytes) ?? byStructure(bytes) ?? (isUtf8(bytes) ? { encoding: "utf-8", mark: 0 } : undefined);
}

function byMark(bytes: Uint8Array): UnicodeForm | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return { encoding: "utf-8", mark: 3 };
  // Four bytes FF FE 00 00 may also be UTF-16 that begins with NUL, which no text does.
  if (a === 0xff && b === 0xfe && c === 0 && d === 0 && bytes.length % 4 === 0)
    return { encoding: "utf-32le", mark: 4 };
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return { encoding: "utf-32be", mark: 4 };
  if (a === 0xff && b === 0xfe) return { encoding: "utf-16le", mark: 2 };
  if (a === 0xfe && b === 0xff) return { encoding: "utf-16be", mark: 2 };
  return undefined;
}

/**
 * UTF-16 and UTF-32 without a mark show by NUL bytes on one side of their units. Text of one byte a character may hold a
 * stray NUL too, but then it holds few control characters beside it.
 */
function byStructure(bytes: Uint8Array): UnicodeForm | undefined {
  const sample = bytes.subarray(0, SAMPLE - (SAMPLE % 4));
  const nul = [0, 0, 0, 0];
  let controls = 0;
  for (let i = 0; i < sample.length; i++) {
    const byte = sample[i]!;
    if (byte < 0x20 && byte !== 0x0a && byte !== 0x0d) controls++;
    if (byte === 0) nul[i % 4]!++;
  }
  const all = nul[0]! + nul[1]! + nul[2]! + nul[3]!;
  if (all === 0) return undefined;
  if (controls < 0.15 * sample.length) return eastAsian(sample, nul);
  const units = Math.floor(sample.length / 4);
  if (bytes.length % 4 === 0) {
    if (nul[3] === units && nul[2]! > units * 0.9 && isPlausible(sample, "utf-32le"))
      return { encoding: "utf-32le", mark: 0 };
    if (nul[0] === units && nul[1]! > units * 0.9 && isPlausible(sample, "utf-32be"))
      return { encoding: "utf-32be", mark: 0 };
  }
  const even = nul[0]! + nul[2]!;
  const odd = nul[1]! + nul[3]!;
  if (odd > 3 * even && isPlausible(sample, "utf-16le")) return { encoding: "utf-16le", mark: 0 };
  if (even > 3 * odd && isPlausible(sample, "utf-16be")) return { encoding: "utf-16be", mark: 0 };
  return undefined;
}

/**
 * UTF-16 of Chinese, Japanese or Korean has NUL only in its blanks and line ends, and its bytes are no UTF-8, while a text
 * of bytes with a stray NUL is. No sign of it may be wrong, where chance would make one in four so.
 */
function eastAsian(sample: Uint8Array, nul: readonly number[]): UnicodeForm | undefined {
  if (isUtf8(sample)) return undefined;
  const encoding = nul[0] === 0 && nul[2] === 0 ? "utf-16le" : nul[1] === 0 && nul[3] === 0 ? "utf-16be" : undefined;
  return encoding !== undefined && wrongSigns(decodeUnicode(sample, encoding)) === 0
    ? { encoding, mark: 0 }
    : undefined;
}

function isPlausible(bytes: Uint8Array, encoding: UnicodeEncoding): boolean {
  const text = decodeUnicode(bytes, encoding);
  return wrongSigns(text) <= 2 + text.length / 100;
}

function wrongSigns(text: string): number {
  return text.match(/[\uFFFD\p{Cn}\p{Co}\p{Cs}]|(?![\t\n\r\f])\p{Cc}/gu)?.length ?? 0;
}

/** Text of bytes without their mark; what is no character comes out as U+FFFD. */
export function decodeUnicode(bytes: Uint8Array, encoding: UnicodeEncoding): string {
  if (encoding !== "utf-32le" && encoding !== "utf-32be")
    return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: string[] = [];
  for (let at = 0; at + 4 <= view.byteLength; at += 4) {
    const point = view.getUint32(at, encoding === "utf-32le");
    const valid = point < 0x110000 && (point < 0xd800 || point > 0xdfff);
    parts.push(String.fromCodePoint(valid ? point : 0xfffd));
  }
  return parts.join("");
}

/**
 * Whether bytes of no Unicode encoding are something else than text: compressed and compiled data hold a tenth of control
 * characters, damaged text some single ones.
 */
export function isBinary(bytes: Uint8Array): boolean {
  for (const start of new Set([0, Math.max(0, Math.floor(bytes.length / 2) - SAMPLE / 2)])) {
    const sample = bytes.subarray(start, start + SAMPLE);
    let controls = 0;
    for (const byte of sample)
      if ((byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b) || byte === 0x7f) controls++;
    if (controls > 4 && controls > 0.04 * sample.length) return true;
  }
  return false;
}
