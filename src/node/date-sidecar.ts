import { readFile } from "node:fs/promises";
import { decodeText, whatInstead, type GivenDate } from "../document.js";
import { MdcxError } from "../errors.js";
import type { DateFinding, DocumentInput } from "../pack.js";
import type { Elsewhere } from "../shard.js";
import { readDate } from "../text/written-dates.js";
import { ioError } from "./io-error.js";
import { optional } from "./optional-package.js";

/** Documents with the dates of a list, and the rows of it that say nothing of any of them. */
export interface SidecarDates {
  readonly documents: readonly DocumentInput[];
  readonly refused: readonly DateFinding[];
}

/** A row of the list. */
interface Row {
  readonly number: number;
  readonly path: string;
  readonly date: GivenDate;
}

/** Characters of where a date is said to come from. */
const LONGEST_PROVENANCE = 60;

/**
 * Gives documents the dates of a CSV file with the columns path, date and, if it likes, where the date comes from
 * (spec/facts.md §2). Paths are those of the documents or of the originals that they are converted from.
 *
 * @param elsewhere documents that may be in the list without being among these
 * @throws MdcxError `bad-input` for a file that is no such list, `io` and `not-found` where it cannot be read
 */
export async function withSidecarDates(
  documents: readonly DocumentInput[],
  file: string,
  elsewhere: readonly Elsewhere[] = [],
): Promise<SidecarDates> {
  const rows = await readRows(file);
  const refused: DateFinding[] = [];
  const byPath = new Map<string, Row>();
  const refuse = ({ path, date }: Row, reason: string): void => {
    refused.push({ document: `@/${path}`, ...date, reason });
  };
  for (const row of rows) {
    const before = byPath.get(row.path);
    if (before === undefined) byPath.set(row.path, row);
    else if (before.date.value !== row.date.value)
      refuse(row, `stands in row ${row.number}, and row ${before.number} has another one`);
  }
  const used = new Set<Row>();
  const rowOf = ({ path, original }: Elsewhere): Row | undefined => {
    const row = byPath.get(canonical(path)) ?? (original === undefined ? undefined : byPath.get(canonical(original)));
    if (row !== undefined) used.add(row);
    return row;
  };
  for (const document of elsewhere) rowOf(document);
  const dated = documents.map((document): DocumentInput => {
    const row = rowOf(document);
    if (row === undefined) return document;
    return { ...document, facts: { ...document.facts, dates: [row.date, ...(document.facts?.dates ?? [])] } };
  });
  for (const row of byPath.values())
    if (!used.has(row)) refuse(row, `stands in row ${row.number}, and there is no such document`);
  return { documents: dated, refused };
}

async function readRows(file: string): Promise<Row[]> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    throw ioError(error, "read", file);
  }
  const text = decodeText(bytes);
  if (text === undefined)
    throw new MdcxError("bad-input", `${file} is ${whatInstead(bytes)}: save the list of dates as CSV in UTF-8.`);
  const { default: Papa } = await optional("Reading a list of dates", () => import("papaparse"));
  const { data, errors } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ""), {
    delimitersToGuess: [",", ";", "\t"],
  });
  const broken = errors.find(({ type }) => type === "Quotes");
  if (broken !== undefined)
    throw new MdcxError("bad-input", `${file}, row ${(broken.row ?? 0) + 1}: a quotation mark is not closed.`);
  return data.flatMap((cells, i) => {
    const row = readRow(cells, i + 1, file);
    return row === undefined ? [] : [row];
  });
}

/** Undefined for a row that says nothing: a blank one, one without a date, and the names of the columns. */
function readRow(cells: readonly string[], number: number, file: string): Row | undefined {
  const [path = "", value = "", from = "", ...more] = cells.map((cell) => cell.trim());
  if (more.some((cell) => cell !== ""))
    throw new MdcxError(
      "bad-input",
      `${file}, row ${number}: it has more than the columns path, date and provenance: put quotation marks around a path with a comma.`,
    );
  const isHeading = number === 1 && !/\d/.test(value);
  if (value === "" || isHeading) return undefined;
  // A list whose columns stand the other way round would be told of at every row.
  if (number <= 2 && "reason" in readDate(value) && "date" in readDate(path))
    throw new MdcxError("bad-input", `${file}, row ${number}: the date stands before the path: write path,date.`);
  if (from.length > LONGEST_PROVENANCE)
    throw new MdcxError(
      "bad-input",
      `${file}, row ${number}: say in at most ${LONGEST_PROVENANCE} characters where the date comes from.`,
    );
  const provenance = from.replace(/\s+/g, " ");
  return {
    number,
    path: canonical(path),
    date: { value, origin: "sidecar", ...(provenance !== "" && { provenance }) },
  };
}

/** A path as it is compared: people type it composed, programs of Windows write it with backslashes. */
function canonical(path: string): string {
  return path
    .normalize("NFC")
    .replaceAll("\\", "/")
    .replace(/^(?:@\/|(?:\.\/)+)/, "");
}
