/**
 * Writing packages in Node: `packFolder` makes one from a folder of Markdown, `packDocuments` from documents in memory;
 * `rekeyPackage` changes who may open one, `resealPackage` seals its image anew.
 */
import { open, stat } from "node:fs/promises";
import { primitives } from "#primitives";
import { MdcxError } from "./errors.js";
import {
  rekey,
  reseal,
  type RekeyOptions,
  type RekeyReport,
  type ResealOptions,
  type ResealReport,
} from "./format/container.js";
import type { Deflate } from "./image/deflate.js";
import { nodeDeflate } from "./node/deflate.js";
import type { Sink } from "./format/sink.js";
import { writeFileAtomically } from "./node/atomic-file.js";
import { FileSource } from "./node/file-source.js";
import { readFolder, type ConversionFinding, type FolderOptions } from "./pack-folder.js";
import { pack, type DocumentInput, type PackOptions, type PackSummary } from "./pack.js";

export { MdcxError, type ErrorCode } from "./errors.js";
export { formatKey, parseSecret, type Secret } from "./format/secret.js";
export type { RekeyOptions, RekeyReport, ResealOptions, ResealReport } from "./format/container.js";
export type { NewSlot } from "./format/slots.js";
export type { DocumentInput, LeftOut, PackOptions, PackProgress, PackSummary } from "./pack.js";

export type { ConversionFinding, FolderOptions } from "./pack-folder.js";

/** Options of packing in Node: its own crypto and zlib are used. */
export type PackDocumentsOptions = Omit<PackOptions, "primitives" | "deflate"> & {
  /** Quicker and larger: the text is compressed less. Contents and ranking are the same. */
  readonly fast?: boolean;
};

/** What was packed of a folder. */
export interface FolderSummary extends PackSummary {
  /** Converted documents whose certificate is not `ok`, with the reason. */
  readonly findings: readonly ConversionFinding[];
}

/**
 * Packs a folder into one sealed package: Markdown and plain text as they are, every other document converted in memory on
 * the way, so that no plaintext is written. The target is written beside itself and renamed when it is whole, so a failure
 * leaves what was there before.
 *
 * @throws MdcxError `missing-package` where a format needs an optional package that is not installed
 */
export async function packFolder(
  folder: string,
  target: string,
  options: PackDocumentsOptions & Omit<FolderOptions, "target">,
): Promise<FolderSummary> {
  const found = await readFolder(folder, { ...options, target });
  try {
    const summary = await packDocuments(found.documents, target, options);
    return { ...summary, leftOut: [...found.leftOut, ...summary.leftOut], findings: found.findings };
  } finally {
    await found.close();
  }
}

/** Packs documents that are given one by one. @throws MdcxError `bad-input` where the target is a file that is no package */
export async function packDocuments(
  documents: readonly DocumentInput[],
  target: string,
  options: PackDocumentsOptions,
): Promise<PackSummary> {
  await requireReplaceable(target);
  const deflate: Deflate = nodeDeflate(options.fast === undefined ? {} : { fast: options.fast });
  return writeFileAtomically(target, (sink) => pack(documents, sink, { ...options, primitives, deflate }));
}

const MDCX = new TextEncoder().encode("MDCX");

/** A slip in the name of the target must not cost a document: only a package or an empty file is replaced. */
async function requireReplaceable(target: string): Promise<void> {
  const found = await stat(target).catch(() => undefined);
  // What cannot be seen or is no file is the business of the writer, which says so.
  if (!found?.isFile() || found.size === 0) return;
  const file = await open(target, "r").catch(() => undefined);
  const start = new Uint8Array(MDCX.length);
  try {
    await file?.read(start);
  } finally {
    await file?.close();
  }
  if (!MDCX.every((byte, i) => start[i] === byte))
    throw new MdcxError("bad-input", `${target} is there already and no package: choose another name for the target.`);
}

/**
 * Adds and removes slots of a package in its place. Every leaf is verified first and the image is copied byte for byte;
 * a failure leaves the file as it was. Whoever kept an old file, or the file key, still reads this image.
 */
export function rekeyPackage(path: string, options: RekeyOptions): Promise<RekeyReport> {
  return rewrite(path, (source, sink) => rekey(source, sink, primitives, options));
}

/** Seals the image of a package anew under a new file key: ends the access of whoever is not given a slot, to what comes after. */
export function resealPackage(path: string, options: ResealOptions): Promise<ResealReport> {
  return rewrite(path, (source, sink) => reseal(source, sink, primitives, options));
}

async function rewrite<T>(path: string, change: (source: FileSource, sink: Sink) => Promise<T>): Promise<T> {
  const source = FileSource.open(path);
  try {
    return await writeFileAtomically(path, (sink) => change(source, sink));
  } finally {
    await source.close();
  }
}
