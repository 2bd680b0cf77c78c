/**
 * What a page draws, from pdfjs's list of its operators: glyphs with their places, colours and ways of painting, lines,
 * filled rectangles, and where pictures are. One walk over the list gives all that the layout needs; measured, it costs what
 * pdfjs's own text extraction costs, which knows neither colours nor lines (pictures are not decoded, document.ts).
 */
import type { Fill, Rule } from "./page.js";
import { IDENTITY, matrixOf, place, times, type Matrix } from "./matrix.js";
import { bounding, boxOf, framesIn, subpaths, type Subpath } from "./paths.js";
import { unpack } from "./shown-text.js";
import { readable } from "./signs.js";

/** What the drawing needs to know of a font. */
export interface FontFace {
  readonly name: string;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly monospaced: boolean;
  readonly vertical: boolean;
  /** Glyph space to text space, 0.001 but for Type 3 fonts. */
  readonly scale: number;
  /** Height of the letters relative to the size that the file states: 1 but for Type 3 fonts. */
  readonly emHeight: number;
  /** Fonts of symbols put letters into the private area. */
  readonly symbolic: boolean;
}

/** One glyph as drawn. Coordinates are points from the top left of the page as shown. */
export interface Glyph {
  readonly text: string;
  /** Where its advance begins and ends on the baseline; for vertical writing, along the column. */
  readonly startX: number;
  readonly startY: number;
  readonly endX: number;
  readonly endY: number;
  /** Size of the font as shown. */
  readonly size: number;
  readonly font: FontFace;
  /** Direction of the baseline, degrees clockwise from left to right. */
  readonly angle: number;
  /** A blank, drawn as a character. */
  readonly blank: boolean;
  readonly order: number;
  readonly paint: Paint;
}

/** How text is painted. One object for all glyphs that are painted alike. */
export interface Paint {
  /** `#rrggbb`; undefined for patterns and what else has no one colour. */
  readonly colour: string | undefined;
  /** Painted at all: neither rendering mode 3 nor fully transparent nor in a layer that is switched off. */
  readonly painted: boolean;
}

/** What stands behind text, in the order of drawing. */
export interface Ground extends Fill {
  readonly order: number;
}

/** A picture, a pattern or a shading: what its colours are is not known. */
export interface Picture {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly order: number;
  /** A picture, and no shape whose colours are not one. */
  readonly image: boolean;
}

export interface Drawing {
  readonly glyphs: Glyph[];
  readonly rules: Rule[];
  readonly fills: Ground[];
  readonly pictures: Picture[];
  /** Whether the page drew more than is read of one page. */
  readonly cut: boolean;
}

/** pdfjs's numbers of the operators that are read here (`OPS` and, inside paths, `DrawOPS`). */
const OP = {
  dependency: 1,
  setLineWidth: 2,
  setGState: 9,
  save: 10,
  restore: 11,
  transform: 12,
  fill: 22,
  eoFill: 23,
  stroke: 20,
  closeStroke: 21,
  fillStroke: 24,
  eoFillStroke: 25,
  closeFillStroke: 26,
  closeEOFillStroke: 27,
  endPath: 28,
  beginText: 31,
  endText: 32,
  setCharSpacing: 33,
  setWordSpacing: 34,
  setHScale: 35,
  setLeading: 36,
  setFont: 37,
  setTextRenderingMode: 38,
  setTextRise: 39,
  moveText: 40,
  setLeadingMoveText: 41,
  setTextMatrix: 42,
  nextLine: 43,
  showText: 44,
  setFillColorN: 55,
  setFillRGBColor: 59,
  shadingFill: 62,
  beginMarkedContent: 69,
  beginMarkedContentProps: 70,
  endMarkedContent: 71,
  paintFormXObjectBegin: 74,
  paintFormXObjectEnd: 75,
  beginGroup: 76,
  endGroup: 77,
  paintImageMaskXObject: 83,
  paintImageXObject: 85,
  paintInlineImageXObject: 86,
  paintSolidColorImageMask: 90,
  constructPath: 91,
  setFillTransparent: 93,
} as const;

/** No page that is read by people holds more; a page made to exhaust memory does. */
const MOST_GLYPHS = 200_000;
const MOST_RULES = 20_000;
const MOST_FILLS = 5_000;
const MOST_SAVED = 2_000;
/** A filled rectangle that is thinner than this, in points, is a line. */
const THICKEST_RULE = 4;
/** Shorter lines are ticks, dashes and parts of drawings. */
const SHORTEST_RULE = 6;

