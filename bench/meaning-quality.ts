/**
 * `node dist/bench/meaning-quality.js [--sets xquad,debref,cranfield,…] [--json]`: how well words, meaning and both fused
 * find, in one language, across languages and in corpora of two, with the shipped model and through the product's own
 * classes. MDCX_BENCH_CACHE keeps the vectors between runs.
 */
import { FormList } from "../src/text/forms.js";
import type { ByteStream } from "../src/image/streams.js";
import type { Encoder } from "../src/meaning/encoder.js";
import { languageLevels, LanguageSums, readLanguageMeans, type LanguageMean } from "../src/meaning/language-means.js";
import { MeaningSearch } from "../src/meaning/nearest.js";
import { VectorIndex, VectorRows } from "../src/meaning/vectors.js";
import { openEncoder } from "../src/node/encoder/open.js";
import { DEPTH, fuse, MEANING_DEPTH, type Ranked } from "../src/ranking/fuse.js";
import { crosses, questionLanguage } from "../src/ranking/question-language.js";
import { WordIndexBuilder } from "../src/words/builder.js";
import type { WordIndex } from "../src/words/dictionary.js";
import { readQuestion } from "../src/words/question.js";
import { WordSearch } from "../src/words/search.js";
import { linearNdcg10, mean } from "./measures.js";
import { openIndex, passagesOf } from "./quality.js";
import { dataFolder, readSet, XQUAD_LANGUAGES, type SetQuestion } from "./retrieval-sets.js";
import { VectorCache } from "./vector-cache.js";

const DEBREF_LANGUAGES = ["en", "de", "es", "fr", "ja"] as const;
const FAMILIES = { xquad: XQUAD_LANGUAGES, debref: DEBREF_LANGUAGES } as const;
type Family = keyof typeof FAMILIES;
const IN_ENGLISH = ["cranfield", "med", "scifact-train", "cacm", "npl", "sextant"] as const;
/** What `--sets` takes. */
export const MEANING_SETS: readonly string[] = ["xquad", "debref", ...IN_ENGLISH];
/** Of XQuAD's parallel questions every third is asked across and in two languages: 56 pairs are 22,000 questions so. */
const EVERY = 3;

const WAYS = ["words", "meaning", "fused"] as const;
type Way = (typeof WAYS)[number];

/** How well one way of searching does. */
export interface Figures {
  /** Mean of the linear nDCG@10 over the questions. */
  readonly ndcg10: number;
  /** Share of the questions whose first document is relevant. */
  readonly hit1: number;
}

/** A line of the table: one collection, or the mean over its languages or pairs. */
export interface MeaningQuality extends Readonly<Record<Way, Figures>> {
  readonly name: string;
  /** Collections or pairs of languages that it is the mean of. */
  readonly of: number;
  /** Shares of the questions whose language was told rightly, wrongly and not at all. */
  readonly language: { readonly right: number; readonly wrong: number; readonly none: number };
}

/** nDCG@10 and hit@1 of words, meaning, fused: the prototype's, of documents cut at the model's window. */
const PROTOTYPE: Readonly<Record<string, readonly string[]>> = {
  "xquad, one language": [".960 / .921", ".946 / .891", ".968 / .934"],
  "xquad, across": [".208 / .153", ".833 / .710", ".731 / .540"],
  "debref, one language": [".761 / .576", ".774 / .605", ".801 / .621"],
  "debref, across": [".411 / .269", ".642 / .469", ".595 / .416"],
  cranfield: [".444 / .751", ".421 / .676", ".455 / .729"],
  med: [".732 / .900", ".799 / .933", ".800 / .933"],
  "scifact-train": [".704 / .596", ".656 / .535", ".719 / .597"],
  cacm: [".480 / .558", ".291 / .365", ".484 / .673"],
};

/** A passage with its vector. */
interface VectoredPassage {
  readonly document: string;
  readonly text: string;
  readonly language: string;
  readonly vector: Float32Array;
}

interface VectoredQuestion extends SetQuestion {
  readonly language: string;
  readonly vector: Float32Array;
}

interface Collection {
  readonly passages: readonly VectoredPassage[];
  readonly questions: readonly VectoredQuestion[];
}

/** Reads a collection as it would be packed, with the vectors of passages and questions. */
async function readCollection(data: string, name: string, cache: VectorCache): Promise<Collection> {
  // The questions of Debian's reference are the titles of its sections.
  const set = readSet(data, name, !name.startsWith("debref/"));
  const passages = passagesOf(set);
  const rows = async (texts: readonly string[], role: "query" | "passage"): Promise<(at: number) => Float32Array> => {
    const vectors = await cache.encode(texts, role);
    return (at) => vectors.subarray(at * cache.dimensions, (at + 1) * cache.dimensions);
  };
  const { language } = set;
  const [own, asked] = [
    await rows(passages.map(({ text }) => text), "passage"), // prettier-ignore
    await rows(set.questions.map(({ text }) => text), "query"), // prettier-ignore
  ];
  return {
    passages: passages.map((passage, i) => ({ ...passage, language, vector: own(i) })),
    questions: set.questions.map((question, i) => ({ ...question, language, vector: asked(i) })),
  };
}

