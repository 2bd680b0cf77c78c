import type { Argv } from "yargs";
import { MdcxError } from "../src/errors.js";
import type { Corpus, Head, Package, Pins, Source } from "../src/index.js";
import type { OpenSourceOptions } from "../src/node/open-source.js";
import { sayDestination } from "./encoder.js";
import { secretsForEach, secretsToOpen, type SecretArguments } from "./secrets.js";
import { note, printableLine } from "./print.js";

/** Options that every command has which reads a package. */
export interface PinArguments {
  readonly issuerKey?: string | undefined;
  readonly packageId?: string | undefined;
  readonly minRevision?: number | undefined;
}

export function withSecretOptions<T>(args: Argv<T>) {
  return args
    .option("key-file", {
      type: "string",
      array: true,
      requiresArg: true,
      describe: "file that holds the passphrase or the mdcx-key-…; several are tried in turn",
    })
    .option("key", {
      type: "string",
      requiresArg: true,
      describe: "the secret itself, or - to read it from standard input",
    });
}

export function withPinOptions<T>(args: Argv<T>) {
  return args
    .option("issuer-key", {
      type: "string",
      requiresArg: true,
      describe: "accept only this issuer: a .pub file or 64 hex digits",
    })
    .option("package-id", { type: "string", requiresArg: true, describe: "accept only this package: 32 hex digits" })
    .option("min-revision", { type: "number", requiresArg: true, describe: "refuse older revisions than this" });
}

/** The option of commands that read here and there in a package; who reads all of it once wants it from its server. */
export function withCacheOption<T>(args: Argv<T>) {
  return args.option("cache", {
    type: "string",
    requiresArg: true,
    describe: "folder in which what comes of a package on the web is kept, sealed; else that of MDCX_CACHE",
  });
}

export function withJson<T>(args: Argv<T>) {
  return args.option("json", { type: "boolean", default: false, describe: "print JSON for a program" });
}

/** A public text that is shown on a line: something must be seen of it, and it must not hold control characters. */
export function requireVisible(text: string | undefined, option: string): void {
  if (text === undefined) return;
  if (text.trim() === "") throw new MdcxError("bad-input", `${option} is empty: give a text, or leave it out.`);
  if (/\p{Cc}/u.test(text))
    throw new MdcxError("bad-input", `${option} holds a control character, such as a line end: leave it out.`);
}

/** What the user insists on. */
export async function pinsOf(args: PinArguments): Promise<Pins> {
  const { readIssuerKey } = await import("../src/node/key-files.js");
  if (args.packageId !== undefined && !/^[0-9a-f]{32}$/.test(args.packageId))
    throw new MdcxError("bad-input", "--package-id needs 32 lower-case hex digits, as `mdcx info` shows them.");
  if (args.minRevision !== undefined && !(Number.isInteger(args.minRevision) && args.minRevision >= 1))
    throw new MdcxError("bad-input", "--min-revision needs a whole number from 1.");
  return {
    ...(args.issuerKey !== undefined && { issuerKey: await readIssuerKey(args.issuerKey) }),
    ...(args.packageId !== undefined && { packageId: args.packageId }),
    ...(args.minRevision !== undefined && { minRevision: args.minRevision }),
  };
}

/** What the user insists on for this package, a file or what was opened of it, with the issuers that `mdcx trust` knows. */
export async function pinsFor(file: string | Source, args: PinArguments): Promise<Pins> {
  const { readStatement } = await import("../src/index.js");
  const pinning = await import("../src/node/pinning.js");
  const all = await pinsOf(args);
  // What is wrong with the file is said before anyone is asked for a passphrase.
  return pinning.pinsFor(await readStatement(file, all), { all });
}

export interface CacheArguments {
  readonly cache?: string | undefined;
}

const warned = new Set<string>();

/** Says once in a process what several packages have in common. */
export function warnOnce(what: string): void {
  if (warned.has(what)) return;
  warned.add(what);
  note(`mdcx: ${printableLine(what)}`);
}

function sourceOptions({ cache }: CacheArguments): OpenSourceOptions {
  if (cache === "") throw new MdcxError("bad-input", "--cache is empty: name a folder, or leave it out.");
  return { cacheFolder: cache, onWarning: warnOnce };
}

/** Opens the package that a command was given, runs `use`, and closes it. */
export async function withPackage<T>(
  file: string,
  args: SecretArguments & PinArguments & CacheArguments & { readonly model?: string | undefined },
  use: (pkg: Package) => Promise<T>,
): Promise<T> {
  const { openPackage } = await import("../src/index.js");
  const { openSource } = await import("../src/node/open-source.js");
  const source = await openSource(file, sourceOptions(args));
  try {
    const pins = await pinsFor(source, args);
    const secret = await secretsToOpen(args, file);
    const pkg = await openPackage(source, {
      ...pins,
      secret,
      onDestination: sayDestination,
      ...(args.model !== undefined && { model: args.model }),
    });
    try {
      return await use(pkg);
    } finally {
      await pkg.close();
    }
  } finally {
    await source.close();
  }
}

/** Opens the packages that a command was given as one corpus, runs `use`, and closes them. */
export async function withCorpus<T>(
  files: readonly string[],
  args: SecretArguments & PinArguments & CacheArguments & { readonly model?: string | undefined },
  use: (corpus: Corpus) => Promise<T>,
): Promise<T> {
  if (args.packageId !== undefined && files.length > 1)
    throw new MdcxError("bad-input", "--package-id is of one package, and several are named: ask them one by one.");
  const { openCorpus } = await import("../src/index.js");
  const { isAddress, openSource } = await import("../src/node/open-source.js");
  // What lies elsewhere is looked at and opened by one source: its head comes once.
  const inputs: (string | Source)[] = [];
  try {
    for (const file of files) inputs.push(isAddress(file) ? await openSource(file, sourceOptions(args)) : file);
    const pins: Pins[] = [];
    for (const input of inputs) pins.push(await pinsFor(input, args));
    const secrets = await secretsForEach(args, files);
    const corpus = await openCorpus(
      inputs,
      files.map((_, i) => ({
        ...pins[i],
        secret: secrets[i]!,
        onDestination: sayDestination,
        ...(args.model !== undefined && { model: args.model }),
      })),
    );
    try {
      return await use(corpus);
    } finally {
      await corpus.close();
    }
  } finally {
    for (const input of inputs) if (typeof input !== "string") await input.close();
  }
}

/** What may be said of a package's issuer: never more than the signature proves. */
export async function issuerLine({ claims, signatureState }: Pick<Head, "claims" | "signatureState">): Promise<string> {
  const { issuer } = claims;
  if (issuer === null) return "nobody named, not signed";
  const name = printableLine(issuer.name);
  if (issuer.publicKey === undefined) return `${name} (not signed: anyone can write this name)`;
  const { TrustStore } = await import("../src/node/trust.js");
  const trusted = await new TrustStore().nameOf(issuer.publicKey);
  if (trusted !== undefined) return `${name} (signed by the key that you trust as "${printableLine(trusted)}")`;
  return signatureState === "signed-by-pinned-issuer"
    ? `${name} (signed by the key you gave)`
    : `${name} (signed by the key it names, which proves no person)`;
}
