import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ByteStream } from "../src/image/streams.js";
import { MeaningSearch } from "../src/meaning/nearest.js";
import { VectorIndex, VectorRows } from "../src/meaning/vectors.js";
import {
  calibrationFromQuestions,
  estimateCalibration,
  type Calibration,
  type CalibrationCorpus,
} from "../src/ranking/calibration.js";
import { evenly } from "../src/ranking/own-questions.js";
import { crosses } from "../src/ranking/question-language.js";
import { judge, runnerUp, upheld } from "../src/ranking/relevance.js";
import { readQuestion } from "../src/words/question.js";
import { WordSearch } from "../src/words/search.js";
import { mean } from "./measures.js";
import { buildIndex, openIndex, passagesOf } from "./quality.js";
import { JUDGED_SETS, readSet, XQUAD_LANGUAGES } from "./retrieval-sets.js";
import type { VectorCache } from "./vector-cache.js";

/** How often one package warns, calibrated by its own passages; shares of the questions, null where there are none. */
export interface WarningRates {
  readonly set: string;
  /** Questions that it answers, in its language: these are false alarms. */
  readonly own: number;
  /** The same questions in other languages. */
  readonly crossing: number | null;
  /** Questions of the collections on other subjects, in its language: these should warn. */
  readonly foreign: number | null;
  /** The same in other languages. */
  readonly foreignCrossing: number | null;
  /** To XQuAD in English the questions of Cranfield, and back: the pair that the goal names. */
  readonly pair: number | null;
  /** What the calibration says of itself. */
  readonly stated: Pick<Calibration, "falseAlarms" | "misses">;
  /** Calibrated by twenty of its questions instead: its other ones, and the foreign ones in its language. */
  readonly focus: { readonly own: number; readonly foreign: number | null } | null;
}

export interface WarningReport {
  readonly sets: readonly WarningRates[];
  /** Sextant's ten questions without an answer, and those with one: shares that warn. */
  readonly sextant: { readonly unanswerable: number; readonly answerable: number };
}

const DEBREF_LANGUAGES = ["en", "de", "es", "fr", "ja"] as const;
/** The collections that are measured. */
export const WARNING_SETS: readonly string[] = [
  ...XQUAD_LANGUAGES.map((language) => `xquad/${language}`),
  ...DEBREF_LANGUAGES.map((language) => `debref/${language}`),
  ...JUDGED_SETS,
  "sextant",
];
/** Questions of one collection that are put to another, spread over all. */
const MOST_ASKED = 150;
/** Passages in which words are looked for together, of each ranking. */
const NEAREST_READ = 10;
/** Questions from which a package is calibrated by focus. */
const FOCUS = 20;
/** Collections on one subject: questions of one are not off it in the other. */
const SUBJECTS: Readonly<Record<string, string>> = { med: "medicine", "scifact-train": "medicine" };

interface Questions {
  readonly texts: readonly string[];
  readonly vectors: readonly Float32Array[];
}

interface Collection {
  readonly name: string;
  readonly language: string;
  readonly questions: Questions;
  readonly corpus: Measured;
}

/** A package's vectors, and its words. */
interface Measured extends CalibrationCorpus {
  readonly language: string;
  readonly words: WordSearch;
}

/**
 * How often packages warn, through the product's own calibration and judgement.
 *
 * @param data the folder of the shared data
 * @param cache of the model
 */
export async function measureWarnings(
  data: string,
  cache: VectorCache,
  { names = WARNING_SETS, onResult }: { names?: readonly string[]; onResult?: (rates: WarningRates) => void } = {},
): Promise<WarningReport> {
  const collections: Collection[] = [];
  for (const name of names) collections.push(await readCollection(data, name, cache));
  const sets: WarningRates[] = [];
  for (const collection of collections) {
    const rates = await ratesOf(collection, collections, cache);
    sets.push(rates);
    onResult?.(rates);
  }
  return { sets, sextant: await sextantRates(data, cache) };
}

