import { NotHereYet } from "../../src/format/not-here-yet.js";
import type { ByteRange, ByteStream } from "../../src/image/streams.js";

/** Bytes that come from far away in one piece. */
const PIECE = 4_096;

/** What streams that are far away were asked for. */
export class Journeys {
  /** Waits for bytes; several streams that are wanted together wait once. */
  trips = 0;
  bytes = 0;
  #waiting: Promise<void> | undefined;

  /** Counts a trip, one for all that are begun together. */
  async begin(bytes: number): Promise<void> {
    this.bytes += bytes;
    this.#waiting ??= Promise.resolve().then(() => {
      this.trips++;
      this.#waiting = undefined;
    });
    await this.#waiting;
  }
}

/** A stream whose bytes have to be brought, piece by piece, before they can be read. */
export class RemoteStream implements ByteStream {
  readonly #here = new Set<number>();

  constructor(
    private readonly bytes: Uint8Array,
    private readonly journeys: Journeys,
  ) {}

  get length(): number {
    return this.bytes.length;
  }

  read(start: number, end: number): Uint8Array {
    this.want([{ start, end }]);
    return this.bytes.subarray(start, end);
  }

  want(ranges: readonly ByteRange[]): void {
    const missing = new Set<number>();
    for (const { start, end } of ranges) {
      for (let piece = Math.floor(start / PIECE); piece * PIECE < end; piece++)
        if (!this.#here.has(piece)) missing.add(piece);
    }
    if (missing.size === 0) return;
    throw new NotHereYet(async () => {
      await this.journeys.begin(missing.size * PIECE);
      for (const piece of missing) this.#here.add(piece);
    });
  }
}
