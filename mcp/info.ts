import { z } from "zod";
import { readConversionFigures } from "../src/conversion-tally.js";
import type { Asking, CorpusReading, MountedPackage } from "../src/corpus.js";
import { MdcxError } from "../src/errors.js";
import { readClaims } from "../src/format/claims.js";
import type { DocumentLine } from "../src/reply.js";
import { defineTool } from "./tool.js";

/** Packages on a page. */
const PAGE_OF_PACKAGES = 10;
/** Documents on a page: with 240 characters each, about 6,000 tokens in the densest script. */
const PAGE_OF_DOCUMENTS = 25;

const input = z.strictObject({
  documents: z.boolean().default(false).describe("true: list the documents too, in the order of their paths"),
  page: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(1)
    .describe(`page of both lists, from 1; ${PAGE_OF_PACKAGES} packages, ${PAGE_OF_DOCUMENTS} documents a page`),
});

const described = z.object({
  title: z.string().describe("as passages name it"),
  package_id: z.string().describe("its identity; ids of its passages begin with the first 8 digits"),
  revision: z.int().describe("1, and one more at each rewrite"),
  packed_at: z.string().describe("UTC"),
  issuer: z.string().nullable().describe("who it says has issued it"),
  signature: z
    .enum(["signed-by-pinned-issuer", "signed-by-named-key", "unsigned"])
    .describe("signed-by-pinned-issuer proves the issuer; signed-by-named-key, unsigned prove no person"),
  documents: z.int().describe("documents searched"),
  attachments: z.int().describe("documents read by name only"),
  passages: z.int().describe("what the documents are cut into"),
  languages: z.record(z.string(), z.int()).describe("documents by language; und: unknown"),
  dated: z
    .object({
      count: z.int().describe("how many"),
      from: z.string().nullable().describe("earliest"),
      to: z.string().nullable().describe("latest"),
    })
    .describe("documents with a date"),
  conversion: z
    .object({
      documents: z.int().describe("how many"),
      ok: z.int().describe("of these, found whole by an independent reader"),
      warn: z.int().describe("something to look at"),
      fail: z.int().describe("grave losses"),
      unverifiable: z.int().describe("nothing to check against"),
      words: z.int().describe("of the originals"),
      words_lost: z.int().describe("of these, left out, and appended to their document"),
    })
    .optional()
    .describe("documents converted from other formats"),
  model: z
    .object({ id: z.string().describe("its name"), dimensions: z.int().describe("numbers a vector") })
    .nullable()
    .describe("what made its vectors; null: words alone"),
  meaning: z
    .enum(["available", "absent", "mismatch", "not-installed", "failed"])
    .describe("available, absent (no vectors), mismatch (another model here), not-installed, failed"),
  meaning_reason: z.string().optional().describe("why not available"),
  meaning_remedy: z.string().optional().describe("what helps"),
  answerable_at: z
    .object({
      value: z.number().describe("a cosine"),
      origin: z
        .enum(["estimated", "focus", "focus-after"])
        .describe("estimated, or from questions: focus, focus-after"),
    })
    .nullable()
    .describe("similarity from which questions usually are answered"),
  passages_by: z.string().nullable().describe("the rule that cut them"),
  rules: z.record(z.string(), z.string()).describe("versions of its rules"),
});

const listed = z.object({
  title: z.string().describe("of the document"),
  path: z.string().describe("name, for `document`"),
  package: z.string().describe("title of its package"),
  size: z.int().describe("bytes of Markdown"),
  date: z.string().optional().describe("where it has one"),
  date_from: z.string().optional().describe("where that is from"),
  direction: z.enum(["received", "sent"]).optional().describe("received or sent"),
  language: z.string().describe("code; und: unknown"),
  passages: z.int().describe("0: not searched"),
  opening: z.string().describe("first 240 characters"),
});

const output = z.object({
  packages: z.array(described).describe("what is searched"),
  documents: z.array(listed).optional().describe("the list, when asked for"),
  page: z.int().describe("this page"),
  pages: z.int().describe("how many"),
  next_page: z.int().optional().describe("ask for it next; absent on the last"),
  notices: z.array(z.string()).optional().describe("what changed in the packages; tell the person"),
});

/** `info`: what the packages are, and the list of their documents. */
export const info = defineTool({
  name: "info",
  title: "Describe the collection",
  summary: "Says what the collection is and lists its documents: for questions about the collection itself.",
  input,
  output,
  ask: async (reading, { documents, page }, asking) => {
    const { packages, notices } = await reading.info(asking);
    const list = documents ? await listing(reading, page, asking) : undefined;
    const pages = Math.max(1, Math.ceil(packages.length / PAGE_OF_PACKAGES), list?.pages ?? 0);
    if (page > pages)
      throw new MdcxError("bad-input", `There is no page ${page}: the list has ${pages}, counted from 1.`);
    const first = (page - 1) * PAGE_OF_PACKAGES;
    return {
      reply: {
        packages: packages.slice(first, first + PAGE_OF_PACKAGES).map(describe),
        ...(list && { documents: list.documents }),
        page,
        pages,
        ...(page < pages && { next_page: page + 1 }),
        ...(notices && { notices: [...notices] }),
      } satisfies z.input<typeof output>,
      notices,
      packages: packages.map(({ claims }) => readClaims(claims).packageId.slice(0, 8)),
    };
  },
});

function describe(one: MountedPackage): z.input<typeof described> {
  const claims = readClaims(one.claims);
  const conversion = readConversionFigures(claims.conversion);
  const { meaning } = one;
  return {
    title: one.name,
    package_id: claims.packageId,
    revision: claims.revision,
    packed_at: claims.created,
    issuer: claims.issuer?.name ?? null,
    signature: one.signature,
    documents: one.documents,
    attachments: one.attachments,
    passages: one.passages,
    languages: { ...one.languages },
    dated: claims.dated,
    ...(conversion !== null && { conversion }),
    model: claims.model && { id: claims.model.id, dimensions: claims.model.dimensions },
    meaning: meaning.state,
    ...(meaning.state !== "available" && { meaning_reason: meaning.reason, meaning_remedy: meaning.remedy }),
    answerable_at: claims.answerableAt,
    passages_by: one.cut,
    rules: { ...one.rules },
  };
}

async function listing(
  reading: CorpusReading,
  page: number,
  asking: Asking,
): Promise<{ documents: z.input<typeof listed>[]; pages: number }> {
  const { documents, total } = await reading.documents((page - 1) * PAGE_OF_DOCUMENTS, PAGE_OF_DOCUMENTS, asking);
  return { documents: documents.map(line), pages: Math.ceil(total / PAGE_OF_DOCUMENTS) };
}

function line(one: DocumentLine): z.input<typeof listed> {
  return {
    title: one.title,
    path: one.document,
    package: one.package,
    size: one.bytes,
    ...(one.dated !== undefined && { date: one.dated }),
    ...(one.datedFrom !== undefined && { date_from: one.datedFrom }),
    ...(one.direction !== undefined && { direction: one.direction }),
    language: one.language,
    passages: one.passages,
    opening: one.opening,
  };
}
