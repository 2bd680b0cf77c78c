/**
 * Which language a text is written in (spec/text.md §6): by its script where the script decides, else by trigrams
 * (franc) and function words among the languages that are plausible here. Left to itself franc takes English questions for Scots and
 * knows nothing under ten characters; so it chooses among few, must win clearly, and may say "und".
 */

import { loadFunctionWords } from "./stopwords.js";
import { phraseUnits } from "./words.js";

/** Version of these rules, kept in a package. */
export const LANGUAGES_VERSION = 2;

/** No answer. A detector without an answer is not a different language. */
export const UNDETERMINED = "und";

/**
 * What franc may answer by alphabet, ISO 639-3 → BCP 47 primary subtag: languages in which documents are common, no dialects.
 * An alphabet decides before any word does.
 */
const BY_ALPHABET = {
  Latin: {
    eng: "en", deu: "de", fra: "fr", spa: "es", ita: "it", por: "pt", nld: "nl", swe: "sv", dan: "da", nob: "no",
    fin: "fi", hun: "hu", ron: "ro", tur: "tr", pol: "pl", ces: "cs", slk: "sk", slv: "sl", hrv: "hr", srp: "sr",
    cat: "ca", glg: "gl", vie: "vi", ind: "id", est: "et", ekk: "et", lit: "lt", lvs: "lv", swh: "sw", afr: "af", tgl: "tl",
  },
  Cyrillic: { rus: "ru", ukr: "uk", bel: "be", bul: "bg", srp: "sr", mkd: "mk", kaz: "kk" },
  Arabic: { arb: "ar", pes: "fa", urd: "ur" },
  Devanagari: { hin: "hi", mar: "mr", npi: "ne" },
  Hebrew: { heb: "he" },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>; // prettier-ignore

type Alphabet = keyof typeof BY_ALPHABET;

const KNOWN: Readonly<Record<string, string>> = {
  ...BY_ALPHABET.Latin,
  ...BY_ALPHABET.Cyrillic,
  ...BY_ALPHABET.Arabic,
  ...BY_ALPHABET.Devanagari,
  ...BY_ALPHABET.Hebrew,
};

const ALPHABETS: readonly (readonly [Alphabet, letters: RegExp])[] = [
  ["Cyrillic", /\p{Script=Cyrillic}/gu],
  ["Arabic", /\p{Script=Arabic}/gu],
  ["Devanagari", /\p{Script=Devanagari}/gu],
  ["Hebrew", /\p{Script=Hebrew}/gu],
];

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

/** Whether {@link detectLanguage} can answer it: of others a document says itself that it is in them. */
export function canTell(language: string): boolean {
  return Object.values(KNOWN).includes(language) || BY_SCRIPT.some(([, written]) => written === language);
}

/** A longer text is a document: pieces of it are judged one by one, for listings and quotations are a part of many. */
const DOCUMENT = 4096;
/** UTF-16 units of a piece. */
const PIECE = 256;
const FEWEST_PIECES = 16;
const MOST_PIECES = 64;
/** A piece for so many units of a document, within these limits. */
const PIECE_EACH = 2048;
/** A piece tells its language by so many words, this share of function words, and this lead before the next language. */
const PIECE_WORDS = 12;
const PIECE_SHARE = 0.2;
const PIECE_LEAD = 0.06;
/** So many pieces are enough where none contradicts. */
const AGREEING = 6;

/** So many pieces are read by trigrams where these decide. */
const TRIGRAM_PIECES = 8;

/** The most of a text that its trigrams are taken from, in UTF-16 units. */
const SAMPLE = 2048;
/** Fewer letters than this tell nothing. */
const FEWEST_LETTERS = 10;

/** A shorter text has to be clear: its best language ahead of the second by the margin, with a function word of its own. */
const SHORT_LETTERS = 200;
const SHORTEST_LETTERS = 40;
const MARGIN = 0.05;
/** Fewer function words than this do not contradict trigrams that name a language without a list of them. */
const LEAST_SHARE = 0.2;

/**
 * Prose of so many words shows these languages by its function words alone, which is ten times quicker than trigrams.
 * No neighbour without a list of its own is taken for one of them, as Catalan would be for Spanish and Estonian for Finnish.
 */
const PLAIN: ReadonlySet<string> = new Set(["en", "de", "fr", "it", "hu", "ro", "tr", "sv"]);
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

function withoutFences(text: string): string {
  return text.includes("```") || text.includes("~~~") ? text.replace(/^(```|~~~)[^]*?^\1/gm, " ") : text;
}

/** Text to judge by: without code spans, addresses, markup and digits. */
export function clean(text: string): string {
  let prose = text.normalize("NFC");
  if (prose.includes("`")) prose = prose.replace(/`[^`\n]*`/g, " ");
  if (prose.includes("<")) prose = prose.replace(/<[^<>\n]*>/g, " ");
  // A path or an address has one of these, most pieces of prose have none.
  if (/[/\\@]/.test(prose)) prose = prose.replace(/\S+@\S+|\S*[/\\]\S*/g, " ");
  return prose.replace(/[^\p{L}\p{M}']+/gu, " ").trim();
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** The blocks of {@link BY_SCRIPT}, so that most Latin, Cyrillic, Arabic and Devanagari text is not counted twenty times. */
const HAS_SUCH_SCRIPT = /[\u0370-\u03FF\u0530-\u058F\u0980-\u1DFF\u1F00-\u1FFF\u2E80-\u{10FFFF}]/u;
/** The blocks of {@link ALPHABETS}. */
const HAS_SUCH_ALPHABET = /[\u0400-\u097F]/;

/** Letters that Vietnamese alone has, in NFC: those with two signs, ơ and ư, and a hook above. */
const VIETNAMESE = /[ƠơƯưẢ-ặẺẻẾ-ỈỉỎ-ợỦ-ựỶỷ]/g;
/** They are a fifth of the letters of Vietnamese, and this share leaves room for as much of English and of code. */
const VIETNAMESE_SHARE = 0.025;

/** The language of a text in a script that one language writes, or nearly so. */
export function byScript(text: string): string | undefined {
  if (HAS_SUCH_SCRIPT.test(text)) {
    // Latin words in a Chinese sentence take four letters where Chinese takes one.
    const letters = count(text, /\p{L}/gu);
    const latin = count(text, /\p{Script=Latin}/gu) / 4;
    const others = letters - latin * 4;
    for (const [script, language] of BY_SCRIPT) {
      const found = count(text, script);
      if (language === "ja" ? found > 0.1 * others && found > latin / 4 : found > 0.5 * others && found > latin)
        return language;
    }
  }
  const vietnamese = count(text, VIETNAMESE);
  return vietnamese > 1 && vietnamese > VIETNAMESE_SHARE * count(text, /\p{L}/gu) ? "vi" : undefined;
}

/** The alphabet of a text: Latin, unless another has more than half as many letters, for Latin is in every manual. */
export function alphabetOf(text: string): Alphabet {
  if (!HAS_SUCH_ALPHABET.test(text)) return "Latin";
  const latin = count(text, /\p{Script=Latin}/gu);
  const [most] = ALPHABETS.map(([alphabet, letters]) => [alphabet, count(text, letters)] as const).sort(
    (a, b) => b[1] - a[1],
  );
  return most !== undefined && most[1] > latin / 2 ? most[0] : "Latin";
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

/** The languages that may be answered for a text in one alphabet. */
export class Candidates {
  /** Codes of franc. */
  readonly codes: readonly string[];
  readonly languages: readonly string[];
  readonly #alphabet: Alphabet;

  constructor(alphabet: Alphabet, among: readonly string[] | undefined) {
    const known: Readonly<Record<string, string>> = BY_ALPHABET[alphabet];
    this.codes = Object.keys(known).filter((code) => among === undefined || among.includes(known[code]!));
    this.languages = Array.from(new Set(this.codes.map((code) => known[code]!)));
    this.#alphabet = alphabet;
  }

  /** The words of this alphabet alone: of two, franc would judge the one with more letters. */
  own(text: string): string {
    return this.#alphabet === "Latin" ? text : text.replace(/\p{Script=Latin}+/gu, " ");
  }

  async functionShares(text: string): Promise<FunctionShares> {
    const key = this.languages.join();
    let index = functionIndexes.get(key);
    if (index === undefined) functionIndexes.set(key, (index = indexFunctionWords(this.languages)));
    const known = await index;
    const words = phraseUnits(this.own(text)).slice(0, WORDS_READ);
    const counts = new Map<string, number>();
    for (const word of words)
      for (const language of known.get(word) ?? []) counts.set(language, (counts.get(language) ?? 0) + 1);
    const shares = this.languages.map((language) => [language, (counts.get(language) ?? 0) / words.length] as const);
    return { words: words.length, shares: shares.sort((a, b) => b[1] - a[1]) };
  }

  /** Nearness by trigrams, 1 for the nearest, which comes first; none for a text with fewer letters than `fewest`. */
  async nearness(text: string, fewest = FEWEST_LETTERS): Promise<{ language: string; nearness: number }[]> {
    if (this.codes.length === 0) return [];
    const francAll = await loadFranc();
    return francAll(this.own(text), { only: [...this.codes], minLength: fewest })
      .filter(([code]) => code !== UNDETERMINED)
      .map(([code, nearness]) => ({ language: KNOWN[code]!, nearness }));
  }

  /** Languages by the sum of their nearness to each piece, the nearest first: franc tells short pieces better than their sum. */
  async nearestOfAll(pieces: readonly string[]): Promise<string[]> {
    const sums = new Map<string, number>();
    for (const piece of pieces)
      for (const { language, nearness } of await this.nearness(piece))
        sums.set(language, (sums.get(language) ?? 0) + nearness);
    return [...sums].sort((a, b) => b[1] - a[1]).map(([language]) => language);
  }
}

/** The language of plain prose, where its function words leave no doubt. */
function plainLanguage({ words, shares }: FunctionShares): string | undefined {
  const [first, next] = shares;
  if (words < PLAIN_WORDS || first === undefined || !PLAIN.has(first[0])) return undefined;
  return first[1] >= PLAIN_SHARE && first[1] - (next?.[1] ?? 0) >= PLAIN_LEAD ? first[0] : undefined;
}

/**
 * The language of `text` as BCP 47 primary subtag, "und" where nothing is clear. `among` restricts the answer where the
 * script leaves a choice: for a question, to the languages of the corpus.
 */
export async function detectLanguage(text: string, among?: readonly string[]): Promise<string> {
  if (text.length > DOCUMENT) {
    const prose = withoutFences(text);
    return prose.length > DOCUMENT ? documentLanguage(prose, among) : textLanguage(clean(prose), among);
  }
  return textLanguage(clean(withoutFences(text)), among);
}

/** Multiples of it, less their whole part, are spread evenly however many of them there are. */
const GOLDEN_RATIO = 0.6180339887498949;

/** Pieces from all over a text, cut at blanks: any first few of them are spread over the whole too. */
function* piecesOf(text: string): Generator<string> {
  const pieces = Math.min(MOST_PIECES, Math.max(FEWEST_PIECES, Math.floor(text.length / PIECE_EACH)));
  for (let i = 0; i < pieces; i++) {
    const start = Math.floor(((i * GOLDEN_RATIO) % 1) * (text.length - PIECE));
    const piece = text.slice(start, start + PIECE);
    yield piece.slice(Math.max(0, piece.search(/\s/)), Math.max(piece.lastIndexOf(" "), PIECE / 2));
  }
}

/** What the pieces of a document say. */
class Votes {
  /** Pieces by what they show: a language, or an alphabet whose languages look alike. */
  readonly pieces = new Map<string, string[]>();
  /** Latin letters beyond ASCII, and no function words that decide, or English ones as in a listing. */
  readonly foreign: string[] = [];
  readonly rest: string[] = [];

  add(vote: string, piece: string): void {
    const known = this.pieces.get(vote);
    if (known === undefined) this.pieces.set(vote, [piece]);
    else known.push(piece);
  }

  winner(): readonly [vote: string, pieces: readonly string[]] | undefined {
    return [...this.pieces].sort((a, b) => b[1].length - a[1].length)[0];
  }

  /** Whether there are so many votes, all for one. */
  unanimous(): boolean {
    return this.pieces.size === 1 && this.foreign.length === 0 && this.winner()![1].length >= AGREEING;
  }
}

/**
 * The language of most pieces of a document that show one: by script, alphabet or function words. Trigrams decide
 * between neighbours, and for languages without a list of function words.
 */
async function documentLanguage(text: string, among: readonly string[] | undefined): Promise<string> {
  const votes = new Votes();
  const latin = new Candidates("Latin", among);
  for (const raw of piecesOf(text)) {
    if (votes.unanimous()) break;
    const piece = clean(raw);
    const script = byScript(piece);
    const alphabet = script ?? alphabetOf(piece);
    if (alphabet !== "Latin") {
      votes.add(alphabet, piece);
      continue;
    }
    const { words, shares } = await latin.functionShares(piece);
    const [first, next] = shares;
    if (words < PIECE_WORDS || first === undefined) continue;
    const clear = first[1] >= PIECE_SHARE && first[1] - (next?.[1] ?? 0) >= PIECE_LEAD;
    if (clear && (first[0] !== "en" || !isForeign(piece))) votes.add(first[0], piece);
    else if (isForeign(piece)) votes.foreign.push(piece);
    else votes.rest.push(piece);
  }
  const [vote, pieces] = votes.winner() ?? [UNDETERMINED, votes.rest];
  if (votes.foreign.length > pieces.length) {
    const near = await latin.nearestOfAll(votes.foreign.slice(0, TRIGRAM_PIECES));
    return near.find((language) => language !== "en") ?? UNDETERMINED;
  }
  if (vote === UNDETERMINED) return textLanguage(votes.rest.join(" "), among);
  if (PLAIN.has(vote)) return vote;
  if (Object.hasOwn(BY_ALPHABET, vote)) return textLanguage(pieces.join(" "), among);
  // A script's own language, or one that is told from its neighbours by trigrams.
  if (!latin.languages.includes(vote) || vote === "vi") return vote;
  const near = await latin.nearestOfAll(pieces.slice(0, TRIGRAM_PIECES));
  return near.find((language) => !PLAIN.has(language)) ?? vote;
}

/** Most languages have letters beyond ASCII, and more of them than this share; English and program text have next to none. */
const FOREIGN_SHARE = 0.02;

function isForeign(piece: string): boolean {
  return count(piece, /[À-ɏḀ-ỿ]/g) > FOREIGN_SHARE * piece.length;
}

/**
 * The language of text without markup, of which the first {@link SAMPLE} units are looked at. What two languages share decides nothing, so a
 * language is chosen by its trigrams and the share of its function words, added.
 */
async function textLanguage(text: string, among: readonly string[] | undefined): Promise<string> {
  const sampled = text.slice(0, SAMPLE);
  const script = byScript(sampled);
  if (script !== undefined) return script;
  const candidates = new Candidates(alphabetOf(sampled), among);
  const letters = count(sampled, /\p{L}/gu);
  if (letters < FEWEST_LETTERS || candidates.codes.length === 0) return UNDETERMINED;
  const found = await candidates.functionShares(sampled);
  const plain = plainLanguage(found);
  if (plain !== undefined) return plain;
  const largest = found.shares[0]?.[1] ?? 0;
  // So short a text needs a function word: without one its trigrams would not be believed.
  if (letters < SHORTEST_LETTERS && largest === 0) return UNDETERMINED;
  const share = new Map(found.shares);
  const near = await candidates.nearness(sampled);
  const nearest = near[0]?.language;
  const few = letters >= SHORT_LETTERS && largest < LEAST_SHARE;
  if (few && nearest !== undefined && (await loadFunctionWords(nearest)).size === 0) return nearest;
  const scores = near.map(({ language, nearness }) => ({ language, score: nearness + share.get(language)! }));
  const [best, second] = scores.sort((a, b) => b.score - a.score);
  if (best === undefined) return UNDETERMINED;
  if (letters < SHORT_LETTERS && second !== undefined && best.score - second.score < MARGIN) return UNDETERMINED;
  if (letters < SHORTEST_LETTERS && share.get(best.language) === 0) return UNDETERMINED;
  return best.language;
}
