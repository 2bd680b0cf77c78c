/**
 * Function words by language (spec/text.md §5), needed when a question is read and never when text is indexed: the
 * index keeps every word, because `die` casts and `Les` is miserable.
 */
import { indexWords } from "./words.js";

type ListModule = Promise<{ stopwords: readonly string[] }>;

const MODULES: Readonly<Record<string, () => ListModule>> = {
  ar: () => import("@orama/stopwords/arabic"),
  bg: () => import("@orama/stopwords/bulgarian"),
  da: () => import("@orama/stopwords/danish"),
  de: () => import("@orama/stopwords/german"),
  el: () => import("@orama/stopwords/greek"),
  en: () => import("@orama/stopwords/english"),
  es: () => import("@orama/stopwords/spanish"),
  fi: () => import("@orama/stopwords/finnish"),
  fr: () => import("@orama/stopwords/french"),
  ga: () => import("@orama/stopwords/irish"),
  hi: () => import("@orama/stopwords/indian"),
  hu: () => import("@orama/stopwords/hungarian"),
  hy: () => import("@orama/stopwords/armenian"),
  id: () => import("@orama/stopwords/indonesian"),
  it: () => import("@orama/stopwords/italian"),
  lt: () => import("@orama/stopwords/lithuanian"),
  ne: () => import("@orama/stopwords/nepali"),
  nl: () => import("@orama/stopwords/dutch"),
  no: () => import("@orama/stopwords/norwegian"),
  pt: () => import("@orama/stopwords/portuguese"),
  ro: () => import("@orama/stopwords/romanian"),
  ru: () => import("@orama/stopwords/russian"),
  sr: () => import("@orama/stopwords/serbian"),
  sv: () => import("@orama/stopwords/swedish"),
  ta: () => import("@orama/stopwords/tamil"),
  tr: () => import("@orama/stopwords/turkish"),
  uk: () => import("@orama/stopwords/ukrainian"),
};

const none: ReadonlySet<string> = new Set();
const loaded = new Map<string, Promise<ReadonlySet<string>>>();

/** The function words of `language` as forms; empty where no list is known. */
export function loadFunctionWords(language: string): Promise<ReadonlySet<string>> {
  const load = Object.hasOwn(MODULES, language) ? MODULES[language] : undefined;
  if (load === undefined) return Promise.resolve(none);
  let words = loaded.get(language);
  if (words === undefined) {
    // Lists hold spellings (`für`, `aren't`); what is asked are forms.
    words = load().then(({ stopwords }) => new Set(stopwords.flatMap((spelling) => indexWords(spelling))));
    loaded.set(language, words);
  }
  return words;
}
