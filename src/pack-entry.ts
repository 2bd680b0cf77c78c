/**
 * Writing packages in Node: `packFolder` makes one from a folder of documents, `packRecords` from a JSON Lines file,
 * `packDocuments` from documents in memory; `rekeyPackage` changes who may open one, `resealPackage` seals its image anew;
 * `enrichPackage` gives one meaning and `calibratePackage` says from other questions what it answers, both without the
 * documents.
 */
import { open, stat } from "node:fs/promises";
import { primitives } from "#primitives";
import { MdcxError } from "./errors.js";
import {
  rekey,
  reseal,
  type RekeyOptions,
  type RekeyReport,
  type ResealOptions,
  type ResealReport,
} from "./format/container.js";
import type { Claims } from "./format/claims.js";
import type { Secret } from "./format/secret.js";
import { publicKeyOf } from "./format/signature.js";
import { focusOf } from "./focus.js";
import { openPackage, type Package } from "./index.js";
import type { Encoder } from "./meaning/encoder.js";
import type { MeaningOptions } from "./meaning-stage.js";
import { lostFacts, type LostFacts } from "./lost-facts.js";
import { leaveOut, type LeaveOutOptions, type LeaveOutReport } from "./leave-out.js";
import { nodeDeflate } from "./node/deflate.js";
import { withResources } from "./node/pack-resources.js";
import { withSidecarDates } from "./node/date-sidecar.js";
import { KeptVectors } from "./node/kept-vectors.js";
import { writeFileAtomically } from "./node/atomic-file.js";
import { readRecords } from "./node/jsonl.js";
import type { UnknownKey } from "./node/unknown-keys.js";
import { rewriteFile } from "./node/rewrite-package.js";
import { readFolder, type ConversionFinding, type FolderOptions } from "./pack-folder.js";
import { pack, type DocumentInput, type PackOptions, type PackSummary } from "./pack.js";
import { vectorsOfPackage, type VectorSource } from "./vector-source.js";
import { requireShard, type Elsewhere, type Shard } from "./shard.js";
import { Without } from "./without.js";

export { MdcxError, type ErrorCode } from "./errors.js";
export { formatKey, parseSecret, type Secret } from "./format/secret.js";
export type { RekeyOptions, RekeyReport, ResealOptions, ResealReport } from "./format/container.js";
export type { NewSlot } from "./format/slots.js";
export type { GivenDate, GivenFacts } from "./document.js";
export type { FolderDirections, StatedDirection } from "./direction.js";
export type { DateFinding, DocumentInput, LeftOut, PackOptions, PackProgress, PackSummary } from "./pack.js";

export type { ConversionFinding, FolderOptions } from "./pack-folder.js";
export type { MeaningSummary } from "./meaning-stage.js";
export type { Encoded, Encoder, EncoderDescription, Role } from "./meaning/encoder.js";
export {
  calibratePackage,
  enrichPackage,
  type CalibratePackageOptions,
  type EnrichPackageOptions,
} from "./node/rewrite-package.js";
export type { CalibrateReport, EnrichReport, RewriteProgress } from "./rewrite.js";
export type { UnknownKey } from "./node/unknown-keys.js";
export type { LostFacts } from "./lost-facts.js";
export type { LeaveOutReport } from "./leave-out.js";
export type { OverviewSource } from "./overviews.js";
export { isInShard, shardFile, type Elsewhere, type Shard } from "./shard.js";
export type { FoundSecret } from "./secret-shapes.js";
export { OverviewFile } from "./node/overview-file.js";
export { openEncoder, SHIPPED_MODEL } from "./node/encoder/open.js";

/** Options of packing in Node: its own crypto and zlib are used. */
export type PackDocumentsOptions = Omit<
  PackOptions,
  "primitives" | "deflate" | "deflateElsewhere" | "analyst" | "overflow" | "meaning" | "follows" | "elsewhere"
