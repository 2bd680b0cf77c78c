import { bytesToHex, concatBytes } from "@noble/hashes/utils.js";
import type { ConversionFigures } from "./conversion-tally.js";
import { textOf, type GivenFacts } from "./document.js";
import {
  LocalAnalyst,
  type AnalysedDocument,
  type Analyst,
  type AnalysisRules,
  type ReadDocument,
} from "./document-analysis.js";
import type { RefusedDate } from "./dates.js";
import { directionByName, GivenDirections, type FolderDirections } from "./direction.js";
import { DocumentTally } from "./document-tally.js";
import { MdcxError } from "./errors.js";
import { claimsObject, type ClaimedFacts } from "./format/claims.js";
import type { JsonObject } from "./format/json.js";
import { writeContainer } from "./format/container.js";
import type { Primitives } from "./format/primitives.js";
import { publicKeyOf } from "./format/signature.js";
import type { Sink } from "./format/sink.js";
import type { NewSlot } from "./format/slots.js";
import type { Overflow } from "./format/overflow.js";
import { portableDeflate, type Deflate } from "./image/deflate.js";
import { DeflateAhead, type DeflateElsewhere } from "./image/deflate-ahead.js";
import { embeddedText } from "./embedded-text.js";
import { cutOverviews, type OverviewCuts, type OverviewSource } from "./overviews.js";
import { passageTexts, withoutTitle } from "./passage-texts.js";
import { PassageWords } from "./passage-words.js";
import { MeaningStage, writeMeaning, type MeaningOptions, type MeaningSummary } from "./meaning-stage.js";
import { cutBySense, passageRuleMeta, type PassageRule } from "./semantic-passages.js";
import { findSecrets, type FoundSecret, type SecretShape } from "./secret-shapes.js";
import { compareCodePoints } from "./text/code-points.js";
import type { Direction, DocumentRecord } from "./image/records.js";
import { ImageWriter } from "./image/writer.js";
import { RULES } from "./text/rules.js";
import { TimeLeft } from "./time-left.js";

/** A document on its way into a package. */
export interface DocumentInput {
  /** Folders and name, separated by `/`, relative to the folder that is packed. */
  readonly path: string;
  readonly format: "markdown" | "text";
  /** Path of what it was converted from, by which it is named where it is left out. */
  readonly original?: string;
  /** What is known of it beside its text; looked at when it has been read. */
  readonly facts?: GivenFacts;
  /** Its length, or that of its original, where it is known before it is read: how much is left is told by it. */
  readonly size?: number;
  /**
   * Its bytes, read when their turn has come; documents are read in the order of their paths' code points. One that is
   * thrown as MdcxError `refused` is left out with that sentence, and the rest is packed.
   */
  read(): Promise<Uint8Array>;
}

export interface PackOptions {
  readonly primitives: Primitives;
  /** Who may open the package: one slot a secret. */
  readonly slots: readonly NewSlot[];
  /** Public: shown without the key. */
  readonly title?: string;
  /** Who says to issue it; proven only by a signature. */
  readonly issuer?: string;
  /** Ed25519 secret key, 32 bytes; needs an `issuer`. */
  readonly signingKey?: Uint8Array;
  /** Raw DEFLATE of the text; the portable one at level 6 unless given. Contents and ranking never depend on it. */
  readonly deflate?: Deflate;
  /** The same compression on other threads, where there are some. */
  readonly deflateElsewhere?: DeflateElsewhere;
  /** Where documents are read and counted; in this thread unless given. The same package comes of it. Not used with `meaning`. */
  readonly analyst?: Analyst;
  /** Takes what does not fit into memory; everything stays there without one. */
  readonly overflow?: Overflow;
  /** Gives the package meaning: a vector for every passage, and a calibration. Without it, it is found by words alone. */
  readonly meaning?: Omit<MeaningOptions, "onProgress">;
  /** Whether what lies in a folder was sent or received, where the name of its top folder does not say it, or says it wrongly. */
  readonly directions?: FolderDirections;
  /** Names of documents of the same collection that other packages hold: a folder or an overview may be about them alone. */
  readonly elsewhere?: readonly string[];
  /** What was written elsewhere about documents, found beside them. */
  readonly overviews?: OverviewSource;
  /** Reports what looks like a key or a token; changes nothing of what is packed. */
  readonly warnSecrets?: boolean;
  /** How documents are cut into passages; `semantic` needs `meaning`. By their structure unless given. */
  readonly passages?: PassageRule;
  /** The package that this one follows: its id is kept, its revision counted on. A new id and revision 1 without. */
  readonly follows?: { readonly packageId: string; readonly revision: number };
  readonly onProgress?: (progress: PackProgress) => void;
  readonly now?: Date;
}

