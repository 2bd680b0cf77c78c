import { readSync } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { whatInstead } from "../document.js";
import { MdcxError } from "../errors.js";
import { DOCUMENT_LIMIT } from "../image/schema.js";
import { ioError } from "./io-error.js";

/** Where a line lies in its file. */
export interface LinePlace {
  /** From 1. */
  readonly number: number;
  /** Bytes from the beginning of the file. */
  readonly start: number;
  readonly length: number;
}

/** A line without its LF; `bytes` are valid until the next one is asked for, and undefined where it is too long to be read. */
export interface Line extends LinePlace {
  readonly bytes: Uint8Array | undefined;
}

/** Bytes that are read at once. */
const STEP = 1 << 20;
/** Bytes of the longest line that is read: a document may be as long, and JSON is longer than what it states. */
export const LONGEST_LINE = DOCUMENT_LIMIT;

/** Bytes by which a file is judged that is something else. */
const BEGINNING = 256;

const LF = 0x0a;

/**
 * A text file that is read line by line, in memory for one line, and again at any line: what is in it need not be held.
 * It stays open, so that a file put in its place changes nothing.
 */
export class LineFile {
  readonly #file: FileHandle;

  private constructor(
    /** As the user gave it. */
    readonly path: string,
    file: FileHandle,
  ) {
    this.#file = file;
  }

  /** @throws MdcxError `not-found`, `io`; `bad-input` for what is no file that can be read twice, or holds no lines of JSON by its beginning */
  static async open(path: string): Promise<LineFile> {
    let file: FileHandle;
    try {
      file = await open(path, "r");
    } catch (error) {
      throw ioError(error, "open", path);
    }
    try {
      if (!(await file.stat()).isFile())
        throw new MdcxError("bad-input", `${path} is no regular file, and it has to be read twice: save it as one.`);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING), 0, BEGINNING, 0);
      const what = insteadOfLines(buffer.subarray(0, bytesRead));
      if (what !== undefined) throw new MdcxError("bad-input", `${path} is ${what}`);
      return new LineFile(path, file);
    } catch (error) {
      await file.close();
      throw ioError(error, "read", path);
    }
  }

  /** Every line that is not blank. */
  async *lines(): AsyncGenerator<Line, void, undefined> {
    const chunk = Buffer.allocUnsafe(STEP);
    /** What is open of a line that began in an earlier chunk; let go where it grows too long. */
    let head: Buffer[] = [];
    let number = 1;
    let start = 0;
    let at = 0;
    for (;;) {
      const bytesRead = await this.#readChunk(chunk, at);
      if (bytesRead === 0) break;
      let from = 0;
      for (let end = chunk.indexOf(LF); end !== -1 && end < bytesRead; end = chunk.indexOf(LF, from)) {
        const last = chunk.subarray(from, end);
        const length = at + end - start;
        const line = lineOf({ number, start, length }, [...head, last]);
        if (line !== undefined) yield line;
        head = [];
        number++;
        from = end + 1;
        start = at + from;
      }
      at += bytesRead;
      if (at - start > LONGEST_LINE) head = [];
      else if (from < bytesRead) head.push(Buffer.from(chunk.subarray(from, bytesRead)));
    }
    const line = at > start ? lineOf({ number, start, length: at - start }, head) : undefined;
    if (line !== undefined) yield line;
  }

  /** A line again. @throws MdcxError `io` where the file has become shorter */
  read({ start, length }: LinePlace): Uint8Array {
    const bytes = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      let bytesRead: number;
      try {
        // At once: waiting for a line takes ten times as long as reading it.
        bytesRead = readSync(this.#file.fd, bytes, filled, length - filled, start + filled);
      } catch (error) {
        throw ioError(error, "read", this.path);
      }
      if (bytesRead === 0) throw this.changed();
      filled += bytesRead;
    }
    return bytes;
  }

  /** What is said where a line is no longer what it was. */
  changed(): MdcxError {
    return new MdcxError("io", `${this.path} was changed while it was read: nothing was written, so pack it again.`);
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #readChunk(chunk: Buffer, at: number): Promise<number> {
    try {
      return (await this.#file.read(chunk, 0, chunk.length, at)).bytesRead;
    } catch (error) {
      throw ioError(error, "read", this.path);
    }
  }
}

function lineOf(place: LinePlace, parts: readonly Buffer[]): Line | undefined {
  if (place.length > LONGEST_LINE) return { ...place, bytes: undefined };
  const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  return bytes.every(isBlank) ? undefined : { ...place, bytes };
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}

/** What a file is that holds no JSON a line, by its beginning. */
function insteadOfLines(beginning: Buffer): string | undefined {
  const [a, b] = beginning;
  if (a === 0x1f && b === 0x8b) return "compressed: unpack it first.";
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff) || beginning.includes(0))
    return `${whatInstead(beginning)}: save it as UTF-8.`;
  if (/^\ufeff?\s*\[\s*\{/.test(beginning.toString()))
    return "one JSON list: give one object a line, without brackets and commas around them.";
  return undefined;
}
