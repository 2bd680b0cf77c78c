import { addTerm, inverseDocumentFrequency, lengthNorms } from "./bm25.js";
import type { WordIndex } from "./dictionary.js";
import { GramIndex, scanForGrams, type FormsByGram } from "./gram-index.js";
import { Lexicon } from "./lexicon.js";
import { AskedGrams, mostAlike, WHOLE, type AlikeForm } from "./likeness.js";
import { clearAccumulator, newAccumulator, type Accumulator } from "./postings.js";
import type { AskedWord, WordQuestion } from "./question.js";
import { Best } from "./best.js";

/** Version of the ranking rules in spec/words.md §5 to §7. Nothing in a package depends on it. */
export const RANKING_VERSION = 1;

/** The constants of the ranking, set on all collections of the bench together (spec/words.md §8). */
export interface RankingRules {
  readonly stem: { readonly k1: number; readonly b: number };
  readonly likeness: { readonly k1: number; readonly b: number };
  /** Least likeness that counts. */
  readonly leastLikeness: number;
  /** Forms that a word is likened to, at most. */
  readonly mostAlike: number;
  /** What the answer by likeness weighs beside the answer by stem. */
  readonly likenessWeight: number;
}

export const RANKING: RankingRules = {
  stem: { k1: 1.5, b: 0.75 },
  likeness: { k1: 1.2, b: 0.75 },
  leastLikeness: 0.25,
  mostAlike: 200,
  likenessWeight: 0.7,
};

/** A passage that was found. Within one question greater scores are better; a score means nothing outside it. */
export interface WordHit {
  /** Place of its package among the mounted ones. */
  readonly package: number;
  /** Its number in that package. */
  readonly passage: number;
  readonly score: number;
}

export interface WordSearchOptions {
  /** How many hits at most. */
  readonly limit: number;
  /** Which passages may be found. It narrows the answer and changes no score. */
  readonly filter?: ((packageNumber: number, passage: number) => boolean) | undefined;
  /** Whether a passage holds a phrase; needed where the question has phrases (spec/words.md §7). */
  readonly holdsPhrase?: ((packageNumber: number, passage: number, phrase: readonly string[]) => boolean) | undefined;
  /**
   * Order of two hits of equal score: negative where `a` comes first. Without it, package and passage number. A caller
   * with several packages gives one that does not depend on the order of mounting.
   */
  readonly order?: ((a: WordHit, b: WordHit) => number) | undefined;
}

/**
 * The words of all mounted packages as one collection. Passage counts, lengths and document frequencies are sums, gram
 * weights and most alike forms come from the union of the dictionaries, and sums that could depend on an order are sums
 * of integers: splitting a collection into packages changes no score.
 */
export class WordSearch {
  readonly #indexes: readonly WordIndex[];
  readonly #rules: RankingRules;
  readonly #bases: readonly number[];
  readonly #passages: number;
  readonly #stemNorms: Float64Array;
  readonly #likenessNorms: Float64Array;
  readonly #term: Accumulator;
  #lexicon: Lexicon | undefined;
  #grams: GramIndex | undefined;
  #asked = 0;

