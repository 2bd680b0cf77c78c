import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { readdir, rename, rm, rmdir, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { HttpSource } from "../format/http-source.js";
import type { Source } from "../format/source.js";
import { ioError } from "./io-error.js";
import { makeFolder } from "./make-folder.js";

/** Bytes kept of all packages together; what was used the longest ago goes first. */
const LIMIT = 2 ** 31;
/** Share of the limit that a process writes before it looks again whether there is too much. */
const SHARE = 1 / 16;
/** Longer parts are read by whoever goes through the whole file once. */
const LONGEST = 2 ** 20;
/** Bytes of the file whose digest names the folder: its head states the root of all leaves. */
const FIRST = 2 ** 18;
const DIGEST = 32;
/** Milliseconds after which the use of a part is noted again. */
const USED = 3_600_000;

export interface SealedCacheOptions {
  /** Told once, in a sentence, that the folder cannot be used: reading goes on without it. */
  readonly onWarning?: ((what: string) => void) | undefined;
  /** Bytes kept of all packages together. */
  readonly limit?: number;
}

/**
 * Parts of a package on the web, kept on disk as they came: sealed. Folders are named by a digest of the package's first bytes,
 * in which its root stands, so that another state of the file never meets the parts of this one; no name says what a package is or
 * where it lies. A part is written under another name first and stands with a digest of its own: what is cut or damaged is brought
 * anew. Whoever forges both is found out by the leaves, as a server would be.
 */
export class SealedCache implements Source {
  readonly name: string;
  readonly length: number;
  readonly #writing = new Set<Promise<void>>();
  /** A disk that refuses once, being full, is left alone. */
  #isWritable = true;
  /** Bytes written since it was last seen that there is not too much. */
  #written = 0;

  private constructor(
    private readonly source: Source,
    private readonly root: string,
    private readonly folder: string,
    private readonly options: SealedCacheOptions,
  ) {
    this.name = source.name;
    this.length = source.length;
  }

  /**
   * @param root the folder of all packages; made where it is not there, for its owner alone
   * @returns the source itself where the folder cannot be made
   * @throws what the source throws
   */
  static async before(source: HttpSource, root: string, options: SealedCacheOptions = {}): Promise<Source> {
    const first = await source.read(0, Math.min(FIRST, source.length));
    const digest = createHash("sha256").update(first).update(`/${source.length}`).digest("hex").slice(0, 32);
    const folder = join(root, digest);
    try {
      await makeFolder(root, 0o700);
      await makeFolder(folder, 0o700);
    } catch (error) {
      options.onWarning?.(notKept(error, root));
      return source;
    }
    return new SealedCache(source, root, folder, options);
  }

  /** Asks the source in the same turn for what is not here, so that it travels together. */
  read(offset: number, length: number): Promise<Uint8Array> {
    if (length > LONGEST || offset + length <= FIRST) return this.source.read(offset, length);
    const file = join(this.folder, `${offset}-${length}`);
    const kept = this.#kept(file, length);
    if (kept !== undefined) return Promise.resolve(kept);
    return this.source.read(offset, length).then((bytes) => {
      this.#keep(file, bytes);
      return bytes;
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#writing);
    if (this.#written > 0) await this.#drop().catch(() => undefined);
    await this.source.close();
  }

  #kept(file: string, length: number): Uint8Array | undefined {
    let stored: Uint8Array;
    try {
      stored = readFileSync(file);
    } catch {
      return undefined;
    }
    const bytes = new Uint8Array(stored.subarray(DIGEST));
    if (bytes.length !== length || !digestOf(bytes).equals(stored.subarray(0, DIGEST))) return undefined;
    this.#background(noteUse(file));
    return bytes;
  }

  #keep(file: string, bytes: Uint8Array): void {
    if (!this.#isWritable) return;
    const temporary = `${file}.${randomBytes(8).toString("hex")}.tmp`;
    const write = async (): Promise<void> => {
      try {
        await writeFile(temporary, Buffer.concat([digestOf(bytes), bytes]), { mode: 0o600, flag: "wx" });
        await rename(temporary, file);
        this.#written += DIGEST + bytes.length;
        if (this.#written > SHARE * (this.options.limit ?? LIMIT)) await this.#drop();
      } catch (error) {
        await this.#refused(error);
        await rm(temporary, { force: true });
      }
    };
    this.#background(write());
  }

  async #refused(error: unknown): Promise<void> {
    // Somebody emptied the folder meanwhile: what comes next is kept again.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return makeFolder(this.folder, 0o700);
    if (this.#isWritable) this.options.onWarning?.(notKept(error, this.root));
    this.#isWritable = false;
  }

  async #drop(): Promise<void> {
    this.#written = 0;
    await dropOldest(this.root, this.options.limit ?? LIMIT);
  }

  /** What fails here costs nobody an answer. */
  #background(work: Promise<void>): void {
    const done = work.catch(() => undefined).finally(() => this.#writing.delete(done));
    this.#writing.add(done);
  }
}

function notKept(error: unknown, root: string): string {
  const { message } = ioError(error, "keep parts of packages in", root);
  return `${message} Reading goes on without: name another folder with --cache or in MDCX_CACHE.`;
}

function digestOf(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}

async function noteUse(file: string): Promise<void> {
  const now = Date.now();
  const { mtimeMs } = await stat(file);
  if (now - mtimeMs > USED) await utimes(file, new Date(now), new Date(now));
}

/** Removes what was used the longest ago until no more than `limit` bytes are left, and folders that are empty then. */
async function dropOldest(root: string, limit: number): Promise<void> {
  const files: { readonly path: string; readonly size: number; readonly used: number }[] = [];
  for (const folder of await readdir(root, { withFileTypes: true })) {
    // Whatever else somebody put there is not ours to remove.
    if (!folder.isDirectory() || !/^[0-9a-f]{32}$/.test(folder.name)) continue;
    for (const name of await readdir(join(root, folder.name)).catch(() => [])) {
      // A part that is being written stands beside it as .tmp; so does what was left by a process that was ended.
      if (!/^\d+-\d+(\.[0-9a-f]{16}\.tmp)?$/.test(name)) continue;
      const path = join(root, folder.name, name);
      const found = await stat(path).catch(() => undefined);
      if (found !== undefined) files.push({ path, size: found.size, used: found.mtimeMs });
    }
  }
  let size = files.reduce((sum, file) => sum + file.size, 0);
  for (const file of files.sort((a, b) => a.used - b.used)) {
    if (size <= limit) return;
    // Another process may have removed it.
    await rm(file.path, { force: true });
    size -= file.size;
    await rmdir(dirname(file.path)).catch(() => undefined);
  }
}
