/**
 * The language that a question is asked in, and whether that is another one than a passage's. A question is short, and
 * may be in a language that no document here is in: it is that which decides whether words can answer it.
 */
import { detectLanguage, UNDETERMINED } from "../text/languages.js";
import { questionWords } from "../text/words.js";
import type { WordIndex } from "../words/dictionary.js";

/** Share of a question's words that a language's documents must hold to be taken for its language. */
const LEAST_KNOWN = 0.6;

/**
 * The language of a question, "und" where it cannot be told. It may be one that the corpus does not hold.
 *
 * @param corpus languages of the mounted documents
 * @param words the mounted word indexes, which know in what languages their forms occur
 */
export async function questionLanguage(
  text: string,
  corpus: readonly string[],
  words: readonly WordIndex[],
): Promise<string> {
  const [byWords, anywhere] = [languageByWords(text, words), await detectLanguage(text)];
  if (anywhere !== UNDETERMINED && !corpus.includes(anywhere)) return anywhere;
  return byWords ?? (await detectLanguage(text, corpus));
}

/** Whether a passage is in another language than the question: only where both are known. */
export function crosses(question: string, passage: string): boolean {
  return question !== UNDETERMINED && passage !== UNDETERMINED && question !== passage;
}

/** The language whose documents hold most words of the question, where one does. */
function languageByWords(text: string, indexes: readonly WordIndex[]): string | undefined {
  const asked = questionWords(text).filter(({ kind }) => kind === "word");
  const votes = new Map<string, number>();
  for (const { form } of asked) {
    const languages = indexes.flatMap((index) => index.stemsOf(form).map(({ language }) => language));
    for (const language of new Set(languages)) votes.set(language, (votes.get(language) ?? 0) + 1);
  }
  const [first, second] = [...votes].sort((a, b) => b[1] - a[1]);
  if (first === undefined || first[1] < LEAST_KNOWN * asked.length) return undefined;
  return first[1] > (second?.[1] ?? 0) ? first[0] : undefined;
}