export interface PackProgress {
  /** `meaning`: passages encoded, of all once every document is read. It runs beside `documents`. */
  readonly stage: "documents" | "index" | "meaning" | "sealing";
  readonly done: number;
  readonly total: number;
  /** Seconds until the package is there, estimated from what the run has taken; absent where too little is known. */
  readonly secondsLeft?: number;
}

/** A document left out, and why, in one sentence. */
export interface LeftOut {
  readonly document: string;
  readonly reason: string;
}

/** A date that was stated of a document and could not be taken. */
export interface DateFinding extends RefusedDate {
  /** `@/minutes/2024.md` */
  readonly document: string;
}

/** What was packed. Times are in seconds. */
export interface PackSummary {
  readonly packageId: string;
  readonly revision: number;
  readonly documents: number;
  readonly attachments: number;
  readonly passages: number;
  /** Passages that overviews were cut into; not among `passages`. */
  readonly overviews: number;
  /** What looks like a key or a token; absent where it was not looked for. */
  readonly secrets?: readonly FoundSecret[];
  /** Null where the package is found by words alone. */
  readonly meaning: MeaningSummary | null;
  readonly languages: ClaimedFacts["languages"];
  readonly dated: ClaimedFacts["dated"];
  /** Dates that could not be taken. */
  readonly refusedDates: readonly DateFinding[];
  /** Documents that were received, and sent, as far as that is known. */
  readonly directions: Readonly<Record<Direction, number>>;
  /** What the certificates of converted documents come to; null where none was converted. */
  readonly conversion: ConversionFigures | null;
  readonly markdownBytes: number;
  readonly fileBytes: number;
  readonly leftOut: readonly LeftOut[];
  /** The document with most passages and its share of them; absent where none is searched. */
  readonly largest?: { readonly document: string; readonly passages: number; readonly share: number };
  /** Names the document with most passages where it holds a third of them or more. */
  readonly dominant?: { readonly document: string; readonly share: number };
  readonly secondsReading: number;
  readonly secondsIndexing: number;
  readonly secondsCompress: number;
  readonly secondsEncrypt: number;
}

/** A document that holds this share of all passages is named: it may bury the others. */
const DOMINANT = 1 / 3;
/** Unreadable documents that a message names beside the first. */
const NAMED = 9;
/** In a smaller package nothing is buried. */
const MANY_PASSAGES = 30;

/**
 * Packs documents into one sealed package. Reads one document at a time and holds the image once; nothing but `sink`
 * is written to, and what is written there is sealed.
 *
 * @throws MdcxError `bad-input` where there is nothing to pack, or a document cannot be read as text
 */
