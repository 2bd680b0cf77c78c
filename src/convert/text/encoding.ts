/** Text of bytes whose encoding nobody states: Unicode shows itself, the older encodings are told apart by likelihood. */
import { bitsOf, type Family } from "./likelihood.js";
import { decodeUnicode, unicodeForm } from "./unicode.js";

/** Text and what it was decoded from. */
export interface DecodedText {
  readonly text: string;
  /** In lower case, as TextDecoder names it: `utf-8`, `windows-1252`; `utf-32le` and `utf-32be` too. */
  readonly encoding: string;
  /** Whether the bytes say so themselves; false where the encoding was judged by how likely the text is. */
  readonly certain: boolean;
}

/** Bits by which an encoding that few files have must be better than the others. */
const SELDOM = 6;

/** Encodings from before Unicode that documents are found in, the more widespread of two that differ in little first. */
const CANDIDATES: readonly (readonly [encoding: string, family: Family, seldom?: number])[] = [
  ["windows-1252", "latin1"],
  ["windows-1251", "cyrillic"],
  ["gb18030", "simplified"],
  ["shift_jis", "japanese"],
  ["euc-kr", "korean"],
  ["big5", "traditional"],
  ["euc-jp", "japanese"],
  ["windows-1250", "latin2"],
  ["iso-8859-2", "latin2"],
  ["windows-1254", "turkish"],
  ["windows-1257", "baltic"],
  ["iso-8859-13", "baltic"],
  ["iso-8859-4", "baltic", SELDOM],
  ["windows-1253", "greek"],
  ["iso-8859-7", "greek"],
  ["windows-1256", "arabic"],
  ["iso-8859-6", "arabic"],
  ["windows-1255", "hebrew"],
  ["koi8-r", "cyrillic"],
  ["koi8-u", "cyrillic"],
  ["iso-8859-5", "cyrillic"],
  ["ibm866", "cyrillic", SELDOM],
  ["x-mac-cyrillic", "cyrillic", SELDOM],
  ["windows-874", "thai"],
  ["iso-8859-15", "latin1"],
  ["macintosh", "latin1", SELDOM],
];

/** Bytes that are judged: more of them change no judgement. */
const SAMPLE = 6_000;

/**
 * Decodes text. A byte order mark decides first, then `hint` where the bytes are valid in it, then valid UTF-8, then what
 * is likeliest. What no encoding explains comes out as U+FFFD.
 *
 * @param hint an encoding that the document or its envelope states
 */
export function decodeText(bytes: Uint8Array, hint?: string): DecodedText {
  const form = unicodeForm(bytes);
  if (form !== undefined && (form.mark > 0 || form.encoding !== "utf-8" || hint === undefined)) {
    const shifted = form.encoding === "utf-8" ? shiftedJapanese(bytes) : undefined;
    if (shifted !== undefined) return shifted;
    const text = decodeUnicode(bytes.subarray(form.mark), form.encoding);
    return { text, encoding: form.encoding, certain: true };
  }
  const stated = hint === undefined ? undefined : decodeAs(bytes, hint);
  if (stated !== undefined) return stated;
  if (form !== undefined) return { text: decodeUnicode(bytes, "utf-8"), encoding: "utf-8", certain: true };
  const encoding = isDamagedUtf8(bytes) ? "utf-8" : likeliest(bytes);
  return { text: decodeBytes(bytes, encoding), encoding, certain: false };
}

/**
 * TextDecoder as the standard has it. Node 20 decodes windows-1252 in one call as if it were ISO 8859-1, so that
 * quotation marks come out as control characters (measured in 20.20.2); in pieces it does it rightly.
 *
 * @throws TypeError where `fatal` and a byte is not valid, RangeError where the encoding is not known
 */
export function decodeBytes(bytes: Uint8Array, encoding: string, options?: { readonly fatal?: boolean }): string {
  const decoder = new TextDecoder(encoding, options);
  return decoder.decode(bytes, { stream: true }) + decoder.decode();
}

/** The text where the encoding is known and every byte is valid in it. */
function decodeAs(bytes: Uint8Array, label: string): DecodedText | undefined {
  try {
    return {
      text: decodeBytes(bytes, label, { fatal: true }),
      encoding: new TextDecoder(label).encoding,
      certain: true,
    };
  } catch {
    return undefined;
  }
}

/** ISO-2022-JP is ASCII that shifts by escape sequences, so it is valid UTF-8 as well. */
function shiftedJapanese(bytes: Uint8Array): DecodedText | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 65_536)).toString("latin1");
  return /\x1b\$[@B]/.test(start) && /\x1b\([BJ]/.test(start) ? decodeAs(bytes, "iso-2022-jp") : undefined;
}

/** UTF-8 in which some bytes went wrong: far more sequences are valid than not, which chance does not do. */
function isDamagedUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes.subarray(0, 1_000_000));
  const wrong = text.match(/\uFFFD/g)?.length ?? 0;
  const right = text.match(/[^\0-\x7f\uFFFD]/g)?.length ?? 0;
  return right > 4 * wrong;
}

function likeliest(bytes: Uint8Array): string {
  const sample = sampleOf(bytes);
  let best = "windows-1252";
  let least = Infinity;
  for (const [encoding, family, seldom = 0] of CANDIDATES) {
    const bits = seldom + bitsOf(decodeBytes(sample, encoding), family);
    if (bits < least) {
      least = bits;
      best = encoding;
    }
  }
  return best;
}

/** Lines that hold bytes beyond ASCII, up to a length that tells; cut at line ends, where no sign is halved. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const sample = new Uint8Array(SAMPLE);
  let length = 0;
  for (let start = 0; start < bytes.length && length < SAMPLE;) {
    let end = bytes.indexOf(0x0a, start) + 1;
    if (end === 0) end = bytes.length;
    const line = bytes.subarray(start, Math.min(end, start + SAMPLE - length));
    if (line.some((byte) => byte >= 0x80)) {
      sample.set(line, length);
      length += line.length;
    }
    start = end;
  }
  return sample.subarray(0, length);
}
