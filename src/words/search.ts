import { LeastRecent } from "../format/least-recent.js";
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
import { addDecoded, newAccumulator, type Accumulator, type DecodedPostings } from "./postings.js";
import type { AskedWord, WordQuestion } from "./question.js";
import { PassageScores } from "./scores.js";
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
  /** By asked word that no package holds in any inflection: the forms, three at most, that are most like it, where any is at least half. */
  readonly likenedTo: Readonly<Record<string, readonly string[]>>;
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

/** Forms that an answer names of those like a word. */
const NAMED_ALIKE = 3;

/** Words whose forms are kept: those of a question, which are asked twice, and those before, which come back in others. */
const KEPT_WORDS = 256;

/** Lists of so many postings are kept decoded, within so many bytes: shorter ones are decoded sooner than they are found. */
const MANY = 128;
const DECODED_BYTES = 1 << 24;

/** Some forms: how they are written, each once and in the order of code points, and their numbers in each package, ascending. */
interface FoundForms {
  readonly names: readonly string[];
  readonly byPackage: readonly (readonly number[])[];
}

/** Postings of forms, by package. */
type PostingPlaces = readonly (readonly PostingPlace[])[];

/** The forms that are most alike to a word, and how many grams it has. */
interface AlikeForms {
  readonly forms: readonly AlikeForm[];
  readonly grams: number;
}

