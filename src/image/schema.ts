import { STREAMS, type StreamName } from "./streams.js";

/** Version of the schema below; stored as `user_version` of the database and as `schema` in `meta`. */
export const SCHEMA_VERSION = 1;

/** `application_id` of the database: "MDCX" in ASCII. */
export const APPLICATION_ID = 0x4d444358;

/**
 * Bytes in every piece of a stream but its last. One row of `pieces` then fills one page of 16,384 bytes and needs no
 * overflow page: page header 8, cell pointer 2, payload length 2, row number at most 5, record header 5, bytes 16,320.
 */
export const PIECE = 16_320;

/** Bytes of the whole text that one deflated block holds; the last block holds what is left. */
export const BLOCK = 65_536;

/** Row number of the first piece of a stream; piece `i` is `firstPiece(name) + i`. */
export function firstPiece(name: StreamName): number {
  return STREAMS[name] * 2 ** 32;
}

/** What a passage is, in the order of the numbers stored. */
export const PASSAGE_KINDS = ["text", "table", "code", "ocr", "overview"] as const;
export type PassageKind = (typeof PASSAGE_KINDS)[number];

/**
 * Longest values that are written and read. UTF-8 bytes; a longer one in a file is a forgery, for the writer refuses it.
 * They bound what one row can make a reader allocate.
 */
export const LIMITS = {
  path: 4_096,
  title: 16_384,
  /** Language, format, date and other short words. */
  word: 256,
  source: 16_384,
  heading: 16_384,
  place: 4_096,
  metaKey: 256,
  metaValue: 1_048_576,
  metaRows: 4_096,
  /** Keys and values together. */
  metaBytes: 16_777_216,
  /** Headings above one another. */
  depth: 64,
  /** A deflated block: what RFC 1951 needs at most for 65,536 bytes stored as they are, with room for other encoders. */
  deflatedBlock: 66_560,
  /** Text of a probe, and how many there may be. */
  probe: 4_096,
  probes: 64,
  /** A vector in half precision: 16,384 dimensions. */
  halves: 32_768,
  /** A question of calibration, three bytes for each character of the longest that can be asked and some room; how many. */
  question: 8_192,
  questions: 1_024,
} as const;

/** One row of `sqlite_schema` as it must be. `sql` is null for the index that a UNIQUE column brings with it. */
export interface SchemaRow {
  readonly type: "table" | "index";
  readonly name: string;
  readonly table: string;
  readonly sql: string | null;
}

function table(name: string, columns: string, suffix = ""): SchemaRow {
  return { type: "table", name, table: name, sql: `CREATE TABLE ${name}(${columns})${suffix}` };
}

/** The tables of every image, in the order in which they are made. */
export const SCHEMA: readonly SchemaRow[] = [
  table("meta", "key TEXT PRIMARY KEY, value TEXT NOT NULL", " WITHOUT ROWID"),
  table(
    "documents",
    "number INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, title TEXT, language TEXT NOT NULL, format TEXT NOT NULL, " +
      "start INTEGER NOT NULL, bytes INTEGER NOT NULL, first_passage INTEGER NOT NULL, passages INTEGER NOT NULL, " +
      "indexed INTEGER NOT NULL, markdown_sha256 BLOB NOT NULL, source TEXT, source_sha256 BLOB, date TEXT, " +
      "date_origin TEXT, direction TEXT, coverage REAL, status TEXT, sampled INTEGER NOT NULL, pages_total INTEGER",
  ),
  { type: "index", name: "sqlite_autoindex_documents_1", table: "documents", sql: null },
  table(
    "passages",
    "number INTEGER PRIMARY KEY, document INTEGER NOT NULL, start INTEGER NOT NULL, length INTEGER NOT NULL, " +
      "line INTEGER NOT NULL, heading INTEGER, kind INTEGER NOT NULL, place INTEGER, header_start INTEGER, header_length INTEGER",
  ),
  table("headings", "number INTEGER PRIMARY KEY, parent INTEGER, level INTEGER NOT NULL, text TEXT NOT NULL"),
  table("places", "number INTEGER PRIMARY KEY, kind TEXT NOT NULL, value TEXT NOT NULL"),
  table("blocks", "number INTEGER PRIMARY KEY, start INTEGER NOT NULL, length INTEGER NOT NULL"),
  table("pieces", "number INTEGER PRIMARY KEY, bytes BLOB NOT NULL"),
];

/** Tables that only a package with meaning has, behind the others and in this order; each may be absent. */
export const OPTIONAL_SCHEMA: readonly SchemaRow[] = [
  table("probes", "number INTEGER PRIMARY KEY, text TEXT NOT NULL, vector BLOB NOT NULL"),
  table("calibration", "number INTEGER PRIMARY KEY, question TEXT NOT NULL, similarity REAL NOT NULL"),
];

/** Tables with rows numbered from 0 without a gap, whose counts stand in `meta` under the same name. */
export const COUNTED_TABLES = ["documents", "passages", "headings", "places", "blocks"] as const;
export type CountedTable = (typeof COUNTED_TABLES)[number];

/** Key in `meta` of the length in bytes of a stream; absent where the image has no such stream. */
export function streamKey(name: StreamName): string {
  return `stream:${name}`;
}

/** Keys of `meta` that the image writer sets itself, beside those of `streamKey`. */
export const OWN_META: readonly string[] = ["schema", "text", "attachments", "overviews", ...COUNTED_TABLES];

/** Longest document that is written, and brought into memory unless a caller allows more; bytes. */
export const DOCUMENT_LIMIT = 256 * 1024 * 1024;
