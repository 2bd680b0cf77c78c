import type { FormFinder, WordIndex } from "./dictionary.js";
import { compareStrings, findString, stringKey, type SortedStrings } from "./front-coding.js";

const encoder = new TextEncoder();

/**
 * The forms of all mounted packages, each once. Likeness is judged on this union, so that splitting a collection into
 * packages changes neither the weight of a gram nor which forms are most alike.
 */
export class Lexicon {
  readonly forms: SortedStrings;
  /** By package: which forms occur there. Absent where there is one package: all do. */
  readonly #members: readonly Members[] | undefined;
  /** By package: what it finds its forms with. They live as long as this. */
  readonly #finders: readonly FormFinder[] = [];

  constructor(indexes: readonly WordIndex[]) {
    const [only] = indexes;
    if (only !== undefined && indexes.length === 1) {
      this.forms = only.forms;
      return;
    }
    const { forms, members } = merge(indexes.map((index) => index.forms));
    this.forms = forms;
    this.#members = members;
    this.#finders = members.map((own) => ({
      find: (form) => {
        const number = findString(forms, form);
        return number < 0 ? -1 : own.rank(number);
      },
    }));
    indexes.forEach((index, i) => {
      index.releaseForms(this.#finders[i]!);
    });
  }

  /** Number of `form` in package `index`, or -1. */
  local(index: number, form: number): number {
    return this.#members === undefined ? form : this.#members[index]!.rank(form);
  }

  /** The number of a form, or -1. */
  find(form: string): number {
    return findString(this.forms, encoder.encode(form));
  }
}

/** Forms in a word of bits. */
const WORD = 32;

/**
 * Which of the lexicon's forms a package has. Both lists are in one order, so that a form's number there is how many of the
 * package's stand before it: two bits a form, where tables of the numbers took 64.
 */
class Members {
  readonly #bits: Uint32Array;
  /** By word of bits: how many forms of the package stand before it. */
  #before = new Uint32Array(0);

  /** @param most forms that may come to be in the lexicon */
  constructor(most: number) {
    this.#bits = new Uint32Array(Math.ceil(most / WORD));
  }

  add(form: number): void {
    this.#bits[form >>> 5]! |= 1 << (form & 31);
  }

  /** The same for a lexicon of `count` forms, ready to be asked. */
  finished(count: number): Members {
    const members = new Members(count);
    members.#bits.set(this.#bits.subarray(0, members.#bits.length));
    const before = (members.#before = new Uint32Array(members.#bits.length));
    for (let i = 1; i < before.length; i++) before[i] = before[i - 1]! + bitCount(members.#bits[i - 1]!);
    return members;
  }

  /** How many of the package's forms stand before this one of the lexicon, or -1 where it is none of them. */
  rank(form: number): number {
    const word = this.#bits[form >>> 5]!;
    const bit = 1 << (form & 31);
    return (word & bit) === 0 ? -1 : this.#before[form >>> 5]! + bitCount(word & (bit - 1));
  }
}

/** How many bits of a word are set (Warren, Hacker's Delight, §5-1). */
function bitCount(word: number): number {
  let count = word - ((word >>> 1) & 0x5555_5555);
  count = (count & 0x3333_3333) + ((count >>> 2) & 0x3333_3333);
  return Math.imul((count + (count >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

/** One list on its way into the lexicon: where it stands, and the beginning of its next string as a number. */
class Source {
  readonly members: Members;
  next = 0;
  key: number;

  constructor(
    readonly strings: SortedStrings,
    most: number,
  ) {
    this.members = new Members(most);
    this.key = strings.count === 0 ? Infinity : stringKey(strings, 0);
  }

  step(): void {
    this.next++;
    this.key = this.next === this.strings.count ? Infinity : stringKey(this.strings, this.next);
  }

  /** Order of the next strings of two lists, neither of which is at its end. */
  compare(other: Source): number {
    return this.key - other.key || compareStrings(this.strings, this.next, other.strings, other.next);
  }
}

/** The lists as one. Where each string is from is noted first and its bytes are copied then: room for all lists took 90 MB of ten. */
function merge(lists: readonly SortedStrings[]): { forms: SortedStrings; members: Members[] } {
  const total = lists.reduce((sum, list) => sum + list.count, 0);
  const sources = lists.map((list) => new Source(list, total));
  const origins = new Uint16Array(total);
  const places = new Uint32Array(total);
  let count = 0;
  let length = 0;
  for (;;) {
    let least: Source | undefined;
    let origin = 0;
    for (let i = 0; i < sources.length; i++) {
      const source = sources[i]!;
      if (source.key === Infinity || (least !== undefined && source.compare(least) >= 0)) continue;
      least = source;
      origin = i;
    }
    if (least === undefined) break;
    origins[count] = origin;
    places[count] = least.next;
    length += least.strings.offsets[least.next + 1]! - least.strings.offsets[least.next]!;
    const { key } = least;
    for (const source of sources) {
      if (source === least || source.key !== key || source.compare(least) !== 0) continue;
      source.members.add(count);
      source.step();
    }
    least.members.add(count);
    least.step();
    count++;
  }
  return {
    forms: copied(lists, origins, places, count, length),
    members: sources.map(({ members }) => members.finished(count)),
  };
}

/** `count` strings of `length` bytes in all: each from its list, at its place there. */
function copied(
  lists: readonly SortedStrings[],
  origins: Uint16Array,
  places: Uint32Array,
  count: number,
  length: number,
): SortedStrings {
  const bytes = new Uint8Array(length);
  const offsets = new Uint32Array(count + 1);
  let end = 0;
  for (let form = 0; form < count; form++) {
    const from = lists[origins[form]!]!;
    const stop = from.offsets[places[form]! + 1]!;
    for (let at = from.offsets[places[form]!]!; at < stop; at++) bytes[end++] = from.bytes[at]!;
    offsets[form + 1] = end;
  }
  return { count, bytes, offsets };
}
