import { concatBytes } from "@noble/hashes/utils.js";
import { MdcxError } from "../errors.js";
import type { Overflow } from "../format/overflow.js";
import { loadStemmer, STEMMED_LANGUAGES } from "../text/stems.js";
import { compareCodePoints } from "../text/code-points.js";
import { FormTable, type FormList } from "../text/forms.js";
import { DictionaryWriter, WORD_INDEX_VERSION } from "./dictionary-writer.js";
import { editKey, editOf, type StemEdit } from "./stem-edits.js";
import { PostingLog } from "./posting-log.js";
import { GREATEST_FREQUENCY } from "./postings.js";
import { ByteWriter, pairLength, putPair } from "./varint.js";

/**
 * Posting lists of up to this many bytes stand in the dictionary itself: rare forms are what a likeness finds, and they
 * then cost no page of their own.
 */
export const LONGEST_INLINE = 12;

/** The streams of a finished word index (spec/words.md), to be stored in the image, and the facts for its `meta`. */
export interface BuiltWordIndex {
  readonly dictionary: Uint8Array;
  readonly postings: Uint8Array;
  readonly lengths: Uint8Array;
  readonly meta: Readonly<Record<string, string>>;
}

/** The same, its posting lists in pieces that are made as they are taken, once: together they may not fit into memory. */
export type WordIndexInPieces = Omit<BuiltWordIndex, "postings"> & { readonly postings: Iterable<Uint8Array> };

/**
 * What is kept of a form, side by side because a word of the text needs it all: the number behind the last passage in
 * which it occurred, its occurrences in the passage that is being added, its passages, the bytes of its postings, the
 * number behind its first language.
 */
const LAST = 0;
const COUNT = 1;
const DOCUMENTS = 2;
const BYTES = 3;
const LANGUAGE = 4;
const FIELDS = 5;

/** Bytes of posting lists that are put into order at once. */
const MOST_ORDERED = 2 ** 30;
/** Of the room outside of which an index overflows, what posting lists may take while they are put into order. */
const ORDERED_SHARE = 1 / 2;

/**
 * Collects the words of passages and writes the word index. Postings are kept as one compact log in order of arrival
 * and put into order of forms at the end, so that memory stays near the size of the finished index.
 */
export class WordIndexBuilder {
  /** The forms of all passages; reads the texts that are added. */
  readonly forms = new FormTable();
  #fields = new Int32Array(FIELDS << 12);
  /** `form * 65536 + language` of every further language of a form. */
  readonly #furtherLanguages = new Set<number>();
  readonly #languages: string[] = [];
  readonly #lengths = new ByteWriter();
  readonly #log: PostingLog;
  readonly #mostOrdered: number;
  #touched = new Int32Array(1 << 12);
  #passages = 0;
  #words = 0;
  #built = false;

  /** @param overflow takes what does not fit into memory; everything stays there without one */
  constructor(overflow?: Overflow) {
    this.#log = new PostingLog(overflow);
    this.#mostOrdered = Math.min(MOST_ORDERED, (overflow?.room ?? Infinity) * ORDERED_SHARE);
  }

  /**
   * Adds the words of one passage.
   * @param passage its number; passages are added in ascending order, from 0, without a gap
   * @param parts its forms by their numbers in `forms`: of its headings, of its text
   * @param language BCP 47 primary subtag, or "und"
   */
  add(passage: number, parts: readonly FormList[], language: string): void {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    this.#begin(passage, length);
    if (length > this.#touched.length) this.#touched = new Int32Array(length * 2);
    const touched = this.#touched;
    const fields = this.#fields;
    let distinct = 0;
    for (const part of parts) {
      for (const form of part.numbers) {
        if (fields[form * FIELDS + COUNT]!++ === 0) touched[distinct++] = form;
      }
    }
    this.#writePassage(passage, distinct, this.#languageNumber(language));
  }

  /**
   * Adds a passage whose words were counted.
   * @param length its words
   * @param pairs each of its forms, by its number in `forms`, with its occurrences
   */
  addCounted(passage: number, length: number, pairs: Int32Array, language: string): void {
    this.#begin(passage, length);
    const distinct = pairs.length / 2;
    if (distinct > this.#touched.length) this.#touched = new Int32Array(pairs.length);
    for (let i = 0; i < distinct; i++) {
      const form = pairs[2 * i]!;
      this.#touched[i] = form;
      this.#fields[form * FIELDS + COUNT] = pairs[2 * i + 1]!;
    }
    this.#writePassage(passage, distinct, this.#languageNumber(language));
  }

  #begin(passage: number, length: number): void {
    if (passage !== this.#passages || this.#built) {
      throw new MdcxError("internal", `Passage ${passage} was added to the word index out of order.`);
    }
    this.#reserve(this.forms.count);
    this.#passages++;
    this.#words += length;
    this.#lengths.varint(length);
  }

  #languageNumber(language: string): number {
    const known = this.#languages.indexOf(language);
    return known >= 0 ? known : this.#languages.push(language) - 1;
  }

