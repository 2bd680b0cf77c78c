import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { MdcxError } from "../src/errors.js";
import type { Package } from "../src/package.js";
import type { DocumentText } from "../src/reply.js";
import { answer, READ_ONLY } from "./answer.js";
import { describeTool } from "./describe.js";
import { pagesOf } from "./paging.js";

/** Estimated tokens of text on a page: well under the 25,000 that some clients allow a reply. */
const PAGE_OF_TEXT = 8000;

const neighbours = (which: string) =>
  z
    .int()
    .min(0)
    .max(10)
    .optional()
    .describe(`With id: how many passages ${which} it to read too, 0 to 10; 0 unless given.`);

const input = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe("The document to read whole: its path as `search` and `info` give it, @/folder/name. Either name or id."),
  id: z.string().min(1).max(100).optional().describe("The passage to read, by its id from `search`."),
  before: neighbours("before"),
  after: neighbours("after"),
  page: z.int().min(1).max(1_000_000).default(1).describe("Page of the text, from 1; a longer text comes in pages."),
});

const output = z.object({
  document: z.string().describe("Title of the document."),
  path: z.string().describe("Its name, @/folder/name."),
  language: z.string().describe("Its language code; und is unknown."),
  indexed: z.boolean().describe("false: the document is kept but never found by `search`."),
  passages: z.int().describe("How many passages the document has."),
  first: z.int().optional().describe("Number of the first passage in this text, from 0; where there are passages."),
  last: z.int().optional().describe("Number of the last one."),
  text: z.string().describe("The text as it stands in the document, Markdown. The pages joined give all of it."),
  page: z.int().describe("The page returned."),
  pages: z.int().describe("How many pages there are."),
  next_page: z.int().optional().describe("The page to ask for next; absent on the last."),
});

/** Registers `document`: a whole document by name, or a passage with its neighbours by id. */
export function registerDocument(server: McpServer, pkg: Package): void {
  server.registerTool(
    "document",
    {
      title: "Read a document",
      description: describeTool(
        "Reads a document whole by its name, or a passage with those around it by its id.",
        input,
        output,
      ),
      inputSchema: input,
      outputSchema: output,
      annotations: READ_ONLY,
    },
    ({ name, id, before, after, page }) =>
      answer(() => {
        if ((name === undefined) === (id === undefined)) {
          throw new MdcxError("bad-input", "Give either name (a whole document) or id (a passage), one of the two.");
        }
        if (name !== undefined && (before !== undefined || after !== undefined)) {
          throw new MdcxError("bad-input", "before and after read around a passage: give its id instead of a name.");
        }
        const found =
          name === undefined ? pkg.document(id!, { before: before ?? 0, after: after ?? 0 }) : pkg.document(name);
        return paged(found, page);
      }),
  );
}

function paged(found: DocumentText, page: number): z.infer<typeof output> {
  const pages = pagesOf(found.text, PAGE_OF_TEXT);
  const text = pages[page - 1];
  if (text === undefined) {
    throw new MdcxError("bad-input", `There is no page ${page}: this text has ${pages.length}, counted from 1.`);
  }
  return {
    document: found.title,
    path: found.document,
    language: found.language,
    indexed: found.indexed,
    passages: found.passages,
    ...(found.first !== undefined && { first: found.first }),
    ...(found.last !== undefined && { last: found.last }),
    text,
    page,
    pages: pages.length,
    ...(page < pages.length && { next_page: page + 1 }),
  };
}
