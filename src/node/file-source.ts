import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { basename } from "node:path";
import { MdcxError } from "../errors.js";
import type { Source } from "../format/source.js";
import { ioError } from "./io-error.js";

/**
 * A package on disk, read by position through one descriptor: a file that is replaced by renaming does not disturb a
 * reader, and one that is cut underneath is noticed where the read comes short.
 */
export class FileSource implements Source {
  readonly name: string;
  #descriptor: number | undefined;

  private constructor(
    descriptor: number,
    readonly length: number,
    path: string,
  ) {
    this.#descriptor = descriptor;
    this.name = basename(path);
  }

  /** @throws MdcxError `not-found`, `bad-input` for a folder, `io` */
  static open(path: string): FileSource {
    let descriptor: number;
    try {
      descriptor = openSync(path, "r");
    } catch (error) {
      throw ioError(error, "open", path);
    }
    try {
      const state = fstatSync(descriptor);
      if (state.isDirectory()) throw new MdcxError("bad-input", `${path} is a folder, not a package.`);
      if (!state.isFile()) throw new MdcxError("bad-input", `${path} is not a regular file: copy the package to one.`);
      return new FileSource(descriptor, state.size, path);
    } catch (error) {
      closeSync(descriptor);
      throw error instanceof MdcxError ? error : ioError(error, "read", path);
    }
  }

  readNow(offset: number, length: number, into?: Uint8Array): Uint8Array {
    const descriptor = this.#descriptor;
    if (descriptor === undefined) throw new MdcxError("bad-input", `${this.name} has been closed.`);
    const bytes = into?.length === length ? into : new Uint8Array(length);
    let read = 0;
    try {
      // A file that grows or is overwritten shows in its leaves, each of which is checked; asking the system for its
      // length before every read took more time than the reads.
      while (read < length) {
        const got = readSync(descriptor, bytes, read, length - read, offset + read);
        if (got === 0) throw this.#changed();
        read += got;
      }
    } catch (error) {
      throw error instanceof MdcxError ? error : ioError(error, "read", this.name);
    }
    return bytes;
  }

  // Reads of a local file are short: to wait for a thread costs more than the read.
  read(offset: number, length: number): Promise<Uint8Array> {
    return new Promise((resolve) => {
      resolve(this.readNow(offset, length));
    });
  }

  close(): Promise<void> {
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    if (descriptor !== undefined) closeSync(descriptor);
    return Promise.resolve();
  }

  #changed(): MdcxError {
    return new MdcxError("io", `${this.name} changed while it was read: open it again.`);
  }
}
