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

export interface OpenSourceOptions {
  /** A folder in which what comes from the web is kept, sealed as it came; else the one of `MDCX_CACHE`, if any; an empty one: none. */
  readonly cacheFolder?: string | undefined;
  /** Told in a sentence that this folder cannot be used; reading goes on without it. */
  readonly onWarning?: ((what: string) => void) | undefined;
}

/**
 * The package of that path or address. What speaks HTTP is loaded for an address alone.
 *
 * @throws MdcxError `io` and `not-found` for a file, and what `HttpSource.open` throws
 */
export async function openSource(name: string, options: OpenSourceOptions = {}): Promise<Source> {
  if (!isAddress(name)) return FileSource.open(name);
  const { openRemoteSource } = await import("./remote-source.js");
  const source = await openRemoteSource(name);
  const folder = options.cacheFolder ?? process.env.MDCX_CACHE;
  if (folder === undefined || folder === "") return source;
  const { SealedCache } = await import("./sealed-cache.js");
  try {
    return await SealedCache.before(source, folder, { onWarning: options.onWarning });
  } catch (error) {
    await source.close();
    throw error;
  }
}
