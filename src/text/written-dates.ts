/** Dates as people and programs write them, read into ISO 8601 with the precision that they have (spec/facts.md §1). */
import { normaliseWord } from "./normalise.js";

/** A date that was read, `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, or why it was not: the end of a sentence that begins with it. */
export type ReadDate = { readonly date: string } | { readonly reason: string };

/** Nothing longer is one date, in UTF-16 units. */
const LONGEST = 100;

/** A time of the day behind a date, cut off: the day is the one that was written, in whatever time zone. */
const TIME = String.raw`(?:T\d{2}:?\d{2}.*|[\s,]+(?:\p{L}+\s+){0,2}\d{1,2}[:.h]\d{2}.*)?`;
const ISO = new RegExp(
  String.raw`^(\d{4})(?:[-.](\d{1,2})|([-/.])(\d{1,2})\3(\d{1,2})(?:Z|[+-]\d{2}:?\d{2}|${TIME}))?$`,
  "iu",
);
/** `20240305`, `20240305T1030Z`, and the dates of PDF, `D:20240305103000+01'00'`. */
const RUN_TOGETHER = /^(?:D:)?(\d{4})(\d{2})(\d{2})(?:T?\d{4}(?:\d{2})?(?:\D.*)?)?$/i;
const NUMBERS = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})${TIME}$`, "iu");
const MONTH_AND_YEAR = /^(\d{1,2})[-/.](\d{4})$/;

const WORD = String.raw`\p{L}[\p{L}\p{M}-]*`;
/** `5 March 2024`, `Tue, 5 Mar 2024 10:00 +0100`, `5. März 2024`, `1er mars 2024`, `5 de marzo de 2024`. */
const DAY_FIRST = new RegExp(
  String.raw`^(?:(${WORD})\.?,?\s+)?(\d{1,2})(?:st|nd|rd|th|er|[oa°.])?[\s-]*(?:(?:of|de)\s+)?(${WORD}?)[.,]*[\s-]+(?:(?:of|del?)\s+)?(\d{4})${TIME}$`,
  "iu",
);
/** `March 5, 2024`, `Tue Mar 05 2024 10:00:00`. */
const MONTH_FIRST = new RegExp(
  String.raw`^(?:(${WORD})\.?,?\s+)?(${WORD})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})${TIME}$`,
  "iu",
);
const NAMED_MONTH = new RegExp(String.raw`^(${WORD}?)[.,]*[\s-]+(?:(?:of|del?)\s+)?(\d{4})$`, "iu");

const UNREADABLE: ReadDate = { reason: "is no date that can be read: write YYYY, YYYY-MM or YYYY-MM-DD" };

/**
 * Reads a date. What leaves open which number is the month is not guessed at, and neither is a year of two digits. The names
 * of months and days may be English, German, Spanish, French, Italian, Portuguese or Dutch.
 */
export function readDate(written: string): ReadDate {
  if (written.length > LONGEST) return UNREADABLE;
  const text = written.normalize("NFKC").replace(/\s+/g, " ").trim();
  const iso = ISO.exec(text);
  if (iso !== null) return calendar(iso[1]!, iso[2] ?? iso[4], iso[5]);
  const together = RUN_TOGETHER.exec(text);
  if (together !== null) return calendar(together[1]!, together[2], together[3]);
  const numbers = NUMBERS.exec(text);
  if (numbers !== null) return ofNumbers(numbers);
  const monthAndYear = MONTH_AND_YEAR.exec(text);
  if (monthAndYear !== null) return calendar(monthAndYear[2]!, monthAndYear[1]);
  return ofWords(text) ?? UNREADABLE;
}

/** Day and month before the year. With dots the day comes first wherever they are used; else only the numbers can tell. */
function ofNumbers([, first, sign, second, year]: RegExpExecArray): ReadDate {
  if (sign === "." || Number(first) > 12 || first === second) return calendar(year!, second, first);
  if (Number(second) > 12) return calendar(year!, first, second);
  const [one, other] = [calendar(year!, first, second), calendar(year!, second, first)];
  return "date" in one && "date" in other
    ? { reason: `may be ${one.date} or ${other.date}: write the one that is meant` }
    : UNREADABLE;
}

function ofWords(text: string): ReadDate | undefined {
  const dayFirst = DAY_FIRST.exec(text);
  if (dayFirst !== null) return ofNames(dayFirst[1], dayFirst[3]!, dayFirst[4]!, dayFirst[2]);
  const monthFirst = MONTH_FIRST.exec(text);
  if (monthFirst !== null) return ofNames(monthFirst[1], monthFirst[2]!, monthFirst[4]!, monthFirst[3]);
  const named = NAMED_MONTH.exec(text);
  return named === null ? undefined : ofNames(undefined, named[1]!, named[2]!);
}

function ofNames(weekday: string | undefined, name: string, year: string, day?: string): ReadDate | undefined {
  const month = monthOf(name);
  if (month === undefined || (weekday !== undefined && !isWeekday(weekday))) return undefined;
  return calendar(year, String(month), day);
}

/** A date of the calendar in ISO 8601, as precise as what is given. */
function calendar(year: string, month?: string, day?: string): ReadDate {
  if (Number(year) === 0) return { reason: "has no year" };
  if (month === undefined) return { date: year };
  if (Number(month) < 1 || Number(month) > 12) return { reason: "has a month that does not exist" };
  const yearAndMonth = `${year}-${month.padStart(2, "0")}`;
  if (day === undefined) return { date: yearAndMonth };
  const then = new Date(0);
  then.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (Number(day) === 0 || then.getUTCDate() !== Number(day)) return { reason: "has a day that does not exist" };
  return { date: `${yearAndMonth}-${day.padStart(2, "0")}` };
}

const LOCALES = ["en", "de", "es", "fr", "it", "pt", "nl"] as const;

/** Written short, the third month begins in German and Dutch as its long name does not. */
const SHORT_MARCH = ["mrt", "mrz"] as const;

/** Names in normal form, each with the number of its month from 1. */
let months: ReadonlyMap<string, number> | undefined;
let weekdays: readonly string[] | undefined;

function monthNames(): ReadonlyMap<string, number> {
  return (months ??= new Map([
    ...SHORT_MARCH.map((name) => [name, 3] as const),
    ...Array.from({ length: 12 }, (_, i) => i).flatMap((i) =>
      namesOf(Date.UTC(2023, i, 1), { month: "long" }).map((name) => [name, i + 1] as const),
    ),
  ]));
}

/** What a day is called in each language. */
function namesOf(day: number, part: Intl.DateTimeFormatOptions): string[] {
  return LOCALES.map((locale) =>
    normaliseWord(new Intl.DateTimeFormat(locale, { ...part, timeZone: "UTC" }).format(day)),
  );
}

/** The number of a month by its name or the beginning of it: `Sept` and `set` are the ninth, `jui` may be two. */
function monthOf(word: string): number | undefined {
  const form = normaliseWord(word);
  const whole = monthNames().get(form);
  if (whole !== undefined || form.length < 3) return whole;
  const meant = new Set([...monthNames()].flatMap(([name, number]) => (name.startsWith(form) ? [number] : [])));
  return meant.size === 1 ? [...meant][0] : undefined;
}

/** Whether a word is the name of a day of the week, or begins as one. */
function isWeekday(word: string): boolean {
  weekdays ??= Array.from({ length: 7 }, (_, i) => namesOf(Date.UTC(2023, 0, i + 1), { weekday: "long" })).flat();
  const form = normaliseWord(word);
  return form.length >= 2 && weekdays.some((name) => name.startsWith(form));
}
