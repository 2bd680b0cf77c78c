/**
 * The files of a folder and of all folders below it, under the names that the file system gives them, and what is left
 * out, with the reason. Nothing is opened.
 */
import { readdir, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { decodeText } from "../document.js";
import { isSafePath } from "../image/path.js";
import { ioError } from "./io-error.js";
import { isRunFile, MANIFEST } from "./run-files.js";

/** A regular file of a folder. */
export interface FolderFile {
  /** Inside the folder, with `/`: `contracts/lease.pdf`. */
  readonly path: string;
  readonly file: string;
  readonly bytes: number;
}

/** Something of a folder that is left out. */
export interface LeftOut {
  readonly path: string;
  readonly reason: string;
}

export interface FolderWalk {
  readonly files: readonly FolderFile[];
  readonly leftOut: readonly LeftOut[];
  /** Folders that could not be read, with a `/` at their end: what lies in them is not known to have gone. */
  readonly unread: readonly string[];
}

/**
 * Lists a folder.
 *
 * @param root its path, links resolved
 * @param own by path: files that are left out, and why
 * @throws MdcxError `io` where the folder itself cannot be read
 */
export async function walkFolder(root: string, own: ReadonlyMap<string, string> = new Map()): Promise<FolderWalk> {
  const walk = new Walk(root, own);
  await walk.all();
  return { files: walk.documents(), leftOut: walk.leftOut, unread: walk.unread };
}

class Walk {
  readonly files: FolderFile[] = [];
  readonly leftOut: LeftOut[] = [];
  readonly unread: string[] = [];

  constructor(
    private readonly root: string,
    private readonly own: ReadonlyMap<string, string>,
  ) {}

  async all(): Promise<void> {
    const pending = [""];
    for (let inside = pending.pop(); inside !== undefined; inside = pending.pop())
      for (const folder of await this.folder(inside)) pending.push(folder);
  }

  /** The files but for what an earlier conversion wrote into this folder about them. */
  documents(): FolderFile[] {
    if (!this.files.some(({ path }) => path === MANIFEST)) return this.files;
    return this.files.filter(({ path }) => {
      if (isRunFile(path)) this.leave(path, "written by mdcx convert about the documents");
      return !isRunFile(path);
    });
  }

  /** Takes the files of one folder, and gives the folders in it. */
  private async folder(inside: string): Promise<string[]> {
    const folders: string[] = [];
    let entries;
    try {
      // Names come as bytes: one that is not UTF-8 could not be found again under its text.
      entries = await readdir(join(this.root, inside), { withFileTypes: true, encoding: "buffer" });
    } catch (error) {
      if (inside === "") throw ioError(error, "read", this.root);
      this.unread.push(`${inside}/`);
      this.leave(`${inside}/`, ioError(error, "read", inside).message);
      return folders;
    }
    for (const entry of entries) {
      const name = decodeText(entry.name);
      const shown = name ?? new TextDecoder().decode(entry.name);
      const path = inside === "" ? shown : `${inside}/${shown}`;
      const file = join(this.root, path);
      const own = this.own.get(file);
      if (name === undefined) this.leave(path, "its name is not UTF-8: rename it");
      else if (!isSafePath(path)) this.leave(path, "its name holds a path of Windows: rename it");
      else if (own !== undefined) this.leave(path, own);
      else if (name.startsWith(".")) this.leave(path, "hidden");
      else if (name.startsWith("~$")) this.leave(path, "left by an Office program that has the document open");
      else if (entry.isSymbolicLink()) this.leave(path, await this.aboutLink(file));
      else if (entry.isDirectory()) folders.push(path);
      else if (!entry.isFile()) this.leave(path, "not a regular file");
      else await this.take(path, file);
    }
    return folders;
  }

  private async take(path: string, file: string): Promise<void> {
    try {
      this.files.push({ path, file, bytes: (await stat(file)).size });
    } catch (error) {
      this.leave(path, ioError(error, "read", path).message);
    }
  }

  /** Links are not followed: what a link shows inside the input has a name of its own, and the rest is not of the input. */
  private async aboutLink(file: string): Promise<string> {
    try {
      const inside = relative(this.root, await realpath(file));
      const outside = inside === ".." || inside.startsWith(`..${sep}`);
      return outside
        ? "a link that leads out of the input: put the file itself there"
        : `a link to ${inside === "" ? "the input itself" : inside}: links are not followed`;
    } catch {
      return "a link that leads nowhere";
    }
  }

  private leave(path: string, reason: string): void {
    this.leftOut.push({ path, reason });
  }
}
