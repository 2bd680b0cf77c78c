import { MdcxError } from "../errors.js";

const SENTENCES: Readonly<Record<string, string>> = {
  EACCES: "permission is denied",
  EPERM: "permission is denied",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EIO: "the disk reports an error",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of its path is not a folder",
  EEXIST: "it exists already",
  EMFILE: "too many files are open",
  ENAMETOOLONG: "its name is too long",
  ELOOP: "its links lead in a circle",
};

/**
 * What the operating system refused, as a sentence without its vocabulary.
 *
 * @param verb what was tried: "open", "read", "write"
 * @param path as the user gave it
 */
export function ioError(error: unknown, verb: string, path: string): MdcxError {
  if (error instanceof MdcxError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOENT") return new MdcxError("not-found", `There is no file or folder ${path}.`, { cause: error });
  const why = SENTENCES[code] ?? (error instanceof Error ? error.message : String(error));
  return new MdcxError("io", `Cannot ${verb} ${path}: ${why}.`, { cause: error });
}
