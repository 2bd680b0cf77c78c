import { crc32, inflateRawSync } from "node:zlib";
import type { Finding } from "./engine.js";
import { refuse } from "./refusal.js";

/** Parts of one archive that are listed: an office document has some hundreds, a book of pictures some thousands. */
const MOST_ENTRIES = 100_000;
/** Bytes that one part may inflate to; the largest honest sheet seen is a tenth of it. */
const LARGEST_ENTRY = 128 * 1024 * 1024;
/** Bytes that all parts together may inflate to. */
const LARGEST_TOTAL = 256 * 1024 * 1024;
/** XML is seldom deflated to less than a hundredth, a bomb to a thousandth: deflate can do no more than 1032:1. */
const LARGEST_RATIO = 300;
/** Below this a high ratio does no harm. */
const RATIO_COUNTS_FROM = 4 * 1024 * 1024;

const END_OF_DIRECTORY = 0x06054b50;
const END_OF_DIRECTORY_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_HEADER = 0x04034b50;
const UNICODE_PATH = 0x7075;
const ZIP64_EXTRA = 0x0001;

interface Entry {
  readonly offset: number;
  readonly method: number;
  readonly encrypted: boolean;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
}

/**
 * A zip archive in memory, read by its central directory (APPNOTE 6.3.10). It is our own because the libraries at hand
 * check neither checksums nor how far a part inflates, and a document from a stranger may lie about both. Names are only
 * keys here: nothing is ever written under them.
 */
export class Archive {
  readonly #bytes: Buffer;
  readonly #entries = new Map<string, Entry>();
  readonly #findings: Finding[] = [];
  #folded: Map<string, string> | undefined;
  #inflated = 0;

  private constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const { start, count } = directoryOf(this.#bytes);
    if (count > MOST_ENTRIES)
      refuse(`The archive lists ${count.toLocaleString("en")} parts, more than any document has: it is not converted.`);
    let at = start;
    for (let number = 0; number < count; number++) at = this.#list(at);
  }

  /** Reads the directory. Refuses what is no zip archive or has lost its end. */
  static open(bytes: Uint8Array): Archive {
    return new Archive(bytes);
  }

  /** The names of the parts as they are written, folders included. */
  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** What was noticed while parts were read: a wrong checksum, a name that is there twice. */
  get findings(): readonly Finding[] {
    return this.#findings;
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** The name of a part as written, found whatever its case and without a slash at its beginning. */
  find(name: string): string | undefined {
    const wanted = name.replace(/^\/+/, "");
    if (this.#entries.has(wanted)) return wanted;
    // Once for all: an archive of many parts with many names that lead nowhere would be gone through for each of them.
    if (this.#folded === undefined) {
      this.#folded = new Map();
      for (const each of this.#entries.keys()) {
        const folded = each.replace(/^\/+/, "").toLowerCase();
        if (!this.#folded.has(folded)) this.#folded.set(folded, each);
      }
    }
    return this.#folded.get(wanted.toLowerCase());
  }

  /** The bytes of a part, as many as it says. @throws MdcxError `refused` where it is missing, encrypted, damaged or a bomb */
  read(name: string): Uint8Array {
    const entry = this.#entries.get(name);
    if (entry === undefined) refuse(`The archive lacks its part ${name}: it is damaged or no document of this kind.`);
    if (entry.encrypted) refuse("The archive is encrypted: save it again without a password.");
    if (entry.size > RATIO_COUNTS_FROM && entry.size > LARGEST_RATIO * entry.packed)
      refuse(
        `Its part ${name} would inflate to ${mebibytes(entry.size)}, over ${LARGEST_RATIO} times its size: it is not converted.`,
      );
    const limit = Math.min(LARGEST_ENTRY, LARGEST_TOTAL - this.#inflated);
    const bytes = this.#inflate(name, entry, limit);
    this.#inflated += bytes.length;
    if (bytes.length !== entry.size || crc32(bytes) !== entry.crc)
      this.#note(
        "wrong checksum",
        `The checksum of its part ${name} is wrong: the file was damaged or changed by hand.`,
      );
    return bytes;
  }

  #inflate(name: string, entry: Entry, limit: number): Uint8Array {
    const header = entry.offset;
    if (header + 30 > this.#bytes.length || this.#bytes.readUInt32LE(header) !== LOCAL_HEADER)
      refuse(`Its part ${name} is not where the archive says: the file is damaged.`);
    const start = header + 30 + this.#bytes.readUInt16LE(header + 26) + this.#bytes.readUInt16LE(header + 28);
    const packed = this.#bytes.subarray(start, start + entry.packed);
    if (packed.length !== entry.packed) refuse(`Its part ${name} is cut short: the file is not complete.`);
    if (entry.size > limit || (entry.method === 0 && packed.length > limit))
      tooLarge(name, Math.max(entry.size, packed.length));
    if (entry.method === 0) return packed;
    if (entry.method !== 8) refuse(`Its part ${name} is compressed by method ${entry.method}, which no document uses.`);
    // What is stated may be a lie: never more than a little over it is inflated.
    const bound = Math.min(limit, Math.max(entry.size, RATIO_COUNTS_FROM));
    try {
      return inflateRawSync(packed, { maxOutputLength: Math.max(1, bound) });
    } catch (cause) {
      if ((cause as { code?: unknown }).code === "ERR_BUFFER_TOO_LARGE") tooLarge(name, bound);
      refuse(`Its part ${name} cannot be inflated: the file is damaged.`, { cause });
    }
  }

  /** Adds one entry of the directory. @returns where the next begins */
  #list(at: number): number {
    const bytes = this.#bytes;
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== DIRECTORY_ENTRY) damagedDirectory();
    const nameEnd = at + 46 + bytes.readUInt16LE(at + 28);
    const extraEnd = nameEnd + bytes.readUInt16LE(at + 30);
    const end = extraEnd + bytes.readUInt16LE(at + 32);
    if (end > bytes.length) damagedDirectory();
    const flags = bytes.readUInt16LE(at + 8);
    const extras = extraFields(bytes.subarray(nameEnd, extraEnd));
    const written = bytes.subarray(at + 46, nameEnd);
    const name = unicodePath(extras.get(UNICODE_PATH), written) ?? decodeName(written, (flags & 0x800) !== 0);
    if (this.#entries.has(name))
      this.#note("name used twice", `Its part ${name} is there twice: the last one is read.`);
    const [size, packed, offset] = sizes64(extras.get(ZIP64_EXTRA), [
      bytes.readUInt32LE(at + 24),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt32LE(at + 42),
    ]);
    this.#entries.set(name, {
      offset: offset!,
      method: bytes.readUInt16LE(at + 10),
      encrypted: (flags & 1) !== 0,
      crc: bytes.readUInt32LE(at + 16),
      packed: packed!,
      size: size!,
    });
    return end;
  }

