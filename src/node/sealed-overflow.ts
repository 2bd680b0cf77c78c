import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { MdcxError } from "../errors.js";
import type { Overflow } from "../format/overflow.js";
import { ioError } from "./io-error.js";

const ALGORITHM = "aes-256-gcm";
const NONCE = 12;
const TAG = 16;

/** Where something lies in the file, and under which nonce. */
interface Sealed {
  readonly at: number;
  readonly length: number;
  nonce: number;
}

/**
 * A file that takes what does not fit into memory, beside the package that is written. All in it is sealed under a key that
 * never leaves this process; where the system allows it, the file has no name from its first moment on, so that a process
 * that is killed leaves nothing. It is made when it is first needed.
 */
export class SealedOverflow implements Overflow {
  readonly #key = randomBytes(32);
  readonly #sealed: Sealed[] = [];
  #file: number | undefined;
  #name: string | undefined;
  #end = 0;
  #nonces = 0;

  /** @param target the package that is written: the file lies beside it, where there must be room for as much */
  constructor(
    private readonly target: string,
    readonly room: number,
  ) {}

  /** Bytes of the file: what could not stay in memory. */
  get length(): number {
    return this.#end;
  }

  put(bytes: Uint8Array, place?: number): number {
    const earlier = place === undefined ? undefined : this.#sealed[place];
    if (earlier !== undefined && earlier.length !== bytes.length)
      throw new MdcxError("internal", "What overflows is of another length than before.");
    const nonce = this.#nonces++;
    const cipher = createCipheriv(ALGORITHM, this.#key, nonceOf(nonce), { authTagLength: TAG });
    const sealed = Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    const at = earlier?.at ?? this.#end;
    this.#write(sealed, at);
    if (earlier !== undefined) {
      earlier.nonce = nonce;
      return place!;
    }
    this.#end += sealed.length;
    return this.#sealed.push({ at, length: bytes.length, nonce }) - 1;
  }

  get(place: number): Uint8Array {
    const { at, length, nonce } = this.#sealed[place]!;
    const sealed = new Uint8Array(length + TAG);
    this.#read(sealed, at);
    const decipher = createDecipheriv(ALGORITHM, this.#key, nonceOf(nonce), { authTagLength: TAG });
    decipher.setAuthTag(sealed.subarray(length));
    const bytes = decipher.update(sealed.subarray(0, length));
    try {
      decipher.final();
    } catch (cause) {
      throw new MdcxError("io", `What was kept beside ${this.target} while it was written came back changed.`, {
        cause,
      });
    }
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  close(): void {
    this.#key.fill(0);
    if (this.#file !== undefined) closeSync(this.#file);
    if (this.#name !== undefined) unlinkSync(this.#name);
    this.#file = this.#name = undefined;
  }

  #write(bytes: Uint8Array, at: number): void {
    try {
      const file = (this.#file ??= this.#open());
      for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done, bytes.length - done, at + done);
    } catch (error) {
      throw ioError(error, "write", this.target);
    }
  }

  #read(into: Uint8Array, at: number): void {
    try {
      for (let done = 0; done < into.length;) {
        const count = readSync(this.#file!, into, done, into.length - done, at + done);
        if (count === 0) throw new MdcxError("io", `What was kept beside ${this.target} while it was written is gone.`);
        done += count;
      }
    } catch (error) {
      throw error instanceof MdcxError ? error : ioError(error, "read", this.target);
    }
  }

  #open(): number {
    const name = join(dirname(this.target), `.mdcx-${randomBytes(8).toString("hex")}.tmp`);
    const file = openSync(name, "wx+", 0o600);
    try {
      unlinkSync(name);
    } catch {
      // Windows keeps the name of a file that is open: it goes with the file.
      this.#name = name;
    }
    return file;
  }
}

function nonceOf(number: number): Uint8Array {
  const nonce = Buffer.alloc(NONCE);
  nonce.writeUIntBE(number, NONCE - 6, 6);
  return nonce;
}
