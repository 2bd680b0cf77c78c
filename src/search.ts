import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes } from "@noble/hashes/utils.js";
import { readAsked, type AskedQuestion } from "./asked-question.js";
import { corpusLanguages, type LanguageCounts } from "./corpus-languages.js";
import { relevanceOf } from "./corpus-relevance.js";
import { textOf } from "./document.js";
import { MdcxError } from "./errors.js";
import { together, whenHere } from "./format/not-here-yet.js";
import { nextTurn, Turns } from "./format/turns.js";
import { compareCodePoints } from "./text/code-points.js";
import { indexableText } from "./text/markers.js";
import type { Image } from "./image/reader.js";
import type { Direction, Document, Passage } from "./image/records.js";
import { whyNotRecent } from "./preference.js";
import { packageNames } from "./package-names.js";
import { pathMatcher } from "./path-pattern.js";
import { PassageFilter, type Filter } from "./passage-filter.js";
import { NearestPassages, type NearAnswer } from "./nearest-passages.js";
import type { MeaningState, PackageMeaning } from "./package-meaning.js";
import { DEPTH, MEANING_DEPTH, weigh, type Fused, type Ranked, type Weighed } from "./ranking/fuse.js";
import { preferRecent, RECENT_DEPTH } from "./ranking/prefer.js";
import { crosses } from "./ranking/question-language.js";
import { spread } from "./ranking/spread.js";
import { unknownByPackage } from "./ranking/unfamiliar.js";
import type { Hit, Reply } from "./reply.js";
import { containsPhrase } from "./text/phrases.js";
import type { WordIndex } from "./words/dictionary.js";
import type { WordQuestion } from "./words/question.js";
import { WordSearch, type WordAnswer } from "./words/search.js";

export { LONGEST_QUESTION } from "./asked-question.js";

/** Passages of an answer, unless `limit` says otherwise, and at most. */
export const DEFAULT_LIMIT = 10;
export const MOST_HITS = 50;

/** What a reply says where likeness was left out. */
const BY_STEM =
  "Words were looked up by stem alone, as was asked: what is misspelt, misread or joined to other words was not looked for.";

/** Languages of the corpus that a reply names, the most frequent ones. */
const NAMED_LANGUAGES = 4;
/** Passages of one document in an answer by meaning alone, while another document's next one is nearly as near. */
export const DEFAULT_PER_DOCUMENT = 2;

/** What words say where they are not asked. */
const NO_WORDS: WordAnswer = { hits: [], found: 0, forms: [], readAs: {}, likenedTo: {} };

/**
 * Milliseconds in which the question's tokens pass through this thread on their way between the encoder's: without them it
 * would wait for them until the first word is looked up.
 */
const TURN = 1;

/** Which rankings answer: both where they can speak, or one of them. */
export type SearchMode = "auto" | "words" | "meaning";

export interface SearchOptions {
  /** Passages in the answer, 1 to 50; 10 unless given. */
  readonly limit?: number;
  /** Only documents whose path matches this glob (`reports/**`, `*.md` in any folder). */
  readonly in?: string;
  /** Only documents that were received, or sent. */
  readonly only?: Direction;
  /** A third ranking, by date: it orders what the other two found and leaves nothing out. */
  readonly prefer?: "recent";
  /** `auto` unless given. */
  readonly mode?: SearchMode;
  /**
   * Whether words are also looked for by likeness, which finds compounds, slips and misread print; `with` unless given. It needs
   * the whole dictionary, which of a package on the web is most of what a first question brings.
   */
  readonly likeness?: "with" | "without";
  /** Passages of one document in an answer by meaning alone; 2 unless given, 0 for any number. Words and fused answers are never spread. */
  readonly maxPerDocument?: number;
}

/** What a search needs of an opened package. */
export interface Searchable extends LanguageCounts {
  /** 32 hex digits. */
  readonly id: string;
  /** Its title, or the name of its file. */
  readonly name: string;
  readonly image: Image;
  readonly words: WordIndex;
  /** Languages of its documents, most frequent first. */
  readonly languages: readonly string[];
  readonly meaning: PackageMeaning;
}

/** A question as its words ask it. */
interface Asked extends AskedQuestion {
  readonly query: string;
  readonly limit: number;
  readonly filter: Filter | undefined;
  readonly likeness: SearchOptions["likeness"];
}

/**
 * Questions to one or several packages as one ranking (spec/words.md, spec/reading.md). What is equal is ordered by
 * document path, then place in the document, then package id, so that the same question always has the same answer.
 */
