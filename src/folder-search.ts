/**
 * Questions to a folder of Markdown before any package exists (spec/folder-search.md). Its passages are cut and indexed as
 * `pack` does it, in memory. The answer is a list of documents: who has only a folder asks which of its files to look at.
 */
import { readAsked } from "./asked-question.js";
import { MdcxError } from "./errors.js";
import {
  holdDocument,
  quotePassage,
  type FolderDocument,
  type FolderPassage,
  type HeldDocument,
  type Unsearched,
} from "./folder-document.js";
import { FolderPhrases, type Occurrence } from "./folder-phrases.js";
import { passageTexts } from "./passage-texts.js";
import { PassageWords } from "./passage-words.js";
import { pathMatcher } from "./path-pattern.js";
import { compareCodePoints } from "./text/code-points.js";
import { UNDETERMINED } from "./text/languages.js";
import { quotedPhrases } from "./text/phrases.js";
import { phraseUnits } from "./text/words.js";
import { WordIndex } from "./words/dictionary.js";
import { sharesHeld } from "./words/held.js";
import type { WordQuestion } from "./words/question.js";
import { meaningfulOf, WordSearch } from "./words/search.js";

export type { FolderDocument, FolderPassage, Unsearched } from "./folder-document.js";

export interface FolderSearchOptions {
  /** Documents in the answer, 1 to 50; 10 unless given. */
  readonly limit?: number;
  /** Only documents that hold the words of the question one after the other, whatever case, accents and signs between. */
  readonly literal?: boolean;
  /** Only documents whose path matches this glob. */
  readonly in?: string;
}

/** A document that bears on the question. */
export interface FoundDocument {
  /** 1 for the first. */
  readonly rank: number;
  /** `@/folder/name.md` */
  readonly document: string;
  readonly title: string;
  /** BCP 47 primary subtag, or `und`. */
  readonly language: string;
  /** Passages of it that bear on the question. */
  readonly found: number;
  /** The best of them, best first; at most five. */
  readonly passages: readonly FolderPassage[];
}

/** The answer of a folder to one question. */
export interface FolderReply {
  readonly query: string;
  /** How many documents hold a word that was asked, or one like it; with `literal`, the question as it stands. */
  readonly found: number;
  /** The best documents, best first. */
  readonly documents: readonly FoundDocument[];
  /** The word forms that found them, for marking them in the text. */
  readonly matched: readonly string[];
  /** By word of the question that nothing matched: the forms that it was read as. */
  readonly readAs: Readonly<Record<string, readonly string[]>>;
  /** What to try, when nothing was found. */
  readonly hint?: string;
}

const DEFAULT_LIMIT = 10;
const MOST_DOCUMENTS = 50;
/** Passages that are quoted of a document, at most. */
const QUOTED = 5;
/** What a passage counts beside the one before it, best first (spec/folder-search.md). */
const NEXT_WEIGHS = 1 / 2;

/** A document with the passages that speak for it, best first. */
interface Scored {
  readonly number: number;
  readonly score: number;
  readonly passages: readonly Occurrence[];
}

type Answer = Pick<FolderReply, "matched" | "readAs"> & { readonly scored: readonly Scored[] };

/** A folder whose Markdown was read and indexed. */
export class FolderSearch {
  /** Documents and passages that are searched. */
  readonly size: { readonly documents: number; readonly passages: number };
  readonly #search: WordSearch;
  readonly #phrases: FolderPhrases;

  private constructor(
    private readonly documents: readonly HeldDocument[],
    /** By document: the number of its first passage. */
    private readonly firsts: readonly number[],
    /** By passage: the number of its document. */
    private readonly documentOf: Uint32Array,
    private readonly index: WordIndex,
    private readonly languages: readonly string[],
    /** What is not searched: what is no text, and what says itself that it is not to be found. */
    readonly unsearched: readonly Unsearched[],
  ) {
    this.size = { documents: documents.length, passages: documentOf.length };
    this.#search = new WordSearch([index]);
    this.#phrases = new FolderPhrases(documents, firsts, documentOf, index);
  }

  /** Reads and indexes documents, whose bytes are held as long as the search is. */
  static async of(documents: Iterable<FolderDocument>): Promise<FolderSearch> {
    const words = new PassageWords();
    const held: HeldDocument[] = [];
    const firsts: number[] = [];
    const documentOf: number[] = [];
    const unsearched: Unsearched[] = [];
    for (const document of documents) {
      const one = await holdDocument(document);
      if ("reason" in one) {
        unsearched.push(one);
        continue;
      }
      firsts.push(documentOf.length);
      for (const texts of passageTexts(one.bytes, one.passages, one.title)) {
        words.add(documentOf.length, texts, one.language);
        documentOf.push(held.length);
      }
      held.push(one);
    }
    const index = await indexOf(words, documentOf.length);
    return new FolderSearch(held, firsts, Uint32Array.from(documentOf), index, languagesOf(held), unsearched);
  }

