import { dateOf, type DateOrigin, type RefusedDate, type WrittenDate } from "./dates.js";
import type { StatedDirection } from "./direction.js";
import type { DocumentRecord } from "./image/records.js";
import type { FrontMatterValue } from "./text/front-matter.js";
import { canonicalLanguage } from "./text/languages.js";

/** What the front matter of a document says of it; null where it says nothing that can be used (spec/facts.md). */
export type StatedFacts = Omit<
  DocumentRecord,
  "path" | "format" | "markdownSha256" | "language" | "direction" | "date" | "dateOrigin"
> & {
  readonly language: string | null;
  /** Not read yet. */
  readonly date: WrittenDate | null;
};

/** What is known of a document, as it is packed, but for what only its text and the run can tell. */
export type DocumentFacts = Omit<StatedFacts, "date"> &
  Pick<DocumentRecord, "date" | "dateOrigin"> & {
    /** Dates that come before the one that was taken and could not be read. */
    readonly refusedDates: readonly RefusedDate[];
  };

/** A date as somebody wrote it, and who: `sidecar` comes before the front matter, `source` and `mtime` after it. */
export interface GivenDate extends WrittenDate {
  readonly origin: Exclude<DateOrigin, "front-matter">;
}

/** What is known of a document from outside its text: a record of a collection, a list of dates, the file itself. */
export interface GivenFacts {
  readonly title?: string;
  /** A language tag. */
  readonly language?: string;
  /** Of several the first by origin that can be read is the document's. */
  readonly dates?: readonly GivenDate[];
  /** `none`: neither, whatever the name of its folder says. */
  readonly direction?: StatedDirection;
  /** False keeps the document out of every search. */
  readonly indexed?: boolean;
  /** Name of the original. */
  readonly source?: string;
}

/**
 * What a document says of itself and, where it says nothing, what is said of it. A date of a sidecar alone comes before the
 * front matter: it was written to correct it. Hidden by either is hidden.
 */
export function factsOf(
  fields: Readonly<Record<string, FrontMatterValue>>,
  given: GivenFacts = {},
  now: Date = new Date(),
): DocumentFacts {
  const { date: stated, ...facts } = statedFacts(fields);
  const { refused, ...dated } = dateOf([...(stated ? [stated] : []), ...(given.dates ?? [])], now);
  return {
    ...facts,
    ...dated,
    refusedDates: refused,
    title: facts.title ?? line(given.title),
    language: facts.language ?? (given.language === undefined ? null : canonicalLanguage(given.language)),
    indexed: facts.indexed && given.indexed !== false,
    source: facts.source ?? line(given.source),
  };
}

/** Reads the fields that have a meaning. A value of another type or shape counts as absent: a document is text first. */
export function statedFacts(fields: Readonly<Record<string, FrontMatterValue>>): StatedFacts {
  return {
    title: line(fields.title),
    language: typeof fields.language === "string" ? canonicalLanguage(fields.language) : null,
    // YAML 1.1 says no and off as well, and people quote it: a document that was meant to be hidden must not be found.
    indexed: !/^(?:false|no|off)$/i.test(String(fields.indexed)),
    date: statedDate(fields),
    source: line(fields.source),
    sourceSha256: digest(fields.source_sha256),
    coverage:
      typeof fields.coverage === "number" && fields.coverage >= 0 && fields.coverage <= 1 ? fields.coverage : null,
    status: line(fields.status),
    sampled: fields.sampled === true,
    pagesTotal:
      Number.isSafeInteger(fields.pages_total) && Number(fields.pages_total) >= 0 ? Number(fields.pages_total) : null,
  };
}

/**
 * The date that the front matter states. Where a converter wrote it, it is what the publisher of the original says of it;
 * of a Markdown original it is the author's own, for the converter leaves that as it is (spec/convert.md §2).
 */
function statedDate({ date, ...fields }: Readonly<Record<string, FrontMatterValue>>): WrittenDate | null {
  if (date === undefined || date === null || date === "") return null;
  const converted = digest(fields.source_sha256) !== null && fields.status !== undefined;
  const own = /\.(?:md|markdown)$/i.test(String(fields.source));
  return { value: String(date), origin: converted && !own ? "source" : "front-matter" };
}

/** A short piece of text on one line: a title that runs over lines is joined. */
function line(value: FrontMatterValue | undefined): string | null {
  if (typeof value !== "string" && typeof value !== "number") return null;
  const text = String(value).replace(/\s+/g, " ").trim();
  return text === "" ? null : text.slice(0, 1000);
}

function digest(value: FrontMatterValue | undefined): Uint8Array | null {
  if (typeof value !== "string" || !/^[0-9a-f]{64}$/i.test(value)) return null;
  return Uint8Array.from(value.match(/../g)!, (byte) => parseInt(byte, 16));
}

/** The name of a document without its folders and ending, for one that has no title of its own. */
export function nameAsTitle(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name.replace(/(?!^)\.[^.]*$/, "");
}

/** A document's bytes as text, a byte order mark kept; undefined where they are not UTF-8. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    // UTF-16 of Latin text is valid UTF-8 with a NUL at every second place; no text file holds a NUL.
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Bytes that a package holds, as text: UTF-8 when they were packed, a byte order mark kept. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** What bytes are that are not UTF-8 text, as far as their beginning tells. */
export function whatInstead(bytes: Uint8Array): string {
  const [a, b, c, d] = bytes;
  if ((a === 0xff && b === 0xfe && c === 0 && d === 0) || (a === 0 && b === 0 && c === 0xfe && d === 0xff))
    return "UTF-32, not UTF-8";
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) return "UTF-16, not UTF-8";
  const nul = bytes.subarray(0, 4096).filter((byte) => byte === 0).length;
  if (nul > Math.min(bytes.length, 4096) / 4) return "UTF-16 or UTF-32, not UTF-8";
  return nul > 0 ? "not text: it holds NUL bytes" : "not UTF-8 text";
}