> & {
  /** Quicker and larger: the text is compressed less. Contents and ranking are the same. */
  readonly fast?: boolean;
  /** Threads that read documents beside the one that writes, 0 for none; up to six by the processors unless given. */
  readonly workers?: number;
  /** Bytes that the process may take at its peak, half of the machine's unless given. What is more goes into a sealed file. */
  readonly memory?: number;
  /** Gives the package meaning (`openEncoder()`): every passage is encoded. Without it, it is found by words alone. */
  readonly encoder?: Encoder;
  /** Questions that the package answers: from where it warns is taken from them. */
  readonly focus?: readonly string[];
  /**
   * An older package: vectors of unchanged passages are taken over, the focus questions too unless there are new ones. The
   * package is its next revision, with its title and issuer unless others are given, or one of its own where `newId` is set.
   */
  readonly reuse?: Reuse;
  /** A CSV file with the dates of documents (spec/facts.md §2), which come before those that the documents state. */
  readonly dates?: string;
  /**
   * Documents that are left out: by path, with or without `@/`, folders with all that lies in them, globs. With `reuse`, a
   * name may be of a document that the old package has.
   */
  readonly without?: readonly string[];
  /** Documents of the same collection that other packages hold: naming one is no slip, and the package to reuse holds none. */
  readonly elsewhere?: readonly Elsewhere[];
};

/** An older package to build on. */
export interface Reuse {
  readonly file: string;
  readonly secret: Secret | readonly Secret[];
  readonly newId?: boolean;
}

/** What was packed, and of the vectors whether they were kept, and the focus questions those of the package reused. */
export interface DocumentsSummary extends PackSummary {
  readonly focusInherited: boolean;
  /** Fields of records and overviews that were passed over; absent where there were neither. */
  readonly unknownKeys?: readonly UnknownKey[];
  /** What options said of documents when the package reused was made, and was not said again; absent where nothing is reused. */
  readonly lostFacts?: LostFacts;
  /** Documents that were left out on purpose and that the package reused still holds. */
  readonly without: readonly string[];
  /** Why vectors could not be kept beside the target while they were made, so that a killed run would have lost them. */
  readonly notKept?: string;
}

/** What was packed of a folder. */
export interface FolderSummary extends DocumentsSummary {
  /** Converted documents whose certificate is not `ok`, with the reason. */
  readonly findings: readonly ConversionFinding[];
}

/**
 * Packs a folder into one sealed package: Markdown and plain text as they are, every other document converted in memory on
 * the way, so that no plaintext is written. The target is written beside itself and renamed when it is whole, so a failure
 * leaves what was there before.
 *
 * @throws MdcxError `missing-package` where a format needs an optional package that is not installed, `empty-shard` where
 * the shard that is asked for has no document
 */
export async function packFolder(
  folder: string,
  target: string,
  options: Omit<PackDocumentsOptions, "elsewhere"> & Omit<FolderOptions, "target">,
): Promise<FolderSummary> {
  requireShardable(options);
  const found = await readFolder(folder, { ...options, target });
  try {
    const summary = await packDocuments(found.documents, target, { ...options, elsewhere: found.elsewhere });
    return { ...summary, leftOut: [...found.leftOut, ...summary.leftOut], findings: found.findings };
  } finally {
    await found.close();
  }
}

/**
 * Packs the records of a JSON Lines file (spec/jsonl.md), one document a line. No folder of files is made on the way, and
 * the file is never in memory; unreadable lines are left out by their numbers.
 *
 * @throws MdcxError `bad-input` where no line is a record, `io` where the file changes while it is read, `empty-shard` where
 * the shard that is asked for has no document
 */
export async function packRecords(
  file: string,
  target: string,
  options: Omit<PackDocumentsOptions, "elsewhere"> & { readonly shard?: Shard },
): Promise<DocumentsSummary> {
  requireShardable(options);
  const found = await readRecords(file, options.shard);
  try {
    const summary = await packDocuments(found.documents, target, { ...options, elsewhere: found.elsewhere });
    return { ...summary, leftOut: [...found.leftOut, ...summary.leftOut], unknownKeys: found.unknownKeys };
  } finally {
    await found.close();
  }
}

/**
 * Packs documents that are given one by one. A run with an encoder that is interrupted leaves the vectors that it made
 * beside the target, sealed (spec/kept-vectors.md); the next one with the same secrets and model takes them up.
 *
 * @throws MdcxError `bad-input` where the target is a file that is no package, and for less memory than can be enough; what opening the package to reuse throws,
 * before anything is encoded
 */
