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

/** The stem that an edit makes of a form, both UTF-8. */
export function stemBy({ front, back, append }: StemEdit, form: Uint8Array): Uint8Array {
  const kept = form.subarray(front.length, Math.max(front.length, form.length - back));
  const stem = new Uint8Array(kept.length + append.length);
  stem.set(kept);
  stem.set(append, kept.length);
  return stem;
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

/** Edits of one language that drop the same `front` and put the same `append`. */
interface EditGroup {
  readonly front: Uint8Array;
  readonly append: Uint8Array;
  /** By how many bytes they drop at the end. */
  readonly numbers: Map<number, number[]>;
}

/** What a form with some stem may begin with, and the edits that it then has, by the bytes that it has behind that. */
export interface FormBeginning {
  readonly beginning: Uint8Array;
  readonly numbers: ReadonlyMap<number, readonly number[]>;
}

/** The edits of a package, put so that the forms of a stem are found. */
export class StemEdits {
  readonly #groups: readonly (readonly EditGroup[])[];

  constructor(
    readonly edits: readonly StemEdit[],
    languages: number,
  ) {
    const groups = Array.from({ length: languages }, () => new Map<string, EditGroup>());
    edits.forEach(({ language, front, back, append }, number) => {
      const key = String.fromCharCode(front.length, ...front, ...append);
      const group = groups[language]!.get(key) ?? { front, append, numbers: new Map<number, number[]>() };
      groups[language]!.set(key, group);
      group.numbers.set(back, [...(group.numbers.get(back) ?? []), number]);
    });
    this.#groups = groups.map((map) => [...map.values()]);
  }

  /**
   * The beginnings that a form with `stem` in `language` may have, each with the edits that would make the stem of it, by the
   * bytes that the form has behind the beginning.
   */
  beginnings(language: number, stem: Uint8Array): FormBeginning[] {
    return this.#groups
      [language]!.filter(({ append }) => endsWith(stem, append))
      .map(({ front, append, numbers }) => {
        const kept = stem.length - append.length;
        const beginning = new Uint8Array(front.length + kept);
        beginning.set(front);
        beginning.set(stem.subarray(0, kept), front.length);
        return { beginning, numbers };
      });
  }
}

function endsWith(bytes: Uint8Array, end: Uint8Array): boolean {
  const from = bytes.length - end.length;
  if (from < 0) return false;
  for (let i = 0; i < end.length; i++) if (bytes[from + i] !== end[i]) return false;
  return true;
}
