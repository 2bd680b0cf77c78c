import { isUnspaced } from "../text/words.js";
import { stringAt, type SortedStrings } from "./front-coding.js";
import { CONFUSION, EDIT, pairsLike, shapesLike, SLIP, THIN } from "./print-shapes.js";
import { formsHolding, rarity, trigrams, type FormsHolding } from "./spelling.js";

/** Fewest characters of a word that is read as another: of shorter ones too many are near. */
const SHORTEST = 4;

/** Forms that a word is read as, at most. */
const MOST = 8;

/** A form that a word may have been before it was misread, or what became of it in the package. */
export interface PrintedAlike {
  /** Number in the list of forms. */
  readonly form: number;
  /** 20 for each character changed, dropped or added; less where the two look alike in print. */
  readonly distance: number;
}

/** How far a form of so many characters may be from what it is read as. */
function farthest(characters: number): number {
  const confusions = characters < 6 ? 1 : characters < 9 ? 2 : characters < 12 ? 3 : 4;
  return confusions * CONFUSION;
}

/**
 * Whether a word may be read as another. Nothing with a digit may: of numbers, part codes and error codes each is another, and
 * E4711 must not become E4710. Nor what is asked by its characters, or by pairs of syllables.
 */
export function mayBeMisread(form: string): boolean {
  return (
    !/\p{N}/u.test(form) && !/\p{Script=Hangul}/u.test(form) && !isUnspaced(form) && Array.from(form).length >= SHORTEST
  );
}

/**
 * A word may be a misread one if its spelling is rarer than the other's, or the other's than its own, by this many times the share
 * of its characters that differ: by six times for one edit in ten characters.
 */
const RARER = 60;

/** In a smaller dictionary a word is near to another by chance less often, and the spellings say less: less is asked of them. */
const LARGE = 6_000;

/**
 * What each word may have been before it was misread, or what became of it in the package: forms near in print of which,
 * or of the word, the spelling is rare. Nearest first, equally near ones in the order of the list: the nearest and those that are
 * a confusion further at most. None for a word that looks like nothing here.
 *
 * @param forms those of all mounted packages
 * @param words that no package knows, each of which {@link mayBeMisread}
 * @param holdingOf how many of the forms hold trigrams, where that has been counted
 */
export function readingsOf(
  forms: SortedStrings,
  words: readonly string[],
  holdingOf: FormsHolding = (wanted) => formsHolding(forms, wanted),
): number[][] {
  const near = words.map((word) =>
    nearestInPrint(forms, word).map((one) => ({ ...one, trigrams: trigrams(stringAt(forms, one.form)) })),
  );
  const own = words.map((word, i) => (near[i]!.length === 0 ? [] : trigrams(word)));
  const wanted = new Set([...own.flat(), ...near.flat().flatMap((one) => one.trigrams)]);
  if (wanted.size === 0) return words.map(() => []);
  const holding = holdingOf([...wanted]);
  const rarer = RARER * Math.min(1, forms.count / LARGE);
  return near.map((candidates, i) => {
    const readings = candidates.filter(
      ({ distance, trigrams: its }) =>
        rarity(own[i]!, its, holding) >= (rarer * distance) / (EDIT * Array.from(words[i]!).length),
    );
    const most = (readings[0]?.distance ?? 0) + CONFUSION;
    return readings
      .filter(({ distance }) => distance <= most)
      .slice(0, MOST)
      .map(({ form }) => form);
  });
}

/**
 * The forms that look like `asked` in print, nearest first, equally near ones in the order of the list. Weighted edit
 * distance, of Damerau and Levenshtein, with the confusions of `print-shapes.ts`, over the sorted list as a tree: what two
 * neighbours begin with is compared once, and what begins too differently is passed over, so that hardly any form of a
 * large dictionary is looked at.
 */
export function nearestInPrint(forms: SortedStrings, asked: string): PrintedAlike[] {
  const word = Array.from(asked, (character) => character.codePointAt(0)!);
  const rows = new Rows(word, farthest(word.length));
  const walk = new PointWalk(forms);
  const found: PrintedAlike[] = [];
  for (let form = 0; form < forms.count;) {
    const shared = walk.move(form);
    const dead = rows.follow(walk.points, shared, walk.count);
    if (dead > 0) {
      form = walk.behind(dead);
      continue;
    }
    const distance = rows.distance(walk.count);
    if (distance <= rows.most && isReading(walk.points, walk.count)) found.push({ form, distance });
    form++;
  }
  return found.sort((a, b) => a.distance - b.distance || a.form - b.form);
}

/** Whether a form is a word, with a misread letter or two that became digits, and no number or code. */
function isReading(points: Int32Array, count: number): boolean {
  let digits = 0;
  for (let i = 0; i < count; i++) if (points[i]! >= 0x30 && points[i]! <= 0x39) digits++;
  return count >= SHORTEST - 1 && digits * 3 <= count;
}

/** The code points of one form after another. */
class PointWalk {
  readonly points = new Int32Array(256);
  /** Where each code point ends in the form's bytes. */
  readonly #ends = new Int32Array(256);
  count = 0;
  #form = 0;

  constructor(readonly strings: SortedStrings) {}

  /** Goes to a form and returns how many code points it shares with the one before. */
  move(form: number): number {
    const { bytes, offsets } = this.strings;
    const start = offsets[form]!;
    const end = offsets[form + 1]!;
    const before = this.count;
    let shared = 0;
    let same = true;
    let count = 0;
    for (let at = start; at < end;) {
      const byte = bytes[at++]!;
      let point = byte;
      if (byte >= 0x80) {
        const more = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
        point = byte & (0x3f >> more);
        for (let left = more; left > 0 && at < end; left--) point = (point << 6) | (bytes[at++]! & 0x3f);
      }
      same &&= count < before && this.points[count] === point;
      if (same) shared++;
      this.points[count] = point;
      this.#ends[count++] = at - start;
    }
    this.count = count;
    this.#form = form;
    return shared;
  }

