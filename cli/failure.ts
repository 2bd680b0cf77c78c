import { MdcxError } from "../src/errors.js";

/** Exit codes of every command (REQUIREMENTS §2): done; the answer is no; wrong use, wrong secret or a damaged file. */
export const DONE = 0;
export const NO = 1;
export const WRONG = 2;

const SYSTEM: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `${path} does not exist`,
  EACCES: (path) => `${path} may not be read or written by this user: change its permissions or choose another place`,
  EPERM: (path) => `${path} may not be changed by this user: change its permissions or choose another place`,
  EROFS: (path) => `${path} is on a read-only file system: choose another place`,
  ENOSPC: (path) => `the disk is full (${path}): free some space and run the command again`,
  EDQUOT: (path) => `the disk quota is used up (${path}): free some space and run the command again`,
  EISDIR: (path) => `${path} is a folder where a file is needed`,
  ENOTDIR: (path) => `${path} is a file where a folder is needed`,
  EEXIST: (path) => `${path} exists already: choose another name`,
  ENAMETOOLONG: (path) => `${path} is too long a name for this file system`,
  ELOOP: (path) => `${path} is a link that leads to itself`,
};

/** The one sentence for an error, whatever threw it. Stack traces only with `MDCX_DEBUG=1`. */
export function sentence(error: unknown): string {
  if (error instanceof MdcxError) return error.message;
  if (error instanceof Error) {
    const { code, path } = error as NodeJS.ErrnoException;
    const known = code === undefined ? undefined : SYSTEM[code];
    if (known) return known(path ?? "the file");
    return `something went wrong inside mdcx (${error.message}): please report it with the command that you ran`;
  }
  return `something went wrong inside mdcx (${String(error)})`;
}

/** The name of an error for programs. */
export function errorCode(error: unknown): string {
  if (error instanceof MdcxError) return error.code;
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return code !== undefined && code in SYSTEM ? "io" : "internal";
}