  #reserve(forms: number): void {
    if (forms * FIELDS <= this.#fields.length) return;
    const larger = new Int32Array(Math.ceil(1.5 * forms) * FIELDS);
    larger.set(this.#fields);
    this.#fields = larger;
  }

  #writePassage(passage: number, distinct: number, language: number): void {
    const log = this.#log;
    log.begin(distinct);
    const touched = this.#touched;
    const fields = this.#fields;
    for (let i = 0; i < distinct; i++) {
      const form = touched[i]!;
      const field = form * FIELDS;
      const frequency = Math.min(fields[field + COUNT]!, GREATEST_FREQUENCY);
      fields[field + COUNT] = 0;
      log.pair(form, frequency);
      fields[field + BYTES]! += pairLength(passage - fields[field + LAST]!, frequency);
      fields[field + LAST] = passage + 1;
      fields[field + DOCUMENTS]!++;
      const known = fields[field + LANGUAGE]!;
      if (known === language + 1) continue;
      if (known === 0) fields[field + LANGUAGE] = language + 1;
      else this.#furtherLanguages.add(form * 65_536 + language);
    }
  }

  /** Writes the streams. Nothing can be added afterwards. */
  async build(): Promise<BuiltWordIndex> {
    const { postings, ...rest } = await this.buildInPieces();
    const pieces = [...postings];
    return { ...rest, postings: pieces.length === 1 ? pieces[0]! : concatBytes(...pieces) };
  }

  /** Writes the streams in no more memory than there is room for. Nothing can be added afterwards. */
  async buildInPieces(): Promise<WordIndexInPieces> {
    this.#built = true;
    this.forms.finish();
    const order = this.#sortedForms();
    const forms = Array.from(order, (form) => this.forms.list[form]!);
    const stems = await this.#stems(forms, order);
    const { inline, runs } = this.#runs(order);
    // The log is played once where all lists fit.
    const first = this.#play([...(runs[0] ?? []), ...inline]);

    const dictionary = new DictionaryWriter();
    for (let i = 0; i < forms.length; i++) {
      const form = order[i]!;
      const size = this.#fields[form * FIELDS + BYTES]!;
      dictionary.form(
        utf8(forms[i]!),
        stems.used.subarray(stems.starts[i], stems.starts[i + 1]),
        this.#fields[form * FIELDS + DOCUMENTS]!,
        size <= LONGEST_INLINE ? first.of(form, size) : size,
      );
    }
    return {
      dictionary: dictionary.finish(stems.languages, stems.edits),
      postings: this.#ordered(first, runs),
      lengths: this.#lengths.view(),
      meta: {
        "words.index": String(WORD_INDEX_VERSION),
        "words.passages": String(this.#passages),
        "words.forms": String(forms.length),
        "words.total": String(this.#words),
      },
    };
  }

  /**
   * The numbers of the forms that occur, in the byte order of their UTF-8. The order of UTF-16 units, which JavaScript
   * sorts by at once, is another only where surrogates meet units above them.
   */
  #sortedForms(): Int32Array {
    const { list: forms } = this.forms;
    const numbers = Array.from(forms, (_, number) => number).filter(
      (number) => this.#fields[number * FIELDS + DOCUMENTS]! > 0,
    );
    const has = (units: RegExp): boolean => numbers.some((number) => units.test(forms[number]!));
    const mixed = has(/[\uD800-\uDFFF]/) && has(/[\uE000-\uFFFF]/);
    const byUnits = (a: string, b: string): number => (a < b ? -1 : 1);
    const compare = mixed ? compareCodePoints : byUnits;
    return Int32Array.from(numbers.sort((a, b) => compare(forms[a]!, forms[b]!)));
  }

  /**
   * Languages and stem edits, the most used first, and for each form the numbers of its edits: those of form `i` are
   * `used` from `starts[i]` to `starts[i + 1]`.
   */
  async #stems(
    forms: readonly string[],
    order: Int32Array,
  ): Promise<{
    readonly languages: readonly string[];
    readonly edits: readonly StemEdit[];
    readonly starts: Uint32Array;
    readonly used: Uint32Array;
  }> {
    const names = this.#languages.filter((language) => STEMMED_LANGUAGES.includes(language)).sort();
    const stemmers = await Promise.all(names.map(loadStemmer));
    /** Place in `names` by the number given while adding; -1 where a language has no stemmer. */
    const places = this.#languages.map((language) => names.indexOf(language));
    const further = new Map<number, number[]>();
    for (const pair of this.#furtherLanguages) {
      const form = Math.floor(pair / 65_536);
      const list = further.get(form);
      if (list === undefined) further.set(form, [pair % 65_536]);
      else list.push(pair % 65_536);
    }
    this.#furtherLanguages.clear();

    const numbers = new Map<string, number>();
    /** Numbers of the edits that only drop an ending, by language and its length: most stems are of this kind. */
    const endings = new Map<number, number>();
    const edits: { readonly key: string; readonly edit: StemEdit; uses: number }[] = [];
    const starts = new Uint32Array(forms.length + 1);
    const used: number[] = [];
    forms.forEach((form, i) => {
      const id = order[i]!;
      const own = [this.#fields[id * FIELDS + LANGUAGE]! - 1, ...(further.get(id) ?? [])]
        .map((language) => places[language]!)
        .filter((place) => place >= 0)
        .sort((a, b) => a - b);
      const bytes = utf8(form);
      for (const place of own) {
        const stem = stemmers[place]!(form);
        const ending = bytes.length === form.length && form.startsWith(stem) ? form.length - stem.length : undefined;
        let number = ending === undefined ? undefined : endings.get(place * 256 + ending);
        if (number === undefined) {
          const edit = editOf(place, bytes, utf8(stem));
          const key = editKey(edit);
          number = numbers.get(key);
          if (number === undefined) {
            numbers.set(key, (number = edits.length));
            edits.push({ key, edit, uses: 0 });
          }
          if (ending !== undefined) endings.set(place * 256 + ending, number);
        }
        edits[number]!.uses++;
        used.push(number);
      }
      starts[i + 1] = used.length;
    });

    const sorted = [...edits].sort((a, b) => b.uses - a.uses || (a.key < b.key ? -1 : 1));
    const rank = new Map(sorted.map(({ key }, place) => [numbers.get(key)!, place]));
    return {
      languages: names,
      edits: sorted.map(({ edit }) => edit),
      starts,
      used: Uint32Array.from(used, (number) => rank.get(number)!),
    };
  }

  /** Forms whose lists are put into order together, in the order of `order`: those of the dictionary, and of the stream. */
  #runs(order: Int32Array): { inline: number[]; runs: number[][] } {
    const inline: number[] = [];
    const runs: number[][] = [];
    let room = 0;
    for (const form of order) {
      const size = this.#fields[form * FIELDS + BYTES]!;
      if (size <= LONGEST_INLINE) {
        inline.push(form);
        continue;
      }
      if (size > room) {
        runs.push([]);
        room = this.#mostOrdered;
      }
      runs.at(-1)!.push(form);
      room -= size;
    }
    return { inline, runs };
  }

