import { PAGE } from "../format/pages.js";
import { badImage } from "./cells.js";
import { RecordCursor } from "./record-cursor.js";
import { APPLICATION_ID, OPTIONAL_SCHEMA, SCHEMA, SCHEMA_VERSION, type SchemaRow } from "./schema.js";

const utf8 = new TextDecoder();

/**
 * Checks the first page of an image before SQLite sees it (file format: sqlite.org/fileformat2.html). The schema of an
 * image fits in page 1, so its rows are compared here byte for byte, and SQL that a stranger wrote is never even parsed.
 *
 * @param page the first PAGE bytes of the image
 * @param pageCount pages in the image, from its authenticated length
 * @returns the root page of each table and index, numbered from 1 as SQLite does
 * @throws MdcxError "bad-image"
 */
export function checkPageOne(page: Uint8Array, pageCount: number): ReadonlyMap<string, number> {
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  if (page.length !== PAGE || utf8.decode(page.subarray(0, 16)) !== "SQLite format 3\0")
    badImage("it is not an SQLite database");
  if (view.getUint16(16) !== PAGE) badImage("its page size is not 16,384");
  if (page[18] !== 1 || page[19] !== 1) badImage("it is in write-ahead mode");
  if (page[20] !== 0) badImage("it reserves bytes in each page");
  if (page[21] !== 64 || page[22] !== 32 || page[23] !== 32) badImage("its payload fractions are not SQLite's");
  if (view.getUint32(28) !== pageCount) badImage("its page count is not that of the sealed image");
  if (view.getUint32(24) !== view.getUint32(92)) badImage("its page count is not valid for its last change");
  if (view.getUint32(32) !== 0 || view.getUint32(36) !== 0) badImage("it has free pages");
  if (view.getUint32(44) !== 4) badImage("its schema format is not 4");
  if (view.getUint32(52) !== 0 || view.getUint32(64) !== 0) badImage("it is in auto-vacuum mode");
  if (view.getUint32(56) !== 1) badImage("its text is not in UTF-8");
  if (view.getUint32(60) !== SCHEMA_VERSION) badImage(`its schema version is not ${SCHEMA_VERSION}`);
  if (view.getUint32(68) !== APPLICATION_ID) badImage("it is not marked as an image of mdcx");
  for (let at = 72; at < 92; at++) if (page[at] !== 0) badImage("reserved bytes of its header are set");
  return checkSchema(readSchemaRows(page, view), pageCount);
}

interface StoredRow extends SchemaRow {
  readonly root: number;
}

function checkSchema(rows: readonly StoredRow[], pageCount: number): ReadonlyMap<string, number> {
  const optional = OPTIONAL_SCHEMA.filter((row) => rows.some((stored) => stored.name === row.name));
  const expected = [...SCHEMA, ...optional];
  if (rows.length !== expected.length) badImage("it holds other tables than an image does");
  const roots = new Map<string, number>();
  for (const [index, row] of rows.entries()) {
    const wanted = expected[index]!;
    const same =
      row.type === wanted.type && row.name === wanted.name && row.table === wanted.table && row.sql === wanted.sql;
    if (!same) badImage("its tables are not those of an image");
    if (row.root < 2 || row.root > pageCount) badImage("a table of it has no page of its own");
    roots.set(row.name, row.root);
  }
  if (new Set(roots.values()).size !== rows.length) badImage("two tables of it share a page");
  return roots;
}

/** The rows of `sqlite_schema`, which must all be in page 1: a leaf, no overflow. */
function readSchemaRows(page: Uint8Array, view: DataView): StoredRow[] {
  if (page[100] !== 0x0d) badImage("its schema does not fit in its first page");
  const cells = view.getUint16(103);
  if (cells > SCHEMA.length + OPTIONAL_SCHEMA.length) badImage("it holds other tables than an image does");
  const rows: StoredRow[] = [];
  for (let cell = 0; cell < cells; cell++) {
    const cursor = new RecordCursor(page, view.getUint16(108 + 2 * cell));
    const size = cursor.varint();
    cursor.varint(); // row number: the order of the cells is the order of the rows
    const end = cursor.at + size;
    if (end > PAGE) badImage("its schema does not fit in its first page");
    const [type, name, tableName, root, sql] = cursor.serialTypes(5) as [number, number, number, number, number];
    rows.push({
      type: cursor.text(type) as SchemaRow["type"],
      name: cursor.text(name),
      table: cursor.text(tableName),
      root: cursor.integer(root),
      sql: sql === 0 ? null : cursor.text(sql),
    });
    if (cursor.at !== end) badImage("a row of its schema is malformed");
  }
  return rows;
}
