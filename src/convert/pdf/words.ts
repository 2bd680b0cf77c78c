/** Glyphs put together to words: by the places where they stand, not by the pieces in which the file draws them. */
import type { Glyph, Paint } from "./drawing.js";
import { isRightToLeft, readingOrder } from "./direction.js";
import type { TextItem } from "./page.js";

/** Relative to the size: a wider gap parts two words. Kerning stays under .1; the narrowest blanks of justified text are .14. */
export const BLANK = 0.12;
/** Letters may stand so far into the one before: kerning, italics. */
const OVERLAP = 0.35;
/** A change of the baseline beyond this begins a new piece: a superscript. */
const SHIFT = 0.1;
/** How far a letter reaches above and below its baseline; what fonts say of themselves is often wrong. */
const ASCENT = 0.78;
const DESCENT = 0.22;

/** A word with what decides whether it is seen. */
export interface Word extends TextItem {
  readonly paint: Paint;
}

/** Accents that fonts without accented letters draw over a letter, as combining characters. */
const ACCENTS: Readonly<Record<string, string>> = {
  "`": "\u0300",
  "´": "\u0301",
  ˆ: "\u0302",
  "˜": "\u0303",
  "¯": "\u0304",
  "˘": "\u0306",
  "˙": "\u0307",
  "¨": "\u0308",
  "˚": "\u030a",
  "˝": "\u030b",
  ˇ: "\u030c",
  "¸": "\u0327",
  "˛": "\u0328",
};

/** The words that glyphs make, in the order of drawing. */
export function wordsOf(glyphs: readonly Glyph[]): Word[] {
  const words: Word[] = [];
  let run: Run | undefined;
  let blank = false;
  const finish = (): void => {
    const word = run?.word();
    run = undefined;
    if (word === undefined) return;
    words.push(word);
  };
  for (const glyph of glyphs) {
    if (glyph.blank) {
      finish();
      blank ||= glyph.text !== "";
      continue;
    }
    if (run !== undefined && !blank && run.takes(glyph)) continue;
    finish();
    run = new Run(glyph, blank);
    blank = false;
  }
  finish();
  return words;
}

class Run {
  readonly #first: Glyph;
  #last: Glyph;
  /** Texts of glyphs in the order of drawing, with the marks that belong to them. */
  readonly #units: string[];
  #leftwards = false;
  #left: number;
  #right: number;
  #top: number;
  #bottom: number;

  constructor(
    glyph: Glyph,
    private readonly blankBefore: boolean,
  ) {
    this.#first = this.#last = glyph;
    this.#units = [glyph.text];
    this.#left = Math.min(glyph.startX, glyph.endX);
    this.#right = Math.max(glyph.startX, glyph.endX);
    this.#top = Math.min(glyph.startY, glyph.endY);
    this.#bottom = Math.max(glyph.startY, glyph.endY);
  }

