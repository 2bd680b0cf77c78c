/**
 * A package written again without some of its documents, from itself alone. What stays keeps its passages, its dates and all
 * else that is known of it, and its vectors; the words are indexed anew, for their statistics would tell of what went.
 */
import { bytesToHex } from "@noble/hashes/utils.js";
import { DocumentTally } from "./document-tally.js";
import { textOf } from "./document.js";
import { embeddedText } from "./embedded-text.js";
import { MdcxError } from "./errors.js";
import { focusOf } from "./focus.js";
import { claimsObject, type ClaimedFacts } from "./format/claims.js";
import { writeContainer } from "./format/container.js";
import type { JsonObject } from "./format/json.js";
import type { Primitives } from "./format/primitives.js";
import { publicKeyOf } from "./format/signature.js";
import type { Sink } from "./format/sink.js";
import type { NewSlot } from "./format/slots.js";
import { copyDocuments } from "./image/copy.js";
import type { Deflate } from "./image/deflate.js";
import type { Document } from "./image/records.js";
import { ImageWriter } from "./image/writer.js";
import { sameModel, type Encoder } from "./meaning/encoder.js";
import { MeaningStage, writeMeaning, type MeaningSummary } from "./meaning-stage.js";
import type { Package } from "./package.js";
import { passageTextsOf } from "./passage-texts.js";
import { PassageWords } from "./passage-words.js";
import { readFrontMatter } from "./text/front-matter.js";
import { RULES } from "./text/rules.js";
import { vectorsOfPackage } from "./vector-source.js";

/** How far it is. `documents` counts documents, `sealing` bytes. */
export interface LeaveOutProgress {
  readonly stage: "documents" | "index" | "meaning" | "sealing";
  readonly done: number;
  readonly total: number;
}

export interface LeaveOutOptions {
  readonly slots: readonly NewSlot[];
  /** Those of the old package unless given. */
  readonly title?: string;
  readonly issuer?: string;
  readonly signingKey?: Uint8Array;
  /** A package of its own, not the next revision of the old one. */
  readonly newId?: boolean;
  /** The one that made the vectors: its calibration is made anew from what stays. Needed where the package has meaning. */
  readonly encoder?: Encoder;
  /** Questions that the package answers; those that it was calibrated by before, unless given. */
  readonly focus?: readonly string[];
  readonly deflate?: Deflate;
  readonly now?: Date;
  readonly onProgress?: (progress: LeaveOutProgress) => void;
}

/** What was written. */
export interface LeaveOutReport {
  readonly packageId: string;
  readonly revision: number;
  readonly documents: number;
  readonly attachments: number;
  readonly passages: number;
  readonly languages: ClaimedFacts["languages"];
  readonly fileBytes: number;
  /** Documents that were left out: `@/folder/name.md`. */
  readonly without: readonly string[];
  /** Null where the package is found by words alone. */
  readonly meaning: MeaningSummary | null;
  /** Whether it was calibrated by the questions that it had before. */
  readonly focusInherited: boolean;
}

/**
 * Writes a package without some of its documents. The old one is only read.
 *
 * @param leaves whether a document is left out
 * @param sink a new file: after an error what is in it is not a package
 * @throws MdcxError `bad-input` where nothing would stay, `other-model` without the encoder that made its vectors, and what
 * copying an image throws
 */
