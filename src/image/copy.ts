import { concatBytes } from "@noble/hashes/utils.js";
import { MdcxError } from "../errors.js";
import { compareCodePoints } from "../text/code-points.js";
import { badImage } from "./cells.js";
import type { Image } from "./reader.js";
import type { Document, OverviewInput, Passage, PassageInput } from "./records.js";
import { OWN_META, PIECE, streamKey } from "./schema.js";
import { STREAMS, type ByteStream, type StreamName } from "./streams.js";
import type { ImageWriter } from "./writer.js";

/** Bytes of a stream that are brought over at once. */
const STEP = 64 * PIECE;

const WORD_STREAMS = ["dictionary", "postings", "lengths"] as const;
const VECTOR_STREAMS = ["codes", "halves"] as const;

/** Keys of `meta` that belong to the vectors, and to the calibration: they go where those go. */
const VECTOR_META: readonly string[] = ["encoder", "rule:vectors"];
const MEANS_META = "vectors:";
const CALIBRATION_META = "calibration:";

/** What is copied beside documents, passages and words. */
export interface CopyOptions {
  /** Vectors, probes, and what `meta` says of them. */
  readonly vectors?: boolean;
  /** The questions of calibration, and what `meta` says of it. */
  readonly calibration?: boolean;
  readonly onProgress?: (documents: number, of: number) => void;
}

/**
 * Copies an image into a new one: documents with all that is known of them, passages with their headings, places and
 * table headers, the word index, every rule that `meta` states. Numbers stay as they are. Everything goes through the
 * checks of the reader and of the writer, so that what a stranger forged is refused here and not carried on.
 *
 * @param to a new writer, to which only what the copy lacks is added afterwards
 * @throws MdcxError "bad-image", "newer-rules" for what this version would lose
 */
export function copyImage(from: Image, to: ImageWriter, options: CopyOptions = {}): void {
  requireCopyable(from);
  let last: Document | undefined;
  for (const document of documentsOf(from)) {
    copyDocument(from, to, document, last);
    last = document;
    options.onProgress?.(document.number + 1, from.documentCount);
  }
  const { passages, overviews, textBytes } = to.totals;
  if (passages !== from.passageCount || overviews !== from.overviewCount || textBytes !== from.textBytes)
    badImage("its documents do not make it up");
  copyStreams(from, to, WORD_STREAMS);
  if (options.vectors === true) {
    copyStreams(from, to, VECTOR_STREAMS);
    to.addProbes(from.probes());
  }
  if (options.calibration === true) to.addCalibration(from.calibration());
  for (const [key, value] of from.meta) if (isCopied(key, options)) to.setMeta(key, value);
}

/** A document that was copied. */
export interface CopiedDocument {
  /** As it was. */
  readonly document: Document;
  /** What it is now. */
  readonly number: number;
  readonly firstPassage: number;
}

/**
 * Copies some documents of an image under new numbers, as they were cut and with all that is known of them, and then the
 * rules that it states. Words and vectors are not of the same passages any more: the caller adds them.
 *
 * @throws MdcxError as `copyImage`
 */
export function* copyDocuments(
  from: Image,
  to: ImageWriter,
  keep: (document: Document) => boolean,
): Generator<CopiedDocument> {
  requireCopyable(from);
  for (const document of documentsOf(from)) if (keep(document)) yield { document, ...addCopy(from, to, document) };
  for (const [key, value] of from.meta) if (isCopied(key, {})) to.setMeta(key, value);
}

/** One at a time: a reader keeps what it reads, and a list of all documents of a large package is long. */
function* documentsOf(image: Image): Generator<Document> {
  for (let number = 0; number < image.documentCount; number++) yield image.document(number);
}

function copyDocument(from: Image, to: ImageWriter, document: Document, last: Document | undefined): void {
  const what = `document ${document.number}`;
  if (last !== undefined && compareCodePoints(last.path, document.path) >= 0) badImage(`${what} is out of order`);
  if (document.start !== to.totals.textBytes) badImage(`${what} does not follow the one before`);
  const { firstPassage } = addCopy(from, to, document);
  if (firstPassage !== document.firstPassage) badImage(`the passages of ${what} do not follow those before`);
}

function addCopy(from: Image, to: ImageWriter, document: Document): ReturnType<ImageWriter["addDocument"]> {
  const all = from.passagesOf(document);
  const passages = all.filter(({ kind }) => kind !== "overview").map((one) => inputOf(from, document, one));
  const overviews = all.filter(({ kind }) => kind === "overview");
  const overview = overviews.length === 0 ? undefined : overviewOf(from, document, overviews);
  return to.addDocument(document, from.documentBytes(document), passages, overview);
}

/** The overviews of a document: they follow one another behind it. */
function overviewOf(image: Image, document: Document, overviews: readonly Passage[]): OverviewInput {
  const text = { start: document.start + document.bytes, bytes: overviews.reduce((sum, one) => sum + one.length, 0) };
  const bytes = concatBytes(...overviews.map((one) => image.passageBytes(one)));
  return { bytes, passages: overviews.map((one) => inputOf(image, text, one)) };
}

/** @param text what the passage is of: its document, or all overviews of it */
function inputOf(image: Image, text: Pick<Document, "start" | "bytes">, passage: Passage): PassageInput {
  const { header, kind } = passage;
  const start = passage.start - text.start;
  const place = image.place(passage);
  return {
    start,
    end: start + passage.length,
    kind: kind === "overview" ? "text" : kind,
    heading: image.headingPath(passage),
    ...(place && { place }),
    ...(header && { header: headerOf(text, passage.number, header) }),
  };
}

function headerOf(
  text: Pick<Document, "start" | "bytes">,
  passage: number,
  header: NonNullable<Passage["header"]>,
): PassageInput["header"] {
  const start = header.start - text.start;
  const end = start + header.length;
  // A reader takes a header from anywhere; a writer knows those of the same document only.
  if (start < 0 || end > text.bytes) return badImage(`the header of passage ${passage} is in another document`);
  return { start, end };
}

function copyStreams(from: Image, to: ImageWriter, names: readonly Exclude<StreamName, "text">[]): void {
  for (const name of names) if (from.meta.has(streamKey(name))) to.addStream(name, chunksOf(from.stream(name)));
}

function* chunksOf(stream: ByteStream): Generator<Uint8Array> {
  for (let at = 0; at < stream.length; at += STEP) yield stream.read(at, Math.min(at + STEP, stream.length));
}

function isCopied(key: string, { vectors, calibration }: CopyOptions): boolean {
  if (OWN_META.includes(key) || key.startsWith("stream:")) return false;
  if (VECTOR_META.includes(key) || key.startsWith(MEANS_META)) return vectors === true;
  return calibration === true || !key.startsWith(CALIBRATION_META);
}

/** A stream of a later version would be left behind without a word. */
function requireCopyable(image: Image): void {
  const known = (Object.keys(STREAMS) as StreamName[]).map(streamKey);
  const other = [...image.meta.keys()].find((key) => key.startsWith("stream:") && !known.includes(key));
  if (other !== undefined) throw newer(other.replace(":", " "));
}

function newer(what: string): MdcxError {
  return new MdcxError(
    "newer-rules",
    `This package holds what this mdcx cannot write again (${what}): use a newer mdcx for it.`,
  );
}
