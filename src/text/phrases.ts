/** Phrases in quotation marks (spec/text.md §2.3): the passages that are found hold every one of them. */
import { phraseUnits } from "./words.js";

const BEFORE = String.raw`(?<![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Nd}])`;
const AFTER = String.raw`(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Nd}])`;
const PAIRS = ["“”", "„“", "„”", "””", "«»", "»«", "「」", "『』"];

/**
 * The marks of the languages here. A straight mark opens only where no letter or digit stands before it and closes only
 * where none stands after it, so that inches (`5" and 3"`) quote nothing; scripts without spaces set it between letters.
 */
const QUOTED = new RegExp(
  [
    `${BEFORE}["\uFF02]([^"\uFF02\r\n]+)["\uFF02]${AFTER}`,
    ...PAIRS.map((pair) => `${pair[0]!}([^${pair}\r\n]+)${pair[1]!}`),
  ].join("|"),
  "gu",
);

/** The phrases of a question as units to compare (see `phraseUnits`), those without a word left out. */
export function quotedPhrases(question: string): string[][] {
  const found = Array.from(question.matchAll(QUOTED), (match) => phraseUnits(match.slice(1).join("")));
  return found.filter((units) => units.length > 0);
}

/** Whether `text` holds the units of `phrase` one after the other, in normal form and whatever signs stand between. */
export function containsPhrase(text: string, phrase: readonly string[]): boolean {
  if (phrase.length === 0) return true;
  const units = phraseUnits(text);
  for (let at = units.indexOf(phrase[0]!); at >= 0; at = units.indexOf(phrase[0]!, at + 1)) {
    if (phrase.every((unit, i) => units[at + i] === unit)) return true;
  }
  return false;
}
