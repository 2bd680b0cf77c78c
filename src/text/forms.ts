/**
 * The forms of a corpus by number. It gives what `indexWords` gives, as numbers: a word that was seen before costs one
 * look-up by its characters, without a string being made of it. A corpus says most of its words many times.
 */
import {
  charactersOf,
  compose,
  detached,
  forEachRun,
  HANGUL,
  normaliseWord,
  pushForm,
  pushPairs,
  SPACED,
} from "./words.js";

/** Numbers of forms, as they stand in a text; used again for the next one. */
export class FormList {
  #numbers = new Int32Array(256);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The numbers; a view that holds until the list changes. */
  get numbers(): Int32Array {
    return this.#numbers.subarray(0, this.#length);
  }

  push(number: number): void {
    if (this.#length === this.#numbers.length) this.#numbers = doubled(this.#numbers);
    this.#numbers[this.#length++] = number;
  }

  clear(): this {
    this.#length = 0;
    return this;
  }
}

/** Numbers that are kept of a spelling: its hash, where its characters begin, how many, and its form. */
const HASH = 0;
const START = 1;
const LENGTH = 2;
const FORM = 3;
const RECORD = 4;

/** In the place of a form: the spelling is a Korean word with its pairs, or a word over the greatest length. */
const SEVERAL = -1;

export class FormTable {
  readonly #forms: string[] = [];
  /** Open addressing: the spelling in each slot, -1 where there is none. A power of two, at most half full. */
  #slots = new Int32Array(1 << 15).fill(-1);
  #records = new Int32Array(RECORD << 14);
  #spellings = 0;
  #characters = new Uint16Array(1 << 17);
  #used = 0;
  readonly #several = new Map<number, readonly number[]>();
  /** Numbers of the Korean words that are spellings of several forms, which the table above cannot hold as well. */
  readonly #words = new Map<string, number>();

  /** How many forms there are. */
  get count(): number {
    return this.#forms.length;
  }

  /** The forms by their numbers, in the order in which they were first seen. */
  get list(): readonly string[] {
    return this.#forms;
  }

  /** Appends the forms of `text` in its order: the numbers of what `indexWords` gives. */
  read(text: string, into: FormList): void {
    const composed = compose(text);
    forEachRun(composed, (start, end, kind, plain) => {
      if (kind === SPACED || kind === HANGUL) this.#readSpelling(composed, start, end, kind, into);
      else if (plain) {
        for (let at = start; at < end; at++) {
          this.#readSpelling(composed, at, at + 1, kind, into);
          if (at + 1 < end) this.#readSpelling(composed, at, at + 2, kind, into);
        }
      } else {
        const characters = charactersOf(composed.slice(start, end), false);
        characters.forEach((character, i) => {
          into.push(this.number(character));
          if (i + 1 < characters.length) into.push(this.number(character + characters[i + 1]!));
        });
      }
    });
  }

  /** The number of a form that is in normal form, a new one where it was not seen before. */
  number(form: string): number {
    const spelling = this.#find(form, 0, form.length, hashOf(form, 0, form.length));
    const known = spelling < 0 ? undefined : this.#records[spelling * RECORD + FORM]!;
    if (known !== undefined && known !== SEVERAL) return known;
    if (known === SEVERAL) return this.#wordNumber(form);
    const number = this.#newForm(form);
    // A form is the spelling of itself.
    this.#keep(form, 0, form.length, [number]);
    return number;
  }

  #wordNumber(word: string): number {
    let number = this.#words.get(word);
    if (number === undefined) {
      number = this.#newForm(word);
      this.#words.set(this.#forms[number]!, number);
    }
    return number;
  }

