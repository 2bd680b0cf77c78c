import { FormList } from "../src/text/forms.js";
import { WordIndexBuilder } from "../src/words/builder.js";
import { WordIndex } from "../src/words/dictionary.js";
import { readQuestion } from "../src/words/question.js";
import { WordSearch } from "../src/words/search.js";
import type { ByteStream } from "../src/image/streams.js";
import { median } from "./measures.js";
import { dataFolder, JUDGED_SETS, readSet } from "./retrieval-sets.js";
import { syntheticDocuments } from "./synthetic.js";

/** Bytes of a stream that one page of the image holds (spec/image.md). */
const PIECE = 16_320;

/** A stream that counts the pages it is read from. */
class CountingStream implements ByteStream {
  readonly pages = new Set<number>();

  constructor(readonly bytes: Uint8Array) {}

  get length(): number {
    return this.bytes.length;
  }

  read(start: number, end: number): Uint8Array {
    for (let page = Math.floor(start / PIECE); page * PIECE < end; page++) this.pages.add(page);
    return this.bytes.subarray(start, end);
  }
}

/** What indexing and asking cost on a synthetic collection. Times in milliseconds, sizes in bytes. */
export interface WordSpeed {
  readonly passages: number;
  readonly markdown: number;
  readonly forms: number;
  /** Megabytes of Markdown a second, by the index alone (without cutting text into words), with its end. */
  readonly buildMegabytes: number;
  readonly wordsMegabytes: number;
  readonly sizes: Readonly<Record<"dictionary" | "postings" | "lengths", number>>;
  /** Opening, which reads the head; the first question, which passes over the dictionary; the second, which makes the gram index. */
  readonly open: number;
  readonly first: number;
  readonly second: number;
  /** Median and 95th percentile of later questions of 3 to 10 words. */
  readonly warm: number;
  readonly warm95: number;
  /** A question of 2,000 characters. */
  readonly long: number;
  /** Share of all pages of text, postings and dictionary that a first question of three words reads, without text. */
  readonly pagesOfThreeWords: number;
  /** Bytes of posting lists that it reads. */
  readonly postingBytesOfThreeWords: number;
}

/** Measures on `passages` synthetic passages. */
export async function measureWordSpeed(data: string, passages: number): Promise<WordSpeed> {
  const builder = new WordIndexBuilder();
  let markdown = 0;
  let count = 0;
  let building = 0;
  let cutting = 0;
  const words = new FormList();
  for (const document of syntheticDocuments(data, passages)) {
    markdown += Buffer.byteLength(document.markdown);
    let heading = "";
    for (const part of document.markdown.split("\n\n")) {
      if (part.startsWith("#")) {
        heading = part;
        continue;
      }
      const start = performance.now();
      builder.forms.read(`${heading}\n${part}`, words.clear());
      const middle = performance.now();
      builder.add(count++, [words], document.language);
      cutting += middle - start;
      building += performance.now() - middle;
    }
  }
  const start = performance.now();
  const built = await builder.build();
  building += performance.now() - start;

  const streams = {
    dictionary: new CountingStream(built.dictionary),
    postings: new CountingStream(built.postings),
    lengths: new CountingStream(built.lengths),
  };
  const questions = JUDGED_SETS.flatMap((name) => readSet(data, name).questions)
    .map(({ text }) => text)
    .filter((text) => {
      const words = text.split(/\s+/).length;
      return words >= 3 && words <= 10;
    });
  const time = async (search: WordSearch, text: string): Promise<number> => {
    const question = await readQuestion(text, ["en"]);
    const started = performance.now();
    search.search(question, { limit: 10 });
    return performance.now() - started;
  };

  const openStart = performance.now();
  const index = new WordIndex(streams, count);
  const open = performance.now() - openStart;
  const search = new WordSearch([index]);
  const three = questions.find((text) => text.split(/\s+/).length === 3) ?? questions[0]!;
  const first = await time(search, three);
  const read = Object.values(streams).reduce((sum, stream) => sum + stream.pages.size, 0);
  const pages = Object.values(streams).reduce((sum, { length }) => sum + Math.ceil(length / PIECE), 0);
  const postingBytes = streams.postings.pages.size * PIECE;
  const second = await time(search, questions[1]!);
  const warm: number[] = [];
  for (const text of questions.slice(0, 200)) warm.push(await time(search, text));
  const long = await time(search, questions.slice(0, 60).join(" ").slice(0, 2000));
  return {
    passages: count,
    markdown,
    forms: index.formCount,
    buildMegabytes: markdown / 1000 / building,
    wordsMegabytes: markdown / 1000 / cutting,
    sizes: {
      dictionary: built.dictionary.length,
      postings: built.postings.length,
      lengths: built.lengths.length,
    },
    open,
    first,
    second,
    warm: median(warm),
    warm95: warm.sort((a, b) => a - b)[Math.floor(warm.length * 0.95)] ?? 0,
    long,
    // The text takes about .38 of the Markdown (DESIGN §3).
    pagesOfThreeWords: read / (pages + (0.38 * markdown) / PIECE),
    postingBytesOfThreeWords: postingBytes,
  };
}

if (process.argv[1]?.endsWith("words-speed.js") === true) {
  const data = dataFolder();
  if (data === undefined)
    throw new Error("The retrieval sets are not here: set MDCX_DATA to the folder of the shared data.");
  console.log(await measureWordSpeed(data, Number(process.argv[2] ?? 100_000)));
}
