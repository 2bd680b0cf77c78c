/**
 * Reading packages in Node: `openPackage` opens one for `search`, `document`, `documents`, `info` and `export`;
 * `readStatement` says what it states without a key, `verifyPackage` checks every byte of it.
 */
import { primitives } from "#primitives";
import { readHead, verifyContainer, type Head, type Pins, type VerifyReport } from "./format/container.js";
import { BytesSource } from "./format/bytes-source.js";
import { parseSecret, type Secret } from "./format/secret.js";
import type { Source } from "./format/source.js";
import { nodeInflate } from "./node/deflate.js";
import { sharedEncoder } from "./node/encoder/shared.js";
import { scanBeside } from "./node/scan-proxy.js";
import { openSource, type OpenSourceOptions } from "./node/open-source.js";
import type { EncoderFor } from "./package-meaning.js";
import { MdcxError } from "./errors.js";
import { Corpus } from "./corpus.js";
import { openTogether } from "./open-together.js";
import { openImage, Package, type PackageOptions } from "./package.js";

export { MdcxError, type ErrorCode } from "./errors.js";
export { signatureSentence, type Head, type Pins, type SignatureState, type VerifyReport } from "./format/container.js";
export type { Claims, ClaimedFacts } from "./format/claims.js";
export { formatKey, parseSecret, type Secret } from "./format/secret.js";
export type { Source } from "./format/source.js";
export { NotHereYet, whenHere } from "./format/not-here-yet.js";
export {
  Corpus,
  type Around,
  type Asking,
  type CorpusInfo,
  type CorpusReading,
  type DocumentList,
  type MountedPackage,
} from "./corpus.js";
export { documentUri } from "./document-name.js";
export { Package, type ExportedDocument, type PackageOptions } from "./package.js";
export type * from "./reply.js";
export type { FactCounts } from "./fact-counts.js";
export type { Direction } from "./image/records.js";
export type { SearchMode, SearchOptions } from "./search.js";
export { openMarkdownFolder, type OpenedFolder } from "./node/markdown-folder.js";
export type { FolderReply, FolderSearch, FolderSearchOptions, FoundDocument } from "./folder-search.js";
export type { EncoderFor, MeaningState } from "./package-meaning.js";
export type { Encoded, Encoder, EncoderDescription, Role } from "./meaning/encoder.js";

/**
 * A package: the path of a file, an address (`https://`, `http://`, `s3://`), its bytes, or any other source. One that was opened
 * from a source closes it with itself; where it is only looked at, the source stays open.
 */
export type PackageInput = string | Uint8Array | Source;

/** Options of `openPackage`: a secret may be given as its text. */
export type OpenPackageOptions = Omit<PackageOptions, "secret"> & {
  readonly secret: string | Secret | readonly Secret[];
  /** The model for questions, where it is not the one that ships: a hub id that is on this machine, a folder, an address. */
  readonly model?: string;
  /** Told in a sentence where questions go before the first leaves this machine, where `model` is an address. */
  readonly onDestination?: (what: string) => void;
  /**
   * Where the package is named by an address: the folder in which what comes is kept, sealed as it came, for whoever asks again;
   * else that of `MDCX_CACHE`, if any. An empty one: none.
   */
  readonly cacheFolder?: string;
  /** Told in a sentence that this folder cannot be used; reading goes on without it. */
  readonly onWarning?: (what: string) => void;
};

/**
 * Opens a package. Only its head and first pages are read and decrypted; the rest as questions need it.
 *
 * @throws MdcxError naming what was refused: `not-a-package`, `wrong-secret`, `head-damaged`, …
 */
export async function openPackage(input: PackageInput, options: OpenPackageOptions): Promise<Package> {
  // Callers without types forget it, and would read of a property of undefined.
  const given = (options as Partial<OpenPackageOptions> | undefined)?.secret;
  if (given === undefined)
    throw new MdcxError("bad-secret", 'openPackage needs a secret: { secret: "the passphrase or mdcx-key-…" }.');
  const secret = typeof given === "string" ? parseSecret(given) : given;
  const { model, onDestination } = options;
  const encoder: EncoderFor = (wanted) => sharedEncoder(wanted, model, onDestination && { onDestination });
  return Package.open(await sourceOf(input, options), primitives, {
    inflate: nodeInflate,
    encoder,
    scanBeside,
    ...options,
    secret,
  });
}

/**
 * Opens several packages as one corpus, in whatever order.
 *
 * @param options for all of them, or of each in their order
 * @throws MdcxError as `openPackage`, the package named; nothing stays open then. `bad-input` for the same package twice
 */
export async function openCorpus(
  inputs: readonly PackageInput[],
  options: OpenPackageOptions | readonly OpenPackageOptions[],
): Promise<Corpus> {
  const each = "secret" in options ? inputs.map(() => options) : options;
  if (each.length !== inputs.length)
    throw new MdcxError("bad-input", `There are options for ${each.length} packages and ${inputs.length} packages.`);
  const packages = await openTogether(
    inputs,
    (input, i) => openNamed(input, each[i]!),
    (one) => one.close(),
  );
  try {
    return new Corpus(packages);
  } catch (error) {
    for (const one of packages) await one.close();
    throw error;
  }
}

/** Opens one of several: a refusal says which. */
async function openNamed(input: PackageInput, options: OpenPackageOptions): Promise<Package> {
  try {
    return await openPackage(input, options);
  } catch (error) {
    const named = typeof input === "string" ? input : input instanceof Uint8Array ? undefined : input.name;
    if (!(error instanceof MdcxError) || named === undefined || error.message.includes(named)) throw error;
    throw new MdcxError(error.code, `${named}: ${error.message}`, { cause: error });
  }
}

/** What a package states of itself, checked as far as no key is needed. Only the head of the file is read. */
export async function readStatement(input: PackageInput, pins: Pins = {}): Promise<Head> {
  return looking(input, (source) => readHead(source, primitives, pins));
}

/** Options of `verifyPackage`. */
export interface VerifyPackageOptions extends Pins {
  /** With one also the tag, every chunk, and the image against the claims. */
  readonly secret?: Secret | readonly Secret[];
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Checks every byte of a package; without a secret all that needs none. `sentence` of the report says what the signature
 * proves.
 *
 * @throws MdcxError naming the first check that fails
 */
export async function verifyPackage(input: PackageInput, options: VerifyPackageOptions = {}): Promise<VerifyReport> {
  const verify = (source: Source): Promise<VerifyReport> =>
    verifyContainer(source, primitives, {
      ...options,
      checkImage: async (pages, head) => {
        (await openImage(pages, head, { inflate: nodeInflate })).close();
      },
    });
  // What is vouched for is what the server sends now, not what was kept.
  return looking(input, verify, { cacheFolder: "" });
}

async function sourceOf(input: PackageInput, options: OpenSourceOptions = {}): Promise<Source> {
  if (typeof input === "string") return openSource(input, options);
  return input instanceof Uint8Array ? new BytesSource(input) : input;
}

/** Looks at a package and closes it, unless it was given as a source. */
async function looking<Result>(
  input: PackageInput,
  look: (source: Source) => Promise<Result>,
  options: OpenSourceOptions = {},
): Promise<Result> {
  const source = await sourceOf(input, options);
  try {
    return await look(source);
  } finally {
    if (source !== input) await source.close();
  }
}
