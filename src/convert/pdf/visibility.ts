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
  const visible: Word[] = [];
  const hidden: Word[] = [];
  let recognised = false;
  let before: Word | undefined;
  for (const word of words) {
    const x = word.x + word.width / 2;
    const y = word.y + word.height / 2;
    const offPage =
      (x < 0 || y < 0 || x > width || y > height) &&
      !(visible.length > 0 && visible.at(-1) === before && runsOff(word, before!));
    before = word;
    const underScan = !word.paint.painted && scanned;
    if (offPage || word.fontSize < SMALLEST || (!word.paint.painted && !underScan)) hidden.push(word);
    else if (!underScan && isLost(word, x, y, drawing)) hidden.push(word);
    else {
      visible.push(word);
      recognised ||= underScan;
    }
  }
  const places = new Places();
  return {
    visible: visible.filter((word) => places.take(word)),
    // A shadow in the colour of the paper hides nothing: its word is there.
    hidden: hidden.filter((word) => !places.covers(word)),
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

/** Whether a word off the page goes on with a line on it: a line too long for the page, which is no trick. */
function runsOff(word: Word, before: Word): boolean {
  const gap = word.x - before.x - before.width;
  return (
    Math.abs(word.baseline - before.baseline) < 0.5 * before.fontSize &&
    gap > -before.fontSize &&
    gap < 2 * before.fontSize
  );
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
