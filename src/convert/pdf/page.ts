/**
 * What stands on a page of a PDF, as the layout files see it. Lengths are in points (1/72 inch) from the top left corner of the
 * page as it is shown: the page's own rotation is undone, and where most text runs up or down the page, the page is turned
 * so that this text stands upright.
 */

import type { FontFace } from "./drawing.js";

/** A word, or the part of a word that is in one style, on one line. In CJK text, a run without a gap. */
export interface TextItem {
  /** In logical order, without blanks at its ends. */
  readonly text: string;
  /** Left edge of its box. */
  readonly x: number;
  /** Top edge of its box. */
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Where its letters stand: lower than `y`, higher than `y + height`. For text that is not upright, the box's bottom. */
  readonly baseline: number;
  /** Size of the font as shown. */
  readonly fontSize: number;
  /** Name of the font without the prefix of a subset: `NimbusSanL-Bold`. */
  readonly font: string;
  /** The font itself, of which a document may have several by one name; absent for the values of form fields. */
  readonly face?: FontFace;
  /** The font does not say which letters it shows: the text is not what the page shows. */
  readonly unreadable?: boolean;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly monospaced: boolean;
  /** How the text runs on the page, clockwise; a slanted one is put to the nearest. */
  readonly rotation: 0 | 90 | 180 | 270;
  /** Columns of characters from top to bottom (Chinese, Japanese). */
  readonly vertical: boolean;
  /** Right-to-left script. Items of a line are in reading order all the same. */
  readonly rtl: boolean;
  /** A gap parts it from the item before it on the same line: a blank belongs between them. */
  readonly blankBefore: boolean;
  /** Its place in the order in which the file draws the text. */
  readonly order: number;
}

/** A straight line drawn on the page, horizontal or vertical: a stroke, a thin filled rectangle, or an edge of a stroked one. `x1 ≤ x2`, `y1 ≤ y2`. */
export interface Rule {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  readonly thickness: number;
}

/** A rectangle on the page. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A filled rectangle that is no line: the shade behind a cell, a box of code. `colour` is `#rrggbb`. */
export interface Fill extends Box {
  readonly colour: string;
}

/** One page: everything that the layout needs, and nothing of pdfjs. */
export interface PageContents {
  /** From 1. */
  readonly number: number;
  readonly width: number;
  readonly height: number;
  /** Visible text in the order in which the file draws it; hidden text and text off the page are not in it. */
  readonly items: readonly TextItem[];
  readonly rules: readonly Rule[];
  readonly fills: readonly Fill[];
  /** Where pictures stand, with the texts that describe them, empty where there are none. */
  readonly pictures: readonly (Box & { readonly alt: string })[];
}

/** A cell of a found table; a merged one stands where it begins. */
export interface FoundCell {
  /** The items of its text, line by line, each line in reading order. */
  readonly items: readonly TextItem[];
  readonly colspan: number;
  readonly rowspan: number;
}

/** A table on a page (tables.ts). Its items are taken out of the running text and written where the table stands. */
export interface FoundTable extends Box {
  readonly rows: readonly { readonly cells: readonly FoundCell[] }[];
  /** Whether the first row names the columns. */
  readonly header: boolean;
}
