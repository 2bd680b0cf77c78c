import { grams } from "../text/grams.js";
import type { FormsByGram } from "./gram-index.js";

/** Likeness is an integer share of this: sums of integers do not depend on the order in which packages are mounted. */
export const WHOLE = 4096;

/** Unit of the integer weights of grams. */
const GRAM_UNIT = 1024;

/** A form of the lexicon and its likeness to an asked word, from 1 to WHOLE. */
export interface AlikeForm {
  readonly form: number;
  readonly likeness: number;
}

/** The grams of all asked words, each once. */
export class AskedGrams {
  readonly grams: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #byWord: number[][] = [];

  constructor(words: readonly string[]) {
    for (const word of words) {
      this.#byWord.push(
        grams(word).map((gram) => {
          let number = this.#numbers.get(gram);
          if (number === undefined) this.#numbers.set(gram, (number = this.grams.push(gram) - 1));
          return number;
        }),
      );
    }
  }

  /** Numbers in `grams` of the grams of each word. */
  get byWord(): readonly (readonly number[])[] {
    return this.#byWord;
  }
}

/**
 * The forms most alike to each asked word, most alike first, equal ones in the order of the lexicon.
 * @param forms how many forms the lexicon has
 * @param found the forms that hold each asked gram
 * @param leastLikeness of what counts, 0 to 1
 * @param most forms of a word
 */
export function mostAlike(
  asked: AskedGrams,
  found: FormsByGram,
  forms: number,
  leastLikeness: number,
  most: number,
): AlikeForm[][] {
  const weights = found.map((list) => gramWeight(forms, list.length));
  const shares = new Uint32Array(forms);
  return asked.byWord.map((numbers) => {
    const all = numbers.reduce((sum, gram) => sum + weights[gram]!, 0);
    const touched: number[] = [];
    for (const gram of numbers) {
      const weight = weights[gram]!;
      for (const form of found[gram]!) {
        const share = shares[form]!;
        if (share === 0) touched.push(form);
        shares[form] = share + weight;
      }
    }
    const least = Math.ceil(all * leastLikeness);
    const alike: AlikeForm[] = [];
    for (const form of touched) {
      const share = shares[form]!;
      if (share >= least) alike.push({ form, likeness: Math.floor((share * WHOLE) / all) });
      shares[form] = 0;
    }
    alike.sort((a, b) => b.likeness - a.likeness || a.form - b.form);
    return alike.slice(0, most);
  });
}

/** The weight of a gram that `holding` of `forms` forms hold, in units of 1/1024; at least 1. */
function gramWeight(forms: number, holding: number): number {
  return Math.max(1, Math.round(GRAM_UNIT * Math.log(1 + (forms + 1) / (holding + 1))));
}
