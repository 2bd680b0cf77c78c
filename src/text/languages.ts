/**
 * Which language a text is written in (spec/text.md §6): by its script where the script decides, else by trigrams
 * (franc) and function words among the languages that are plausible here. Left to itself franc takes English questions for Scots and
 * knows nothing under ten characters; so it chooses among few, must win clearly, and may say "und".
 */

import { loadFunctionWords } from "./stopwords.js";
import { phraseUnits } from "./words.js";

/** Version of these rules, kept in a package. */
export const LANGUAGES_VERSION = 1;

/** No answer. A detector without an answer is not a different language. */
export const UNDETERMINED = "und";

/** What franc may answer, ISO 639-3 → BCP 47 primary subtag: languages in which documents are common, no dialects. */
const KNOWN: Readonly<Record<string, string>> = {
  // Latin
  eng: "en", deu: "de", fra: "fr", spa: "es", ita: "it", por: "pt", nld: "nl", swe: "sv", dan: "da", nob: "no",
  fin: "fi", hun: "hu", ron: "ro", tur: "tr", pol: "pl", ces: "cs", slk: "sk", slv: "sl", hrv: "hr", cat: "ca",
  glg: "gl", vie: "vi", ind: "id", est: "et", ekk: "et", lit: "lt", lvs: "lv", swh: "sw", afr: "af", tgl: "tl",
  // Cyrillic
  rus: "ru", ukr: "uk", bel: "be", bul: "bg", srp: "sr", mkd: "mk", kaz: "kk",
  // Arabic, Devanagari, Hebrew
  arb: "ar", pes: "fa", urd: "ur", hin: "hi", mar: "mr", npi: "ne", heb: "he",
}; // prettier-ignore

/** Scripts that one language writes, or nearly so. */
const BY_SCRIPT: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Hangul}/gu, "ko"],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, "ja"],
  [/\p{Script=Han}/gu, "zh"],
  [/\p{Script=Thai}/gu, "th"],
  [/\p{Script=Greek}/gu, "el"],
  [/\p{Script=Lao}/gu, "lo"],
  [/\p{Script=Khmer}/gu, "km"],
  [/\p{Script=Myanmar}/gu, "my"],
  [/\p{Script=Tibetan}/gu, "bo"],
  [/\p{Script=Armenian}/gu, "hy"],
  [/\p{Script=Georgian}/gu, "ka"],
  [/\p{Script=Bengali}/gu, "bn"],
  [/\p{Script=Tamil}/gu, "ta"],
  [/\p{Script=Telugu}/gu, "te"],
  [/\p{Script=Kannada}/gu, "kn"],
  [/\p{Script=Malayalam}/gu, "ml"],
  [/\p{Script=Gujarati}/gu, "gu"],
  [/\p{Script=Gurmukhi}/gu, "pa"],
  [/\p{Script=Sinhala}/gu, "si"],
  [/\p{Script=Ethiopic}/gu, "am"],
];

/** Aliases of the tags above in other lists, front matter included. */
const ALIASES: Readonly<Record<string, string>> = {
  nb: "no", nn: "no", nob: "no", nno: "no", nor: "no", cmn: "zh", zho: "zh", chi: "zh", jpn: "ja", kor: "ko",
  ger: "de", fre: "fr", dut: "nl", gre: "el", ell: "el", rum: "ro", cze: "cs", slo: "sk", per: "fa", fas: "fa",
  ara: "ar", tha: "th", iw: "he", est: "et", lav: "lv", swa: "sw", msa: "ms", nep: "ne", in: "id",
}; // prettier-ignore

/**
 * A language tag in the shape used here: the primary subtag in lower case, two letters where ISO 639-1 has them.
 * `pt-BR` is "pt", `zh_Hans` "zh", `deu` "de"; what is no tag is "und".
 */
export function canonicalLanguage(tag: string): string {
  const primary = /^[A-Za-z]{2,3}(?![A-Za-z])/.exec(tag.trim())?.[0].toLowerCase();
  if (primary === undefined) return UNDETERMINED;
  return ALIASES[primary] ?? KNOWN[primary] ?? primary;
}

/** The most text that is looked at, in UTF-16 units; evenly spread pieces of a longer document. */
const SAMPLE = 2048;
/** As much is looked at first, and is enough for plain prose. */
const QUICK_SAMPLE = 512;
const SAMPLE_PIECES = 8;
/** Fewer letters than this tell nothing. */
const FEWEST_LETTERS = 10;

/** A shorter text has to be clear: its best language ahead of the second by the margin, with a function word of its own. */
const SHORT_LETTERS = 200;
const SHORTEST_LETTERS = 40;
const MARGIN = 0.05;

/**
 * Prose of so many words shows these languages by its function words alone, which is ten times quicker than trigrams.
 * No neighbour without a list of its own is taken for one of them, as Catalan would be for Spanish.
 */
const PLAIN = new Set(["en", "de", "fr", "it", "fi", "hu", "ro", "tr", "sv"]);
const PLAIN_WORDS = 40;
const PLAIN_SHARE = 0.2;
const PLAIN_LEAD = 0.1;

/** So many words are looked up among the function words. */
const WORDS_READ = 300;

type Franc = typeof import("franc").francAll;
let loaded: Franc | undefined;

/** Loads the trigrams (240 KB of source) when they are first needed. */
async function loadFranc(): Promise<Franc> {
  loaded ??= (await import("franc")).francAll;
  return loaded;
}

