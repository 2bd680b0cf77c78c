import type { Sink } from "../format/sink.js";
import {
  calibrate,
  enrich,
  type CalibrateOptions,
  type CalibrateReport,
  type EnrichOptions,
  type EnrichReport,
} from "../rewrite.js";
import { writeFileAtomically } from "./atomic-file.js";
import { nodeDeflate, nodeInflate } from "./deflate.js";
import { FileSource } from "./file-source.js";
import { KeptVectors } from "./kept-vectors.js";
import { primitives } from "./primitives.js";

/** Node's own crypto, zlib and files are used. */
export type EnrichPackageOptions = Omit<EnrichOptions, "deflate" | "inflate" | "wasm" | "keep">;
export type CalibratePackageOptions = Omit<CalibrateOptions, "deflate" | "inflate" | "wasm">;

/**
 * Gives a package meaning in its place, without its folder: every passage is encoded. It is sealed under a new file key as
 * the next revision, for the slots whose secret is given; a failure leaves it as it was. A run that is interrupted leaves
 * the vectors that it made beside it, sealed (spec/kept-vectors.md), and the next one takes them up.
 */
export async function enrichPackage(path: string, options: EnrichPackageOptions): Promise<EnrichReport> {
  let kept: KeptVectors | undefined;
  const keep: EnrichOptions["keep"] = async (slots, model) =>
    (kept = await KeptVectors.open(path, slots, model, primitives));
  try {
    const report = await rewriteFile(path, (source, sink) =>
      enrich(source, sink, primitives, { ...options, ...platform(), keep }),
    );
    await kept?.discard();
    return report;
  } finally {
    await kept?.close();
  }
}

/**
 * Calibrates a package in its place by questions that it answers, without its folder. Documents, passages and vectors stay
 * as they are; it is sealed under a new file key as the next revision, for the slots whose secret is given.
 */
export function calibratePackage(path: string, options: CalibratePackageOptions): Promise<CalibrateReport> {
  return rewriteFile(path, (source, sink) => calibrate(source, sink, primitives, { ...options, ...platform() }));
}

/** Reads a package and writes what takes its place; a failure leaves the file as it was. */
export async function rewriteFile<T>(path: string, change: (source: FileSource, sink: Sink) => Promise<T>): Promise<T> {
  const source = FileSource.open(path);
  try {
    return await writeFileAtomically(path, (sink) => change(source, sink));
  } finally {
    await source.close();
  }
}

function platform() {
  return { inflate: nodeInflate, deflate: nodeDeflate() };
}
