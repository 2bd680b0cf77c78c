/**
 * Which words of a page are seen. Hidden ones, an instruction to a machine that no reader sees among them, must not come
 * out as the document's words.
 */
import type { Drawing } from "./drawing.js";
import type { Word } from "./words.js";

/** Sizes below this, in points, cannot be read. */
const SMALLEST = 1;
/** A picture that covers so much of a page is a scan, and the unpainted text on it what was recognised in it. */
const SCAN_COVERS = 0.5;
/** Colours whose channels all differ by less cannot be told apart. */
const LEAST_CONTRAST = 10;
/** Longer lines are no text; what is drawn twice in them stays. */
const MOST_COMPARED = 400;
/** No table that runs off a page has more words out there; where there are more, they are hidden. */
const MOST_OFF_PAGE = 4_000;
/** How far apart, in multiples of the size, words are that go on: along a line off the page, and between its rows. */
const LINE_GAP = 4;
const ROW_GAP = 3;
/** Text on the page that goes on over its edge ends no farther from it, in points, its last gap put aside. */
const EDGE = 72;

export interface Seen {
  readonly visible: Word[];
  readonly hidden: Word[];
  /** Whether the visible text lies unpainted under a picture of the page. */
  readonly recognised: boolean;
}

export function partByVisibility(words: readonly Word[], drawing: Drawing, width: number, height: number): Seen {
  const scanned = drawing.pictures.some(
    (picture) =>
      (Math.min(width, picture.right) - Math.max(0, picture.left)) *
        (Math.min(height, picture.bottom) - Math.max(0, picture.top)) >
      SCAN_COVERS * width * height,
  );
  const visible = new Set<Word>();
  const offPage: Word[] = [];
  let recognised = false;
  for (const word of words) {
    const x = word.x + word.width / 2;
    const y = word.y + word.height / 2;
    const underScan = !word.paint.painted && scanned;
    if (word.fontSize < SMALLEST || (!word.paint.painted && !underScan)) continue;
    if (!underScan && isLost(word, x, y, drawing)) continue;
    if (x < 0 || y < 0 || x > width || y > height) offPage.push(word);
    else {
      visible.add(word);
      recognised ||= underScan;
    }
  }
  for (const word of runningOff(offPage, [...visible], width, height)) visible.add(word);
  const places = new Places();
  // The widest first: some files thicken a word by drawing some of its letters before it.
  const once = new Set([...visible].sort((a, b) => b.width - a.width).filter((word) => places.take(word)));
  return {
    visible: words.filter((word) => once.has(word)),
    // A shadow in the colour of the paper hides nothing: its word is there.
    hidden: words.filter((word) => !visible.has(word) && !places.covers(word)),
    recognised,
  };
}

/** Where words stand: bold and shadows are made by drawing a word, or a part of it, again a fraction of a point aside. */
class Places {
  readonly #lines = new Map<number, Word[]>();

  /** Notes a word, unless it is only another word once more. */
  take(word: Word): boolean {
    if (this.covers(word)) return false;
    const key = Math.round(word.baseline / 4);
    const line = this.#lines.get(key);
    if (line === undefined) this.#lines.set(key, [word]);
    else if (line.length < MOST_COMPARED) line.push(word);
    return true;
  }

  covers(word: Word): boolean {
    const key = Math.round(word.baseline / 4);
    return [key - 1, key, key + 1].some(
      (each) => this.#lines.get(each)?.some((other) => isAgain(word, other)) === true,
    );
  }
}

function isAgain(word: Word, other: Word): boolean {
  const near = 0.25 * other.fontSize;
  return (
    Math.abs(word.baseline - other.baseline) < near &&
    Math.abs(word.fontSize - other.fontSize) < 0.1 * other.fontSize &&
    word.x > other.x - near &&
    word.x + word.width < other.x + other.width + near &&
    other.text.includes(word.text) &&
    // The second l of `all` lies beside the first one, not on it.
    Math.min(word.x + word.width, other.x + other.width) - Math.max(word.x, other.x) > 0.5 * word.width
  );
}

/**
 * Words off the page that go on with text on it, from word to word: a line too long, a table with more rows than the page
 * has room for. Whoever typeset it made a mistake and no trick. What stands apart out there is hidden.
 */
function runningOff(offPage: readonly Word[], onPage: readonly Word[], width: number, height: number): Word[] {
  if (offPage.length === 0) return [];
  const nearEdge = ({ x, y, ...word }: Word): boolean =>
    Math.min(x, y, width - x - word.width, height - y - word.height) < EDGE + LINE_GAP * word.fontSize;
  let known = onPage.filter(nearEdge);
  if (Math.max(known.length, offPage.length) > MOST_OFF_PAGE) return [];
  let waiting = [...offPage];
  const found: Word[] = [];
  while (known.length > 0 && waiting.length > 0) {
    const [next, apart]: [Word[], Word[]] = [[], []];
    for (const word of waiting) (known.some((other) => goesOn(word, other, width)) ? next : apart).push(word);
    found.push(...next);
    [known, waiting] = [next, apart];
  }
  return found;
}

function goesOn(word: Word, other: Word, width: number): boolean {
  const size = Math.min(word.fontSize, other.fontSize);
  if (Math.max(word.fontSize, other.fontSize) > 2 * size) return false;
  const across = Math.max(word.x - other.x - other.width, other.x - word.x - word.width);
  const down = Math.max(word.y - other.y - other.height, other.y - word.y - word.height);
  // The cells of a row below the page are as far apart as its columns are.
  const below = [word, other].every((each) => each.x >= 0 && each.x + each.width <= width);
  if (Math.abs(word.baseline - other.baseline) < 0.5 * size) return across < (below ? width : LINE_GAP * size);
  return across < size && down < ROW_GAP * size;
}

/** Whether a word has the colour of what it stands on: of the last thing painted there before it, or of the paper. */
function isLost(word: Word, x: number, y: number, { fills, pictures }: Drawing): boolean {
  const colour = word.paint.colour;
  // Text in dark colours is seen on paper, and on what was painted in another colour; most pages end here.
  if (colour === undefined || (fills.length === 0 && contrast(colour, "#ffffff") >= LEAST_CONTRAST)) return false;
  const inside = (box: { left: number; right: number; top: number; bottom: number; order: number }): boolean =>
    box.order <= word.order && x >= box.left - 1 && x <= box.right + 1 && y >= box.top - 1 && y <= box.bottom + 1;
  const ground = fills.findLast(inside);
  const picture = pictures.findLast(inside);
  if (picture !== undefined && picture.order >= (ground?.order ?? -1)) return false;
  return contrast(colour, ground?.colour ?? "#ffffff") < LEAST_CONTRAST;
}

function contrast(one: string, other: string): number {
  const [a, b] = [Number.parseInt(one.slice(1), 16), Number.parseInt(other.slice(1), 16)];
  return Math.max(...[16, 8, 0].map((shift) => Math.abs(((a >> shift) & 255) - ((b >> shift) & 255))));
}
