import type { Source } from "../format/source.js";
import { FileSource } from "./file-source.js";

/** Whether a package is named by an address and not by a path. */
export function isAddress(name: string): boolean {
  return /^(https?|s3):\/\//i.test(name);
}

/** A path, or an address without its query, which may hold a signature: what messages and logs may say. */
export function shownName(name: string): string {
  return isAddress(name) ? name.replace(/[?#].*$/s, "") : name;
}

/**
 * The package of that path or address. What speaks HTTP is loaded for an address alone.
 *
 * @throws MdcxError `io` and `not-found` for a file, and what `HttpSource.open` throws
 */
export async function openSource(name: string): Promise<Source> {
  if (!isAddress(name)) return FileSource.open(name);
  const { openRemoteSource } = await import("./remote-source.js");
  return openRemoteSource(name);
}
