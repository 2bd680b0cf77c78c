import type { SortedStrings } from "./front-coding.js";

/** Stands before and behind a word; no form holds it. */
const BOUNDARY = 0x5f;

/** The runs of three characters of `_form_`, each once. */
export function trigrams(form: string): string[] {
  const points = Array.from(`_${form}_`);
  return [...new Set(points.slice(2).map((point, i) => points[i]! + points[i + 1]! + point))];
}

const FILTER = 1 << 16;

/** How many forms hold each of `wanted`, by reading every form once. */
export function formsHolding(forms: SortedStrings, wanted: readonly string[]): Map<string, number> {
  const asked = wanted.map((trigram) => Array.from(trigram, (character) => character.codePointAt(0)!));
  const bySlot = new Map<number, number[]>();
  const filter = new Uint8Array(FILTER);
  asked.forEach(([a, b, c], i) => {
    const slot = slotOf(a!, b!, c!);
    filter[slot] = 1;
    bySlot.set(slot, [...(bySlot.get(slot) ?? []), i]);
  });
  const counts = new Uint32Array(wanted.length);
  const last = new Int32Array(wanted.length).fill(-1);
  const hold = (form: number, slot: number, a: number, b: number, c: number): void => {
    for (const i of bySlot.get(slot)!) {
      const [x, y, z] = asked[i]!;
      if (x !== a || y !== b || z !== c || last[i] === form) continue;
      last[i] = form;
      counts[i]!++;
    }
  };
  const { bytes, offsets, count } = forms;
  for (let form = 0; form < count; form++) {
    const end = offsets[form + 1]!;
    let a = 0;
    let b = BOUNDARY;
    for (let at = offsets[form]!; at <= end;) {
      // One more than there is: the boundary behind.
      let c = at === end ? BOUNDARY : bytes[at]!;
      at++;
      if (c >= 0x80) {
        const more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : 1;
        c &= 0x3f >> more;
        for (let left = more; left > 0 && at < end; left--) c = (c << 6) | (bytes[at++]! & 0x3f);
      }
      if (a !== 0) {
        const slot = slotOf(a, b, c);
        if (filter[slot] === 1) hold(form, slot, a, b, c);
      }
      a = b;
      b = c;
    }
  }
  return new Map(wanted.map((trigram, i) => [trigram, counts[i]!]));
}

function slotOf(a: number, b: number, c: number): number {
  return (Math.imul(a, 0x9e37_79b1) ^ Math.imul(b, 0x85eb_ca77) ^ Math.imul(c, 0xc2b2_ae3d)) >>> 16;
}

/**
 * How much rarer one of two words is spelt than the other, 1 or more: of the trigrams in which they differ, the rarest of
 * each, by how many *other* forms hold it. A misread word has letters in a row that no word has; two words that are both
 * spelt like words are two words.
 *
 * @param asked no form of the dictionary
 * @param form one of the dictionary
 * @param holding how many forms of the dictionary hold each trigram of either
 */
export function rarity(
  asked: readonly string[],
  form: readonly string[],
  holding: ReadonlyMap<string, number>,
): number {
  const least = (own: readonly string[], other: readonly string[], itself: number): number =>
    Math.min(...own.filter((trigram) => !other.includes(trigram)).map((trigram) => holding.get(trigram)! - itself));
  const [a, b] = [least(asked, form, 0), least(form, asked, 1)];
  return (Math.max(a, b) + 1) / (Math.min(a, b) + 1);
}
