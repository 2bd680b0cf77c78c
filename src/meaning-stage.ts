/**
 * The vectors of a package in the making. Texts come in as their passages are cut and are encoded in the background,
 * while the next document is read; what comes out are the streams, probes and calibration of the image.
 */
import { requireFocus } from "./focus.js";
import type { ClaimedFacts } from "./format/claims.js";
import type { Primitives } from "./format/primitives.js";
import type { ByteStream } from "./image/streams.js";
import type { ImageWriter } from "./image/writer.js";
import type { Encoder, EncoderDescription } from "./meaning/encoder.js";
import { toHalves } from "./meaning/half.js";
import { LanguageSums } from "./meaning/language-means.js";
import { MeaningSearch, type Near } from "./meaning/nearest.js";
import { makeProbes, type Probe } from "./meaning/probes.js";
import { VectorIndex, VectorRows, VECTORS_VERSION } from "./meaning/vectors.js";
import {
  calibrationFromQuestions,
  calibrationMeta,
  estimateCalibration,
  type Calibration,
  type CalibrationCorpus,
} from "./ranking/calibration.js";
import { digestKey, textDigest, type VectorSource } from "./vector-source.js";

/** Texts given to the encoder at once: so many that its threads share them evenly, so few that little is lost when a run is killed. */
const BATCH = 64;
/** UTF-16 units of texts that wait for the encoder, at most: reading is much quicker than encoding. */
const MOST_WAITING = 64 * 2 ** 20;
/** Passages whose text is kept for the calibration: at least half as many, spread over the corpus, once it has as many. */
const MOST_SAMPLES = 512;

export interface MeaningOptions {
  readonly encoder: Encoder;
  /** Vectors that are known already, of an older package or an interrupted run; the first source that has one gives it. */
  readonly known?: readonly VectorSource[] | undefined;
  /** Told of vectors as they are made, halves of one text after another. */
  readonly onEncoded?: ((texts: readonly string[], halves: Uint8Array) => void | Promise<void>) | undefined;
  /** Questions that the package answers: the calibration is made from them. Without, from its own passages. */
  readonly focus?: readonly string[] | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** What encoding took, and what it was spared. */
export interface MeaningSummary {
  readonly model: string;
  /** Passages whose vector was made in this run. */
  readonly encoded: number;
  /** Passages whose vector was known. */
  readonly reused: number;
  /** Passages with the text of another: encoded once. */
  readonly repeated: number;
  /** Passages longer than the model's window, encoded in several windows. */
  readonly windowed: number;
  /** Tokens that the model read; 0 where it cannot tell. */
  readonly tokens: number;
  /** Seconds in which the encoder had work. */
  readonly seconds: number;
  readonly answerableAt: { readonly value: number; readonly origin: Calibration["origin"] } | null;
  /** Questions that were given for the calibration; 0 where it is from own passages. */
  readonly questions: number;
  /** Of the calibration: own questions that would warn, and foreign ones that would not; null where not measured. */
  readonly falseAlarms: number | null;
  readonly misses: number | null;
}

/** What an image has of meaning. */
export interface MeaningParts {
  readonly codes: readonly Uint8Array[];
  readonly halves: readonly Uint8Array[];
  readonly probes: readonly Probe[];
  readonly calibration: Calibration | null;
  readonly meta: Readonly<Record<string, string>>;
  readonly claims: Pick<ClaimedFacts, "model" | "answerableAt">;
  readonly summary: MeaningSummary;
}

/** Collects the texts of all passages in the order of their numbers, and their vectors. */
export class MeaningStage {
  readonly #halves: (Uint8Array | undefined)[] = [];
  readonly #documents: number[] = [];
  readonly #languages: string[] = [];
  /** The first passage with a text, by the text's digest. */
  readonly #firstWith = new Map<string, number>();
  readonly #repeats: { readonly row: number; readonly first: number }[] = [];
  readonly #samples = new Map<number, string>();
  readonly #running = new Set<Promise<void>>();
  #everyth = 1;
  #batch: { rows: number[]; texts: string[] } = { rows: [], texts: [] };
  #waiting = 0;
  #failure: { readonly error: unknown } | undefined;
  #encoded = 0;
  #reused = 0;
  #windowed = 0;
  #tokens = 0;
  #busy = { since: 0, seconds: 0 };

  private constructor(
    private readonly options: MeaningOptions,
    private readonly model: EncoderDescription,
    private readonly p: Pick<Primitives, "sha256">,
  ) {}

  /**
   * Makes the encoder ready, so that a missing model is said before anything is read.
   * @param digest of a text: equal for equal texts alone
   * @throws MdcxError `bad-input` for questions that could not be kept
   */
  static async start(options: MeaningOptions, p: Pick<Primitives, "sha256">): Promise<MeaningStage> {
    requireFocus(options.focus ?? []);
    return new MeaningStage(options, await options.encoder.describe(), p);
  }

