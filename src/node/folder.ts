import { readFileSync } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { decodeText } from "../document.js";
import { MdcxError } from "../errors.js";
import { isSafePath } from "../image/path.js";
import type { DocumentInput, LeftOut } from "../pack.js";

/** File names that are read as documents, by their ending; everything else needs converting first. */
const FORMATS: Readonly<Record<string, DocumentInput["format"]>> = {
  md: "markdown",
  markdown: "markdown",
  txt: "text",
};

/** What a folder holds: documents to pack, and what is left out and why. */
export interface Folder {
  readonly documents: readonly DocumentInput[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * Lists a folder and all folders below it. Names are taken as they are: no file is left out for how its name begins, but
 * hidden ones (`.git`, `.DS_Store`) and links, which could lead out of the folder, are left out and said.
 *
 * @param secretFiles files that hold a secret of the package: were one packed, whoever may search would find it
 * @throws MdcxError `bad-input` where `folder` is no folder or its names cannot be kept
 */
export async function readFolder(folder: string, secretFiles: readonly string[] = []): Promise<Folder> {
  const secrets = new Set(await Promise.all(secretFiles.map((path) => realpath(path))));
  const found = await stat(folder);
  if (!found.isDirectory())
    throw new MdcxError("bad-input", `${folder} is a file: give the folder that holds the documents.`);
  const documents: DocumentInput[] = [];
  const leftOut: LeftOut[] = [];
  const pending = [""];
  for (let inside = pending.pop(); inside !== undefined; inside = pending.pop()) {
    // Names come as bytes: one that is not UTF-8 would be packed under a name that does not exist.
    const entries = await readdir(join(folder, inside), { withFileTypes: true, encoding: "buffer" });
    for (const entry of entries) {
      const name = decodeText(entry.name);
      const shown = name ?? new TextDecoder().decode(entry.name);
      const path = inside === "" ? shown : `${inside}/${shown}`;
      const leave = (reason: string): number => leftOut.push({ document: `@/${path}`, reason });
      if (name === undefined) leave("its name is not UTF-8: rename it");
      else if (!isSafePath(path)) leave("its name holds a path of Windows: rename it");
      else if (name.startsWith(".")) leave("hidden");
      else if (entry.isSymbolicLink()) leave("a link: put the file itself into the folder");
      else if (entry.isDirectory()) pending.push(path);
      else if (!entry.isFile()) leave("not a regular file");
      else if (secrets.size > 0 && secrets.has(await realpath(join(folder, path))))
        leave("it holds a secret of this package");
      else {
        const format = FORMATS[/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ""];
        if (format === undefined) leave("not Markdown or plain text (.md, .markdown, .txt)");
        // Read at once: waiting for a small file takes ten times as long as reading it.
        else documents.push({ path, format, read: () => Promise.resolve(readFileSync(join(folder, path))) });
      }
    }
  }
  return { documents, leftOut };
}
