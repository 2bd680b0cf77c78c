import { createRequire } from "node:module";
import MiniSearch from "minisearch";
import { cutDocument } from "../src/text/passages.js";
import { indexableText } from "../src/text/markers.js";
import { loadStemmer } from "../src/text/stems.js";
import { loadFunctionWords } from "../src/text/stopwords.js";
import { FormList } from "../src/text/forms.js";
import { indexWords } from "../src/text/words.js";
import { WordIndexBuilder, type BuiltWordIndex } from "../src/words/builder.js";
import { WordIndex } from "../src/words/dictionary.js";
import { readQuestion } from "../src/words/question.js";
import { RANKING, WordSearch, type RankingRules } from "../src/words/search.js";
import { mean, median, ndcg10 } from "./measures.js";
import { dataFolder, JUDGED_SETS, readSet, XQUAD_LANGUAGES, type RetrievalSet } from "./retrieval-sets.js";

/** How one engine does on one collection. */
export interface Quality {
  readonly set: string;
  readonly engine: string;
  /** Mean over the judged questions. */
  readonly ndcg10: number;
  /** Share of the questions whose first document is relevant. */
  readonly hit1: number;
  /** Median milliseconds a question. */
  readonly milliseconds: number;
}

/** A passage of a collection: what every engine is given, and the document that it stands for. */
interface BenchPassage {
  readonly document: string;
  /** Title, headings and text, as they are indexed. */
  readonly text: string;
}

/** An engine that ranks passages: the numbers of the best ones, best first. */
type Engine = (question: string) => Promise<readonly number[]> | readonly number[];

/** Passages asked for a question, so that ten documents are among them. */
const DEPTH = 60;

/**
 * A collection as `pack` would index it: every document the Markdown of its title and text, cut into passages, each with
 * title and headings above its text. A paragraph of XQuAD is one passage.
 */
export function passagesOf(set: RetrievalSet): BenchPassage[] {
  return set.documents.flatMap(({ id, title, text }) => {
    const markdown = title === "" ? text : `# ${title}\n\n${text}`;
    const bytes = new TextEncoder().encode(markdown);
    const cuts = cutDocument(markdown);
    const passages = set.name.startsWith("xquad/") ? [{ start: 0, end: bytes.length, heading: [] }] : cuts.passages;
    const decoder = new TextDecoder();
    return passages.map(({ start, end, heading }, ordinal) => {
      const own = indexableText(decoder.decode(bytes.subarray(start, end)), { atStart: ordinal === 0 });
      const headings = heading.filter((line) => line !== title);
      const whole = [title, ...headings, own].join("\n");
      return { document: id, text: whole };
    });
  });
}

/** The word index of passages in one language. */
export async function buildIndex(
  passages: readonly { readonly text: string }[],
  language: string,
): Promise<BuiltWordIndex> {
  const builder = new WordIndexBuilder();
  const words = new FormList();
  passages.forEach(({ text }, i) => {
    builder.forms.read(text, words.clear());
    builder.add(i, [words], language);
  });
  return builder.build();
}

/** A word index over streams in memory. */
export function openIndex(built: BuiltWordIndex, passages: number): WordIndex {
  const stream = (bytes: Uint8Array) => ({
    length: bytes.length,
    read: (start: number, end: number) => bytes.subarray(start, end),
  });
  return new WordIndex(
    { dictionary: stream(built.dictionary), postings: stream(built.postings), lengths: stream(built.lengths) },
    passages,
  );
}

function mdcx(index: WordIndex, language: string, rules: RankingRules): Engine {
  const search = new WordSearch([index], rules);
  // Quotation marks are ordinary text here, as for the peers: what is measured is the ranking, and the phrase rule filters.
  return async (text) =>
    search
      .search({ ...(await readQuestion(text, [language])), phrases: [] }, { limit: DEPTH })
      .hits.map(({ passage }) => passage);
}

/** MiniSearch as it comes: its own tokeniser, no stems, BM25+. */
function miniSearch(passages: readonly BenchPassage[]): Engine {
  const engine = new MiniSearch<{ id: number; text: string }>({ fields: ["text"] });
  engine.addAll(passages.map(({ text }, id) => ({ id, text })));
  return (question) =>
    engine
      .search(question)
      .slice(0, DEPTH)
      .map((result) => result.id as number);
}

