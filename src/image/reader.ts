import { MdcxError } from "../errors.js";
import { PAGE, type PageReader } from "../format/pages.js";
import { badImage, blob, flag, integer, integerOrNull, text, textOrNull } from "./cells.js";
import { ImageDatabase, type DatabaseOptions } from "./database.js";
import { portableInflate, type Inflate } from "./deflate.js";
import { LeastRecent } from "../format/least-recent.js";
import { together, whenHere } from "../format/not-here-yet.js";
import { readCalibration, readProbes } from "./meaning-tables.js";
import { PieceTable } from "./piece-table.js";
import { PieceStream } from "./pieces.js";
import type { CalibrationRow, Direction, Document, Passage, Place, Probe } from "./records.js";
import {
  BLOCK,
  COUNTED_TABLES,
  DOCUMENT_LIMIT,
  firstPiece,
  LIMITS,
  PASSAGE_KINDS,
  PIECE,
  SCHEMA_VERSION,
  streamKey,
  type CountedTable,
} from "./schema.js";
import { SQL } from "./statements.js";
import { loadSqlite, type SqlValue, type WasmLocation } from "./sqlite.js";
import { STREAMS, type ByteStream, type StreamName } from "./streams.js";
import { wantTable } from "./table-pages.js";
import { TextBlocks } from "./text-blocks.js";

/** How far DEFLATE can compress (1,032 : 1 in the limit): a text longer than that beside its stream is a forgery. */
const MOST_RATIO = 1_040;

export interface ImageOptions extends DatabaseOptions {
  readonly wasm?: WasmLocation;
  /** How blocks of text are inflated; fflate unless given. */
  readonly inflate?: Inflate;
  /** What `meta` must say, by key: what the claims of the package say of it. */
  readonly expect?: Readonly<Record<string, string>>;
  /** Bytes of the longest document that may be brought into memory; DOCUMENT_LIMIT unless given. */
  readonly documentLimit?: number;
}

interface Heading {
  readonly parent: number | null;
  readonly level: number;
  readonly text: string;
}

/**
 * An image, opened for reading. Nothing is read before it is needed, and nothing that is read is trusted: a row of the
 * wrong shape is MdcxError "bad-image", a page that fails its check comes out as the PageReader's own error.
 *
 * All reading is synchronous. Over a remote source the PageReader throws when pages are not here yet; the caller fetches
 * them and asks again.
 */
export class Image {
  private readonly streams = new Map<StreamName, ByteStream>();
  private readonly documentCache = new LeastRecent<Document>(256);
  private readonly passageCache = new LeastRecent<Passage>(1_024);
  private readonly headingCache = new LeastRecent<Heading>(1_024);
  private readonly counts: Readonly<Record<CountedTable, number>>;
  private readonly blocks: TextBlocks;
  private readonly documentLimit: number;
  private readonly textLength: number;

  private constructor(
    private readonly database: ImageDatabase,
    private readonly pages: PageReader,
    /** Every rule and figure that the image states of itself. */
    readonly meta: ReadonlyMap<string, string>,
    options: ImageOptions,
  ) {
    if (meta.get("schema") !== String(SCHEMA_VERSION)) badImage("meta names another schema");
    for (const [key, value] of Object.entries(options.expect ?? {})) {
      if (meta.get(key) !== value) badImage(`its ${key} is not that of the package's claims`);
    }
    // An image has less than 2^36 bytes, and a row takes more than one.
    const counts = COUNTED_TABLES.map((name) => [name, this.number(name, pages.length)] as const);
    this.counts = Object.fromEntries(counts) as Record<CountedTable, number>;
    this.documentLimit = options.documentLimit ?? DOCUMENT_LIMIT;
    together([
      () => {
        this.checkCounts();
      },
      () => {
        this.openStreams();
      },
    ]);
    const deflated = this.stream("text");
    this.textLength = this.number("text", deflated.length * MOST_RATIO);
    if (this.counts.blocks !== Math.ceil(this.textLength / BLOCK)) badImage("its blocks do not make up its text");
    this.blocks = new TextBlocks(database, deflated, this.textLength, options.inflate ?? portableInflate);
  }

