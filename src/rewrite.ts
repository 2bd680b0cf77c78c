/**
 * Packages that are written anew from what they hold, without their folder: `enrich` gives one meaning, or another model's,
 * and `calibrate` says from other questions what it answers. Both keep id, documents, passages and words, count the revision
 * on, and seal under a new file key, for the slots whose secret is given.
 */
import { embeddedTextOf } from "./embedded-text.js";
import { MdcxError } from "./errors.js";
import { claimsObject, type ClaimedFacts } from "./format/claims.js";
import { focusOf, requireFocus } from "./focus.js";
import { Rewriting, type RewriteOptions, type RewriteReport } from "./format/container.js";
import type { Primitives } from "./format/primitives.js";
import type { Sink } from "./format/sink.js";
import type { NewSlot } from "./format/slots.js";
import type { Source } from "./format/source.js";
import { copyImage, type CopyOptions } from "./image/copy.js";
import type { Deflate } from "./image/deflate.js";
import type { Image } from "./image/reader.js";
import { ImageWriter } from "./image/writer.js";
import { sameModel, type Encoder, type EncoderDescription } from "./meaning/encoder.js";
import { MeaningSearch } from "./meaning/nearest.js";
import { checkProbes } from "./meaning/probes.js";
import type { VectorIndex } from "./meaning/vectors.js";
import { MeaningStage, writeMeaning, type MeaningSummary } from "./meaning-stage.js";
import { PackageMeaning } from "./package-meaning.js";
import { openImage, type ReadingOptions } from "./package.js";
import {
  calibrationFromQuestions,
  calibrationMeta,
  type Calibration,
  type CalibrationCorpus,
} from "./ranking/calibration.js";
import { vectorsOfPackage, type VectorSource } from "./vector-source.js";

/** How far it is. `copying` counts documents, `meaning` passages, `sealing` bytes. */
export interface RewriteProgress {
  readonly stage: "copying" | "meaning" | "calibrating" | "sealing";
  readonly done: number;
  readonly total: number;
}

interface NewMeaning extends RewriteOptions, ReadingOptions {
  readonly encoder: Encoder;
  /** Raw DEFLATE of the text; the portable one at level 6 unless given. */
  readonly deflate?: Deflate;
  readonly onProgress?: (progress: RewriteProgress) => void;
}

/** Vectors of a run that was interrupted, and a place for those of this one. */
export interface VectorKeeper extends VectorSource {
  add(texts: readonly string[], halves: Uint8Array): Promise<void>;
}

export interface EnrichOptions extends NewMeaning {
  /** Questions that the package answers; those that it was calibrated by before, unless given. */
  readonly focus?: readonly string[];
  /** Opens what keeps vectors while they are made, for the slots of the new package. */
  readonly keep?: (slots: readonly NewSlot[], model: EncoderDescription) => Promise<VectorKeeper>;
}

export interface EnrichReport extends RewriteReport {
  readonly meaning: MeaningSummary;
  /** Whether it was calibrated by the questions that it had before. */
  readonly focusInherited: boolean;
}

export interface CalibrateOptions extends NewMeaning {
  /** Questions that the package answers. */
  readonly questions: readonly string[];
}

export interface CalibrateReport extends RewriteReport {
  readonly calibration: Calibration;
}

/**
 * Gives a package vectors of an encoder's model, whether it had none, or another model's, which go. Its own vectors of the
 * same model are taken over where their text is unchanged.
 *
 * @param source a source that reads at once
 * @param sink a new file: after an error what is in it is not a package
 * @throws MdcxError as opening does; `bad-input` without the signing key of a signed package, or when dropping slots is not
 * confirmed; what the encoder throws
 */
export async function enrich(source: Source, sink: Sink, p: Primitives, options: EnrichOptions): Promise<EnrichReport> {
  const { encoder, onProgress } = options;
  return rewriteImage(source, sink, p, options, async (image, rewriting) => {
    const model = await encoder.describe();
    const old = new PackageMeaning(image, rewriting.opened.head.name, undefined);
    const reused = vectorsOfPackage({ image, description: old.description, vectors: old.vectors }, model, p);
    const slots = await rewriting.keepSlots();
    const kept = await options.keep?.(slots, model);
    const inherited = options.focus === undefined ? focusOf(old) : undefined;
    const stage = await MeaningStage.start(
      {
        encoder,
        known: [reused, kept].filter((one) => one !== undefined),
        onEncoded: kept && ((texts, halves) => kept.add(texts, halves)),
        focus: options.focus ?? inherited,
        onProgress: (done, total) => onProgress?.({ stage: "meaning", done, total }),
      },
      p,
    );
    for (let number = 0; number < image.documentCount; number++) {
      const document = image.document(number);
      for (const passage of image.passagesOf(document))
        await stage.add(embeddedTextOf(image, document, passage), document);
    }
    const parts = await stage.finish(languagesOf(rewriting));
    return {
      claims: parts.claims,
      copy: {},
      complete: (writer) => {
        writeMeaning(writer, parts);
      },
      report: { meaning: parts.summary, focusInherited: inherited !== undefined },
    };
  });
}

