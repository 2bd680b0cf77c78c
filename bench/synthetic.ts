import { JUDGED_SETS, readSet } from "./retrieval-sets.js";

/** A document of the synthetic collection. */
export interface SyntheticDocument {
  /** `folder/name.md` */
  readonly path: string;
  readonly markdown: string;
  /** The language of its sentences, which the Markdown does not state. */
  readonly language: string;
}

/** A pool of sentences of one language that are recombined, and how often it is drawn from. */
interface Pool {
  readonly language: string;
  readonly share: number;
  readonly titles: readonly string[];
  readonly sentences: readonly string[];
}

/** Bytes of a paragraph, which makes one passage of about 200 tokens; paragraphs in a section; sections in a document. */
const PARAGRAPH_BYTES = 780;
const PARAGRAPHS = 4;
const SECTIONS = 5;

/**
 * Growth of the vocabulary by words read, V = 10 n^0.62 (Heaps' law). Fitted to the sets themselves: 36,000 forms in the
 * 1.2 million words of SciFact, 110,000 in all of them. Recombined sentences alone would stop growing there.
 */
function expectedVocabulary(words: number): number {
  return 10 * words ** 0.62;
}

/** Bob Jenkins' small generator would do as well: what matters is that every machine makes the same collection. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function readPools(data: string): Pool[] {
  const pool = (language: string, share: number, names: readonly string[]): Pool => {
    const documents = names.flatMap((name) => readSet(data, name).documents);
    return {
      language,
      share,
      titles: documents.map(({ title }) => title.replace(/\s+/g, " ").trim()).filter((title) => title !== ""),
      sentences: documents
        .flatMap(({ text }) => text.replace(/\s+/g, " ").split(/(?<=[.!?।。])\s*(?=\S)/u))
        .map((sentence) => sentence.replace(/^[#>*+\-\d.\s]+/, ""))
        .filter((sentence) => sentence.length > 20 && sentence.length < 600),
    };
  };
  return [
    pool("en", 0.88, [...JUDGED_SETS, "xquad/en"]),
    ...["de", "es", "ru", "tr", "fr"].map((language) =>
      pool(language, 0.024, language === "fr" ? ["debref/fr"] : [`xquad/${language}`]),
    ),
  ];
}

/**
 * A collection of any size from the sentences of the retrieval sets: Markdown documents of about 16 KB with headings and
 * paragraphs, one language each, whose vocabulary grows as that of real text does, with the compounds, inflections,
 * numbers and scanning errors that make it grow. The same for the same seed; made on the way, never held as a whole.
 * @param data the folder of the shared data
 * @param passages how many paragraphs, about
 */
export function* syntheticDocuments(data: string, passages: number, seed = 1): Generator<SyntheticDocument> {
  const random = randomNumbers(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const pools = readPools(data);
  const growth = new Growth(random);
  let made = 0;
  for (let number = 0; made < passages; number++) {
    let chance = random() * pools.reduce((sum, { share }) => sum + share, 0);
    const pool = pools.find(({ share }) => (chance -= share) < 0) ?? pools[0]!;
    const title = pool.titles.length > 0 ? pick(pool.titles) : pick(pool.sentences).slice(0, 60);
    const parts = [`# ${title}`];
    for (let section = 0; section < SECTIONS && made < passages; section++) {
      parts.push(`## ${pick(pool.sentences).split(" ").slice(0, 6).join(" ")}`);
      for (let paragraph = 0; paragraph < PARAGRAPHS && made < passages; paragraph++, made++) {
        let text = "";
        while (text.length < PARAGRAPH_BYTES) text += `${growth.grow(pick(pool.sentences))} `;
        parts.push(text.trimEnd());
      }
    }
    const folder = `part-${String(Math.floor(number / 500)).padStart(3, "0")}`;
    yield {
      path: `${folder}/document-${String(number).padStart(6, "0")}.md`,
      markdown: `${parts.join("\n\n")}\n`,
      language: pool.language,
    };
  }
}

/** Makes new words where the vocabulary has fallen behind. */
class Growth {
  readonly #known = new Set<string>();
  readonly #recent: string[] = [];
  #words = 0;

  constructor(readonly random: () => number) {}

  grow(sentence: string): string {
    const words = sentence.split(" ");
    let longest = 0;
    words.forEach((word, i) => {
      if (word.length > words[longest]!.length) longest = i;
      this.#known.add(word.toLowerCase());
    });
    this.#words += words.length;
    // Words with their punctuation are counted here, about one and a half a form.
    if (this.#known.size >= 1.5 * expectedVocabulary(this.#words)) return sentence;
    const made = this.#newWord(words[longest]!.replace(/[^\p{L}\p{M}\p{N}]/gu, ""));
    this.#known.add(made);
    words[longest] = made;
    return words.join(" ");
  }

  #newWord(word: string): string {
    const { random } = this;
    const recent = this.#recent;
    const other = recent[Math.floor(random() * recent.length)] ?? "";
    if (word !== "") recent[recent.length < 5000 ? recent.length : Math.floor(random() * 5000)] = word.toLowerCase();
    const kind = random();
    if (kind < 0.35) return other + word.toLowerCase();
    if (kind < 0.55)
      return word + ["s", "ed", "ing", "ization", "like", "less", "ers", "ally"][Math.floor(random() * 8)]!;
    const at = Math.floor(random() * Math.max(1, word.length));
    if (kind < 0.8) return word.slice(0, at) + "lcnrmuie"[Math.floor(random() * 8)]! + word.slice(at + 1);
    return String(Math.floor(random() * 10_000_000));
  }
}
