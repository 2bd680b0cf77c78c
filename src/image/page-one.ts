import { MdcxError } from "../errors.js";
import { PAGE } from "../format/pages.js";
import { APPLICATION_ID, OPTIONAL_SCHEMA, SCHEMA, SCHEMA_VERSION, type SchemaRow } from "./schema.js";

/**
 * Checks the first page of an image before SQLite sees it (file format: sqlite.org/fileformat2.html). The schema of an
 * image fits in page 1, so its rows are compared here byte for byte, and SQL that a stranger wrote is never even parsed.
 *
 * @param page the first PAGE bytes of the image
 * @param pageCount pages in the image, from its authenticated length
 * @throws MdcxError "bad-image"
 */
export function checkPageOne(page: Uint8Array, pageCount: number): void {
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  if (page.length !== PAGE || text(page, 0, 16) !== "SQLite format 3\0") refuse("it is not an SQLite database");
  if (view.getUint16(16) !== PAGE) refuse("its page size is not 16,384");
  if (page[18] !== 1 || page[19] !== 1) refuse("it is in write-ahead mode");
  if (page[20] !== 0) refuse("it reserves bytes in each page");
  if (page[21] !== 64 || page[22] !== 32 || page[23] !== 32) refuse("its payload fractions are not SQLite's");
  if (view.getUint32(28) !== pageCount) refuse("its page count is not that of the sealed image");
  if (view.getUint32(24) !== view.getUint32(92)) refuse("its page count is not valid for its last change");
  if (view.getUint32(32) !== 0 || view.getUint32(36) !== 0) refuse("it has free pages");
  if (view.getUint32(44) !== 4) refuse("its schema format is not 4");
  if (view.getUint32(52) !== 0 || view.getUint32(64) !== 0) refuse("it is in auto-vacuum mode");
  if (view.getUint32(56) !== 1) refuse("its text is not in UTF-8");
  if (view.getUint32(60) !== SCHEMA_VERSION) refuse(`its schema version is not ${SCHEMA_VERSION}`);
  if (view.getUint32(68) !== APPLICATION_ID) refuse("it is not marked as an image of mdcx");
  for (let at = 72; at < 92; at++) if (page[at] !== 0) refuse("reserved bytes of its header are set");
  checkSchema(readSchemaRows(page, view), pageCount);
}

interface StoredRow extends SchemaRow {
  readonly root: number;
}

function checkSchema(rows: readonly StoredRow[], pageCount: number): void {
  const optional = OPTIONAL_SCHEMA.filter((row) => rows.some((stored) => stored.name === row.name));
  const expected = [...SCHEMA, ...optional];
  if (rows.length !== expected.length) refuse("it holds other tables than an image does");
  const roots = new Set<number>();
  for (const [index, row] of rows.entries()) {
    const wanted = expected[index]!;
    const same =
      row.type === wanted.type && row.name === wanted.name && row.table === wanted.table && row.sql === wanted.sql;
    if (!same) refuse("its tables are not those of an image");
    if (row.root < 2 || row.root > pageCount || roots.has(row.root)) refuse("a table of it has no page of its own");
    roots.add(row.root);
  }
}

/** The rows of `sqlite_schema`, which must all be in page 1: a leaf, no overflow. */
function readSchemaRows(page: Uint8Array, view: DataView): StoredRow[] {
  if (page[100] !== 0x0d) refuse("its schema does not fit in its first page");
  const cells = view.getUint16(103);
  if (cells > SCHEMA.length + OPTIONAL_SCHEMA.length) refuse("it holds other tables than an image does");
  const rows: StoredRow[] = [];
  for (let cell = 0; cell < cells; cell++) {
    const cursor = new Cursor(page, view.getUint16(108 + 2 * cell));
    const size = cursor.varint();
    cursor.varint(); // row number: the order of the cells is the order of the rows
    const end = cursor.at + size;
    if (end > PAGE) refuse("its schema does not fit in its first page");
    const headerStart = cursor.at;
    const headerEnd = headerStart + cursor.varint();
    const types: number[] = [];
    while (cursor.at < headerEnd && types.length < 6) types.push(cursor.varint());
    if (types.length !== 5 || cursor.at !== headerEnd) refuse("a row of its schema is malformed");
    const [type, name, tableName, root, sql] = types as [number, number, number, number, number];
    rows.push({
      type: cursor.text(type) as SchemaRow["type"],
      name: cursor.text(name),
      table: cursor.text(tableName),
      root: cursor.integer(root),
      sql: sql === 0 ? null : cursor.text(sql),
    });
    if (cursor.at !== end) refuse("a row of its schema is malformed");
  }
  return rows;
}

/** Reads SQLite's record format inside one page; anything outside the page is refused. */
class Cursor {
  constructor(
    private readonly page: Uint8Array,
    public at: number,
  ) {}

  private byte(): number {
    const value = this.page[this.at++];
    if (value === undefined) refuse("a row of its schema is malformed");
    return value;
  }

  /** A varint of at most four bytes: no length in page 1 needs more. */
  varint(): number {
    let value = 0;
    for (let length = 0; length < 4; length++) {
      const byte = this.byte();
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
    return refuse("a row of its schema is malformed");
  }

  /** Text of the serial type given: odd, from 13. */
  text(serialType: number): string {
    if (serialType < 13 || serialType % 2 === 0) refuse("a row of its schema is malformed");
    const length = (serialType - 13) / 2;
    if (this.at + length > PAGE) refuse("a row of its schema is malformed");
    this.at += length;
    return text(this.page, this.at - length, this.at);
  }

  /** A whole number of serial type 1 to 4 (one to four bytes), or 8 and 9 (0 and 1). */
  integer(serialType: number): number {
    if (serialType === 8 || serialType === 9) return serialType - 8;
    if (serialType < 1 || serialType > 4) refuse("a row of its schema is malformed");
    let value = 0;
    for (let count = 0; count < serialType; count++) value = value * 256 + this.byte();
    return value;
  }
}

const utf8 = new TextDecoder();

function text(page: Uint8Array, from: number, to: number): string {
  return utf8.decode(page.subarray(from, to));
}

function refuse(why: string): never {
  throw new MdcxError(
    "bad-image",
    `The image of this package is not in order (${why}): ask its issuer for a new copy.`,
  );
}
