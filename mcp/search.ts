import { z } from "zod";
import { BANDS } from "../src/ranking/relevance.js";
import {
  wirePassage,
  wireRelevance,
  wireRemarks,
  type WirePassage,
  type WireRelevance,
  type WireRemarks,
} from "../src/wire.js";
import { clipped, LONGEST_NAME, LONGEST_PATH, MOST_TOKENS, replyTokensOf } from "./reply-size.js";
import { defineTool } from "./tool.js";

/** Characters of the head of a table that a reply shows. */
const LONGEST_HEADER = 2_000;
/** The comma between two passages. */
const SEPARATOR = 1;
/** Estimated tokens of what is said beside the passages, and what is given up first where it is more. */
const ROOM_BESIDE = 6_000;
const LEAVE_OUT_FIRST = [
  "models_by_package",
  "answerable_at_by_package",
  "meaning_unavailable",
  "unknown_terms",
  "read_as",
] as const;

const input = z.strictObject({
  query: z
    .string()
    .min(1, "it is empty, ask with at least one word")
    .max(2000, "it is longer than 2,000 characters, ask a shorter question")
    .regex(/\S/, "it is blank, ask with at least one word")
    .describe('the question; words in "quotation marks" must occur as they stand'),
  limit: z.int().min(1).max(50).default(8).describe("passages at most, 1 to 50"),
  mode: z
    .enum(["auto", "words", "meaning"])
    .default("auto")
    .describe("auto: both; words alone, for exact names and codes; meaning alone"),
  direction: z.enum(["received", "sent"]).optional().describe("only documents received, or sent"),
  prefer: z.enum(["recent"]).optional().describe("recent: newer first where the order is in doubt; hides nothing"),
  in: z.string().min(1).max(500).optional().describe("only paths that match a glob: contracts/**, *.txt"),
  token_budget: z.int().min(500).max(MOST_TOKENS).default(10_000).describe("most tokens of the reply, 500 to 20,000"),
});

const passage = z.object({
  rank: z.int().describe("1 is best; of this reply only"),
  id: z.string().describe("for citing and `document`; lasting"),
  package: z.string().describe("its package"),
  document: z.string().describe("its document's title"),
  path: z.string().describe("its document's name, for citing and `document`"),
  line: z.int().describe("its first line, from 1"),
  place: z.string().optional().describe("page, slide, sheet or chapter of the original"),
  heading: z.array(z.string()).describe("headings over it, outermost first"),
  kind: z
    .enum(["text", "table", "code", "ocr", "overview"])
    .describe("text, table, code, ocr (read from an image), overview (about documents)"),
  language: z.string().describe("code; und: unknown"),
  found_by: z.array(z.enum(["word", "meaning"])).describe("word, meaning"),
  dated: z.string().optional().describe("its document's date"),
  dated_from: z.string().optional().describe("where that is from"),
  direction: z.enum(["received", "sent"]).optional().describe("received, sent"),
  sampled: z.literal(true).optional().describe("true: some pages only were converted"),
  header: z.string().optional().describe("caption and head of its table"),
  text: z.string().describe("all of it, Markdown"),
});

const output = z.object({
  query: z.string().describe("as asked"),
  found: z.int().describe("passages with a word of it, or one like it"),
  passages: z.array(passage).describe("best first"),
  left_out: z.int().describe("of them, past token_budget"),
  similarity: z.number().optional().describe("cosine of the nearest passage"),
  answerable_at: z
    .number()
    .optional()
    .describe("similarity from which questions usually are answered; the lowest package's"),
  answerable_at_by_package: z.record(z.string(), z.number()).optional().describe("by package_id"),
  band: z.enum(BANDS).optional().describe("how near the packages come: strong, near, weak, none"),
  warning: z.string().optional().describe("nothing seems to be about the question; judge the passages"),
  unknown_terms: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe("by package_id, words that occur nowhere in it"),
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
    .describe("by package_id, where words alone were asked"),
  models_by_package: z.record(z.string(), z.string()).optional().describe("by package_id, where models differ"),
  prefer_applied: z.literal(false).optional().describe("false: prefer changed nothing"),
  prefer_reason: z.string().optional().describe("why, and what helps"),
  notices: z.array(z.string()).optional().describe("for the person who runs this"),
  hint: z.string().optional().describe("what to try where nothing was found"),
});

/** `search`: passages that answer a question. */
export const search = defineTool({
  name: "search",
  title: "Search the documents",
  summary: "Finds the passages that bear on a question, by words and by meaning.",
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
    const { said, notices } = withinRoom({ ...wireRelevance(reply), ...wireRemarks(reply) });
    const hits = reply.passages.map((hit) => displayed(wirePassage(hit)));
    const beside = { query: reply.query, found: reply.found, ...said, ...(notices.length > 0 && { notices }) };
    const passages = withinBudget(
      hits,
      token_budget,
      replyTokensOf({ ...beside, passages: [], left_out: hits.length }),
    );
    const ids = passages.map(({ id }) => id);
    const { query: asked, found, ...remarks } = beside;
    return {
      reply: {
        query: asked,
        found,
        passages,
        left_out: hits.length - passages.length,
        ...remarks,
      } satisfies z.input<typeof output>,
      notices: reply.notices,
      replaced: reply.replaced,
      packages: [...new Set(ids.map((id) => id.slice(0, 8)))],
      passages: ids,
    };
  },
});

/** Names as long as names are: a heading may be a whole page, and a title was written by anybody. */
function displayed(hit: WirePassage): WirePassage {
  return {
    ...hit,
    package: clipped(hit.package, LONGEST_NAME),
    document: clipped(hit.document, LONGEST_NAME),
    path: clipped(hit.path, LONGEST_PATH),
    ...(hit.place !== undefined && { place: clipped(hit.place, LONGEST_NAME) }),
    heading: hit.heading.map((one) => clipped(one, LONGEST_NAME)),
    ...(hit.header !== undefined && { header: clipped(hit.header, LONGEST_HEADER) }),
  };
}

/** The passages in order until the budget is spent, the first one in any case. One that no client would take is left out. */
function withinBudget(passages: readonly WirePassage[], budget: number, spentBefore: number): WirePassage[] {
  const sized = passages
    .map((one) => ({ one, size: replyTokensOf(one) + SEPARATOR }))
    .filter(({ size }) => spentBefore + size <= MOST_TOKENS);
  let spent = spentBefore;
  const end = sized.findIndex(({ size }, index) => {
    spent += size;
    return index > 0 && spent > budget;
  });
  return (end < 0 ? sized : sized.slice(0, end)).map(({ one }) => one);
}

/** What is said beside the passages, the longest maps left out where many packages make them too long for a reply. */
function withinRoom(all: WireRelevance & WireRemarks): { said: WireRelevance & WireRemarks; notices: string[] } {
  const { notices = [], ...whole } = all;
  const left: string[] = [];
  let said = whole;
  for (const name of LEAVE_OUT_FIRST) {
    if (replyTokensOf(said) <= ROOM_BESIDE) break;
    if (said[name] === undefined) continue;
    left.push(name);
    said = Object.fromEntries(Object.entries(said).filter(([key]) => key !== name));
  }
  if (left.length === 0) return { said, notices };
  return { said, notices: [...notices, `Left out, being too long for a reply: ${left.join(", ")}.`] };
}
