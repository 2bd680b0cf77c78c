import { BLOCK_FORMS } from "./dictionary-writer.js";
import type { DictionaryHead } from "./dictionary-head.js";
import { compareStrings, FrontDecoder, LARGEST_EXPANSION, LONGEST_STRING, type SortedStrings } from "./front-coding.js";
import { skipPostings } from "./postings.js";
import { badIndex, ByteReader } from "./varint.js";

/**
 * One form in so many has its place noted, the others are walked to from there: places of all took as much memory as the
 * forms of a natural language, and a walk takes a fraction of what reading postings does.
 */
const STEP = 8;

/** Where a posting list is: in the dictionary, or in the stream of posting lists. */
export interface PostingPlace {
  readonly form: number;
  /** Passages that hold the form. */
  readonly documents: number;
  /** Where it starts in `inline`, or in the stream. */
  readonly start: number;
  /** Its bytes in the stream; unknown, and 0, where it stands in the dictionary. */
  readonly size: number;
  /** The bytes of the dictionary in which it stands. */
  readonly inline: Uint8Array | undefined;
}

/** Forms that stand together in the dictionary, decoded, and what is said of each. */
export interface DecodedForms {
  readonly strings: SortedStrings;
  readonly entries: FormEntries;
}

/**
 * Decodes blocks of the dictionary, from `from` up to `to`.
 *
 * @param bytes theirs
 * @param passages how many the package has
 * @throws MdcxError("bad-image") where they do not follow spec/words.md §2
 */
export function decodeForms(
  head: DictionaryHead,
  bytes: Uint8Array,
  from: number,
  to: number,
  passages: number,
): DecodedForms {
  const first = from * BLOCK_FORMS;
  const count = Math.min(head.forms, to * BLOCK_FORMS) - first;
  const reader = new ByteReader(bytes);
  // What a form shares with those before is not held against the bytes of one block.
  const most =
    to - from === 1
      ? (count + 1) * LONGEST_STRING
      : LARGEST_EXPANSION * bytes.length + head.firsts.bytes.length + 2 * LONGEST_STRING;
  const decoder = new FrontDecoder(reader, count, most);
  const entries = new FormEntries(first, count, bytes.length, head.edits.edits.length, head.languages.length);
  let start = head.postings[from]!;
  for (let block = from; block < to; block++) {
    if (reader.position !== head.starts[block]! - head.starts[from]! || start !== head.postings[block]!)
      throw badIndex("a block of forms is not where it should be");
    decoder.follow(head.firsts, block);
    const end = Math.min(head.forms, (block + 1) * BLOCK_FORMS);
    for (let form = block * BLOCK_FORMS; form < end; form++) {
      const at = form - first;
      if (form % BLOCK_FORMS > 0) decoder.read();
      entries.readEdits(at, reader);
      if (at % STEP === 0) entries.note(at, start);
      const from = reader.position;
      const documents = reader.varint();
      if (documents < 2 || documents >= 2 * passages + 2) throw badIndex("a form is in more passages than there are");
      if (documents % 2 === 1) {
        reader.position = skipPostings(bytes, reader.position, Math.floor(documents / 2));
      } else {
        const size = reader.varint();
        if (size < documents / 2) throw badIndex("a posting list is too short");
        start += size;
      }
      entries.keep(bytes, from, reader.position);
    }
  }
  reader.end();
  entries.end();
  if (start !== head.postings[to]!) throw badIndex("posting lists are not where they should be");
  const strings = decoder.strings();
  if (to < head.firsts.count && compareStrings(strings, count - 1, head.firsts, to) >= 0)
    throw badIndex("its strings are out of order");
  return { strings, entries };
}

