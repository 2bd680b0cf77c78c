import { indexWords, isUnspaced, questionWords } from "../text/words.js";
import { loadStemmer } from "../text/stems.js";
import type { WordIndex } from "./dictionary.js";
import { stringAt } from "./front-coding.js";

const encoder = new TextEncoder();

/** Fewest characters of a term; 1 where the script does not separate words. */
export const SHORTEST_TERM = 3;

/** The rule behind the terms, for a reply or `info`. */
export const VOCABULARY_RULE = `word forms, case and accents folded, of ${SHORTEST_TERM} characters or more; single characters of scripts without spaces; function words are kept`;

/** How many passages hold each term of a package, and the rule that made the terms. */
export interface Vocabulary {
  readonly rule: string;
  /** Passages in the package. */
  readonly passages: number;
  /** Passages by term, in the order of the dictionary. */
  readonly documentFrequency: ReadonlyMap<string, number>;
}

/** Whether a form is a term: what vocabulary and unknown terms speak of. */
export function isTerm(form: string): boolean {
  const characters = Array.from(form).length;
  return isUnspaced(form) ? characters === 1 : characters >= SHORTEST_TERM;
}

/** All terms of a package. */
export function vocabulary(index: WordIndex): Vocabulary {
  const documentFrequency = new Map<string, number>();
  const { forms } = index;
  for (let form = 0; form < forms.count; form++) {
    const term = stringAt(forms, form);
    if (isTerm(term)) documentFrequency.set(term, index.documentFrequency(form));
  }
  return { rule: VOCABULARY_RULE, passages: index.passages, documentFrequency };
}

/**
 * The terms of `text`, in its order and each once, that the index would have recorded and never saw: not the form, not
 * in another inflection, not as the beginning of a longer word, not with what its language glues to it (spec/words.md
 * §7). Folded before they are looked up, so `GPU` is `gpu`.
 */
export async function unknownTerms(index: WordIndex, text: string): Promise<string[]> {
  const terms = [...new Set(termsOf(text))];
  index.wantWords(terms.map((form) => ({ form, stems: [] })));
  const unseen = terms.filter((form) => index.findForm(form) < 0);
  if (unseen.length === 0) return [];
  const stemmers = await Promise.all(
    index.languages.map(async (language) => ({ language, stem: await loadStemmer(language) })),
  );
  index.wantWords(
    unseen.map((form) => ({ form, stems: stemmers.map(({ language, stem }) => ({ language, stem: stem(form) })) })),
  );
  const hasStem = (form: string): boolean =>
    stemmers.some(({ language, stem }) => index.formsOfStem(stem(form), language).length > 0);
  return unseen.filter((form) => isUnspaced(form) || !(hasStem(form) || isWithin(index, form)));
}

/** Fewest characters that a term has in common with a longer or otherwise ending word that makes it known. */
const SHORTEST_BEGINNING = 4;

/** Most bytes of a character in UTF-8. */
const BYTES_OF_CHARACTER = 4;

/** The forms of a package, or of several together. */
export interface KnownForms {
  /** Form number `form`. */
  formAt(form: number): string;
  /** How many bytes of UTF-8 it has. */
  bytesIn(form: number): number;
  /** The forms that begin with some bytes: from number `first`, up to `end`. */
  beginningWith(beginning: Uint8Array): { readonly first: number; readonly end: number };
  /** Number of a form, or -1. */
  findForm(form: string): number;
  /** Its stems, one for each language with a stemmer in which it occurs. */
  stemsOf(form: string): readonly unknown[];
}

/** Whether a word of the package holds a term that is not a form of its own. */
export function isWithin(index: KnownForms, term: string): boolean {
  // Of numbers and part codes each is another.
  if (/\p{N}/u.test(term)) return false;
  if (/^\p{Script=Hangul}/u.test(term)) return isWithinKorean(index, term);
  return beginsAForm(index, term) || hasOtherEnding(index, term) || hasOtherPrefix(index, term);
}

/** `leuchtturm` where the package has `leuchtturmwarter`. */
function beginsAForm(index: KnownForms, term: string): boolean {
  if (Array.from(term).length < SHORTEST_BEGINNING) return false;
  const { first, end } = index.beginningWith(encoder.encode(term));
  return first < end;
}

/**
 * `haslo` where the package has `hasla`: only among forms without a stem, for a stemmer tells inflections better, and in
 * Greek, whose stemmer takes more from κωδικό than from κωδικός.
 */
function hasOtherEnding(index: KnownForms, term: string): boolean {
  const characters = Array.from(term);
  if (characters.length <= SHORTEST_BEGINNING) return false;
  const greek = /^\p{Script=Greek}/u.test(term);
  const { first, end } = index.beginningWith(encoder.encode(characters.slice(0, -1).join("")));
  const longest = encoder.encode(term).length + BYTES_OF_CHARACTER;
  for (let form = first; form < end; form++) {
    if (index.bytesIn(form) > longest) continue;
    const found = index.formAt(form);
    if (Array.from(found).length <= characters.length && (greek || index.stemsOf(found).length === 0)) return true;
  }
  return false;
}

/** What Hebrew and Arabic write together with the next word: articles, conjunctions and prepositions. */
const PREFIXES: Readonly<Record<"Hebrew" | "Arabic", readonly string[]>> = {
  Hebrew: ["ו", "ה", "ב", "כ", "ל", "מ", "ש", "וה", "וב", "ול", "שה", "מה"],
  Arabic: ["ال", "و", "ب", "ك", "ل", "ف", "وال", "بال", "كال", "فال", "لل"],
};

/** `סיסמה` where the package has `הסיסמה`, and the other way round. */
function hasOtherPrefix(index: KnownForms, term: string): boolean {
  const script = /^\p{Script=Hebrew}/u.test(term) ? "Hebrew" : /^\p{Script=Arabic}/u.test(term) ? "Arabic" : undefined;
  if (script === undefined) return false;
  const prefixes = PREFIXES[script];
  const bare = prefixes.filter((prefix) => term.startsWith(prefix)).map((prefix) => term.slice(prefix.length));
  return [term, ...bare.filter(isTerm)].some((word) =>
    ["", ...prefixes].some((prefix) => index.findForm(prefix + word) >= 0),
  );
}

/** Particles that Korean writes together with the word before, the longer first. */
const PARTICLE = /(?:에서|에게|으로|까지|부터|은|는|이|가|을|를|의|에|로|와|과|도|만)$/u;

/** `비밀번호를` where the package has `비밀번호는`: by the pairs of syllables, which are indexed. */
function isWithinKorean(index: KnownForms, term: string): boolean {
  return [term, term.replace(PARTICLE, "")].some((word) => {
    const syllables = Array.from(word);
    return syllables.length > 1 && syllables.slice(1).every((next, i) => index.findForm(syllables[i]! + next) >= 0);
  });
}

/**
 * The terms of a text, in its order and with its repetitions: whole words, and single characters of scripts without
 * spaces; never the pairs that are indexed beside them.
 */
export function termsOf(text: string): string[] {
  return questionWords(text)
    .flatMap(({ form, kind }) => (kind === "word" ? [form] : isUnspaced(form) ? indexWords(form) : []))
    .filter(isTerm);
}