export async function packDocuments(
  given: readonly DocumentInput[],
  target: string,
  {
    encoder,
    focus,
    reuse,
    fast,
    workers,
    memory,
    dates,
    without = [],
    elsewhere = [],
    ...options
  }: PackDocumentsOptions,
): Promise<DocumentsSummary> {
  await requireReplaceable(target);
  const { documents, refused } =
    dates === undefined ? { documents: given, refused: [] } : await withSidecarDates(given, dates, elsewhere);
  const old = reuse && (await openPackage(reuse.file, { secret: reuse.secret }));
  try {
    const inherited = focus === undefined && old ? focusOf(old.meaning) : undefined;
    const follows = old && reuse.newId !== true ? old.claims : undefined;
    if (follows) requireSameIssuer(follows, reuse!.file, options.signingKey);
    const inOld = old?.image.documents() ?? [];
    if (follows) requireSameShard(inOld, elsewhere, reuse!.file);
    const leaves = Without.of(without, [...documents, ...elsewhere, ...inOld]);
    const staying = documents.filter((document) => !leaves.has(document));
    const packed = new Set(staying.map(({ path }) => path));
    if (staying.length === 0 && elsewhere.length > 0) await refuseEmpty(target, elsewhere.length);
    const write = (meaning?: PackOptions["meaning"]): Promise<PackSummary> =>
      withResources(
        { target, documents: staying, alone: meaning !== undefined },
        { workers, memory, fast },
        (resources) =>
          writeFileAtomically(target, (sink) =>
            pack(staying, sink, {
              ...(follows && { follows, ...calledAs(follows) }),
              ...options,
              ...(meaning && { meaning }),
              elsewhere: elsewhere.filter((document) => !leaves.has(document)).flatMap(namesOf),
              primitives,
              ...resources,
            }),
          ),
      );
    const summary = encoder
      ? await withKeptVectors(encoder, target, options.slots, old, (known, onEncoded) =>
          write({ encoder, known, onEncoded, focus: focus ?? inherited }),
        )
      : await write();
    return {
      ...summary,
      refusedDates: [...refused, ...summary.refusedDates],
      focusInherited: inherited !== undefined,
      ...(old && {
        lostFacts: lostFacts(
          inOld.filter(({ path }) => packed.has(path)),
          summary,
        ),
      }),
      without: inOld.filter((document) => leaves.has(document)).map(({ path }) => `@/${path}`),
    };
  } finally {
    await old?.close();
  }
}

/** Options of writing a package again from itself. */
export type PackWithoutOptions = Omit<LeaveOutOptions, "deflate" | "newId"> & {
  readonly fast?: boolean;
  readonly reuse: Reuse;
  readonly without: readonly string[];
};

/**
 * Writes a package again without some of its documents, without the folder that it was made of. No passage is encoded; the
 * old file still holds what was left out.
 *
 * @throws MdcxError `not-found` for a name that no document has, `other-model` without the encoder that made its vectors
 */
export async function packWithout(
  target: string,
  { reuse, without, fast, ...options }: PackWithoutOptions,
): Promise<LeaveOutReport> {
  await requireReplaceable(target);
  const old = await openPackage(reuse.file, { secret: reuse.secret });
  try {
    if (reuse.newId !== true) requireSameIssuer(old.claims, reuse.file, options.signingKey);
    const leaves = Without.of(without, old.image.documents());
    return await writeFileAtomically(target, (sink) =>
      leaveOut(old, (document) => leaves.has(document), sink, primitives, {
        ...options,
        newId: reuse.newId === true,
        deflate: nodeDeflate(fast === undefined ? {} : { fast }),
      }),
    );
  } finally {
    await old.close();
  }
}

/** The next revision is called as the one before, unless it is given another name. */
function calledAs({ title, issuer }: Claims): Pick<PackOptions, "title" | "issuer"> {
  return { title, ...(issuer && { issuer: issuer.name }) };
}

/** @throws MdcxError `bad-input` for a shard that there is none of, and for what cannot be done by parts */
function requireShardable({ shard, focus }: { readonly shard?: Shard; readonly focus?: readonly string[] }): void {
  if (shard === undefined) return;
  requireShard(shard);
  if (focus !== undefined && shard.count > 1)
    throw new MdcxError(
      "bad-input",
      "--focus goes with a whole collection: most shards hold no answer to such a question, and would be calibrated by it all the same. Leave it out, and each is calibrated from its own passages.",
    );
}

