import { Transform, type TransformCallback } from "node:stream";

const NEWLINE = 0x0a;

/**
 * Passes lines on, and lets the rest of one go that is longer than a limit. The SDK closes a transport whose buffer
 * overflows, and a server must not end because somebody sent it a line without end. What of such a line has gone through
 * already is ended as a line: no message, whose reader says so and goes on.
 */
export class BoundedLines extends Transform {
  readonly #limit: number;
  readonly #onLetGo: () => void;
  #length = 0;

  /**
   * @param limit bytes of a line
   * @param onLetGo told once for each longer line
   */
  constructor(limit: number, onLetGo: () => void) {
    super();
    this.#limit = limit;
    this.#onLetGo = onLetGo;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    for (let at = 0; at < chunk.length;) {
      const newline = chunk.indexOf(NEWLINE, at);
      const end = newline < 0 ? chunk.length : newline + 1;
      this.#pass(chunk.subarray(at, end));
      if (newline >= 0) this.#length = 0;
      at = end;
    }
    done();
  }

  /** @param part of a line, its end included where it has come */
  #pass(part: Buffer): void {
    const before = this.#length;
    this.#length += part.length;
    if (this.#length <= this.#limit) this.push(part);
    else if (before <= this.#limit) {
      this.push(Buffer.of(NEWLINE));
      this.#onLetGo();
    }
  }
}
