import type { SortedStrings } from "./front-coding.js";

/** Characters in a gram. */
const GRAM = 4;
const BOUNDARY = 0x5f;

/**
 * Grams by number. A gram is four code points, 0 standing for the missing fourth of `_a_`; two of them fit exactly into
 * one double (42 bits), so a gram is found by two of those.
 */
class GramTable {
  #slots = new Int32Array(1 << 10).fill(-1);
  #first = new Float64Array(1 << 9);
  #second = new Float64Array(1 << 9);
  count = 0;

  /** The number of a gram, or -1. */
  find(a: number, b: number, c: number, d: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    const first = a * 0x20_0000 + b;
    const second = c * 0x20_0000 + d;
    for (let slot = hash(a, b, c, d) & mask; ; slot = (slot + 1) & mask) {
      const number = slots[slot]!;
      if (number < 0 || (this.#first[number] === first && this.#second[number] === second)) return number;
    }
  }

  /** The number of a gram, a new one where it has none. */
  add(a: number, b: number, c: number, d: number): number {
    const known = this.find(a, b, c, d);
    if (known >= 0) return known;
    if (this.count === this.#first.length) this.#grow();
    this.#first[this.count] = a * 0x20_0000 + b;
    this.#second[this.count] = c * 0x20_0000 + d;
    this.#place(hash(a, b, c, d), this.count);
    return this.count++;
  }

  #place(hashed: number, number: number): void {
    const mask = this.#slots.length - 1;
    let slot = hashed & mask;
    while (this.#slots[slot]! >= 0) slot = (slot + 1) & mask;
    this.#slots[slot] = number;
  }

  #grow(): void {
    this.#first = doubled(this.#first);
    this.#second = doubled(this.#second);
    this.#slots = new Int32Array(this.#slots.length * 2).fill(-1);
    for (let number = 0; number < this.count; number++) {
      const [first, second] = [this.#first[number]!, this.#second[number]!];
      const a = Math.floor(first / 0x20_0000);
      const c = Math.floor(second / 0x20_0000);
      this.#place(hash(a, first - a * 0x20_0000, c, second - c * 0x20_0000), number);
    }
  }
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

/**
 * Goes through the forms in their order and says where each differs from the one before: neighbours share most of their
 * grams, which need not be looked up again.
 */
class FormWalk {
  points = new Int32Array(258 + GRAM);
  #previous = new Int32Array(258 + GRAM);
  /** Code points of the present form, its boundaries included. */
  count = 0;
  /** Number of the first gram that does not lie within what it shares with the form before. */
  fresh = 0;

  constructor(readonly strings: SortedStrings) {}

  move(form: number): void {
    const previous = this.points;
    const points = this.#previous;
    const before = this.count;
    const count = paddedPoints(this.strings, form, points);
    let shared = 0;
    const most = Math.min(before, count);
    while (shared < most && points[shared] === previous[shared]) shared++;
    this.#previous = previous;
    this.points = points;
    this.count = count;
    this.fresh = Math.max(0, shared - GRAM + 1);
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

/** The forms of a lexicon by gram, kept in memory by a server that answers more than one question. */
export class GramIndex {
  readonly #table = new GramTable();
  readonly #starts: Uint32Array;
  readonly #forms: Uint32Array;

  constructor(strings: SortedStrings) {
    const grams = new Uint32Array(strings.bytes.length + 2 * strings.count);
    const ends = new Uint32Array(strings.count);
    const table = this.#table;
    const walk = new FormWalk(strings);
    let total = 0;
    for (let form = 0; form < strings.count; form++) {
      walk.move(form);
      const { points, count, fresh } = walk;
      // What is shared has the numbers that stand where the form before has its own.
      const before = form === 0 ? 0 : (ends[form - 2] ?? 0);
      for (let i = 0; i < fresh && i + GRAM <= count; i++) grams[total++] = grams[before + i]!;
      for (let i = fresh; i + GRAM <= count; i++) {
        grams[total++] = table.add(points[i]!, points[i + 1]!, points[i + 2]!, points[i + 3]!);
      }
      ends[form] = total;
    }
    const { starts, forms } = invert(grams, ends, table.count);
    this.#starts = starts;
    this.#forms = forms;
  }

  /** The same answer as {@link scanForGrams}. */
  find(grams: readonly string[]): FormsByGram {
    return grams.map((gram) => {
      const number = this.#table.find(...pointsOf(gram));
      return number < 0 ? new Uint32Array(0) : this.#forms.subarray(this.#starts[number], this.#starts[number + 1]);
    });
  }
}

/** From the grams of each form, which end at `ends`, to the forms of each gram, each form once. */
function invert(grams: Uint32Array, ends: Uint32Array, count: number): { starts: Uint32Array; forms: Uint32Array } {
  const starts = new Uint32Array(count + 1);
  const last = new Int32Array(count).fill(-1);
  for (let form = 0, at = 0; form < ends.length; form++) {
    for (; at < ends[form]!; at++) {
      const gram = grams[at]!;
      if (last[gram] === form) continue;
      last[gram] = form;
      starts[gram + 1]!++;
    }
  }
  for (let gram = 0; gram < count; gram++) starts[gram + 1]! += starts[gram]!;
  const forms = new Uint32Array(starts[count]!);
  const next = starts.slice();
  last.fill(-1);
  for (let form = 0, at = 0; form < ends.length; form++) {
    for (; at < ends[form]!; at++) {
      const gram = grams[at]!;
      if (last[gram] === form) continue;
      last[gram] = form;
      forms[next[gram]!++] = form;
    }
  }
  return { starts, forms };
}

function pointsOf(gram: string): [number, number, number, number] {
  const [a = 0, b = 0, c = 0, d = 0] = Array.from(gram, (character) => character.codePointAt(0)!);
  return [a, b, c, d];
}
