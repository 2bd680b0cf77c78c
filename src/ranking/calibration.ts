import { MdcxError } from "../errors.js";
import type { AnswerableOrigin } from "../format/claims.js";
import type { Encoder } from "../meaning/encoder.js";
import type { Near } from "../meaning/nearest.js";
import { FOREIGN_QUESTIONS } from "./foreign-questions.js";
import { evenly, MOST_SAMPLED, ownQuestions } from "./own-questions.js";
import { comparable, JUDGED_PASSAGES, MARGINS, runnerUp, warnsBelow } from "./relevance.js";
import { product } from "../meaning/product.js";

export { calibrationMeta, readCalibration } from "./calibration-meta.js";

/** What tells questions that a package answers from those that it does not (spec/calibration.md). All similarities are comparable ones. */
export interface Calibration {
  /**
   * What questions with an answer reach: four in five of those that its own passages answer, or the weakest of the
   * questions that were given.
   */
  readonly answerableAt: number;
  readonly origin: AnswerableOrigin;
  /** Mean cosine of two passages that have nothing to do with each other. */
  readonly base: number;
  /** Where between `strangers` and `answerableAt` the warning begins. */
  readonly margin: number;
  /** What half of the questions with an answer reach. */
  readonly typical: number;
  /** What questions on other subjects reach on average. */
  readonly strangers: number;
  /** By what similarities are made comparable. */
  readonly reference: Reference;
  /** The questions that were given, with the cosine of their nearest passage; none where own passages were asked. */
  readonly questions: readonly CalibrationQuestion[];
  /** Share of questions with an answer that would warn, each judged without itself; null for fewer than ten. */
  readonly falseAlarms: number | null;
  /** Share of the foreign questions that would not warn; in the package's languages where there are such. */
  readonly misses: number | null;
}

/**
 * By what similarities are made comparable. A question's mean similarity to everyday questions is its product with their
 * mean vector: some are near to everything.
 */
export interface Reference {
  /** Of unit length. */
  readonly direction: Float32Array;
  /** Share of the product with `direction` that is taken off. */
  readonly weight: number;
  /** Share of the runner-up's similarity that is taken off. */
  readonly runnerUpWeight: number;
  /** What is taken off on average. */
  readonly level: number;
  /** By how much the nearest passage stands out from the runner-up on average. */
  readonly gap: number;
}

export interface CalibrationQuestion {
  readonly question: string;
  /** Cosine of the nearest passage. */
  readonly similarity: number;
}

/** The passages of a package with their vectors. */
export interface CalibrationCorpus {
  /** How many there are. */
  readonly passages: number;
  /** Numbers of those whose text can be had, ascending and spread over all; all of them unless given. */
  readonly samples?: readonly number[];
  /** The text that was embedded. */
  text(passage: number): string;
  /** Number of its document. */
  document(passage: number): number;
  /** Of unit length. */
  vector(passage: number): Float32Array;
  /** The nearest passages, nearest first. */
  nearest(query: Float32Array, limit: number): Near[];
}

export interface CalibrationOptions {
  /** Languages of the documents (BCP 47): foreign questions in them are counted alone as misses, for they look most like own ones. */
  readonly languages?: readonly string[];
}

/** Shares that are taken off, of 0 to 1 those that tell strangers best (spec/calibration.md §6): of the similarity to everyday questions … */
const REFERENCE_WEIGHT = 0.3;
/** … and of the runner-up's. */
const RUNNER_UP_WEIGHT = 0.4;
/** Share of questions with an answer that lie below `answerableAt`; .1 to .5 were tried. */
const BELOW = 0.2;
/** With this many questions the margin is half of what it is with very many: a fifth of five questions says little. */
const HALF_SURE = 5;
/** Questions from which on a share of them is stated. */
const ENOUGH = 10;
/** Pairs of passages whose cosine makes the base. */
const PAIRS = 1_000;

/** A question with the cosine of its nearest passage. */
interface Asked {
  readonly text: string;
  readonly vector: Float32Array;
  readonly similarity: number;
  readonly runnerUp: number;
}

/** What is measured before it is known what questions with an answer reach. */
interface Ground {
  readonly base: number;
  readonly reference: Reference;
  readonly foreign: readonly (Asked & { readonly language: string })[];
}

/**
 * Calibrates a package by its own passages: some sentences of at most 200 of them, spread over the whole, are asked as
 * questions. The passage itself may answer: what its neighbours reach is not what a question with an answer reaches.
 *
 * @throws MdcxError `internal` for a corpus without passages, and what the encoder throws
 */
export async function estimateCalibration(
  encoder: Encoder,
  corpus: CalibrationCorpus,
  options: CalibrationOptions = {},
): Promise<Calibration> {
  const sampled = sample(corpus);
  const own = ownQuestions(sampled, (passage) => corpus.text(passage));
  const asked = await ask(
    encoder,
    corpus,
    own.map(({ text }) => text),
  );
  return calibrate(await ground(encoder, corpus, sampled, asked), asked, sampled.length, "estimated", options);
}

/**
 * Calibrates a package by questions that it is known to answer: the line is just under the weakest of them.
 *
 * @throws MdcxError `bad-input` for no questions or an empty one, and as `estimateCalibration`
 */
export async function calibrationFromQuestions(
  encoder: Encoder,
  corpus: CalibrationCorpus,
  questions: readonly string[],
  origin: Exclude<AnswerableOrigin, "estimated">,
  options: CalibrationOptions = {},
): Promise<Calibration> {
  if (questions.length === 0 || questions.some((question) => question.trim() === ""))
    throw new MdcxError("bad-input", "A question of calibration is empty: give at least one that the package answers.");
  const asked = await ask(encoder, corpus, questions);
  return calibrate(await ground(encoder, corpus, sample(corpus), asked), asked, questions.length, origin, options);
}

