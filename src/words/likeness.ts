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

  /** @param words forms */
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

/** Room to add up shares by form. All of it but `touched` is 0 between questions. */
export interface LikenessRoom {
  readonly shares: Uint32Array;
  readonly touched: Uint32Array;
  /** A bit for each form that has a share: these stay in the processor's cache where the shares of a large lexicon do not. */
  readonly known: Uint32Array;
  /** By likeness: how many forms have it. */
  readonly counts: Uint32Array;
}

export function newLikenessRoom(forms: number): LikenessRoom {
  return {
    shares: new Uint32Array(forms),
    touched: new Uint32Array(forms),
    known: new Uint32Array(Math.ceil(forms / 32)),
    counts: new Uint32Array(WHOLE + 1),
  };
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
  const weights = found.map((list) => gramWeight(room.shares.length, list.length));
  return asked.byWord.map((numbers) => {
    const all = numbers.reduce((sum, gram) => sum + weights[gram]!, 0);
    const least = Math.ceil(all * leastLikeness);
    let count = 0;
    let left = all;
    // Rare grams first: once those that are left cannot make a form alike by themselves, no form is taken up any more.
    for (const gram of [...numbers].sort((a, b) => found[a]!.length - found[b]!.length)) {
      const weight = weights[gram]!;
      if (left < least) addToKnown(found[gram]!, weight, room);
      else count = addShares(found[gram]!, weight, room, count);
      left -= weight;
    }
    return takeBest(room, count, all, least, most);
  });
}

/** Adds a gram's weight to the forms that hold it. @returns how many forms have a share */
function addShares(
  list: Uint32Array,
  weight: number,
  { shares, touched, known }: LikenessRoom,
  before: number,
): number {
  let count = before;
  for (const form of list) {
    const share = shares[form]!;
    if (share === 0) {
      touched[count++] = form;
      known[form >>> 5]! |= 1 << (form & 31);
    }
    shares[form] = share + weight;
  }
  return count;
}

/** The same for those alone that have a share. */
function addToKnown(list: Uint32Array, weight: number, { shares, known }: LikenessRoom): void {
  for (const form of list) {
    if ((known[form >>> 5]! & (1 << (form & 31))) !== 0) shares[form]! += weight;
  }
}

/**
 * The `most` forms of greatest share, and leaves the room empty.
 * @param count how many forms have a share
 * @param all the greatest share there can be
 * @param least share that counts
 */
function takeBest(room: LikenessRoom, count: number, all: number, least: number, most: number): AlikeForm[] {
  const { shares, touched, known, counts } = room;
  const likenessOf = (share: number): number => Math.floor((share * WHOLE) / all);
  for (let i = 0; i < count; i++) counts[likenessOf(shares[touched[i]!]!)]!++;
  // Tens of thousands of forms have a gram of a long word: only those that can be among the best are sorted.
  let enough = WHOLE;
  for (let better = 0; enough > 0 && better + counts[enough]! < most; enough--) better += counts[enough]!;
  counts.fill(0);
  const alike: AlikeForm[] = [];
  for (let i = 0; i < count; i++) {
    const form = touched[i]!;
    const share = shares[form]!;
    const likeness = likenessOf(share);
    if (share >= least && likeness >= enough) alike.push({ form, likeness });
    shares[form] = 0;
    known[form >>> 5] = 0;
  }
  alike.sort((a, b) => b.likeness - a.likeness || a.form - b.form);
  return alike.slice(0, most);
}

/**
 * The weight of a gram that `holding` of `forms` forms hold, in units of 1/1024. A gram that none holds tells no two forms
 * apart and weighs nothing. The square sets endings that half the dictionary shares further behind.
 */
function gramWeight(forms: number, holding: number): number {
  return holding === 0 ? 0 : Math.round(GRAM_UNIT * Math.log(1 + (forms + 1) / (holding + 1)) ** 2);
}