interface State {
  ctm: Matrix;
  font: FontFace | undefined;
  size: number;
  charSpacing: number;
  wordSpacing: number;
  horizontal: number;
  leading: number;
  rise: number;
  mode: number;
  colour: string | undefined;
  alpha: number;
  lineWidth: number;
}

/** A list of operators as pdfjs gives it; its types leave the arguments open. */
export interface OperatorList {
  readonly fnArray: readonly number[];
  readonly argsArray: readonly unknown[];
}

/**
 * Walks the list. `viewport` takes the page's coordinates to points from its top left; `fontOf` gives the font of pdfjs's
 * name; `isShown` says whether a layer is switched on.
 */
export function readDrawing(
  list: OperatorList,
  viewport: Matrix,
  fontOf: (name: string) => FontFace | undefined,
  isShown: (layer: unknown) => boolean,
): Drawing {
  const walk = new Walk(viewport, fontOf, isShown);
  for (let index = 0; index < list.fnArray.length && !walk.full; index += 1) {
    walk.step(list.fnArray[index]!, (list.argsArray[index] ?? []) as readonly unknown[]);
  }
  return { glyphs: walk.glyphs, rules: walk.rules, fills: walk.fills, pictures: walk.pictures, cut: walk.full };
}

class Walk {
  readonly glyphs: Glyph[] = [];
  readonly rules: Rule[] = [];
  readonly fills: Ground[] = [];
  readonly pictures: Picture[] = [];
  full = false;
  #state: State;
  readonly #saved: State[] = [];
  #text: Matrix = IDENTITY;
  #line: Matrix = IDENTITY;
  #order = 0;
  /** For each open piece of marked content, whether it is shown. */
  readonly #layers: boolean[] = [];
  /** Soft masks are drawn, but not on the page. */
  #maskDepth = 0;
  /** A transformation after which nothing was drawn: a picture that was left out stood there. */
  #picturePending = false;
  #paint: Paint = { colour: "#000000", painted: true };

