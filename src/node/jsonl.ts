/** A JSON Lines file as the documents of a package (spec/jsonl.md). */
import { MdcxError } from "../errors.js";
import { DOCUMENT_FIELDS, documentRecord } from "../jsonl.js";
import type { DocumentInput, LeftOut } from "../pack.js";
import { deal, type Elsewhere, type Shard } from "../shard.js";
import { LineFile, LONGEST_LINE, type Line, type LinePlace } from "./line-file.js";
import { UnknownKeys, type UnknownKey } from "./unknown-keys.js";

/** What a file holds: documents to pack, and the lines that are left out and why. */
export interface Records {
  readonly documents: readonly DocumentInput[];
  readonly leftOut: readonly LeftOut[];
  /** Fields that no record has, in the order in which they come. */
  readonly unknownKeys: readonly UnknownKey[];
  /** What other shards hold. */
  readonly elsewhere: readonly Elsewhere[];
  readonly close: () => Promise<void>;
}

/** Unreadable lines that a message names where there is nothing else. */
const NAMED = 3;

/**
 * Reads a file of records once, keeps of each where it lies, its path and what it states beside its text, and reads the
 * text again when its turn has come: memory holds one text, whatever the file's length.
 *
 * @param shard only the documents that are dealt to it
 * @throws MdcxError `bad-input` where no line is a record, and as `LineFile.open`
 */
export async function readRecords(path: string, shard?: Shard): Promise<Records> {
  const file = await LineFile.open(path);
  try {
    const documents: DocumentInput[] = [];
    const leftOut: LeftOut[] = [];
    const unknown = new UnknownKeys("records", DOCUMENT_FIELDS);
    const lineOf = new Map<string, number>();
    for await (const line of file.lines()) {
      const record = readLine(line, documentRecord);
      const before = record instanceof MdcxError ? undefined : lineOf.get(record.path);
      if (record instanceof MdcxError) leftOut.push({ document: `line ${line.number}`, reason: record.message });
      else if (before !== undefined)
        leftOut.push({
          document: `line ${line.number}`,
          reason: `its path @/${record.path} is that of line ${before}`,
        });
      else {
        unknown.note(record.unknown, line.number);
        lineOf.set(record.path, line.number);
        documents.push(inputOf(file, line, record.path, record.facts));
      }
    }
    if (documents.length === 0) throw new MdcxError("bad-input", nothingIn(path, leftOut));
    const { here, elsewhere } = deal(documents, shard);
    return { documents: here, leftOut, unknownKeys: unknown.list(), elsewhere, close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** What a line states, or what is wrong with it. */
export function readLine<T>({ bytes }: Line, as: (line: Uint8Array) => T): T | MdcxError {
  if (bytes === undefined)
    return new MdcxError("bad-input", `it is over ${LONGEST_LINE / 2 ** 20} MiB: split its document`);
  try {
    return as(bytes);
  } catch (error) {
    if (error instanceof MdcxError) return error;
    throw error;
  }
}

function inputOf(
  file: LineFile,
  { number, start, length }: LinePlace,
  path: string,
  facts: DocumentInput["facts"],
): DocumentInput {
  return {
    path,
    format: /\.txt$/i.test(path) ? "text" : "markdown",
    ...(facts !== undefined && { facts }),
    size: length,
    read: () =>
      Promise.resolve().then(() => {
        const line = { number, start, length, bytes: file.read({ number, start, length }) };
        const record = readLine(line, documentRecord);
        if (record instanceof MdcxError || record.path !== path) throw file.changed();
        return new TextEncoder().encode(record.text);
      }),
  };
}

function nothingIn(path: string, leftOut: readonly LeftOut[]): string {
  if (leftOut.length === 0) return `${path} is empty: it needs a record a line, {"name": "…", "text": "…"}.`;
  const named = leftOut.slice(0, NAMED).map(({ document, reason }) => `${document}: ${reason}`);
  const rest = leftOut.length - named.length;
  return `No line of ${path} is a record of a document (${named.join("; ")}${rest > 0 ? `; and ${rest} more` : ""}).`;
}
