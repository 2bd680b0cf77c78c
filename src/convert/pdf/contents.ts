/** A page as the layout reads it: words that are seen, the values of its form fields among them, lines, links, notes. */
import type { Annotation, RawPage } from "./document.js";
import { isIdeograph } from "./lines.js";
import { place } from "./matrix.js";
import type { Box, PageContents, TextItem } from "./page.js";
import { turnBox, turnItem, turnSize, type Turn } from "./turn.js";
import { partByVisibility } from "./visibility.js";
import { wordsOf } from "./words.js";

/** A page with what does not belong to its running text. */
export interface ReadPage {
  readonly contents: PageContents;
  readonly links: readonly PageLink[];
  /** Contents of notes and marked passages. */
  readonly comments: readonly string[];
  /** Text that nobody sees. */
  readonly hidden: readonly string[];
  /** Whether the text lies unpainted under a picture of the page: it was recognised in a scan by whoever made the file. */
  readonly recognised: boolean;
  /** Whether the page drew more than is read of one. */
  readonly cut: boolean;
}

/** A place on the page that leads out of the document. */
export interface PageLink extends Box {
  readonly target: string;
}

/** Share of a page's letters that must stand on their side for the page to be turned. */
const MOSTLY = 0.6;
/** Flags of annotations that are not shown: hidden, and not for the screen. */
const HIDDEN = 0b10_0010;
/** More links on a page are a trick. */
const MOST_SPLIT = 500;
/** Values of fields are shown at about this size where the field is high enough. */
const FIELD_SIZE = 10;

export function contentsOf(raw: RawPage): ReadPage {
  const words = wordsOf(raw.drawing.glyphs);
  const { visible, hidden, recognised } = partByVisibility(words, raw.drawing, raw.width, raw.height);
  const items: TextItem[] = [...visible];
  const links: PageLink[] = [];
  const comments: string[] = [];
  for (const annotation of raw.annotations) {
    const box = boxOf(annotation, raw);
    if (annotation.subtype === "Link") {
      const target = asText(annotation.unsafeUrl ?? "");
      if (/^(?:https?|mailto):/i.test(target)) links.push({ ...box, target });
    } else if (((annotation.annotationFlags ?? 0) & HIDDEN) === 0) {
      const value =
        annotation.subtype === "Widget" ? fieldValue(annotation) : (annotation.contentsObj?.str ?? "").trim();
      if (value === "" || annotation.subtype === "Popup") continue;
      if (annotation.subtype === "Widget" || annotation.subtype === "FreeText")
        items.push(...shownItems(value, box, items.length));
      else comments.push(value);
    }
  }
  const turn = turnOf(items);
  const [width, height] = turnSize(turn, raw.width, raw.height);
  const turned = <T extends Box>(box: T): T => turnBox(box, turn, raw.width, raw.height);
  return {
    contents: {
      number: raw.number,
      width,
      height,
      items: splitAtLinks(items, links).map((item) => turnItem(item, turn, raw.width, raw.height)),
      rules: raw.drawing.rules.map((rule) => {
        const { left, top, right, bottom } = turned({ left: rule.x1, top: rule.y1, right: rule.x2, bottom: rule.y2 });
        return { x1: left, y1: top, x2: right, y2: bottom, thickness: rule.thickness };
      }),
      fills: raw.drawing.fills.map(turned),
      pictures: raw.drawing.pictures
        .filter(({ image }) => image)
        .map((picture, index, { length }) =>
          turned({ ...picture, alt: length === raw.figures.length ? raw.figures[index]! : "" }),
        ),
    },
    links: links.map(turned),
    comments,
    hidden: joined(hidden),
    recognised,
    cut: raw.drawing.cut,
  };
}

/** Targets are bytes in the file, mostly of UTF-8. */
function asText(target: string): string {
  if (!/[\u0080-\u00ff]/.test(target) || /[^\0-\u00ff]/.test(target)) return target;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(target, (sign) => sign.charCodeAt(0)));
  } catch {
    return target;
  }
}

