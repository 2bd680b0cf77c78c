import { MdcxError } from "../errors.js";
import type { Source } from "./source.js";

/** A package in memory. */
export class BytesSource implements Source {
  constructor(
    private readonly bytes: Uint8Array,
    readonly name = "The package",
  ) {}

  get length(): number {
    return this.bytes.length;
  }

  readNow(offset: number, length: number): Uint8Array {
    if (offset < 0 || length < 0 || offset + length > this.bytes.length) {
      throw new MdcxError("io", `${this.name} ends before byte ${offset + length}.`);
    }
    // A copy, so that what was checked stays what is decrypted whatever the owner of the bytes does with them.
    return this.bytes.slice(offset, offset + length);
  }

  read(offset: number, length: number): Promise<Uint8Array> {
    return new Promise((resolve) => {
      resolve(this.readNow(offset, length));
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
