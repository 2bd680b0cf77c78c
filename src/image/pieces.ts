import { badImage } from "./cells.js";
import type { PieceTable } from "./piece-table.js";
import { firstPiece, PIECE } from "./schema.js";
import type { ByteRange, ByteStream, StreamName } from "./streams.js";

/** A stream of an image, read piece by piece. What is kept of it is kept as pages, by the PageReader. */
export class PieceStream implements ByteStream {
  readonly want: ((ranges: readonly ByteRange[]) => void) | undefined;
  private readonly first: number;

  /** @param length bytes in the stream, as `meta` says */
  constructor(
    private readonly table: PieceTable,
    readonly name: StreamName,
    readonly length: number,
  ) {
    this.first = firstPiece(name);
    this.want = table.remote
      ? (ranges) => {
          this.wantPieces(ranges);
        }
      : undefined;
  }

  /**
   * A range within one piece is a view of its page; a longer one is put together in memory of its own.
   *
   * @throws MdcxError "bad-image" outside the stream, or where a piece is missing or of another length
   */
  read(start: number, end: number): Uint8Array {
    if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start || end > this.length) {
      return badImage(`a place outside the stream ${this.name} is asked for`);
    }
    if (start === end) return new Uint8Array(0);
    const from = Math.floor(start / PIECE);
    const to = Math.floor((end - 1) / PIECE);
    if (from === to) return this.piece(from).subarray(start - from * PIECE, end - from * PIECE);
    const bytes = new Uint8Array(end - start);
    for (let index = from; index <= to; index++) {
      const at = index * PIECE;
      const piece = this.piece(index);
      bytes.set(piece.subarray(Math.max(0, start - at), Math.min(piece.length, end - at)), Math.max(0, at - start));
    }
    return bytes;
  }

  private wantPieces(ranges: readonly ByteRange[]): void {
    const rows = new Set<number>();
    for (const { start, end } of ranges) {
      const last = Math.ceil(Math.min(end, this.length) / PIECE);
      for (let index = Math.floor(start / PIECE); index < last; index++) rows.add(this.first + index);
    }
    this.table.wantRows([...rows]);
  }

  private piece(index: number): Uint8Array {
    const bytes = this.table.find(this.first + index);
    if (bytes?.length === Math.min(PIECE, this.length - index * PIECE)) return bytes;
    return badImage(`piece ${index} of the stream ${this.name} is missing or of a wrong length`);
  }
}