export async function leaveOut(
  old: Package,
  leaves: (document: Document) => boolean,
  sink: Sink,
  p: Primitives,
  options: LeaveOutOptions,
): Promise<LeaveOutReport> {
  const inherited = options.focus === undefined ? focusOf(old.meaning) : undefined;
  const stage = await startMeaning(old, p, options, inherited);
  const writer = await ImageWriter.create(options.deflate && { deflate: options.deflate });
  try {
    const words = new PassageWords();
    const tally = new DocumentTally();
    const without: string[] = [];
    const stays = (document: Document): boolean => {
      const left = leaves(document);
      if (left) without.push(`@/${document.path}`);
      return !left;
    };
    for (const { document, number, firstPassage } of copyDocuments(old.image, writer, stays)) {
      options.onProgress?.({ stage: "documents", done: document.number, total: old.documentCount });
      tally.add(document, readFrontMatter(textOf(old.image.documentBytes(document))).fields);
      let next = firstPassage;
      for (const passage of old.image.passagesOf(document)) {
        const texts = passageTextsOf(old.image, document, passage);
        words.add(next++, texts, document.language);
        await stage?.add(embeddedText(texts), { number, language: document.language });
      }
    }
    const { totals } = writer;
    if (totals.documents === 0)
      throw new MdcxError("bad-input", "Nothing would be left in the package: name fewer documents with --without.");
    options.onProgress?.({ stage: "index", done: 0, total: 1 });
    const { meta, ...streams } = await words.build();
    for (const name of ["dictionary", "postings", "lengths"] as const) writer.addStream(name, [streams[name]]);
    const meaning = await stage?.finish(tally.languages.map(({ code }) => code));
    if (meaning) writeMeaning(writer, meaning);
    const claims: ClaimedFacts = {
      ...identity(old, p, options),
      documents: totals.documents - totals.attachments,
      passages: totals.passages,
      attachments: totals.attachments,
      languages: tally.languages,
      dated: tally.dated,
      model: meaning?.claims.model ?? null,
      answerableAt: meaning?.claims.answerableAt ?? null,
      conversion: tally.conversion as JsonObject | null,
    };
    // How its words were read is of today; how it was cut, and in which language it is, as it was.
    for (const rule of ["normalise", "words", "stems", "grams"] as const)
      writer.setMeta(`rule:${rule}`, String(RULES[rule]));
    for (const [key, value] of Object.entries(meta)) writer.setMeta(key, value);
    writer.setMeta("package_id", claims.packageId);
    const image = writer.finish();
    const { length } = await writeContainer(sink, p, {
      claims: claimsObject(claims, old.claims.raw),
      image,
      slots: options.slots,
      ...(options.signingKey && { signingKey: options.signingKey }),
      onProgress: (done) => options.onProgress?.({ stage: "sealing", done, total: image.length }),
    });
    return {
      packageId: claims.packageId,
      revision: claims.revision,
      documents: claims.documents,
      attachments: claims.attachments,
      passages: claims.passages,
      languages: claims.languages,
      fileBytes: length,
      without,
      meaning: meaning?.summary ?? null,
      focusInherited: meaning !== undefined && inherited !== undefined,
    };
  } finally {
    writer.discard();
  }
}

/** Ready to take the vectors over; undefined for a package that is found by words alone. */
async function startMeaning(
  old: Package,
  p: Primitives,
  { encoder, focus, onProgress }: LeaveOutOptions,
  inherited: readonly string[] | undefined,
): Promise<MeaningStage | undefined> {
  const { description, vectors } = old.meaning;
  if (description === undefined) return undefined;
  const model = await encoder?.describe();
  // Another model would have to make every vector anew, which nobody asked for.
  if (encoder === undefined || model === undefined || !sameModel(model, description))
    throw new MdcxError(
      "other-model",
      `The vectors of ${old.name} were made by ${description.id}: give that model with --model, so that they can be kept.`,
    );
  const known = vectorsOfPackage({ image: old.image, description, vectors }, model, p);
  return MeaningStage.start(
    {
      encoder,
      known: known === undefined ? [] : [known],
      focus: focus ?? inherited,
      onProgress: (done, total) => onProgress?.({ stage: "meaning", done, total }),
    },
    p,
  );
}

/** What the package is called and who issues it. */
function identity(
  { claims }: Package,
  p: Primitives,
  { title, issuer, signingKey, newId = false, now = new Date() }: LeaveOutOptions,
): Pick<ClaimedFacts, "packageId" | "revision" | "created" | "title" | "issuer"> {
  // The name alone of somebody who signed would be a claim that they do not make any more.
  const named = signingKey || claims.issuer?.publicKey === undefined ? claims.issuer?.name : undefined;
  const name = issuer ?? named;
  if (signingKey && name === undefined)
    throw new MdcxError(
      "bad-input",
      "a signature needs a name beside it: give --issuer NAME together with --signing-key",
    );
  return {
    packageId: newId ? bytesToHex(p.randomBytes(16)) : claims.packageId,
    revision: newId ? 1 : claims.revision + 1,
    created: now.toISOString().replace(/\.\d+Z$/, "Z"),
    title: title ?? claims.title,
    issuer: name === undefined ? null : { name, ...(signingKey && { publicKey: publicKeyOf(signingKey) }) },
  };
}