async function readCollection(data: string, name: string, cache: VectorCache): Promise<Collection> {
  // The questions of Debian's reference are titles of its sections.
  const set = readSet(data, name, !name.startsWith("debref/"));
  const texts = set.questions.map(({ text }) => text);
  return {
    name,
    language: set.language,
    questions: { texts, vectors: rows(await cache.encode(texts, "query"), cache.dimensions) },
    corpus: await corpusOf(passagesOf(set), set.language, cache),
  };
}

async function corpusOf(
  passages: readonly { readonly document: string; readonly text: string }[],
  language: string,
  cache: VectorCache,
): Promise<Measured> {
  const { dimensions } = cache;
  const vectors = rows(
    await cache.encode(
      passages.map(({ text }) => text),
      "passage",
    ),
    dimensions,
  );
  const filled = new VectorRows(dimensions, passages.length);
  vectors.forEach((vector, row) => {
    filled.set(row, vector);
  });
  const streams = filled.streams();
  const index = new VectorIndex(
    { codes: stream(streams.codes), halves: stream(streams.halves) },
    passages.length,
    dimensions,
  );
  const search = new MeaningSearch([index]);
  const numbers = new Map<string, number>();
  const documents = passages.map(({ document }) => {
    if (!numbers.has(document)) numbers.set(document, numbers.size);
    return numbers.get(document)!;
  });
  const words = new WordSearch([openIndex(await buildIndex(passages, language), passages.length)]);
  return {
    language,
    words,
    passages: passages.length,
    text: (passage) => passages[passage]!.text,
    document: (passage) => documents[passage]!,
    vector: (passage) => index.vector(passage),
    nearest: (query, limit) => search.nearest(query, { limit }),
  };
}

async function ratesOf(collection: Collection, all: readonly Collection[], cache: VectorCache): Promise<WarningRates> {
  const { name, language, corpus, questions } = collection;
  const encoder = cache.asEncoder();
  const options = { languages: [language] };
  const calibration = await estimateCalibration(encoder, corpus, options);
  const near = all.filter((one) => !crosses(one.language, language));
  const far = all.filter((one) => crosses(one.language, language));
  const isForeign = (one: Collection): boolean => subjectOf(one.name) !== subjectOf(name);
  const rate = async (asked: readonly Collection[], by = calibration): Promise<number | null> => {
    const shares: number[] = [];
    for (const one of asked) shares.push(await warned(corpus, by, some(one.questions, MOST_ASKED), one.language));
    return shares.length === 0 ? null : mean(shares);
  };
  const counterpart = { xquad: "cranfield", cranfield: "xquad" }[subjectOf(name)];
  return {
    set: name,
    own: await warned(corpus, calibration, questions, language),
    crossing: await rate(far.filter((one) => !isForeign(one))),
    foreign: await rate(near.filter(isForeign)),
    foreignCrossing: await rate(far.filter(isForeign)),
    pair: await rate(near.filter((one) => subjectOf(one.name) === counterpart)),
    stated: { falseAlarms: calibration.falseAlarms, misses: calibration.misses },
    focus: await focusRates(),
  };

  async function focusRates(): Promise<WarningRates["focus"]> {
    if (questions.texts.length < 2 * FOCUS) return null;
    const chosen = new Set(evenly(questions.texts.length, FOCUS));
    const given = questions.texts.filter((_, i) => chosen.has(i));
    const by = await calibrationFromQuestions(encoder, corpus, given, "focus", options);
    const others = {
      texts: questions.texts.filter((_, i) => !chosen.has(i)),
      vectors: questions.vectors.filter((_, i) => !chosen.has(i)),
    };
    return { own: await warned(corpus, by, others, language), foreign: await rate(near.filter(isForeign), by) };
  }
}

