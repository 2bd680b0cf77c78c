/** How near an output comes to a right answer: words, order, headings, table cells. */
import create from "markdown-it";
import { wordsInOrder } from "../src/convert/compare/order.js";
import { pairWords } from "../src/convert/compare/pairing.js";
import { readMarkdown, type TableText } from "../src/convert/compare/reading.js";
import { wholeSide } from "../src/convert/compare/sides.js";
import { compareTables, type TableTally } from "../src/convert/compare/tables.js";
import { tally, textKey } from "../src/convert/compare/tallies.js";
import { Vocabulary, WordList } from "../src/convert/compare/words.js";
import { compareSheets } from "./convert-sheets.js";
import { headingsOf, type Expected } from "./convert-expected.js";

export interface Score {
  /** Words of the answer that the output holds, as a share of them. */
  readonly recall: number;
  /** Words of the output that the answer holds; absent where the answer states a part only. */
  readonly precision?: number;
  /** Longest common subsequence over the words that both hold. */
  readonly order?: number;
  /** Of headings found as headings, harmonic mean of recall and precision; absent where the answer has none. */
  readonly headings?: number;
  readonly tables?: TableTally;
  /** Some of the words that are missing, for whoever looks into a figure. */
  readonly missing: readonly string[];
}

/** `markdown` may be plain text too: then only its words are judged. */
export function score(markdown: string, expected: Expected, { plain = false } = {}): Score {
  const vocabulary = new Vocabulary();
  const answer = new WordList(vocabulary);
  answer.add(expected.text);
  const output = plain
    ? { words: new WordList(vocabulary), tables: [] }
    : readMarkdown(markdown, vocabulary, create, { formulasApart: true });
  if (plain) output.words.add(markdown);
  const { words } = output;
  const { left, right } = pairWords(wholeSide(answer), wholeSide(words));
  const repeats = new WordList(vocabulary);
  for (const text of expected.repeats ?? []) repeats.add(text);
  const forgiven = new Map<number, number>();
  for (const id of repeats.ids) forgiven.set(id, (forgiven.get(id) ?? 0) + 1);
  const missing: string[] = [];
  let required = answer.length;
  let pairs = 0;
  left.forEach((partner, at) => {
    if (partner >= 0) pairs++;
    if (partner !== -1) return;
    const id = answer.ids[at]!;
    const free = forgiven.get(id) ?? 0;
    if (free === 0) missing.push(answer.word(at));
    else {
      forgiven.set(id, free - 1);
      required--;
    }
  });
  let foreign = 0;
  right.forEach((partner, at) => {
    if (partner === -1 && !words.optional.has(at)) foreign++;
  });
  const written = words.length - words.optional.size;
  const headings = expected.headings;
  return {
    recall: required === 0 ? 1 : 1 - missing.length / required,
    ...(expected.partial !== true && written > 0 && { precision: 1 - foreign / written }),
    ...(pairs > 0 && { order: wordsInOrder(left) / pairs }),
    ...(!plain &&
      headings !== undefined &&
      headings.length > 0 && { headings: headingScore(headings, headingsOf(markdown)) }),
    ...(!plain && cellScore(markdown, expected, output.tables)),
    missing: missing.slice(0, 40),
  };
}

function cellScore(
  markdown: string,
  { tables, sheets }: Expected,
  found: readonly TableText[],
): { tables?: TableTally } {
  if (sheets !== undefined) return { tables: compareSheets(sheets, markdown) };
  return tables === undefined || tables.length === 0 ? {} : { tables: compareTables(tables, found) };
}

function headingScore(expected: readonly string[], found: readonly string[]): number {
  const { reference, lost, added } = tally(expected.map(textKey), found.map(textKey));
  const hits = reference - lost;
  return hits === 0 ? 0 : (2 * hits) / (2 * hits + lost + added);
}
