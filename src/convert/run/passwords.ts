import { readFile } from "node:fs/promises";
import { decodeText } from "../../document.js";
import { MdcxError } from "../../errors.js";
import { ioError } from "../../node/io-error.js";
import { pathMatcher } from "./plan.js";

/** Gives the password of a source, by its path inside the input. */
export type Passwords = (path: string) => string | undefined;

/**
 * Reads a file of passwords: a line each, a glob over paths, a tab, the password as it is (blanks at its ends belong to
 * it). The first line that matches a path counts.
 */
export async function readPasswords(file: string): Promise<Passwords> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    throw ioError(error, "read", file);
  }
  const text = decodeText(bytes);
  if (text === undefined) throw new MdcxError("bad-input", `${file} is not UTF-8 text: save it as UTF-8.`);
  const rules: { readonly matches: (path: string) => boolean; readonly password: string }[] = [];
  for (const [i, line] of text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .entries()) {
    if (line === "") continue;
    const tab = line.indexOf("\t");
    // The line itself may be a password: it is not shown.
    if (tab < 1 || tab === line.length - 1)
      throw new MdcxError("bad-input", `${file}, line ${i + 1}: it needs a pattern, a tab and a password.`);
    rules.push({ matches: pathMatcher(line.slice(0, tab)), password: line.slice(tab + 1) });
  }
  return (path) => rules.find(({ matches }) => matches(path))?.password;
}
