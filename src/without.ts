import picomatch from "picomatch";
import { globMatcher } from "./path-pattern.js";
import { MdcxError } from "./errors.js";
import { nearestPaths } from "./nearest-names.js";

/** A document that may be left out. */
interface Named {
  readonly path: string;
  /** What it was converted from. */
  readonly original?: string;
}

/**
 * Which documents a list of names leaves out: documents by their paths or those of their originals, with or without `@/`,
 * folders with all that lies in them, globs.
 */
export class Without {
  private constructor(
    private readonly names: readonly { readonly name: string; readonly has: (path: string) => boolean }[],
  ) {}

  /**
   * @param documents all that the names may mean; a name that means none is a slip, and would leave in what must go
   * @throws MdcxError `not-found` for such a name, with the nearest ones, `bad-input` for an empty one
   */
  static of(names: readonly string[], documents: readonly Named[]): Without {
    const without = new Without(names.map((name) => ({ name, has: matcher(name) })));
    for (const { name, has } of without.names) {
      if (documents.some((document) => named(document, has))) continue;
      const nearest = nearestPaths(
        bare(name),
        documents.map(({ path }) => path),
      ).map((path) => `@/${path}`);
      throw new MdcxError(
        "not-found",
        `There is no document or folder ${JSON.stringify(name)} to leave out.${nearest.length === 0 ? "" : ` Nearest: ${nearest.join(", ")}.`}`,
      );
    }
    return without;
  }

  has(document: Named): boolean {
    return this.names.some(({ has }) => named(document, has));
  }
}

function named({ path, original }: Named, has: (path: string) => boolean): boolean {
  return has(path) || (original !== undefined && has(original));
}

function bare(name: string): string {
  return name
    .replace(/^@\//, "")
    .replace(/^(?:\.\/)+/, "")
    .replace(/\/+$/, "");
}

function matcher(name: string): (path: string) => boolean {
  const path = bare(name);
  if (path === "") throw new MdcxError("bad-input", "--without needs the name of a document or a folder.");
  const matches = globMatcher(path);
  const isGlob = picomatch.scan(path).isGlob;
  // A file may be called `notes [2].md`: its own name comes before what it would mean as a pattern.
  return (one) => one === path || one.startsWith(`${path}/`) || (isGlob && matches(one));
}
