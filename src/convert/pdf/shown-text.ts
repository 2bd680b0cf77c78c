/** A glyph that a page shows, as far as it is read here. */
export interface ShownGlyph {
  readonly unicode: string;
  readonly width: number;
  readonly vmetric?: readonly [number, number, number] | null;
  readonly isSpace: boolean;
}

/** What thread.ts packs shown text into: units parted by U+0000, of which U+0001 is a shift and U+0002 begins a blank. */
interface Packed {
  readonly text: string;
  readonly numbers: readonly number[];
}

/** Glyphs and shifts of one operator, packed or as pdfjs gives them. */
export function unpack(shown: unknown): readonly (number | ShownGlyph | null)[] {
  if (Array.isArray(shown)) return shown as (number | ShownGlyph | null)[];
  const { text, numbers } = shown as Partial<Packed>;
  if (typeof text !== "string" || numbers === undefined || numbers.length === 0) return [];
  return text.split("\0").map((unit, index) => {
    const number = numbers[index] ?? 0;
    if (unit === "\u0001") return number;
    const isSpace = unit.startsWith("\u0002");
    return { unicode: isSpace ? unit.slice(1) : unit, width: number, isSpace };
  });
}
