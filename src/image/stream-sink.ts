import { firstPiece, PIECE } from "./schema.js";
import type { Statement } from "./sqlite.js";
import type { StreamName } from "./streams.js";

/** Collects the bytes of a stream into pieces and inserts each as it is full. */
export class StreamSink {
  /** Bytes written so far. */
  length = 0;
  private readonly piece = new Uint8Array(PIECE);
  private fill = 0;
  private next: number;

  constructor(
    name: StreamName,
    private readonly insert: Statement,
  ) {
    this.next = firstPiece(name);
  }

  write(bytes: Uint8Array): void {
    this.length += bytes.length;
    for (let at = 0; at < bytes.length;) {
      const part = bytes.subarray(at, at + PIECE - this.fill);
      this.piece.set(part, this.fill);
      this.fill += part.length;
      at += part.length;
      if (this.fill === PIECE) this.end();
    }
  }

  /** Inserts what does not fill a piece. */
  end(): void {
    if (this.fill === 0) return;
    this.insert.run([this.next++, this.piece.subarray(0, this.fill)]);
    this.fill = 0;
  }
}