  constructor(indexes: readonly WordIndex[], rules: RankingRules = RANKING) {
    this.#indexes = indexes;
    this.#rules = rules;
    let passages = 0;
    this.#bases = indexes.map((index) => {
      const base = passages;
      passages += index.passages;
      return base;
    });
    this.#passages = passages;
    const lengths = indexes.map((index) => index.lengths);
    const words = indexes.reduce((sum, index) => sum + index.words, 0);
    this.#stemNorms = lengthNorms(lengths, words, rules.stem);
    this.#likenessNorms = lengthNorms(lengths, words, rules.likeness);
    this.#term = newAccumulator(passages);
  }

  /** The best passages for a question, best first. Synchronous; may throw where a stream does: ask again then. */
  search(question: WordQuestion, options: WordSearchOptions): WordHit[] {
    const { words } = question;
    if (words.length === 0 || this.#passages === 0) return [];
    let scores: Float64Array;
    try {
      scores = this.#score(words);
    } catch (error) {
      // A stream threw in the middle of a term: what had been added up is of no use to the next question.
      this.#term.sums.fill(0);
      this.#term.count = 0;
      throw error;
    }
    const best = new Best(options.limit, (a, b) => this.#order(a, b, options));
    for (let i = 0; i < this.#indexes.length; i++) {
      const base = this.#bases[i]!;
      const { passages } = this.#indexes[i]!;
      for (let passage = 0; passage < passages; passage++) {
        const score = scores[base + passage]!;
        if (score === 0 || score < best.least) continue;
        const hit = { package: i, passage, score };
        if (best.wouldKeep(hit) && this.#admits(question, hit, options)) best.add(hit);
      }
    }
    return best.sorted();
  }

  #order(a: WordHit, b: WordHit, { order }: WordSearchOptions): number {
    if (a.score !== b.score) return b.score - a.score;
    const given = order === undefined ? 0 : order(a, b);
    if (given !== 0) return given;
    return a.package === b.package ? a.passage - b.passage : a.package - b.package;
  }

  #admits({ phrases }: WordQuestion, hit: WordHit, { filter, holdsPhrase }: WordSearchOptions): boolean {
    if (filter !== undefined && !filter(hit.package, hit.passage)) return false;
    return phrases.every((phrase) => holdsPhrase?.(hit.package, hit.passage, phrase) ?? true);
  }

  /** Both answers, each divided by its best score, and added. */
  #score(words: readonly AskedWord[]): Float64Array {
    this.#lexicon ??= new Lexicon(this.#indexes);
    const scores = this.#scoreByStem(words);
    const byLikeness = this.#scoreByLikeness(words, this.#lexicon);
    this.#asked++;
    const stemBest = greatest(scores);
    const likenessBest = greatest(byLikeness);
    const stemFactor = stemBest > 0 ? 1 / stemBest : 0;
    const likenessFactor = likenessBest > 0 ? this.#rules.likenessWeight / likenessBest : 0;
    for (let i = 0; i < scores.length; i++) {
      scores[i] = scores[i]! * stemFactor + byLikeness[i]! * likenessFactor;
    }
    return scores;
  }

  #scoreByStem(words: readonly AskedWord[]): Float64Array {
    const { k1 } = this.#rules.stem;
    const scores = new Float64Array(this.#passages);
    const meaningful = words.filter((word) => !word.functionWord);
    for (const word of meaningful.length > 0 ? meaningful : words) {
      for (const form of this.#formsByStem(word)) this.#addForm(form, 1);
      this.#addTermTo(scores, 1, this.#term.count, word.count, k1, this.#stemNorms);
    }
    return scores;
  }

  /** The lexicon's forms with a stem of the word, and the word itself; ascending. */
  #formsByStem(word: AskedWord): number[] {
    const lexicon = this.#lexicon!;
    const forms = new Set<number>();
    const own = lexicon.find(word.form);
    if (own >= 0) forms.add(own);
    this.#indexes.forEach((index, i) => {
      for (const { language, stem } of word.stems) {
        for (const form of index.formsOfStem(stem, language)) forms.add(lexicon.here(i, form));
      }
    });
    return [...forms];
  }

  #scoreByLikeness(words: readonly AskedWord[], lexicon: Lexicon): Float64Array {
    const { k1 } = this.#rules.likeness;
    const scores = new Float64Array(this.#passages);
    const meaningful = words.filter((word) => !word.functionWord);
    const asked = meaningful.length > 0 ? meaningful : words;
    const grams = new AskedGrams(asked.map((word) => (word.kind === "word" ? word.form : "")));
    const alike = mostAlike(
      grams,
      this.#findGrams(grams, lexicon),
      lexicon.forms.count,
      this.#rules.leastLikeness,
      this.#rules.mostAlike,
    );
    asked.forEach((word, i) => {
      const isWord = word.kind === "word";
      for (const { form, likeness } of isWord ? alike[i]! : itself(lexicon.find(word.form)))
        this.#addForm(form, likeness);
      const { sums, touched, count } = this.#term;
      let documents = 0;
      for (let at = 0; at < count; at++) documents += Math.min(WHOLE, sums[touched[at]!]!);
      const weight = word.count * (isWord ? grams.byWord[i]!.length : 1);
      this.#addTermTo(scores, WHOLE, documents / WHOLE, weight, k1, this.#likenessNorms);
    });
    return scores;
  }

  /** The first question reads every form once; from the second on an index of the grams is kept. */
  #findGrams(asked: AskedGrams, lexicon: Lexicon): FormsByGram {
    if (this.#asked > 0) this.#grams ??= new GramIndex(lexicon.forms);
    return this.#grams?.find(asked.grams) ?? scanForGrams(lexicon.forms, asked.grams);
  }

  #addForm(form: number, weight: number): void {
    for (let i = 0; i < this.#indexes.length; i++) {
      const local = this.#lexicon!.local(i, form);
      if (local >= 0) this.#indexes[i]!.addPostings(local, this.#bases[i]!, weight, this.#term);
    }
  }

  #addTermTo(
    scores: Float64Array,
    unit: number,
    documents: number,
    weight: number,
    k1: number,
    norms: Float64Array,
  ): void {
    const idf = inverseDocumentFrequency(this.#passages, documents);
    addTerm(this.#term, unit, weight * idf, k1, norms, scores);
    clearAccumulator(this.#term);
  }
}

function itself(form: number): AlikeForm[] {
  return form < 0 ? [] : [{ form, likeness: WHOLE }];
}

function greatest(scores: Float64Array): number {
  let best = 0;
  for (const score of scores) if (score > best) best = score;
  return best;
}
