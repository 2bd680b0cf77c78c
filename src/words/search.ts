import { together } from "../format/not-here-yet.js";
import { compareCodePoints } from "../text/code-points.js";
import { addTerm, inverseDocumentFrequency, lengthNorms } from "./bm25.js";
import type { WordIndex } from "./dictionary.js";
import { GramIndex, scanForGrams, type FormsByGram } from "./gram-index.js";
import type { PostingPlace } from "./form-entries.js";
import { beginningWith, stringAt, type SortedStrings } from "./front-coding.js";
import { Lexicon } from "./lexicon.js";
import { AskedGrams, mostAlike, newLikenessRoom, WHOLE, type AlikeForm, type LikenessRoom } from "./likeness.js";
import { mayBeMisread, readingsOf } from "./misread.js";
import { PostingCache } from "./posting-cache.js";
import { addDecoded, newAccumulator, type Accumulator } from "./postings.js";
import type { AskedWord, WordQuestion } from "./question.js";
import { Best } from "./best.js";
import { Trigrams, type FormsHolding } from "./spelling.js";
import { isWithin, type KnownForms } from "./vocabulary.js";

/** The constants of the ranking, set on all collections of the bench together (spec/words.md §9). */
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
  stem: { k1: 1.35, b: 0.6 },
  likeness: { k1: 1.05, b: 0.6 },
  leastLikeness: 0.25,
  mostAlike: 100,
  likenessWeight: 0.8,
};

/** A passage that was found. Within one question greater scores are better; a score means nothing outside it. */
export interface WordHit {
  /** Place of its package among the mounted ones. */
  readonly package: number;
  /** Its number in that package. */
  readonly passage: number;
  readonly score: number;
}

/** The answer to a question. */
export interface WordAnswer {
  /** The best passages, best first. */
  readonly hits: readonly WordHit[];
  /** How many passages hold a form that was asked for; with phrases, those that hold all of their words. */
  readonly found: number;
  /** The forms by which passages were found: those of an asked stem, and those at least half alike to an asked word. */
  readonly forms: readonly string[];
  /**
   * By asked word that no package knows: the forms that it was read as, for in print they look like it and one of the two is spelt
   * like no word (spec/words.md §8). No entry for any other word.
   */
  readonly readAs: Readonly<Record<string, readonly string[]>>;
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
  /**
   * Whether words also find forms that are like them, "with" unless given. Likeness looks at every form of every package: of
   * one that is far away an answer "without" reads a few blocks alone. It is another answer, by stem; nothing is read as
   * what it looks like in print.
   */
  readonly likeness?: "with" | "without" | undefined;
}

/** Lists of so many postings are kept decoded, within so many bytes: shorter ones are decoded sooner than they are found. */
const MANY = 128;
const DECODED_BYTES = 1 << 23;

