/**
 * Snowball stemmers by language (spec/text.md §3). A stem is a function of the stored form, which is folded already, so
 * packing and asking always agree. Each stemmer is a module of its own and is loaded when its language is met: a search
 * in English must not wait for thirty of them.
 */
import { normaliseWord } from "./normalise.js";

/** The stemmers and the way they are called, kept in a package: stems of another version are not comparable. */
export const STEMS_VERSION = "snowball (@orama/stemmers 3.1), of folded forms, 1";

/** A stemmer of one language: a form as `normaliseWord` gives it to its stem. Synchronous, never throws. */
export type Stemmer = (form: string) => string;

type StemmerModule = Promise<{ stemmer: Stemmer }>;

const MODULES: Readonly<Record<string, () => StemmerModule>> = {
  ar: () => import("@orama/stemmers/arabic"),
  da: () => import("@orama/stemmers/danish"),
  de: () => import("@orama/stemmers/german"),
  el: () => import("@orama/stemmers/greek"),
  en: () => import("@orama/stemmers/english"),
  es: () => import("@orama/stemmers/spanish"),
  fi: () => import("@orama/stemmers/finnish"),
  fr: () => import("@orama/stemmers/french"),
  ga: () => import("@orama/stemmers/irish"),
  hi: () => import("@orama/stemmers/indian"),
  hu: () => import("@orama/stemmers/hungarian"),
  hy: () => import("@orama/stemmers/armenian"),
  id: () => import("@orama/stemmers/indonesian"),
  it: () => import("@orama/stemmers/italian"),
  lt: () => import("@orama/stemmers/lithuanian"),
  ne: () => import("@orama/stemmers/nepali"),
  nl: () => import("@orama/stemmers/dutch"),
  no: () => import("@orama/stemmers/norwegian"),
  pt: () => import("@orama/stemmers/portuguese"),
  ro: () => import("@orama/stemmers/romanian"),
  ru: () => import("@orama/stemmers/russian"),
  sr: () => import("@orama/stemmers/serbian"),
  sv: () => import("@orama/stemmers/swedish"),
  ta: () => import("@orama/stemmers/tamil"),
  tr: () => import("@orama/stemmers/turkish"),
};

/** The languages that have a stemmer, as BCP 47 primary subtags. */
export const STEMMED_LANGUAGES: readonly string[] = Object.keys(MODULES);

const same: Stemmer = (form) => form;
const loaded = new Map<string, Promise<Stemmer>>();

/**
 * The stemmer of `language` (a tag as `detectLanguage` gives it). A language without one gets the identity, so that
 * callers need no second path.
 */
export function loadStemmer(language: string): Promise<Stemmer> {
  const load = Object.hasOwn(MODULES, language) ? MODULES[language] : undefined;
  if (load === undefined) return Promise.resolve(same);
  let stemmer = loaded.get(language);
  if (stemmer === undefined) {
    stemmer = load().then(
      ({ stemmer: stem }) =>
        (form) =>
          normaliseWord(stem(form)) || form,
    );
    loaded.set(language, stemmer);
  }
  return stemmer;
}