/** What the dictionary says of forms that stand together: their stems, and where their passages are. */
export class FormEntries {
  /**
   * What the dictionary says of the postings of each form, and no more of it: strings are kept decoded, where anybody needs them,
   * and stems as numbers.
   */
  #kept: Uint8Array;
  #length = 0;
  /** Of every `STEP`th form: where it stands in `#kept`. */
  readonly #places: Uint32Array;
  /** Of every `STEP`th form: where the postings of it and of those behind start in the stream. */
  readonly #starts: Uint32Array;
  /** Number + 1 of the first stem edit of each form, 0 where it has none; further ones by form. */
  readonly #firstEdit: Uint16Array | Uint32Array;
  readonly #furtherEdits = new Map<number, number[]>();

  /**
   * @param first number of the first of them
   * @param size bytes of the dictionary that are being read
   * @param edits stem edits that there are
   */
  constructor(
    readonly first: number,
    count: number,
    size: number,
    private readonly edits: number,
    private readonly languages: number,
  ) {
    this.#kept = new Uint8Array(size);
    this.#places = new Uint32Array(Math.ceil(count / STEP));
    this.#starts = new Uint32Array(Math.ceil(count / STEP));
    this.#firstEdit = edits < 0xffff ? new Uint16Array(count) : new Uint32Array(count);
  }

  /** Notes where the entry of the next form will stand, and its postings, while the block is read. */
  note(at: number, start: number): void {
    this.#places[at / STEP] = this.#length;
    this.#starts[at / STEP] = start;
  }

  /** Keeps what stands of a form's postings from `from` up to `to`, while the block is read. */
  keep(bytes: Uint8Array, from: number, to: number): void {
    for (let at = from; at < to; at++) this.#kept[this.#length++] = bytes[at]!;
  }

  /** Gives back the room that was not needed. */
  end(): void {
    this.#kept = this.#kept.slice(0, this.#length);
  }

  /** Reads the stem edits of a form, while the block is read. */
  readEdits(at: number, reader: ByteReader): void {
    const coded = reader.varint();
    if (coded > 2 * this.edits) throw badIndex("a stem is not there");
    this.#firstEdit[at] = (coded + 1) >> 1;
    for (let more = coded > 0 && coded % 2 === 0; more;) {
      const next = reader.varint();
      if (next === 0 || next > 2 * this.edits) throw badIndex("a stem is not there");
      const known = this.#furtherEdits.get(at);
      if (known === undefined) this.#furtherEdits.set(at, [(next - 1) >> 1]);
      else if (known.length < this.languages) known.push((next - 1) >> 1);
      else throw badIndex("a form has more stems than there are languages");
      more = next % 2 === 0;
    }
  }

  /** Numbers of the stem edits of a form, one a language in which it occurs. */
  editsOf(form: number): readonly number[] {
    const at = form - this.first;
    const first = this.#firstEdit[at]! - 1;
    return first < 0 ? [] : [first, ...(this.#furtherEdits.get(at) ?? [])];
  }

  /** Whether a form has one of some stem edits. */
  hasEdit(form: number, wanted: readonly number[]): boolean {
    const at = form - this.first;
    const first = this.#firstEdit[at]! - 1;
    if (first < 0) return false;
    return wanted.includes(first) || (this.#furtherEdits.get(at)?.some((edit) => wanted.includes(edit)) ?? false);
  }

  /** Where the passages of a form are. */
  postingsOf(form: number): PostingPlace {
    const kept = this.#kept;
    const reader = new ByteReader(kept);
    const noted = Math.floor((form - this.first) / STEP);
    reader.position = this.#places[noted]!;
    let start = this.#starts[noted]!;
    for (let at = this.first + noted * STEP; ; at++) {
      const head = reader.varint();
      const documents = Math.floor(head / 2);
      if (at === form)
        return head % 2 === 0
          ? { form, documents, start, size: reader.varint(), inline: undefined }
          : { form, documents, start: reader.position, size: 0, inline: kept };
      if (head % 2 === 0) start += reader.varint();
      else reader.position = skipPostings(kept, reader.position, documents);
    }
  }
}
