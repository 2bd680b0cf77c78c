/**
 * Records of a JSON Lines file (spec/jsonl.md): a document, or an overview of one, a line. What is wrong with a line is
 * thrown as MdcxError `bad-input` with the reason alone, for the caller knows the number of the line.
 */
import { decodeText, textOf, type GivenFacts } from "./document.js";
import { MdcxError } from "./errors.js";
import { isSafePath } from "./image/path.js";
import { LIMITS } from "./image/schema.js";

/** A document as a line states it. */
export interface DocumentLineRecord {
  /** Inside the package: `contracts/lease.md`. */
  readonly path: string;
  readonly facts: GivenFacts;
  readonly text: string;
  /** Its fields that no record has. */
  readonly unknown: readonly string[];
}

/** An overview as a line states it. */
export interface OverviewLineRecord {
  /** Path of the document that it is about. */
  readonly path: string;
  readonly text: string;
  /** Its fields that no overview has. */
  readonly unknown: readonly string[];
}

/** What a line may say of an overview. */
export const OVERVIEW_FIELDS: readonly string[] = ["document", "text"];

/** What a line may say of a document. */
export const DOCUMENT_FIELDS: readonly string[] = [
  "text",
  "name",
  "folder",
  "pseudopath",
  "title",
  "language",
  "date",
  "source",
  "indexed",
];

type Fields = Readonly<Record<string, unknown>>;

/** Reads a line as a document. */
export function documentRecord(line: Uint8Array): DocumentLineRecord {
  const fields = fieldsOf(line);
  const unknown = Object.keys(fields).filter((key) => !DOCUMENT_FIELDS.includes(key));
  return { path: checkedPath(statedPath(fields)), facts: factsIn(fields), text: textIn(fields), unknown };
}

/** Reads a line as an overview. */
export function overviewRecord(line: Uint8Array): OverviewLineRecord {
  const fields = fieldsOf(line);
  const document = word("document", fields.document);
  if (document === undefined) throw wrong("it does not name its document: give document and text");
  const text = textIn(fields);
  if (text.trim() === "") throw wrong("its text is empty");
  const unknown = Object.keys(fields).filter((key) => !OVERVIEW_FIELDS.includes(key));
  return { path: checkedPath(relative(document)), text, unknown };
}

function fieldsOf(line: Uint8Array): Fields {
  const text = decodeText(line);
  if (text === undefined) throw wrong("it is not UTF-8");
  let value: unknown;
  try {
    // A byte order mark is kept by the decoder, and no JSON.
    value = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    throw wrong("it is not JSON");
  }
  if (Array.isArray(value)) throw wrong("it is a list: give one object a line, without brackets or commas around them");
  if (typeof value !== "object" || value === null) throw wrong("it is no object");
  return value as Fields;
}

function textIn({ text }: Fields): string {
  if (typeof text !== "string") throw wrong(text === undefined ? "it has no text" : "its text is not a string");
  if (text.includes("\0")) throw wrong("its text holds a NUL character");
  return text;
}

function factsIn({ title, language, date, source, indexed }: Fields): GivenFacts {
  const [titled, inLanguage, from] = [word("title", title), word("language", language), word("source", source)];
  return {
    ...(titled !== undefined && { title: titled }),
    ...(inLanguage !== undefined && { language: inLanguage }),
    ...(from !== undefined && { source: from }),
    ...(date !== undefined && date !== null && date !== "" && { dates: [{ value: written(date), origin: "source" }] }),
    ...(isHidden(indexed) && { indexed: false }),
  };
}

/** What is no date either is reported with the others, so it is kept as it was written. */
function written(date: unknown): string {
  return typeof date === "string" ? date : JSON.stringify(date);
}

/** The path that a record states: `pseudopath`, else `folder` and `name`. */
function statedPath({ pseudopath, folder, name }: Fields): string {
  const whole = word("pseudopath", pseudopath);
  if (whole !== undefined) return relative(whole);
  const last = word("name", name);
  if (last === undefined) throw wrong("it has neither name nor pseudopath");
  const above = word("folder", folder)?.replace(/\/+$/, "");
  return relative(above === undefined ? last : `${above}/${last}`);
}

/** A path that begins at the root of the collection, as crawlers and replies of this program write it. */
function relative(path: string): string {
  return path.replace(/^@?\/+|^\.\/+/, "");
}

function checkedPath(path: string): string {
  // Half a surrogate pair, which JSON can state, becomes what UTF-8 makes of it: two paths must not become one unnoticed.
  const bytes = new TextEncoder().encode(path);
  if (!isSafePath(path))
    throw wrong(`its path ${JSON.stringify(path)} would not stay inside the folder it is exported to`);
  if (bytes.length > LIMITS.path) throw wrong(`its path is longer than ${LIMITS.path} bytes`);
  return textOf(bytes);
}

/** As in front matter: what was meant to be hidden must not be found, however it was written. */
function isHidden(indexed: unknown): boolean {
  if (indexed === undefined || indexed === null || indexed === "") return false;
  const said = typeof indexed === "string" || typeof indexed === "boolean" ? String(indexed).toLowerCase() : undefined;
  if (said === "false" || said === "no" || said === "off") return true;
  if (said === "true" || said === "yes" || said === "on") return false;
  throw wrong("its indexed is neither true nor false");
}

/** A short text, or a number that stands for one; undefined where there is none. */
function word(key: string, value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  if (value !== undefined && value !== null && typeof value !== "string") throw wrong(`its ${key} is not a string`);
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function wrong(reason: string): MdcxError {
  return new MdcxError("bad-input", reason);
}