  /** Adds the glyph if it goes on with this word. */
  takes(glyph: Glyph): boolean {
    const last = this.#last;
    if (
      glyph.font !== last.font ||
      glyph.paint.painted !== last.paint.painted ||
      Math.abs(glyph.size - last.size) > 0.02 * last.size ||
      Math.abs(glyph.angle - last.angle) > 1
    )
      return false;
    // Hebrew beside Latin in one piece: each is put into its own order.
    if (isRightToLeft(glyph.text) !== isRightToLeft(last.text) && /\p{L}/u.test(glyph.text) && /\p{L}/u.test(last.text))
      return false;
    const radians = (glyph.angle * Math.PI) / 180;
    const [ux, uy] = [Math.cos(radians), Math.sin(radians)];
    const dx = glyph.startX - last.endX;
    const dy = glyph.startY - last.endY;
    const size = glyph.size;
    if (Math.abs(dy * ux - dx * uy) > SHIFT * size) return false;
    const along = dx * ux + dy * uy;
    const width = (glyph.endX - glyph.startX) * ux + (glyph.endY - glyph.startY) * uy;
    const lastWidth = (last.endX - last.startX) * ux + (last.endY - last.startY) * uy;
    if (/^\p{M}+$/u.test(glyph.text) && Math.abs(along) < size) {
      this.#units.push(this.#units.pop()! + glyph.text);
      return true;
    }
    if (this.#accented(glyph, along, width, lastWidth)) return true;
    const leftward = along + width + lastWidth;
    if (along > -OVERLAP * size && along < BLANK * size && !this.#leftwards) {
      this.#add(glyph);
      return true;
    }
    if (
      Math.abs(leftward) < BLANK * size &&
      (this.#units.length === 1 || this.#leftwards) &&
      isRightToLeft(glyph.text + this.#units[0]!)
    ) {
      this.#leftwards = true;
      this.#add(glyph);
      return true;
    }
    return false;
  }

  /** Old fonts draw ü as a dieresis and a u at the same place, in either order. */
  #accented(glyph: Glyph, along: number, width: number, lastWidth: number): boolean {
    const lastText = this.#units[this.#units.length - 1]!;
    const overlap = -along > 0.5 * Math.min(width, lastWidth) && -along < 1.3 * Math.max(width, lastWidth);
    if (!overlap) return false;
    const [base, accent] = lastText in ACCENTS ? [glyph.text, lastText] : [lastText, glyph.text];
    const mark = ACCENTS[accent];
    if (mark === undefined || !/^\p{L}$/u.test(base)) return false;
    const letter = (base === "ı" ? "i" : base === "ȷ" ? "j" : base) + mark;
    this.#units[this.#units.length - 1] = letter.normalize("NFC");
    if (base === glyph.text || glyph.endX > this.#last.endX) this.#last = glyph;
    this.#stretch(glyph);
    return true;
  }

  #add(glyph: Glyph): void {
    this.#units.push(glyph.text);
    this.#last = glyph;
    this.#stretch(glyph);
  }

  #stretch(glyph: Glyph): void {
    this.#left = Math.min(this.#left, glyph.startX, glyph.endX);
    this.#right = Math.max(this.#right, glyph.startX, glyph.endX);
    this.#top = Math.min(this.#top, glyph.startY, glyph.endY);
    this.#bottom = Math.max(this.#bottom, glyph.startY, glyph.endY);
  }

  word(): Word | undefined {
    const first = this.#first;
    const drawn = this.#units.join("");
    if (drawn.trim() === "") return undefined;
    const rtl = isRightToLeft(drawn);
    const text =
      rtl && !this.#leftwards && this.#units.length > 1 ? readingOrder(this.#units, (unit) => unit).join("") : drawn;
    const { size, font } = first;
    const vertical = font.vertical;
    const rotation = vertical ? 0 : nearestRotation(first.angle);
    let [left, right, top, bottom] = [this.#left, this.#right, this.#top, this.#bottom];
    if (vertical) [left, right] = [left - size / 2, right + size / 2];
    else if (rotation === 0) [top, bottom] = [top - ASCENT * size, bottom + DESCENT * size];
    else if (rotation === 180) [top, bottom] = [top - DESCENT * size, bottom + ASCENT * size];
    else if (rotation === 90) [left, right] = [left - DESCENT * size, right + ASCENT * size];
    else [left, right] = [left - ASCENT * size, right + DESCENT * size];
    return {
      text,
      x: left,
      y: top,
      width: right - left,
      height: bottom - top,
      baseline: rotation === 0 && !vertical ? first.startY : bottom,
      fontSize: size,
      font: font.name,
      face: font,
      bold: font.bold,
      italic: font.italic,
      monospaced: font.monospaced,
      rotation,
      vertical,
      rtl,
      blankBefore: this.blankBefore,
      order: first.order,
      paint: first.paint,
    };
  }
}

export function nearestRotation(angle: number): 0 | 90 | 180 | 270 {
  return ((((Math.round(angle / 90) % 4) + 4) % 4) * 90) as 0 | 90 | 180 | 270;
}
