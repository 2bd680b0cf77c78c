import { badImage, column, integer } from "./cells.js";
import type { ImageDatabase } from "./database.js";
import type { Inflate } from "./deflate.js";
import { LeastRecent } from "../format/least-recent.js";
import { BLOCK, LIMITS } from "./schema.js";
import type { ByteStream } from "./streams.js";

/** Inflated blocks kept: 1 MiB. */
const KEPT = 32;

const RANGES =
  `SELECT number, ${column.integer("start")}, ${column.integer("length")} FROM blocks ` +
  "WHERE number BETWEEN ? AND ? ORDER BY number";

/** The whole text: the Markdown of all documents one behind the other, deflated in blocks of BLOCK bytes. */
export class TextBlocks {
  private readonly kept = new LeastRecent<Uint8Array>(KEPT);

  /**
   * @param deflated the stream `text`
   * @param length bytes of the whole text
   */
  constructor(
    private readonly database: ImageDatabase,
    private readonly deflated: ByteStream,
    readonly length: number,
    private readonly inflater: Inflate,
  ) {}

  /**
   * The bytes from `start` to `end` of the whole text, in memory of their own or of a block that must not be written into.
   * The caller has checked the range against `length`, and its size against a limit.
   *
   * @throws MdcxError "bad-image" where a block is missing, out of order, or does not inflate to its length
   */
  read(start: number, end: number): Uint8Array {
    if (start === end) return new Uint8Array(0);
    const from = Math.floor(start / BLOCK);
    const to = Math.floor((end - 1) / BLOCK);
    const blocks: Uint8Array[] = [];
    for (let number = from; number <= to;) {
      const kept = this.kept.get(number);
      if (kept !== undefined) {
        blocks.push(kept);
        number++;
        continue;
      }
      let behind = number + 1;
      while (behind <= to && this.kept.get(behind) === undefined) behind++;
      for (const block of this.inflate(number, behind - 1)) blocks.push(block);
      number = behind;
    }
    const offset = start - from * BLOCK;
    if (blocks.length === 1) return blocks[0]!.subarray(offset, offset + (end - start));
    const bytes = new Uint8Array(end - start);
    let at = 0;
    for (const [index, block] of blocks.entries()) {
      const part = block.subarray(
        index === 0 ? offset : 0,
        Math.min(block.length, (index === 0 ? offset : 0) + bytes.length - at),
      );
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }

  /** Blocks `from` to `to`; blocks that follow one another must do so in the stream, so that none is used twice. */
  private inflate(from: number, to: number): Uint8Array[] {
    const ranges: { start: number; length: number }[] = [];
    this.database.each(RANGES, [from, to], ([number, start, length]) => {
      const expected = from + ranges.length;
      if (number !== expected) badImage(`block ${expected} of the text is missing`);
      const last = ranges.at(-1);
      const range = {
        start: integer(start, `the start of block ${expected}`, 0, this.deflated.length),
        length: integer(length, `the length of block ${expected}`, 1, LIMITS.deflatedBlock),
      };
      if (last !== undefined && range.start !== last.start + last.length) badImage(`block ${expected} is out of order`);
      return ranges.push(range) <= to - from;
    });
    if (ranges.length !== to - from + 1) badImage(`block ${from + ranges.length} of the text is missing`);
    return ranges.map(({ start, length }, index) => {
      const number = from + index;
      const block = this.inflateBlock(this.deflated.read(start, start + length), number);
      this.kept.set(number, block);
      return block;
    });
  }

  private inflateBlock(deflated: Uint8Array, number: number): Uint8Array {
    const length = Math.min(BLOCK, this.length - number * BLOCK);
    let block: Uint8Array | undefined;
    try {
      block = this.inflater(deflated, length);
    } catch (cause) {
      return badImage(`block ${number} of the text does not inflate`, cause);
    }
    return block ?? badImage(`block ${number} of the text is not ${length} bytes`);
  }
}