/** Ideographs stand in long runs without blanks, of which a link may be a part: it becomes an item of its own. */
function splitAtLinks(items: readonly TextItem[], links: readonly PageLink[]): TextItem[] {
  if (links.length === 0 || links.length > MOST_SPLIT) return [...items];
  return items.flatMap((item) => {
    const signs = Array.from(item.text);
    if (signs.length < 3 || item.vertical || !signs.some((sign) => isIdeograph(sign))) return [item];
    const cuts = new Set([0, signs.length]);
    for (const { left, right, top, bottom } of links) {
      const y = item.y + item.height / 2;
      if (y <= top || y >= bottom || right <= item.x || left >= item.x + item.width) continue;
      for (const edge of [left, right]) {
        const cut = Math.round(((edge - item.x) / item.width) * signs.length);
        if (cut > 0 && cut < signs.length) cuts.add(cut);
      }
    }
    if (cuts.size === 2) return [item];
    const places = [...cuts].sort((a, b) => a - b);
    return places.slice(1).map((end, index) => {
      const start = places[index]!;
      return {
        ...item,
        text: signs.slice(start, end).join(""),
        x: item.x + (item.width * start) / signs.length,
        width: (item.width * (end - start)) / signs.length,
        blankBefore: start === 0 && item.blankBefore,
      };
    });
  });
}

function turnOf(items: readonly TextItem[]): Turn {
  const letters = { 0: 0, 90: 0, 180: 0, 270: 0 };
  let all = 0;
  for (const { text, rotation, vertical } of items) {
    all += text.length;
    if (!vertical) letters[rotation] += text.length;
  }
  return ([90, 180, 270] as const).find((rotation) => letters[rotation] > MOSTLY * all) ?? 0;
}

function boxOf({ rect }: Annotation, { viewport }: RawPage): Box {
  const [x1, y1] = place(viewport, rect[0], rect[1]);
  const [x2, y2] = place(viewport, rect[2], rect[3]);
  return { left: Math.min(x1, x2), right: Math.max(x1, x2), top: Math.min(y1, y2), bottom: Math.max(y1, y2) };
}

/** What a text or choice field shows; buttons and passwords show no words. */
function fieldValue({ fieldType, fieldValue: value, password }: Annotation): string {
  if ((fieldType !== "Tx" && fieldType !== "Ch") || password === true) return "";
  const values = (Array.isArray(value) ? value : [value]) as unknown[];
  return values
    .filter((each): each is string => typeof each === "string")
    .join("\n")
    .trim();
}

/** A value as words inside its field, one line under the other. */
function shownItems(value: string, box: Box, order: number): TextItem[] {
  const lines = value.split(/\r\n?|\n/);
  const size = Math.max(4, Math.min(FIELD_SIZE, ((box.bottom - box.top) / lines.length) * 0.8));
  const items: TextItem[] = [];
  for (const [row, line] of lines.entries()) {
    const baseline = lines.length === 1 ? (box.top + box.bottom) / 2 + 0.35 * size : box.top + (row + 0.9) * size * 1.2;
    let x = box.left + 2;
    for (const text of line.split(/\s+/).filter((word) => word !== "")) {
      const width = text.length * size * 0.5;
      items.push({
        text,
        x,
        y: baseline - 0.78 * size,
        width,
        height: size,
        baseline,
        fontSize: size,
        font: "",
        bold: false,
        italic: false,
        monospaced: false,
        rotation: 0,
        vertical: false,
        rtl: false,
        blankBefore: true,
        order: 1_000_000 + order,
      });
      x += width + 0.25 * size;
    }
  }
  return items;
}

/** Hidden words, put together as they were drawn. */
function joined(words: readonly TextItem[]): string[] {
  const texts: string[] = [];
  let last: TextItem | undefined;
  for (const word of words) {
    if (last !== undefined && Math.abs(word.baseline - last.baseline) < last.fontSize)
      texts.push(`${texts.pop()!} ${word.text}`);
    else texts.push(word.text);
    last = word;
  }
  return texts;
}
