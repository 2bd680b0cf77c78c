import { MemorySink } from "../../src/format/sink.js";
import type { Secret } from "../../src/format/secret.js";
import { openPackage, type Package } from "../../src/index.js";
import { nodeDeflate } from "../../src/node/deflate.js";
import { primitives } from "../../src/node/primitives.js";
import { pack, type DocumentInput, type PackOptions, type PackSummary } from "../../src/pack.js";

/** Key of the tests: worth nothing anywhere else. */
export const KEY: Secret = { kind: "key", bytes: new Uint8Array(32).fill(7) };

/** Documents by their paths, as text or as bytes. */
export type Folder = Readonly<Record<string, string | Uint8Array>>;

export function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? new TextEncoder().encode(content) : content;
}

export function documentsOf(folder: Folder): DocumentInput[] {
  return Object.entries(folder).map(([path, content]) => ({
    path,
    format: path.endsWith(".txt") ? "text" : "markdown",
    read: () => Promise.resolve(bytesOf(content)),
  }));
}

/** Packs documents in memory, by the code that packs them into a file. */
export async function packed(
  folder: Folder,
  options: Partial<PackOptions> = {},
): Promise<{ bytes: Uint8Array; summary: PackSummary }> {
  const sink = new MemorySink();
  const summary = await pack(documentsOf(folder), sink, {
    primitives,
    slots: [{ secret: KEY }],
    deflate: nodeDeflate(),
    ...options,
  });
  return { bytes: sink.bytes(), summary };
}

/** Packs documents and opens the package. */
export async function opened(folder: Folder, options: Partial<PackOptions> = {}): Promise<Package> {
  return openPackage((await packed(folder, options)).bytes, { secret: KEY });
}

/** Everything in a package, by path. */
export function contents(pkg: Package): Map<string, Uint8Array> {
  return new Map([...pkg.export()].map(({ path, bytes }) => [path, bytes]));
}

/** Paths of the documents found, in order, each once. */
export async function found(pkg: Package, question: string, limit = 10): Promise<string[]> {
  const { passages } = await pkg.search(question, { limit });
  return [...new Set(passages.map(({ document }) => document.slice(2)))];
}
