import type { ByteStream } from "../image/streams.js";
import { FrontDecoder, findString, type SortedStrings } from "./front-coding.js";
import { addPostings, skipPostings, type Accumulator } from "./postings.js";
import { badIndex, ByteReader, unzigzag } from "./varint.js";

/** The streams of one package that make its word index. */
export interface WordStreams {
  readonly dictionary: ByteStream;
  readonly stems: ByteStream;
  readonly postings: ByteStream;
  readonly lengths: ByteStream;
}

const encoder = new TextEncoder();

/**
 * The word index of one package. Opening it reads the dictionary, the stems and the lengths once, from first byte to
 * last: the likeness rule has to see every form anyhow. Posting lists are read when they are asked for.
 */
export class WordIndex {
  readonly forms: SortedStrings;
  /** Words in each passage. */
  readonly lengths: Uint16Array | Uint32Array;
  /** Sum of `lengths`. */
  readonly words: number;
  /** Languages that have stems here, by their number in the `stems` stream. */
  readonly languages: readonly string[];
  readonly #dictionary: Uint8Array;
  readonly #postings: ByteStream;
  /** Where the document count of a form stands in the dictionary. */
  readonly #entries: Uint32Array;
  /** Where the postings of a form start in the stream, if they stand there. */
  readonly #starts: Uint32Array;
  readonly #stems: SortedStrings;
  /** Forms by stem: those of stem `n` are `#stemForms` from `#stemStarts[n]` to `#stemStarts[n + 1]`, ascending. */
  readonly #stemStarts: Uint32Array;
  readonly #stemForms: Uint32Array;

  /**
   * @param streams may throw (a remote source whose bytes have not come): nothing is kept then, open again
   * @param passages how many passages the image has
   * @throws MdcxError("bad-image") where the bytes do not follow spec/words.md
   */
  constructor(streams: WordStreams, passages: number) {
    const reader = new ByteReader(whole(streams.dictionary));
    const stems = new ByteReader(whole(streams.stems));
    this.#dictionary = reader.bytes;
    this.#postings = streams.postings;
    this.lengths = readLengths(whole(streams.lengths), passages);
    let words = 0;
    for (const length of this.lengths) words += length;
    this.words = words;

    this.languages = readLanguages(stems);
    const stemCount = stems.varint();
    const stemDecoder = new FrontDecoder(stems, stemCount);
    for (let i = 0; i < stemCount; i++) stemDecoder.read();
    stems.end();
    this.#stems = stemDecoder.strings();

    const count = reader.varint();
    const decoder = new FrontDecoder(reader, count);
    this.#entries = new Uint32Array(count);
    this.#starts = new Uint32Array(count);
    const pairs = new Pairs(count);
    let start = 0;
    let stem = 0;
    for (let form = 0; form < count; form++) {
      decoder.read();
      for (let first = true, more = 1; more === 1; first = false) {
        const coded = reader.varint();
        if (coded === 0 && first) break;
        more = (coded - 1) % 2;
        stem += unzigzag((coded - 1 - more) / 2);
        if (coded === 0 || stem < 0 || stem >= stemCount) throw badIndex("a form has a stem that is not there");
        pairs.push(form, stem);
      }
      this.#entries[form] = reader.position;
      const head = reader.varint();
      const documents = Math.floor(head / 2);
      if (documents < 1 || documents > passages) throw badIndex("a form is in more passages than there are");
      if (head % 2 === 1) {
        reader.position = skipPostings(reader.bytes, reader.position, documents);
      } else {
        const size = reader.varint();
        if (size < documents) throw badIndex("a posting list is too short");
        this.#starts[form] = start;
        start += size;
        if (start > streams.postings.length) throw badIndex("a posting list is not there");
      }
    }
    reader.end();
    if (start !== streams.postings.length) throw badIndex("postings belong to no form");
    this.forms = decoder.strings();
    const { starts, forms } = pairs.byStem(stemCount);
    this.#stemStarts = starts;
    this.#stemForms = forms;
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
    const reader = this.#entry(form);
    return Math.floor(reader.varint() / 2);
  }

  /** Adds `weight` × frequency of form number `form` to the passages that hold it, numbered from `base`. */
  addPostings(form: number, base: number, weight: number, into: Accumulator): void {
    const reader = this.#entry(form);
    const head = reader.varint();
    const documents = Math.floor(head / 2);
    if (head % 2 === 1) {
      addPostings(reader.bytes, reader.position, documents, base, this.passages, weight, into);
      return;
    }
    const size = reader.varint();
    const start = this.#starts[form]!;
    const bytes = this.#postings.read(start, start + size);
    const end = addPostings(bytes, 0, documents, base, this.passages, weight, into);
    if (end !== size || bytes.length !== size) throw badIndex("a posting list has another length than it says");
  }

  /** The number of a form, or -1. */
  findForm(form: string): number {
    return findString(this.forms, encoder.encode(form));
  }

  /** The number of a stem of a language, or -1. */
  findStem(stem: string, language: string): number {
    const number = this.languages.indexOf(language);
    if (number < 0) return -1;
    return findString(this.#stems, encoder.encode(stem + String.fromCharCode(number)));
  }

  /** The forms that have stem number `stem`, ascending. */
  formsOfStem(stem: number): Uint32Array {
    return this.#stemForms.subarray(this.#stemStarts[stem], this.#stemStarts[stem + 1]);
  }

  #entry(form: number): ByteReader {
    const reader = new ByteReader(this.#dictionary);
    reader.position = this.#entries[form]!;
    return reader;
  }
}

/** Pairs of form and stem as they are read, to be put into the order of the stems. */
class Pairs {
  #forms: Uint32Array;
  #stems: Uint32Array;
  #count = 0;

  constructor(expected: number) {
    this.#forms = new Uint32Array(expected + 1);
    this.#stems = new Uint32Array(expected + 1);
  }

  push(form: number, stem: number): void {
    if (this.#count === this.#forms.length) {
      this.#forms = grown(this.#forms);
      this.#stems = grown(this.#stems);
    }
    this.#forms[this.#count] = form;
    this.#stems[this.#count++] = stem;
  }

  byStem(stemCount: number): { starts: Uint32Array; forms: Uint32Array } {
    const starts = new Uint32Array(stemCount + 1);
    for (let i = 0; i < this.#count; i++) starts[this.#stems[i]! + 1]!++;
    for (let stem = 0; stem < stemCount; stem++) starts[stem + 1]! += starts[stem]!;
    const next = starts.slice();
    const forms = new Uint32Array(this.#count);
    for (let i = 0; i < this.#count; i++) forms[next[this.#stems[i]!]!++] = this.#forms[i]!;
    return { starts, forms };
  }
}

function grown(array: Uint32Array): Uint32Array {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}

function whole(stream: ByteStream): Uint8Array {
  return stream.read(0, stream.length);
}

function readLanguages(reader: ByteReader): string[] {
  const count = reader.varint();
  if (count > 127) throw badIndex("it has too many languages");
  const decoder = new TextDecoder();
  return Array.from({ length: count }, () => {
    const length = reader.varint();
    const start = reader.skip(length);
    return decoder.decode(reader.bytes.subarray(start, start + length));
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