/** Text to judge by: without code, addresses, markup and digits, from all parts of the document. */
function sample(text: string, size: number): string {
  let picked = text;
  if (text.length > size * 6) {
    const step = Math.floor(text.length / SAMPLE_PIECES);
    const length = Math.floor((size * 1.5) / SAMPLE_PIECES);
    picked = Array.from({ length: SAMPLE_PIECES }, (_, i) => text.slice(i * step, i * step + length)).join("\n");
  }
  return picked
    .replace(/^(```|~~~)[^]*?^\1/gm, " ")
    .replace(/`[^`\n]*`/g, " ")
    .replace(/<[^<>\n]*>/g, " ")
    .replace(/\b(?:https?|ftp|file|mailto):\S+|\S+@\S+|\S*[/\\]\S*/g, " ")
    .replace(/[^\p{L}\p{M}\s']+/gu, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, size);
}

/** The blocks of {@link BY_SCRIPT}, so that most Latin, Cyrillic, Arabic and Devanagari text is not counted twenty times. */
const HAS_SUCH_SCRIPT = /[\u0370-\u03FF\u0530-\u058F\u0980-\u1FFF\u2E80-\u{10FFFF}]/u;

function byScript(text: string): string | undefined {
  if (!HAS_SUCH_SCRIPT.test(text)) return undefined;
  // Latin words in a Chinese sentence take four letters where Chinese takes one.
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = (text.match(/\p{Script=Latin}/gu)?.length ?? 0) / 4;
  const others = letters - latin * 4;
  for (const [script, language] of BY_SCRIPT) {
    const found = text.match(script)?.length ?? 0;
    if (language === "ja" ? found > 0.1 * others && found > latin / 4 : found > 0.5 * others && found > latin)
      return language;
  }
  return undefined;
}

/** Form → the languages of which it is a function word, by the languages that were asked for. */
const functionIndexes = new Map<string, Promise<ReadonlyMap<string, readonly string[]>>>();

async function indexFunctionWords(languages: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const index = new Map<string, string[]>();
  for (const language of languages) {
    for (const word of await loadFunctionWords(language)) {
      const known = index.get(word);
      if (known === undefined) index.set(word, [language]);
      else known.push(language);
    }
  }
  return index;
}

/** How much of a text is function words of each language. */
interface FunctionShares {
  readonly words: number;
  /** By language, the largest first. */
  readonly shares: readonly (readonly [language: string, share: number])[];
}

async function functionShares(text: string, languages: readonly string[]): Promise<FunctionShares> {
  const key = languages.join();
  let index = functionIndexes.get(key);
  if (index === undefined) functionIndexes.set(key, (index = indexFunctionWords(languages)));
  const known = await index;
  const words = phraseUnits(text).slice(0, WORDS_READ);
  const counts = new Map<string, number>();
  for (const word of words)
    for (const language of known.get(word) ?? []) counts.set(language, (counts.get(language) ?? 0) + 1);
  const shares = languages.map((language) => [language, (counts.get(language) ?? 0) / words.length] as const);
  return { words: words.length, shares: shares.sort((a, b) => b[1] - a[1]) };
}

/** The language of plain prose, where its function words leave no doubt. */
function plainLanguage({ words, shares }: FunctionShares): string | undefined {
  const [first, next] = shares;
  if (words < PLAIN_WORDS || first === undefined || !PLAIN.has(first[0])) return undefined;
  return first[1] >= PLAIN_SHARE && first[1] - (next?.[1] ?? 0) >= PLAIN_LEAD ? first[0] : undefined;
}

/**
 * The language of `text` as BCP 47 primary subtag, "und" where nothing is clear. `among` restricts the answer where the
 * script leaves a choice: for a question, to the languages of the corpus. What two languages share decides nothing, so a
 * language is chosen by its trigrams (1 for the nearest) and the share of its function words, added.
 */
export async function detectLanguage(text: string, among?: readonly string[]): Promise<string> {
  const only = Object.keys(KNOWN).filter((code) => among === undefined || among.includes(KNOWN[code]!));
  const languages = Array.from(new Set(only.map((code) => KNOWN[code]!)));
  // Of a document with code in it, small pieces may be all code.
  if (text.length > SAMPLE && !text.includes("```")) {
    const quick = sample(text, QUICK_SAMPLE);
    const plain = byScript(quick) ?? plainLanguage(await functionShares(quick, languages));
    if (plain !== undefined) return plain;
  }
  const sampled = sample(text, SAMPLE);
  const script = byScript(sampled);
  if (script !== undefined) return script;
  const letters = sampled.match(/\p{L}/gu)?.length ?? 0;
  if (letters < FEWEST_LETTERS || only.length === 0) return UNDETERMINED;
  const found = await functionShares(sampled, languages);
  const plain = plainLanguage(found);
  if (plain !== undefined) return plain;
  const { shares } = found;
  // So short a text needs a function word: without one its trigrams would not be believed.
  if (letters < SHORTEST_LETTERS && (shares[0]?.[1] ?? 0) === 0) return UNDETERMINED;
  const francAll = await loadFranc();
  const share = new Map(shares);
  const [best, second] = francAll(sampled, { only, minLength: FEWEST_LETTERS })
    .filter(([code]) => code !== UNDETERMINED)
    .map(([code, nearness]) => ({ language: KNOWN[code]!, score: nearness + share.get(KNOWN[code]!)! }))
    .sort((a, b) => b.score - a.score);
  if (best === undefined) return UNDETERMINED;
  if (letters < SHORT_LETTERS && second !== undefined && best.score - second.score < MARGIN) return UNDETERMINED;
  if (letters < SHORTEST_LETTERS && share.get(best.language) === 0) return UNDETERMINED;
  return best.language;
}
