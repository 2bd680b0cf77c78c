import { badIndex, type ByteReader, type ByteWriter } from "./varint.js";

/**
 * How a stem comes out of a form: its first bytes `front` and its last `back` bytes are dropped, and `append` is put
 * behind what is left. A language has some hundreds of these, so a form names its stem with one byte, and no stem is
 * stored anywhere (spec/words.md §3).
 */
export interface StemEdit {
  /** Number of the language in the list at the head of the dictionary. */
  readonly language: number;
  readonly front: Uint8Array;
  readonly back: number;
  readonly append: Uint8Array;
}

/** Bytes of a prefix that a stemmer may drop and that is looked for; a longer one makes an edit of its own, all the same. */
const LONGEST_FRONT = 8;

/** The edit that makes `stem` of `form`, both UTF-8: the one that keeps most of the form, the first of equal ones. */
export function editOf(language: number, form: Uint8Array, stem: Uint8Array): StemEdit {
  let front = 0;
  let kept = -1;
  for (let start = 0; start <= Math.min(LONGEST_FRONT, form.length); start++) {
    let same = 0;
    while (same < stem.length && start + same < form.length && form[start + same] === stem[same]) same++;
    if (same > kept) {
      front = start;
      kept = same;
    }
    if (kept === stem.length) break;
  }
  return {
    language,
    front: form.subarray(0, front),
    back: form.length - front - kept,
    append: stem.subarray(kept),
  };
}

/** A string that is the same for equal edits, and orders them. */
export function editKey({ language, front, back, append }: StemEdit): string {
  return String.fromCharCode(language, back, front.length, ...front, ...append);
}

export function writeEdits(edits: readonly StemEdit[], writer: ByteWriter): void {
  writer.varint(edits.length);
  for (const { language, front, back, append } of edits) {
    writer.varint(language);
    writer.varint(front.length);
    writer.append(front);
    writer.varint(back);
    writer.varint(append.length);
    writer.append(append);
  }
}

export function readEdits(reader: ByteReader, languages: number): StemEdit[] {
  const count = reader.varint();
  if (count > reader.bytes.length / 4) throw badIndex("it names more stem edits than it can hold");
  const bytes = (): Uint8Array => {
    const length = reader.varint();
    const start = reader.skip(length);
    return reader.bytes.subarray(start, start + length);
  };
  return Array.from({ length: count }, () => {
    const language = reader.varint();
    if (language >= languages) throw badIndex("a stem has a language that is not there");
    return { language, front: bytes(), back: reader.varint(), append: bytes() };
  });
}

/**
 * The beginnings that a form with `stem` in `language` may have, each with the edits that would make the stem of it.
 * A form has the stem when it has one of these edits and is `back` bytes longer than the beginning.
 */
export function beginningsOf(
  edits: readonly StemEdit[],
  language: number,
  stem: Uint8Array,
): { readonly beginning: Uint8Array; readonly edits: ReadonlySet<number> }[] {
  const found = new Map<string, { beginning: Uint8Array; edits: Set<number> }>();
  edits.forEach((edit, number) => {
    if (edit.language !== language || !endsWith(stem, edit.append)) return;
    const beginning = new Uint8Array(edit.front.length + stem.length - edit.append.length);
    beginning.set(edit.front);
    beginning.set(stem.subarray(0, stem.length - edit.append.length), edit.front.length);
    const key = String.fromCharCode(...beginning);
    const known = found.get(key);
    if (known === undefined) found.set(key, { beginning, edits: new Set([number]) });
    else known.edits.add(number);
  });
  return [...found.values()];
}

function endsWith(bytes: Uint8Array, end: Uint8Array): boolean {
  const from = bytes.length - end.length;
  return from >= 0 && end.every((byte, i) => bytes[from + i] === byte);
}
