import type { Overflow } from "./format/overflow.js";
import type { PassageTexts } from "./passage-texts.js";
import { FormList, type FormTable } from "./text/forms.js";
import { WordIndexBuilder, type BuiltWordIndex, type WordIndexInPieces } from "./words/builder.js";
import { WordCounter } from "./words/counts.js";

/**
 * The word index of passages in the making: of each its title, the headings over it, its table's header and its text are
 * indexed (DESIGN §4).
 */
export class PassageWords {
  readonly #builder: WordIndexBuilder;
  readonly #forms: PassageForms;
  /** By who counted: its number of each form → the one of the index. */
  readonly #numbers = new Map<number, number[]>();

  constructor(overflow?: Overflow) {
    this.#builder = new WordIndexBuilder(overflow);
    this.#forms = new PassageForms(this.#builder.forms);
  }

  /** What counts passages for this index in the same thread: its forms need no numbers of their own. */
  counter(): PassageCounter {
    return new PassageCounter(this.#builder.forms);
  }

  /**
   * Adds a passage.
   * @param passage its number; passages are added in ascending order, from 0, without a gap
   * @param language of its document: BCP 47 primary subtag, or "und"
   */
  add(passage: number, texts: PassageTexts, language: string): void {
    this.#builder.add(passage, this.#forms.of(texts), language);
  }

  /**
   * Takes over forms that another table has met since the last time.
   * @param table which
   * @param first number of the first of them there; 0 where that table was begun anew
   */
  learn(table: number, first: number, forms: readonly string[]): void {
    let numbers = this.#numbers.get(table);
    if (numbers === undefined || first === 0) this.#numbers.set(table, (numbers = []));
    for (const form of forms) numbers.push(this.#builder.forms.number(form));
  }

  /**
   * Adds passages that were counted.
   * @param passage number of the first of them
   * @param table whose numbers the forms have; this index's own where it is not given
   * @returns the number behind the last of them
   */
  addCounted(passage: number, counts: Int32Array, language: string, table?: number): number {
    const numbers = table === undefined ? undefined : this.#numbers.get(table);
    let next = passage;
    for (let at = 0; at < counts.length; next++) {
      const [words, distinct] = [counts[at]!, counts[at + 1]!];
      const pairs = counts.subarray(at + 2, at + 2 + 2 * distinct);
      if (numbers !== undefined) for (let i = 0; i < pairs.length; i += 2) pairs[i] = numbers[pairs[i]!]!;
      this.#builder.addCounted(next, words, pairs, language);
      at += 2 + pairs.length;
    }
    return next;
  }

  /** Writes the streams of the index. Nothing can be added afterwards. */
  build(): Promise<BuiltWordIndex> {
    return this.#builder.build();
  }

  /** The same in no more memory than there is room for. */
  buildInPieces(): Promise<WordIndexInPieces> {
    return this.#builder.buildInPieces();
  }
}

/** Counts the words of passages as {@link PassageWords} indexes them. */
export class PassageCounter {
  readonly #counter: WordCounter;
  readonly #forms: PassageForms;

  constructor(table?: FormTable) {
    this.#counter = new WordCounter(table);
    this.#forms = new PassageForms(this.#counter.forms);
  }

  /** The counts of passages, in their order. */
  count(passages: Iterable<PassageTexts>): Int32Array<ArrayBuffer> {
    for (const texts of passages) this.#counter.add(this.#forms.of(texts));
    return this.#counter.take();
  }

  /** The forms that are new since the last time. */
  takeForms(): string[] {
    return this.#counter.takeForms();
  }
}

/** The forms of a passage. Neighbours have title and headings in common, so these are read once. */
class PassageForms {
  readonly #title: Remembered;
  readonly #headings: Remembered;
  readonly #own = new FormList();

  constructor(private readonly table: FormTable) {
    this.#title = new Remembered(table);
    this.#headings = new Remembered(table);
  }

  of({ title, headings, header, own }: PassageTexts): readonly FormList[] {
    this.table.read(header, this.#own.clear());
    this.table.read(own, this.#own);
    return [this.#title.formsOf(title), this.#headings.formsOf(headings.join("\n")), this.#own];
  }
}

/** The forms of the text that was asked for last. */
class Remembered {
  readonly #forms = new FormList();
  #text = "";

  constructor(private readonly table: FormTable) {}

  formsOf(text: string): FormList {
    if (text !== this.#text) {
      this.table.read(text, this.#forms.clear());
      this.#text = text;
    }
    return this.#forms;
  }
}
