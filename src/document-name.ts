/**
 * How documents and passages are called (spec/reading.md §3): `@/folder/name.md` in a package, `mdcx://1a2b3c4d/folder/name.md`
 * among several, and `1a2b3c4d/0123456789abcdef/7` for a passage.
 */

/** Digits of a package's id by which its documents and passages are called. */
const ID_DIGITS = 8;

/** The part of a package's id that stands for it in names. */
export function shortId(packageId: string): string {
  return packageId.slice(0, ID_DIGITS);
}

/** The full name of a document, a URI (RFC 3986) as resources of MCP have it. */
export function documentUri(packageId: string, path: string): string {
  return `mdcx://${shortId(packageId)}/${path.split("/").map(encodeURIComponent).join("/")}`;
}

/** What somebody called a document. */
export interface DocumentName {
  /** First digits of the package's id; undefined where the name says no package. */
  readonly package: string | undefined;
  /** Paths that may be meant, the likeliest first: a URI has blanks as `%20`, but people write them as they are. */
  readonly paths: readonly string[];
}

/** Takes a name apart: a full name, or one with or without `@/`. */
export function parseDocumentName(name: string): DocumentName {
  const [, id, rest] = /^mdcx:\/\/([0-9a-f]+)\/(.*)$/is.exec(name) ?? [];
  if (id === undefined || rest === undefined) return { package: undefined, paths: [name.replace(/^@\//, "")] };
  return { package: id.toLowerCase(), paths: [...new Set([decoded(rest), rest])] };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A per cent sign that stands for itself.
    return path;
  }
}

/** A passage by its id. */
export interface PassageId {
  /** First digits of the package's id. */
  readonly package: string;
  /** `documentKey` of its document. */
  readonly document: string;
  /** Its place in the document, from 0. */
  readonly ordinal: number;
}

/** Reads the id of a passage; undefined for any other name. */
export function parsePassageId(name: string): PassageId | undefined {
  const [, id, document, ordinal] = /^([0-9a-f]{8})\/([0-9a-f]{16})\/(\d{1,9})$/.exec(name) ?? [];
  if (id === undefined || document === undefined) return undefined;
  return { package: id, document, ordinal: Number(ordinal) };
}