  #note(kind: string, text: string): void {
    if (!this.#findings.some((known) => known.text === text)) this.#findings.push({ severity: "warn", kind, text });
  }
}

/** Where the central directory begins and how many entries it has. */
function directoryOf(bytes: Buffer): { start: number; count: number } {
  if (bytes.length < 22) notComplete();
  // The record is last, behind it only a comment of at most 65,535 bytes.
  const earliest = Math.max(0, bytes.length - 22 - 0xffff);
  let end = bytes.length - 22;
  while (end >= earliest && bytes.readUInt32LE(end) !== END_OF_DIRECTORY) end--;
  if (end < earliest) notComplete();
  const count = bytes.readUInt16LE(end + 10);
  const start = bytes.readUInt32LE(end + 16);
  if (count !== 0xffff && start !== 0xffffffff) return { start, count };
  const locator = end - 20;
  if (locator < 0 || bytes.readUInt32LE(locator) !== LOCATOR_64) return { start, count };
  const record = Number(bytes.readBigUInt64LE(locator + 8));
  if (record + 56 > bytes.length || bytes.readUInt32LE(record) !== END_OF_DIRECTORY_64) damagedDirectory();
  return { start: Number(bytes.readBigUInt64LE(record + 48)), count: Number(bytes.readBigUInt64LE(record + 32)) };
}

function extraFields(bytes: Buffer): Map<number, Buffer> {
  const fields = new Map<number, Buffer>();
  for (let at = 0; at + 4 <= bytes.length;) {
    const length = bytes.readUInt16LE(at + 2);
    fields.set(bytes.readUInt16LE(at), bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return fields;
}

/** Sizes and offset as the zip64 field gives them, in its fixed order, each only where the short one is full of ones. */
function sizes64(field: Buffer | undefined, short: readonly number[]): readonly number[] {
  let at = 0;
  return short.map((value) => {
    if (value !== 0xffffffff || field === undefined || at + 8 > field.length) return value;
    const long = Number(field.readBigUInt64LE(at));
    at += 8;
    return long;
  });
}

/** The name in the Unicode path field, where it belongs to the name that is written (APPNOTE 4.6.9). */
function unicodePath(field: Buffer | undefined, written: Buffer): string | undefined {
  if (field === undefined || field.length < 5 || field[0] !== 1 || field.readUInt32LE(1) !== crc32(written))
    return undefined;
  return field.subarray(5).toString("utf8");
}

/** Without the flag names are of code page 437 by the book; writers put UTF-8 there, and parts of documents are ASCII. */
function decodeName(bytes: Buffer, utf8: boolean): string {
  const text = bytes.toString("utf8");
  return utf8 || !text.includes("\uFFFD") ? text : bytes.toString("latin1");
}

function mebibytes(bytes: number): string {
  return `${Math.ceil(bytes / (1024 * 1024)).toLocaleString("en")} MiB`;
}

function tooLarge(name: string, size: number): never {
  refuse(`Its part ${name} inflates to ${mebibytes(size)} or more: split the document into smaller ones.`);
}

function notComplete(): never {
  refuse("The archive has no end, so the file is not complete: get it again from where it came.");
}

function damagedDirectory(): never {
  refuse("The list of parts in the archive is damaged: get the file again from where it came.");
}
