import { createHash } from "node:crypto";
import type { DocumentRecord, PassageInput } from "../../src/image/records.js";
import { ImageWriter, type ImageWriterOptions } from "../../src/image/writer.js";
import { compareCodePoints } from "../../src/text/code-points.js";
import { MemoryPages } from "./memory-pages.js";

export interface SampleDocument {
  readonly record: DocumentRecord;
  readonly bytes: Uint8Array;
  readonly passages: readonly PassageInput[];
}

/** A record with everything unknown that may be. */
export function record(path: string, bytes: Uint8Array, known: Partial<DocumentRecord> = {}): DocumentRecord {
  return {
    path,
    title: null,
    language: "und",
    format: "markdown",
    indexed: true,
    markdownSha256: new Uint8Array(createHash("sha256").update(bytes).digest()),
    source: null,
    sourceSha256: null,
    date: null,
    dateOrigin: null,
    direction: null,
    coverage: null,
    status: null,
    sampled: false,
    pagesTotal: null,
    ...known,
  };
}

/** A document of one passage. */
export function plain(path: string, text: string, known: Partial<DocumentRecord> = {}): SampleDocument {
  const bytes = new TextEncoder().encode(text);
  return {
    record: record(path, bytes, known),
    bytes,
    passages: [{ start: 0, end: bytes.length, kind: "text", heading: [] }],
  };
}

export interface Extras {
  readonly streams?: Partial<Record<"dictionary" | "postings" | "lengths", Uint8Array>>;
  readonly meta?: Readonly<Record<string, string>>;
  readonly options?: ImageWriterOptions;
}

/** Writes documents, in any order given, into an image in memory. */
export async function imageOf(documents: readonly SampleDocument[], extras: Extras = {}): Promise<MemoryPages> {
  const writer = await ImageWriter.create(extras.options);
  const sorted = [...documents].sort((a, b) => compareCodePoints(a.record.path, b.record.path));
  for (const document of sorted) writer.addDocument(document.record, document.bytes, document.passages);
  for (const name of ["dictionary", "postings", "lengths"] as const) {
    const bytes = extras.streams?.[name];
    if (bytes !== undefined) writer.addStream(name, [bytes]);
  }
  for (const [key, value] of Object.entries(extras.meta ?? {})) writer.setMeta(key, value);
  return MemoryPages.of(writer.finish());
}
