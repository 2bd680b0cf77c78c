import type { Direction, DocumentRecord } from "./image/records.js";
import type { FrontMatterValue } from "./text/front-matter.js";
import { canonicalLanguage } from "./text/languages.js";

/** What the front matter of a document says of it; null where it says nothing that can be used (spec/text.md §7.1). */
export type StatedFacts = Omit<DocumentRecord, "path" | "format" | "markdownSha256" | "language" | "direction"> & {
  readonly language: string | null;
};

/** A date as somebody wrote it, and who: it is read as one of the front matter is. */
export interface GivenDate {
  readonly value: string;
  /** `sidecar` comes before the front matter; `source`, the publisher's metadata, and `mtime` come after it. */
  readonly origin: "sidecar" | "source" | "mtime";
}

/** What is known of a document from outside its text: a record of a collection, a list of dates, the file itself. */
export interface GivenFacts {
  readonly title?: string;
  /** A language tag. */
  readonly language?: string;
  /** Of several the first by origin that can be read is the document's. */
  readonly dates?: readonly GivenDate[];
  readonly direction?: Direction;
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
): StatedFacts & Pick<DocumentRecord, "direction"> {
  const stated = statedFacts(fields);
  return {
    ...stated,
    ...dateOf(stated, given.dates ?? []),
    title: stated.title ?? line(given.title),
    language: stated.language ?? (given.language === undefined ? null : canonicalLanguage(given.language)),
    direction: given.direction ?? null,
    indexed: stated.indexed && given.indexed !== false,
    source: stated.source ?? line(given.source),
  };
}

function dateOf(stated: StatedFacts, given: readonly GivenDate[]): Pick<DocumentRecord, "date" | "dateOrigin"> {
  const from = (origin: GivenDate["origin"]) =>
    given.filter((one) => one.origin === origin).map(({ value }) => ({ date: isoDate(value), dateOrigin: origin }));
  const { date, dateOrigin } = stated;
  const ordered = [...from("sidecar"), { date, dateOrigin }, ...from("source"), ...from("mtime")];
  return ordered.find((one) => one.date !== null) ?? { date: null, dateOrigin: null };
}

/** Reads the fields that have a meaning. A value of another type or shape counts as absent: a document is text first. */
export function statedFacts(fields: Readonly<Record<string, FrontMatterValue>>): StatedFacts {
  const date = isoDate(fields.date);
  return {
    title: line(fields.title),
    language: typeof fields.language === "string" ? canonicalLanguage(fields.language) : null,
    // YAML 1.1 says no and off as well, and people quote it: a document that was meant to be hidden must not be found.
    indexed: !/^(?:false|no|off)$/i.test(String(fields.indexed)),
    date,
    dateOrigin: date === null ? null : "front-matter",
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

/** A short piece of text on one line: a title that runs over lines is joined. */
function line(value: FrontMatterValue | undefined): string | null {
  if (typeof value !== "string" && typeof value !== "number") return null;
  const text = String(value).replace(/\s+/g, " ").trim();
  return text === "" ? null : text.slice(0, 1000);
}

/** `YYYY`, `YYYY-MM` or `YYYY-MM-DD` of a day that exists, a time behind it cut off; anything else is no date. */
function isoDate(value: FrontMatterValue | undefined): string | null {
  const found = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ].*)?)?)?$/.exec(String(value ?? "").trim());
  if (found === null) return null;
  const [, year, month, day] = found;
  if (month === undefined) return year!;
  if (Number(month) < 1 || Number(month) > 12) return null;
  if (day === undefined) return `${year!}-${month}`;
  const exists = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
  return exists && day !== "00" ? `${year!}-${month}-${day}` : null;
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
