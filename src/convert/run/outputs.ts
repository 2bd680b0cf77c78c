/** The files of an output folder, each complete or not there: written beside, flushed, renamed. */
import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, rmdir, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ioError } from "../../node/io-error.js";

/** What is unfinished lies here: parts of long documents, and files that are being written. Gone when a run ends. */
export const WORK = ".mdcx-parts";

export class Outputs {
  private readonly work: string;

  /** @param shard runs that share a folder do not clear each other's unfinished files */
  constructor(
    readonly folder: string,
    shard?: string,
  ) {
    this.work = join(folder, WORK, shard ?? "all");
  }

  /** Where the parts of long documents lie. */
  get partsFolder(): string {
    return join(this.work, "parts");
  }

  /** Makes the folders, and removes files that a killed run was about to write. */
  async prepare(): Promise<void> {
    try {
      await mkdir(this.partsFolder, { recursive: true });
      for (const name of await readdir(this.work)) if (name.endsWith(".tmp")) await rm(join(this.work, name));
    } catch (error) {
      throw ioError(error, "write", this.folder);
    }
  }

  /** Writes a file of this path inside the output. @returns the digest of what was written */
  async write(target: string, text: string | Iterable<string> | AsyncIterable<string>): Promise<string> {
    return this.writeTo(join(this.folder, target), text);
  }

  /** The same wherever the file is to lie on this file system. */
  async writeTo(path: string, text: string | Iterable<string> | AsyncIterable<string>): Promise<string> {
    const temporary = join(this.work, `${randomBytes(8).toString("hex")}.tmp`);
    const digest = createHash("sha256");
    try {
      await mkdir(dirname(path), { recursive: true });
      const file = await open(temporary, "wx");
      try {
        for await (const piece of typeof text === "string" ? [text] : text) {
          const bytes = Buffer.from(piece);
          digest.update(bytes);
          await file.appendFile(bytes);
        }
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, path);
    } catch (error) {
      await unlink(temporary).catch(() => undefined);
      throw ioError(error, "write", path);
    }
    return digest.digest("hex");
  }

  /** Whether the file is there as it was written. */
  async holds(target: string, sha256: string): Promise<boolean> {
    return (await digestOf(join(this.folder, target)).catch(() => undefined)) === sha256;
  }

  async exists(target: string): Promise<boolean> {
    return (await stat(join(this.folder, target)).catch(() => undefined)) !== undefined;
  }

  /**
   * Renames a file that is about to be replaced, unless it is one of those that a run wrote: `lease.pdf (edited).md`.
   *
   * @returns its new name; undefined where there is none, or it was written by a run
   */
  async setAside(target: string, written: readonly string[]): Promise<string | undefined> {
    const path = join(this.folder, target);
    const found = await digestOf(path).catch(() => undefined);
    if (found === undefined || written.includes(found)) return undefined;
    const [, stem, ending] = /^(.*?)(\.[^./]*)?$/s.exec(target)!;
    let name = `${stem!} (edited)${ending ?? ""}`;
    for (let n = 2; await this.exists(name); n++) name = `${stem!} (edited ${n})${ending ?? ""}`;
    try {
      await rename(path, join(this.folder, name));
    } catch (error) {
      throw ioError(error, "write", path);
    }
    return name;
  }

  /** Removes a file, and the folders that it leaves empty. */
  async remove(target: string): Promise<void> {
    await rm(join(this.folder, target), { force: true });
    for (let folder = dirname(target); folder !== "."; folder = dirname(folder))
      try {
        await rmdir(join(this.folder, folder));
      } catch {
        return;
      }
  }

  /** Removes the folder of unfinished work where nothing is left in it. */
  async tidy(): Promise<void> {
    for (const folder of [this.partsFolder, this.work, join(this.folder, WORK)])
      await rmdir(folder).catch(() => undefined);
  }
}

/** SHA-256 of a file, in hex. */
export async function digestOf(file: string): Promise<string> {
  const digest = createHash("sha256");
  for await (const piece of createReadStream(file)) digest.update(piece as Buffer);
  return digest.digest("hex");
}