export async function pack(
  documents: readonly DocumentInput[],
  sink: Sink,
  options: PackOptions,
): Promise<PackSummary> {
  if ((options as Partial<PackOptions>).slots === undefined || options.slots.length === 0)
    throw new MdcxError(
      "bad-input",
      "Packing needs at least one slot: slots: [{ secret }] says who can open the package.",
    );
  if (documents.length === 0)
    throw new MdcxError(
      "bad-input",
      "There is no document to pack: the folder is empty, or everything in it is left out.",
    );
  if (options.passages === "semantic" && options.meaning === undefined)
    throw new MdcxError("bad-input", "Cutting by meaning needs an encoder: give --meaning with --passages semantic.");
  if (options.signingKey && options.issuer === undefined)
    throw new MdcxError(
      "bad-input",
      "a signature needs a name beside it: give --issuer NAME together with --signing-key",
    );
  const directions = new GivenDirections(options.directions ?? {}, [
    ...documents.map(({ path }) => path),
    ...(options.elsewhere ?? []),
  ]);
  options.overviews?.elsewhere?.(options.elsewhere ?? []);
  const ordered = [...documents].sort((a, b) => compareCodePoints(a.path, b.path));
  const packing = await Packing.start(withTimeLeft(options, ordered), directions);
  try {
    await packing.addAll(ordered);
    packing.requireReadable();
    return await packing.finish(sink);
  } finally {
    packing.discard();
  }
}

/** The same options, whose progress is told with the time that is left. */
function withTimeLeft(options: PackOptions, documents: readonly DocumentInput[]): PackOptions {
  const { onProgress, meaning } = options;
  if (onProgress === undefined) return options;
  const time = new TimeLeft(
    documents.map(({ size }) => size),
    meaning !== undefined,
  );
  return {
    ...options,
    onProgress: (progress) => {
      const secondsLeft = time.at(progress);
      onProgress({ ...progress, ...(secondsLeft !== undefined && { secondsLeft }) });
    },
  };
}

/** Documents that are analysed together: enough of them that handing them to a thread costs little. */
const BATCH = { bytes: 2 ** 20, documents: 256 };

/** Documents that were read, on their way through an analyst. */
interface Batch {
  readonly inputs: readonly DocumentInput[];
  readonly read: readonly ReadDocument[];
  readonly analysed: ReturnType<Analyst["analyse"]>;
}

/** A document whose text is being deflated elsewhere. */
interface Waiting {
  readonly deflated: Promise<void> | undefined;
  readonly write: () => Promise<void>;
}

/** One run of `pack`: what has been added so far, and what it took. */
class Packing {
  private readonly words: PassageWords;
  private readonly analyst: Analyst;
  private readonly ahead: DeflateAhead | undefined;
  private readonly waiting: Waiting[] = [];
  private readonly leftOut: LeftOut[] = [];
  private readonly unreadable: LeftOut[] = [];
  private readonly tally = new DocumentTally();
  private readonly refusedDates: DateFinding[] = [];
  private readonly directionCounts = { received: 0, sent: 0 };
  private readonly secrets: FoundSecret[] = [];
  private readonly rules: AnalysisRules;
  private largest = { document: "", passages: 0 };
  private readonly seconds = { reading: 0, indexing: 0, compress: 0, encrypt: 0 };
  private allRead = false;

  private constructor(
    private readonly image: ImageWriter,
    private readonly meaning: MeaningStage | undefined,
    private readonly options: PackOptions,
    private readonly directions: GivenDirections,
    ahead: DeflateAhead | undefined,
  ) {
    this.ahead = ahead;
    this.words = new PassageWords(options.overflow);
    this.rules = { now: options.now ?? new Date(), warnSecrets: options.warnSecrets === true };
    const { analyst, meaning: given } = options;
    // With an encoder that takes all there is, and it may cut the documents, threads would only be in its way.
    this.analyst =
      analyst !== undefined && given === undefined
        ? analyst
        : new LocalAnalyst(
            this.words.counter(),
            options.passages === "semantic" && given ? (text) => cutBySense(text, given.encoder) : undefined,
          );
  }

