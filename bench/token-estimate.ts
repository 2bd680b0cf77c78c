/**
 * `node dist/bench/token-estimate.js`: the estimate of tokens that cuts every package, against what the tokeniser of the
 * shipped model counts, and how many of the passages that it cut do not fit the model's window (spec/text.md §8).
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { nameAsTitle, statedFacts, textOf } from "../src/document.js";
import { embeddedText } from "../src/embedded-text.js";
import { Tokeniser } from "../src/meaning/tokeniser.js";
import { readModelFolder, SHIPPED_MODEL, shippedFolder } from "../src/node/encoder/model-files.js";
import { detectLanguage } from "../src/text/languages.js";
import { indexableText } from "../src/text/markers.js";
import { cutDocument } from "../src/text/passages.js";
import { estimateTokens } from "../src/text/tokens.js";
import { dataFolder, readSet, XQUAD_LANGUAGES } from "./retrieval-sets.js";

/** How the estimate does on the passages of one collection in one language. */
export interface EstimateQuality {
  readonly set: string;
  readonly language: string;
  readonly passages: number;
  /** Estimate divided by count: over all tokens, and what 5 % and 95 % of the passages stay under. */
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  /** Most tokens of a passage as the model reads it: title, headings, prefix and special tokens included. */
  readonly most: number;
  /** Passages that the model reads in more than one window. */
  readonly windowed: number;
}

interface MarkdownDocument {
  readonly title: string;
  readonly markdown: string;
}

interface Collection {
  readonly set: string;
  readonly language: string;
  readonly documents: readonly MarkdownDocument[];
}

const DEBREF_LANGUAGES = ["en", "de", "es", "fr", "ja"];
const ENGLISH = ["scifact-train", "cranfield"];
// Compiled files lie in dist/bench, sources in bench.
const GOLDEN = ["golden/documents", "../../bench/golden/documents"];

async function* collections(data: string | undefined): AsyncGenerator<Collection> {
  if (data !== undefined) {
    for (const language of XQUAD_LANGUAGES) yield articles(data, language);
    for (const language of DEBREF_LANGUAGES) yield ofSet(data, `debref/${language}`, "debref", language);
    for (const name of ENGLISH) yield ofSet(data, name, name, "en");
  }
  yield* golden();
}

/** XQuAD has paragraphs; what a user packs is the article. */
function articles(data: string, language: string): Collection {
  const paragraphs = new Map<string, string[]>();
  for (const { id, text } of readSet(data, `xquad/${language}`).documents) {
    const article = id.slice(0, id.indexOf("p"));
    paragraphs.set(article, [...(paragraphs.get(article) ?? []), text]);
  }
  const documents = [...paragraphs].map(([title, texts]) => ({ title, markdown: texts.join("\n\n") }));
  return { set: "XQuAD", language, documents };
}

function ofSet(data: string, name: string, set: string, language: string): Collection {
  const documents = readSet(data, name).documents.map(({ title, text }) => ({ title, markdown: text }));
  return { set, language, documents };
}

/** The project's own documents, which have tables and codes. */
async function* golden(): AsyncGenerator<Collection> {
  const folder = GOLDEN.map((path) => fileURLToPath(new URL(path, import.meta.url))).find(existsSync)!;
  const byLanguage = new Map<string, MarkdownDocument[]>();
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    if (!name.endsWith(".md")) continue;
    const markdown = readFileSync(join(folder, name), "utf8");
    const language = await detectLanguage(markdown);
    byLanguage.set(language, [...(byLanguage.get(language) ?? []), { title: nameAsTitle(name), markdown }]);
  }
  for (const [language, documents] of byLanguage) yield { set: "golden", language, documents };
}

/** The texts of the passages of a document, as `pack` embeds them. */
function passageTexts({ title, markdown }: MarkdownDocument): string[] {
  const bytes = new TextEncoder().encode(markdown);
  const between = (start: number, end: number): string => textOf(bytes.subarray(start, end));
  const { frontMatter, title: heading, passages } = cutDocument(markdown);
  const named = statedFacts(frontMatter.fields).title ?? heading ?? title;
  return passages.map(({ start, end, heading: headings, header }, ordinal) =>
    embeddedText({
      title: named,
      headings: headings[0] === named ? headings.slice(1) : headings,
      header: header === undefined ? "" : between(header.start, header.end),
      own: indexableText(between(start, end), { atStart: ordinal === 0 }),
    }),
  );
}

/** Measures the estimate on every collection that is here; without the shared data on the project's own documents. */
export async function measureEstimate(data: string | undefined): Promise<EstimateQuality[]> {
  const folder = await readModelFolder(shippedFolder(), SHIPPED_MODEL.id);
  const read = (file: string): object => JSON.parse(readFileSync(file, "utf8")) as object;
  const tokeniser = await Tokeniser.load(read(folder.tokenizer), read(folder.tokenizerConfig!));
  const { prefixes, window } = folder.usage;
  // What the model adds is no part of the estimate.
  const added = tokeniser.tokenise("", prefixes.passage, window)[0]!.length;
  const results: EstimateQuality[] = [];
  for await (const { set, language, documents } of collections(data)) {
    let [estimated, counted, most, windowed] = [0, 0, 0, 0];
    const ratios: number[] = [];
    for (const text of documents.flatMap(passageTexts)) {
      const windows = tokeniser.tokenise(text, prefixes.passage, window);
      const tokens = windows.reduce((sum, each) => sum + each.length - added, 0);
      const estimate = estimateTokens(text);
      estimated += estimate;
      counted += tokens;
      ratios.push(estimate / Math.max(1, tokens));
      most = Math.max(most, tokens + added);
      if (windows.length > 1) windowed++;
    }
    ratios.sort((a, b) => a - b);
    const at = (share: number): number => ratios[Math.floor(share * (ratios.length - 1))]!;
    results.push({
      set,
      language,
      passages: ratios.length,
      ratio: estimated / counted,
      low: at(0.05),
      high: at(0.95),
      most,
      windowed,
    });
  }
  return results;
}

/** The figures as a table, a collection a line. */
export function estimateTable(results: readonly EstimateQuality[]): string {
  return [
    "| collection | language | passages | estimate / count | 5 % | 95 % | most tokens | past the window |",
    "|---|---|---|---|---|---|---|---|",
    ...results.map(
      ({ set, language, passages, ratio, low, high, most, windowed }) =>
        `| ${set} | ${language} | ${passages} | ${ratio.toFixed(2)} | ${low.toFixed(2)} | ${high.toFixed(2)} | ${most} | ` +
        `${windowed} (${((100 * windowed) / passages).toFixed(2)} %) |`,
    ),
  ].join("\n");
}

if (process.argv[1]?.endsWith("token-estimate.js") === true)
  console.log(estimateTable(await measureEstimate(dataFolder())));
