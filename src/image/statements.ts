import { column } from "./cells.js";
import { LIMITS, type CountedTable } from "./schema.js";

const DOCUMENT_COLUMNS = [
  "number",
  column.text("path", LIMITS.path),
  column.text("title", LIMITS.title),
  column.text("language", LIMITS.word),
  column.text("format", LIMITS.word),
  column.integer("start"),
  column.integer("bytes"),
  column.integer("first_passage"),
  column.integer("passages"),
  column.integer("indexed"),
  column.blob("markdown_sha256", 32),
  column.text("source", LIMITS.source),
  column.blob("source_sha256", 32),
  column.text("date", LIMITS.word),
  column.text("date_origin", LIMITS.word),
  column.text("direction", LIMITS.word),
  column.real("coverage"),
  column.text("status", LIMITS.word),
  column.integer("sampled"),
  column.integer("pages_total"),
].join(", ");

const PASSAGE_COLUMNS = [
  "document",
  "start",
  "length",
  "line",
  "heading",
  "kind",
  "place",
  "header_start",
  "header_length",
]
  .map(column.integer)
  .join(", ");

/** The statements of the image reader, each prepared once. Beside the pragmas set on opening, no other SQL is run. */
export const SQL = {
  meta: `SELECT ${column.text("key", LIMITS.metaKey)}, ${column.text("value", LIMITS.metaValue)} FROM meta ORDER BY key`,
  document: `SELECT ${DOCUMENT_COLUMNS} FROM documents WHERE number=?`,
  documents: `SELECT ${DOCUMENT_COLUMNS} FROM documents WHERE number>=? ORDER BY number LIMIT ?`,
  byPath: "SELECT number FROM documents WHERE path=?",
  passage: `SELECT number, ${PASSAGE_COLUMNS} FROM passages WHERE number=?`,
  passages: `SELECT number, ${PASSAGE_COLUMNS} FROM passages WHERE number BETWEEN ? AND ? ORDER BY number`,
  heading:
    `SELECT ${column.integer("parent")}, ${column.integer("level")}, ${column.text("text", LIMITS.heading)} ` +
    "FROM headings WHERE number=?",
  place: `SELECT ${column.text("kind", LIMITS.word)}, ${column.text("value", LIMITS.place)} FROM places WHERE number=?`,
  last: (table: CountedTable) => `SELECT max(number) FROM ${table}`,
  lastPiece: "SELECT max(number) FROM pieces WHERE number>=? AND number<?",
} as const;
