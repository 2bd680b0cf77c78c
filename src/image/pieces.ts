import { badImage } from "./cells.js";
import type { ImageDatabase } from "./database.js";
import { Lru } from "./lru.js";
import { firstPiece, PIECE } from "./schema.js";
import type { ByteStream, StreamName } from "./streams.js";

/** Pieces that one stream keeps: 1 MiB. */
const KEPT = 64;

/** Pieces in a read from which on they are not kept: a stream that is read whole is read once. */
const MANY = 32;

// CASE asks SQLite for the length before the bytes, so that a forged row cannot hand over more than a piece.
const BYTES = `CASE WHEN typeof(bytes)='blob' AND octet_length(bytes)<=${PIECE} THEN bytes END`;
const ONE = `SELECT ${BYTES} FROM pieces WHERE number=?`;
const SEVERAL = `SELECT number, ${BYTES} FROM pieces WHERE number BETWEEN ? AND ? ORDER BY number`;

/** A stream of an image, read piece by piece. */
export class PieceStream implements ByteStream {
  private readonly kept = new Lru<Uint8Array>(KEPT);
  private readonly first: number;

  /** @param length bytes in the stream, as `meta` says */
  constructor(
    private readonly database: ImageDatabase,
    readonly name: StreamName,
    readonly length: number,
  ) {
    this.first = firstPiece(name);
  }

  /** @throws MdcxError "bad-image" outside the stream, or where a piece is missing or of another length */
  read(start: number, end: number): Uint8Array {
    if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start || end > this.length) {
      return badImage(`a place outside the stream ${this.name} is asked for`);
    }
    if (start === end) return new Uint8Array(0);
    const from = Math.floor(start / PIECE);
    const to = Math.floor((end - 1) / PIECE);
    if (from === to) return this.piece(from).subarray(start - from * PIECE, end - from * PIECE);
    const bytes = new Uint8Array(end - start);
    const put = (index: number, piece: Uint8Array) => {
      const at = index * PIECE;
      const within = piece.subarray(Math.max(0, start - at), Math.min(piece.length, end - at));
      bytes.set(within, Math.max(0, at - start));
    };
    if (to - from >= MANY) this.pieces(from, to, put);
    else for (let index = from; index <= to; index++) put(index, this.piece(index));
    return bytes;
  }

  /** Piece `index`, from memory where it is there. */
  private piece(index: number): Uint8Array {
    const kept = this.kept.get(index);
    if (kept !== undefined) return kept;
    const piece = this.checked(this.database.row(ONE, this.first + index)?.[0], index);
    this.kept.set(index, piece);
    return piece;
  }

  private pieces(from: number, to: number, take: (index: number, piece: Uint8Array) => void): void {
    let next = from;
    this.database.each(SEVERAL, [this.first + from, this.first + to], ([number, bytes]) => {
      if (number !== this.first + next) badImage(`piece ${next} of the stream ${this.name} is missing`);
      take(next, this.checked(bytes, next));
      return ++next <= to;
    });
    if (next <= to) badImage(`piece ${next} of the stream ${this.name} is missing`);
  }

  private checked(bytes: unknown, index: number): Uint8Array {
    const expected = Math.min(PIECE, this.length - index * PIECE);
    if (bytes instanceof Uint8Array && bytes.length === expected) return bytes;
    return badImage(`piece ${index} of the stream ${this.name} is missing or of a wrong length`);
  }
}
