import { parseDocumentName } from "./document-name.js";
import { MdcxError } from "./errors.js";
import { nearestPaths } from "./nearest-names.js";
import { compareCodePoints } from "./text/code-points.js";

/** Documents that are named where none is called nearly so. */
const FIRST = 3;

/**
 * The refusal of a name that no document has: with the nearest names, or, where none is near, the first documents that there are.
 *
 * @param where whatever was looked through, as a sentence names it
 * @param paths of its documents
 */
export function unknownDocument(name: string, where: string, paths: Iterable<string>): MdcxError {
  const all = [...new Set(paths)];
  const [asked = ""] = parseDocumentName(name).paths;
  return new MdcxError("not-found", `There is no document ${JSON.stringify(name)} in ${where}.${instead(asked, all)}`);
}

function instead(asked: string, paths: string[]): string {
  const nearest = nearestPaths(asked, paths);
  if (nearest.length > 0) return ` Nearest: ${named(nearest)}.`;
  if (paths.length === 0) return "";
  const first = paths.sort(compareCodePoints).slice(0, FIRST);
  const more = paths.length - first.length;
  return ` There is ${named(first)}${more > 0 ? ` and ${more.toLocaleString("en")} more` : ""}.`;
}

function named(paths: readonly string[]): string {
  return paths.map((path) => `@/${path}`).join(", ");
}