  static async start(options: PackOptions, directions: GivenDirections): Promise<Packing> {
    const { meaning, primitives, onProgress, deflate = portableDeflate(), deflateElsewhere } = options;
    const stage =
      meaning &&
      (await MeaningStage.start(
        {
          ...meaning,
          onProgress: (done, total) => {
            if (packing.allRead) onProgress?.({ stage: "meaning", done, total });
          },
        },
        primitives,
      ));
    const ahead = deflateElsewhere && new DeflateAhead(deflateElsewhere, deflate);
    const image = await ImageWriter.create({
      deflate: ahead?.take ?? deflate,
      ...(options.overflow && { overflow: options.overflow }),
    });
    const packing = new Packing(image, stage, options, directions, ahead);
    return packing;
  }

  /** Adds documents, in the order of their paths: some are read while others are analysed and written. */
  async addAll(inputs: readonly DocumentInput[]): Promise<void> {
    const underWay: Batch[] = [];
    try {
      for (let next = 0; next < inputs.length;) {
        const { read, inputs: taken, end } = await this.readBatch(inputs, next);
        next = end;
        const analysed = this.analyst.analyse(read, this.rules);
        // Met where it is awaited, and not before as a rejection that nobody handles.
        analysed.catch(() => undefined);
        underWay.push({ inputs: taken, read, analysed });
        if (underWay.length >= this.analyst.width) await this.addBatch(underWay.shift()!);
      }
      for (let batch = underWay.shift(); batch !== undefined; batch = underWay.shift()) await this.addBatch(batch);
      await this.writeWaiting(0);
    } finally {
      await Promise.allSettled([
        ...underWay.map(({ analysed }) => analysed),
        ...this.waiting.map((one) => one.deflated),
      ]);
    }
  }

  private async readBatch(
    inputs: readonly DocumentInput[],
    first: number,
  ): Promise<{ inputs: DocumentInput[]; read: ReadDocument[]; end: number }> {
    const batch = { inputs: [] as DocumentInput[], read: [] as ReadDocument[], end: first };
    for (let bytes = 0; batch.end < inputs.length && batch.end - first < BATCH.documents && bytes < BATCH.bytes;) {
      const done = batch.end++;
      const input = inputs[done]!;
      this.options.onProgress?.({ stage: "documents", done, total: inputs.length });
      try {
        const read = await this.timed("reading", () => input.read());
        bytes += read.length;
        batch.inputs.push(input);
        batch.read.push({ path: input.path, bytes: read, facts: input.facts });
      } catch (error) {
        if (!(error instanceof MdcxError) || error.code !== "refused") throw error;
        this.leftOut.push({ document: `@/${input.original ?? input.path}`, reason: error.message });
      }
    }
    return batch;
  }

  private async addBatch({ inputs, read, analysed }: Batch): Promise<void> {
    const { documents, learnt } = await this.timed("indexing", () => analysed);
    if (learnt) this.words.learn(learnt.table, learnt.first, learnt.forms);
    for (const [i, document] of documents.entries()) {
      const input = inputs[i]!;
      if ("unreadable" in document) this.unreadable.push({ document: `@/${input.path}`, reason: document.unreadable });
      else await this.add(input, read[i]!.bytes, document, learnt?.table);
    }
    await this.writeWaiting(this.ahead ? documents.length : 0);
  }

  /** Writes the documents whose text is deflated, but for the last `most`, which may take their time. */
  private async writeWaiting(most: number): Promise<void> {
    while (this.waiting.length > most) {
      const { deflated, write } = this.waiting.shift()!;
      await this.timed("compress", () => deflated ?? Promise.resolve());
      await write();
    }
  }

  private async add(
    input: DocumentInput,
    bytes: Uint8Array,
    analysed: AnalysedDocument,
    table: number | undefined,
  ): Promise<void> {
    const overview = analysed.facts.indexed ? this.overviewOf(input, analysed.facts.title) : undefined;
    const deflated = this.ahead?.feed(overview ? concatBytes(bytes, overview.bytes) : bytes);
    deflated?.catch(() => undefined);
    this.waiting.push({ deflated, write: () => this.write(input, bytes, analysed, overview, table) });
    if (this.ahead === undefined) await this.writeWaiting(0);
  }

