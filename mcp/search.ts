import { z } from "zod";
import { BANDS } from "../src/ranking/relevance.js";
import { estimateTokens } from "../src/text/tokens.js";
import { wirePassage, wireRelevance, wireRemarks, type WirePassage } from "../src/wire.js";
import { defineTool } from "./tool.js";

const input = z.strictObject({
  query: z
    .string()
    .min(1, "it is empty, ask with at least one word")
    .max(2000, "it is longer than 2,000 characters, ask a shorter question")
    .regex(/\S/, "it is blank, ask with at least one word")
    .describe('the question, to 2,000 characters; words in "quotation marks" must occur so'),
  limit: z.int().min(1).max(50).default(8).describe("passages at most, 1 to 50; default 8"),
  mode: z
    .enum(["auto", "words", "meaning"])
    .default("auto")
    .describe("auto: words and meaning; words: for exact names and codes; meaning; default auto"),
  direction: z.enum(["received", "sent"]).optional().describe("only documents received, or sent"),
  prefer: z.enum(["recent"]).optional().describe("recent: newer first where words and meaning disagree; hides nothing"),
  in: z.string().min(1).max(500).optional().describe("only paths that match a glob: contracts/** or *.txt"),
  token_budget: z
    .int()
    .min(500)
    .max(20_000)
    .default(8000)
    .describe("size of the reply, 500 to 20,000, default 8000; passages past it are left out whole"),
});

const passage = z.object({
  rank: z.int().describe("1 is best; of this reply only"),
  id: z.string().describe("for citing and `document`; the same while the document is unchanged"),
  package: z.string().describe("the package that holds it"),
  document: z.string().describe("title"),
  path: z.string().describe("name, for citing and `document`"),
  line: z.int().describe("its first line, from 1"),
  place: z.string().optional().describe("page, slide, sheet or chapter of the original"),
  heading: z.array(z.string()).describe("headings over it, outermost first"),
  kind: z
    .enum(["text", "table", "code", "ocr", "overview"])
    .describe("text, table, code, ocr (read from an image), overview (written about the documents)"),
  language: z.string().describe("code; und: unknown"),
  found_by: z.array(z.enum(["word", "meaning"])).describe("word, meaning"),
  dated: z.string().optional().describe("date of the document"),
  dated_from: z.string().optional().describe("where that date is from"),
  direction: z.enum(["received", "sent"]).optional().describe("received or sent"),
  header: z.string().optional().describe("caption and head of the table whose rows these are"),
  text: z.string().describe("the whole passage, Markdown"),
});

const output = z.object({
  query: z.string().describe("as asked"),
  found: z.int().describe("passages with a word of it, or one like it"),
  passages: z.array(passage).describe("the best, best first"),
  left_out: z.int().describe("how many of them token_budget left out"),
  similarity: z.number().optional().describe("cosine of the nearest passage by meaning"),
  answerable_at: z
    .number()
    .optional()
    .describe("the similarity from which questions usually are answered here; lowest of the packages"),
  answerable_at_by_package: z.record(z.string(), z.number()).optional().describe("by package_id"),
  band: z.enum(BANDS).optional().describe("how near the packages come: strong, near, weak, none"),
  warning: z
    .string()
    .optional()
    .describe("nothing seems to be about the question: judge the passages, say if they do not answer"),
  unknown_terms: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe("by package_id: words of the question that it holds nowhere"),
  read_as: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe("words found nowhere, and the forms asked instead"),
  meaning_unavailable: z
    .record(
      z.string(),
      z.object({
        state: z.string().describe("mismatch, not-installed, failed"),
        reason: z.string().describe("why"),
        remedy: z.string().describe("what helps"),
      }),
    )
    .optional()
    .describe("by package_id: asked by words alone"),
  models_by_package: z
    .record(z.string(), z.string())
    .optional()
    .describe("by package_id: the model asked, if there are several"),
  prefer_applied: z.literal(false).optional().describe("false: prefer changed nothing"),
  prefer_reason: z.string().optional().describe("why, and what would help"),
  notices: z.array(z.string()).optional().describe("what changed in the packages; tell the person"),
  hint: z.string().optional().describe("what to try, when nothing was found"),
});

/** `search`: passages that answer a question. */
export const search = defineTool({
  name: "search",
  title: "Search the documents",
  summary: "Finds passages that bear on a question, by words and by meaning: whole, citable, best first.",
  input,
  output,
  ask: async (reading, { query, limit, mode, direction, prefer, in: pattern, token_budget }, asking) => {
    const options = {
      limit,
      mode,
      ...(direction !== undefined && { only: direction }),
      ...(prefer !== undefined && { prefer }),
      ...(pattern !== undefined && { in: pattern }),
    };
    const reply = await reading.search(query, options, asking);
    const hits = reply.passages.map(wirePassage);
    const passages = withinBudget(hits, token_budget);
    const ids = passages.map(({ id }) => id);
    return {
      reply: {
        query: reply.query,
        found: reply.found,
        passages,
        left_out: hits.length - passages.length,
        ...wireRelevance(reply),
        ...wireRemarks(reply),
      } satisfies z.input<typeof output>,
      notices: reply.notices,
      packages: [...new Set(ids.map((id) => id.slice(0, 8)))],
      passages: ids,
    };
  },
});

/** The passages in order until the budget is spent; counted as they go over the wire, names and all. */
function withinBudget(passages: readonly WirePassage[], budget: number): WirePassage[] {
  let spent = 0;
  const end = passages.findIndex((one, index) => {
    spent += estimateTokens(JSON.stringify(one));
    return index > 0 && spent > budget;
  });
  return end < 0 ? [...passages] : passages.slice(0, end);
}
