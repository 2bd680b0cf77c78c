/**
 * What a run is to convert: every regular file of the input under the name that the file system gives it, and what is
 * left out, with the reason. Nothing is opened.
 */
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import picomatch from "picomatch";
import { decodeText } from "../../document.js";
import { MdcxError } from "../../errors.js";
import { isSafePath } from "../../image/path.js";
import { ioError } from "../../node/io-error.js";
import { assignTargets, isRunFile, MANIFEST } from "./targets.js";

/** A file to convert. */
export interface Source {
  /** Inside the input, with `/`: `contracts/lease.pdf`. */
  readonly path: string;
  readonly file: string;
  /** Of the Markdown, inside the output. */
  readonly target: string;
  readonly bytes: number;
}

/** Something of the input that is not converted. */
export interface LeftOut {
  readonly path: string;
  readonly reason: string;
}

export interface Plan {
  /** Of the input, links resolved. */
  readonly root: string;
  /** By path. */
  readonly sources: readonly Source[];
  readonly leftOut: readonly LeftOut[];
  /** Folders that could not be read, with a `/` at their end (the input itself: empty): what lies in them is not known to have gone. */
  readonly unread: readonly string[];
  /** The input is one file: nothing can be said of its neighbours. */
  readonly single: boolean;
}

export interface PlanOptions {
  /** Left out where it lies inside the input. */
  readonly output?: string;
  /** Files of the run itself: passwords, the report. */
  readonly ownFiles?: readonly { readonly file: string; readonly what: string }[];
}

/** @throws MdcxError `not-found`, `io` or `bad-input` where the input cannot be read at all */
export async function planConversion(input: string, options: PlanOptions = {}): Promise<Plan> {
  let root: string;
  try {
    root = await realpath(input);
  } catch (error) {
    throw ioError(error, "read", input);
  }
  const found = await stat(root);
  if (found.isFile()) {
    const path = basename(root);
    const named = assignTargets([{ path, file: root, bytes: found.size }]);
    return { root: dirname(root), sources: named, leftOut: [], unread: [], single: true };
  }
  if (!found.isDirectory())
    throw new MdcxError("bad-input", `${input} is neither a folder nor a file: give one with documents.`);
  const walk = new Walk(root, await ownPaths(options));
  await walk.all();
  return {
    root,
    sources: assignTargets(walk.documents()),
    leftOut: walk.leftOut,
    unread: walk.unread,
    single: false,
  };
}

async function ownPaths({ output, ownFiles = [] }: PlanOptions): Promise<Map<string, string>> {
  const own = new Map<string, string>();
  const add = async (file: string, what: string): Promise<void> => {
    // What is not there yet is not found in the walk either.
    const path = await realpath(file).catch(() => undefined);
    if (path !== undefined) own.set(path, what);
  };
  if (output !== undefined) await add(output, "the output of this run");
  for (const { file, what } of ownFiles) await add(file, what);
  return own;
}

class Walk {
  readonly files: { path: string; file: string; bytes: number }[] = [];
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
  documents(): { path: string; file: string; bytes: number }[] {
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

/** A glob over paths inside the input; without a `/` it is about the name alone, in whatever folder. */
export function pathMatcher(glob: string): (path: string) => boolean {
  const matches = picomatch(glob, { dot: true, basename: !glob.includes("/") });
  return (path) => matches(path);
}
