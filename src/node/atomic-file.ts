import { randomBytes } from "node:crypto";
import { unlinkSync } from "node:fs";
import { open, realpath, rename, stat, unlink, type FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { MdcxError } from "../errors.js";
import type { Sink } from "../format/sink.js";
import { ioError } from "./io-error.js";

/** The calls to the file system that writing makes, so that a test can let each of them fail. */
export interface FileCalls {
  readonly open: typeof open;
  readonly rename: typeof rename;
}
const NODE_CALLS: FileCalls = { open, rename };

/** How a file is written. */
export interface WriteFileOptions {
  /** Permissions of a new file; one that is replaced keeps those it has. 0600 unless given. */
  readonly mode?: number;
  readonly calls?: FileCalls;
}

/**
 * Writes a file that is complete or not there: into a temporary file beside the target (new, random name, only for its
 * owner), flushed, then renamed over it, and the folder flushed. Whatever fails, and on SIGINT and SIGTERM, the
 * temporary file is removed and the target is as it was. This is the only writer of packages.
 *
 * A process that is killed outright cannot remove its temporary file. It holds sealed bytes only; the head is written
 * last, so it is no package unless the kill came between that and the renaming.
 *
 * @param write fills the sink; what it returns is returned once the file is in its place
 * @throws MdcxError `io` for what the file system refuses; what `write` throws
 */
export async function writeFileAtomically<T>(
  target: string,
  write: (sink: Sink) => Promise<T>,
  options: WriteFileOptions = {},
): Promise<T> {
  const { calls = NODE_CALLS, mode = 0o600 } = options;
  const place = await placeOf(target);
  const temporary = join(dirname(place.path), `.${basename(place.path)}.${randomBytes(8).toString("hex")}.tmp`);
  // Listened for first: the file is there some time before its handle is.
  const forget = removeOnSignal(temporary);
  let handle: FileHandle;
  try {
    handle = await calls.open(temporary, "wx", 0o600);
  } catch (error) {
    forget();
    if (isSystemError(error) && error.code === "ENOENT")
      throw new MdcxError("not-found", `There is no folder ${dirname(target)}: make it first.`, { cause: error });
    throw ioError(error, "write", target);
  }
  try {
    let result: T;
    try {
      result = await write(new FileSink(handle, target));
      await handle.chmod(place.mode ?? mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await calls.rename(temporary, place.path);
    await syncFolder(dirname(place.path), calls);
    return result;
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error instanceof MdcxError || !isSystemError(error) ? error : ioError(error, "write", target);
  } finally {
    forget();
  }
}

/** Where a target really is, following links so that a link stays one, and the permissions of a file already there. */
async function placeOf(target: string): Promise<{ readonly path: string; readonly mode?: number }> {
  let path: string;
  try {
    path = await realpath(target);
  } catch (error) {
    if (isSystemError(error) && error.code === "ENOENT") return { path: target };
    throw ioError(error, "write", target);
  }
  const state = await stat(path);
  if (!state.isFile()) throw new MdcxError("bad-input", `${target} is not a file: choose another name.`);
  return { path, mode: state.mode & 0o777 };
}

class FileSink implements Sink {
  constructor(
    private readonly handle: FileHandle,
    private readonly target: string,
  ) {}

  async write(offset: number, bytes: Uint8Array): Promise<void> {
    let written = 0;
    try {
      // A write may take less than it was given: on a disk that fills up, for one.
      while (written < bytes.length) {
        const { bytesWritten } = await this.handle.write(bytes, written, bytes.length - written, offset + written);
        written += bytesWritten;
      }
    } catch (error) {
      throw ioError(error, "write", this.target);
    }
  }
}

/**
 * Flushes the folder, so that the new name outlives a power cut. Where that cannot be done (Windows, some network
 * disks) nothing is lost: the file is complete under its name, and after a power cut it is that or the old one.
 */
async function syncFolder(folder: string, calls: FileCalls): Promise<void> {
  try {
    const handle = await calls.open(folder, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
}

const pending = new Set<string>();
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function removeOnSignal(path: string): () => void {
  if (pending.size === 0) {
    for (const signal of SIGNALS) process.on(signal, endBySignal);
    // Somebody else's handler may end the process before ours has its turn.
    process.on("exit", removePending);
  }
  pending.add(path);
  return () => {
    pending.delete(path);
    if (pending.size === 0) stopListening();
  };
}

function endBySignal(signal: NodeJS.Signals): void {
  removePending();
  stopListening();
  // Sent again now that we no longer listen: with nobody left the process ends by it, as it would have without us, and
  // libraries that end it only where they listen alone (signal-exit, under every spinner) find that they do.
  process.kill(process.pid, signal);
}

function removePending(): void {
  for (const path of pending) {
    try {
      unlinkSync(path);
    } catch {
      // It was renamed a moment ago, or the disk is gone: the process ends either way.
    }
  }
  pending.clear();
}

function stopListening(): void {
  for (const signal of SIGNALS) process.off(signal, endBySignal);
  process.off("exit", removePending);
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && "syscall" in error;
}
