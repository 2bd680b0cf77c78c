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

  /** @param words forms; undefined for what has no grams */
  constructor(words: readonly (string | undefined)[]) {
    for (const word of words) {
      this.#byWord.push(
        (word === undefined ? [] : grams(word)).map((gram) => {
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

/** Room to add up shares by form. All shares are 0 between questions. */
export interface LikenessRoom {
  readonly shares: Uint32Array;
  readonly touched: Uint32Array;
}

export function newLikenessRoom(forms: number): LikenessRoom {
  return { shares: new Uint32Array(forms), touched: new Uint32Array(forms) };
}

/**
 * The forms most alike to each asked word, most alike first, equal ones in the order of the lexicon.
 * @param found the forms that hold each asked gram
 * @param room for the forms of the lexicon; used again for the next question
 * @param leastLikeness of what counts, 0 to 1
 * @param most forms of a word
 */
export function mostAlike(
  asked: AskedGrams,
  found: FormsByGram,
  room: LikenessRoom,
  leastLikeness: number,
  most: number,
): AlikeForm[][] {
  const { shares, touched } = room;
  const weights = found.map((list) => gramWeight(shares.length, list.length));
  return asked.byWord.map((numbers) => {
    const all = numbers.reduce((sum, gram) => sum + weights[gram]!, 0);
    const least = Math.ceil(all * leastLikeness);
    let count = 0;
    let left = all;
    // Rare grams first: once those that are left cannot make a form alike by themselves, no form is taken up any more.
    for (const gram of [...numbers].sort((a, b) => found[a]!.length - found[b]!.length)) {
      const weight = weights[gram]!;
      count = addShares(found[gram]!, weight, left < least, shares, touched, count);
      left -= weight;
    }
    const alike: AlikeForm[] = [];
    for (let i = 0; i < count; i++) {
      const form = touched[i]!;
      const share = shares[form]!;
      if (share >= least) alike.push({ form, likeness: Math.floor((share * WHOLE) / all) });
      shares[form] = 0;
    }
    alike.sort((a, b) => b.likeness - a.likeness || a.form - b.form);
    return alike.slice(0, most);
  });
}

/** Adds a gram's weight to the forms that hold it, to those only that have a share already where `known`. */
function addShares(
  list: Uint32Array,
  weight: number,
  known: boolean,
  shares: Uint32Array,
  touched: Uint32Array,
  before: number,
): number {
  let count = before;
  for (let at = 0; at < list.length;) {
    const form = list[at++]!;
    const share = shares[form]!;
    if (share === 0) {
      if (known) continue;
      touched[count++] = form;
    }
    shares[form] = share + weight;
  }
  return count;
}

/**
 * The weight of a gram that `holding` of `forms` forms hold, in units of 1/1024. A gram that none holds tells no two forms
 * apart and weighs nothing. The square sets endings that half the dictionary shares further behind.
 */
function gramWeight(forms: number, holding: number): number {
  return holding === 0 ? 0 : Math.round(GRAM_UNIT * Math.log(1 + (forms + 1) / (holding + 1)) ** 2);
}
