import { decodeText, factsOf, nameAsTitle, whatInstead, type DocumentFacts, type GivenFacts } from "./document.js";
import { passageTexts, withoutTitle } from "./passage-texts.js";
import { PassageCounter } from "./passage-words.js";
import { findSecrets, type SecretShape } from "./secret-shapes.js";
import type { FrontMatterValue } from "./text/front-matter.js";
import { detectLanguage } from "./text/languages.js";
import { cutDocument, type DocumentCuts, type PassageCut } from "./text/passages.js";

/** A document that has been read. */
export interface ReadDocument {
  /** Folders and name, separated by `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly facts?: GivenFacts | undefined;
}

/** How documents are analysed: the same for all of a run. */
export interface AnalysisRules {
  /** Dates after it are nonsense. */
  readonly now: Date;
  /** Looks for what has the shape of a key or a token. */
  readonly warnSecrets: boolean;
}

/** All that is taken from a document's text to pack it. */
export interface AnalysedDocument {
  readonly facts: DocumentFacts & { readonly title: string; readonly language: string };
  /** Its front matter. */
  readonly fields: Readonly<Record<string, FrontMatterValue>>;
  /** None where it is not indexed. */
  readonly passages: readonly PassageCut[];
  /** The words of its passages, as `PassageWords.addCounted` takes them. */
  readonly words: Int32Array;
  readonly secrets: readonly SecretShape[];
}

/** A document that is no UTF-8 text, and what it seems to be instead. */
export interface UnreadableDocument {
  readonly unreadable: string;
}

/** Documents that were analysed, in the order in which they were given. */
export interface AnalysedBatch {
  readonly documents: readonly (AnalysedDocument | UnreadableDocument)[];
  /** Forms that their words have and that no earlier batch of that table had; absent where the table is the index's own. */
  readonly learnt?: {
    /** The table of forms whose numbers the words have. */
    readonly table: number;
    /** Number of the first of the forms. */
    readonly first: number;
    readonly forms: readonly string[];
  };
}

/** Where documents are analysed. */
export interface Analyst {
  /** Batches that are worth being under way at once. */
  readonly width: number;
  /** Batches are answered in whatever order; those with one table of forms must be used in the order in which they were given. */
  analyse(batch: readonly ReadDocument[], rules: AnalysisRules): Promise<AnalysedBatch>;
}

/**
 * Reads a document: its head, its passages, its language, its words.
 *
 * @param cut cuts its text into passages
 */
export async function analyseDocument(
  { path, bytes, facts: given }: ReadDocument,
  { now, warnSecrets }: AnalysisRules,
  counter: PassageCounter,
  cut: (text: string) => DocumentCuts | Promise<DocumentCuts> = cutDocument,
): Promise<AnalysedDocument | UnreadableDocument> {
  const text = decodeText(bytes);
  if (text === undefined) return { unreadable: whatInstead(bytes) };
  const cuts = await cut(text);
  const { fields, end } = cuts.frontMatter;
  const facts = factsOf(fields, given, now);
  const language = facts.language ?? (await detectLanguage(text.slice(end)));
  const title = facts.title ?? cuts.title ?? nameAsTitle(path);
  const passages = facts.indexed ? cuts.passages.map((passage) => withoutTitle(passage, title)) : [];
  return {
    facts: { ...facts, title, language },
    fields,
    passages,
    words: counter.count(passageTexts(bytes, passages, title)),
    secrets: warnSecrets ? findSecrets(text) : [],
  };
}

/** Analyses documents where it is asked to: one batch after the other. */
export class LocalAnalyst implements Analyst {
  readonly width = 1;

  /** @param counter counts for the index itself */
  constructor(
    private readonly counter: PassageCounter,
    private readonly cut?: (text: string) => DocumentCuts | Promise<DocumentCuts>,
  ) {}

  async analyse(batch: readonly ReadDocument[], rules: AnalysisRules): Promise<AnalysedBatch> {
    const documents: AnalysedBatch["documents"][number][] = [];
    for (const document of batch) documents.push(await analyseDocument(document, rules, this.counter, this.cut));
    return { documents };
  }
}

/** A table of forms is begun anew beyond this: the index has all of them, and who counts needs only those that are frequent. */
const MOST_FORMS = 1 << 18;

/** Analyses documents apart from the index, with a table of forms of its own; one batch at a time. */
export class ApartAnalyst implements Analyst {
  readonly width = 1;
  #counter = new PassageCounter();
  #told = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** @param table its number among those of a run */
  constructor(private readonly table: number) {}

  analyse(batch: readonly ReadDocument[], rules: AnalysisRules): Promise<Required<AnalysedBatch>> {
    const result = this.#last.then(() => this.#analyse(batch, rules));
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #analyse(batch: readonly ReadDocument[], rules: AnalysisRules): Promise<Required<AnalysedBatch>> {
    if (this.#told > MOST_FORMS) {
      this.#counter = new PassageCounter();
      this.#told = 0;
    }
    const { documents } = await new LocalAnalyst(this.#counter).analyse(batch, rules);
    const first = this.#told;
    const forms = this.#counter.takeForms();
    this.#told += forms.length;
    return { documents, learnt: { table: this.table, first, forms } };
  }
}
