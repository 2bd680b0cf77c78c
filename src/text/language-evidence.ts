/**
 * What a few words show of their language. A document is told by its script, function words and trigrams; a question is
 * too short for any of them alone, so who asks weighs them together with what else is known (spec/fusion.md).
 */
import { foreignLetters } from "./alphabets.js";
import { alphabetOf, byScript, Candidates, clean } from "./languages.js";

/** What speaks for one language. */
export interface Candidate {
  readonly language: string;
  /** Nearness of its trigrams, 1 for the nearest language of the alphabet. */
  readonly trigrams: number;
  /** Share of the words that are function words of it. */
  readonly functionWords: number;
  /** Share of the letters that it does not write. */
  readonly foreign: number;
}

export interface LanguageEvidence {
  /** The language that the script alone shows, where it does: there are no candidates then. */
  readonly script: string | undefined;
  readonly latin: boolean;
  /** Letters and words that were looked at. */
  readonly letters: number;
  readonly words: number;
  /** The languages of the alphabet; none for a text with hardly a letter. */
  readonly candidates: readonly Candidate[];
}

/** Fewer letters show nothing, in any alphabet. */
const FEWEST_LETTERS = 3;

/** `ERR_SSL`, `libssl3`, `getElementById`, `--force`, `$HOME`, `UEFI`: the same in every language. */
const IDENTIFIER =
  /(?<![\p{L}\p{M}\p{N}])(?:[-$]+[\w-]+|[\w.]*[A-Za-z][_\d][\w.]*|[\w.]*[_\d][A-Za-z][\w.]*|[A-Za-z]*[a-z][A-Z]\w*|[A-Z]{2,})(?![\p{L}\p{M}])/gu;

/** The evidence in a text of some words: a question or a title. */
export async function languageEvidence(text: string): Promise<LanguageEvidence> {
  const cleaned = clean(text.replace(IDENTIFIER, " "));
  const script = byScript(cleaned);
  const letters = cleaned.match(/\p{L}/gu)?.length ?? 0;
  const alphabet = alphabetOf(cleaned);
  const told = { script, latin: alphabet === "Latin", letters };
  if (script !== undefined || letters < FEWEST_LETTERS) return { ...told, words: 0, candidates: [] };
  const all = new Candidates(alphabet, undefined);
  const { words, shares } = await all.functionShares(cleaned);
  const near = new Map((await all.nearness(cleaned, 1)).map(({ language, nearness }) => [language, nearness]));
  const own = all.own(cleaned);
  const candidates = shares.map(([language, functionWords]) => ({
    language,
    trigrams: near.get(language) ?? 0,
    functionWords,
    foreign: foreignLetters(own, language),
  }));
  return { ...told, words, candidates };
}
