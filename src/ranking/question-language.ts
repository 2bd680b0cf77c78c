/**
 * The language that a question is asked in, and whether that is another one than a passage's. A question is short, and
 * may be in a language that no document here is in: it is that which decides whether words can answer it.
 */
import { languageEvidence, type Candidate, type LanguageEvidence } from "../text/language-evidence.js";
import { canTell, UNDETERMINED } from "../text/languages.js";
import { loadFunctionWords } from "../text/stopwords.js";
import { questionWords } from "../text/words.js";
import type { WordIndex } from "../words/dictionary.js";

/** What a function word in each of a question's words would weigh beside trigrams, whose best is 1. */
const FUNCTION_WORDS = 2;
/** What letters weigh that a language does not write, and the most they weigh: one name has a few. */
const FOREIGN = 8;
const MOST_FOREIGN = 0.4;
/**
 * What it weighs for a language of the corpus that its documents hold the question's words: they hold four in five of a
 * question in their own language, and hardly two in five of one in another, names and numbers.
 */
const KNOWN = 0.8;
const EXPECTED_KNOWN = 0.4;
/** Lead that a language needs: one outside over those of the corpus, one of the corpus over those outside, and over others in it. */
const LEAD_OUTSIDE = 0.05;
const LEAD_INSIDE = 0.02;
const LEAD_WITHIN = 0.1;
/** Of fewer words, none of them a function word of any language, nothing is told: names, part codes, titles. */
const FEWEST_WORDS = 3;
/** A language that the corpus lacks needs a function word of its own, or so many words. */
const FEWEST_OUTSIDE = 4;
/** Letters of Han writing without kana that may be Japanese as well as Chinese. */
const FEW_HAN = 15;
/**
 * A question is plainly in the one language of the corpus that knows this share of its words, so many of them function words:
 * two of three are, 4 in 10,000 of another language seem so, and they spare a fresh process the lists and trigrams of all.
 */
const PLAINLY_KNOWN = 0.8;
const PLAIN_FUNCTION_WORDS = 2;
/** Share of a question's words that the documents of a language must hold of which no evidence can be had. */
const LEAST_KNOWN = 0.6;

/**
 * The language of a question, "und" where it cannot be told. It may be one that the corpus does not hold.
 *
 * @param corpus languages of the mounted documents
 * @param words the mounted word indexes, which know in what languages their forms occur
 */
export async function questionLanguage(
  text: string,
  corpus: readonly string[],
  words: readonly WordIndex[],
): Promise<string> {
  const pieces = questionWords(text);
  const asked = pieces.flatMap(({ kind, form }) => (kind === "word" ? [form] : []));
  const known = sharesKnown(asked, corpus, words);
  const unheard = corpus.filter((language) => language !== UNDETERMINED && !canTell(language));
  const [most] = unheard.sort((a, b) => known(b) - known(a));
  if (most !== undefined && known(most) >= Math.max(LEAST_KNOWN, ...corpus.map(known))) return most;
  // Beside a script without spaces, words are names in another.
  const plain = asked.length === pieces.length ? await plainlyIn(asked, corpus, known) : undefined;
  if (plain !== undefined) return plain;
  const evidence = await languageEvidence(text);
  if (evidence.script !== undefined) return ofScript(evidence.script, evidence.letters, corpus);
  return ofCandidates(evidence, corpus, known);
}

/** Whether a passage is in another language than the question: only where both are known. */
export function crosses(question: string, passage: string): boolean {
  return question !== UNDETERMINED && passage !== UNDETERMINED && question !== passage;
}

/** Share of the question's words that documents of a language hold. */
function sharesKnown(
  asked: readonly string[],
  corpus: readonly string[],
  indexes: readonly WordIndex[],
): (language: string) => number {
  const stemmed = new Set(indexes.flatMap((index) => index.languages));
  const unstemmed = corpus.filter((language) => !stemmed.has(language));
  const votes = new Map<string, number>();
  for (const form of asked) {
    // What one package does not know of a form, another may: they are asked as one.
    const languages = new Set(indexes.flatMap((index) => index.stemsOf(form).map(({ language }) => language)));
    // Forms have a stem in each language that they occur in; of a language without a stemmer they are those without one.
    const heard = languages.size === 0 && indexes.some((index) => index.findForm(form) >= 0) ? unstemmed : languages;
    for (const language of heard) votes.set(language, (votes.get(language) ?? 0) + 1);
  }
  return (language) => (votes.get(language) ?? 0) / Math.max(1, asked.length);
}

async function plainlyIn(
  asked: readonly string[],
  corpus: readonly string[],
  known: (language: string) => number,
): Promise<string | undefined> {
  const plain: string[] = [];
  for (const language of corpus) {
    if (known(language) < PLAINLY_KNOWN) continue;
    const list = await loadFunctionWords(language);
    if (asked.filter((form) => list.has(form)).length >= PLAIN_FUNCTION_WORDS) plain.push(language);
  }
  return plain.length === 1 ? plain[0] : undefined;
}

/** A few Chinese characters are a Japanese title too, where only Japanese documents are here. */
function ofScript(script: string, letters: number, corpus: readonly string[]): string {
  const japanese = script === "zh" && letters < FEW_HAN && corpus.includes("ja");
  if (!japanese) return script;
  return corpus.includes("zh") ? UNDETERMINED : "ja";
}

function ofCandidates(
  evidence: LanguageEvidence,
  corpus: readonly string[],
  known: (language: string) => number,
): string {
  const weigh = ({ language, trigrams, functionWords, foreign }: Candidate): number =>
    trigrams +
    FUNCTION_WORDS * functionWords -
    Math.min(MOST_FOREIGN, FOREIGN * foreign) +
    (corpus.includes(language) ? KNOWN * (known(language) - EXPECTED_KNOWN) : 0);
  const weighed = evidence.candidates
    .map((candidate) => ({ ...candidate, inside: corpus.includes(candidate.language), weight: weigh(candidate) }))
    .sort((a, b) => b.weight - a.weight);
  const best = weighed[0];
  if (best === undefined) return UNDETERMINED;
  const bare = evidence.latin && weighed.every(({ functionWords }) => functionWords === 0);
  if (bare && evidence.words < FEWEST_WORDS) return UNDETERMINED;
  if (evidence.latin && !best.inside && best.functionWords === 0 && evidence.words < FEWEST_OUTSIDE)
    return UNDETERMINED;
  // Of two languages that the corpus lacks either is as foreign: there it needs no lead.
  const leadOver = (other: { readonly inside: boolean }): number =>
    best.inside ? (other.inside ? LEAD_WITHIN : LEAD_INSIDE) : other.inside ? LEAD_OUTSIDE : 0;
  const doubted = weighed.some((other) => other !== best && best.weight - other.weight < leadOver(other));
  return doubted ? UNDETERMINED : best.language;
}
