import { GRAMS_VERSION } from "./grams.js";
import { LANGUAGES_VERSION } from "./languages.js";
import { NORMALISE_VERSION } from "./normalise.js";
import { PASSAGES_VERSION } from "./passages.js";
import { STEMS_VERSION } from "./stems.js";
import { TOKENS_VERSION } from "./tokens.js";
import { WORDS_VERSION } from "./words.js";

/**
 * The rules that made the words and passages of a package, kept in its image (spec/text.md §9). A reader that has others
 * can show and export the package; what it asks the index would not be what was put there.
 */
export const RULES = {
  normalise: NORMALISE_VERSION,
  words: WORDS_VERSION,
  stems: STEMS_VERSION,
  grams: GRAMS_VERSION,
  languages: LANGUAGES_VERSION,
  passages: PASSAGES_VERSION,
  tokens: TOKENS_VERSION,
} as const;
