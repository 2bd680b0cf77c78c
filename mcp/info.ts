import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { readConversionFigures } from "../src/conversion-tally.js";
import { MdcxError } from "../src/errors.js";
import type { Package } from "../src/package.js";
import { answer, READ_ONLY } from "./answer.js";
import { describeTool } from "./describe.js";

/** Documents on a page of the list: with 240 characters each, about 6,000 tokens in the densest script. */
const PAGE_OF_DOCUMENTS = 25;

const input = z.strictObject({
  documents: z.boolean().default(false).describe("true: also list the documents, in the order of their paths."),
  page: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(1)
    .describe(`Page of that list, from 1; ${PAGE_OF_DOCUMENTS} documents a page.`),
});

const described = z.object({
  title: z.string().describe("Title of the package, or the name of its file where it has none."),
  package_id: z.string().describe("Its identity; ids of its passages begin with the first 8 digits."),
  revision: z.int().describe("1 for a new package, one more at each rewrite."),
  packed_at: z.string().describe("When this revision was made, UTC."),
  issuer: z.string().nullable().describe("Who it says has issued it, or null. Proven only by the signature."),
  signature: z
    .enum(["signed-by-pinned-issuer", "signed-by-named-key", "unsigned"])
    .describe(
      "How far that was checked. signed-by-pinned-issuer: by the key that the person running this server gave. signed-by-named-key: by a key that the package itself names, which proves no person. unsigned: nothing checked but that it is undamaged.",
    ),
  documents: z.int().describe("Documents that are searched."),
  attachments: z.int().describe("Documents that are kept and read by name, never searched."),
  passages: z.int().describe("Passages into which the documents are cut."),
  languages: z
    .record(z.string(), z.int())
    .describe("Documents by language code; und is unknown. It restricts nothing."),
  dated: z
    .object({
      count: z.int().describe("How many documents have a date."),
      from: z.string().nullable().describe("The earliest, or null."),
      to: z.string().nullable().describe("The latest, or null."),
    })
    .describe("What is known of the documents' dates."),
  conversion: z
    .object({
      documents: z.int().describe("Documents that were converted from another format."),
      ok: z.int().describe("Of these, converted whole as far as an independent reader sees."),
      warn: z.int().describe("Converted with something to look at."),
      fail: z.int().describe("Converted with grave losses."),
      unverifiable: z.int().describe("Nothing could check them, such as text recognised in pictures."),
      words: z.int().describe("Words of the originals that could be checked."),
      words_lost: z
        .int()
        .describe("Of these, words that the conversion left out and appended at the end of their document."),
    })
    .optional()
    .describe("How faithful the Markdown is to the documents that it was converted from, where any was."),
  model: z
    .object({
      id: z.string().describe("The embedding model of its vectors."),
      dimensions: z.int().describe("Numbers of a vector."),
    })
    .nullable()
    .describe("What made its vectors; null where it is found by words alone."),
  meaning: z
    .enum(["available", "absent", "mismatch", "not-installed", "failed"])
    .describe(
      "Whether it can be asked by meaning here. absent: it has no vectors. mismatch: the model at hand is another. not-installed: the model is missing. failed: the model gave no answer.",
    ),
  meaning_reason: z.string().optional().describe("Why not, where it cannot."),
  meaning_remedy: z.string().optional().describe("What the person running this server can do about it."),
  answerable_at: z
    .object({
      value: z.number().describe("The similarity from which questions usually have their answer here."),
      origin: z
        .enum(["estimated", "focus", "focus-after"])
        .describe(
          "estimated: from its own passages; focus: from questions given when it was packed; focus-after: later.",
        ),
    })
    .nullable()
    .describe("From where a question counts as answerable; null without vectors."),
  passages_by: z.string().nullable().describe("How its documents were cut into passages."),
  rules: z.record(z.string(), z.string()).describe("The rules that cut and indexed it, with their versions."),
});

const listed = z.object({
  title: z.string().describe("Title of the document."),
  path: z.string().describe("Its name, @/folder/name; `document` takes it."),
  size: z.int().describe("Bytes of Markdown."),
  date: z.string().optional().describe("Its date, where it has one."),
  date_from: z.string().optional().describe("Where that date came from."),
  language: z.string().describe("Its language code; und is unknown."),
  passages: z.int().describe("Passages that it is cut into; 0 where it is not searched."),
  opening: z.string().describe("Its first 240 characters."),
});

const output = z.object({
  packages: z.array(described).describe("The packages that this server answers from."),
  documents: z.array(listed).optional().describe("The list, when it was asked for."),
  page: z.int().optional().describe("The page of the list."),
  pages: z.int().optional().describe("How many pages the list has."),
  next_page: z.int().optional().describe("The page to ask for next; absent on the last."),
});

/** Registers `info`: what the package is, and the list of its documents. */
export function registerInfo(server: McpServer, pkg: Package): void {
  server.registerTool(
    "info",
    {
      title: "Describe the package",
      description: describeTool(
        "Says what the package is and, on request, lists its documents: for questions about the collection itself.",
        input,
        output,
      ),
      inputSchema: input,
      outputSchema: output,
      annotations: READ_ONLY,
    },
    ({ documents, page }) =>
      answer(async () => ({
        packages: [await describe(pkg)],
        ...(documents && list(pkg, page)),
      })),
  );
}

async function describe(pkg: Package): Promise<z.infer<typeof described>> {
  const { claims } = pkg;
  const info = pkg.info();
  const conversion = readConversionFigures(claims.conversion);
  const meaning = await pkg.meaning.state();
  return {
    title: info.name,
    package_id: claims.packageId,
    revision: claims.revision,
    packed_at: claims.created,
    issuer: claims.issuer?.name ?? null,
    signature: info.signature,
    documents: info.documents,
    attachments: info.attachments,
    passages: info.passages,
    languages: { ...info.languages },
    dated: claims.dated,
    ...(conversion !== null && { conversion }),
    model: claims.model && { id: claims.model.id, dimensions: claims.model.dimensions },
    meaning: meaning.state,
    ...(meaning.state !== "available" && { meaning_reason: meaning.reason, meaning_remedy: meaning.remedy }),
    answerable_at: claims.answerableAt,
    passages_by: info.cut,
    rules: { ...info.rules },
  };
}

function list(pkg: Package, page: number): Partial<z.infer<typeof output>> {
  const pages = Math.max(1, Math.ceil(pkg.documentCount / PAGE_OF_DOCUMENTS));
  if (page > pages)
    throw new MdcxError("bad-input", `There is no page ${page}: the list has ${pages}, counted from 1.`);
  const lines = pkg.documents((page - 1) * PAGE_OF_DOCUMENTS, PAGE_OF_DOCUMENTS);
  return {
    documents: lines.map((line) => ({
      title: line.title,
      path: line.document,
      size: line.bytes,
      ...(line.dated !== undefined && { date: line.dated }),
      ...(line.datedFrom !== undefined && { date_from: line.datedFrom }),
      language: line.language,
      passages: line.passages,
      opening: line.opening,
    })),
    page,
    pages,
    ...(page < pages && { next_page: page + 1 }),
  };
}
