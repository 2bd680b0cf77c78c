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
 * The package of that path or address. What speaks HTTP is loaded for an address alone. `MDCX_CACHE` names a folder in which
 * what comes from the web is kept, sealed as it came.
 *
 * @throws MdcxError `io` and `not-found` for a file, and what `HttpSource.open` and `SealedCache.before` throw
 */
export async function openSource(name: string): Promise<Source> {
  if (!isAddress(name)) return FileSource.open(name);
  const { openRemoteSource } = await import("./remote-source.js");
  const source = await openRemoteSource(name);
  const folder = process.env.MDCX_CACHE;
  if (folder === undefined || folder === "") return source;
  const { SealedCache } = await import("./sealed-cache.js");
  try {
    return await SealedCache.before(source, folder);
  } catch (error) {
    await source.close();
    throw error;
  }
}