/** Postings of forms, by package. */
type PostingPlaces = readonly (readonly PostingPlace[])[];

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
  readonly #stemNorms: Float32Array;
  readonly #likenessNorms: Float32Array;
  /** Scores by passage of the question that is being answered. */
  readonly #byStem: Float64Array;
  readonly #byLikeness: Float64Array;
  /** 1 for each passage that has one. */
  readonly #met: Uint8Array;
  /** How many have. */
  #found = 0;
  /** The greatest of them. */
  #greatest = { byStem: 0, byLikeness: 0 };
  readonly #term: Accumulator;
  readonly #decoded = new PostingCache(DECODED_BYTES);
  /** Forms to be named in the answer. */
  readonly #matched = new Set<string>();
  /** Forms that the words were read as. */
  readonly #readAs = new Map<string, readonly string[]>();
  #lexicon: Lexicon | undefined;
  #grams: GramIndex | undefined;
  #trigrams: Trigrams | undefined;
  #likenessRoom: LikenessRoom | undefined;
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
    this.#stemNorms = lengthNorms(lengths, words, rules.stem.b);
    this.#likenessNorms =
      rules.likeness.b === rules.stem.b ? this.#stemNorms : lengthNorms(lengths, words, rules.likeness.b);
    this.#byStem = new Float64Array(passages);
    this.#byLikeness = new Float64Array(passages);
    this.#met = new Uint8Array(passages);
    this.#term = newAccumulator(passages);
  }

  /** The best passages for a question, best first. Synchronous; may throw where a stream does: ask again then. */
  search(question: WordQuestion, options: WordSearchOptions): WordAnswer {
    const { words, phrases } = question;
    if (words.length === 0 || this.#passages === 0) return { hits: [], found: 0, forms: [], readAs: {} };
    this.#score(words, options.likeness ?? "with");
    const answer = phrases.length === 0 ? this.#best(options) : this.#holding(phrases, options);
    return { ...answer, forms: [...this.#matched], readAs: Object.fromEntries(this.#readAs) };
  }

  /**
   * How much of a question's words one of some passages holds, in any inflection: the greatest share, the words weighed by
   * their idf. Function words do not count while there are others. It says whether the words of a question stand together.
   */
  coverage({ words }: WordQuestion, passages: readonly Pick<WordHit, "package" | "passage">[]): number {
    if (passages.length === 0 || this.#passages === 0) return 0;
    const held = new Float64Array(passages.length);
    let all = 0;
    const asked = meaningfulOf(words);
    this.#wantWords(asked);
    const places = asked.map((word) => {
      const read = this.#readAs.get(word.form);
      return this.#places(read === undefined ? this.#formsByStem(word) : this.#formsCalled(read));
    });
    this.#wantPostings(places);
    for (const place of places) {
      this.#guard(() => {
        this.#addPostings(place, () => 1);
      });
      const { sums, touched, count } = this.#term;
      const idf = inverseDocumentFrequency(this.#passages, count);
      all += idf;
      passages.forEach((one, i) => {
        if (sums[this.#bases[one.package]! + one.passage]! > 0) held[i]! += idf;
      });
      for (let i = 0; i < count; i++) sums[touched[i]!] = 0;
      this.#term.count = 0;
    }
    return all === 0 ? 0 : Math.max(...held) / all;
  }

  /** What the scores of both answers are multiplied by before they are added: each answer's best score comes to its weight. */
  #factors(): { byStem: number; byLikeness: number } {
    const { byStem, byLikeness } = this.#greatest;
    return {
      byStem: byStem > 0 ? 1 / byStem : 0,
      byLikeness: byLikeness > 0 ? this.#rules.likenessWeight / byLikeness : 0,
    };
  }

  #best(options: WordSearchOptions): Omit<WordAnswer, "forms" | "readAs"> {
    const { filter } = options;
    const byStem = this.#byStem;
    const byLikeness = this.#byLikeness;
    const factors = this.#factors();
    const best = new Best(options.limit, (a, b) => this.#order(a, b, options));
    let least = Math.max(best.least, Number.MIN_VALUE);
    let filtered = 0;
    for (let i = 0; i < this.#indexes.length; i++) {
      const base = this.#bases[i]!;
      const end = base + this.#indexes[i]!.passages;
      for (let at = base; at < end; at++) {
        const score = byStem[at]! * factors.byStem + byLikeness[at]! * factors.byLikeness;
        if (filter !== undefined) {
          if (score === 0 || !filter(i, at - base)) continue;
          filtered++;
        }
        if (score < least) continue;
        const hit = { package: i, passage: at - base, score };
        if (!best.wouldKeep(hit)) continue;
        best.add(hit);
        least = Math.max(best.least, Number.MIN_VALUE);
      }
    }
    return { hits: best.sorted(), found: filter === undefined ? this.#found : filtered };
  }

  /** The best passages that hold the phrases: those with all their words, and of these, best first, until enough hold them. */
  #holding(phrases: WordQuestion["phrases"], options: WordSearchOptions): Omit<WordAnswer, "forms" | "readAs"> {
    const { filter, holdsPhrase } = options;
    const candidates: WordHit[] = [];
    const factors = this.#factors();
    const { held, all } = this.#unitsHeld(new Set(phrases.flat()));
    this.#indexes.forEach((index, i) => {
      const base = this.#bases[i]!;
      for (let passage = 0; passage < index.passages; passage++) {
        const at = base + passage;
        const score = this.#byStem[at]! * factors.byStem + this.#byLikeness[at]! * factors.byLikeness;
        if (score === 0 || held[at] !== all || (filter !== undefined && !filter(i, passage))) continue;
        candidates.push({ package: i, passage, score });
      }
    });
    candidates.sort((a, b) => this.#order(a, b, options));
    const hits: WordHit[] = [];
    for (const hit of candidates) {
      if (hits.length >= options.limit) break;
      if (phrases.every((phrase) => holdsPhrase?.(hit.package, hit.passage, phrase) ?? true)) hits.push(hit);
    }
    return { hits, found: hits.length === 0 ? 0 : candidates.length };
  }

  /** How many of the units each passage holds, of those that are forms of the index: Korean syllables are not. */
  #unitsHeld(units: ReadonlySet<string>): { held: Uint16Array; all: number } {
    const held = new Uint16Array(this.#passages);
    const asked = [...units].filter((unit) => !/\p{Script=Hangul}/u.test(unit));
    this.#wantWords(asked.map((form) => ({ form, stems: [] })));
    const places = asked.map((unit) => this.#places(this.#formsCalled([unit])));
    this.#wantPostings(places);
    for (const place of places) {
      this.#guard(() => {
        this.#addPostings(place, () => 1);
      });
      const { sums, touched, count } = this.#term;
      for (let i = 0; i < count; i++) {
        const passage = touched[i]!;
        held[passage]! += 1;
        sums[passage] = 0;
      }
      this.#term.count = 0;
    }
    return { held, all: asked.length };
  }

  /** A stream that throws in the middle of a term leaves sums that are of no use to the next question. */
  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#term.sums.fill(0);
      this.#term.count = 0;
      throw error;
    }
  }

  #order(a: WordHit, b: WordHit, { order }: WordSearchOptions): number {
    if (a.score !== b.score) return b.score - a.score;
    const given = order === undefined ? 0 : order(a, b);
    if (given !== 0) return given;
    return a.package === b.package ? a.passage - b.passage : a.package - b.package;
  }

  #score(words: readonly AskedWord[], likeness: "with" | "without"): void {
    this.#greatest = { byStem: 0, byLikeness: 0 };
    this.#byStem.fill(0);
    this.#byLikeness.fill(0);
    this.#met.fill(0);
    this.#found = 0;
    this.#matched.clear();
    this.#readAs.clear();
    const asked = meaningfulOf(words);
    this.#wantWords(asked);
    const byStem = asked.map((word) => this.#formsByStem(word));
    if (likeness === "with") this.#readMisread(asked, byStem);
    const stemPlaces = byStem.map((forms) => this.#places(forms));
    this.#wantPostings(stemPlaces);
    this.#guard(() => {
      this.#scoreByStem(asked, byStem, stemPlaces);
      if (likeness === "with") this.#scoreByLikeness(asked);
    });
    if (likeness === "with") this.#asked++;
  }

  /** The forms of all packages together. Reads every dictionary whole. */
  #allForms(): Lexicon {
    if (this.#lexicon !== undefined) return this.#lexicon;
    together(
      this.#indexes.map((index) => () => {
        index.wantForms();
      }),
    );
    return (this.#lexicon = new Lexicon(this.#indexes));
  }

  #wantWords(words: readonly Pick<AskedWord, "form" | "stems">[]): void {
    together(
      this.#indexes.map((index) => () => {
        index.wantWords(words);
      }),
    );
  }

  #wantPostings(places: readonly PostingPlaces[]): void {
    together(
      this.#indexes.map((index, i) => () => {
        index.wantPostings(places.flatMap((byPackage) => byPackage[i]!));
      }),
    );
  }

  /** Reads the words that have no form as what they look like, and gives them the forms of that, inflected ones too. */
  #readMisread(words: readonly AskedWord[], byStem: number[][][]): void {
    const places = words.flatMap((word, i) => (this.#isUnknown(word, byStem[i]!) ? [i] : []));
    if (places.length === 0) return;
    const { forms } = this.#allForms();
    const readings = readingsOf(
      forms,
      places.map((i) => words[i]!.form),
      this.#formsHolding(forms),
    );
    places.forEach((i, at) => {
      const read = readings[at]!.map((form) => stringAt(forms, form));
      if (read.length === 0) return;
      this.#readAs.set(words[i]!.form, read);
      const languages = new Set(words[i]!.stems.map(({ language }) => language));
      const inflections = read.map((form) => this.#inflectionsOf(form, languages));
      byStem[i] = this.#indexes.map((_, own) => ascending(inflections.flatMap((byPackage) => byPackage[own]!)));
    });
  }

  /** Whether nothing in any package is a form of the word, nor holds it, so that it may have been misread. */
  #isUnknown({ form, kind }: AskedWord, byStem: readonly (readonly number[])[]): boolean {
    const none = byStem.every((forms) => forms.length === 0);
    return kind === "word" && none && mayBeMisread(form) && !isWithin(this.#knownForms(), form);
  }

  /** The forms of all packages as those of one: what one package does not know of a form, another may. */
  #knownForms(): KnownForms {
    const lexicon = this.#allForms();
    const { forms } = lexicon;
    return {
      formAt: (form) => stringAt(forms, form),
      bytesIn: (form) => forms.offsets[form + 1]! - forms.offsets[form]!,
      beginningWith: (beginning) => beginningWith(forms, beginning),
      findForm: (form) => lexicon.find(form),
      stemsOf: (form) => this.#indexes.flatMap((index) => index.stemsOf(form)),
    };
  }

  /** By package: a form and those that share a stem with it in one of these languages. */
  #inflectionsOf(form: string, languages: ReadonlySet<string>): number[][] {
    const stems = this.#indexes.flatMap((index) => index.stemsOf(form));
    return this.#formsByStem({ form, stems: stems.filter(({ language }) => languages.has(language)) });
  }

  #scoreByStem(
    words: readonly AskedWord[],
    byStem: readonly (readonly (readonly number[])[])[],
    places: readonly PostingPlaces[],
  ): void {
    const { k1 } = this.#rules.stem;
    words.forEach((word, i) => {
      const names = byStem[i]!.flatMap((forms, own) => forms.map((form) => this.#indexes[own]!.formAt(form)));
      for (const name of names.sort(compareCodePoints)) this.#matched.add(name);
      this.#addPostings(places[i]!, () => 1);
      const weight = Math.sqrt(word.count);
      this.#addTermTo("byStem", 1, this.#term.count, weight, k1);
    });
  }

  /**
   * By package: the forms with a stem of the word, and the word itself. A form that has the stem in one package counts in all:
   * a package without a passage in that language does not know.
   */
  #formsByStem({ form, stems }: Pick<AskedWord, "form" | "stems">): number[][] {
    const names = new Set([form]);
    for (const index of this.#indexes) {
      for (const { language, stem } of stems)
        for (const inflected of index.formsOfStem(stem, language)) names.add(index.formAt(inflected));
    }
    return this.#formsCalled([...names]);
  }

  /** By package: the numbers of forms, ascending. */
  #formsCalled(names: readonly string[]): number[][] {
    this.#wantWords(names.map((form) => ({ form, stems: [] })));
    return this.#indexes.map((index) =>
      ascending(names.map((name) => index.findForm(name)).filter((form) => form >= 0)),
    );
  }

  #places(byPackage: readonly (readonly number[])[]): PostingPlaces {
    return byPackage.map((forms, i) => forms.map((form) => this.#indexes[i]!.postingsOf(form)));
  }

  #scoreByLikeness(words: readonly AskedWord[]): void {
    const { likeness, leastLikeness, mostAlike: most } = this.#rules;
    const lexicon = this.#allForms();
    const grams = new AskedGrams(words.map((word) => (isExact(word) ? undefined : word.form)));
    const found = mostAlike(grams, this.#findGrams(grams, lexicon), this.#room(lexicon), leastLikeness, most);
    const alike = words.map((word, i) => this.#alikeTo(word, found[i]!, lexicon));
    for (const forms of alike)
      for (const one of forms) if (one.likeness >= WHOLE / 2) this.#matched.add(stringAt(lexicon.forms, one.form));
    const weights = alike.map((forms) => this.#indexes.map((_, i) => heldBy(lexicon, i, forms)));
    const places = weights.map((byPackage) => this.#places(byPackage.map((held) => held.map(({ form }) => form))));
    this.#wantPostings(places);
    words.forEach((word, i) => {
      this.#addPostings(places[i]!, (own, at) => weights[i]![own]![at]!.likeness);
      const weight = Math.sqrt(word.count * Math.max(1, grams.byWord[i]!.length));
      const documents = this.#likenessDocuments();
      this.#addTermTo("byLikeness", WHOLE, documents, weight, likeness.k1);
    });
  }

  /** What a word was read as is as good as the word; a piece is alike to itself alone. */
  #alikeTo(word: AskedWord, alike: readonly AlikeForm[], lexicon: Lexicon): readonly AlikeForm[] {
    const { form } = word;
    if (isExact(word)) return itself(lexicon.find(form));
    const read = this.#readAs.get(form);
    if (read === undefined) return alike;
    const numbers = read.map((one) => lexicon.find(one));
    return [...numbers.flatMap(itself), ...alike.filter((one) => !numbers.includes(one.form))];
  }

  #room(lexicon: Lexicon): LikenessRoom {
    return (this.#likenessRoom ??= newLikenessRoom(lexicon.forms.count));
  }

  /** Sum over the passages of the term of min(1, likeness × frequency). */
  #likenessDocuments(): number {
    const { sums, touched, count } = this.#term;
    let documents = 0;
    for (let i = 0; i < count; i++) documents += Math.min(WHOLE, sums[touched[i]!]!);
    return documents / WHOLE;
  }

  /** The first question reads every form once; from the second on the trigrams of all are kept, counted. */
  #formsHolding(forms: SortedStrings): FormsHolding | undefined {
    if (this.#asked > 0) this.#trigrams ??= new Trigrams(forms);
    const kept = this.#trigrams;
    return kept && ((wanted) => kept.holding(wanted));
  }

  /** The first question reads every form once; from the second on an index of the grams is kept. */
  #findGrams(asked: AskedGrams, lexicon: Lexicon): FormsByGram {
    if (this.#asked > 0) this.#grams ??= new GramIndex(lexicon.forms);
    return this.#grams?.find(asked.grams) ?? scanForGrams(lexicon.forms, asked.grams);
  }

  /**
   * Adds postings to the present term. Package by package: the sums of one stay in the processor's cache, where going from
   * package to package with every form threw them out.
   */
  #addPostings(places: PostingPlaces, weightOf: (own: number, at: number) => number): void {
    places.forEach((own, i) => {
      own.forEach((place, at) => {
        const index = this.#indexes[i]!;
        const weight = weightOf(i, at);
        if (place.documents < MANY) {
          index.addPostings(place, this.#bases[i]!, weight, this.#term);
        } else {
          const list = this.#decoded.get(i, place.form, () => index.decodePostings(place));
          addDecoded(list, this.#bases[i]!, weight, this.#term);
        }
      });
    });
  }

  /** Adds the present term to one of the answers. */
  #addTermTo(answer: "byStem" | "byLikeness", unit: number, documents: number, weight: number, k1: number): void {
    const idf = inverseDocumentFrequency(this.#passages, documents);
    const [scores, norms] =
      answer === "byStem" ? [this.#byStem, this.#stemNorms] : [this.#byLikeness, this.#likenessNorms];
    const added = addTerm(this.#term, unit, weight * idf, k1, norms, { scores, met: this.#met });
    this.#greatest[answer] = Math.max(this.#greatest[answer], added.greatest);
    this.#found += added.met;
  }
}

/** The words that are no function words, or all where there are no others. */
export function meaningfulOf(words: readonly AskedWord[]): readonly AskedWord[] {
  const meaningful = words.filter((word) => !word.functionWord);
  return meaningful.length > 0 ? meaningful : words;
}

/**
 * A piece of a script without spaces has no grams; and of numbers and part codes each is another, however alike. Names such
 * as CD4 and IL6 are no codes: likeness finds their inflections, .005 of SciFact.
 */
function isExact({ kind, form }: AskedWord): boolean {
  return kind === "piece" || /\p{N}{3}/u.test(form);
}

/** Those of the forms that a package has, by their numbers there. */
function heldBy(lexicon: Lexicon, own: number, forms: readonly AlikeForm[]): AlikeForm[] {
  const held: AlikeForm[] = [];
  for (const { form, likeness } of forms) {
    const local = lexicon.local(own, form);
    if (local >= 0) held.push({ form: local, likeness });
  }
  return held;
}

function ascending(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}

function itself(form: number): AlikeForm[] {
  return form < 0 ? [] : [{ form, likeness: WHOLE }];
}
