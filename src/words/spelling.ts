import type { SortedStrings } from "./front-coding.js";
import { BASE, BOUNDARY, CLASSES } from "./letters.js";

/** The runs of three characters of `_form_`, each once. */
export function trigrams(form: string): string[] {
  const points = Array.from(`_${form}_`);
  return [...new Set(points.slice(2).map((point, i) => points[i]! + points[i + 1]! + point))];
}

/** How many forms hold each of some trigrams. */
export type FormsHolding = (wanted: readonly string[]) => ReadonlyMap<string, number>;

/** Code points below this, of Latin, Greek, Cyrillic, Hebrew and Arabic, make trigrams that are counted once for all. */
const NEAR = 0x800;

/**
 * How many forms hold each trigram, counted once and kept by a server that answers more than one question: 220 kB for those
 * of letters and digits. Those of far scripts are counted whenever they are asked for, by {@link formsHolding}.
 */
export class Trigrams {
  /** By place of a trigram of letters and digits. */
  readonly #counts = new Uint32Array(BASE ** 3);
  /** By key of any other of near scripts. */
  readonly #others = new Map<number, number>();

  constructor(private readonly forms: SortedStrings) {
    /** By place: the last form that was counted, + 1. */
    const last = new Uint32Array(BASE ** 3);
    const others = new Set<number>();
    for (let form = 0; form < forms.count; form++) {
      if (this.#countLetters(form, last)) continue;
      others.clear();
      walkTrigrams(forms, form, (a, b, c) => {
        const place = placeOf(a, b, c);
        if (place < 0) others.add(keyOf(a, b, c));
        else this.#count(place, form, last);
      });
      for (const key of others) this.#others.set(key, (this.#others.get(key) ?? 0) + 1);
    }
    this.#others.delete(FAR);
  }

  /** The same as {@link formsHolding} says. */
  holding(wanted: readonly string[]): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    const far: string[] = [];
    for (const trigram of wanted) {
      const [a, b, c] = Array.from(trigram, (character) => character.codePointAt(0)!);
      const place = placeOf(a!, b!, c!);
      const key = keyOf(a!, b!, c!);
      if (place < 0 && key === FAR) far.push(trigram);
      else counts.set(trigram, place < 0 ? (this.#others.get(key) ?? 0) : this.#counts[place]!);
    }
    if (far.length > 0) for (const [trigram, count] of formsHolding(this.forms, far)) counts.set(trigram, count);
    return counts;
  }

  /** Counts the trigrams of a form of letters and digits. @returns false where another character is met */
  #countLetters(form: number, last: Uint32Array): boolean {
    const { bytes, offsets } = this.forms;
    const end = offsets[form + 1]!;
    let a = 0;
    let b = CLASSES[BOUNDARY]!;
    for (let at = offsets[form]!; at <= end; at++) {
      const c = CLASSES[at === end ? BOUNDARY : bytes[at]!]!;
      if (c === 0) return false;
      if (a !== 0) this.#count((a * BASE + b) * BASE + c, form, last);
      a = b;
      b = c;
    }
    return true;
  }

  #count(place: number, form: number, last: Uint32Array): void {
    if (last[place] === form + 1) return;
    last[place] = form + 1;
    this.#counts[place]!++;
  }
}

/** The place of a trigram of letters and digits, or -1 for one with another character. */
function placeOf(a: number, b: number, c: number): number {
  if (a > 0x7f || b > 0x7f || c > 0x7f) return -1;
  const [x, y, z] = [CLASSES[a]!, CLASSES[b]!, CLASSES[c]!];
  return x === 0 || y === 0 || z === 0 ? -1 : (x * BASE + y) * BASE + z;
}

/** The key of all trigrams with a character of a far script. */
const FAR = -1;

function keyOf(a: number, b: number, c: number): number {
  return a < NEAR && b < NEAR && c < NEAR ? (a * NEAR + b) * NEAR + c : FAR;
}

/** Calls `visit` with the code points of each trigram of `_form_`, a boundary before and behind. */
function walkTrigrams(
  { bytes, offsets }: SortedStrings,
  form: number,
  visit: (a: number, b: number, c: number) => void,
): void {
  const end = offsets[form + 1]!;
  let a = 0;
  let b = BOUNDARY;
  for (let at = offsets[form]!; at <= end;) {
    // One more than there is: the boundary behind.
    let c = at === end ? BOUNDARY : bytes[at]!;
    at++;
    if (c >= 0x80) {
      const more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : 1;
      c &= 0x3f >> more;
      for (let left = more; left > 0 && at < end; left--) c = (c << 6) | (bytes[at++]! & 0x3f);
    }
    if (a !== 0) visit(a, b, c);
    a = b;
    b = c;
  }
}

const FILTER = 1 << 16;

/** How many forms hold each of `wanted`, by reading every form once: what the first question does. */
export function formsHolding(forms: SortedStrings, wanted: readonly string[]): Map<string, number> {
  const asked = wanted.map((trigram) => Array.from(trigram, (character) => character.codePointAt(0)!));
  const bySlot = new Map<number, number[]>();
  const filter = new Uint8Array(FILTER);
  asked.forEach(([a, b, c], i) => {
    const slot = slotOf(a!, b!, c!);
    filter[slot] = 1;
    bySlot.set(slot, [...(bySlot.get(slot) ?? []), i]);
  });
  const counts = new Uint32Array(wanted.length);
  const last = new Int32Array(wanted.length).fill(-1);
  const hold = (form: number, slot: number, a: number, b: number, c: number): void => {
    for (const i of bySlot.get(slot)!) {
      const [x, y, z] = asked[i]!;
      if (x !== a || y !== b || z !== c || last[i] === form) continue;
      last[i] = form;
      counts[i]!++;
    }
  };
  for (let form = 0; form < forms.count; form++) {
    walkTrigrams(forms, form, (a, b, c) => {
      const slot = slotOf(a, b, c);
      if (filter[slot] === 1) hold(form, slot, a, b, c);
    });
  }
  return new Map(wanted.map((trigram, i) => [trigram, counts[i]!]));
}

function slotOf(a: number, b: number, c: number): number {
  return (Math.imul(a, 0x9e37_79b1) ^ Math.imul(b, 0x85eb_ca77) ^ Math.imul(c, 0xc2b2_ae3d)) >>> 16;
}

/**
 * How much rarer one of two words is spelt than the other, 1 or more: of the trigrams in which they differ, the rarest of
 * each, by how many *other* forms hold it. A misread word has letters in a row that no word has; two words that are both
 * spelt like words are two words.
 *
 * @param asked no form of the dictionary
 * @param form one of the dictionary
 * @param holding how many forms of the dictionary hold each trigram of either
 */
export function rarity(
  asked: readonly string[],
  form: readonly string[],
  holding: ReadonlyMap<string, number>,
): number {
  const least = (own: readonly string[], other: readonly string[], itself: number): number =>
    Math.min(...own.filter((trigram) => !other.includes(trigram)).map((trigram) => holding.get(trigram)! - itself));
  const [a, b] = [least(asked, form, 0), least(form, asked, 1)];
  return (Math.max(a, b) + 1) / (Math.min(a, b) + 1);
}
