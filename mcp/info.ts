import { z } from "zod";
import { readConversionFigures } from "../src/conversion-tally.js";
import type { Asking, CorpusReading, MountedPackage } from "../src/corpus.js";
import { MdcxError } from "../src/errors.js";
import { readClaims } from "../src/format/claims.js";
import type { DocumentLine } from "../src/reply.js";
import { clipped, LONGEST_NAME, LONGEST_PATH, LONGEST_SENTENCE, MOST_TOKENS, replyTokensOf } from "./reply-size.js";
import { defineTool } from "./tool.js";

/** Packages on a page. */
const PAGE_OF_PACKAGES = 10;
const PAGE_OF_DOCUMENTS = 20;
/** Characters of the documents' openings, and to what they are cut where a page would be too long otherwise. */
const OPENINGS = [240, 120, 60, 0] as const;
/** Languages and rules that a package shows at most: what it states was written by anybody. */
const MOST_ENTRIES = 40;

const input = z.strictObject({
  documents: z.boolean().default(false).describe("true: list the documents too, in the order of their paths"),
  page: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(1)
    .describe(`page of both lists, from 1: ${PAGE_OF_PACKAGES} packages, ${PAGE_OF_DOCUMENTS} documents`),
});

const described = z.object({
  title: z.string().describe("as passages name it"),
  package_id: z.string().describe("ids of its passages begin with the first 8 digits"),
  revision: z.int().describe("1, and one more at each rewrite"),
  packed_at: z.string().describe("UTC"),
  issuer: z.string().nullable().describe("who it says issued it"),
  signature: z
    .enum(["signed-by-pinned-issuer", "signed-by-named-key", "unsigned"])
    .describe("signed-by-pinned-issuer: proven; signed-by-named-key, unsigned: prove no person"),
  documents: z.int().describe("documents searched"),
  attachments: z.int().describe("documents only read by name"),
  passages: z.int().describe("what they are cut into"),
  overviews: z.int().describe("passages written about documents elsewhere"),
  languages: z.record(z.string(), z.int()).describe("documents by language; und: unknown"),
  dated: z
    .object({
      count: z.int().describe("how many"),
      from: z.string().nullable().describe("earliest"),
      to: z.string().nullable().describe("latest"),
    })
    .describe("documents with a date"),
  dated_from: z.record(z.string(), z.int()).describe("by where the date is from"),
  directions: z.record(z.string(), z.int()).describe("documents received, sent"),
  conversion: z
    .object({
      documents: z.int().describe("how many"),
      ok: z.int().describe("whole, says an independent reader"),
      warn: z.int().describe("to be looked at"),
      fail: z.int().describe("grave losses"),
      unverifiable: z.int().describe("not checked"),
      words: z.int().describe("of the originals"),
      words_lost: z.int().describe("of these, left out and appended"),
    })
    .optional()
    .describe("documents converted from other formats"),
  model: z
    .object({ id: z.string().describe("its name"), dimensions: z.int().describe("numbers a vector") })
    .nullable()
    .describe("what made its vectors"),
  meaning: z
    .enum(["available", "absent", "mismatch", "not-installed", "failed"])
    .describe("available, absent (no vectors), mismatch (other model), not-installed, failed"),
  meaning_reason: z.string().optional().describe("why not available"),
  meaning_remedy: z.string().optional().describe("what helps"),
  answerable_at: z
    .object({
      value: z.number().describe("a cosine"),
      origin: z.enum(["estimated", "focus", "focus-after"]).describe("estimated, or of questions: focus, focus-after"),
    })
    .nullable()
    .describe("similarity from which questions usually are answered"),
  passages_by: z.string().nullable().describe("the rule that cut them"),
  rules: z.record(z.string(), z.string()).describe("versions of its rules"),
});

const listed = z.object({
  title: z.string().describe("its title"),
  path: z.string().describe("its name, for `document`"),
  package: z.string().describe("its package"),
  size: z.int().describe("bytes of Markdown"),
  date: z.string().optional().describe("where it has one"),
  date_from: z.string().optional().describe("where that is from"),
  direction: z.enum(["received", "sent"]).optional().describe("received, sent"),
  language: z.string().describe("code"),
  passages: z.int().describe("0: not searched"),
  opening: z.string().describe("first 240 characters"),
});

