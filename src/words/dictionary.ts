import { LeastRecent } from "../format/least-recent.js";
import { together } from "../format/not-here-yet.js";
import type { ByteRange, ByteStream } from "../image/streams.js";
import { BLOCK_FORMS } from "./dictionary-writer.js";
import { blockOf, readHead, wantHead, type DictionaryHead } from "./dictionary-head.js";
import { decodeForms, type DecodedForms, type FormEntries, type PostingPlace } from "./form-entries.js";
import { beginningWith, behindAll, findString, lowerBound, stringAt, type SortedStrings } from "./front-coding.js";
import { addPostings, decodePostings, skipPostings, type Accumulator, type DecodedPostings } from "./postings.js";
import { stemBy, type FormBeginning } from "./stem-edits.js";
import { badIndex, ByteReader } from "./varint.js";

/** The streams of one package that make its word index. */
export interface WordStreams {
  readonly dictionary: ByteStream;
  readonly postings: ByteStream;
  readonly lengths: ByteStream;
}

/** Stems of an asked word, one a language. */
export type Stems = readonly { readonly language: string; readonly stem: string }[];

/** Finds the forms of one package in a list of several packages'. */
export interface FormFinder {
  /** The number in its package of a form in UTF-8, or -1. */
  find(form: Uint8Array): number;
}

/** Blocks of the dictionary kept decoded: those of a question and of some before. */
const KEPT_BLOCKS = 48;

const encoder = new TextEncoder();
const textDecoder = new TextDecoder();

/**
 * The word index of one package. Opening it reads the lengths and the head of the dictionary. Words are looked up in the
 * blocks in which they stand, until somebody wants all forms: from then on what is said of each of them is kept.
 */
export class WordIndex {
  /** Words in each passage. */
  readonly lengths: Uint16Array | Uint32Array;
  /** Sum of `lengths`. */
  readonly words: number;
  readonly #head: DictionaryHead;
  readonly #dictionary: ByteStream;
  readonly #postings: ByteStream;
  readonly #blocks = new LeastRecent<DecodedForms>(KEPT_BLOCKS);
  #forms: SortedStrings | undefined;
  #finder: WeakRef<FormFinder> | undefined;
  #entries: FormEntries | undefined;

  /**
   * @param streams may throw (a remote source whose bytes have not come): nothing is kept then, open again
   * @param passages how many passages the image has
   * @throws MdcxError("bad-image") where the bytes do not follow spec/words.md
   */
  constructor({ dictionary, postings, lengths }: WordStreams, passages: number) {
    together([
      () => {
        wantHead(dictionary);
      },
      () => lengths.want?.([{ start: 0, end: lengths.length }]),
    ]);
    this.#dictionary = dictionary;
    this.#postings = postings;
    this.#head = readHead(dictionary, postings.length);
    this.lengths = readLengths(lengths.read(0, lengths.length), passages);
    let words = 0;
    for (const length of this.lengths) words += length;
    this.words = words;
  }

  /** Passages in the package. */
  get passages(): number {
    return this.lengths.length;
  }

  /** Languages that have stems here, by their number. */
  get languages(): readonly string[] {
    return this.#head.languages;
  }

  /** How many forms the dictionary has. */
  get formCount(): number {
    return this.#head.forms;
  }

  /** Bytes of posting lists in the stream, for measuring. */
  get postingBytes(): number {
    return this.#postings.length;
  }

