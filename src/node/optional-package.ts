import { createRequire } from "node:module";
import { MdcxError } from "../errors.js";

/** Imports an optional package; a missing one is named with the command that installs it. */
export async function optional<T>(purpose: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw missingPackage(error, purpose) ?? error;
  }
}

/**
 * The sentence for an import that failed because an optional package is not installed; undefined for every other error.
 * Any module may be the first that lacks one, so the name is taken from Node's own message.
 */
export function missingPackage(error: unknown, purpose: string): MdcxError | undefined {
  if ((error as { code?: unknown }).code !== "ERR_MODULE_NOT_FOUND") return undefined;
  const name = /Cannot find package '([^']+)'/.exec((error as Error).message)?.[1];
  if (name === undefined) return undefined;
  return new MdcxError("missing-package", `${purpose} needs the package ${name}: run npm install ${versioned(name)}.`, {
    cause: error,
  });
}

/**
 * Without this, its install script fetches files for graphics cards from elsewhere on Linux, and where it cannot reach them the
 * installation fails.
 */
const FLAGS: Readonly<Record<string, string>> = { "@huggingface/transformers": " --onnxruntime-node-install=skip" };

/** What npm is told: with the version that is tested, for the newest of some packages wants a newer Node. */
export function versioned(name: string): string {
  // The package's own name finds its package.json from the sources and from dist alike.
  const { optionalDependencies } = createRequire(import.meta.url)("mdcx/package.json") as {
    optionalDependencies: Readonly<Record<string, string>>;
  };
  return (name in optionalDependencies ? `${name}@${optionalDependencies[name]!}` : name) + (FLAGS[name] ?? "");
}