  #newForm(form: string): number {
    return this.#forms.push(detached(form)) - 1;
  }

  #readSpelling(text: string, start: number, end: number, kind: number, into: FormList): void {
    const spelling = this.#find(text, start, end, hashOf(text, start, end));
    if (spelling < 0) {
      this.#readNew(text, start, end, kind, into);
      return;
    }
    const form = this.#records[spelling * RECORD + FORM]!;
    if (form !== SEVERAL) into.push(form);
    else for (const one of this.#several.get(spelling)!) into.push(one);
  }

  #readNew(text: string, start: number, end: number, kind: number, into: FormList): void {
    const forms = this.#formsOf(text.slice(start, end), kind);
    if (this.#find(text, start, end, hashOf(text, start, end)) < 0) this.#keep(text, start, end, forms);
    for (const form of forms) into.push(form);
  }

  /** The spelling that stands in a text from `start` to `end`, or -1. */
  #find(text: string, start: number, end: number, hash: number): number {
    const slots = this.#slots;
    const records = this.#records;
    const characters = this.#characters;
    const mask = slots.length - 1;
    const length = end - start;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const spelling = slots[slot]!;
      if (spelling < 0) return -1;
      const record = spelling * RECORD;
      if (records[record + HASH] !== hash || records[record + LENGTH] !== length) continue;
      const from = records[record + START]! - start;
      let at = start;
      while (at < end && characters[from + at] === text.charCodeAt(at)) at++;
      if (at === end) return spelling;
    }
  }

  /** The forms of a run that was not seen before: a word, a Korean word with its pairs, a character or a pair. */
  #formsOf(raw: string, kind: number): number[] {
    // Of a plain run: in normal form as it is.
    if (kind !== SPACED && kind !== HANGUL) return [this.number(raw)];
    const forms: string[] = [];
    pushForm(normaliseWord(raw), forms);
    const characters = kind === HANGUL ? charactersOf(raw, false) : [];
    if (characters.length <= 2) return forms.map((form) => this.number(form));
    const pairs: string[] = [];
    pushPairs(characters, pairs);
    return [...forms.map((form) => this.#wordNumber(form)), ...pairs.map((pair) => this.number(pair))];
  }

  #keep(text: string, start: number, end: number, forms: readonly number[]): void {
    const spelling = this.#spellings++;
    const record = spelling * RECORD;
    if (record === this.#records.length) this.#records = doubled(this.#records);
    const length = end - start;
    while (this.#used + length > this.#characters.length) {
      const larger = new Uint16Array(2 * this.#characters.length);
      larger.set(this.#characters);
      this.#characters = larger;
    }
    this.#records[record + HASH] = hashOf(text, start, end);
    this.#records[record + START] = this.#used;
    this.#records[record + LENGTH] = length;
    this.#records[record + FORM] = forms.length === 1 ? forms[0]! : SEVERAL;
    if (forms.length !== 1) this.#several.set(spelling, forms);
    for (let at = start; at < end; at++) this.#characters[this.#used++] = text.charCodeAt(at);
    if (2 * this.#spellings > this.#slots.length) this.#growSlots();
    else this.#place(spelling);
  }

  #place(spelling: number): void {
    const mask = this.#slots.length - 1;
    let slot = this.#records[spelling * RECORD + HASH]! & mask;
    while (this.#slots[slot]! >= 0) slot = (slot + 1) & mask;
    this.#slots[slot] = spelling;
  }

  #growSlots(): void {
    this.#slots = new Int32Array(2 * this.#slots.length).fill(-1);
    for (let spelling = 0; spelling < this.#spellings; spelling++) this.#place(spelling);
  }

  /** Lets go of the spellings, when nothing more will be read; the forms stay. */
  finish(): void {
    this.#slots = new Int32Array(2).fill(-1);
    this.#records = new Int32Array(RECORD);
    this.#characters = new Uint16Array(1);
    this.#spellings = this.#used = 0;
    this.#several.clear();
    this.#words.clear();
  }
}

/** FNV-1a over UTF-16 units, its high bits folded in because the table takes the low ones. */
function hashOf(text: string, start: number, end: number): number {
  let hash = 0x811c_9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  return hash ^ (hash >>> 15);
}

function doubled(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * array.length);
  larger.set(array);
  return larger;
}