/** Passages spread evenly over those whose text can be had. */
function sample({ passages, samples }: CalibrationCorpus): number[] {
  if (passages === 0) throw new MdcxError("internal", "A package without passages has nothing to be calibrated by.");
  if (samples === undefined) return evenly(passages, MOST_SAMPLED);
  return evenly(samples.length, MOST_SAMPLED).map((place) => samples[place]!);
}

async function ask(encoder: Encoder, corpus: CalibrationCorpus, questions: readonly string[]): Promise<Asked[]> {
  const vectors = rows((await encoder.encode(questions, "query")).vectors, questions.length);
  return questions.map((text, i) => {
    const similarities = corpus.nearest(vectors[i]!, JUDGED_PASSAGES).map(({ similarity }) => similarity);
    return { text, vector: vectors[i]!, similarity: similarities[0]!, runnerUp: runnerUp(similarities)! };
  });
}

async function ground(
  encoder: Encoder,
  corpus: CalibrationCorpus,
  sampled: readonly number[],
  own: readonly Asked[],
): Promise<Ground> {
  const strangers = Object.entries(FOREIGN_QUESTIONS).flatMap(([language, texts]) =>
    texts.map((text) => ({ language, text })),
  );
  const texts = strangers.map(({ text }) => text);
  const everyday = rows((await encoder.encode(texts, "passage")).vectors, texts.length);
  const foreign = (await ask(encoder, corpus, texts)).map((one, i) => ({ ...one, language: strangers[i]!.language }));
  const common = meanOf(everyday);
  const length = Math.sqrt(product(common, common));
  const direction = common.map((value) => value / length);
  const weight = REFERENCE_WEIGHT * length;
  const level = mean(own.map((one) => weight * product(one.vector, direction) + RUNNER_UP_WEIGHT * one.runnerUp));
  const gap = mean(own.map((one) => one.similarity - one.runnerUp));
  return {
    base:
      baseOf(corpus, sampled) ??
      mean(sampled.map((passage) => mean(everyday.map((one) => product(corpus.vector(passage), one))))),
    reference: { direction, weight, runnerUpWeight: RUNNER_UP_WEIGHT, level, gap },
    foreign,
  };
}

function calibrate(
  { base, reference, foreign }: Ground,
  own: readonly Asked[],
  independent: number,
  origin: AnswerableOrigin,
  { languages = [] }: CalibrationOptions,
): Calibration {
  const compared = (one: Asked): number => comparable(one.similarity, reference, one);
  const similarities = own.map(compared);
  const strangers = mean(foreign.map(compared));
  const margin =
    origin === "estimated" ? (MARGINS.estimated * independent) / (independent + HALF_SURE) : MARGINS[origin];
  // Of questions that were chosen by hand every one counts.
  const below = origin === "estimated" ? BELOW : 0;
  const line = (reached: readonly number[]): number =>
    warnsBelow({ strangers, margin, answerableAt: quantile(reached, below) });
  const nearHome = foreign.filter(({ language }) => languages.includes(language));
  const counted = (nearHome.length > 0 ? nearHome : foreign).map(compared);
  return {
    answerableAt: quantile(similarities, below),
    typical: quantile(similarities, 0.5),
    origin,
    base,
    margin,
    strangers,
    reference,
    questions: origin === "estimated" ? [] : own.map(({ text, similarity }) => ({ question: text, similarity })),
    falseAlarms:
      own.length < ENOUGH
        ? null
        : share(similarities, (one, place) => one < line(similarities.filter((_, i) => i !== place))),
    misses: share(counted, (one) => one >= line(similarities)),
  };
}

/** Mean cosine of passages of different documents, or of one document but not neighbours; undefined where there are none. */
function baseOf(corpus: CalibrationCorpus, sampled: readonly number[]): number | undefined {
  const documents = new Set(sampled.map((passage) => corpus.document(passage)));
  const unrelated = (a: number, b: number): boolean =>
    documents.size > 1 ? corpus.document(a) !== corpus.document(b) : Math.abs(a - b) > 1;
  const cosines: number[] = [];
  // Half the corpus apart first, then nearer by one each round: pairs from everywhere, and the same ones every time.
  for (let apart = Math.ceil(sampled.length / 2); apart > 0 && cosines.length < PAIRS; apart--)
    for (let i = 0; i + apart < sampled.length && cosines.length < PAIRS; i++) {
      const [a, b] = [sampled[i]!, sampled[i + apart]!];
      if (unrelated(a, b)) cosines.push(product(corpus.vector(a), corpus.vector(b)));
    }
  return cosines.length === 0 ? undefined : mean(cosines);
}

function rows(vectors: Float32Array, count: number): Float32Array[] {
  const dimensions = vectors.length / count;
  return Array.from({ length: count }, (_, i) => vectors.subarray(i * dimensions, (i + 1) * dimensions));
}

function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float64Array(vectors[0]!.length);
  for (const vector of vectors) for (let i = 0; i < sum.length; i++) sum[i] = sum[i]! + vector[i]!;
  return Float32Array.from(sum, (value) => value / vectors.length);
}

/** The value that a share of the others lies below. */
function quantile(values: readonly number[], share: number): number {
  const ascending = [...values].sort((a, b) => a - b);
  return ascending[Math.floor(share * ascending.length)]!;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function share<T>(values: readonly T[], holds: (value: T, index: number) => boolean): number {
  return values.filter(holds).length / values.length;
}