  /**
   * Opens an image: checks its first page, its schema, its meta, and that tables and streams end where meta says.
   *
   * @throws MdcxError "bad-image", "image-too-large", or what `pages` throws
   */
  static async open(pages: PageReader, options: ImageOptions = {}): Promise<Image> {
    const sqlite = await loadSqlite(options.wasm);
    const database = await whenHere(() => ImageDatabase.open(sqlite, pages, options));
    try {
      // Everything begins at the roots, and what they lead to comes in few journeys then.
      const roots = [...database.roots.values()].map((root) => root - 1);
      await whenHere(() => pages.want?.(roots));
      const meta = await whenHere(() => readMeta(database));
      return await whenHere(() => new Image(database, pages, meta, options));
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /**
   * Reads what is shown of a passage, all of it at once where bytes of it have not come: one part after the other would be a
   * journey each. Does nothing where all can be read.
   */
  wantPassage(passage: Passage): void {
    if (this.pages.want === undefined) return;
    together([
      () => void this.document(passage.document),
      () => void this.place(passage),
      () => void this.headingPath(passage),
      () => void this.headerBytes(passage),
      () => void this.passageBytes(passage),
    ]);
  }

  get documentCount(): number {
    return this.counts.documents;
  }

  get passageCount(): number {
    return this.counts.passages;
  }

  /** Overviews among the passages. */
  get overviewCount(): number {
    return this.meta.has("overviews") ? this.number("overviews", this.counts.passages) : 0;
  }

  /** Bytes of the whole text. */
  get textBytes(): number {
    return this.textLength;
  }

  /** A stream, of length 0 where the image has none of that name. */
  stream(name: StreamName): ByteStream {
    return this.streams.get(name)!;
  }

  /** Document `number`. @throws MdcxError "not-found" where there is none */
  document(number: number): Document {
    this.within(number, this.counts.documents, "document");
    const cached = this.documentCache.get(number);
    if (cached !== undefined) return cached;
    const row = this.database.row(SQL.document, number);
    if (row === undefined) badImage(`document ${number} is missing`);
    return this.readDocument(row, number);
  }

  /** The document of that path, or nothing. */
  documentByPath(path: string): Document | undefined {
    const row = this.database.row(SQL.byPath, path);
    if (row === undefined) return undefined;
    const document = this.document(integer(row[0], "a document's number", 0, this.counts.documents - 1));
    return document.path === path ? document : badImage("its index of paths is not that of its documents");
  }

  /** At most `limit` documents from document `from`, in order of their numbers. */
  documents(from = 0, limit = this.counts.documents): Document[] {
    const expected = Math.max(0, Math.min(limit, this.counts.documents - from));
    const documents: Document[] = [];
    if (expected === 0) return documents;
    const { want } = this.pages;
    if (want && expected === this.counts.documents)
      wantTable(want, this.database.readPage, this.database.roots.get("documents")!, this.pages.length / PAGE);
    this.database.each(SQL.documents, [from, expected], (row) => {
      documents.push(this.readDocument(row, from + documents.length));
      return documents.length < expected;
    });
    if (documents.length < expected) badImage(`document ${from + documents.length} is missing`);
    return documents;
  }

  /** Passages by number, in the order asked for. @throws MdcxError "not-found" where there is no such passage */
  passages(numbers: readonly number[]): Passage[] {
    return numbers.map((number) => {
      this.within(number, this.counts.passages, "passage");
      const cached = this.passageCache.get(number);
      if (cached !== undefined) return cached;
      const row = this.database.row(SQL.passage, number);
      if (row === undefined) badImage(`passage ${number} is missing`);
      return this.readPassage(row, number);
    });
  }

  /** All passages of a document, in order: those that tile it, and behind them its overviews. */
  passagesOf(document: Document): Passage[] {
    const passages: Passage[] = [];
    if (document.passages === 0) return passages;
    const last = document.firstPassage + document.passages - 1;
    const end = document.start + document.bytes;
    let at = document.start;
    let tiles = 0;
    this.database.each(SQL.passages, [document.firstPassage, last], (row) => {
      const passage = this.readPassage(row, document.firstPassage + passages.length);
      if (passage.document !== document.number) badImage(`passage ${passage.number} is of another document`);
      if (passage.start !== at) badImage(`passage ${passage.number} does not follow the one before`);
      if (passage.kind !== "overview" && tiles++ < passages.length)
        badImage(`passage ${passage.number} follows an overview`);
      if (passage.kind === "overview" && at < end) badImage(`overview ${passage.number} lies in its document`);
      at += passage.length;
      return passages.push(passage) < document.passages;
    });
    if (passages.length < document.passages) badImage(`passage ${document.firstPassage + passages.length} is missing`);
    const overviews = passages.slice(tiles).reduce((sum, { length }) => sum + length, 0);
    if (at - overviews !== end) badImage(`the passages of document ${document.number} do not fill it`);
    return passages;
  }

  /** How many passages a document itself has: overviews, which come last, are not of it. */
  tileCount({ firstPassage, passages }: Document): number {
    let tiles = passages;
    if (this.overviewCount > 0)
      while (tiles > 0 && this.passages([firstPassage + tiles - 1])[0]!.kind === "overview") tiles--;
    return tiles;
  }

  /** Headings of a passage from the outermost to the innermost. */
  headingPath(passage: Passage): string[] {
    const path: string[] = [];
    let number = passage.heading;
    // A parent has a lower number and stands one level higher, so no chain goes in a circle.
    let level: number | undefined;
    while (number !== null) {
      const heading = this.heading(number);
      if (level !== undefined && heading.level !== level - 1) badImage(`heading ${number} is not a parent`);
      level = heading.level;
      path.push(heading.text);
      number = heading.parent;
    }
    return path.reverse();
  }

  /** The place of a passage, or nothing. */
  place(passage: Passage): Place | undefined {
    if (passage.place === null) return undefined;
    const row = this.database.row(SQL.place, passage.place);
    if (row === undefined) return badImage(`place ${passage.place} is missing`);
    return { kind: text(row[0], "the kind of a place"), value: text(row[1], "the value of a place") };
  }

  /**
   * A document as it was packed, byte for byte, or its bytes from `start` to `end`. The caller must not write into them.
   *
   * @throws MdcxError "image-too-large" for more bytes than the limit
   */
  documentBytes(document: Document, start = 0, end = document.bytes): Uint8Array {
    if (!(start >= 0 && start <= end && end <= document.bytes)) {
      throw new MdcxError("not-found", `${document.path} has no bytes ${start} to ${end}: it has ${document.bytes}.`);
    }
    return this.bytes(document.start + start, end - start);
  }

  /** The bytes of a passage, which the caller must not write into. */
  passageBytes(passage: Passage): Uint8Array {
    return this.bytes(passage.start, passage.length);
  }

  /** Caption and header of the table whose later rows the passage holds, or nothing. */
  headerBytes(passage: Passage): Uint8Array | undefined {
    return passage.header === null ? undefined : this.bytes(passage.header.start, passage.header.length);
  }

  /** The probes of its encoder; none where the image has no vectors. */
  probes(): Probe[] {
    return this.database.roots.has("probes") ? readProbes(this.database) : [];
  }

  /** The questions on which it was calibrated; none where there are none. */
  calibration(): CalibrationRow[] {
    return this.database.roots.has("calibration") ? readCalibration(this.database) : [];
  }

  /** Frees what SQLite holds; the image cannot be asked afterwards. */
  close(): void {
    this.database.close();
  }

  private bytes(start: number, length: number): Uint8Array {
    if (length > this.documentLimit) {
      throw new MdcxError(
        "image-too-large",
        `A document of ${length} bytes is over the ${this.documentLimit} allowed in memory: split it and pack again.`,
      );
    }
    return this.blocks.read(start, start + length);
  }

  /** The whole number that `meta` has under `key`. */
  private number(key: string, most: number): number {
    const value = this.meta.get(key);
    if (value === undefined || !/^(0|[1-9][0-9]{0,15})$/.test(value)) return badImage(`meta has no number for ${key}`);
    return integer(Number(value), `${key} in meta`, 0, most);
  }

  /**
   * Every table ends with the number before its count. That none is missing before shows when it is read: counting the
   * rows would decrypt the whole table.
   */
  private checkCounts(): void {
    const check = (name: CountedTable): void => {
      const count = this.counts[name];
      const last = this.database.row(SQL.last(name))?.[0];
      if (last !== (count === 0 ? null : count - 1)) badImage(`it does not hold the ${count} ${name} of its meta`);
    };
    together(
      COUNTED_TABLES.map((name) => () => {
        check(name);
      }),
    );
  }

  private openStreams(): void {
    const { readPage, roots } = this.database;
    const table = new PieceTable(this.pages.want, readPage, roots.get("pieces")!, this.pages.length);
    let pieces = 0;
    const open = (name: StreamName): void => {
      const length = this.meta.has(streamKey(name)) ? this.number(streamKey(name), this.pages.length) : 0;
      const first = firstPiece(name);
      const count = Math.ceil(length / PIECE);
      const last = this.database.row(SQL.lastPiece, first, first + 2 ** 32)?.[0];
      if (last !== (count === 0 ? null : first + count - 1))
        badImage(`its stream ${name} does not end where meta says`);
      pieces += count;
      this.streams.set(name, new PieceStream(table, name, length));
    };
    together(
      (Object.keys(STREAMS) as StreamName[]).map((name) => () => {
        open(name);
      }),
    );
    if (pieces > this.pages.length / PAGE) badImage("its streams are longer than itself");
  }

  private within(number: number, count: number, what: string): void {
    if (Number.isSafeInteger(number) && number >= 0 && number < count) return;
    throw new MdcxError("not-found", `There is no ${what} ${number}: this package has ${count}, numbered from 0.`);
  }

  private readDocument(row: readonly SqlValue[], number: number): Document {
    const what = `in document ${number}`;
    if (row[0] !== number) badImage(`document ${number} is missing`);
    const start = integer(row[5], `start ${what}`, 0, this.textLength);
    const firstPassage = integer(row[7], `first_passage ${what}`, 0, this.counts.passages);
    const coverage = row[16];
    if (coverage !== null && !(typeof coverage === "number" && coverage >= 0 && coverage <= 1)) {
      badImage(`coverage ${what} is out of range`);
    }
    const document: Document = {
      number,
      path: text(row[1], `path ${what}`),
      title: textOrNull(row[2], `title ${what}`),
      language: text(row[3], `language ${what}`),
      format: text(row[4], `format ${what}`),
      start,
      bytes: integer(row[6], `bytes ${what}`, 0, this.textLength - start),
      firstPassage,
      passages: integer(row[8], `passages ${what}`, 0, this.counts.passages - firstPassage),
      indexed: flag(row[9], `indexed ${what}`),
      markdownSha256: blob(row[10], `markdown_sha256 ${what}`, 32),
      source: textOrNull(row[11], `source ${what}`),
      sourceSha256: row[12] === null ? null : blob(row[12], `source_sha256 ${what}`, 32),
      date: textOrNull(row[13], `date ${what}`),
      dateOrigin: textOrNull(row[14], `date_origin ${what}`),
      direction: direction(row[15], `direction ${what}`),
      coverage,
      status: textOrNull(row[17], `status ${what}`),
      sampled: flag(row[18], `sampled ${what}`),
      pagesTotal: integerOrNull(row[19], `pages_total ${what}`, 0, 2 ** 31),
    };
    this.documentCache.set(number, document);
    return document;
  }

  private readPassage(row: readonly SqlValue[], number: number): Passage {
    const what = `in passage ${number}`;
    if (row[0] !== number) badImage(`passage ${number} is missing`);
    const start = integer(row[2], `start ${what}`, 0, this.textLength);
    const headerStart = integerOrNull(row[8], `header_start ${what}`, 0, this.textLength);
    const headerLength = integerOrNull(row[9], `header_length ${what}`, 0, this.textLength - (headerStart ?? 0));
    if ((headerStart === null) !== (headerLength === null)) badImage(`half of a header is missing ${what}`);
    const passage: Passage = {
      number,
      document: integer(row[1], `document ${what}`, 0, this.counts.documents - 1),
      start,
      length: integer(row[3], `length ${what}`, 0, this.textLength - start),
      line: integer(row[4], `line ${what}`, 1, this.textLength + 1),
      heading: integerOrNull(row[5], `heading ${what}`, 0, this.counts.headings - 1),
      kind: PASSAGE_KINDS[integer(row[6], `kind ${what}`, 0, PASSAGE_KINDS.length - 1)]!,
      place: integerOrNull(row[7], `place ${what}`, 0, this.counts.places - 1),
      header: headerStart === null || headerLength === null ? null : { start: headerStart, length: headerLength },
    };
    this.passageCache.set(number, passage);
    return passage;
  }

  private heading(number: number): Heading {
    const cached = this.headingCache.get(number);
    if (cached !== undefined) return cached;
    const row = this.database.row(SQL.heading, number);
    if (row === undefined) return badImage(`heading ${number} is missing`);
    const parent = integerOrNull(row[0], `the parent of heading ${number}`, 0, number - 1);
    const level = integer(row[1], `the level of heading ${number}`, 1, LIMITS.depth);
    if ((parent === null) !== (level === 1)) badImage(`heading ${number} is not at its level`);
    const heading = { parent, level, text: text(row[2], `heading ${number}`) };
    this.headingCache.set(number, heading);
    return heading;
  }
}

function readMeta(database: ImageDatabase): Map<string, string> {
  const meta = new Map<string, string>();
  let length = 0;
  database.each(SQL.meta, [], ([key, value]) => {
    const name = text(key, "a key of meta");
    // A forged table could go round in circles; one in order never comes back to a key.
    if (meta.has(name) || meta.size >= LIMITS.metaRows) badImage("its meta is out of order");
    const stated = text(value, `${name} in meta`);
    // Rows may share the pages behind them, so that many megabytes take few in the file.
    length += name.length + stated.length;
    if (length > LIMITS.metaBytes) badImage("its meta is too long");
    meta.set(name, stated);
    return true;
  });
  return meta;
}

function direction(value: SqlValue | undefined, what: string): Direction | null {
  const found = textOrNull(value, what);
  if (found === null || found === "received" || found === "sent") return found;
  return badImage(`${what} is neither received nor sent`);
}