  /** Takes the text of the next passage. Waits where the encoder is far behind. @throws what the encoder threw */
  async add(text: string, document: { readonly number: number; readonly language: string }): Promise<void> {
    const row = this.#halves.push(undefined) - 1;
    this.#documents.push(document.number);
    this.#languages.push(document.language);
    this.#sample(row, text);
    const key = digestKey(textDigest(this.p, text));
    const first = this.#firstWith.get(key);
    if (first !== undefined) {
      this.#repeats.push({ row, first });
      return;
    }
    this.#firstWith.set(key, row);
    for (const source of this.options.known ?? []) {
      const known = source.get(text);
      if (known === undefined) continue;
      this.#halves[row] = known;
      this.#reused++;
      return;
    }
    this.#batch.rows.push(row);
    this.#batch.texts.push(text);
    this.#waiting += text.length;
    if (this.#batch.rows.length >= BATCH) this.#send();
    while (this.#waiting > MOST_WAITING && this.#running.size > 0) await Promise.race(this.#running);
    this.#throwFailure();
  }

  /**
   * Waits for the last vector and makes of all what the image needs.
   * @param languages of the documents (BCP 47)
   */
  async finish(languages: readonly string[]): Promise<MeaningParts> {
    this.#send();
    await Promise.all(this.#running);
    this.#throwFailure();
    const { dimensions } = this.model;
    const rows = new VectorRows(dimensions, this.#halves.length);
    for (const { row, first } of this.#repeats) this.#halves[row] = this.#halves[first];
    const sums = new LanguageSums(dimensions);
    for (const [row, halves] of this.#halves.entries()) {
      rows.setHalves(row, halves!);
      sums.add(this.#languages[row]!, halves!);
    }
    this.#halves.length = 0;
    const streams = rows.streams();
    const [codes, halves] = [[...streams.codes], [...streams.halves]];
    const probes = await makeProbes(this.options.encoder);
    const calibration = await this.#calibrate(codes, halves, languages);
    const { id, sha256 } = this.model;
    const answerableAt = calibration && { value: calibration.answerableAt, origin: calibration.origin };
    return {
      codes,
      halves,
      probes,
      calibration,
      meta: {
        encoder: JSON.stringify(this.model),
        "rule:vectors": String(VECTORS_VERSION),
        ...sums.meta(),
        ...(calibration && calibrationMeta(calibration)),
      },
      claims: { model: { id, sha256, dimensions }, answerableAt },
      summary: {
        model: id,
        encoded: this.#encoded,
        reused: this.#reused,
        repeated: this.#repeats.length,
        windowed: this.#windowed,
        tokens: this.#tokens,
        seconds: this.#busy.seconds,
        answerableAt,
        questions: calibration?.questions.length ?? 0,
        falseAlarms: calibration?.falseAlarms ?? null,
        misses: calibration?.misses ?? null,
      },
    };
  }

  /** Every n-th text is kept; when they are too many, every second of them goes and n doubles. */
  #sample(row: number, text: string): void {
    if (row % this.#everyth !== 0) return;
    this.#samples.set(row, text);
    if (this.#samples.size <= MOST_SAMPLES) return;
    this.#everyth *= 2;
    for (const kept of this.#samples.keys()) if (kept % this.#everyth !== 0) this.#samples.delete(kept);
  }

  #send(): void {
    const { rows, texts } = this.#batch;
    if (rows.length === 0) return;
    this.#batch = { rows: [], texts: [] };
    if (this.#running.size === 0) this.#busy.since = performance.now();
    const run = this.#encode(rows, texts)
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => {
        this.#running.delete(run);
        this.#waiting -= texts.reduce((sum, text) => sum + text.length, 0);
        if (this.#running.size === 0) this.#busy.seconds += (performance.now() - this.#busy.since) / 1000;
      });
    this.#running.add(run);
  }

  async #encode(rows: readonly number[], texts: readonly string[]): Promise<void> {
    // After a failure nothing that waits is worth encoding.
    if (this.#failure) return;
    const { vectors, windowed, tokens } = await this.options.encoder.encode(texts, "passage");
    const halves = toHalves(vectors);
    const size = 2 * this.model.dimensions;
    rows.forEach((row, i) => (this.#halves[row] = halves.subarray(i * size, (i + 1) * size)));
    this.#encoded += rows.length;
    this.#windowed += windowed;
    this.#tokens += tokens;
    await this.options.onEncoded?.(texts, halves);
    this.options.onProgress?.(this.#encoded, this.#halves.length - this.#reused - this.#repeats.length);
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure.error;
  }

  async #calibrate(
    codes: readonly Uint8Array[],
    halves: readonly Uint8Array[],
    languages: readonly string[],
  ): Promise<Calibration | null> {
    const passages = this.#documents.length;
    if (passages === 0) return null;
    const index = new VectorIndex(
      { codes: inMemory(codes), halves: inMemory(halves) },
      passages,
      this.model.dimensions,
    );
    const search = new MeaningSearch([index]);
    const corpus: CalibrationCorpus = {
      passages,
      samples: [...this.#samples.keys()],
      text: (passage) => this.#samples.get(passage)!,
      document: (passage) => this.#documents[passage]!,
      vector: (passage) => index.vector(passage),
      nearest: (query, limit): Near[] => search.nearest(query, { limit }),
    };
    const { encoder, focus } = this.options;
    return focus === undefined || focus.length === 0
      ? estimateCalibration(encoder, corpus, { languages })
      : calibrationFromQuestions(encoder, corpus, focus, "focus", { languages });
  }
}

/** Writes the vectors and all that belongs to them, behind the other streams. */
export function writeMeaning(image: ImageWriter, parts: MeaningParts): void {
  image.addStream("codes", parts.codes);
  image.addStream("halves", parts.halves);
  image.addProbes(parts.probes);
  if (parts.calibration) image.addCalibration(parts.calibration.questions);
  for (const [key, value] of Object.entries(parts.meta)) image.setMeta(key, value);
}

function inMemory(chunks: readonly Uint8Array[]): ByteStream {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return { length, read: (start, end) => bytes.subarray(start, end) };
}