/**
 * Calibrates a package by questions that it answers, in place of what it was calibrated by. Documents, passages, words and
 * vectors stay as they are, byte for byte.
 *
 * @throws MdcxError `no-meaning` for a package without vectors, `other-model` for an encoder that did not make them, and as
 * `enrich`
 */
export async function calibrate(
  source: Source,
  sink: Sink,
  p: Primitives,
  options: CalibrateOptions,
): Promise<CalibrateReport> {
  const { encoder, questions, onProgress } = options;
  if (questions.length === 0)
    throw new MdcxError("bad-input", "Calibrating needs a question that the package answers: give at least one.");
  requireFocus(questions);
  return rewriteImage(source, sink, p, options, async (image, rewriting) => {
    const { name, claims } = rewriting.opened.head;
    const { description, vectors } = new PackageMeaning(image, name, undefined);
    if (description === undefined || vectors === undefined)
      throw new MdcxError(
        "no-meaning",
        `${name} has no vectors, so there is nothing to calibrate: give it meaning with \`mdcx enrich\`, or pack it again with --meaning.`,
      );
    await requireMaker(encoder, description, image, name);
    if (image.passageCount === 0)
      throw new MdcxError("bad-input", `${name} has no passages that could answer a question: nothing was changed.`);
    await rewriting.keepSlots();
    onProgress?.({ stage: "calibrating", done: 0, total: questions.length });
    const calibration = await calibrationFromQuestions(encoder, corpusOf(image, vectors), questions, "focus-after", {
      languages: languagesOf(rewriting),
    });
    return {
      claims: {
        model: claims.model,
        answerableAt: { value: calibration.answerableAt, origin: calibration.origin },
      },
      copy: { vectors: true },
      complete: (writer) => {
        writer.addCalibration(calibration.questions);
        for (const [key, value] of Object.entries(calibrationMeta(calibration))) writer.setMeta(key, value);
      },
      report: { calibration },
    };
  });
}

function languagesOf({ opened }: Rewriting): readonly string[] {
  return opened.head.claims.languages.map(({ code }) => code);
}

/** What is to be written beside what is copied. */
interface Change<Report> {
  readonly claims: Pick<ClaimedFacts, "model" | "answerableAt">;
  readonly copy: CopyOptions;
  readonly complete: (writer: ImageWriter) => void;
  readonly report: Report;
}

async function rewriteImage<Report extends object>(
  source: Source,
  sink: Sink,
  p: Primitives,
  options: NewMeaning,
  prepare: (image: Image, rewriting: Rewriting) => Promise<Change<Report>>,
): Promise<RewriteReport & Report> {
  const { deflate, onProgress } = options;
  const rewriting = await Rewriting.open(source, p, options);
  let writer: ImageWriter | undefined;
  try {
    const { head, pages } = rewriting.opened;
    const image = await openImage(pages, head, options);
    try {
      const { claims, copy, complete, report } = await prepare(image, rewriting);
      writer = await ImageWriter.create(deflate && { deflate });
      copyImage(image, writer, {
        ...copy,
        onProgress: (done, total) => onProgress?.({ stage: "copying", done, total }),
      });
      complete(writer);
      const made = writer.finish();
      const written = await rewriting.write(sink, {
        claims: claimsObject({ ...head.claims, ...claims }, head.claims.raw),
        image: made,
        onProgress: (done) => onProgress?.({ stage: "sealing", done, total: made.length }),
      });
      return { ...written, ...report };
    } finally {
      image.close();
    }
  } finally {
    writer?.discard();
    rewriting.close();
  }
}

/** @throws MdcxError `other-model`: a threshold means nothing but with the encoder that made the vectors */
async function requireMaker(encoder: Encoder, wanted: EncoderDescription, image: Image, name: string): Promise<void> {
  const found = await encoder.describe();
  if (sameModel(found, wanted) && (await checkProbes(encoder, image.probes())).trust !== "none") return;
  const which = found.id === wanted.id ? "this model of the same name has other weights" : `not by ${found.id}`;
  throw new MdcxError(
    "other-model",
    `The vectors of ${name} were made by ${wanted.id}, and ${which}: give that model (--model), or this one's vectors with \`mdcx enrich\`.`,
  );
}

/** The passages of an opened package, as its calibration asks for them. */
function corpusOf(image: Image, vectors: VectorIndex): CalibrationCorpus {
  const search = new MeaningSearch([vectors]);
  const passageOf = (number: number) => image.passages([number])[0]!;
  return {
    passages: image.passageCount,
    text: (number) => {
      const passage = passageOf(number);
      return embeddedTextOf(image, image.document(passage.document), passage);
    },
    document: (number) => passageOf(number).document,
    vector: (number) => vectors.vector(number),
    nearest: (query, limit) => search.nearest(query, { limit }),
  };
}
