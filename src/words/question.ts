import { together } from "../format/not-here-yet.js";
import { quotedPhrases } from "../text/phrases.js";
import { loadStemmer } from "../text/stems.js";
import { loadFunctionWords } from "../text/stopwords.js";
import { questionWords } from "../text/words.js";
import type { WordIndex } from "./dictionary.js";

/** A word of a question, with everything that the index is asked about it. */
export interface AskedWord {
  readonly form: string;
  /** A `word` may be stemmed and likened; a `piece` of a script without spaces is asked exactly as it is. */
  readonly kind: "word" | "piece";
  /** How often the question has it. */
  readonly count: number;
  /** Its stems, one a language. */
  readonly stems: readonly { readonly language: string; readonly stem: string }[];
  /** Whether it is a function word in every language that the question is read in. */
  readonly functionWord: boolean;
}

/** A question made ready to be put to any number of packages. */
export interface WordQuestion {
  readonly text: string;
  /** The languages it is read in. */
  readonly languages: readonly string[];
  /** Its distinct words in their order. */
  readonly words: readonly AskedWord[];
  /** What stands in quotation marks, as `phraseUnits` gives it: must occur in a passage that is found. */
  readonly phrases: readonly (readonly string[])[];
}

/** The most languages that a question of unknown language is held against for its function words. */
const FEW_LANGUAGES = 2;

/** Says to indexes whose bytes are far away which words will be looked up, so that one round trip brings them. */
export function wantWordsOf(text: string, indexes: readonly WordIndex[]): void {
  const words = questionWords(text).map(({ form }) => ({ form, stems: [] }));
  together(
    indexes.map((index) => () => {
      index.wantWords(words);
    }),
  );
}

/**
 * Reads a question. The whole of it counts, however long, what stands in quotation marks too.
 * @param languages the languages to read it in: its own where that is known, else those of the corpus
 * @param indexes where it will be asked: they know the stems of their own forms, which saves loading stemmers
 */
export async function readQuestion(
  text: string,
  languages: readonly string[],
  indexes: readonly WordIndex[] = [],
): Promise<WordQuestion> {
  const counts = new Map<string, { kind: "word" | "piece"; count: number }>();
  for (const { form, kind } of questionWords(text)) {
    const known = counts.get(form);
    if (known === undefined) counts.set(form, { kind, count: 1 });
    else known.count++;
  }
  // In many languages at once hardly any word is a function word.
  const asked = languages.length <= FEW_LANGUAGES ? languages : [];
  const functionWords = await Promise.all(asked.map(loadFunctionWords));
  const words: AskedWord[] = [];
  for (const [form, { kind, count }] of counts) {
    const stems = kind === "piece" ? [] : await stemsOf(form, languages, indexes);
    const functionWord = functionWords.length > 0 && functionWords.every((list) => list.has(form));
    words.push({ form, kind, count, stems, functionWord });
  }
  return { text, languages, words, phrases: quotedPhrases(text) };
}

/**
 * The stems of a form: in the question's own language; where that is not known, those that the packages give the form,
 * and for a form that none of them has those of all their languages.
 */
async function stemsOf(
  form: string,
  languages: readonly string[],
  indexes: readonly WordIndex[],
): Promise<AskedWord["stems"]> {
  const recorded = new Map<string, string>();
  for (const index of indexes) for (const { language, stem } of index.stemsOf(form)) recorded.set(language, stem);
  const own = languages.filter((language) => recorded.has(language));
  const wanted = own.length > 0 ? own : languages;
  return Promise.all(
    wanted.map(async (language) => ({ language, stem: recorded.get(language) ?? (await loadStemmer(language))(form) })),
  );
}
