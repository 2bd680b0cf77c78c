import type { ByteStream } from "../image/streams.js";
import { beginningWith, FrontDecoder, findString, skipString, type SortedStrings } from "./front-coding.js";
import { addPostings, skipPostings, type Accumulator } from "./postings.js";
import { readEdits, StemEdits, stemBy } from "./stem-edits.js";
import { badIndex, ByteReader } from "./varint.js";

/** The streams of one package that make its word index. */
export interface WordStreams {
  readonly dictionary: ByteStream;
  readonly postings: ByteStream;
  readonly lengths: ByteStream;
}

/**
 * One form in so many has its place noted, the others are walked to from there: places of all took as much memory as the
 * forms of a natural language, and a walk takes a fraction of what reading postings does.
 */
const STEP = 8;

const encoder = new TextEncoder();
const textDecoder = new TextDecoder();

/**
 * The word index of one package. Opening it reads dictionary and lengths once, from first byte to last: the likeness
 * rule has to see every form anyhow. Posting lists are read when they are asked for.
 */
export class WordIndex {
  readonly forms: SortedStrings;
  /** Words in each passage. */
  readonly lengths: Uint16Array | Uint32Array;
  /** Sum of `lengths`. */
  readonly words: number;
  /** Languages that have stems here, by their number. */
  readonly languages: readonly string[];
  readonly #dictionary: Uint8Array;
  readonly #postings: ByteStream;
  /** Of every `STEP`th form: where it stands in the dictionary. */
  readonly #entries: Uint32Array;
  /** Of every `STEP`th form: where the postings of it and of those behind start in the stream. */
  readonly #starts: Uint32Array;
  readonly #edits: StemEdits;
  /** Number + 1 of the first stem edit of each form, 0 where it has none; further ones by form. */
  readonly #firstEdit: Uint16Array | Uint32Array;
  readonly #furtherEdits = new Map<number, number[]>();

  /**
   * @param streams may throw (a remote source whose bytes have not come): nothing is kept then, open again
   * @param passages how many passages the image has
   * @throws MdcxError("bad-image") where the bytes do not follow spec/words.md
   */
  constructor(streams: WordStreams, passages: number) {
    const reader = new ByteReader(whole(streams.dictionary));
    this.#dictionary = reader.bytes;
    this.#postings = streams.postings;
    this.lengths = readLengths(whole(streams.lengths), passages);
    let words = 0;
    for (const length of this.lengths) words += length;
    this.words = words;

    this.languages = readLanguages(reader);
    const edits = readEdits(reader, this.languages.length);
    this.#edits = new StemEdits(edits, this.languages.length);
    const count = reader.varint();
    const decoder = new FrontDecoder(reader, count);
    this.#entries = new Uint32Array(Math.ceil(count / STEP));
    this.#starts = new Uint32Array(Math.ceil(count / STEP));
    this.#firstEdit = edits.length < 0xffff ? new Uint16Array(count) : new Uint32Array(count);
    const postingBytes = streams.postings.length;
    let start = 0;
    for (let form = 0; form < count; form++) {
      if (form % STEP === 0) {
        this.#entries[form / STEP] = reader.position;
        this.#starts[form / STEP] = start;
      }
      decoder.read();
      this.#readEditsOf(form, reader);
      const head = reader.varint();
      const documents = Math.floor(head / 2);
      if (documents < 1 || documents > passages) throw badIndex("a form is in more passages than there are");
      if (head % 2 === 1) {
        reader.position = skipPostings(reader.bytes, reader.position, documents);
      } else {
        const size = reader.varint();
        if (size < documents) throw badIndex("a posting list is too short");
        start += size;
        if (start > postingBytes) throw badIndex("a posting list is not there");
      }
    }
    reader.end();
    if (start !== postingBytes) throw badIndex("postings belong to no form");
    this.forms = decoder.strings();
  }

