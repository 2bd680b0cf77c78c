import type { ByteStream } from "../image/streams.js";
import { BLOCK_FORMS } from "./dictionary-writer.js";
import { FrontDecoder, lowerBound, findString, type SortedStrings } from "./front-coding.js";
import { readEdits, StemEdits } from "./stem-edits.js";
import { badIndex, ByteReader } from "./varint.js";

/** What the head takes in a package of 100,000 passages, and some room: it is read at once. */
const LIKELY_BYTES = 32_768;
const LONGEST_VARINT = 5;

const textDecoder = new TextDecoder();

/** Where in the dictionary to look for a form: what every question needs, and all that opening reads. */
export interface DictionaryHead {
  /** Languages that have stems here, by their number. */
  readonly languages: readonly string[];
  readonly edits: StemEdits;
  /** Forms in the dictionary. */
  readonly forms: number;
  /** The first form of each block. */
  readonly firsts: SortedStrings;
  /** Where each block starts in the dictionary, and where the last one ends. */
  readonly starts: Uint32Array;
  /** Where the posting lists of each block start in their stream, and where those of the last one end. */
  readonly postings: Uint32Array;
}

/** Says that the head will be read. */
export function wantHead(dictionary: ByteStream): void {
  dictionary.want?.([{ start: 0, end: Math.min(LIKELY_BYTES, dictionary.length) }]);
}

/** @throws MdcxError("bad-image") where the bytes do not follow spec/words.md §2 */
export function readHead(dictionary: ByteStream, postingBytes: number): DictionaryHead {
  let bytes = dictionary.read(0, Math.min(LIKELY_BYTES, dictionary.length));
  const length = new ByteReader(bytes.subarray(0, LONGEST_VARINT));
  const headBytes = length.varint();
  const end = length.position + headBytes;
  if (end > dictionary.length) throw badIndex("its head is cut off");
  if (end > bytes.length) bytes = dictionary.read(0, end);
  const reader = new ByteReader(bytes.subarray(0, end));
  reader.position = length.position;

  const languages = readLanguages(reader);
  const edits = new StemEdits(readEdits(reader, languages.length), languages.length);
  const forms = reader.varint();
  // A form takes two bytes at least, and the first of a block, whose string stands here, likewise.
  if (forms > (dictionary.length - end) / 2) throw badIndex("it names more forms than it can hold");
  const blocks = Math.ceil(forms / BLOCK_FORMS);
  const decoder = new FrontDecoder(reader, blocks);
  const starts = new Uint32Array(blocks + 1);
  const postings = new Uint32Array(blocks + 1);
  let start = end;
  let posting = 0;
  for (let block = 0; block < blocks; block++) {
    starts[block] = start;
    postings[block] = posting;
    decoder.read();
    start += reader.varint();
    posting += reader.varint();
    if (start > dictionary.length) throw badIndex("a block of forms is not there");
    if (posting > postingBytes) throw badIndex("a posting list is not there");
  }
  reader.end();
  starts[blocks] = start;
  postings[blocks] = posting;
  if (start !== dictionary.length) throw badIndex("bytes are left over");
  if (posting !== postingBytes) throw badIndex("postings belong to no form");
  return { languages, edits, forms, firsts: decoder.strings(), starts, postings };
}

/** The block in which a form stands if it is here: the last one whose first form is not greater, or the first one. */
export function blockOf({ firsts }: DictionaryHead, form: Uint8Array): number {
  const found = findString(firsts, form);
  return found >= 0 ? found : Math.max(0, lowerBound(firsts, form) - 1);
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