  *#ordered(first: PostingLists, runs: readonly (readonly number[])[]): Generator<Uint8Array> {
    const sizeOf = (form: number): number => this.#fields[form * FIELDS + BYTES]!;
    for (const [i, run] of runs.entries()) {
      if (i > 0) yield this.#play(run).bytes;
      else
        yield first.bytes.subarray(
          0,
          run.reduce((sum, form) => sum + sizeOf(form), 0),
        );
    }
    this.#log.clear();
  }

  /** Plays the log back into the posting lists of some forms, one behind the other. */
  #play(run: readonly number[]): PostingLists {
    const fields = this.#fields;
    // By form: a form that was read and never added has a number too, and that of another run has no place.
    const next = new Float64Array(this.forms.count).fill(-1);
    let total = 0;
    for (const form of run) {
      next[form] = total;
      total += fields[form * FIELDS + BYTES]!;
      fields[form * FIELDS + LAST] = 0;
    }
    const starts = next.slice();
    const bytes = new Uint8Array(total);
    this.#log.play((form, frequency, passage) => {
      const at = next[form]!;
      if (at < 0) return;
      next[form] = putPair(bytes, at, passage - fields[form * FIELDS + LAST]!, frequency);
      fields[form * FIELDS + LAST] = passage + 1;
    });
    return { bytes, of: (form, size) => bytes.subarray(starts[form], starts[form]! + size) };
  }
}

/** Posting lists of some forms, one behind the other. */
interface PostingLists {
  readonly bytes: Uint8Array;
  of(form: number, size: number): Uint8Array;
}

const encoder = new TextEncoder();

/** The bytes of a form. Most are short and ASCII, for which a call into the encoder takes ten times as long. */
function utf8(form: string): Uint8Array {
  const bytes = new Uint8Array(form.length);
  for (let i = 0; i < form.length; i++) {
    const unit = form.charCodeAt(i);
    if (unit >= 0x80) return encoder.encode(form);
    bytes[i] = unit;
  }
  return bytes;
}