  #readEditsOf(form: number, reader: ByteReader): void {
    const coded = reader.varint();
    if (coded > 2 * this.#edits.edits.length) throw badIndex("a stem is not there");
    this.#firstEdit[form] = (coded + 1) >> 1;
    for (let more = coded > 0 && coded % 2 === 0; more;) {
      const next = reader.varint();
      if (next === 0 || next > 2 * this.#edits.edits.length) throw badIndex("a stem is not there");
      const known = this.#furtherEdits.get(form);
      if (known === undefined) this.#furtherEdits.set(form, [(next - 1) >> 1]);
      else if (known.length < this.languages.length) known.push((next - 1) >> 1);
      else throw badIndex("a form has more stems than there are languages");
      more = next % 2 === 0;
    }
  }

  /** Passages in the package. */
  get passages(): number {
    return this.lengths.length;
  }

  /** Bytes of posting lists in the stream, for measuring. */
  get postingBytes(): number {
    return this.#postings.length;
  }

  /** In how many passages form number `form` occurs. */
  documentFrequency(form: number): number {
    return Math.floor(this.#entry(form).reader.varint() / 2);
  }

  /** Adds `weight` × frequency of form number `form` to the passages that hold it, numbered from `base`. */
  addPostings(form: number, base: number, weight: number, into: Accumulator): void {
    const { reader, start } = this.#entry(form);
    const head = reader.varint();
    const documents = Math.floor(head / 2);
    if (head % 2 === 1) {
      addPostings(reader.bytes, reader.position, documents, base, this.passages, weight, into);
      return;
    }
    const size = reader.varint();
    const bytes = this.#postings.read(start, start + size);
    const end = addPostings(bytes, 0, documents, base, this.passages, weight, into);
    if (end !== size || bytes.length !== size) throw badIndex("a posting list has another length than it says");
  }

  /** The number of a form, or -1. */
  findForm(form: string): number {
    return findString(this.forms, encoder.encode(form));
  }

  /** The stems of a form, one a language in which it occurs; none for a form that is not here. */
  stemsOf(form: string): { readonly language: string; readonly stem: string }[] {
    const bytes = encoder.encode(form);
    const number = findString(this.forms, bytes);
    const first = number < 0 ? -1 : this.#firstEdit[number]! - 1;
    if (first < 0) return [];
    const { edits } = this.#edits;
    return [first, ...(this.#furtherEdits.get(number) ?? [])].map((edit) => ({
      language: this.languages[edits[edit]!.language]!,
      stem: textDecoder.decode(stemBy(edits[edit]!, bytes)),
    }));
  }

  /** The forms, ascending, that have `stem` in `language`. */
  formsOfStem(stem: string, language: string): number[] {
    const number = this.languages.indexOf(language);
    if (number < 0) return [];
    const { offsets } = this.forms;
    const found: number[] = [];
    for (const { beginning, numbers } of this.#edits.beginnings(number, encoder.encode(stem))) {
      const { first, end } = beginningWith(this.forms, beginning);
      for (let form = first; form < end; form++) {
        if (this.#hasEdit(form, numbers, offsets[form + 1]! - offsets[form]! - beginning.length)) found.push(form);
      }
    }
    return found.sort((a, b) => a - b);
  }

  #hasEdit(form: number, numbers: ReadonlySet<number>, back: number): boolean {
    const { edits } = this.#edits;
    const first = this.#firstEdit[form]! - 1;
    if (numbers.has(first) && edits[first]!.back === back) return true;
    const further = this.#furtherEdits.get(form);
    return further?.some((edit) => numbers.has(edit) && edits[edit]!.back === back) ?? false;
  }

  /** A reader where the document count of a form stands, and where its postings start in the stream if they stand there. */
  #entry(form: number): { reader: ByteReader; start: number } {
    const reader = new ByteReader(this.#dictionary);
    const noted = Math.floor(form / STEP);
    reader.position = this.#entries[noted]!;
    let start = this.#starts[noted]!;
    for (let at = noted * STEP; ; at++) {
      skipString(reader);
      skipEdits(reader);
      if (at === form) return { reader, start };
      const head = reader.varint();
      if (head % 2 === 0) start += reader.varint();
      else reader.position = skipPostings(reader.bytes, reader.position, Math.floor(head / 2));
    }
  }
}

/** Moves over the stem edits of a form, the last of which is odd; a form without any has 0. */
function skipEdits(reader: ByteReader): void {
  let coded = reader.varint();
  while (coded > 0 && coded % 2 === 0) coded = reader.varint();
}

function whole(stream: ByteStream): Uint8Array {
  return stream.read(0, stream.length);
}

function readLanguages(reader: ByteReader): string[] {
  const count = reader.varint();
  if (count > 127) throw badIndex("it has too many languages");
  return Array.from({ length: count }, () => {
    const length = reader.varint();
    const start = reader.skip(length);
    return textDecoder.decode(reader.bytes.subarray(start, start + length));
  });
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