/** What is used of wink-bm25-text-search, which has no types. */
interface Wink {
  defineConfig(config: object): void;
  definePrepTasks(tasks: readonly ((text: string) => string[])[]): void;
  addDoc(document: object, id: number): void;
  consolidate(): void;
  search(text: string, limit: number): [string, number][];
}

/** wink-bm25-text-search over the same words, with function words left out and stems: BM25 by another hand. */
async function wink(passages: readonly BenchPassage[], language: string): Promise<Engine> {
  const engine = (createRequire(import.meta.url)("wink-bm25-text-search") as () => Wink)();
  const stem = await loadStemmer(language);
  const functionWords = await loadFunctionWords(language);
  engine.defineConfig({ fldWeights: { text: 1 } });
  engine.definePrepTasks([
    (text) =>
      indexWords(text)
        .filter((form) => !functionWords.has(form))
        .map(stem),
  ]);
  passages.forEach(({ text }, id) => {
    engine.addDoc({ text }, id);
  });
  engine.consolidate();
  return (question) => engine.search(question, DEPTH).map(([id]) => Number(id));
}

async function measure(
  set: RetrievalSet,
  passages: readonly BenchPassage[],
  name: string,
  engine: Engine,
): Promise<Quality> {
  const gains: number[] = [];
  const hits: number[] = [];
  const times: number[] = [];
  for (const { text, relevant } of set.questions) {
    const start = performance.now();
    const found = await engine(text);
    times.push(performance.now() - start);
    // A document is as good as its best passage.
    const documents = [...new Set(found.map((passage) => passages[passage]!.document))];
    gains.push(ndcg10(documents, relevant));
    hits.push(relevant.has(documents[0] ?? "") ? 1 : 0);
  }
  return {
    set: set.name,
    engine: name,
    ndcg10: mean(gains),
    hit1: mean(hits),
    milliseconds: median(times),
  };
}

/** Names of the collections that are measured. */
export const QUALITY_SETS: readonly string[] = [
  ...JUDGED_SETS,
  ...XQUAD_LANGUAGES.map((language) => `xquad/${language}`),
];

/**
 * Ranking quality on the retrieval sets, next to MiniSearch and wink-bm25-text-search in the same run.
 * @param data the folder of the shared data
 */
export async function measureQuality(
  data: string,
  {
    peers = true,
    rules = RANKING,
    onResult,
  }: { peers?: boolean; rules?: RankingRules; onResult?: (result: Quality) => void } = {},
): Promise<Quality[]> {
  const results: Quality[] = [];
  for (const name of QUALITY_SETS) {
    const set = readSet(data, name);
    const passages = passagesOf(set);
    const index = openIndex(await buildIndex(passages, set.language), passages.length);
    const engines: [string, Engine][] = [["mdcx", mdcx(index, set.language, rules)]];
    if (peers) {
      engines.push(["minisearch", miniSearch(passages)], ["wink", await wink(passages, set.language)]);
    }
    for (const [engineName, engine] of engines) {
      const result = await measure(set, passages, engineName, engine);
      results.push(result);
      onResult?.(result);
    }
  }
  return results;
}

/** A table with one line a collection, and the mean of XQuAD. */
export function qualityTable(results: readonly Quality[]): string {
  const engines = [...new Set(results.map(({ engine }) => engine))];
  const cell = (found: readonly Quality[]): string =>
    `${mean(found.map((one) => one.ndcg10)).toFixed(3)} / ${mean(found.map((one) => one.hit1)).toFixed(3)} / ${mean(found.map((one) => one.milliseconds)).toFixed(1)}`;
  const row = (name: string, of: (result: Quality) => boolean): string =>
    `| ${name} | ${engines.map((engine) => cell(results.filter((one) => one.engine === engine && of(one)))).join(" | ")} |`;
  return [
    `| nDCG@10 / hit@1 / ms | ${engines.join(" | ")} |`,
    `|---|${engines.map(() => "---|").join("")}`,
    ...QUALITY_SETS.map((name) => row(name, ({ set }) => set === name)),
    row("XQuAD, mean", ({ set }) => set.startsWith("xquad/")),
  ].join("\n");
}

if (process.argv[1]?.endsWith("/quality.js") === true) {
  const data = dataFolder();
  if (data === undefined)
    throw new Error("The retrieval sets are not here: set MDCX_DATA to the folder of the shared data.");
  const results = await measureQuality(data, { peers: !process.argv.includes("--no-peers") });
  console.log(process.argv.includes("--json") ? JSON.stringify(results, undefined, 1) : qualityTable(results));
}
