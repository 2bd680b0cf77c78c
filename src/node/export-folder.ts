import { constants } from "node:fs";
import { lstat, mkdir, open, realpath, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { MdcxError } from "../errors.js";
import { whenHere } from "../format/not-here-yet.js";
import type { ExportedDocument, Package } from "../package.js";
import { ioError } from "./io-error.js";
import { makeFolder } from "./make-folder.js";

/** What was written. */
export interface ExportReport {
  readonly documents: number;
  readonly bytes: number;
}

/**
 * Writes every document of a package below a folder, byte for byte. All names are checked before the first byte is
 * written; a file that exists is never replaced, and a link in the way is never followed.
 *
 * @throws MdcxError `unsafe-path` for a name that would leave the folder, `bad-input` where a file exists
 */
export async function exportFolder(
  pkg: Package,
  target: string,
  onProgress?: (done: number, total: number) => void,
): Promise<ExportReport> {
  const total = pkg.documentCount;
  const paths = (await whenHere(() => pkg.image.documents())).map(({ path }) => path);
  for (const path of paths) {
    const reason = unsafeName(path, process.platform);
    if (reason !== undefined)
      throw new MdcxError("unsafe-path", `The document ${JSON.stringify(path)} ${reason}: nothing was written.`);
  }
  const root = await folderAt(target);
  for (const path of paths) await requireFree(root, path);
  let bytes = 0;
  let documents = 0;
  while (documents < total) {
    let document: ExportedDocument;
    try {
      document = await whenHere(() => pkg.exported(documents));
    } catch (error) {
      if (!(error instanceof MdcxError)) throw error;
      throw new MdcxError(error.code, `${error.message} ${documents} of ${total} documents were written before that.`, {
        cause: error,
      });
    }
    await writeNew(root, document.path, document.bytes);
    bytes += document.bytes.length;
    documents++;
    onProgress?.(documents, total);
  }
  return { documents, bytes };
}

/** The folder itself, made where it is not there, and through links that the user set on the way to it. */
async function folderAt(target: string): Promise<string> {
  try {
    await makeFolder(target);
    return await realpath(target);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST")
      throw new MdcxError("bad-input", `${target} is a file: give a folder to export to.`, { cause: error });
    throw ioError(error, "write", target);
  }
}

const WINDOWS_DEVICES = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\..*)?$/i;

/**
 * Why a document's name cannot be written below a folder of this platform; undefined where it can. Windows takes
 * devices, streams and names that end in a dot or space for something else than a file of that name.
 */
export function unsafeName(path: string, platform: NodeJS.Platform): string | undefined {
  const parts = path.split("/");
  if (path.startsWith("/") || parts.some((part) => part === "" || part === "." || part === ".."))
    return "would leave the target folder";
  if (path.includes("\0")) return "holds a NUL character";
  if (path.includes("\\") || /^[A-Za-z]:/.test(path)) return "would leave the target folder on Windows";
  if (platform !== "win32") return undefined;

  if (parts.some((part) => WINDOWS_DEVICES.test(part) || /[<>:"|?*\u0000-\u001f]/.test(part) || /[. ]$/.test(part)))
    return "is no file name on Windows: export it on another system";
  return undefined;
}

/** Nothing may stand where the document goes, and every folder above it must be a real one. */
async function requireFree(root: string, path: string): Promise<void> {
  const parts = path.split("/");
  for (let depth = 1; depth <= parts.length; depth++) {
    const at = join(root, ...parts.slice(0, depth));
    const found = await lstat(at).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    });
    if (found === undefined) return;
    const shown = parts.slice(0, depth).join("/");
    if (depth < parts.length && !found.isDirectory())
      throw new MdcxError(
        "unsafe-path",
        `${shown} in the target folder is ${found.isSymbolicLink() ? "a link" : "not a folder"}, and @/${path} would go through it: export to an empty folder.`,
      );
    if (depth === parts.length)
      throw new MdcxError("bad-input", `${shown} exists already in the target folder: export to an empty folder.`);
  }
}

async function writeNew(root: string, path: string, bytes: Uint8Array): Promise<void> {
  const at = join(root, ...path.split("/"));
  try {
    await mkdir(dirname(at), { recursive: true });
    await createFile(at, bytes);
  } catch (error) {
    throw ioError(error, "write", path);
  }
}

async function createFile(at: string, bytes: Uint8Array): Promise<void> {
  // A link put in the way since the check must not be followed, nor a file replaced.
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const file = await open(at, flags, 0o644);
  try {
    await file.writeFile(bytes);
  } catch (error) {
    // A file with half of its document would pass for the whole one.
    await unlink(at);
    throw error;
  } finally {
    await file.close();
  }
}