  private async write(
    input: DocumentInput,
    bytes: Uint8Array,
    { facts: known, fields, passages, words, secrets }: AnalysedDocument,
    overview: OverviewCuts | undefined,
    table: number | undefined,
  ): Promise<void> {
    const { refusedDates, ...facts } = known;
    const { title, language } = facts;
    const direction = this.directionOf(input);
    const record: DocumentRecord = {
      path: input.path,
      format: input.format,
      markdownSha256: this.options.primitives.sha256(bytes),
      ...facts,
      direction,
    };
    const compressing = performance.now();
    const { firstPassage, number } = this.image.addDocument(record, bytes, passages, overview);
    const indexing = performance.now();
    let next = this.words.addCounted(firstPassage, words, language, table);
    const about = overview ? [...passageTexts(overview.bytes, overview.passages, title, false)] : [];
    for (const passage of about) this.words.add(next++, passage, language);
    this.seconds.compress += (indexing - compressing) / 1000;
    this.seconds.indexing += (performance.now() - indexing) / 1000;
    this.tally.add(record, fields);
    for (const refused of refusedDates) this.refusedDates.push({ document: `@/${input.path}`, ...refused });
    if (direction !== null) this.directionCounts[direction]++;
    this.noteSecrets(`@/${input.path}`, secrets, overview);
    if (passages.length > this.largest.passages)
      this.largest = { document: `@/${input.path}`, passages: passages.length };
    if (this.meaning)
      for (const texts of [...passageTexts(bytes, passages, title), ...about])
        await this.meaning.add(embeddedText(texts), { number, language });
  }

  /** What was said for this run comes before what is known of the document, and that before the name of its folder. */
  private directionOf({ path, facts }: DocumentInput): Direction | null {
    const given = this.directions.of(path) ?? facts?.direction;
    return given === "none" ? null : (given ?? directionByName(path));
  }

  private overviewOf({ path, original }: DocumentInput, title: string): OverviewCuts | undefined {
    const names = original === undefined ? [path] : [path, original];
    const texts = names.flatMap((name) => this.options.overviews?.of(name) ?? []);
    if (texts.length === 0) return undefined;
    const { bytes, passages } = cutOverviews(texts);
    return { bytes, passages: passages.map((passage) => withoutTitle(passage, title)) };
  }

  private noteSecrets(document: string, found: readonly SecretShape[], overview: OverviewCuts | undefined): void {
    for (const secret of found) this.secrets.push({ document, ...secret });
    const written = overview === undefined || !this.rules.warnSecrets ? [] : findSecrets(textOf(overview.bytes));
    for (const secret of written) this.secrets.push({ document: `overview of ${document}`, ...secret });
  }

  /** Names what could not be read as text, all at once. */
  requireReadable(): void {
    const [first, ...others] = this.unreadable;
    if (first === undefined) return;
    const more = others.slice(0, NAMED).map(({ document, reason }) => `, ${document} (${reason})`);
    const rest = others.length - more.length;
    throw new MdcxError(
      "bad-input",
      `${first.document} is ${first.reason}${more.length === 0 ? "" : ", and so are others"}${more.join("")}${rest > 0 ? ` and ${rest} more` : ""}: ` +
        `save ${others.length === 0 ? "it" : "them"} as UTF-8; nothing was written.`,
    );
  }

  private nothingLeft(): string {
    const first = this.leftOut[0];
    const why = first === undefined ? "" : `: ${first.document}: ${first.reason}`;
    return `None of the documents could be read, so there is nothing to pack${why}`;
  }