  constructor(
    viewport: Matrix,
    private readonly fontOf: (name: string) => FontFace | undefined,
    private readonly isShown: (layer: unknown) => boolean,
  ) {
    this.#state = {
      ctm: viewport,
      font: undefined,
      size: 0,
      charSpacing: 0,
      wordSpacing: 0,
      horizontal: 1,
      leading: 0,
      rise: 0,
      mode: 0,
      colour: "#000000",
      alpha: 1,
      lineWidth: 1,
    };
  }

  step(operator: number, args: readonly unknown[]): void {
    const state = this.#state;
    const number = (index: number): number => {
      const value = args[index];
      return typeof value === "number" && Number.isFinite(value) ? value : 0;
    };
    switch (operator) {
      case OP.save:
        this.#save();
        break;
      case OP.restore:
        this.#restore();
        break;
      case OP.transform:
        state.ctm = times(state.ctm, matrixOf(args));
        this.#picturePending = true;
        break;
      case OP.paintFormXObjectBegin:
        this.#save();
        this.#state.ctm = times(this.#state.ctm, matrixOf(args[0]));
        this.#picturePending = false;
        break;
      case OP.paintFormXObjectEnd:
        this.#picturePending = false;
        this.#restore();
        break;
      case OP.beginGroup:
        if (this.#maskDepth > 0 || isMask(args[0])) this.#maskDepth += 1;
        break;
      case OP.endGroup:
        if (this.#maskDepth > 0) this.#maskDepth -= 1;
        break;
      case OP.beginText:
        this.#text = this.#line = IDENTITY;
        break;
      case OP.setCharSpacing:
        state.charSpacing = number(0);
        break;
      case OP.setWordSpacing:
        state.wordSpacing = number(0);
        break;
      case OP.setHScale:
        state.horizontal = number(0) / 100;
        break;
      case OP.setLeading:
        state.leading = number(0);
        break;
      case OP.setTextRise:
        state.rise = number(0);
        break;
      case OP.setTextRenderingMode:
        state.mode = number(0);
        this.#repaint();
        break;
      case OP.setFont:
        state.font = this.fontOf(String(args[0]));
        state.size = number(1);
        break;
      case OP.moveText:
        this.#moveLine(number(0), number(1));
        break;
      case OP.setLeadingMoveText:
        state.leading = -number(1);
        this.#moveLine(number(0), number(1));
        break;
      case OP.nextLine:
        this.#moveLine(0, -state.leading);
        break;
      case OP.setTextMatrix:
        this.#text = this.#line = matrixOf(args[0]);
        break;
      case OP.showText:
        this.#show(args[0]);
        break;
      case OP.setFillRGBColor:
        state.colour = colourOf(args);
        this.#repaint();
        break;
      case OP.setFillColorN:
        state.colour = undefined;
        this.#repaint();
        break;
      case OP.setFillTransparent:
        state.colour = undefined;
        break;
      case OP.setGState:
        this.#setGraphics(args[0]);
        break;
      case OP.setLineWidth:
        state.lineWidth = number(0);
        break;
      case OP.constructPath:
        this.#path(number(0), args[1], args[2]);
        break;
      case OP.shadingFill:
        this.#picture(false);
        break;
      case OP.paintImageMaskXObject:
      case OP.paintImageXObject:
      case OP.paintInlineImageXObject:
      case OP.paintSolidColorImageMask:
        this.#picture(true);
        break;
      case OP.beginMarkedContent:
        this.#layers.push(true);
        break;
      case OP.beginMarkedContentProps:
        this.#layers.push(args[0] !== "OC" || this.isShown(args[1]));
        this.#repaint();
        break;
      case OP.endMarkedContent:
        this.#layers.pop();
        this.#repaint();
        break;
      default:
    }
  }

  #save(): void {
    // A flood of `q` without `Q` is a trick against readers; what is not saved is not restored either.
    if (this.#saved.length < MOST_SAVED) this.#saved.push({ ...this.#state });
    this.#picturePending = false;
  }

  #restore(): void {
    if (this.#picturePending) this.#picture(true);
    this.#picturePending = false;
    const saved = this.#saved.pop();
    if (saved === undefined) return;
    this.#state = saved;
    this.#repaint();
  }

  /** The unit square, which a picture fills. */
  #picture(image: boolean): void {
    this.#picturePending = false;
    if (this.#maskDepth > 0 || this.pictures.length >= MOST_FILLS) return;
    const box = boxOf(this.#state.ctm, 0, 0, 1, 1);
    if ((box.right - box.left) * (box.bottom - box.top) >= 16)
      this.pictures.push({ ...box, order: this.#order, image });
  }

  #repaint(): void {
    const { mode, alpha, colour } = this.#state;
    const painted = (mode & 3) !== 3 && alpha > 0.02 && !this.#layers.includes(false);
    if (painted !== this.#paint.painted || colour !== this.#paint.colour) this.#paint = { colour, painted };
  }

  #setGraphics(entries: unknown): void {
    if (!Array.isArray(entries)) return;
    for (const entry of entries as unknown[]) {
      if (!Array.isArray(entry)) continue;
      const [key, value] = entry as [unknown, unknown];
      if (key === "ca" && typeof value === "number") this.#state.alpha = value;
      if (key === "LW" && typeof value === "number") this.#state.lineWidth = value;
      if (key === "Font" && Array.isArray(value)) {
        this.#state.font = this.fontOf(String(value[0]));
        this.#state.size = Number(value[1]) || 0;
      }
    }
    this.#repaint();
  }

  #moveLine(x: number, y: number): void {
    this.#text = this.#line = times(this.#line, [1, 0, 0, 1, x, y]);
  }

  #show(shown: unknown): void {
    this.#picturePending = false;
    const state = this.#state;
    const { font, size, horizontal, rise } = state;
    if (font === undefined || typeof shown !== "object" || shown === null || this.#maskDepth > 0) return;
    const base = times(state.ctm, this.#text);
    const angle = font.vertical
      ? (Math.atan2(-base[3] * size, -base[2] * size) * 180) / Math.PI
      : (Math.atan2(base[1] * size * horizontal, base[0] * size * horizontal) * 180) / Math.PI;
    const shownSize = Math.hypot(base[2], base[3]) * Math.abs(size) * font.emHeight;
    // How far the text has come, along the line or down the column.
    let along = 0;
    const at = (distance: number): readonly [number, number] =>
      font.vertical ? place(base, 0, distance + rise) : place(base, distance, rise);
    this.#order += 1;
    for (const item of unpack(shown)) {
      if (item === null) continue;
      if (typeof item === "number") {
        along -= (item / 1000) * size * (font.vertical ? 1 : horizontal);
        continue;
      }
      if (this.glyphs.length >= MOST_GLYPHS) {
        this.full = true;
        break;
      }
      const spacing = state.charSpacing + (item.isSpace ? state.wordSpacing : 0);
      const width = item.width * font.scale * size;
      const advance = font.vertical
        ? item.vmetric
          ? item.vmetric[0] * font.scale * size
          : -Math.abs(width)
        : width * horizontal;
      const text = readable(item.unicode, font);
      const blank = /^\s*$/.test(text);
      // A glyph may stand for several words (a phrase of Arabic, a mapping gone wrong): each has its share of the width.
      const parts = blank || !/\s/.test(text) ? [text] : text.split(/(\s+)/).filter((part) => part !== "");
      for (const [index, part] of parts.entries()) {
        if (part === "" && !item.isSpace) continue;
        const [startX, startY] = at(along + (advance * index) / parts.length);
        const [endX, endY] = at(along + (advance * (index + 1)) / parts.length);
        this.glyphs.push({
          text: part,
          startX,
          startY,
          endX,
          endY,
          size: shownSize,
          font,
          angle,
          blank: /^\s*$/.test(part),
          order: this.#order,
          paint: this.#paint,
        });
      }
      along += advance + (font.vertical ? -spacing : spacing * horizontal);
    }
    this.#text = times(this.#text, [1, 0, 0, 1, font.vertical ? 0 : along, font.vertical ? along : 0]);
  }

  /** A path as pdfjs packs it: what is done with it, its numbers, its bounds. */
  #path(paint: number, packed: unknown, bounds: unknown): void {
    this.#picturePending = false;
    if (paint === OP.endPath || this.#maskDepth > 0) return;
    const numbers: unknown = Array.isArray(packed) ? packed[0] : undefined;
    if (!(numbers instanceof Float32Array) || !(bounds instanceof Float32Array)) return;
    this.#order += 1;
    const filled = paint !== OP.stroke && paint !== OP.closeStroke;
    const stroked = paint !== OP.fill && paint !== OP.eoFill;
    const parts = subpaths(numbers);
    const frames = filled ? framesIn(parts) : new Set<Subpath>();
    for (const part of parts) {
      if (filled && !frames.has(part) && part.points.length >= 3) this.#fill(part);
      if (stroked && !part.curved) this.#stroke(part);
    }
  }

  #fill({ points, curved }: Subpath): void {
    const box = bounding(points.map(([x, y]) => place(this.#state.ctm, x, y)));
    const width = box.right - box.left;
    const height = box.bottom - box.top;
    const thin = Math.min(width, height);
    if (thin <= THICKEST_RULE && Math.max(width, height) >= SHORTEST_RULE) {
      const x = (box.left + box.right) / 2;
      const y = (box.top + box.bottom) / 2;
      if (height <= width) this.#rule({ x1: box.left, y1: y, x2: box.right, y2: y, thickness: height });
      else this.#rule({ x1: x, y1: box.top, x2: x, y2: box.bottom, thickness: width });
      return;
    }
    if (this.fills.length >= MOST_FILLS || width * height < 16 || this.#state.alpha <= 0.02) return;
    if (this.#state.colour === undefined || curved || this.#state.alpha < 0.98) {
      // Neither a pattern nor a shape that is no rectangle says what colour stands at a place.
      this.pictures.push({ ...box, order: this.#order, image: false });
    } else this.fills.push({ ...box, colour: this.#state.colour, order: this.#order });
  }

  #stroke({ points, closed }: Subpath): void {
    const placed = points.map(([x, y]) => place(this.#state.ctm, x, y));
    if (closed && placed.length > 2) placed.push(placed[0]!);
    const thickness = this.#state.lineWidth * Math.hypot(this.#state.ctm[0], this.#state.ctm[1]);
    for (let index = 1; index < placed.length; index += 1) {
      const [x1, y1] = placed[index - 1]!;
      const [x2, y2] = placed[index]!;
      const width = Math.abs(x2 - x1);
      const height = Math.abs(y2 - y1);
      if (Math.min(width, height) > 1 || Math.max(width, height) < SHORTEST_RULE) continue;
      const x = (x1 + x2) / 2;
      const y = (y1 + y2) / 2;
      if (height <= width) this.#rule({ x1: Math.min(x1, x2), y1: y, x2: Math.max(x1, x2), y2: y, thickness });
      else this.#rule({ x1: x, y1: Math.min(y1, y2), x2: x, y2: Math.max(y1, y2), thickness });
    }
  }

  #rule(rule: Rule): void {
    if (this.rules.length < MOST_RULES) this.rules.push(rule);
  }
}

function isMask(group: unknown): boolean {
  return typeof group === "object" && group !== null && Boolean((group as { smask?: unknown }).smask);
}

function colourOf(args: readonly unknown[]): string | undefined {
  if (typeof args[0] === "string") return args[0];
  return undefined;
}
