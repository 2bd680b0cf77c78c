import { quotedPhrases } from "../text/phrases.js";
import { loadStemmer } from "../text/stems.js";
import { loadFunctionWords } from "../text/stopwords.js";
import { questionWords } from "../text/words.js";

/** A word of a question, with everything that the index is asked about it. */
export interface AskedWord {
  readonly form: string;
  /** A `word` may be stemmed and likened; a `piece` of a script without spaces is asked exactly as it is. */
  readonly kind: "word" | "piece";
  /** How often the question has it. */
  readonly count: number;
  /** Its stem in each language that the question is read in. */
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

/**
 * Reads a question. The whole of it counts, however long, what stands in quotation marks too.
 * @param languages the languages to read it in: its own where that is known, else those of the corpus
 */
export async function readQuestion(text: string, languages: readonly string[]): Promise<WordQuestion> {
  const stemmers = await Promise.all(languages.map(loadStemmer));
  const functionWords = await Promise.all(languages.map(loadFunctionWords));
  const counts = new Map<string, { kind: "word" | "piece"; count: number }>();
  for (const { form, kind } of questionWords(text)) {
    const known = counts.get(form);
    if (known === undefined) counts.set(form, { kind, count: 1 });
    else known.count++;
  }
  const words = Array.from(counts, ([form, { kind, count }]) => ({
    form,
    kind,
    count,
    stems: kind === "piece" ? [] : languages.map((language, i) => ({ language, stem: stemmers[i]!(form) })),
    functionWord: functionWords.length > 0 && functionWords.every((list) => list.has(form)),
  }));
  return { text, languages, words, phrases: quotedPhrases(text) };
}