/** The forms by which a word is found by stem, and where their postings are. */
interface AskedStem {
  readonly names: readonly string[];
  readonly places: PostingPlaces;
  /** Passages that hold one of them; undefined until they were counted. */
  documents: number | undefined;
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
  readonly #stemNorms: Float32Array;
  readonly #likenessNorms: Float32Array;
  /** Of the question that is being answered. */
  readonly #scores: PassageScores;
  readonly #term: Accumulator;
  readonly #decoded = new PostingCache(DECODED_BYTES);
  readonly #stems = new LeastRecent<AskedStem, string>(KEPT_WORDS);
  readonly #alike = new LeastRecent<AlikeForms, string>(KEPT_WORDS);
  /** Forms to be named in the answer. */
  readonly #matched = new Set<string>();
  /** Forms that the words were read as. */
  readonly #readAs = new Map<string, readonly string[]>();
  /** Forms that stand for a word that is nowhere. */
  readonly #likenedTo = new Map<string, readonly string[]>();
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
    this.#scores = new PassageScores(passages, { byStem: 1, byLikeness: rules.likenessWeight });
    this.#term = newAccumulator(passages);
  }

  /** The best passages for a question, best first. Synchronous; may throw where a stream does: ask again then. */
  search(question: WordQuestion, options: WordSearchOptions): WordAnswer {
    const steps = this.steps(question, options);
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return value;
    }
  }

  /**
   * The same in steps, a word each: between them the thread may do something else, but ask nothing of this search. One that
   * throws is over; nobody may leave them off.
   */
  *steps(question: WordQuestion, options: WordSearchOptions): Generator<undefined, WordAnswer> {
    const { words, phrases } = question;
    if (words.length === 0 || this.#passages === 0) return { hits: [], found: 0, forms: [], readAs: {}, likenedTo: {} };
    yield* this.#score(words, options.likeness ?? "with");
    this.#scores.end();
    const answer = phrases.length === 0 ? this.#best(options) : this.#holding(phrases, options);
    return {
      ...answer,
      forms: [...this.#matched],
      readAs: Object.fromEntries(this.#readAs),
      likenedTo: Object.fromEntries(this.#likenedTo),
    };
  }

  /**
   * How much of a question's words one of some passages holds, in any inflection: the greatest share, the words weighed by
   * their idf. Function words do not count while there are others. It says whether the words of a question stand together.
   *
   * @param readAs what the answer to the question says that its words were read as
   */
  coverage(
    { words }: WordQuestion,
    passages: readonly Pick<WordHit, "package" | "passage">[],
    readAs: WordAnswer["readAs"] = {},
  ): number {
    if (passages.length === 0 || this.#passages === 0) return 0;
    const held = new Float64Array(passages.length);
    let all = 0;
    const asked = meaningfulOf(words);
    this.#wantWords(asked);
    const stems = asked.map((word) =>
      this.#stemOf(word, Object.hasOwn(readAs, word.form) ? readAs[word.form] : undefined),
    );
    this.#wantPostings(stems.map(({ places }) => places));
    for (const stem of stems) {
      const idf = inverseDocumentFrequency(this.#passages, (stem.documents ??= this.#countPassages(stem.places)));
      all += idf;
      const holding = this.#passagesHolding(stem.places, passages);
      passages.forEach((one, i) => {
        if (holding[i] === true) held[i]! += idf;
      });
    }
    return all === 0 ? 0 : Math.max(...held) / all;
  }

  /** How many passages hold one of some forms. */
  #countPassages(places: PostingPlaces): number {
    this.#guard(() => {
      this.#addPostings(places, () => 1);
    });
    const { count } = this.#term;
    this.#clearTouched();
    return count;
  }

  /** Which of some passages hold one of some forms. */
  #passagesHolding(places: PostingPlaces, passages: readonly Pick<WordHit, "package" | "passage">[]): boolean[] {
    const holding = passages.map(() => false);
    for (const own of new Set(passages.map((one) => one.package)))
      for (const place of places[own]!) {
        const list = this.#decodedList(own, place).passages;
        passages.forEach((one, i) => {
          if (one.package === own && isAmong(list, one.passage)) holding[i] = true;
        });
      }
    return holding;
  }

  #best(options: WordSearchOptions): Pick<WordAnswer, "hits" | "found"> {
    const { filter } = options;
    const scores = this.#scores;
    const best = new Best(options.limit, (a, b) => this.#order(a, b, options));
    scores.forEach(
      () => best.least,
      (at, score) => {
        const hit = { ...this.#placeOf(at), score };
        if (filter?.(hit.package, hit.passage) !== false && best.wouldKeep(hit)) best.add(hit);
      },
    );
    const found = filter === undefined ? scores.count() : this.#countFiltered(filter);
    return { hits: best.sorted(), found };
  }

  #countFiltered(filter: NonNullable<WordSearchOptions["filter"]>): number {
    let count = 0;
    this.#scores.forEach(
      () => 0,
      (at) => {
        const { package: own, passage } = this.#placeOf(at);
        if (filter(own, passage)) count++;
      },
    );
    return count;
  }

  /** The passage of that number among all mounted ones. */
  #placeOf(at: number): Omit<WordHit, "score"> {
    let own = this.#bases.length - 1;
    while (this.#bases[own]! > at) own--;
    return { package: own, passage: at - this.#bases[own]! };
  }

  /** The best passages that hold the phrases: those with all their words, and of these, best first, until enough hold them. */
  #holding(phrases: WordQuestion["phrases"], options: WordSearchOptions): Pick<WordAnswer, "hits" | "found"> {
    const { filter, holdsPhrase } = options;
    const candidates: WordHit[] = [];
    const { held, all } = this.#unitsHeld(new Set(phrases.flat()));
    this.#indexes.forEach((index, i) => {
      const base = this.#bases[i]!;
      for (let passage = 0; passage < index.passages; passage++) {
        const at = base + passage;
        const score = this.#scores.at(at);
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
    const places = asked.map((unit) => this.#places(this.#formsCalled([unit]).byPackage));
    this.#wantPostings(places);
    for (const place of places) {
      this.#guard(() => {
        this.#addPostings(place, () => 1);
      });
      const { touched, count } = this.#term;
      for (let i = 0; i < count; i++) held[touched[i]!]! += 1;
      this.#clearTouched();
    }
    return { held, all: asked.length };
  }

  /** Empties a term that is added to no answer. */
  #clearTouched(): void {
    const { sums, touched, count } = this.#term;
    for (let i = 0; i < count; i++) sums[touched[i]!] = 0;
    this.#term.count = 0;
  }

  /** A stream that throws in the middle of a term leaves sums that are of no use to the next question. */
  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#clearTerm();
      throw error;
    }
  }

  #clearTerm(): void {
    this.#term.sums.fill(0);
    this.#term.count = 0;
  }

  #order(a: WordHit, b: WordHit, { order }: WordSearchOptions): number {
    if (a.score !== b.score) return b.score - a.score;
    const given = order === undefined ? 0 : order(a, b);
    if (given !== 0) return given;
    return a.package === b.package ? a.passage - b.passage : a.package - b.package;
  }

  *#score(words: readonly AskedWord[], likeness: "with" | "without"): Generator<undefined, void> {
    this.#scores.clear();
    this.#matched.clear();
    this.#readAs.clear();
    this.#likenedTo.clear();
    const asked = meaningfulOf(words);
    this.#wantWords(asked);
    const stems = asked.map((word) => this.#stemOf(word));
    if (likeness === "with") this.#readMisread(asked, stems);
    this.#wantPostings(stems.map(({ places }) => places));
    try {
      yield* this.#scoreByStem(asked, stems);
      if (likeness === "with") yield* this.#scoreByLikeness(asked, stems);
    } catch (error) {
      this.#clearTerm();
      throw error;
    }
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
    // They are looked up in memory then.
    if (this.#lexicon !== undefined) return;
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
  #readMisread(words: readonly AskedWord[], stems: AskedStem[]): void {
    const places = words.flatMap((word, i) => (this.#isUnknown(word, stems[i]!) ? [i] : []));
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
      stems[i] = this.#stemOf(words[i]!, read);
    });
  }

  /** Whether nothing in any package is a form of the word, nor holds it, so that it may have been misread. */
  #isUnknown({ form, kind }: AskedWord, { names }: AskedStem): boolean {
    return kind === "word" && names.length === 0 && mayBeMisread(form) && !isWithin(this.#knownForms(), form);
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

  /** A form and those that share a stem with it in one of these languages. */
  #inflectionsOf(form: string, languages: ReadonlySet<string>): FoundForms {
    const stems = this.#indexes.flatMap((index) => index.stemsOf(form));
    return this.#formsByStem({ form, stems: stems.filter(({ language }) => languages.has(language)) });
  }

  *#scoreByStem(words: readonly AskedWord[], stems: readonly AskedStem[]): Generator<undefined, void> {
    const { k1 } = this.#rules.stem;
    for (const [i, word] of words.entries()) {
      const stem = stems[i]!;
      for (const name of stem.names) this.#matched.add(name);
      this.#addPostings(stem.places, () => 1);
      stem.documents = this.#term.count;
      this.#addTermTo("byStem", 1, stem.documents, Math.sqrt(word.count), k1);
      yield;
    }
  }

  /** @param read what the word was read as, which stands in its place */
  #stemOf(word: AskedWord, read?: readonly string[]): AskedStem {
    const key = JSON.stringify([word.form, word.stems, read]);
    const known = this.#stems.get(key);
    if (known !== undefined) return known;
    const forms = read === undefined ? this.#formsByStem(word) : this.#formsOfReading(word, read);
    const stem = { names: forms.names, places: this.#places(forms.byPackage), documents: undefined };
    this.#stems.set(key, stem);
    return stem;
  }

  /** The forms that a word was read as, and those that share a stem with them in one of its languages. */
  #formsOfReading({ stems }: AskedWord, read: readonly string[]): FoundForms {
    const languages = new Set(stems.map(({ language }) => language));
    return this.#formsCalled(read.flatMap((form) => this.#inflectionsOf(form, languages).names));
  }

  /**
   * The forms with a stem of the word, and the word itself. A form that has the stem in one package counts in all: a package
   * without a passage in that language does not know.
   */
  #formsByStem({ form, stems }: Pick<AskedWord, "form" | "stems">): FoundForms {
    const lexicon = this.#lexicon;
    if (lexicon === undefined) {
      const names = new Set([form]);
      for (const index of this.#indexes) {
        for (const { language, stem } of stems)
          for (const inflected of index.formsOfStem(stem, language)) names.add(index.formAt(inflected));
      }
      return this.#formsCalled([...names]);
    }
    const forms = new Set([lexicon.find(form)]);
    this.#indexes.forEach((index, i) => {
      const local = (one: number): number => lexicon.local(i, one);
      for (const { language, stem } of stems)
        for (const inflected of index.formsOfStemIn(lexicon.forms, local, stem, language)) forms.add(inflected);
    });
    return this.#formsOf(lexicon, forms);
  }

  /** Those of these names that are forms. */
  #formsCalled(names: readonly string[]): FoundForms {
    const lexicon = this.#lexicon;
    if (lexicon !== undefined) return this.#formsOf(lexicon, new Set(names.map((name) => lexicon.find(name))));
    this.#wantWords(names.map((form) => ({ form, stems: [] })));
    const byName = [...new Set(names)]
      .sort(compareCodePoints)
      .map((name) => ({ name, numbers: this.#indexes.map((index) => index.findForm(name)) }))
      .filter(({ numbers }) => numbers.some((form) => form >= 0));
    return {
      names: byName.map(({ name }) => name),
      byPackage: this.#indexes.map((_, i) => byName.map(({ numbers }) => numbers[i]!).filter((form) => form >= 0)),
    };
  }

  /** @param numbers in the lexicon; -1 is none */
  #formsOf(lexicon: Lexicon, numbers: ReadonlySet<number>): FoundForms {
    // Its order is that of bytes of UTF-8, which is that of code points.
    const forms = [...numbers].filter((form) => form >= 0).sort((a, b) => a - b);
    return {
      names: forms.map((form) => stringAt(lexicon.forms, form)),
      byPackage: this.#indexes.map((_, i) => forms.map((form) => lexicon.local(i, form)).filter((form) => form >= 0)),
    };
  }

  #places(byPackage: readonly (readonly number[])[]): PostingPlaces {
    return byPackage.map((forms, i) => forms.map((form) => this.#indexes[i]!.postingsOf(form)));
  }

  *#scoreByLikeness(words: readonly AskedWord[], stems: readonly AskedStem[]): Generator<undefined, void> {
    const { likeness } = this.#rules;
    const lexicon = this.#allForms();
    const found = this.#mostAlike(words, lexicon);
    yield;
    const alike = words.map((word, i) => this.#alikeTo(word, found[i]!.forms, lexicon));
    for (const [i, forms] of alike.entries()) {
      const names = forms.flatMap(({ form, likeness }) =>
        likeness >= WHOLE / 2 ? [stringAt(lexicon.forms, form)] : [],
      );
      for (const name of names) this.#matched.add(name);
      if (stems[i]!.names.length === 0 && names.length > 0)
        this.#likenedTo.set(words[i]!.form, names.slice(0, NAMED_ALIKE));
    }
    const weights = alike.map((forms) => this.#indexes.map((_, i) => heldBy(lexicon, i, forms)));
    const places = weights.map((byPackage) => this.#places(byPackage.map((held) => held.map(({ form }) => form))));
    this.#wantPostings(places);
    yield;
    for (const [i, word] of words.entries()) {
      this.#addPostings(places[i]!, (own, at) => weights[i]![own]![at]!.likeness);
      const weight = Math.sqrt(word.count * Math.max(1, found[i]!.grams));
      const documents = this.#likenessDocuments();
      this.#addTermTo("byLikeness", WHOLE, documents, weight, likeness.k1);
      yield;
    }
  }

  /** The forms most alike to each word; to one that is asked as it stands, none. */
  #mostAlike(words: readonly AskedWord[], lexicon: Lexicon): AlikeForms[] {
    const { leastLikeness, mostAlike: most } = this.#rules;
    const asked = words.map((word) => (isExact(word) ? undefined : word.form));
    // Of this question in any case: a long one has more words than are kept.
    const alike = new Map<string | undefined, AlikeForms>();
    const unknown: string[] = [];
    for (const form of new Set(asked)) {
      if (form === undefined) continue;
      const kept = this.#alike.get(form);
      if (kept === undefined) unknown.push(form);
      else alike.set(form, kept);
    }
    const grams = new AskedGrams(unknown);
    const found =
      unknown.length === 0
        ? []
        : mostAlike(grams, this.#findGrams(grams, lexicon), this.#room(lexicon), leastLikeness, most);
    unknown.forEach((form, i) => {
      const one = { forms: found[i]!, grams: grams.byWord[i]!.length };
      this.#alike.set(form, one);
      alike.set(form, one);
    });
    return asked.map((form) => alike.get(form) ?? { forms: [], grams: 0 });
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
        const weight = weightOf(i, at);
        if (place.documents < MANY) this.#indexes[i]!.addPostings(place, this.#bases[i]!, weight, this.#term);
        else addDecoded(this.#decodedList(i, place), this.#bases[i]!, weight, this.#term);
      });
    });
  }

  #decodedList(own: number, place: PostingPlace): DecodedPostings {
    const decode = (): DecodedPostings => this.#indexes[own]!.decodePostings(place);
    return place.documents < MANY ? decode() : this.#decoded.get(own, place.form, decode);
  }

  /** Adds the present term to one of the answers. */
  #addTermTo(answer: "byStem" | "byLikeness", unit: number, documents: number, weight: number, k1: number): void {
    const idf = inverseDocumentFrequency(this.#passages, documents);
    const [scores, norms] =
      answer === "byStem" ? [this.#scores.byStem, this.#stemNorms] : [this.#scores.byLikeness, this.#likenessNorms];
    addTerm(this.#term, unit, weight * idf, k1, norms, scores);
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

function itself(form: number): AlikeForm[] {
  return form < 0 ? [] : [{ form, likeness: WHOLE }];
}

/** Whether an ascending list holds a number. */
function isAmong(list: Uint32Array, number: number): boolean {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]! < number) low = middle + 1;
    else high = middle;
  }
  return list[low] === number;
}
