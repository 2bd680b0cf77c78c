import { optional } from "../../node/optional-package.js";

/**
 * A stored value as the sheet shows it by a format code. `date1904`: the workbook counts days from 1904. What no format
 * can show, a negative date or a damaged code, comes out as a plain number: Excel fills such a cell with `#`, and the
 * value would be lost.
 */
export type NumberFormatter = (code: string, value: number, date1904?: boolean) => string;

/** Days between the first days of the two calendars. */
const DAYS_1904 = 1462;
/** Excel takes no longer code; a longer one is meant for the parser, not for people. */
const LONGEST_CODE = 1_000;

const OPTIONS = { dateErrorNumber: true, dateSpanLarge: false, throws: true } as const;

interface Pattern {
  readonly code: string;
  readonly date: boolean;
  /** Shows hours over 24, or minutes or seconds over 60. */
  readonly elapsed: boolean;
}

/** The formatter of numfmt, which is loaded at the first use. */
export async function loadNumberFormatter(): Promise<NumberFormatter> {
  const numfmt = await optional("Showing numbers as a sheet shows them", () => import("numfmt"));
  const known = new Map<string, Pattern | undefined>();
  const prepare = (code: string): Pattern | undefined => {
    if (code.length > LONGEST_CODE || !numfmt.isValidFormat(code)) return undefined;
    const date = numfmt.isDateFormat(code);
    // `[$€-407]` names a currency and where it is used. It does not make Excel write the number the German way.
    return {
      code: date ? code : code.replace(/\[\$([^\]-]*)-[0-9A-Fa-f,]+\]/g, literal),
      date,
      elapsed: date && /\[(?:h+|m+|s+)\]/i.test(code.replace(/"[^"]*"|\\./g, "")),
    };
  };
  return (code, value, date1904 = false) => {
    if (!known.has(code)) known.set(code, prepare(code));
    const pattern = known.get(code);
    if (pattern === undefined) return numfmt.format("General", value, OPTIONS);
    // A time span has no calendar: less than none is written with a sign, as Excel does where days count from 1904.
    const sign = pattern.elapsed && value < 0 ? "-" : "";
    const serial = sign !== "" ? -value : pattern.date && date1904 && !pattern.elapsed ? value + DAYS_1904 : value;
    try {
      return sign + numfmt.format(pattern.code, serial, OPTIONS);
    } catch {
      return numfmt.format("General", value, OPTIONS);
    }
  };
}

function literal(_token: string, currency: string): string {
  return currency === "" ? "" : `"${currency.replaceAll('"', "")}"`;
}
