import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import type { Package } from "../src/package.js";
import { estimateTokens } from "../src/text/tokens.js";
import { BANDS, BAND_MEANINGS } from "../src/ranking/relevance.js";
import { wirePassage, wireRelevance, type WirePassage } from "../src/wire.js";
import { answer, READ_ONLY } from "./answer.js";
import { describeTool } from "./describe.js";

const input = z.strictObject({
  query: z
    .string()
    .min(1, "query is empty: ask with at least one word")
    .max(2000, "query is longer than 2,000 characters: ask a shorter question")
    .regex(/\S/, "query is blank: ask with at least one word")
    .describe(
      'The question or its words, 1 to 2,000 characters. A phrase in "quotation marks" must occur as it stands.',
    ),
  limit: z.int().min(1).max(50).default(8).describe("How many passages to return at most, 1 to 50; 8 unless given."),
  mode: z
    .enum(["auto", "words", "meaning"])
    .default("auto")
    .describe(
      "auto: by words and by meaning, each where it can tell; words: shared words alone, for exact names and codes; meaning: meaning alone. auto unless given.",
    ),
  in: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe(
      "Only documents whose path matches this pattern, such as contracts/** or **/*.txt; it names documents of the package.",
    ),
  token_budget: z
    .int()
    .min(500)
    .max(20_000)
    .default(8000)
    .describe(
      "About how many tokens of passages to return, 500 to 20,000; 8,000 unless given. Passages that do not fit are left out whole, the first never.",
    ),
});

const passage = z.object({
  rank: z.int().describe("Place in this reply, 1 is best. There is no score; ranks of two replies cannot be compared."),
  id: z
    .string()
    .describe("Stable name of the passage, for citing and for `document`; the same while its document is unchanged."),
  package: z.string().describe("The package that holds it, by title or file name."),
  document: z.string().describe("Title of its document."),
  path: z.string().describe("Name of its document, @/folder/name; `document` takes it."),
  line: z.int().describe("The line of the document at which the passage begins, from 1."),
  place: z.string().optional().describe("Page, slide, sheet or chapter of the original, where it is known."),
  heading: z.array(z.string()).describe("Headings over the passage, outermost first."),
  kind: z
    .enum(["text", "table", "code", "ocr", "overview"])
    .describe(
      "What it is: text, table (rows of one), code, ocr (text read from an image) or overview (written about other passages).",
    ),
  language: z.string().describe("Language code of its document; und where unknown."),
  found_by: z
    .array(z.enum(["word", "meaning"]))
    .describe("What found it; word: it shares words with the question; meaning: it means something near to it."),
  dated: z.string().optional().describe("Date of its document, where it has one."),
  dated_from: z.string().optional().describe("Where that date came from."),
  header: z.string().optional().describe("Caption and head of the table whose later rows these are."),
  text: z.string().describe("The whole passage as it stands in the document, Markdown."),
});

const output = z.object({
  query: z.string().describe("The question as it was asked."),
  found: z.int().describe("How many passages of the package hold a word of the question or one like it."),
  passages: z.array(passage).describe("The best of them, best first."),
  left_out: z.int().describe("How many of the best `limit` passages did not fit token_budget; 0 when none."),
  similarity: z
    .number()
    .optional()
    .describe(
      "Cosine of the nearest passage by meaning, in the range of the model. Absent when meaning was not asked.",
    ),
  answerable_at: z
    .number()
    .optional()
    .describe("The similarity from which questions usually have their answer here; the lowest of the packages."),
  answerable_at_by_package: z.record(z.string(), z.number()).optional().describe("The same by package_id."),
  band: z.enum(BANDS).optional().describe(BAND_MEANINGS),
  warning: z
    .string()
    .optional()
    .describe(
      "Present when nothing in the packages seems to be about the question. The passages are the nearest all the same: judge them, and say when they do not answer.",
    ),
  read_as: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe(
      "Words of the question that occur nowhere, and the printed forms most like them that were asked instead.",
    ),
  meaning_unavailable: z
    .record(
      z.string(),
      z.object({
        state: z.string().describe("mismatch, not-installed or failed."),
        reason: z.string().describe("Why meaning could not be asked."),
        remedy: z.string().describe("What the person running this server can do."),
      }),
    )
    .optional()
    .describe("By package_id: packages with vectors that were asked by words alone, and why."),
  unknown_terms: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe(
      "By package_id: words of the question that occur nowhere in that package, in no inflection and in no longer word that begins with them. Absent when it knows them all.",
    ),
  hint: z.string().optional().describe("What to try, when nothing was found."),
});

/** Registers `search`: passages that answer a question. */
export function registerSearch(server: McpServer, pkg: Package): void {
  server.registerTool(
    "search",
    {
      title: "Search the documents",
      description: describeTool(
        "Finds the passages that bear on a question, by its words and by its meaning, best first, whole and citable.",
        input,
        output,
      ),
      inputSchema: input,
      outputSchema: output,
      annotations: READ_ONLY,
    },
    ({ query, limit, mode, in: pattern, token_budget }) =>
      answer(async () => {
        const reply = await pkg.search(query, { limit, mode, ...(pattern !== undefined && { in: pattern }) });
        const hits = reply.passages.map(wirePassage);
        const passages = withinBudget(hits, token_budget);
        const unknown = Object.entries(reply.unknownTerms).map(([id, terms]): [string, string[]] => [id, [...terms]]);
        return {
          query: reply.query,
          found: reply.found,
          passages,
          left_out: hits.length - passages.length,
          ...wireRelevance(reply),
          ...(unknown.length > 0 && { unknown_terms: Object.fromEntries(unknown) }),
          ...(reply.hint !== undefined && { hint: reply.hint }),
        } satisfies z.input<typeof output>;
      }),
  );
}

/** The passages in order until the budget is spent; counted as they go over the wire, names and all. */
function withinBudget(passages: readonly WirePassage[], budget: number): WirePassage[] {
  let spent = 0;
  const end = passages.findIndex((one, index) => {
    spent += estimateTokens(JSON.stringify(one));
    return index > 0 && spent > budget;
  });
  return end < 0 ? [...passages] : passages.slice(0, end);
}
