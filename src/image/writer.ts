import { MdcxError } from "../errors.js";
import { PAGE, type PageProducer } from "../format/pages.js";
import type { Overflow } from "../format/overflow.js";
import { portableDeflate, type Deflate } from "./deflate.js";
import { writeCalibration, writeProbes } from "./meaning-tables.js";
import { checkPageOne } from "./page-one.js";
import { PagedStore } from "./paged-store.js";
import { isSafePath } from "./path.js";
import { compareCodePoints } from "../text/code-points.js";
import type { CalibrationRow, DocumentRecord, OverviewInput, PassageInput, Place, Probe } from "./records.js";
import {
  APPLICATION_ID,
  BLOCK,
  DOCUMENT_LIMIT,
  LIMITS,
  OWN_META,
  PASSAGE_KINDS,
  SCHEMA,
  SCHEMA_VERSION,
  streamKey,
  type PassageKind,
} from "./schema.js";
import { emptyDatabase, loadSqlite, type Database, type WasmLocation } from "./sqlite.js";
import { RowRun } from "./row-run.js";
import { StreamSink } from "./stream-sink.js";
import { STREAMS, type StreamName } from "./streams.js";

const LINE_FEED = 0x0a;

/** KiB of pages that SQLite keeps while writing: the rightmost pages of every table, and little else. */
const CACHE_KIB = 1_024;

/** Rows of a table that are inserted together: five leaves of passages, three of documents. */
const ROWS_AT_ONCE = 8_192;
const DOCUMENTS_AT_ONCE = 1_024;

export interface ImageWriterOptions {
  /** How blocks of text are deflated; fflate at level 6 unless given. Readers do not care. */
  readonly deflate?: Deflate;
  readonly wasm?: WasmLocation;
  /** Takes pages that do not fit into memory; all stay there without one. */
  readonly overflow?: Overflow;
}

/**
 * Writes an image into memory: documents in byte order of their paths, then the other streams, then `finish`. Rows are
 * only ever inserted, each table in ascending order, so that no deleted row and no free page can exist in the file.
 *
 * After an error the writer is of no further use.
 */
export class ImageWriter {
  private readonly counts = { documents: 0, passages: 0, headings: 0, places: 0, blocks: 0 };
  private readonly meta = new Map<string, string>();
  private readonly text: StreamSink;
  private readonly block = new Uint8Array(BLOCK);
  private readonly inserts: ReturnType<typeof prepareInserts>;
  private blockFill = 0;
  private textLength = 0;
  private attachments = 0;
  private overviews = 0;
  private lastPath: string | undefined;
  private lastStream: number | undefined;
  private calibrated = false;
  private probed = false;
  private state: "open" | "failed" | "finished" = "open";

  private constructor(
    private readonly database: Database,
    private readonly store: PagedStore,
    private readonly deflate: Deflate,
  ) {
    this.inserts = prepareInserts(database);
    this.text = new StreamSink("text", this.inserts.pieces);
  }

  /** @throws MdcxError "io" when SQLite cannot be loaded, "internal" when it would not write in place */
  static async create(options: ImageWriterOptions = {}): Promise<ImageWriter> {
    const sqlite = await loadSqlite(options.wasm);
    if (!sqlite.lazy) {
      throw new MdcxError(
        "internal",
        "This version of sql.js copies what it is given: packing needs the version named.",
      );
    }
    const store = new PagedStore(emptyDatabase(sqlite), options.overflow);
    const database = sqlite.open(store.contents());
    database.run(
      `PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; PRAGMA secure_delete=ON; ` +
        `PRAGMA cache_size=-${CACHE_KIB}; PRAGMA application_id=${APPLICATION_ID}; PRAGMA user_version=${SCHEMA_VERSION}; BEGIN`,
    );
    for (const { sql } of SCHEMA) if (sql !== null) database.run(sql);
    return new ImageWriter(database, store, options.deflate ?? portableDeflate());
  }

