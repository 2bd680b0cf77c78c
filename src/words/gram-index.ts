import type { SortedStrings } from "./front-coding.js";
import { BASE, BOUNDARY, CLASSES } from "./letters.js";
import { putVarint, varintLength } from "./varint.js";

/** Characters in a gram. */
const GRAM = 4;

/** Places of the beginnings of grams of `LETTERS`, all but the last letter; of whole grams. */
const BEGINNINGS = BASE ** (GRAM - 1);
const PLACES = BASE ** GRAM;

/**
 * Grams by number. A gram of `LETTERS` is found by its place in a table of all of them, where a search by hash took five
 * times as long. Any other one is four code points, 0 standing for the missing fourth of `_a_`; two of them fit exactly
 * into one double (42 bits), so it is found by two of those.
 */
class GramTable {
  /** By place: number of the gram + 1, 0 where it has none. What is not touched of it takes no memory. */
  readonly #places = new Int32Array(PLACES);
  #slots = new Int32Array(1 << 10).fill(-1);
  /** Number of the gram in each entry of `#first` and `#second`. */
  #numbers = new Int32Array(1 << 9);
  #first = new Float64Array(1 << 9);
  #second = new Float64Array(1 << 9);
  #others = 0;
  count = 0;

  /** The number of the gram at a place, a new one where it has none. */
  at(place: number): number {
    const known = this.#places[place]!;
    if (known > 0) return known - 1;
    this.#places[place] = this.count + 1;
    return this.count++;
  }

  /** The number of a gram, or -1. */
  find(a: number, b: number, c: number, d: number): number {
    const place = placeOf(a, b, c, d);
    if (place >= 0) return this.#places[place]! - 1;
    const other = this.#find(a, b, c, d);
    return other < 0 ? other : this.#numbers[other]!;
  }

