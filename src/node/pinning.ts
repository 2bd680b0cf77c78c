import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { MdcxError } from "../errors.js";
import type { Head, Pins } from "../format/head.js";
import { ioError } from "./io-error.js";
import { readIssuerKey } from "./key-files.js";
import { TrustStore } from "./trust.js";

/** What packages are held to by whoever reads them. It can be cloned. */
export interface Pinning {
  readonly all: Pins;
  /** By package id. Where there is a list, a package that is not on it is refused: else another id would undo its pins. */
  readonly listed?: ReadonlyMap<string, Pins>;
}

/**
 * The pins of one package. An issuer that `mdcx trust` knows counts as pinned, so that all commands say the same of it.
 *
 * @throws MdcxError `wrong-package` where there is a list of pins without it
 */
export async function pinsFor({ name, claims }: Pick<Head, "name" | "claims">, pinning: Pinning): Promise<Pins> {
  const { all, listed } = pinning;
  const own = listed?.get(claims.packageId);
  if (listed !== undefined && own === undefined)
    throw new MdcxError(
      "wrong-package",
      `${name} is package ${claims.packageId}, and the file of pins has no line for it: add one, or leave the package out.`,
    );
  const pins = { ...all, ...own };
  const named = claims.issuer?.publicKey;
  if (pins.issuerKey !== undefined || named === undefined) return pins;
  return (await new TrustStore().nameOf(named)) === undefined ? pins : { ...pins, issuerKey: named };
}

/**
 * Reads a file of pins, a line a package: `PACKAGE_ID [issuer=HEX|FILE.pub] [revision=N]`. Empty lines and those that begin
 * with `#` say nothing; a key file is looked for beside the file of pins.
 *
 * @throws MdcxError `bad-input` naming the line
 */
export async function readPinFile(path: string): Promise<ReadonlyMap<string, Pins>> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    throw ioError(error, "read", path);
  }
  const listed = new Map<string, Pins>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const at = `Line ${index + 1} of ${path}`;
    const [packageId, ...rest] = line.trim().split(/\s+(?=issuer=|revision=)/) as [string, ...string[]];
    if (!/^[0-9a-f]{32}$/.test(packageId))
      throw new MdcxError(
        "bad-input",
        `${at} does not begin with a package id, 32 lower-case hex digits, followed by issuer=… or revision=… or neither.`,
      );
    if (listed.has(packageId)) throw new MdcxError("bad-input", `${at} names package ${packageId} a second time.`);
    listed.set(packageId, await pinsOnLine(rest, at, dirname(path)));
  }
  return listed;
}

async function pinsOnLine(parts: readonly string[], at: string, folder: string): Promise<Pins> {
  let pins: Pins = {};
  for (const part of parts) {
    const value = part.slice(part.indexOf("=") + 1);
    const twice = part.startsWith("issuer=") ? pins.issuerKey !== undefined : pins.minRevision !== undefined;
    if (twice) throw new MdcxError("bad-input", `${at} says twice what it pins: leave out one.`);
    if (part.startsWith("issuer=")) {
      const given = /^[0-9a-fA-F]{64}$/.test(value) ? value : resolve(folder, value);
      pins = { ...pins, issuerKey: await readIssuerKey(given) };
    } else {
      if (!/^[1-9]\d{0,8}$/.test(value))
        throw new MdcxError("bad-input", `${at} has a revision that is no whole number from 1: correct it.`);
      pins = { ...pins, minRevision: Number(value) };
    }
  }
  return pins;
}
