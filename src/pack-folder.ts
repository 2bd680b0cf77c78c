/**
 * A folder as the documents of a package. Markdown and plain text are packed as they are; every other document is
 * converted on its way, in worker processes, and nothing of it is written anywhere.
 */
import { readFileSync, statSync } from "node:fs";
import { MdcxError } from "./errors.js";
import type { Status } from "./convert/certificate.js";
import { planConversion, type Source } from "./convert/run/plan.js";
import type { ConvertOptions } from "./convert/run/options.js";
import type { Converted } from "./convert/run/stream.js";
import { isText, textFormatNamed } from "./node/text-file.js";
import type { DocumentInput, LeftOut } from "./pack.js";
import { deal, type Elsewhere, type Shard } from "./shard.js";
import { compareCodePoints } from "./text/code-points.js";

/** How the originals of a folder become documents. */
export interface FolderOptions {
  /** Files that hold a secret or the signing key: left out where they lie in the folder, or whoever may search would find them. */
  readonly secretFiles?: readonly string[];
  /** The package that is being written: an earlier one may lie in the folder. */
  readonly target?: string;
  /** The list of dates of this run: left out where it lies in the folder. */
  readonly dates?: string;
  /** Gives a document that states no date the time at which its file was last written, in UTC. */
  readonly dateFromMtime?: boolean;
  readonly convert?: ConvertOptions;
  /** Only the documents that are dealt to this shard; others are neither read nor converted. */
  readonly shard?: Shard;
}

/** A converted document that is not in order. */
export interface ConversionFinding {
  /** `@/contracts/lease.pdf.md` */
  readonly document: string;
  readonly status: Status;
  readonly reason: string;
}

/** What a folder holds: documents to pack, and what is left out and why. */
export interface Folder {
  readonly documents: readonly DocumentInput[];
  readonly leftOut: readonly LeftOut[];
  /** What other shards hold. */
  readonly elsewhere: readonly Elsewhere[];
  /** Filled while the documents are read. */
  readonly findings: readonly ConversionFinding[];
  /** Ends the workers, also of a run that failed. */
  close(): Promise<void>;
}

/**
 * Lists a folder and all folders below it. No file is left out for how its name begins, but hidden ones and links, which
 * could lead out of the folder, are left out and said. The documents must be read in the order of their paths.
 *
 * @throws MdcxError `bad-input` where `folder` is no folder, `io` where a folder below it cannot be read: a package that
 * lacks it would look whole
 */
export async function readFolder(
  folder: string,
  { secretFiles = [], target, dates, dateFromMtime = false, convert = {}, shard }: FolderOptions = {},
): Promise<Folder> {
  const secret = "it holds a secret of this package";
  const ownFiles = secretFiles.map((file) => ({ file, what: secret }));
  if (target !== undefined) ownFiles.push({ file: target, what: "the target of this run" });
  if (dates !== undefined) ownFiles.push({ file: dates, what: "the list of dates of this run" });
  const plan = await planConversion(folder, { ownFiles });
  if (plan.single)
    throw new MdcxError(
      "bad-input",
      `${folder} is a file: give the folder that holds the documents, or records in a .jsonl file.`,
    );
  const unread = plan.leftOut.find(({ path }) => plan.unread.includes(path));
  if (unread !== undefined) throw new MdcxError("io", `${unread.reason} Nothing was written.`);
  const { here, elsewhere } = deal(plan.sources, shard);
  const leftOut = deal(plan.leftOut, shard).here.map(({ path, reason }) => ({ document: `@/${path}`, reason }));
  const documents: DocumentInput[] = [];
  const originals: Source[] = [];
  for (const source of here) {
    const format = textFormat(source);
    if (format === undefined) originals.push(source);
    // Read at once: waiting for a small file takes ten times as long as reading it.
    else
      documents.push({
        path: source.path,
        format,
        size: source.bytes,
        read: () => Promise.resolve(readFileSync(source.file)),
      });
  }
  const conversion = new Conversion(originals, convert);
  const all = [...documents, ...conversion.documents];
  return {
    documents: dateFromMtime ? withFileTimes(all, here) : all,
    leftOut,
    elsewhere: elsewhere.map(({ path, target }) => ({ path: target, original: path })),
    findings: conversion.findings,
    close: () => conversion.close(),
  };
}

/** Documents with the times of their files, or of the originals that they are converted from. */
function withFileTimes(documents: readonly DocumentInput[], sources: readonly Source[]): DocumentInput[] {
  const files = new Map(sources.map(({ path, file }) => [path, file]));
  return documents.map((document) => {
    // One that has gone is told of where it is read.
    const found = statSync(files.get(document.original ?? document.path)!, { throwIfNoEntry: false });
    if (found === undefined) return document;
    return {
      ...document,
      facts: { ...document.facts, dates: [{ value: found.mtime.toISOString(), origin: "mtime" }] },
    };
  });
}

/** How a file is packed as it is; undefined where it has to be converted: by its name, or because it is no UTF-8 text. */
function textFormat({ path, file }: Source): DocumentInput["format"] | undefined {
  const format = textFormatNamed(path);
  return format !== undefined && isText(readFileSync(file)) ? format : undefined;
}

/** The originals of a folder, converted one after the other as the packer asks for them. */
class Conversion {
  readonly documents: readonly DocumentInput[];
  readonly findings: ConversionFinding[] = [];
  #results: AsyncGenerator<Converted, void, undefined> | undefined;

  constructor(
    originals: readonly Source[],
    private readonly options: ConvertOptions,
  ) {
    const ordered = [...originals].sort((a, b) => compareCodePoints(a.target, b.target));
    this.documents = ordered.map((source) => ({
      path: source.target,
      original: source.path,
      format: "markdown",
      size: source.bytes,
      read: () => this.#next(ordered, source),
    }));
  }

  async #next(ordered: readonly Source[], source: Source): Promise<Uint8Array> {
    // The converters are loaded only where something is to be converted.
    this.#results ??= (await import("./convert/run/stream.js")).convertAll(ordered, this.options);
    const { value } = await this.#results.next();
    if (!value || value.source !== source) throw new MdcxError("internal", "Originals were read out of their order.");
    const { status, reason = "" } = value.certificate;
    if (value.markdown === "") throw new MdcxError("refused", reason);
    if (status !== "ok") this.findings.push({ document: `@/${source.target}`, status, reason });
    return new TextEncoder().encode(value.markdown);
  }

  async close(): Promise<void> {
    await this.#results?.return(undefined);
  }
}