/**
 * The next revision of a package holds the same share of the collection: shards that all follow one package would have one id,
 * and no reader could tell their passages apart.
 */
function requireSameShard(inOld: readonly Elsewhere[], elsewhere: readonly Elsewhere[], file: string): void {
  const others = new Set(elsewhere.flatMap(namesOf));
  const foreign = inOld.find(({ path }) => others.has(path));
  if (foreign !== undefined)
    throw new MdcxError(
      "bad-input",
      `${file} holds @/${foreign.path}, which is dealt to another shard: reuse the older package of this shard, or give --new-id for a package of its own.`,
    );
}

/** A shard without documents is no package; one that an earlier run made would go on answering for documents that have gone. */
async function refuseEmpty(target: string, others: number): Promise<never> {
  const none = "No document is dealt to this shard";
  if ((await stat(target).catch(() => undefined)) !== undefined)
    throw new MdcxError("bad-input", `${none}, and ${target} of an earlier run is still there: delete it.`);
  throw new MdcxError("empty-shard", `${none}: nothing was written. Others hold all ${others.toLocaleString("en")}.`);
}

function namesOf({ path, original }: Elsewhere): string[] {
  return original === undefined ? [path] : [path, original];
}

/** The next revision of a signed package is signed by the same key, or whoever pins it would lose it without a word. */
function requireSameIssuer({ issuer }: Claims, file: string, signingKey: Uint8Array | undefined): void {
  const named = issuer?.publicKey;
  if (named === undefined) return;
  if (signingKey && primitives.equal(publicKeyOf(signingKey), named)) return;
  throw new MdcxError(
    "bad-input",
    `${file} is signed, and its next revision must be signed by the same key: give --signing-key, or --new-id for a package of its own.`,
  );
}

/** Packs with what is known already, and keeps what is made until the package is there. */
async function withKeptVectors(
  encoder: Encoder,
  target: string,
  slots: PackOptions["slots"],
  old: Package | undefined,
  write: (known: readonly VectorSource[], onEncoded: MeaningOptions["onEncoded"]) => Promise<PackSummary>,
): Promise<PackSummary & Pick<DocumentsSummary, "notKept">> {
  const description = await encoder.describe();
  const reused = old && vectorsOfPackage({ image: old.image, ...partsOf(old) }, description, primitives);
  const kept = await KeptVectors.open(target, slots, description, primitives);
  try {
    const summary = await write(reused ? [reused, kept] : [kept], (texts, halves) => kept.add(texts, halves));
    await kept.discard();
    return { ...summary, ...(kept.failure && { notKept: kept.failure.message }) };
  } finally {
    await kept.close();
  }
}

function partsOf({ meaning }: Package): Pick<Package["meaning"], "description" | "vectors"> {
  return { description: meaning.description, vectors: meaning.vectors };
}

const MDCX = new TextEncoder().encode("MDCX");

/** A slip in the name of the target must not cost a document: only a package or an empty file is replaced. */
async function requireReplaceable(target: string): Promise<void> {
  const found = await stat(target).catch(() => undefined);
  // What cannot be seen or is no file is the business of the writer, which says so.
  if (!found?.isFile() || found.size === 0) return;
  const file = await open(target, "r").catch(() => undefined);
  const start = new Uint8Array(MDCX.length);
  try {
    await file?.read(start);
  } finally {
    await file?.close();
  }
  if (!MDCX.every((byte, i) => start[i] === byte))
    throw new MdcxError("bad-input", `${target} is there already and no package: choose another name for the target.`);
}

/**
 * Adds and removes slots of a package in its place. Every leaf is verified first and the image is copied byte for byte;
 * a failure leaves the file as it was. Whoever kept an old file, or the file key, still reads this image.
 */
export function rekeyPackage(path: string, options: RekeyOptions): Promise<RekeyReport> {
  return rewriteFile(path, (source, sink) => rekey(source, sink, primitives, options));
}

/** Seals the image of a package anew under a new file key: ends the access of whoever is not given a slot, to what comes after. */
export function resealPackage(path: string, options: ResealOptions): Promise<ResealReport> {
  return rewriteFile(path, (source, sink) => reseal(source, sink, primitives, options));
}