const output = z.object({
  packages: z.array(described).describe("what is searched"),
  documents: z.array(listed).optional().describe("the list, when asked for"),
  page: z.int().describe("this page"),
  pages: z.int().describe("how many"),
  next_page: z.int().optional().describe("to ask for next"),
  notices: z.array(z.string()).optional().describe("for the person who runs this"),
});

/** `info`: what the packages are, and the list of their documents. */
export const info = defineTool({
  name: "info",
  title: "Describe the collection",
  summary: "Says what the collection is and lists its documents: for questions about the collection itself.",
  input,
  output,
  ask: async (reading, { documents, page }, asking) => {
    const { packages, notices, replaced } = await reading.info(asking);
    const list = documents ? await listing(reading, page, asking) : undefined;
    const pages = Math.max(1, Math.ceil(packages.length / PAGE_OF_PACKAGES), list?.pages ?? 0);
    if (page > pages)
      throw new MdcxError("bad-input", `There is no page ${page}: the list has ${pages}, counted from 1.`);
    const first = (page - 1) * PAGE_OF_PACKAGES;
    const shown = {
      packages: packages.slice(first, first + PAGE_OF_PACKAGES).map(describe),
      ...(list && { documents: list.documents }),
      page,
      pages,
      ...(page < pages && { next_page: page + 1 }),
      ...(notices && notices.length > 0 && { notices: [...notices] }),
    } satisfies z.input<typeof output>;
    return {
      reply: fitting(shown),
      notices,
      replaced,
      packages: shown.packages.map(({ package_id: id }) => id.slice(0, 8)),
    };
  },
});

/** The reply with openings as long as there is room for. */
function fitting(shown: z.input<typeof output>): z.input<typeof output> {
  const { documents } = shown;
  if (documents === undefined) return shown;
  const attempts = OPENINGS.map((characters) => ({
    ...shown,
    documents: documents.map((one) => ({ ...one, opening: clipped(one.opening, characters) })),
  }));
  return attempts.find((one) => replyTokensOf(one) <= MOST_TOKENS) ?? attempts.at(-1)!;
}

function describe(one: MountedPackage): z.input<typeof described> {
  const claims = readClaims(one.claims);
  const conversion = readConversionFigures(claims.conversion);
  const { meaning } = one;
  return {
    title: clipped(one.name, LONGEST_NAME),
    package_id: claims.packageId,
    revision: claims.revision,
    packed_at: claims.created,
    issuer: claims.issuer && clipped(claims.issuer.name, LONGEST_NAME),
    signature: one.signature,
    documents: one.documents,
    attachments: one.attachments,
    passages: one.passages,
    overviews: one.overviews,
    languages: most(one.languages),
    dated: claims.dated,
    dated_from: most(one.datedFrom),
    directions: { ...one.directions },
    ...(conversion !== null && { conversion }),
    model: claims.model && { id: clipped(claims.model.id, LONGEST_NAME), dimensions: claims.model.dimensions },
    meaning: meaning.state,
    ...(meaning.state !== "available" && {
      meaning_reason: clipped(meaning.reason, LONGEST_SENTENCE),
      meaning_remedy: clipped(meaning.remedy, LONGEST_SENTENCE),
    }),
    answerable_at: claims.answerableAt,
    passages_by: one.cut && clipped(one.cut, LONGEST_NAME),
    rules: most(one.rules),
  };
}

function most<T>(entries: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).slice(0, MOST_ENTRIES));
}

async function listing(
  reading: CorpusReading,
  page: number,
  asking: Asking,
): Promise<{ documents: z.input<typeof listed>[]; pages: number }> {
  const first = (page - 1) * PAGE_OF_DOCUMENTS;
  const { documents, total } = await reading.documents(first, PAGE_OF_DOCUMENTS, {}, asking);
  return { documents: documents.map(line), pages: Math.ceil(total / PAGE_OF_DOCUMENTS) };
}

function line(one: DocumentLine): z.input<typeof listed> {
  return {
    title: clipped(one.title, LONGEST_NAME),
    path: clipped(one.document, LONGEST_PATH),
    package: clipped(one.package, LONGEST_NAME),
    size: one.bytes,
    ...(one.dated !== undefined && { date: one.dated }),
    ...(one.datedFrom !== undefined && { date_from: one.datedFrom }),
    ...(one.direction !== undefined && { direction: one.direction }),
    language: one.language,
    passages: one.passages,
    opening: one.opening,
  };
}
