import type { NumberFormatter } from "../ooxml/number-format.js";
import { decodeEscapes } from "./shared-strings.js";

/** What a workbook holds for all of its sheets. */
export interface Book {
  readonly strings: readonly string[];
  /** Format codes by style. */
  readonly formats: readonly string[];
  readonly date1904: boolean;
  readonly format: NumberFormatter;
  /** Characters that may still be shown: a million cells may share one string of thirty thousand. */
  readonly budget: { left: number };
}

/** Characters that the cells of a workbook may show together; a bookshelf has fewer. */
export const MOST_CHARACTERS = 50_000_000;

/** A cell as it is stored (`c`). */
export interface StoredCell {
  /** `n`, `s`, `str`, `inlineStr`, `b`, `e`, `d` */
  readonly type: string;
  readonly style: number;
  /** Its value (`v`) as written; undefined where it has none. */
  readonly value: string | undefined;
  /** Its text where it is written into the cell (`is`). */
  readonly inline: string | undefined;
}

/** Excel takes no longer code; one of thousands of `@` would repeat a text as often. */
const LONGEST_CODE = 255;

const MILLISECONDS_A_DAY = 86_400_000;

/** A cell as the sheet shows it; empty where it shows nothing. */
export function shownText(cell: StoredCell, book: Book): string {
  const code = book.formats[cell.style] ?? "General";
  const value = cell.value ?? "";
  switch (cell.type) {
    case "s": {
      const index = value.trim() === "" ? NaN : Number(value);
      return textByFormat(book.strings[index] ?? "", code);
    }
    case "inlineStr":
      return textByFormat(cell.inline ?? decodeEscapes(value), code);
    case "str":
      return textByFormat(decodeEscapes(value), code);
    case "b":
      return value.trim() === "" ? "" : /^(?:1|true)$/i.test(value.trim()) ? "TRUE" : "FALSE";
    case "e":
      return value;
    case "d": {
      const serial = dateSerial(value.trim(), book.date1904);
      return serial === undefined
        ? value
        : book.format(code === "General" ? "yyyy-mm-dd" : code, serial, book.date1904);
    }
    default: {
      if (value.trim() === "") return cell.inline ?? "";
      const number = Number(value);
      return Number.isFinite(number) ? book.format(code, number, book.date1904) : value;
    }
  }
}

/**
 * The section of a format that is for text puts words around it: `@" pieces"`. A section that hides text is not followed:
 * words that are there are never left out.
 */
function textByFormat(text: string, code: string): string {
  if (text === "" || !code.includes("@") || code.length > LONGEST_CODE) return text;
  const section = code.split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/).find((each) => each.includes("@")) ?? "@";
  if (/^[@\s]*$/.test(section.replace(/_.|\*.|\[[^\]]*\]/g, ""))) return text;
  const shown = section.replace(/"([^"]*)"|\\(.)|_.|\*.|\[[^\]]*\]|@/g, (token, quoted?: string, escaped?: string) =>
    token === "@" ? text : (quoted ?? escaped ?? (token.startsWith("_") ? " " : "")),
  );
  return shown.includes(text) ? shown : text;
}

/** Days since the beginning of the calendar for an ISO 8601 date (`t="d"`, which Strict files have). */
function dateSerial(iso: string, date1904: boolean): number | undefined {
  const found = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?)?/.exec(iso);
  if (found === null) return undefined;
  const [, year, month, day, hour = "0", minute = "0", second = "0"] = found;
  const days = Date.UTC(Number(year), Number(month) - 1, Number(day)) / MILLISECONDS_A_DAY;
  const serial = days + 25_569 + (Number(hour) + (Number(minute) + Number(second) / 60) / 60) / 24;
  // The day that never was, 29 February 1900, counts in the older calendar.
  return date1904 ? serial - 1462 : serial < 61 ? serial - 1 : serial;
}
