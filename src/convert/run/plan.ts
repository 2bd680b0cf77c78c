/**
 * What a run is to convert: every regular file of the input under the name that the file system gives it, and what is
 * left out, with the reason. Nothing is opened.
 */
import { realpath, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import picomatch from "picomatch";
import { MdcxError } from "../../errors.js";
import { walkFolder, type LeftOut } from "../../node/folder-walk.js";
import { ioError } from "../../node/io-error.js";
import { assignTargets } from "./targets.js";

export type { LeftOut } from "../../node/folder-walk.js";

/** A file to convert. */
export interface Source {
  /** Inside the input, with `/`: `contracts/lease.pdf`. */
  readonly path: string;
  readonly file: string;
  /** Of the Markdown, inside the output. */
  readonly target: string;
  readonly bytes: number;
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
  const { files, leftOut, unread } = await walkFolder(root, await ownPaths(options));
  return { root, sources: assignTargets(files), leftOut, unread, single: false };
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

/** A glob over paths inside the input; without a `/` it is about the name alone, in whatever folder. */
export function pathMatcher(glob: string): (path: string) => boolean {
  const matches = picomatch(glob, { dot: true, basename: !glob.includes("/"), flags: "s" });
  return (path) => matches(path);
}
