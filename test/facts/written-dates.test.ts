import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readDate } from "../../src/text/written-dates.js";

const dateOf = (written: string): string | undefined => {
  const read = readDate(written);
  return "date" in read ? read.date : undefined;
};
const reasonOf = (written: string): string | undefined => {
  const read = readDate(written);
  return "reason" in read ? read.reason : undefined;
};

describe("a date is read with the precision that it has", () => {
  it.each([
    ["1970", "1970"],
    ["2024-03", "2024-03"],
    ["2024-3", "2024-03"],
    ["2024-03-05", "2024-03-05"],
    ["2024-3-5", "2024-03-05"],
    ["2024/03/05", "2024-03-05"],
    ["2024.03.05", "2024-03-05"],
    ["20240305", "2024-03-05"],
    ["20240305T103000Z", "2024-03-05"],
    ["D:20240305103000+01'00'", "2024-03-05"],
    ["03/2024", "2024-03"],
    ["  2024-03-05  ", "2024-03-05"],
    ["２０２４-０３-０５", "2024-03-05"],
    ["2024-02-29", "2024-02-29"],
    ["0987-01-02", "0987-01-02"],
  ])("%s is %s", (written, date) => {
    expect(dateOf(written)).toBe(date);
  });

  it.each([
    "2024-03-05T23:59:59-08:00",
    "2024-03-05T00:30:00.123+14:00",
    "2024-03-05T10:30Z",
    "2024-03-05 10:30",
    "2024-03-05 10:30:00 Europe/Berlin",
    "2024-03-05Z",
    "2024-03-05+01:00",
    "Tue, 5 Mar 2024 00:30:00 +0100 (CET)",
    "Tue Mar 05 2024 10:00:00 GMT+0100 (Central European Standard Time)",
    "5 March 2024 at 10:30",
  ])("the day of %s is the one that is written, in whatever time zone", (written) => {
    expect(dateOf(written)).toBe("2024-03-05");
  });

  it.each([
    "5 March 2024",
    "5th of March, 2024",
    "March 5, 2024",
    "Mar. 5, 2024",
    "Tuesday, March 5th, 2024",
    "5-Mar-2024",
    "5. März 2024",
    "Dienstag, 5. MÄRZ 2024",
    "5. Ma\u0308rz 2024",
    "5 mrz 2024",
    "5 mars 2024",
    "mardi 5 mars 2024",
    "5 de marzo de 2024",
    "martes, 5 de marzo del 2024",
    "5 marzo 2024",
    "5º de março de 2024",
    "terça-feira, 5 de março de 2024",
    "5 maart 2024",
    "5 mrt. 2024",
  ])("%s is read by the name of its month", (written) => {
    expect(dateOf(written)).toBe("2024-03-05");
  });

  it.each([
    ["1er août 2023", "2023-08-01"],
    ["AOUT 2023", "2023-08"],
    ["Sept. 2023", "2023-09"],
    ["set 2023", "2023-09"],
    ["juil. 2023", "2023-07"],
    ["juin 2023", "2023-06"],
    ["enero de 2023", "2023-01"],
    ["Dezember 2023", "2023-12"],
    ["mei 2023", "2023-05"],
  ])("%s is %s", (written, date) => {
    expect(dateOf(written)).toBe(date);
  });

  it("every month of seven languages is read by its name, with and without a day", () => {
    for (const locale of ["en", "de", "es", "fr", "it", "pt", "nl"])
      for (let month = 0; month < 12; month++) {
        const day = Date.UTC(2021, month, 17);
        const iso = new Date(day).toISOString();
        const written = (options: Intl.DateTimeFormatOptions): string =>
          new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" }).format(day);
        expect(dateOf(written({ dateStyle: "long" })), locale).toBe(iso.slice(0, 10));
        expect(dateOf(written({ dateStyle: "full" })), locale).toBe(iso.slice(0, 10));
        expect(dateOf(written({ year: "numeric", month: "long" })), locale).toBe(iso.slice(0, 7));
      }
  });

  it("every day of the calendar comes back from each of the ways to write it", () => {
    const day = fc.date({ min: new Date("1000-01-01"), max: new Date("2999-12-31"), noInvalidDate: true });
    fc.assert(
      fc.property(day, (date) => {
        const iso = date.toISOString().slice(0, 10);
        const [year, month, number] = iso.split("-") as [string, string, string];
        for (const written of [iso, date.toISOString(), date.toUTCString(), `${number}.${month}.${year}`])
          expect(dateOf(written)).toBe(iso);
      }),
      { seed: 6, numRuns: 500 },
    );
  });
});

describe("what is no date is said to be none", () => {
  it("numbers that may be day or month are not guessed at", () => {
    expect(reasonOf("03/05/2024")).toBe("may be 2024-03-05 or 2024-05-03: write the one that is meant");
    expect(reasonOf("3-5-2024")).toContain("may be");
    expect(dateOf("25/03/2024")).toBe("2024-03-25");
    expect(dateOf("03/25/2024")).toBe("2024-03-25");
    expect(dateOf("05/05/2024")).toBe("2024-05-05");
    expect(dateOf("5.3.2024"), "with dots the day is first").toBe("2024-03-05");
  });

  it.each([
    ["2023-02-29", "day that does not exist"],
    ["2024-04-31", "day that does not exist"],
    ["2024-04-00", "day that does not exist"],
    ["31 April 2024", "day that does not exist"],
    ["2024-13-01", "month that does not exist"],
    ["2024-00", "month that does not exist"],
    ["31.13.2024", "month that does not exist"],
    ["0000-01-01", "no year"],
  ])("%s: %s", (written, reason) => {
    expect(reasonOf(written)).toContain(reason);
  });

  it.each([
    "© 2024",
    "Copyright 2024",
    "Copyright March 2024",
    "(c) 1998-2024 Harbour Press",
    "05.03.24",
    "2011/12",
    "2024-03-05 to 2024-03-09",
    "1848-1849",
    "c. 1850",
    "yesterday",
    "45356",
    "1709600000",
    "2024-W10-2",
    "jui 2024",
    "5 Mittwoch 2024",
    "Presentations March 5, 2024",
    "true",
  ])("%s is no date", (written) => {
    expect(reasonOf(written)).toContain("no date that can be read");
  });

  it("a text of any length is none, in no time", () => {
    for (const text of ["2024-03-05 ".repeat(50), "5 ".repeat(1_000_000)]) expect(reasonOf(text)).toContain("no date");
  });

  it("no text makes it throw, or is read as what is no ISO date", () => {
    const parts = fc.constantFrom("20", "24", "1", "31", "-", "/", ".", " ", "Mar", "mai", "T", ":", "de ", "é", "５");
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "grapheme" }),
          fc.array(parts).map((all) => all.join("")),
        ),
        (text) => {
          const read = readDate(text);
          if ("date" in read) expect(read.date).toMatch(/^\d{4}(?:-\d\d(?:-\d\d)?)?$/);
          else expect(read.reason).not.toBe("");
        },
      ),
      { seed: 6, numRuns: 3000 },
    );
  });
});