  /** The number of a gram, a new one where it has none. */
  add(a: number, b: number, c: number, d: number): number {
    const place = placeOf(a, b, c, d);
    if (place >= 0) return this.at(place);
    const known = this.#find(a, b, c, d);
    if (known >= 0) return this.#numbers[known]!;
    const other = this.#others++;
    if (other === this.#first.length) this.#grow();
    this.#first[other] = a * 0x20_0000 + b;
    this.#second[other] = c * 0x20_0000 + d;
    this.#numbers[other] = this.count;
    this.#place(hash(a, b, c, d), other);
    return this.count++;
  }

  #find(a: number, b: number, c: number, d: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    const first = a * 0x20_0000 + b;
    const second = c * 0x20_0000 + d;
    for (let slot = hash(a, b, c, d) & mask; ; slot = (slot + 1) & mask) {
      const number = slots[slot]!;
      if (number < 0 || (this.#first[number] === first && this.#second[number] === second)) return number;
    }
  }

  #place(hashed: number, other: number): void {
    const mask = this.#slots.length - 1;
    let slot = hashed & mask;
    while (this.#slots[slot]! >= 0) slot = (slot + 1) & mask;
    this.#slots[slot] = other;
  }

  #grow(): void {
    this.#first = doubled(this.#first);
    this.#second = doubled(this.#second);
    const numbers = this.#numbers;
    (this.#numbers = new Int32Array(2 * numbers.length)).set(numbers);
    this.#slots = new Int32Array(this.#slots.length * 2).fill(-1);
    for (let other = 0; other < this.#numbers.length / 2; other++) {
      const [first, second] = [this.#first[other]!, this.#second[other]!];
      const a = Math.floor(first / 0x20_0000);
      const c = Math.floor(second / 0x20_0000);
      this.#place(hash(a, first - a * 0x20_0000, c, second - c * 0x20_0000), other);
    }
  }
}

/** The place of a gram in the table of all of `LETTERS`, or -1 for one with another character. */
function placeOf(a: number, b: number, c: number, d: number): number {
  if (a > 0x7f || b > 0x7f || c > 0x7f || d > 0x7f) return -1;
  const [w, x, y, z] = [CLASSES[a]!, CLASSES[b]!, CLASSES[c]!, CLASSES[d]!];
  return w === 0 || x === 0 || y === 0 || z === 0 ? -1 : ((w * BASE + x) * BASE + y) * BASE + z;
}

function doubled(array: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(array.length * 2);
  larger.set(array);
  return larger;
}

function hash(a: number, b: number, c: number, d: number): number {
  const mixed =
    Math.imul(a, 0x9e37_79b1) ^ Math.imul(b, 0x85eb_ca77) ^ Math.imul(c, 0xc2b2_ae3d) ^ Math.imul(d, 0x27d4_eb2f);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/**
 * Writes the code points of string `i`, a boundary before and after, and returns how many there are. What is no UTF-8 (a
 * forged index) gives some code points or other.
 */
function paddedPoints(strings: SortedStrings, i: number, into: Int32Array): number {
  const { bytes, offsets } = strings;
  const end = offsets[i + 1]!;
  let count = 0;
  into[count++] = BOUNDARY;
  for (let at = offsets[i]!; at < end;) {
    const byte = bytes[at++]!;
    let point = byte;
    if (byte >= 0x80) {
      const more = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
      point = byte & (0x3f >> more);
      for (let left = more; left > 0 && at < end; left--) point = (point << 6) | (bytes[at++]! & 0x3f);
    }
    into[count++] = point;
  }
  into[count++] = BOUNDARY;
  if (count < GRAM) into[count++] = 0;
  return count;
}

/** Numbers the grams of one form after another. */
class FormGrams {
  /** Numbers of the form's grams, in their order. */
  readonly numbers = new Int32Array(258 + GRAM);
  readonly #points = new Int32Array(258 + GRAM);

  constructor(
    readonly strings: SortedStrings,
    readonly table: GramTable,
  ) {}

  /** @returns how many grams the form has */
  read(form: number): number {
    const { numbers, table } = this;
    const { bytes, offsets } = this.strings;
    const end = offsets[form + 1]!;
    let place = CLASSES[BOUNDARY]!;
    let length = 1;
    let count = 0;
    for (let at = offsets[form]!; at <= end; at++) {
      const letter = CLASSES[at === end ? BOUNDARY : bytes[at]!]!;
      if (letter === 0) return this.#readPoints(form);
      place = (place % BEGINNINGS) * BASE + letter;
      if (++length >= GRAM) numbers[count++] = table.at(place);
    }
    return length < GRAM ? this.#readPoints(form) : count;
  }

  /** Forms in other scripts, and those of one letter. */
  #readPoints(form: number): number {
    const points = this.#points;
    const count = paddedPoints(this.strings, form, points) - GRAM + 1;
    for (let i = 0; i < count; i++)
      this.numbers[i] = this.table.add(points[i]!, points[i + 1]!, points[i + 2]!, points[i + 3]!);
    return count;
  }
}

/** One list of forms, ascending, for each gram that was asked. */
export type FormsByGram = readonly Uint32Array[];

/** A growing list of forms. */
interface FormList {
  forms: Uint32Array;
  count: number;
}

function append(list: FormList, form: number): void {
  const { count } = list;
  if (count > 0 && list.forms[count - 1] === form) return;
  if (count === list.forms.length) {
    const larger = new Uint32Array(count * 2);
    larger.set(list.forms);
    list.forms = larger;
  }
  list.forms[count] = form;
  list.count = count + 1;
}

/**
 * The forms that hold each of `grams` (as `src/text/grams.ts` writes them), by reading every form once: what the first
 * question does.
 */
export function scanForGrams(strings: SortedStrings, grams: readonly string[]): FormsByGram {
  const table = new GramTable();
  const filter = new Uint8Array(FILTER);
  for (const gram of grams) {
    const points = pointsOf(gram);
    table.add(...points);
    if (points.every((point) => point < 0x80)) filter[filterSlot(packed(points))] = 1;
  }
  const found: FormList[] = grams.map(() => ({ forms: new Uint32Array(64), count: 0 }));
  const points = new Int32Array(258 + GRAM);
  const hold = (form: number, a: number, b: number, c: number, d: number): void => {
    const gram = table.find(a, b, c, d);
    if (gram >= 0) append(found[gram]!, form);
  };
  const { bytes, offsets, count } = strings;
  for (let form = 0; form < count; form++) {
    // Most forms are ASCII: the last four bytes in one number, which goes by the filter or, hardly ever, through it.
    const end = offsets[form + 1]!;
    let window = BOUNDARY;
    let at = offsets[form]!;
    const full = at + GRAM - 2;
    for (; at < end; at++) {
      const byte = bytes[at]!;
      if (byte >= 0x80) break;
      window = (window << 8) | byte;
      if (at >= full && filter[filterSlot(window)] === 1) {
        hold(form, window >>> 24, (window >>> 16) & 0xff, (window >>> 8) & 0xff, byte);
      }
    }
    if (at === end && at >= full) {
      window = (window << 8) | BOUNDARY;
      if (filter[filterSlot(window)] === 1) {
        hold(form, window >>> 24, (window >>> 16) & 0xff, (window >>> 8) & 0xff, BOUNDARY);
      }
      continue;
    }
    // Forms in other scripts, and those of one letter.
    const length = paddedPoints(strings, form, points);
    for (let i = 0; i + GRAM <= length; i++) hold(form, points[i]!, points[i + 1]!, points[i + 2]!, points[i + 3]!);
  }
  return found.map(({ forms, count }) => forms.subarray(0, count));
}

const FILTER = 1 << 16;

function filterSlot(window: number): number {
  return Math.imul(window, 0x9e37_79b1) >>> 16;
}

function packed([a, b, c, d]: readonly number[]): number {
  return (a! << 24) | (b! << 16) | (c! << 8) | d!;
}

/** Numbers kept of each gram while the index is made, side by side: most of the time goes into reaching them. */
const KEPT = 3;
/** How many forms hold the gram; bytes of its list, and later where the next one goes; the last of its forms so far, + 1. */
const [COUNT, BYTES, LAST] = [0, 1, 2];

/** Counts the forms of each gram, and the bytes that their list takes. */
function countForms(grams: FormGrams): Uint32Array {
  let kept = new Uint32Array(KEPT << 10);
  for (let form = 0; form < grams.strings.count; form++) {
    const count = grams.read(form);
    for (let i = 0; i < count; i++) {
      const gram = KEPT * grams.numbers[i]!;
      if (gram >= kept.length) {
        const larger = new Uint32Array(2 * kept.length);
        larger.set(kept);
        kept = larger;
      }
      const distance = form + 1 - kept[gram + LAST]!;
      if (distance === 0) continue;
      kept[gram + COUNT]!++;
      kept[gram + BYTES]! += varintLength(distance);
      kept[gram + LAST] = form + 1;
    }
  }
  return kept;
}

/**
 * The forms of a lexicon by gram, kept in memory by a server that answers more than one question. A list holds the distances
 * from form to form as varints, a third of what their numbers take; the forms are gone through twice, so that making it
 * takes no more than it is.
 */
export class GramIndex {
  readonly #table = new GramTable();
  readonly #counts: Uint32Array;
  readonly #starts: Uint32Array;
  readonly #lists: Uint8Array;
  /** Where lists are decoded, used again by the next question. */
  #room = new Uint32Array(0);

  constructor(strings: SortedStrings) {
    const table = this.#table;
    const grams = new FormGrams(strings, table);
    const kept = countForms(grams);
    this.#counts = new Uint32Array(table.count);
    const starts = (this.#starts = new Uint32Array(table.count));
    let end = 0;
    for (let gram = 0; gram < table.count; gram++) {
      this.#counts[gram] = kept[KEPT * gram + COUNT]!;
      starts[gram] = end;
      end += kept[KEPT * gram + BYTES]!;
      kept[KEPT * gram + BYTES] = starts[gram]!;
      kept[KEPT * gram + LAST] = 0;
    }
    const lists = (this.#lists = new Uint8Array(end));
    for (let form = 0; form < strings.count; form++) {
      const count = grams.read(form);
      for (let i = 0; i < count; i++) {
        const gram = KEPT * grams.numbers[i]!;
        const distance = form + 1 - kept[gram + LAST]!;
        if (distance === 0) continue;
        kept[gram + BYTES] = putVarint(lists, kept[gram + BYTES]!, distance);
        kept[gram + LAST] = form + 1;
      }
    }
  }

  /** The same answer as {@link scanForGrams}; it is overwritten by the next one. */
  find(grams: readonly string[]): FormsByGram {
    const numbers = grams.map((gram) => this.#table.find(...pointsOf(gram)));
    const all = numbers.reduce((sum, gram) => sum + (gram < 0 ? 0 : this.#counts[gram]!), 0);
    if (all > this.#room.length) this.#room = new Uint32Array(all + (all >> 1));
    let from = 0;
    return numbers.map((gram) => {
      const list = this.#room.subarray(from, from + (gram < 0 ? 0 : this.#counts[gram]!));
      from += list.length;
      if (gram >= 0) this.#decode(this.#starts[gram]!, list);
      return list;
    });
  }

  #decode(start: number, into: Uint32Array): void {
    const lists = this.#lists;
    let at = start;
    let form = -1;
    for (let i = 0; i < into.length; i++) {
      let byte = lists[at++]!;
      let distance = byte & 0x7f;
      for (let shift = 7; byte >= 0x80; shift += 7) {
        byte = lists[at++]!;
        distance |= (byte & 0x7f) << shift;
      }
      into[i] = form += distance;
    }
  }
}

function pointsOf(gram: string): [number, number, number, number] {
  const [a = 0, b = 0, c = 0, d = 0] = Array.from(gram, (character) => character.codePointAt(0)!);
  return [a, b, c, d];
}