  /**
   * Adds a document. Its passages must tile it: each begins where the one before ends, the first at 0, the last ends with
   * the document. A document that is not indexed may have none.
   *
   * @param bytes the document as it is, which comes back from the image byte for byte
   * @param overview what was written about it elsewhere; only of a document that is indexed
   * @returns its number, and the number of its first passage in the whole image
   *
   * Titles, headings and places over their limits are cut and end in `…`: the document itself still has them whole.
   *
   * @throws MdcxError "unsafe-path" or "bad-input" for a path that cannot be exported again, a duplicate, a value that is
   *   too long and cannot be cut; "internal" for documents out of order or passages that do not tile
   */
  addDocument(
    record: DocumentRecord,
    bytes: Uint8Array,
    passages: readonly PassageInput[],
    overview?: OverviewInput,
  ): { number: number; firstPassage: number } {
    return this.step(() => {
      if (this.lastStream !== undefined) throw new MdcxError("internal", "Documents come before the other streams.");
      this.checkDocument(record, bytes);
      checkTiling(record, bytes.length, passages);
      if (overview !== undefined) checkTiling({ ...record, indexed: true }, overview.bytes.length, overview.passages);
      if (overview !== undefined && !record.indexed)
        throw new MdcxError("internal", `${record.path} is not indexed, and an overview would find it.`);
      const number = this.counts.documents++;
      const firstPassage = this.counts.passages;
      const start = this.textLength;
      this.inserts.documents.run([
        number,
        record.path,
        record.title === null ? null : shortened(record.title, LIMITS.title),
        record.language,
        record.format,
        start,
        bytes.length,
        firstPassage,
        passages.length + (overview?.passages.length ?? 0),
        record.indexed ? 1 : 0,
        record.markdownSha256,
        record.source,
        record.sourceSha256,
        record.date,
        record.dateOrigin,
        record.direction,
        record.coverage,
        record.status,
        record.sampled ? 1 : 0,
        record.pagesTotal,
      ]);
      const known = { headings: new Map<string, number>(), places: new Map<string, number>() };
      const line = lineCounter(bytes);
      for (const passage of passages) this.addPassage(number, start, record, passage, line(passage.start), known);
      this.addText(bytes);
      if (overview !== undefined) this.addOverview(number, record, overview, known);
      if (!record.indexed) this.attachments++;
      return { number, firstPassage };
    });
  }

  /**
   * Adds a stream. Streams come after the documents, in the order of STREAMS, each once.
   *
   * @returns bytes in the stream
   */
  addStream(name: Exclude<StreamName, "text">, chunks: Iterable<Uint8Array>): number {
    return this.step(() => {
      const number = STREAMS[name];
      if (number <= (this.lastStream ?? STREAMS.text)) {
        throw new MdcxError(
          "internal",
          `The stream ${name} comes too late: streams are written in their order, each once.`,
        );
      }
      this.endRows();
      this.lastStream = number;
      const sink = new StreamSink(name, this.inserts.pieces);
      for (const chunk of chunks) sink.write(chunk);
      sink.end();
      this.meta.set(streamKey(name), String(sink.length));
      return sink.length;
    });
  }

  /**
   * Adds the probes of the encoder, once and before the calibration. Without rows there is no table.
   *
   * @throws MdcxError "internal" for vectors of several lengths, or out of order
   */
  addProbes(rows: readonly Probe[]): void {
    this.step(() => {
      if (this.probed || this.calibrated) {
        throw new MdcxError("internal", "Probes are added once, and before the calibration.");
      }
      this.probed = true;
      if (rows.length > 0) writeProbes(this.database, rows);
    });
  }

  /**
   * Adds the questions on which the package was calibrated, once. Without rows there is no table.
   *
   * @throws MdcxError "bad-input" for too many, or one that is too long
   */
  addCalibration(rows: readonly CalibrationRow[]): void {
    this.step(() => {
      if (this.calibrated) throw new MdcxError("internal", "The calibration is added once.");
      this.calibrated = true;
      if (rows.length > 0) writeCalibration(this.database, rows);
    });
  }

  /** States a rule or a figure of the image. @throws MdcxError "internal" for a key that the writer sets itself */
  setMeta(key: string, value: string): void {
    this.step(() => {
      if (OWN_META.includes(key) || key.startsWith("stream:")) {
        throw new MdcxError("internal", `The image writer sets ${key} in meta itself.`);
      }
      limited(key, LIMITS.metaKey, "A key of meta");
      limited(value, LIMITS.metaValue, `The value of ${key} in meta`);
      this.meta.set(key, value);
    });
  }

  /** Documents, passages and bytes of text added so far; overviews are among the passages, and their text in the text. */
  get totals(): { documents: number; passages: number; overviews: number; attachments: number; textBytes: number } {
    const { documents, passages } = this.counts;
    const { overviews, attachments, textLength: textBytes } = this;
    return { documents, passages, overviews, attachments, textBytes };
  }

