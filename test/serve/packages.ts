import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Secret } from "../../src/format/secret.js";
import type { PackOptions } from "../../src/pack.js";
import { KEY, packed, type Folder } from "../package/in-memory.js";

/** Keys of the tests, each another: worth nothing anywhere else. */
export function keyOf(number: number): Secret {
  return { kind: "key", bytes: new Uint8Array(32).fill(number) };
}

/** Writes a package. @returns its path */
export async function packageFile(
  folder: string,
  name: string,
  documents: Folder,
  options: Partial<PackOptions> = {},
): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, (await packed(documents, options)).bytes);
  return path;
}

/** A package of one document that says where its spare key hangs. */
export function aboutTheKey(place: string): Folder {
  return { "keys.md": `# Keys\n\nThe spare key hangs ${place}.\n` };
}

export { KEY };
