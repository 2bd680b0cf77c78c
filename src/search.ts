import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes } from "@noble/hashes/utils.js";
import picomatch from "picomatch";
import { textOf } from "./document.js";
import { MdcxError } from "./errors.js";
import { compareCodePoints } from "./text/code-points.js";
import type { Image } from "./image/reader.js";
import type { Document, Passage } from "./image/records.js";
import type { Hit, Reply } from "./reply.js";
import { detectLanguage, UNDETERMINED } from "./text/languages.js";
import { containsPhrase } from "./text/phrases.js";
import { questionWords } from "./text/words.js";
import type { WordIndex } from "./words/dictionary.js";
import { readQuestion, type WordQuestion } from "./words/question.js";
import { WordSearch, type WordHit } from "./words/search.js";
import { unknownTerms } from "./words/vocabulary.js";

/** Longest question in UTF-16 units. Within it a question is never cut. */
export const LONGEST_QUESTION = 2_000;
/** Passages of an answer, unless `limit` says otherwise, and at most. */
export const DEFAULT_LIMIT = 10;
export const MOST_HITS = 50;

/** Languages of the corpus that a reply names, the most frequent ones. */
const NAMED_LANGUAGES = 4;
/** Share of a question's words that a language's documents must hold to be taken for its language. */
const LEAST_KNOWN = 0.6;

export interface SearchOptions {
  /** Passages in the answer, 1 to 50; 10 unless given. */
  readonly limit?: number;
  /** Only documents whose path matches this glob (`reports/**`, `*.md` in any folder). */
  readonly in?: string;
}

/** What a search needs of an opened package. */
export interface Searchable {
  /** 32 hex digits. */
  readonly id: string;
  /** Its title, or the name of its file. */
  readonly name: string;
  readonly image: Image;
  readonly words: WordIndex;
  /** Languages of its documents, most frequent first. */
  readonly languages: readonly string[];
}

/**
 * Questions to one or several packages as one ranking (spec/words.md). Equal scores are ordered by document path,
 * then place in the document, then package id, so that the same question always has the same answer.
 */
export class Search {
  readonly #packages: readonly Searchable[];
  readonly #words: WordSearch;
  readonly #languages: readonly string[];

  constructor(packages: readonly Searchable[]) {
    this.#packages = packages;
    this.#words = new WordSearch(packages.map((one) => one.words));
    this.#languages = [...new Set(packages.flatMap((one) => one.languages))].filter((code) => code !== UNDETERMINED);
  }

  /** @throws MdcxError `bad-input` for a question that is empty, too long or holds no word */
  async ask(query: string, options: SearchOptions = {}): Promise<Reply> {
    const limit = options.limit ?? DEFAULT_LIMIT;
    if (!Number.isInteger(limit) || limit < 1 || limit > MOST_HITS)
      throw new MdcxError("bad-input", `The limit must be a whole number from 1 to ${MOST_HITS}.`);
    const question = await this.#read(query);
    const { hits, found, forms } = this.#words.search(question, {
      limit,
      filter: this.#filter(options),
      holdsPhrase: (at, passage, phrase) => containsPhrase(this.#text(at, passage), phrase),
      order: (a, b) => this.#order(a, b),
    });
    return {
      query,
      found,
      passages: hits.map((hit, i) => this.#hit(hit, i + 1)),
      unknownTerms: await this.#unknownTerms(query),
      matched: forms,
      ...(hits.length === 0 && { hint: this.#hint(options, question.phrases.length > 0) }),
    };
  }

  /** The question's own language where it is one of the corpus; all of them where it cannot be told. */
  async #read(query: string): Promise<WordQuestion> {
    if (query.length > LONGEST_QUESTION)
      throw new MdcxError(
        "bad-input",
        `The question has ${query.length.toLocaleString("en")} characters and at most ${LONGEST_QUESTION.toLocaleString("en")} can be asked: shorten it.`,
      );
    const language = this.#languageByWords(query) ?? (await detectLanguage(query, this.#languages));
    const question = await readQuestion(
      query,
      language === UNDETERMINED ? this.#languages : [language],
      this.#packages.map(({ words }) => words),
    );
    if (question.words.length === 0)
      throw new MdcxError("bad-input", "The question has no word in it: ask with at least one letter or digit.");
    return question;
  }

  /**
   * The language whose documents hold most words of the question, where one does: the dictionary knows it at once, and
   * of a few words better than trigrams do.
   */
  #languageByWords(query: string): string | undefined {
    const words = questionWords(query).filter(({ kind }) => kind === "word");
    const votes = new Map<string, number>();
    for (const { form } of words) {
      const languages = this.#packages.flatMap(({ words }) => words.stemsOf(form).map(({ language }) => language));
      for (const language of new Set(languages)) votes.set(language, (votes.get(language) ?? 0) + 1);
    }
    const [first, second] = [...votes].sort((a, b) => b[1] - a[1]);
    if (first === undefined || first[1] < LEAST_KNOWN * words.length) return undefined;
    return first[1] > (second?.[1] ?? 0) ? first[0] : undefined;
  }

  /** Which passages may be found; undefined where all may. */
  #filter({ in: glob }: SearchOptions): ((at: number, passage: number) => boolean) | undefined {
    if (glob === undefined) return undefined;
    if (glob.trim() === "")
      throw new MdcxError("bad-input", "The pattern of paths is empty: give one such as reports/**.");
    const matches = picomatch(glob.replace(/^@\//, ""), { dot: true, basename: !glob.includes("/") });
    const admitted = this.#packages.map(({ image }) => {
      const passages = new Uint8Array(image.passageCount);
      for (const document of image.documents())
        if (matches(document.path)) passages.fill(1, document.firstPassage, document.firstPassage + document.passages);
      return passages;
    });
    return (at, passage) => admitted[at]![passage] === 1;
  }

  #order(a: WordHit, b: WordHit): number {
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

  #hit(found: WordHit, rank: number): Hit {
    const { image, id, name } = this.#packages[found.package]!;
    const passage = image.passages([found.passage])[0]!;
    const document = image.document(passage.document);
    return { rank, package: name, ...describePassage(image, id, document, passage), foundBy: ["word"] };
  }

  /** Words of the question that a package has never seen, by package id; packages that know them all are left out. */
  async #unknownTerms(query: string): Promise<Record<string, readonly string[]>> {
    const unknown: Record<string, readonly string[]> = {};
    for (const { id, words } of this.#packages) {
      const terms = await unknownTerms(words, query);
      if (terms.length > 0) unknown[id] = terms;
    }
    return unknown;
  }

  #hint(options: SearchOptions, phrases: boolean): string {
    if (phrases)
      return "No passage holds the words in quotation marks as they stand: ask again without the quotation marks.";
    if (options.in !== undefined)
      return `No passage under ${options.in} holds a word of the question: ask again without it.`;
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
    ...(header && { header: textOf(header) }),
    text: textOf(image.passageBytes(passage)),
  };
}