  /**
   * The documents that bear on a question.
   *
   * @throws MdcxError `bad-input` for a question that is too long or holds no word, or a limit out of bounds
   */
  async ask(query: string, options: FolderSearchOptions = {}): Promise<FolderReply> {
    const { limit = DEFAULT_LIMIT, literal = false } = options;
    if (!Number.isInteger(limit) || limit < 1 || limit > MOST_DOCUMENTS)
      throw new MdcxError("bad-input", `The limit must be a whole number from 1 to ${MOST_DOCUMENTS}.`);
    const matches = options.in === undefined ? () => true : pathMatcher(options.in);
    const { words } = await readAsked(query, this.languages, [this.index]);
    const phrases = literal ? [phraseUnits(query)] : quotedPhrases(query);
    const admitted = this.#phrases.holders(phrases).filter((number) => matches(this.documents[number]!.path));
    const { scored, matched, readAs } = literal
      ? this.#byPhrase(phrases[0]!, admitted)
      : this.#byWords(words, phrases, new Set(admitted));
    const path = ({ number }: Scored): string => this.documents[number]!.path;
    const ranked = [...scored].sort((a, b) => b.score - a.score || compareCodePoints(path(a), path(b)));
    return {
      query,
      found: ranked.length,
      documents: ranked.slice(0, limit).map((one, i) => this.#found(one, i + 1)),
      matched,
      readAs,
      ...(ranked.length === 0 && { hint: hintFor(options, phrases.length > 0) }),
    };
  }

  /** Documents by the sum over their passages, and more for those that hold more of the question's words. */
  #byWords(words: WordQuestion, phrases: readonly (readonly string[])[], admitted: ReadonlySet<number>): Answer {
    const { hits, forms, readAs } = this.#search.search(
      // A phrase may run from one passage into the next: its documents are chosen already.
      { ...words, phrases: [] },
      { limit: this.size.passages, filter: (_, passage) => admitted.has(this.documentOf[passage]!) },
    );
    const passages = new Map<number, Occurrence[]>();
    for (const { passage, score } of hits) {
      const number = this.documentOf[passage]!;
      const one = { ordinal: passage - this.firsts[number]!, score };
      const known = passages.get(number);
      if (known === undefined) passages.set(number, [one]);
      else known.push(one);
    }
    const shares = sharesHeld(this.index, meaningfulOf(words.words), readAs, this.documentOf, this.size.documents);
    const scored = Array.from(passages, ([number, own]) => {
      const sum = own.reduce((total, { score }, i) => total + score * NEXT_WEIGHS ** i, 0);
      return {
        number,
        score: (sum * (1 + shares[number]!)) / 2,
        passages: this.#withPhrasesFirst(number, own, phrases),
      };
    });
    return { scored, matched: forms, readAs };
  }

  /** What was put in quotation marks is what its writer wants to see. */
  #withPhrasesFirst(number: number, passages: readonly Occurrence[], phrases: readonly (readonly string[])[]) {
    if (phrases.length === 0) return passages;
    const holding = new Set(phrases.flatMap((one) => this.#phrases.occurrences(number, one)).map((one) => one.ordinal));
    const first = passages.filter(({ ordinal }) => holding.has(ordinal));
    return [...first, ...passages.filter(({ ordinal }) => !holding.has(ordinal))];
  }

  /** Documents by how often, and how densely, they hold a phrase. */
  #byPhrase(phrase: readonly string[], admitted: readonly number[]): Answer {
    const scored = admitted.map((number) => {
      const passages = this.#phrases.occurrences(number, phrase);
      return { number, score: passages.reduce((sum, { score }) => sum + score, 0), passages };
    });
    return { scored, matched: phrase, readAs: {} };
  }

  #found({ number, passages }: Scored, rank: number): FoundDocument {
    const document = this.documents[number]!;
    return {
      rank,
      document: `@/${document.path}`,
      title: document.title,
      language: document.language,
      found: passages.length,
      passages: passages.slice(0, QUOTED).map(({ ordinal }) => quotePassage(document, ordinal)),
    };
  }
}

async function indexOf(words: PassageWords, passages: number): Promise<WordIndex> {
  const { dictionary, postings, lengths } = await words.build();
  const stream = (bytes: Uint8Array) => ({
    length: bytes.length,
    read: (start: number, end: number) => bytes.subarray(start, end),
  });
  const streams = { dictionary: stream(dictionary), postings: stream(postings), lengths: stream(lengths) };
  return new WordIndex(streams, passages);
}

/** Languages of documents, most frequent first. */
function languagesOf(documents: readonly HeldDocument[]): string[] {
  const counts = new Map<string, number>();
  for (const { language } of documents) counts.set(language, (counts.get(language) ?? 0) + 1);
  counts.delete(UNDETERMINED);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([code]) => code);
}

function hintFor({ literal, in: glob }: FolderSearchOptions, phrases: boolean): string {
  const where = glob === undefined ? "" : ` under ${glob}`;
  if (literal === true)
    return `No document${where} holds these words one after the other: ask again without --literal.`;
  if (phrases)
    return `No document${where} holds the words in quotation marks as they stand: ask again without the quotation marks.`;
  return `No document${where} holds a word of the question, nor one like it.`;
}
