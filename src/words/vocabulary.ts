import { indexWords, isUnspaced, questionWords } from "../text/words.js";
import { loadStemmer } from "../text/stems.js";
import type { WordIndex } from "./dictionary.js";
import { stringAt } from "./front-coding.js";

/** Fewest characters of a term; 1 where the script does not separate words. */
export const SHORTEST_TERM = 3;

/** The rule behind the terms, for a reply or `info`. */
export const VOCABULARY_RULE = `word forms, case and accents folded, of ${SHORTEST_TERM} characters or more; single characters of scripts without spaces; function words are kept`;

/** How many passages hold each term of a package, and the rule that made the terms. */
export interface Vocabulary {
  readonly rule: string;
  /** Passages in the package. */
  readonly passages: number;
  /** Passages by term, in the order of the dictionary. */
  readonly documentFrequency: ReadonlyMap<string, number>;
}

/** Whether a form is a term: what vocabulary and unknown terms speak of. */
export function isTerm(form: string): boolean {
  const characters = Array.from(form).length;
  return isUnspaced(form) ? characters === 1 : characters >= SHORTEST_TERM;
}

/** All terms of a package. */
export function vocabulary(index: WordIndex): Vocabulary {
  const documentFrequency = new Map<string, number>();
  for (let form = 0; form < index.forms.count; form++) {
    const term = stringAt(index.forms, form);
    if (isTerm(term)) documentFrequency.set(term, index.documentFrequency(form));
  }
  return { rule: VOCABULARY_RULE, passages: index.passages, documentFrequency };
}

/**
 * The terms of `text`, in its order and each once, that the index would have recorded and never saw: neither the form
 * nor, in a language of the package, another form with its stem. Folded before they are looked up, so `GPU` is `gpu`.
 */
export async function unknownTerms(index: WordIndex, text: string): Promise<string[]> {
  const unseen = [...new Set(termsOf(text))].filter((form) => index.findForm(form) < 0);
  if (unseen.length === 0) return [];
  const stemmers = await Promise.all(
    index.languages.map(async (language) => ({ language, stem: await loadStemmer(language) })),
  );
  const hasStem = (form: string): boolean =>
    stemmers.some(({ language, stem }) => index.formsOfStem(stem(form), language).length > 0);
  return unseen.filter((form) => isUnspaced(form) || !hasStem(form));
}

/** Whole words, and single characters of scripts without spaces; never the pairs that are indexed beside them. */
function termsOf(text: string): string[] {
  return questionWords(text)
    .flatMap(({ form, kind }) => (kind === "word" ? [form] : isUnspaced(form) ? indexWords(form) : []))
    .filter(isTerm);
}