  /** All forms. Reads the whole dictionary, whose every byte is checked then. */
  get forms(): SortedStrings {
    if (this.#forms !== undefined) return this.#forms;
    const { strings, entries } = this.#decode(0, this.#head.firsts.count);
    this.#entries ??= entries;
    return (this.#forms = strings);
  }

  /**
   * Lets go of the forms as {@link forms} gave them: whoever has put them into a list of all packages' needs those of one no
   * more, and finds them there for as long as it holds the finder.
   */
  releaseForms(finder: FormFinder): void {
    this.#forms = undefined;
    this.#finder = new WeakRef(finder);
  }

  /** Says that all forms will be read, so that a remote source brings them at once. */
  wantForms(): void {
    if (this.#entries === undefined) this.#wantBlocks([{ from: 0, to: this.#head.firsts.count - 1 }]);
  }

  /** Says that words will be looked up: the forms themselves, and all with one of their stems. */
  wantWords(words: readonly { readonly form: string; readonly stems: Stems }[]): void {
    if (this.#dictionary.want === undefined || this.#forms !== undefined) return;
    const blocks = words.flatMap(({ form, stems }) => [
      this.#blocksOf(encoder.encode(form)),
      ...stems.flatMap(({ language, stem }) =>
        this.#beginnings(stem, language).map(({ beginning }) => this.#blocksOf(beginning)),
      ),
    ]);
    this.#wantBlocks(blocks);
  }

  /** Where the postings of a form are. */
  postingsOf(form: number): PostingPlace {
    return this.#entriesWith(form).postingsOf(form);
  }

  /** Says that these postings will be added up. */
  wantPostings(places: readonly PostingPlace[]): void {
    this.#postings.want?.(
      places.flatMap(({ start, size, inline }) => (inline === undefined ? [{ start, end: start + size }] : [])),
    );
  }

  /** In how many passages form number `form` occurs. */
  documentFrequency(form: number): number {
    return this.postingsOf(form).documents;
  }

  /** Adds `weight` × frequency of a form to the passages that hold it, numbered from `base`. */
  addPostings(place: PostingPlace, base: number, weight: number, into: Accumulator): void {
    const { documents, start, size, inline } = place;
    if (inline !== undefined) {
      addPostings(inline, start, documents, base, this.passages, weight, into);
      return;
    }
    const bytes = this.#postings.read(start, start + size);
    const end = addPostings(bytes, 0, documents, base, this.passages, weight, into);
    if (end !== size || bytes.length !== size) throw badIndex("a posting list has another length than it says");
  }

  /** The postings of a form, to be added up more than once. */
  decodePostings({ documents, start, size, inline }: PostingPlace): DecodedPostings {
    if (inline === undefined) return decodePostings(this.#postings.read(start, start + size), documents, this.passages);
    const bytes = inline.subarray(start, skipPostings(inline, start, documents));
    return decodePostings(bytes, documents, this.passages);
  }

  /** The number of a form, or -1. */
  findForm(form: string): number {
    const bytes = encoder.encode(form);
    if (this.#forms !== undefined) return findString(this.#forms, bytes);
    const finder = this.#finder?.deref();
    if (finder !== undefined) return finder.find(bytes);
    if (this.#head.forms === 0) return -1;
    const { strings, entries } = this.#block(blockOf(this.#head, bytes));
    const place = findString(strings, bytes);
    return place < 0 ? -1 : entries.first + place;
  }

  /** Form number `form` as text. */
  formAt(form: number): string {
    if (this.#forms !== undefined) return stringAt(this.#forms, form);
    const { strings, entries } = this.#blockWith(form);
    return stringAt(strings, form - entries.first);
  }

  /** How many bytes of UTF-8 a form has. */
  bytesIn(form: number): number {
    const { offsets } = this.#forms ?? this.#blockWith(form).strings;
    const at = this.#forms === undefined ? form % BLOCK_FORMS : form;
    return offsets[at + 1]! - offsets[at]!;
  }

  /** The forms that begin with `beginning`: from number `first`, up to `end`. */
  beginningWith(beginning: Uint8Array): { first: number; end: number } {
    return { first: this.#lowerBound(beginning), end: this.#lowerBound(behindAll(beginning)) };
  }

  /** The stems of a form, one a language in which it occurs; none for a form that is not here. */
  stemsOf(form: string): { readonly language: string; readonly stem: string }[] {
    const number = this.findForm(form);
    if (number < 0) return [];
    const bytes = encoder.encode(form);
    const { edits } = this.#head.edits;
    return this.#entriesWith(number)
      .editsOf(number)
      .map((edit) => ({
        language: this.languages[edits[edit]!.language]!,
        stem: textDecoder.decode(stemBy(edits[edit]!, bytes)),
      }));
  }

  /** The forms, ascending, that have `stem` in `language`. */
  formsOfStem(stem: string, language: string): number[] {
    const found: number[] = [];
    for (const { beginning, numbers } of this.#beginnings(stem, language)) {
      const { first, end } = this.beginningWith(beginning);
      for (let form = first; form < end; form++) {
        const wanted = numbers.get(this.bytesIn(form) - beginning.length);
        if (wanted !== undefined && this.#entriesWith(form).hasEdit(form, wanted)) found.push(form);
      }
    }
    return found.sort((a, b) => a - b);
  }

  /**
   * The same by a list that holds all forms of this package, in memory: their numbers there.
   *
   * @param local the number here of a form of the list, -1 for one that is not here
   */
  formsOfStemIn(forms: SortedStrings, local: (form: number) => number, stem: string, language: string): number[] {
    const found: number[] = [];
    const { offsets } = forms;
    for (const { beginning, numbers } of this.#beginnings(stem, language)) {
      const { first, end } = beginningWith(forms, beginning);
      for (let form = first; form < end; form++) {
        const wanted = numbers.get(offsets[form + 1]! - offsets[form]! - beginning.length);
        if (wanted === undefined) continue;
        const own = local(form);
        if (own >= 0 && this.#entriesWith(own).hasEdit(own, wanted)) found.push(form);
      }
    }
    return found;
  }

  #beginnings(stem: string, language: string): FormBeginning[] {
    const number = this.languages.indexOf(language);
    return number < 0 ? [] : this.#head.edits.beginnings(number, encoder.encode(stem));
  }

  /** The first form that is not less than `form`; their count where all are. */
  #lowerBound(form: Uint8Array): number {
    if (this.#forms !== undefined) return lowerBound(this.#forms, form);
    if (this.#head.forms === 0) return 0;
    const { strings, entries } = this.#block(blockOf(this.#head, form));
    return entries.first + lowerBound(strings, form);
  }

  #entriesWith(form: number): FormEntries {
    return this.#entries ?? this.#blockWith(form).entries;
  }

  #blockWith(form: number): DecodedForms {
    return this.#block(Math.floor(form / BLOCK_FORMS));
  }

  #block(block: number): DecodedForms {
    let decoded = this.#blocks.get(block);
    if (decoded === undefined) this.#blocks.set(block, (decoded = this.#decode(block, block + 1)));
    return decoded;
  }

  /** Decodes blocks `from` up to `to`. */
  #decode(from: number, to: number): DecodedForms {
    const { starts } = this.#head;
    return decodeForms(this.#head, this.#dictionary.read(starts[from]!, starts[to]!), from, to, this.passages);
  }

  /** The blocks in which forms that begin so can stand. */
  #blocksOf(beginning: Uint8Array): { from: number; to: number } {
    return { from: blockOf(this.#head, beginning), to: blockOf(this.#head, behindAll(beginning)) };
  }

  #wantBlocks(blocks: readonly { readonly from: number; readonly to: number }[]): void {
    const { starts, firsts } = this.#head;
    if (firsts.count === 0) return;
    const ranges: ByteRange[] = blocks.map(({ from, to }) => ({ start: starts[from]!, end: starts[to + 1]! }));
    this.#dictionary.want?.(ranges);
  }
}

function readLengths(bytes: Uint8Array, passages: number): Uint16Array | Uint32Array {
  if (passages > bytes.length) throw badIndex("passages have no length");
  const reader = new ByteReader(bytes);
  const lengths = new Uint32Array(passages);
  let greatest = 0;
  for (let i = 0; i < passages; i++) greatest = Math.max(greatest, (lengths[i] = reader.varint()));
  reader.end();
  return greatest < 0x1_0000 ? Uint16Array.from(lengths) : lengths;
}
