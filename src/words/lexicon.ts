import type { WordIndex } from "./dictionary.js";
import { compareStrings, findString, type SortedStrings } from "./front-coding.js";

const encoder = new TextEncoder();

/**
 * The forms of all mounted packages, each once. Likeness is judged on this union, so that splitting a collection into
 * packages changes neither the weight of a gram nor which forms are most alike.
 */
export class Lexicon {
  readonly forms: SortedStrings;
  /** By package: number of a form there, -1 where it does not occur. Absent where there is one package: they are equal. */
  readonly #local: readonly Int32Array[] | undefined;
  /** By package: number here of each of its forms. */
  readonly #here: readonly Uint32Array[] | undefined;

  constructor(indexes: readonly WordIndex[]) {
    const [only] = indexes;
    if (only !== undefined && indexes.length === 1) {
      this.forms = only.forms;
      return;
    }
    const { forms, here } = merge(indexes.map((index) => index.forms));
    this.forms = forms;
    this.#here = here;
    this.#local = here.map((numbers) => {
      const local = new Int32Array(forms.count).fill(-1);
      numbers.forEach((form, i) => (local[form] = i));
      return local;
    });
  }

  /** Number of `form` in package `index`, or -1. */
  local(index: number, form: number): number {
    return this.#local === undefined ? form : this.#local[index]![form]!;
  }

  /** Number here of form `local` of package `index`. */
  here(index: number, local: number): number {
    return this.#here === undefined ? local : this.#here[index]![local]!;
  }

  /** The number of a form, or -1. */
  find(form: string): number {
    return findString(this.forms, encoder.encode(form));
  }
}

function merge(lists: readonly SortedStrings[]): { forms: SortedStrings; here: Uint32Array[] } {
  const total = lists.reduce((sum, list) => sum + list.count, 0);
  const totalBytes = lists.reduce((sum, list) => sum + list.bytes.length, 0);
  const bytes = new Uint8Array(totalBytes);
  const offsets = new Uint32Array(total + 1);
  const here = lists.map((list) => new Uint32Array(list.count));
  const next = lists.map(() => 0);
  let count = 0;
  for (;;) {
    let least = -1;
    for (let i = 0; i < lists.length; i++) {
      const list = lists[i]!;
      if (list.count === next[i]) continue;
      if (least < 0 || compareStrings(list, next[i]!, lists[least]!, next[least]!) < 0) least = i;
    }
    if (least < 0) break;
    const from = lists[least]!;
    const at = next[least]!;
    const start = offsets[count]!;
    bytes.set(from.bytes.subarray(from.offsets[at], from.offsets[at + 1]), start);
    offsets[count + 1] = start + from.offsets[at + 1]! - from.offsets[at]!;
    for (let i = 0; i < lists.length; i++) {
      const list = lists[i]!;
      const mine = next[i]!;
      if (mine === list.count) continue;
      if (i !== least && compareStrings(list, mine, from, at) !== 0) continue;
      here[i]![mine] = count;
      next[i] = mine + 1;
    }
    count++;
  }
  return {
    forms: { count, bytes: bytes.subarray(0, offsets[count]), offsets: offsets.slice(0, count + 1) },
    here,
  };
}
