import { FrontCoder } from "./front-coding.js";
import { writeEdits, type StemEdit } from "./stem-edits.js";
import { ByteWriter } from "./varint.js";

/** Version of the layout in spec/words.md, kept in a package. */
export const WORD_INDEX_VERSION = 2;

/**
 * Forms in a block of the dictionary. A reader that has not all of it here reads the blocks of the words that are asked: one
 * of 256 forms is three kilobytes, and the list of blocks a three-hundredth of the dictionary.
 */
export const BLOCK_FORMS = 256;

const encoder = new TextEncoder();

/** Writes a dictionary, form by form in ascending byte order (spec/words.md §2). */
export class DictionaryWriter {
  /** Of each block: its first form, its bytes, those of its posting lists in the stream. */
  readonly #directory = new ByteWriter();
  readonly #firsts = new FrontCoder(this.#directory);
  readonly #blocks = new ByteWriter();
  readonly #coder = new FrontCoder(this.#blocks);
  #first: Uint8Array | undefined;
  #start = 0;
  #postings = 0;
  #forms = 0;

  /**
   * @param edits its stem edits by their numbers, one a language, in the order of the languages
   * @param documents passages that hold it
   * @param postings its list of them, to stand in the dictionary, or how many bytes that has in the other stream
   */
  form(string: Uint8Array, edits: ArrayLike<number>, documents: number, postings: Uint8Array | number): void {
    if (this.#forms++ % BLOCK_FORMS === 0) this.#beginBlock(string);
    else this.#coder.write(string);
    const writer = this.#blocks;
    for (let i = 0; i < edits.length; i++) writer.varint(edits[i]! * 2 + (i < edits.length - 1 ? 1 : 0) + 1);
    if (edits.length === 0) writer.varint(0);
    if (typeof postings === "number") {
      writer.varint(documents * 2);
      writer.varint(postings);
      this.#postings += postings;
    } else {
      writer.varint(documents * 2 + 1);
      writer.append(postings);
    }
  }

  /** The stream. Nothing can be added afterwards. */
  finish(languages: readonly string[], edits: readonly StemEdit[]): Uint8Array {
    this.#endBlock();
    const head = new ByteWriter();
    head.varint(languages.length);
    for (const language of languages) {
      const bytes = encoder.encode(language);
      head.varint(bytes.length);
      head.append(bytes);
    }
    writeEdits(edits, head);
    head.varint(this.#forms);
    head.append(this.#directory.view());
    const whole = new ByteWriter();
    whole.varint(head.length);
    whole.append(head.view());
    whole.append(this.#blocks.view());
    return whole.view();
  }

  #beginBlock(first: Uint8Array): void {
    this.#endBlock();
    this.#first = first;
    this.#start = this.#blocks.length;
    this.#postings = 0;
    this.#coder.follow(first);
  }

  #endBlock(): void {
    if (this.#first === undefined) return;
    this.#firsts.write(this.#first);
    this.#directory.varint(this.#blocks.length - this.#start);
    this.#directory.varint(this.#postings);
  }
}