  /** The first form behind this one that does not begin with its first `count` code points. */
  behind(count: number): number {
    const length = this.#ends[count - 1]!;
    let low = this.#form;
    let step = 1;
    // Most beginnings have few forms, so steps that double are shorter than halving the whole list.
    while (low + step < this.strings.count && this.#beginsAlike(low + step, length)) {
      low += step;
      step *= 2;
    }
    let high = Math.min(low + step, this.strings.count);
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#beginsAlike(middle, length)) low = middle;
      else high = middle;
    }
    return high;
  }

  #beginsAlike(form: number, length: number): boolean {
    const { bytes, offsets } = this.strings;
    const [own, other] = [offsets[this.#form]!, offsets[form]!];
    if (offsets[form + 1]! - other < length) return false;
    for (let i = length - 1; i >= 0; i--) if (bytes[own + i] !== bytes[other + i]) return false;
    return true;
  }
}

/** Distances of the beginnings of a word (columns) from the beginnings of a form (rows), one row a code point. */
class Rows {
  readonly #word: readonly number[];
  readonly #width: number;
  readonly #cells: Int32Array;
  readonly #least: Int32Array;
  /** Costs by place in the word and code point, below {@link TABLED}. */
  readonly #costs: Uint8Array;
  /** What it costs that a form lacks each character of the word, from 1. */
  readonly #dropped: Int32Array;
  readonly #shapes: readonly ReadonlyMap<number, number>[];
  /** Pairs that look like the character at each place of the word. */
  readonly #pairsAt: readonly (readonly (readonly [number, number])[])[];

  constructor(
    word: readonly number[],
    /** What is farther is of no interest. */
    readonly most: number,
  ) {
    this.#word = word;
    const width = (this.#width = word.length + 1);
    this.#cells = new Int32Array(257 * width);
    this.#least = new Int32Array(257);
    this.#dropped = Int32Array.from([0, ...word.map((point, i) => adding(point, i > 0 ? word[i - 1]! : -1))]);
    for (let i = 1; i < width; i++) this.#cells[i] = this.#cells[i - 1]! + this.#dropped[i]!;
    this.#shapes = word.map(shapesLike);
    this.#costs = new Uint8Array(word.length * TABLED).fill(EDIT);
    word.forEach((point, i) => {
      const costs = this.#costs.subarray(i * TABLED, (i + 1) * TABLED);
      for (const [other, cost] of this.#shapes[i]!) costs[other] = cost;
      costs[point] = 0;
    });
    this.#pairsAt = word.map(pairsLike);
  }

  #cost(i: number, point: number): number {
    return this.#word[i] === point ? 0 : (this.#shapes[i]!.get(point) ?? EDIT);
  }

  distance(count: number): number {
    return this.#cells[count * this.#width + this.#word.length]!;
  }

  /**
   * Fills the rows behind the first `shared` code points of a form.
   * @returns 0, or after how many code points nothing that begins so can be near
   */
  follow(points: Int32Array, shared: number, count: number): number {
    for (let j = shared + 1; j <= count; j++) {
      this.#fill(points, j);
      // A confusion of two characters leaps over a row.
      if (this.#least[j]! > this.most && this.#least[j - 1]! > this.most) return j;
    }
    return 0;
  }

  #fill(points: Int32Array, j: number): void {
    const cells = this.#cells;
    const word = this.#word;
    const width = this.#width;
    const row = j * width;
    const above = row - width;
    const point = points[j - 1]!;
    const before = j > 1 ? points[j - 2]! : -1;
    const added = adding(point, before);
    const likePoint = pairsLike(point);
    let least = (cells[row] = cells[above]! + added);
    const costs = this.#costs;
    const two = above - width;
    let left = least;
    for (let i = 1; i < width; i++) {
      const own = word[i - 1]!;
      const cost = point < TABLED ? costs[(i - 1) * TABLED + point]! : this.#cost(i - 1, point);
      let best = cells[above + i - 1]! + cost;
      const longer = cells[above + i]! + added;
      if (longer < best) best = longer;
      const shorter = left + this.#dropped[i]!;
      if (shorter < best) best = shorter;
      if (i > 1) {
        const previous = word[i - 2]!;
        if (likePoint.length > 0 && holds(likePoint, previous, own))
          best = Math.min(best, cells[above + i - 2]! + CONFUSION);
        if (before === own && point === previous) best = Math.min(best, cells[two + i - 2]! + EDIT);
      }
      const likeOwn = this.#pairsAt[i - 1]!;
      if (likeOwn.length > 0 && before >= 0 && holds(likeOwn, before, point))
        best = Math.min(best, cells[two + i - 1]! + CONFUSION);
      cells[row + i] = left = best;
      if (best < least) least = best;
    }
    this.#least[j] = least;
  }
}

function holds(pairs: readonly (readonly [number, number])[], first: number, second: number): boolean {
  for (const pair of pairs) if (pair[0] === first && pair[1] === second) return true;
  return false;
}

/** What it costs to add a code point behind another, or to drop it. */
function adding(point: number, before: number): number {
  return point === before || THIN.has(point) ? SLIP : EDIT;
}

/** Code points of Latin, Greek, Cyrillic, Hebrew and Arabic, whose costs are looked up before. */
const TABLED = 0x700;
