import { PAGE } from "../format/pages.js";
import { badImage } from "./cells.js";

const utf8 = new TextDecoder();

/**
 * Reads the cells of one page of an SQLite database (sqlite.org/fileformat2.html, sections 1.6 and 2.1). Nothing outside
 * the page is ever read: a cell that says otherwise is MdcxError "bad-image".
 */
export class RecordCursor {
  /** @param at offset of the next byte in the page */
  constructor(
    private readonly page: Uint8Array,
    public at: number,
  ) {}

  private byte(): number {
    const value = this.page[this.at++];
    return value ?? badImage("a row reaches out of its page");
  }

  /** A varint of at most seven bytes, under 2^49: no length or number of an image needs more. */
  varint(): number {
    let value = 0;
    for (let length = 0; length < 7; length++) {
      const byte = this.byte();
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
    return badImage("a row has a number that is too large");
  }

  /** The serial types of the record that begins here, of which there must be `columns`. */
  serialTypes(columns: number): number[] {
    const start = this.at;
    const end = start + this.varint();
    const types: number[] = [];
    while (this.at < end && types.length <= columns) types.push(this.varint());
    if (types.length !== columns || this.at !== end) badImage("a row has other columns than its table");
    return types;
  }

  /** The next `length` bytes, as a view of the page. */
  bytes(length: number): Uint8Array {
    if (this.at + length > PAGE) badImage("a row reaches out of its page");
    this.at += length;
    return this.page.subarray(this.at - length, this.at);
  }

  /** Text of the serial type given: odd, from 13. */
  text(serialType: number): string {
    if (serialType < 13 || serialType % 2 === 0) badImage("a value is not text");
    return utf8.decode(this.bytes((serialType - 13) / 2));
  }

  /** A blob of the serial type given: even, from 12. A view of the page. */
  blob(serialType: number): Uint8Array {
    if (serialType < 12 || serialType % 2 === 1) badImage("a value is not a blob");
    return this.bytes((serialType - 12) / 2);
  }

  /** A whole number of serial type 1 to 4 (one to four bytes, none negative here), or 8 and 9 (0 and 1). */
  integer(serialType: number): number {
    if (serialType === 8 || serialType === 9) return serialType - 8;
    if (serialType < 1 || serialType > 4) badImage("a value is not a whole number");
    let value = 0;
    for (let count = 0; count < serialType; count++) value = value * 256 + this.byte();
    return value;
  }
}
