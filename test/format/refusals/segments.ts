/** How a file is put together: bytes of a valid package, bytes written out in hex, or a file of its own beside the list. */
export type Segment =
  | { readonly from: string; readonly start: number; readonly length: number }
  | { readonly hex: string }
  | { readonly file: string };

/** A run this long is looked for in the valid packages; a shorter one costs no more written out. */
const WINDOW = 24;
/** Bytes from which a literal gets a file of its own. */
const OWN_FILE = 1_024;

/** Finds what a file took from valid packages, so that two hundred variants of one need not all be stored whole. */
export class SegmentFinder {
  readonly #places = new Map<string, { readonly name: string; readonly at: number }>();

  constructor(private readonly bases: Readonly<Record<string, Uint8Array>>) {
    for (const [name, bytes] of Object.entries(bases)) {
      for (let at = 0; at + WINDOW <= bytes.length; at++) {
        const key = keyAt(bytes, at);
        if (!this.#places.has(key)) this.#places.set(key, { name, at });
      }
    }
  }

  /**
   * @param ownFile takes a long literal and gives its file's name
   * @param prefer the valid package that the file is a variant of: looked at in the same place first
   */
  find(bytes: Uint8Array, prefer: string, ownFile: (literal: Uint8Array) => string): Segment[] {
    const segments: Segment[] = [];
    let literalFrom = 0;
    let at = 0;
    const flush = (): void => {
      const literal = bytes.subarray(literalFrom, at);
      if (literal.length >= OWN_FILE) segments.push({ file: ownFile(literal) });
      else if (literal.length > 0) segments.push({ hex: Buffer.from(literal).toString("hex") });
    };
    /** By how much the base lags behind, while both run side by side. */
    let shift = 0;
    while (at < bytes.length) {
      const place = this.#place(bytes, at, prefer, shift);
      if (place === undefined) {
        at++;
        continue;
      }
      flush();
      const base = this.bases[place.name]!;
      let length = 0;
      while (at + length < bytes.length && base[place.at + length] === bytes[at + length]) length++;
      segments.push({ from: place.name, start: place.at, length });
      if (place.name === prefer) shift = at - place.at;
      at += length;
      literalFrom = at;
    }
    flush();
    return segments;
  }

  #place(bytes: Uint8Array, at: number, prefer: string, shift: number) {
    const base = this.bases[prefer]!;
    const side = at - shift;
    let same = 0;
    while (same < WINDOW && at + same < bytes.length && base[side + same] === bytes[at + same]) same++;
    if (same === WINDOW || (same > 0 && at + same === bytes.length)) return { name: prefer, at: side };
    return at + WINDOW <= bytes.length ? this.#places.get(keyAt(bytes, at)) : undefined;
  }
}

/** Puts a file together again. */
export function assemble(segments: readonly Segment[], read: (file: string) => Uint8Array): Uint8Array {
  const parts = segments.map((segment) => {
    if ("hex" in segment) return Buffer.from(segment.hex, "hex");
    if ("file" in segment) return read(segment.file);
    return read(`../${segment.from}.mdcx`).subarray(segment.start, segment.start + segment.length);
  });
  return new Uint8Array(Buffer.concat(parts));
}

function keyAt(bytes: Uint8Array, at: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + at, WINDOW).toString("latin1");
}
