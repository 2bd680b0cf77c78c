import picomatch from "picomatch";
import { MdcxError } from "./errors.js";

/**
 * Whether a path matches a glob; a pattern without a folder is one of names in any folder. The name of a folder stands for all
 * that is in it.
 *
 * @throws MdcxError `bad-input` for an empty pattern
 */
export function pathMatcher(glob: string): (path: string) => boolean {
  if (glob.trim() === "")
    throw new MdcxError("bad-input", "The pattern of paths is empty: give one such as reports/**.");
  const path = glob.replace(/^(?:@\/|\.\/|\/)+/, "");
  const matches = globMatcher(path);
  const folder = `${path.replace(/\/+$/, "")}/`;
  return (one) => matches(one) || one.startsWith(folder);
}

/** A glob by which every path is found that it names, also one with a line end in it, which `.` of a pattern passes over. */
export function globMatcher(glob: string): (path: string) => boolean {
  return picomatch(glob, { dot: true, basename: !glob.includes("/"), flags: "s" });
}
