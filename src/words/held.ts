import { inverseDocumentFrequency } from "./bm25.js";
import type { WordIndex } from "./dictionary.js";
import { newAccumulator } from "./postings.js";
import type { AskedWord } from "./question.js";

/**
 * How much of a question each document holds, wherever in it: the share of its words in any inflection, weighed by their
 * idf. Words that are nowhere count for none.
 *
 * @param words those that count, function words left out
 * @param readAs by word that no document has: the forms that it was read as
 * @param documentOf number of the document of each passage
 * @returns by document, 0 to 1
 */
export function sharesHeld(
  index: WordIndex,
  words: readonly AskedWord[],
  readAs: Readonly<Record<string, readonly string[]>>,
  documentOf: Uint32Array,
  documents: number,
): Float64Array {
  const shares = new Float64Array(documents);
  const term = newAccumulator(index.passages);
  /** By document: the word that was last counted for it. */
  const counted = new Int32Array(documents).fill(-1);
  let all = 0;
  words.forEach((word, at) => {
    for (const form of formsOf(index, word, readAs[word.form])) index.addPostings(index.postingsOf(form), 0, 1, term);
    const idf = term.count === 0 ? 0 : inverseDocumentFrequency(index.passages, term.count);
    all += idf;
    for (const passage of term.touched.subarray(0, term.count)) {
      term.sums[passage] = 0;
      const document = documentOf[passage]!;
      if (counted[document] === at) continue;
      counted[document] = at;
      shares[document]! += idf;
    }
    term.count = 0;
  });
  return all === 0 ? shares : shares.map((share) => share / all);
}

function formsOf(index: WordIndex, word: AskedWord, readAs: readonly string[] = []): Set<number> {
  const itself = [word.form, ...readAs].map((form) => index.findForm(form)).filter((form) => form >= 0);
  return new Set([...itself, ...word.stems.flatMap(({ language, stem }) => index.formsOfStem(stem, language))]);
}