/** Passages ready to be asked, by the product's own parts. */
class Corpus {
  readonly #languages: readonly string[];

  private constructor(
    private readonly passages: readonly VectoredPassage[],
    private readonly index: WordIndex,
    private readonly words: WordSearch,
    private readonly meaning: MeaningSearch,
    private readonly means: ReadonlyMap<string, LanguageMean>,
  ) {
    this.#languages = [...new Set(passages.map(({ language }) => language))];
  }

  static async of(passages: readonly VectoredPassage[]): Promise<Corpus> {
    const builder = new WordIndexBuilder();
    const forms = new FormList();
    const rows = new VectorRows(passages[0]!.vector.length, passages.length);
    passages.forEach(({ text, language, vector }, i) => {
      builder.forms.read(text, forms.clear());
      builder.add(i, [forms], language);
      rows.set(i, vector);
    });
    const index = openIndex(await builder.build(), passages.length);
    const sums = new LanguageSums(rows.dimensions);
    passages.forEach(({ language }, i) => {
      sums.add(language, rows.halves(i));
    });
    const means = readLanguageMeans(new Map(Object.entries(sums.meta())), rows.dimensions);
    const { codes, halves } = rows.streams();
    const vectors = new VectorIndex(
      { codes: inMemory(codes), halves: inMemory(halves) },
      passages.length,
      rows.dimensions,
    );
    return new Corpus(passages, index, new WordSearch([index]), new MeaningSearch([vectors]), means);
  }