async function sextantRates(data: string, cache: VectorCache): Promise<WarningReport["sextant"]> {
  const lines = readFileSync(join(data, "retrieval", "sextant", "golden.jsonl"), "utf8").split("\n");
  const golden = lines
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { readonly question: string; readonly answerable: boolean });
  const corpus = await corpusOf(passagesOf(readSet(data, "sextant")), "en", cache);
  const calibration = await estimateCalibration(cache.asEncoder(), corpus, { languages: ["en"] });
  const rate = async (answerable: boolean): Promise<number> => {
    const texts = golden.filter((one) => one.answerable === answerable).map(({ question }) => question);
    const vectors = rows(await cache.encode(texts, "query"), cache.dimensions);
    return warned(corpus, calibration, { texts, vectors }, "en");
  };
  return { unanswerable: await rate(false), answerable: await rate(true) };
}

/**
 * Share of questions of which a package warns: by meaning, and where that would, by whether their words stand together in
 * one of the nearest passages or of the best by words, as in an answer by both.
 */
async function warned(
  corpus: Measured,
  calibration: Calibration,
  { texts, vectors }: Questions,
  language: string,
): Promise<number> {
  let warnings = 0;
  for (const [i, vector] of vectors.entries()) {
    const near = corpus.nearest(vector, NEAREST_READ);
    const similarities = near.map(({ similarity }) => similarity);
    const crossing = crosses(language, corpus.language) ? 1 : 0;
    const judgement = judge(similarities[0]!, calibration, { vector, runnerUp: runnerUp(similarities)!, crossing });
    if (judgement.warning === undefined) continue;
    const question = { ...(await readQuestion(texts[i]!, [corpus.language])), phrases: [] };
    const { hits } = corpus.words.search(question, { limit: NEAREST_READ });
    if (upheld(judgement, () => corpus.words.coverage(question, [...near, ...hits])).warning !== undefined) warnings++;
  }
  return warnings / vectors.length;
}

/** A table with one line a collection, and the means. */
export function warningTable({ sets, sextant }: WarningReport): string {
  const cell = (value: number | null): string => (value === null ? "" : value.toFixed(3));
  const columns: readonly [string, (rates: WarningRates) => number | null][] = [
    ["own", (one) => one.own],
    ["own, crossing", (one) => one.crossing],
    ["foreign", (one) => one.foreign],
    ["foreign, crossing", (one) => one.foreignCrossing],
    ["XQuAD and Cranfield", (one) => one.pair],
    ["stated false alarms", (one) => one.stated.falseAlarms],
    ["stated misses", (one) => one.stated.misses],
    ["by focus: own", (one) => one.focus?.own ?? null],
    ["by focus: foreign", (one) => one.focus?.foreign ?? null],
  ];
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    line(["share that warns", ...columns.map(([name]) => name)]),
    line(["---", ...columns.map(() => "---")]),
    ...sets.map((rates) => line([rates.set, ...columns.map(([, value]) => cell(value(rates)))])),
    line([
      "mean",
      ...columns.map(([, value]) => {
        const values = sets.map(value).filter((one) => one !== null);
        return cell(values.length === 0 ? null : mean(values));
      }),
    ]),
    "",
    `Sextant: ${cell(sextant.unanswerable)} of its questions without an answer warn, ${cell(sextant.answerable)} of those with one.`,
  ].join("\n");
}

/** The languages of XQuAD, and of Debian's reference, are translations of one another. */
function subjectOf(name: string): string {
  const family = name.split("/")[0]!;
  return SUBJECTS[family] ?? family;
}

/** At most so many questions, spread over all. */
function some({ texts, vectors }: Questions, most: number): Questions {
  const places = evenly(texts.length, most);
  return { texts: places.map((place) => texts[place]!), vectors: places.map((place) => vectors[place]!) };
}

function rows(vectors: Float32Array, dimensions: number): Float32Array[] {
  return Array.from({ length: vectors.length / dimensions }, (_, i) =>
    vectors.subarray(i * dimensions, (i + 1) * dimensions),
  );
}

function stream(chunks: Iterable<Uint8Array>): ByteStream {
  const bytes = Buffer.concat([...chunks]);
  return { length: bytes.length, read: (start, end) => bytes.subarray(start, end) };
}