  /** Ends the image. Each page is let go when it is taken. */
  finish(): PageProducer {
    return this.step(() => {
      this.endBlock();
      this.text.end();
      this.endRows();
      this.writeMeta();
      this.database.run("COMMIT");
      this.database.close();
      this.state = "finished";
      checkPageOne(this.store.page(0), this.store.length / PAGE);
      return this.store;
    });
  }

  /** Frees what SQLite holds, where the image is not finished. */
  discard(): void {
    if (this.state === "finished") return;
    this.state = "finished";
    this.database.close();
  }

  private step<Result>(write: () => Result): Result {
    if (this.state !== "open") throw new MdcxError("internal", "This image writer has finished or failed before.");
    try {
      return write();
    } catch (error) {
      this.discard();
      this.state = "failed";
      throw error;
    }
  }

  private checkDocument(record: DocumentRecord, bytes: Uint8Array): void {
    const { path } = record;
    if (!isSafePath(path)) {
      throw new MdcxError(
        "unsafe-path",
        `The document name ${JSON.stringify(path)} would not stay inside the folder it is exported to: rename it.`,
      );
    }
    const order = this.lastPath === undefined ? 1 : compareCodePoints(path, this.lastPath);
    if (order === 0) throw new MdcxError("bad-input", `Two documents are named ${path}: rename one of them.`);
    if (order < 0) throw new MdcxError("internal", "Documents are written in byte order of their paths.");
    this.lastPath = path;
    if (bytes.length > DOCUMENT_LIMIT) {
      throw new MdcxError("bad-input", `${path} is over ${DOCUMENT_LIMIT / 2 ** 20} MiB: split it.`);
    }
    limited(path, LIMITS.path, "The path of a document");
    limited(record.source, LIMITS.source, `The source of ${path}`);
    for (const name of ["language", "format", "date", "dateOrigin", "direction", "status"] as const) {
      limited(record[name], LIMITS.word, `The ${name} of ${path}`);
    }
    const digests = [record.markdownSha256, record.sourceSha256];
    if (digests.some((digest) => digest !== null && digest.length !== 32)) {
      throw new MdcxError("internal", `A digest of ${path} is not 32 bytes.`);
    }
    if (record.coverage !== null && !(record.coverage >= 0 && record.coverage <= 1)) {
      throw new MdcxError("internal", `The coverage of ${path} is not between 0 and 1.`);
    }
  }

  /** @param start where its document, or its overview, begins in the whole text */
  private addPassage(
    document: number,
    start: number,
    record: DocumentRecord,
    passage: StoredPassage,
    line: number,
    known: Known,
  ): void {
    const { header, kind, place } = passage;
    this.inserts.passages.run([
      this.counts.passages++,
      document,
      start + passage.start,
      passage.end - passage.start,
      line,
      this.heading(passage.heading, known.headings, record),
      PASSAGE_KINDS.indexOf(kind),
      place === undefined ? null : this.place(place, known.places, record),
      header === undefined ? null : start + header.start,
      header === undefined ? null : header.end - header.start,
    ]);
  }

  private addOverview(
    document: number,
    record: DocumentRecord,
    { bytes, passages }: OverviewInput,
    known: Known,
  ): void {
    // It is about the document as a whole, so it stands at its first line.
    for (const passage of passages)
      this.addPassage(document, this.textLength, record, { ...passage, kind: "overview" }, 1, known);
    this.addText(bytes);
    this.overviews += passages.length;
  }

  private heading(path: readonly string[], known: Map<string, number>, record: DocumentRecord): number | null {
    if (path.length > LIMITS.depth) {
      throw new MdcxError("bad-input", `${record.path} has headings more than ${LIMITS.depth} deep.`);
    }
    let parent: number | null = null;
    for (const [depth, text] of path.entries()) {
      const key = `${parent ?? ""}\0${text}`;
      let number = known.get(key);
      if (number === undefined) {
        number = this.counts.headings++;
        this.inserts.headings.run([number, parent, depth + 1, shortened(text, LIMITS.heading)]);
        known.set(key, number);
      }
      parent = number;
    }
    return parent;
  }

  private place(place: Place, known: Map<string, number>, record: DocumentRecord): number {
    const key = `${place.kind}\0${place.value}`;
    let number = known.get(key);
    if (number === undefined) {
      limited(place.kind, LIMITS.word, `The kind of a place in ${record.path}`);
      number = this.counts.places++;
      this.inserts.places.run([number, place.kind, shortened(place.value, LIMITS.place)]);
      known.set(key, number);
    }
    return number;
  }

