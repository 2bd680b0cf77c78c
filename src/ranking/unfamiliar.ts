import { UNDETERMINED } from "../text/languages.js";
import type { WordIndex } from "../words/dictionary.js";
import { termsOf, unknownTerms } from "../words/vocabulary.js";
import { crosses, questionLanguage } from "./question-language.js";

/** What is asked of a package here: a `Package` is one. */
export interface Wordy {
  readonly words: WordIndex;
  /** Languages of its documents, `und` among them where one cannot be told. */
  readonly languages: readonly string[];
}

/** How strange a text is to a package, by its words alone. */
export interface Unfamiliar {
  /** Terms of the text that the package never saw, in its order, each once. */
  readonly terms: readonly string[];
  /** Their share of the text's distinct terms, 0 to 1; 0 for a text without terms. */
  readonly share: number;
  /** The text's language, `und` where it cannot be told. */
  readonly language: string;
  /**
   * Whether no document here is in that language, so that the words say nothing about the matter. Decided by the languages alone:
   * a question in another language may share most of its words with a package, and one in its own language hardly any.
   */
  readonly crossLanguage: boolean;
}

/** The words of `text` that a package does not know, and whether they could have been known. */
export async function unfamiliar(pkg: Wordy, text: string): Promise<Unfamiliar> {
  const language = await questionLanguage(text, pkg.languages, [pkg.words]);
  const asked = new Set(termsOf(text)).size;
  const terms = await unknownTerms(pkg.words, text);
  return {
    terms,
    share: asked === 0 ? 0 : terms.length / asked,
    language,
    crossLanguage: crossesPackage(language, pkg.languages),
  };
}

/**
 * Whether a question is in none of a package's languages. A language that nobody could tell, the question's or that of some
 * documents, is not a different one.
 */
export function crossesPackage(question: string, languages: readonly string[]): boolean {
  const known = languages.filter((language) => language !== UNDETERMINED);
  return known.length > 0 && known.every((language) => crosses(question, language));
}

/**
 * The unknown words of a question by package id. No entry for a package that knows them all, nor for one in another
 * language, whose ignorance of the words says nothing; what two packages do not know is neither pooled nor intersected.
 *
 * @param language the question's, as `questionLanguage` tells it
 */
export async function unknownByPackage(
  packages: readonly (Wordy & { readonly id: string })[],
  text: string,
  language: string,
): Promise<Record<string, readonly string[]>> {
  const unknown: Record<string, readonly string[]> = {};
  for (const { id, words, languages } of packages) {
    if (crossesPackage(language, languages)) continue;
    const terms = await unknownTerms(words, text);
    if (terms.length > 0) unknown[id] = terms;
  }
  return unknown;
}