export class Search {
  readonly #packages: readonly Searchable[];
  readonly #names: readonly string[];
  readonly #words: WordSearch;
  readonly #languages: readonly string[];
  readonly #nearest: NearestPassages;
  readonly #filter: PassageFilter;
  /** Words are looked up for one question at a time. */
  readonly #turns = new Turns();

  constructor(packages: readonly Searchable[]) {
    this.#packages = packages;
    this.#names = packageNames(packages);
    this.#words = new WordSearch(packages.map((one) => one.words));
    this.#nearest = new NearestPassages(packages);
    this.#filter = new PassageFilter(packages);
    this.#languages = corpusLanguages(packages);
  }

  /**
   * @throws MdcxError `bad-input` for a question that is empty, too long or holds no word, `no-meaning` where `mode` is
   * `meaning` and no package can be asked by it
   */
  async ask(query: string, options: SearchOptions = {}): Promise<Reply> {
    const { limit = DEFAULT_LIMIT, mode = "auto", prefer, maxPerDocument = DEFAULT_PER_DOCUMENT, likeness } = options;
    if (!Number.isInteger(limit) || limit < 1 || limit > MOST_HITS)
      throw new MdcxError("bad-input", `The limit must be a whole number from 1 to ${MOST_HITS}.`);
    if (!Number.isInteger(maxPerDocument) || maxPerDocument < 0)
      throw new MdcxError(
        "bad-input",
        "The passages of one document must be a whole number from 1, or 0 for any number.",
      );
    const filter = await whenHere(() => this.#filter.of(options));
    const asked = { query, limit, filter, likeness, ...(await whenHere(() => this.#read(query))) };
    // The encoder works in threads of its own, while the words are looked up here.
    let nearing = mode === "words" ? undefined : this.#near(asked, mode);
    let isNearing = nearing !== undefined;
    nearing = nearing?.finally(() => {
      isNearing = false;
    });
    // Where the question is refused nobody waits for what the encoder says.
    nearing?.catch(() => undefined);
    if (nearing !== undefined && this.#packages.some(({ meaning }) => meaning.description !== undefined))
      await new Promise((resolve) => setTimeout(resolve, TURN));
    const words =
      mode === "meaning"
        ? NO_WORDS
        : await this.#turns.run(() => whenHere(() => this.#askWords(asked, mode, () => isNearing)));
    const near = await nearing;
    const { recent, preferReason } = prefer ? await whenHere(() => this.#preferRecent(asked, mode, words, near)) : {};
    const ranked =
      recent?.slice(0, limit) ?? (await whenHere(() => this.#rank(asked, mode, words, near, maxPerDocument)));
    const hits = await whenHere(() => this.#hits(ranked));
    return {
      query,
      found: mode === "meaning" ? hits.length : words.found,
      passages: hits,
      ...(await whenHere(() => this.#relevance(near, asked, words, ranked))),
      ...this.#unavailable(near),
      ...(likeness === "without" && mode !== "meaning" && { notices: [BY_STEM] }),
      ...(preferReason !== undefined && { preferReason }),
      unknownTerms: await whenHere(() => unknownByPackage(this.#packages, query, asked.language)),
      readAs: words.readAs,
      likenedTo: words.likenedTo,
      matched: words.forms,
      ...(hits.length === 0 && { hint: await whenHere(() => this.#hint(options, asked.words.phrases.length > 0)) }),
    };
  }

  #read(query: string): Promise<AskedQuestion> {
    return readAsked(
      query,
      this.#languages,
      this.#packages.map(({ words }) => words),
    );
  }

  /** @param isNearing whether others need this thread for a moment, between one word and the next */
  async #askWords(
    { words, limit, filter, likeness }: Asked,
    mode: SearchMode,
    isNearing: () => boolean,
  ): Promise<WordAnswer> {
    const steps = this.#words.steps(words, {
      limit: mode === "words" ? limit : Math.max(limit, DEPTH),
      filter,
      holdsPhrase: (at, passage, phrase) => containsPhrase(this.#text(at, passage), phrase),
      order: (a, b) => this.#order(a, b),
      likeness,
    });
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return value;
      if (isNearing()) await nextTurn();
    }
  }

  /** @throws MdcxError `no-meaning` where no package can be asked and nothing else was wanted */
  async #near({ query, words, filter }: Asked, mode: SearchMode): Promise<NearAnswer> {
    const answer = await this.#nearest.ask(query, {
      // In one language there is but one side to be filled.
      limit: this.#languages.length > 1 ? MEANING_DEPTH : DEPTH,
      filter,
      order: (a, b) => this.#order(a, b),
    });
    const [refused] = answer.states;
    if (mode === "meaning" && answer.vectors.size === 0 && refused !== undefined && refused.state !== "available")
      throw new MdcxError("no-meaning", `${refused.reason} ${refused.remedy}`);
    const holding = <Hit extends Ranked>(hits: readonly Hit[]): Hit[] =>
      hits.filter((hit) => this.#holdsPhrases(hit, words));
    const hits = await whenHere(() => holding(answer.hits));
    return { ...answer, hits, nearestOf: (place) => holding(answer.nearestOf(place)) };
  }

  /** A quoted phrase must occur, whatever finds the passage. */
  #holdsPhrases(hit: Ranked, { phrases }: WordQuestion): boolean {
    return phrases.length === 0 || phrases.every((one) => containsPhrase(this.#text(hit.package, hit.passage), one));
  }

  #rank(
    asked: Asked,
    mode: SearchMode,
    words: WordAnswer,
    near: NearAnswer | undefined,
    maxPerDocument: number,
  ): Fused[] {
    const { limit } = asked;
    if (mode === "meaning" && near !== undefined) {
      const documentOf = (hit: Ranked): string => `${hit.package}/${this.#documentOf(hit).number}`;
      const hits = spread(
        near.hits.map((hit) => ({ ...hit, nearness: near.nearness(hit) })),
        documentOf,
        maxPerDocument,
        limit,
      );
      return hits.slice(0, limit).map((hit) => ({ ...hit, foundBy: ["meaning"] }));
    }
    if (near?.states.some(({ state }) => state === "available") !== true)
      return words.hits.slice(0, limit).map((hit) => ({ ...hit, foundBy: ["word"] }));
    return this.#fused(asked, words, near, limit).slice(0, limit);
  }

  /** All that words and meaning find together, in the order of both. */
  #fused({ language }: Asked, words: WordAnswer, near: NearAnswer, looked: number): Weighed[] {
    return weigh(words.hits, near.hits, {
      wordsSpeakFor: (hit) => !crosses(language, this.#nearest.languageOf(hit)),
      meaningSpeaksFor: (hit) => near.states[hit.package]!.state === "available",
      order: (a, b) => this.#order(a, b),
      looked,
    });
  }

  /** The fused order with what is recent before what is old, or why the date can change nothing. */
  #preferRecent(
    asked: Asked,
    mode: SearchMode,
    words: WordAnswer,
    near: NearAnswer | undefined,
  ): { readonly recent?: readonly Fused[]; readonly preferReason?: string } {
    const fused = near === undefined ? [] : this.#fused(asked, words, near, Math.max(asked.limit, RECENT_DEPTH));
    const dateOf = (hit: Ranked): string | null => this.#documentOf(hit).date;
    const preferReason = whyNotRecent({ mode, states: near?.states ?? [], fused, dateOf });
    if (preferReason !== undefined) return { preferReason };
    // Without the front matter: the date of an edition stands there, and would make each another text.
    const textAlone = (hit: Ranked): string =>
      indexableText(this.#text(hit.package, hit.passage), {
        atStart: hit.passage === this.#documentOf(hit).firstPassage,
      }).trim();
    const isSameText = (a: Ranked, b: Ranked): boolean => textAlone(a) === textAlone(b);
    const rankings = { word: words.hits, meaning: near?.hits ?? [] };
    return { recent: preferRecent(fused, { rankings, dateOf, isSameText }) };
  }

  #relevance(
    near: NearAnswer | undefined,
    { words, language }: Asked,
    { readAs }: WordAnswer,
    answer: readonly Ranked[],
  ): Partial<Reply> {
    if (near === undefined) return {};
    return relevanceOf(this.#packages, near, {
      language,
      languageOf: (hit) => this.#nearest.languageOf(hit),
      coverage: (passages) => this.#words.coverage(words, passages, readAs),
      answer,
    });
  }

  /** Why meaning was not asked of a package that has vectors. */
  #unavailable(near: NearAnswer | undefined): Partial<Reply> {
    const missing: Record<string, MeaningState> = {};
    near?.states.forEach((state, at) => {
      if (state.state !== "available" && state.state !== "absent") missing[this.#packages[at]!.id] = state;
    });
    return Object.keys(missing).length === 0 ? {} : { meaningUnavailable: missing };
  }

  #order(a: Ranked, b: Ranked): number {
    if (a.package === b.package) return a.passage - b.passage;
    const [x, y] = [this.#documentOf(a), this.#documentOf(b)];
    return (
      compareCodePoints(x.path, y.path) ||
      a.passage - x.firstPassage - (b.passage - y.firstPassage) ||
      (this.#packages[a.package]!.id < this.#packages[b.package]!.id ? -1 : 1)
    );
  }

  #documentOf(hit: { readonly package: number; readonly passage: number }): Document {
    const { image } = this.#packages[hit.package]!;
    return image.document(image.passages([hit.passage])[0]!.document);
  }

  #text(at: number, passage: number): string {
    const { image } = this.#packages[at]!;
    return textOf(image.passageBytes(image.passages([passage])[0]!));
  }

  #hits(found: readonly Fused[]): Hit[] {
    const hits: Hit[] = [];
    together(found.map((one, i) => () => void hits.push(this.#hit(one, i + 1))));
    return hits;
  }

  #hit(found: Fused, rank: number): Hit {
    const { image, id } = this.#packages[found.package]!;
    const name = this.#names[found.package]!;
    const passage = image.passages([found.passage])[0]!;
    image.wantPassage(passage);
    const document = image.document(passage.document);
    return { rank, package: name, ...describePassage(image, id, document, passage), foundBy: found.foundBy };
  }

  #holdsUnder(glob: string): boolean {
    const matches = pathMatcher(glob);
    return this.#packages.some(({ image }) => image.documents().some(({ path }) => matches(path)));
  }

  #hint(options: SearchOptions, phrases: boolean): string {
    const { only, in: glob } = options;
    const isKnown = (one: Searchable): boolean => one.image.documents().some(({ direction }) => direction === only);
    if (only !== undefined && !this.#packages.some(isKnown))
      return `No document is known to be ${only}: a top folder that is named so says it, or mdcx pack --direction FOLDER=${only}.`;
    if (glob !== undefined && !this.#holdsUnder(glob))
      return `No document under ${glob} is there: patterns are held against whole paths, as they stand in replies behind @/.`;
    if (phrases)
      return "No passage holds the words in quotation marks as they stand: ask again without the quotation marks.";
    if (only !== undefined)
      return `No ${only} document${glob === undefined ? "" : ` under ${glob}`} holds a word of the question: ask again in both directions.`;
    if (glob !== undefined) return `No passage under ${glob} holds a word of the question: ask again without it.`;
    const names = this.#languages.slice(0, NAMED_LANGUAGES).map(languageName);
    const others = this.#languages.length - names.length;
    if (others > 0) names.push(`${others} other ${others === 1 ? "language" : "languages"}`);
    const last = names.pop();
    const languages =
      last === undefined
        ? ""
        : ` Its documents are in ${names.length === 0 ? last : `${names.join(", ")} and ${last}`}.`;
    return `No passage holds a word of the question, nor one like it.${languages}`;
  }
}

/** The English name of a language tag. */
function languageName(code: string): string {
  return new Intl.DisplayNames("en", { type: "language" }).of(code) ?? code;
}

/** First 16 hex digits of SHA-256(path || 0x00 || document digest): the middle of a passage's id (DESIGN §6). */
export function documentKey(document: Document): string {
  const path = new TextEncoder().encode(document.path);
  return bytesToHex(sha256(concatBytes(path, Uint8Array.of(0), document.markdownSha256))).slice(0, 16);
}

/** A passage as a person sees it: where it stands, what it is, its text. */
export function describePassage(
  image: Image,
  packageId: string,
  document: Document,
  passage: Passage,
): Omit<Hit, "rank" | "package" | "foundBy"> {
  const place = image.place(passage);
  const header = image.headerBytes(passage);
  return {
    id: `${packageId.slice(0, 8)}/${documentKey(document)}/${passage.number - document.firstPassage}`,
    document: `@/${document.path}`,
    title: document.title ?? document.path,
    line: passage.line,
    ...(place && { place: place as NonNullable<Hit["place"]> }),
    heading: image.headingPath(passage),
    kind: passage.kind,
    language: document.language,
    ...(document.date !== null && { dated: document.date }),
    ...(document.dateOrigin !== null && { datedFrom: document.dateOrigin }),
    ...(document.direction !== null && { direction: document.direction }),
    ...(document.sampled && { sampled: true }),
    ...(header && { header: textOf(header) }),
    text: textOf(image.passageBytes(passage)),
  };
}
