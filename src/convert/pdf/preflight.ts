import { Buffer } from "node:buffer";
import { constants, inflateSync } from "node:zlib";
import type { Original } from "../engine.js";
import { refuse } from "../refusal.js";

/** Shorter than any PDF with a page: header, catalogue, page tree and page take more. */
const SHORTEST = 64;
/** Readers look for the header in this many bytes; mail gateways and printers put lines before it. */
const HEADER_WITHIN = 1_024;
/** A dictionary that describes a stream is shorter than this, but for its longest relatives in colour spaces. */
const LONGEST_DICTIONARY = 4_096;

/** Deflate gives at most 1,032 bytes for one. */
const MOST_PER_BYTE = 1_032;
/** A stream that is no picture may always unpack to this; six mebibytes of nothing but `q` take half a gibibyte to read. */
const ALWAYS_ALLOWED = 4 * 1024 * 1024;
/** Beyond that, it may unpack to this many times its length: drawings reach 30. */
const MOST_RATIO = 200;
/** And never to more than this: a page's content is parsed into some fifty times its bytes. */
const NEVER_MORE = 64 * 1024 * 1024;
/** Filters one after the other that are followed; more has no purpose. */
const MOST_FILTERS = 8;
/** Bytes that are unpacked in all for this check; a document with more is left to the limits of the worker. */
const MOST_UNPACKED = 1024 * 1024 * 1024;

/**
 * Refuses a PDF that is none, or one with a stream that unpacks to what no page needs, before any engine sees it: pdfjs and
 * PDFium unpack whatever a page names, and a few kilobytes behind two filters come to gigabytes. Pictures are left alone: no
 * engine decodes them for the text, and a white page compresses a thousandfold. Protected streams cannot be looked into.
 */
export function preflight(original: Original): void {
  const bytes = Buffer.from(original.bytes.buffer, original.bytes.byteOffset, original.bytes.length);
  if (bytes.length === 0) refuse(`${original.path} is empty.`);
  const header = bytes.subarray(0, HEADER_WITHIN).includes("%PDF-");
  if (bytes.length < SHORTEST || (!header && !bytes.includes(" obj"))) {
    refuse(`${original.path} is not a PDF, or only the beginning of one.`);
  }
  let left = MOST_UNPACKED;
  for (const { data, filters } of unpackableStreams(bytes)) {
    const allowed = Math.min(NEVER_MORE, Math.max(ALWAYS_ALLOWED, MOST_RATIO * data.length));
    if (data.length * MOST_PER_BYTE ** filters <= allowed) continue;
    const unpacked = unpack(data, filters, allowed);
    if (unpacked === undefined) {
      const mebibytes = Math.round(allowed / 1024 / 1024);
      refuse(
        `${original.path} holds ${data.length} bytes that unpack to more than ${mebibytes} MiB: it is made to exhaust memory, and is not opened.`,
      );
    }
    left -= unpacked;
    if (left < 0) return;
  }
}

/** The compressed streams of a file that are no pictures, by their keyword: the table of objects may lie. */
function* unpackableStreams(bytes: Buffer): Generator<{ data: Buffer; filters: number }> {
  let done = 0;
  for (let at = bytes.indexOf("stream"); at >= 0; at = bytes.indexOf("stream", done)) {
    const before = bytes.toString("latin1", Math.max(done, at - LONGEST_DICTIONARY), at);
    done = at + "stream".length;
    if (before.endsWith("end")) continue;
    const dictionary = before
      .slice(before.lastIndexOf(" obj") + 1)
      .replace(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    let start = done;
    if (bytes[start] === 0x0d) start += 1;
    if (bytes[start] === 0x0a) start += 1;
    const end = endOfStream(bytes, start, dictionary);
    done = end;
    // Attachments are opened by nobody here.
    if (/\/Subtype\s*\/Image\b|\/EmbeddedFile\b/.test(dictionary)) continue;
    const data = bytes.subarray(start, end);
    // Filters that stand elsewhere are taken for the worst.
    const indirect = /\/(?:Filter|F)\s*\d+\s+\d+\s+R/.test(dictionary);
    const named = dictionary.match(/\/(?:FlateDecode|Fl)\b/g)?.length ?? 0;
    const filters = indirect ? MOST_FILTERS : Math.min(MOST_FILTERS, named);
    if (filters > 0 && isZlib(data)) yield { data, filters };
  }
}

function endOfStream(bytes: Buffer, start: number, dictionary: string): number {
  const stated = /\/Length\s+(\d{1,10})(?!\s+\d+\s+R)/.exec(dictionary);
  if (stated !== null) {
    const end = start + Number(stated[1]);
    if (
      bytes
        .toString("latin1", end, end + 12)
        .trimStart()
        .startsWith("endstream")
    )
      return end;
  }
  const found = bytes.indexOf("endstream", start);
  return found < 0 ? bytes.length : found;
}

function isZlib(data: Buffer): boolean {
  return data.length > 2 && (data[0]! & 0x0f) === 8 && ((data[0]! << 8) | data[1]!) % 31 === 0;
}

/** Bytes unpacked on the way through at most `filters` layers of Flate, or undefined where a layer has more than `allowed`. */
function unpack(data: Buffer, filters: number, allowed: number): number | undefined {
  let total = 0;
  let layer = data;
  for (let filter = 0; filter < filters && isZlib(layer); filter += 1) {
    try {
      layer = inflateSync(layer, {
        maxOutputLength: allowed,
        chunkSize: 64 * 1024,
        finishFlush: constants.Z_SYNC_FLUSH,
      });
    } catch (error) {
      // Damaged data that stays within the bound is the engine's to make the best of.
      return (error as { code?: unknown }).code === "ERR_BUFFER_TOO_LARGE" ? undefined : total;
    }
    total += layer.length;
  }
  return total;
}