  async finish(sink: Sink): Promise<PackSummary> {
    const { primitives, onProgress } = this.options;
    const totals = this.image.totals;
    if (totals.documents === 0) throw new MdcxError("bad-input", this.nothingLeft());
    this.allRead = true;
    onProgress?.({ stage: "index", done: 0, total: 1 });
    await this.timed("indexing", () => this.writeIndex());
    const meaning = await this.meaning?.finish(this.tally.languages.map(({ code }) => code));
    if (meaning) writeMeaning(this.image, meaning);
    const claims = { ...this.claims(totals), ...meaning?.claims };
    const rules = Object.entries(RULES).map(([rule, version]) => [`rule:${rule}`, String(version)] as const);
    for (const [key, value] of [...rules, ...Object.entries(passageRuleMeta(this.options.passages ?? "structure"))])
      this.image.setMeta(key, value);
    this.image.setMeta("package_id", claims.packageId);
    const pages = this.image.finish();
    const written = await this.timed("encrypt", () =>
      writeContainer(sink, primitives, {
        claims: claimsObject(claims),
        image: pages,
        slots: this.options.slots,
        ...(this.options.signingKey && { signingKey: this.options.signingKey }),
        onProgress: (done) => onProgress?.({ stage: "sealing", done, total: pages.length }),
      }),
    );
    const passages = totals.passages - totals.overviews;
    const share = passages === 0 ? 0 : this.largest.passages / passages;
    return {
      packageId: claims.packageId,
      revision: claims.revision,
      documents: claims.documents,
      meaning: meaning?.summary ?? null,
      attachments: claims.attachments,
      passages,
      overviews: totals.overviews,
      ...(this.options.warnSecrets === true && { secrets: this.secrets }),
      languages: claims.languages,
      dated: claims.dated,
      refusedDates: this.refusedDates,
      directions: this.directionCounts,
      markdownBytes: totals.textBytes,
      fileBytes: written.length,
      conversion: this.tally.conversion,
      leftOut: this.leftOut,
      ...(share > 0 && { largest: { ...this.largest, share } }),
      ...(share >= DOMINANT &&
        claims.documents > 2 &&
        passages >= MANY_PASSAGES && { dominant: { document: this.largest.document, share } }),
      secondsReading: this.seconds.reading,
      secondsIndexing: this.seconds.indexing,
      secondsCompress: this.seconds.compress,
      secondsEncrypt: this.seconds.encrypt,
    };
  }

  private async writeIndex(): Promise<void> {
    const { dictionary, postings, lengths, meta } = await this.words.buildInPieces();
    this.image.addStream("dictionary", [dictionary]);
    this.image.addStream("postings", postings);
    this.image.addStream("lengths", [lengths]);
    for (const [key, value] of Object.entries(meta)) this.image.setMeta(key, value);
  }

  /** Frees the image of a run that failed; does nothing after one that finished. */
  discard(): void {
    this.image.discard();
  }

  private claims(totals: { documents: number; passages: number; attachments: number }): ClaimedFacts {
    const { primitives, signingKey, issuer, title, now, follows } = this.options;
    return {
      packageId: follows?.packageId ?? bytesToHex(primitives.randomBytes(16)),
      revision: (follows?.revision ?? 0) + 1,
      created: (now ?? new Date()).toISOString().replace(/\.\d+Z$/, "Z"),
      title: title ?? "",
      issuer: issuer === undefined ? null : { name: issuer, ...(signingKey && { publicKey: publicKeyOf(signingKey) }) },
      documents: totals.documents - totals.attachments,
      passages: totals.passages,
      attachments: totals.attachments,
      languages: this.tally.languages,
      dated: this.tally.dated,
      model: null,
      answerableAt: null,
      conversion: this.tally.conversion as JsonObject | null,
    };
  }

  private async timed<T>(what: keyof typeof this.seconds, work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    try {
      return await work();
    } finally {
      this.seconds[what] += (performance.now() - started) / 1000;
    }
  }
}
