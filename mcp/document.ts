import { z } from "zod";
import { parsePassageId } from "../src/document-name.js";
import { MdcxError } from "../src/errors.js";
import type { DocumentText } from "../src/reply.js";
import { pagesOf } from "./paging.js";
import { clipped, LONGEST_NAME, LONGEST_PATH } from "./reply-size.js";
import { defineTool } from "./tool.js";

/** Estimated tokens of text on a page: with what stands around it less than a reply may have. */
export const PAGE_OF_TEXT = 15_000;

const neighbours = (which: string) =>
  z.int().min(0).max(10).optional().describe(`with id: passages ${which} it to read too, 0 to 10; default 0`);

const input = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe("the document to read whole: its path from `search` or `info`, or mdcx://…; either name or id"),
  id: z.string().min(1).max(100).optional().describe("the passage to read, from `search`"),
  before: neighbours("before"),
  after: neighbours("after"),
  page: z.int().min(1).max(1_000_000).default(1).describe("page of the text, from 1"),
});

const output = z.object({
  document: z.string().describe("title"),
  path: z.string().describe("its name"),
  package: z.string().describe("the package that holds it"),
  language: z.string().describe("code; und: unknown"),
  indexed: z.boolean().describe("false: `search` never finds it"),
  passages: z.int().describe("how many it has"),
  first: z.int().optional().describe("the first passage in this text, from 0"),
  last: z.int().optional().describe("the last one"),
  kind: z.literal("overview").optional().describe("overview: written about the document, no part of it"),
  text: z.string().describe("as it stands in the document, Markdown; its pages joined give all of it"),
  page: z.int().describe("this page"),
  pages: z.int().describe("how many"),
  next_page: z.int().optional().describe("ask for it next; absent on the last"),
  notices: z.array(z.string()).optional().describe("what changed in the packages; tell the person"),
});

/** `document`: a whole document by name, or a passage with its neighbours by id. */
export const document = defineTool({
  name: "document",
  title: "Read a document",
  summary: "Reads a document whole by its name, or a passage with those around it by its id.",
  input,
  output,
  ask: async (reading, { name, id, before, after, page }, asking) => {
    if ((name === undefined) === (id === undefined))
      throw new MdcxError("bad-input", "Give either name (a whole document) or id (a passage), one of the two.");
    // An id cannot be mistaken for a name: where it is given as one it is clear what is meant.
    const passage = id ?? (name !== undefined && parsePassageId(name) !== undefined ? name : undefined);
    if (id !== undefined && parsePassageId(id) === undefined)
      throw new MdcxError(
        "bad-input",
        `${JSON.stringify(id)} is no id of a passage, as search gives them: a document is read by its name.`,
      );
    if (passage === undefined && (before !== undefined || after !== undefined))
      throw new MdcxError("bad-input", "before and after read around a passage: give its id instead of a name.");
    const around = { before: before ?? 0, after: after ?? 0 };
    const found = await reading.document(name ?? id!, around, asking);
    return {
      reply: paged(found, page),
      notices: found.notices,
      replaced: found.replaced,
      packages: [found.packageId.slice(0, 8)],
      ...(passage !== undefined && { passages: [passage] }),
    };
  },
});

function paged(found: DocumentText, page: number): z.input<typeof output> {
  const pages = pagesOf(found.text, PAGE_OF_TEXT);
  const text = pages[page - 1];
  if (text === undefined)
    throw new MdcxError("bad-input", `There is no page ${page}: this text has ${pages.length}, counted from 1.`);
  return {
    document: clipped(found.title, LONGEST_NAME),
    path: clipped(found.document, LONGEST_PATH),
    package: clipped(found.package, LONGEST_NAME),
    language: found.language,
    indexed: found.indexed,
    passages: found.passages,
    ...(found.first !== undefined && { first: found.first }),
    ...(found.last !== undefined && { last: found.last }),
    ...(found.kind && { kind: found.kind }),
    text,
    page,
    pages: pages.length,
    ...(page < pages.length && { next_page: page + 1 }),
    ...(found.notices && { notices: [...found.notices] }),
  };
}