  /** The documents by each way of searching, each as good as its best passage, and the language that was told. */
  async ask({ text, vector }: VectoredQuestion): Promise<Record<Way, readonly string[]> & { told: string }> {
    const told = await questionLanguage(text, this.#languages, [this.index]);
    const read = this.#languages.includes(told) ? [told] : this.#languages;
    // Quotation marks are ordinary text here: what is measured is the ranking, and the phrase rule filters.
    const question = { ...(await readQuestion(text, read, [this.index])), phrases: [] };
    const words = this.words.search(question, { limit: DEPTH }).hits;
    const levels = languageLevels(vector, [this.means]);
    const languages = [...levels.keys()];
    const groups = Uint16Array.from(this.passages, ({ language }) => languages.indexOf(language));
    const off = { groups, levels: Float64Array.from(levels.values()) };
    const meaning = this.meaning.nearest(vector, { limit: MEANING_DEPTH, ...(levels.size > 0 && { levels: [off] }) });
    const fused = fuse(words, meaning, {
      limit: DEPTH,
      wordsSpeakFor: ({ passage }) => !crosses(told, this.passages[passage]!.language),
      order: (a, b) => a.passage - b.passage,
    });
    return { words: this.#documents(words), meaning: this.#documents(meaning), fused: this.#documents(fused), told };
  }

  #documents(hits: readonly Ranked[]): string[] {
    return [...new Set(hits.map(({ passage }) => this.passages[passage]!.document))];
  }
}

function inMemory(chunks: Iterable<Uint8Array>): ByteStream {
  const bytes = Buffer.concat([...chunks]);
  return { length: bytes.length, read: (start, end) => bytes.subarray(start, end) };
}

/** Questions put to passages. */
interface Trial {
  readonly passages: readonly VectoredPassage[];
  readonly questions: readonly VectoredQuestion[];
}

async function measure(name: string, trials: readonly Trial[]): Promise<MeaningQuality> {
  const figures: Figures[][] = [];
  const told: ("right" | "wrong" | "none")[] = [];
  for (const { passages, questions } of trials) {
    const corpus = await Corpus.of(passages);
    const gains = new Map<Way, number[]>(WAYS.map((way) => [way, []]));
    const hits = new Map<Way, number[]>(WAYS.map((way) => [way, []]));
    for (const question of questions) {
      const found = await corpus.ask(question);
      told.push(found.told === "und" ? "none" : found.told === question.language ? "right" : "wrong");
      for (const way of WAYS) {
        gains.get(way)!.push(linearNdcg10(found[way], question.relevant));
        hits.get(way)!.push(question.relevant.has(found[way][0] ?? "") ? 1 : 0);
      }
    }
    figures.push(WAYS.map((way) => ({ ndcg10: mean(gains.get(way)!), hit1: mean(hits.get(way)!) })));
  }
  const over = (way: number): Figures => ({
    ndcg10: mean(figures.map((one) => one[way]!.ndcg10)),
    hit1: mean(figures.map((one) => one[way]!.hit1)),
  });
  const share = (what: string): number => told.filter((one) => one === what).length / told.length;
  return {
    name,
    of: trials.length,
    words: over(0),
    meaning: over(1),
    fused: over(2),
    language: { right: share("right"), wrong: share("wrong"), none: share("none") },
  };
}

/** The collections of one family by language, whose documents are translations of each other under the same names. */
async function* measureFamily(data: string, family: Family, cache: VectorCache): AsyncGenerator<MeaningQuality> {
  const collections = new Map<string, Collection>();
  for (const language of FAMILIES[family])
    collections.set(language, await readCollection(data, `${family}/${language}`, cache));
  const all = [...collections.values()];
  yield await measure(`${family}, one language`, all);
  const pairs = all.flatMap((asked) => all.filter((found) => found !== asked).map((found) => ({ asked, found })));
  const asking = (questions: readonly VectoredQuestion[]): readonly VectoredQuestion[] =>
    family === "xquad" ? questions.filter((_, i) => i % EVERY === 0) : questions;
  yield await measure(
    `${family}, across`,
    pairs.map(({ asked, found }) => ({ passages: found.passages, questions: asking(asked.questions) })),
  );
  // Half of the documents in each language: what answers is in one of them only, beside as much that does not in the other.
  const documents = [...new Set(all[0]!.passages.map(({ document }) => document))];
  const group = (document: string): string => (family === "xquad" ? document.slice(0, 3) : document);
  const groups = [...new Set(documents.map(group))];
  const isAsked = (document: string): boolean => groups.indexOf(group(document)) % 2 === 0;
  for (const own of [true, false])
    yield await measure(
      `${family}, two languages, answer in ${own ? "the question's" : "the other"}`,
      pairs.map(({ asked, found }) => ({
        passages: [
          ...asked.passages.filter(({ document }) => isAsked(document)),
          ...found.passages.filter(({ document }) => !isAsked(document)),
        ],
        questions: asking(asked.questions).filter(({ relevant }) =>
          [...relevant.keys()].every((document) => isAsked(document) === own),
        ),
      })),
    );
}

/**
 * Quality by words, by meaning and by both, through the product's own parts.
 *
 * @param data the folder of the shared data
 * @param encoder the model; its vectors are kept where MDCX_BENCH_CACHE says
 */
export async function measureMeaning(
  data: string,
  encoder: Encoder,
  {
    sets = MEANING_SETS,
    onResult,
  }: { sets?: readonly string[]; onResult?: ((result: MeaningQuality) => void) | undefined } = {},
): Promise<MeaningQuality[]> {
  const unknown = sets.filter((name) => !MEANING_SETS.includes(name));
  if (unknown.length > 0) throw new Error(`There is no set ${unknown.join(", ")}: ${MEANING_SETS.join(", ")}.`);
  const cache = await VectorCache.open(encoder);
  const results: MeaningQuality[] = [];
  const add = (result: MeaningQuality): void => {
    results.push(result);
    onResult?.(result);
  };
  for (const family of Object.keys(FAMILIES) as Family[])
    if (sets.includes(family)) for await (const result of measureFamily(data, family, cache)) add(result);
  for (const name of IN_ENGLISH)
    if (sets.includes(name)) add(await measure(name, [await readCollection(data, name, cache)]));
  return results;
}

/** A table like the prototype's, whose figures stand in brackets. */
export function meaningTable(results: readonly MeaningQuality[]): string {
  const three = (value: number): string => value.toFixed(3).replace(/^0/, "");
  const cell = (name: string, { ndcg10, hit1 }: Figures, way: number): string => {
    const prototype = PROTOTYPE[name]?.[way];
    return `${three(ndcg10)} / ${three(hit1)}${prototype === undefined ? "" : ` (${prototype})`}`;
  };
  const alone = results.filter(({ name }) => !/across|two languages/.test(name));
  const behind = ({ words, meaning, fused }: MeaningQuality): number =>
    fused.ndcg10 - Math.max(words.ndcg10, meaning.ndcg10);
  const signed = (value: number): string => `${value < 0 ? "−" : "+"}${three(Math.abs(value))}`;
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    line(["nDCG@10 / hit@1 (prototype)", ...WAYS, "fused against the better", "language told right, wrong, not"]),
    line(["---", ...WAYS.map(() => "---"), "---", "---"]),
    ...results.map((result) =>
      line([
        result.of > 1 ? `${result.name} (${result.of})` : result.name,
        ...WAYS.map((way, i) => cell(result.name, result[way], i)),
        signed(behind(result)),
        `${three(result.language.right)}, ${three(result.language.wrong)}, ${three(result.language.none)}`,
      ]),
    ),
    line([
      "mean in one language",
      ...WAYS.map((way) => three(mean(alone.map((result) => result[way].ndcg10)))),
      signed(Math.min(...alone.map(behind))),
      "",
    ]),
  ].join("\n");
}

if (process.argv[1]?.endsWith("/meaning-quality.js") === true) {
  const data = dataFolder();
  if (data === undefined)
    throw new Error("The retrieval sets are not here: set MDCX_DATA to the folder of the shared data.");
  const setsAt = process.argv.indexOf("--sets");
  const encoder = openEncoder();
  const results = await measureMeaning(data, encoder, {
    ...(setsAt > 0 && { sets: process.argv[setsAt + 1]!.split(",") }),
    onResult: ({ name }) => process.stderr.write(`… ${name}\n`),
  });
  await encoder.close();
  console.log(process.argv.includes("--json") ? JSON.stringify(results, undefined, 1) : meaningTable(results));
}
