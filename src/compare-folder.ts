/** What became of the documents of a package in the folder that it was made of. Nothing is converted and nothing written. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { detect } from "./convert/detect.js";
import { planConversion, type Source } from "./convert/run/plan.js";
import { MdcxError } from "./errors.js";
import { whenHere } from "./format/not-here-yet.js";
import type { Document } from "./image/records.js";
import { ioError } from "./node/io-error.js";
import { isText, textFormatNamed } from "./node/text-file.js";
import type { Package } from "./package.js";
import { deal, type Shard } from "./shard.js";
import { compareCodePoints } from "./text/code-points.js";

/** Documents by what became of them: `@/folder/name.md`, by path. */
export interface FolderComparison {
  /** In the folder, and not in the package: packing it again would take them. */
  readonly added: readonly string[];
  /** In both, with other bytes; of a converted one, its original. */
  readonly changed: readonly string[];
  /** In the package alone. */
  readonly gone: readonly string[];
  /** How many are as they were packed. */
  readonly unchanged: number;
}

/**
 * Holds the documents of a package against a folder, as `pack` would read it.
 *
 * @param ownFiles files that `pack` would leave out: the package itself, files with its secrets
 * @param shard the one that the package is, where it holds a share of the folder
 * @throws MdcxError `not-found`, `io` or `bad-input` where the folder cannot be read in whole
 */
export async function compareFolder(
  pkg: Package,
  folder: string,
  ownFiles: readonly string[] = [],
  shard?: Shard,
): Promise<FolderComparison> {
  const plan = await planConversion(folder, { ownFiles: ownFiles.map((file) => ({ file, what: "of this package" })) });
  if (plan.single) throw new MdcxError("bad-input", `${folder} is a file: give the folder that was packed.`);
  const unread = plan.leftOut.find(({ path }) => plan.unread.includes(path));
  // What lies in it would look gone.
  if (unread !== undefined) throw new MdcxError("io", unread.reason);
  const packed = new Map((await whenHere(() => pkg.image.documents())).map((document) => [document.path, document]));
  const [added, changed]: [string[], string[]] = [[], []];
  let unchanged = 0;
  for (const source of deal(plan.sources, shard).here) {
    const bytes = bytesOf(source);
    const asText = textFormatNamed(source.path) !== undefined && isText(bytes);
    const path = asText ? source.path : source.target;
    const document = packed.get(path);
    packed.delete(path);
    if (document === undefined) {
      if (asText || !("refused" in detect(bytes, source.path))) added.push(path);
    } else if (isSame(document, bytes, asText)) unchanged++;
    else changed.push(path);
  }
  return { added: names(added), changed: names(changed), gone: names(packed.keys()), unchanged };
}

function bytesOf({ path, file }: Source): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw ioError(error, "read", path);
  }
}

/** A converted document knows its original by its digest. */
function isSame({ markdownSha256, sourceSha256 }: Document, bytes: Buffer, asText: boolean): boolean {
  const wanted = asText ? markdownSha256 : sourceSha256;
  return wanted !== null && createHash("sha256").update(bytes).digest().equals(wanted);
}

function names(paths: Iterable<string>): string[] {
  return [...paths].sort(compareCodePoints).map((path) => `@/${path}`);
}
