import { MdcxError } from "./errors.js";
import { questionLanguage } from "./ranking/question-language.js";
import type { WordIndex } from "./words/dictionary.js";
import { readQuestion, wantWordsOf, type WordQuestion } from "./words/question.js";

/** Longest question in UTF-16 units. Within it a question is never cut. */
export const LONGEST_QUESTION = 2_000;

/** A question as its words ask it. */
export interface AskedQuestion {
  readonly words: WordQuestion;
  /** Its language, which may be none of the corpus; `und` where it cannot be told. */
  readonly language: string;
}

/**
 * Reads a question in its own language where documents are in it, else in all of the corpus.
 *
 * @param languages those of the documents, most frequent first
 * @throws MdcxError `bad-input` for one that is too long or holds no word
 */
export async function readAsked(
  query: string,
  languages: readonly string[],
  indexes: readonly WordIndex[],
): Promise<AskedQuestion> {
  if (query.length > LONGEST_QUESTION)
    throw new MdcxError(
      "bad-input",
      `The question has ${query.length.toLocaleString("en")} characters and at most ${LONGEST_QUESTION.toLocaleString("en")} can be asked: shorten it.`,
    );
  wantWordsOf(query, indexes);
  const language = await questionLanguage(query, languages, indexes);
  const words = await readQuestion(query, languages.includes(language) ? [language] : languages, indexes);
  if (words.words.length === 0)
    throw new MdcxError("bad-input", "The question has no word in it: ask with at least one letter or digit.");
  return { words, language };
}
