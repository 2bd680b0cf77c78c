/**
 * `node dist/bench/semantic-passages.js [LANGUAGE …]`: passages cut by meaning beside those cut by structure, on documents whose
 * parts are known (spec/text.md §7.5). Needs the retrieval sets.
 */
import { openEncoder } from "../src/pack-entry.js";
import type { Encoder } from "../src/meaning/encoder.js";
import { cutBySense } from "../src/semantic-passages.js";
import { cutDocument, type PassageCut } from "../src/text/passages.js";
import { dataFolder, readSet, type SetDocument } from "./retrieval-sets.js";
import { VectorCache } from "./vector-cache.js";

/** A document put together of paragraphs, and where each of them stands in it. */
interface Composed {
  readonly text: string;
  readonly parts: readonly { readonly id: string; readonly start: number; readonly end: number }[];
}

/** How one rule does on one kind of document. */
export interface SemanticQuality {
  readonly language: string;
  readonly documents: string;
  readonly rule: string;
  readonly passages: number;
  /** Mean estimated tokens of a passage. */
  readonly tokens: number;
  /** Share of the questions whose nearest passage is of the paragraph that answers, by more than half of either. */
  readonly hit1: number;
  /** Of the paragraphs' ends inside documents: how many are ends of passages. */
  readonly ends: number;
}

const PARAGRAPHS = 5;
const NEARNESSES = [0.2, 0.35, 0.5];

/** Paragraphs one after the other with `between` them. */
function compose(paragraphs: readonly SetDocument[], between: string): Composed {
  const parts: { id: string; start: number; end: number }[] = [];
  let text = "";
  for (const { id, text: own } of paragraphs) {
    if (text !== "") text += between;
    parts.push({ id, start: text.length, end: text.length + own.length });
    text += own;
  }
  return { text, parts };
}

/** The kinds of documents: an article as it was, the same without its paragraphs, and one of five subjects without a sign of it. */
function composed(paragraphs: readonly SetDocument[]): Readonly<Record<string, readonly Composed[]>> {
  // Articles stand one after another, five paragraphs each.
  const groups = Array.from({ length: paragraphs.length / PARAGRAPHS }, (_, at) =>
    paragraphs.slice(at * PARAGRAPHS, (at + 1) * PARAGRAPHS),
  );
  const mixed = groups.map((_, at) =>
    Array.from(
      { length: PARAGRAPHS },
      (_, i) => paragraphs[(at + (i * paragraphs.length) / PARAGRAPHS) % paragraphs.length]!,
    ),
  );
  return {
    "article, paragraphs": groups.map((group) => compose(group, "\n\n")),
    "article, one wall": groups.map((group) => compose(group, " ")),
    "five subjects, one wall": mixed.map((group) => compose(group, " ")),
  };
}

async function measure(
  cut: (text: string) => Promise<readonly PassageCut[]>,
  documents: readonly Composed[],
  vectors: VectorCache,
  questions: readonly { readonly text: string; readonly relevant: ReadonlyMap<string, number> }[],
): Promise<Pick<SemanticQuality, "passages" | "tokens" | "hit1" | "ends">> {
  const texts: string[] = [];
  const owners: Set<string>[] = [];
  let [tokens, ends, found] = [0, 0, 0];
  for (const { text, parts } of documents) {
    const bytes = new TextEncoder().encode(text);
    const decoder = new TextDecoder();
    let start = 0;
    const stops = new Set<number>();
    for (const passage of await cut(text)) {
      const own = decoder.decode(bytes.subarray(passage.start, passage.end));
      const end = start + own.length;
      tokens += passage.tokens;
      texts.push(own.trim());
      owners.push(
        new Set(
          parts
            .filter((one) => {
              const shared = Math.min(end, one.end) - Math.max(start, one.start);
              return shared > 0.5 * Math.min(end - start, one.end - one.start);
            })
            .map(({ id }) => id),
        ),
      );
      start = end;
      stops.add(end);
    }
    for (const { end } of parts.slice(0, -1)) {
      ends++;
      // The blank between two paragraphs goes with the first.
      if ([0, 1, 2].some((more) => stops.has(end + more))) found++;
    }
  }
  const [rows, asked] = [
    await vectors.encode(texts, "passage"),
    await vectors.encode(
      questions.map(({ text }) => text),
      "query",
    ),
  ];
  const { dimensions } = vectors;
  let hits = 0;
  for (const [at, { relevant }] of questions.entries()) {
    let [best, nearest] = [-Infinity, 0];
    for (let row = 0; row < texts.length; row++) {
      let cosine = 0;
      for (let i = 0; i < dimensions; i++) cosine += asked[at * dimensions + i]! * rows[row * dimensions + i]!;
      if (cosine > best) [best, nearest] = [cosine, row];
    }
    if ([...owners[nearest]!].some((id) => relevant.has(id))) hits++;
  }
  return { passages: texts.length, tokens: tokens / texts.length, hit1: hits / questions.length, ends: found / ends };
}

/** Measures both rules on XQuAD's paragraphs in some languages. */
export async function measureSemantic(data: string, languages: readonly string[]): Promise<SemanticQuality[]> {
  const encoder = openEncoder();
  const vectors = await VectorCache.open(encoder);
  // Sentences are asked for again with every nearness.
  const kept: Encoder = {
    describe: () => encoder.describe(),
    encode: async (texts, role) => ({ vectors: await vectors.encode(texts, role), windowed: 0, tokens: 0 }),
    close: () => encoder.close(),
  };
  const results: SemanticQuality[] = [];
  try {
    for (const language of languages) {
      const { documents, questions } = readSet(data, `xquad/${language}`);
      for (const [name, texts] of Object.entries(composed(documents))) {
        const rules = {
          structure: (text: string) => Promise.resolve(cutDocument(text).passages),
          ...Object.fromEntries(
            NEARNESSES.map((nearness) => [
              `semantic, ${nearness}`,
              async (text: string) => (await cutBySense(text, kept, nearness)).passages,
            ]),
          ),
        };
        for (const [rule, cut] of Object.entries(rules)) {
          const result = { language, documents: name, rule, ...(await measure(cut, texts, vectors, questions)) };
          process.stderr.write(`${JSON.stringify(result)}\n`);
          results.push(result);
        }
      }
    }
  } finally {
    await encoder.close();
  }
  return results;
}

/** The figures as a table. */
export function semanticTable(results: readonly SemanticQuality[]): string {
  return [
    "| language | documents | rule | passages | tokens | hit@1 | ends found |",
    "|---|---|---|---|---|---|---|",
    ...results.map(
      ({ language, documents, rule, passages, tokens, hit1, ends }) =>
        `| ${language} | ${documents} | ${rule} | ${passages} | ${tokens.toFixed(0)} | ${hit1.toFixed(3)} | ${ends.toFixed(2)} |`,
    ),
  ].join("\n");
}

if (process.argv[1]?.endsWith("semantic-passages.js") === true) {
  const data = dataFolder();
  if (data === undefined)
    throw new Error("The retrieval sets are not here: set MDCX_DATA to the folder of the shared data.");
  const languages = process.argv.slice(2);
  console.log(semanticTable(await measureSemantic(data, languages.length === 0 ? ["en", "ru"] : languages)));
}
