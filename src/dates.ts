import { readDate } from "./text/written-dates.js";

/**
 * Where a document's date comes from, the most trusted first: a list of dates that was given to correct what stands in the
 * documents; the document's own front matter; its publisher's metadata; the time of its file.
 */
export const DATE_ORIGINS = ["sidecar", "front-matter", "source", "mtime"] as const;
export type DateOrigin = (typeof DATE_ORIGINS)[number];

/** A date as somebody wrote it, and who. */
export interface WrittenDate {
  readonly value: string;
  readonly origin: DateOrigin;
  /** What a list of dates says of where it has this one from; the origin unless given. */
  readonly provenance?: string;
}

/** A date that was not taken, and why: the end of a sentence that begins with it. */
export interface RefusedDate extends WrittenDate {
  readonly reason: string;
}

/** The date of a document with where it comes from, or neither; and what was refused before one could be taken. */
export interface DocumentDate {
  readonly date: string | null;
  readonly dateOrigin: string | null;
  readonly refused: readonly RefusedDate[];
}

/** Files without a time of their own have this one, or one before it: the beginning of time in ZIP, FAT and Unix. */
const NO_FILE_TIME = "1980-01-01";

/**
 * The first date by its origin that can be read. None is made up where none can: least of all from a printed year of
 * copyright. A date more than a year ahead is no date of a document that exists, and would be the most recent for ever.
 */
export function dateOf(written: readonly WrittenDate[], now: Date): DocumentDate {
  const refused: RefusedDate[] = [];
  const ordered = DATE_ORIGINS.flatMap((origin) => written.filter((one) => one.origin === origin));
  for (const one of ordered) {
    if (one.value.trim() === "") continue;
    const read = taken(one, now);
    if ("date" in read) return { date: read.date, dateOrigin: one.provenance ?? one.origin, refused };
    refused.push({ ...one, reason: read.reason });
  }
  return { date: null, dateOrigin: null, refused };
}

function taken({ value, origin }: WrittenDate, now: Date): ReturnType<typeof readDate> {
  const read = readDate(value);
  if (!("date" in read)) return read;
  // Strings of ISO dates are in the order of their first days.
  if (origin === "mtime" && read.date <= NO_FILE_TIME) return { reason: "is the time of files that have none" };
  const nextYear = `${now.getUTCFullYear() + 1}${now.toISOString().slice(4, 10)}`;
  return read.date > nextYear ? { reason: "lies more than a year ahead" } : read;
}
