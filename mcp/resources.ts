import {
  ErrorCode,
  McpError,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  type Resource,
} from "@modelcontextprotocol/sdk/types.js";
import type { Asking, CorpusReading } from "../src/corpus.js";
import { documentUri } from "../src/document-name.js";
import { MdcxError } from "../src/errors.js";
import type { DocumentLine } from "../src/reply.js";
import { PAGE_OF_TEXT } from "./document.js";
import { pagesOf } from "./paging.js";
import type { Told } from "./tool.js";

/** Resources on a page of the list. */
const PAGE = 100;
/** Of the protocol, for a resource that is not there. */
const RESOURCE_NOT_FOUND = -32002;
const MARKDOWN = "text/markdown";

/** How every document is called; its parts are listed by `info` and `search`. */
export const TEMPLATES: ListResourceTemplatesResult = {
  resourceTemplates: [
    {
      name: "document",
      title: "A document",
      uriTemplate: "mdcx://{package}/{+path}",
      description: "A whole document: the first 8 digits of its package_id, and its path without @/.",
      mimeType: MARKDOWN,
    },
  ],
};

/** A page of the documents, each as a resource. @param cursor as the page before gave it */
export async function listResources(
  reading: CorpusReading,
  cursor: string | undefined,
  asking: Asking,
): Promise<ListResourcesResult> {
  const from = cursor === undefined ? 0 : placeOf(cursor);
  const { documents, total } = await reading.documents(from, PAGE, { openings: "without" }, asking);
  const next = from + PAGE;
  return { resources: documents.map(asResource), ...(next < total && { nextCursor: String(next) }) };
}

function asResource(one: DocumentLine): Resource {
  return {
    uri: documentUri(one.packageId, one.document.replace(/^@\//, "")),
    name: one.document,
    title: one.title,
    description: `Document of ${one.package}`,
    mimeType: MARKDOWN,
    size: one.bytes,
  };
}

function placeOf(cursor: string): number {
  const from = /^\d{1,9}$/.test(cursor) ? Number(cursor) : 0;
  if (from === 0 || from % PAGE !== 0)
    throw new McpError(ErrorCode.InvalidParams, "This cursor is none that resources/list gave: list from the start.");
  return from;
}

/** A document by its URI: whole, or its first page and what was left out. It goes to a model as a reply of a tool does. @throws MdcxError `not-found` for any other URI */
export async function readResource(reading: CorpusReading, uri: string, asking: Asking): Promise<Told> {
  if (!uri.startsWith("mdcx://"))
    throw new MdcxError(
      "not-found",
      `There is no resource ${uri}: documents are mdcx://PACKAGE/PATH, as resources/list has them.`,
    );
  const { text, document, packageId, notices, replaced } = await reading.document(uri, {}, asking);
  const pages = pagesOf(text, PAGE_OF_TEXT);
  const contents = [{ uri, mimeType: MARKDOWN, text: pages[0]! }];
  if (pages.length > 1)
    contents.push({
      uri,
      mimeType: "text/plain",
      text: `Left out: this was page 1 of ${pages.length} of ${document}. The tool document reads the others: name ${uri}, page 2 to ${pages.length}.`,
    });
  return {
    reply: { contents },
    notices,
    replaced,
    packages: [packageId.slice(0, 8)],
  };
}

/** An error of the protocol for a resource that cannot be read. */
export function resourceError(error: unknown, uri: string, message: string): McpError {
  const missing = error instanceof MdcxError && (error.code === "not-found" || error.code === "bad-input");
  return new McpError(missing ? RESOURCE_NOT_FOUND : ErrorCode.InternalError, message, { uri });
}