  private addText(bytes: Uint8Array): void {
    this.textLength += bytes.length;
    for (let at = 0; at < bytes.length;) {
      const part = bytes.subarray(at, at + BLOCK - this.blockFill);
      this.block.set(part, this.blockFill);
      this.blockFill += part.length;
      at += part.length;
      if (this.blockFill === BLOCK) this.endBlock();
    }
  }

  private endBlock(): void {
    if (this.blockFill === 0) return;
    const deflated = this.deflate(this.block.subarray(0, this.blockFill));
    if (deflated.length > LIMITS.deflatedBlock)
      throw new MdcxError("internal", "A deflated block is longer than allowed.");
    this.inserts.blocks.run([this.counts.blocks++, this.text.length, deflated.length]);
    this.text.write(deflated);
    this.blockFill = 0;
  }

  private endRows(): void {
    const { documents, passages, headings, places, blocks } = this.inserts;
    for (const rows of [documents, passages, headings, places, blocks]) rows.end();
  }

  private writeMeta(): void {
    const own = { schema: SCHEMA_VERSION, text: this.textLength, attachments: this.attachments, ...this.counts };
    for (const [key, value] of Object.entries(own)) this.meta.set(key, String(value));
    if (this.overviews > 0) this.meta.set("overviews", String(this.overviews));
    this.meta.set(streamKey("text"), String(this.text.length));
    const bytes = [...this.meta].reduce((sum, [key, value]) => sum + utf8.encode(key + value).length, 0);
    if (this.meta.size > LIMITS.metaRows || bytes > LIMITS.metaBytes) {
      throw new MdcxError("internal", "There is too much in meta.");
    }
    // Keys are ASCII or nearly so; out of order they would only cost a page split.
    for (const [key, value] of [...this.meta].sort(([a], [b]) => (a < b ? -1 : 1))) this.inserts.meta.run([key, value]);
  }
}

function prepareInserts(database: Database) {
  const insert = (table: string, columns: number) =>
    database.prepare(`INSERT INTO ${table} VALUES(${Array<string>(columns).fill("?").join(",")})`);
  return {
    meta: insert("meta", 2),
    documents: new RowRun(insert("documents", 20), DOCUMENTS_AT_ONCE),
    passages: new RowRun(insert("passages", 10), ROWS_AT_ONCE),
    headings: new RowRun(insert("headings", 4), ROWS_AT_ONCE),
    places: new RowRun(insert("places", 3), ROWS_AT_ONCE),
    blocks: new RowRun(insert("blocks", 3), ROWS_AT_ONCE),
    pieces: insert("pieces", 2),
  };
}

type StoredPassage = Omit<PassageInput, "kind"> & { readonly kind: PassageKind };

/** Numbers of the headings and places of a document: they are stored once, however many passages share them. */
interface Known {
  readonly headings: Map<string, number>;
  readonly places: Map<string, number>;
}

/** Gives the line at a byte, from 1; asked in ascending order, it reads every byte once. */
function lineCounter(bytes: Uint8Array): (at: number) => number {
  let line = 1;
  let counted = 0;
  return (at) => {
    for (; counted < at; counted++) if (bytes[counted] === LINE_FEED) line++;
    return line;
  };
}

function checkTiling(record: DocumentRecord, length: number, passages: readonly PassageInput[]): void {
  let at = 0;
  for (const passage of passages) {
    if (passage.start !== at) untiled(record);
    at = passage.end;
    const { header } = passage;
    const ranges = header === undefined ? [passage] : [passage, header];
    if (ranges.some(({ start, end }) => start < 0 || start > end || end > length)) untiled(record);
  }
  const attached = !record.indexed && passages.length === 0;
  if (!attached && at !== length) untiled(record);
}

function untiled(record: DocumentRecord): never {
  throw new MdcxError("internal", `The passages of ${record.path} do not make it up byte for byte.`);
}

const utf8 = new TextEncoder();

function limited(value: string | null, most: number, what: string): void {
  // A UTF-16 unit is at most three bytes, so most values need no counting.
  if (value === null || value.length * 3 <= most) return;
  if (utf8.encode(value).length > most)
    throw new MdcxError("bad-input", `${what} is longer than ${most} bytes: shorten it.`);
}

/** The value, or as much of its beginning as fits with `…` into `most` bytes of UTF-8. */
function shortened(value: string, most: number): string {
  if (value.length * 3 <= most) return value;
  const { read } = utf8.encodeInto(value, new Uint8Array(most));
  if (read === value.length) return value;
  const ellipsis = "…";
  return value.slice(0, utf8.encodeInto(value, new Uint8Array(most - 3)).read) + ellipsis;
}
