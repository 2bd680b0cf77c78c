import { constants } from "node:fs";
import { open, unlink, type FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { MdcxError } from "../errors.js";
import type { Primitives } from "../format/primitives.js";
import type { NewSlot } from "../format/slots.js";
import type { EncoderDescription } from "../meaning/encoder.js";
import { digestKey, textDigest, type VectorSource } from "../vector-source.js";
import { ioError } from "./io-error.js";
import {
  BATCH_HEADER,
  KEPT_FIXED,
  modelDigest,
  MOST_ROWS,
  openKeptHeader,
  RUN_HEADER,
  RunOpener,
  RunSealer,
  slotsLength,
  writeKeptHeader,
  type KeptRow,
} from "./kept-batches.js";

/** Milliseconds between two flushes to the disk: what a power cut may cost. A process that is killed loses nothing written. */
const FLUSH_EVERY = 10_000;

/** An existing file, read and written; a link in its place is not followed, nor does a pipe there make the run wait. */
const EXISTING = constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Where the vectors of an interrupted run wait: hidden beside the target, so that no folder that is packed holds them. */
export function keptVectorsPath(target: string): string {
  return join(dirname(target), `.${basename(target)}.vectors`);
}

/** A file whose slots opened, and how far it is whole. */
interface Resumed {
  readonly handle: FileHandle;
  readonly key: Uint8Array;
  readonly end: number;
}

/**
 * The vectors of a package that is being packed, sealed beside its target as they are made, for a run that is killed: the
 * next one for the same secrets and model takes them up (spec/kept-vectors.md). With other secrets or another model
 * nothing is taken up, and the file is replaced.
 *
 * It helps and must not harm: where it cannot be read or written, the run goes on without it, and `failure` says why.
 */
export class KeptVectors implements VectorSource {
  readonly #found = new Map<string, Uint8Array>();
  #handle: FileHandle | undefined;
  #key: Uint8Array | undefined;
  #run: RunSealer | undefined;
  #end = 0;
  #flushed = performance.now();
  #failure: MdcxError | undefined;
  #done = false;
  /** Batches are written one after the other, however many are being encoded side by side. */
  #writing: Promise<void> = Promise.resolve();

  private constructor(
    private readonly path: string,
    private readonly slots: readonly Omit<NewSlot, "label">[],
    private readonly model: Uint8Array,
    private readonly dimensions: number,
    private readonly p: Primitives,
  ) {}

  /**
   * Takes up what an earlier run left. A file is made when the first vector is added, not here.
   *
   * @param target the package that is being written
   * @param slots who may open it; the same secrets protect what is kept, at the same cost
   */
  static async open(
    target: string,
    slots: readonly Omit<NewSlot, "label">[],
    description: EncoderDescription,
    p: Primitives,
  ): Promise<KeptVectors> {
    const path = keptVectorsPath(target);
    const kept = new KeptVectors(path, slots, modelDigest(p, description), description.dimensions, p);
    try {
      await kept.#resume();
    } catch (error) {
      kept.#failure = ioError(error, "read", path);
    }
    return kept;
  }

  /** Vectors that were taken up. */
  get count(): number {
    return this.#found.size;
  }

  /** Why vectors are not kept, where the disk refused it. */
  get failure(): MdcxError | undefined {
    return this.#failure;
  }

  /** The halves that an earlier run made of exactly this text. */
  get(text: string): Uint8Array | undefined {
    return this.#found.get(digestKey(textDigest(this.p, text)));
  }

  /**
   * Keeps vectors. Resolves when they are written; a process killed after that finds them again.
   *
   * @param texts the embedded texts
   * @param halves their vectors one behind the other
   */
  add(texts: readonly string[], halves: Uint8Array): Promise<void> {
    const size = 2 * this.dimensions;
    const rows = texts.map((text, i): KeptRow => ({
      digest: textDigest(this.p, text),
      halves: halves.subarray(i * size, (i + 1) * size),
    }));
    this.#writing = this.#writing.then(() => this.#append(rows));
    return this.#writing;
  }

  /** Removes the file: the package is there, or nothing of it is wanted. */
  async discard(): Promise<void> {
    await this.close();
    await unlink(this.path).catch(() => undefined);
  }

  /** Leaves the file for the next run and lets go of its key. */
  async close(): Promise<void> {
    await this.#writing;
    this.#done = true;
    this.#run?.end();
    this.#key?.fill(0);
    this.#key = this.#run = undefined;
    await this.#handle?.close();
    this.#handle = undefined;
  }

  async #resume(): Promise<void> {
    let handle: FileHandle;
    try {
      handle = await open(this.path, EXISTING);
    } catch {
      // Not there, a link, or of someone else: the first vector makes a new one, or finds out that it cannot.
      return;
    }
    let resumed: Resumed | undefined;
    try {
      resumed = await this.#read(handle);
    } finally {
      if (resumed === undefined) await handle.close();
    }
    if (resumed === undefined) return;
    this.#handle = handle;
    this.#key = resumed.key;
    this.#end = resumed.end;
  }

  /** Reads batch after batch up to the first that is torn or damaged: what is written next stands there. */
  async #read(handle: FileHandle): Promise<Resumed | undefined> {
    const state = await handle.stat();
    if (!state.isFile()) return undefined;
    const read = (at: number, length: number) => readAt(handle, state.size, at, length);
    const fixed = await read(0, KEPT_FIXED);
    const length = fixed && slotsLength(fixed);
    const envelope = length === undefined ? undefined : await read(KEPT_FIXED, length);
    if (envelope === undefined) return undefined;
    const secrets = this.slots.map(({ secret }) => secret);
    const key = await openKeptHeader(this.p, envelope, secrets, this.model);
    if (key === undefined) return undefined;
    let end = KEPT_FIXED + envelope.length;
    let run: RunOpener | undefined;
    for (let at = end; ;) {
      const header = run && (await read(at, BATCH_HEADER));
      const sealedLength = header && run?.sealedLength(header);
      if (header && sealedLength !== undefined) {
        const sealed = await read(at + BATCH_HEADER, sealedLength);
        const rows = sealed && run?.open(header, sealed);
        if (rows === undefined) break;
        for (const { digest, halves } of rows) this.#found.set(digestKey(digest), halves);
        at = end = at + BATCH_HEADER + sealedLength;
        continue;
      }
      const beginning = await read(at, RUN_HEADER);
      run = beginning && RunOpener.begin(this.p, key, this.model, this.dimensions, beginning);
      if (run === undefined) break;
      at += RUN_HEADER;
    }
    return { handle, key, end };
  }

  async #append(rows: readonly KeptRow[]): Promise<void> {
    if (this.#failure || this.#done) return;
    try {
      this.#run ??= await this.#begin();
      for (let first = 0; first < rows.length; first += MOST_ROWS)
        await this.#write(this.#run.seal(rows.slice(first, first + MOST_ROWS)));
      if (performance.now() - this.#flushed < FLUSH_EVERY) return;
      await this.#handle!.datasync();
      this.#flushed = performance.now();
    } catch (error) {
      this.#failure = ioError(error, "write", this.path);
    }
  }

  /** Begins a run of its own: behind what was taken up, in place of what is torn there, or in a new file. */
  async #begin(): Promise<RunSealer> {
    if (this.#key === undefined) await this.#makeFile();
    else await this.#handle!.truncate(this.#end);
    const run = new RunSealer(this.p, this.#key!, this.model);
    await this.#write(run.header);
    return run;
  }

  /** For its owner only; a file that is there is of no use to this run and goes. */
  async #makeFile(): Promise<void> {
    await unlink(this.path).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
    this.#key = this.p.randomBytes(32);
    const header = await writeKeptHeader(this.p, this.#key, this.slots, this.model);
    this.#handle = await open(this.path, "wx", 0o600);
    await this.#write(header);
  }

  async #write(bytes: Uint8Array): Promise<void> {
    for (let written = 0; written < bytes.length;) {
      const { bytesWritten } = await this.#handle!.write(bytes, written, bytes.length - written, this.#end + written);
      written += bytesWritten;
    }
    this.#end += bytes.length;
  }
}

/** Exactly that many bytes, or undefined where the file ends before. */
async function readAt(handle: FileHandle, size: number, at: number, length: number): Promise<Uint8Array | undefined> {
  // Before anything is allocated: the lengths are those of a file that anyone may have put there.
  if (at + length > size) return undefined;
  const bytes = new Uint8Array(length);
  for (let read = 0; read < length;) {
    const { bytesRead } = await handle.read(bytes, read, length - read, at + read);
    if (bytesRead === 0) return undefined;
    read += bytesRead;
  }
  return bytes;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
