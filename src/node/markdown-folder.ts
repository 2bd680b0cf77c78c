import { readFileSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { MdcxError } from "../errors.js";
import { FolderSearch, type FolderDocument, type Unsearched } from "../folder-search.js";
import { compareCodePoints } from "../text/code-points.js";
import { walkFolder, type FolderFile } from "./folder-walk.js";
import { ioError } from "./io-error.js";
import { textFormatNamed } from "./text-file.js";

/** A folder that is ready to be asked, and what of it is not searched. */
export interface OpenedFolder {
  readonly search: FolderSearch;
  /** By path: hidden files, links, files that are neither Markdown nor text. */
  readonly unsearched: readonly Unsearched[];
}

/**
 * Reads the Markdown and the plain text of a folder and of all folders below it, to be asked without a package. Nothing is
 * converted and nothing is written.
 *
 * @throws MdcxError `not-found` or `io` where it cannot be read, `bad-input` where it is no folder or holds no text
 */
export async function openMarkdownFolder(folder: string): Promise<OpenedFolder> {
  const root = await realpath(folder).catch((error: unknown) => {
    throw ioError(error, "read", folder);
  });
  if (!(await stat(root)).isDirectory()) throw new MdcxError("bad-input", `${folder} is no folder.`);
  const { files, leftOut } = await walkFolder(root);
  const readable = files
    .filter(({ path }) => textFormatNamed(path) !== undefined)
    .sort((a, b) => compareCodePoints(a.path, b.path));
  const others = files.filter(({ path }) => textFormatNamed(path) === undefined);
  const search = await FolderSearch.of(read(readable));
  const unsearched = [
    ...leftOut.map(({ path, reason }) => ({ document: `@/${path}`, reason })),
    ...others.map(({ path }) => ({ document: `@/${path}`, reason: "it is neither Markdown nor plain text" })),
    ...search.unsearched,
  ].sort((a, b) => compareCodePoints(a.document, b.document));
  if (search.size.documents === 0)
    throw new MdcxError(
      "bad-input",
      `${folder} holds no Markdown and no plain text to search: \`mdcx convert\` makes Markdown of other documents.`,
    );
  return { search, unsearched };
}

function* read(files: readonly FolderFile[]): Generator<FolderDocument> {
  for (const { path, file } of files) {
    try {
      // Read at once: waiting for a small file takes ten times as long as reading it.
      yield { path, bytes: readFileSync(file) };
    } catch (error) {
      throw ioError(error, "read", path);
    }
  }
}
