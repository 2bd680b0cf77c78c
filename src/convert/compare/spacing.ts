/**
 * Words that differ by spacing alone: `conver` `sion` at the end of a line, `C O N T R A C T`, `ofthe`. They are the same
 * letters in the same order, so nothing is lost. Digits are stricter: `1 2` is not `12`, and `1,2` is `1, 2` only with its
 * comma.
 */
import { ALONE, RESPACED, type Pairing, type Side } from "./sides.js";
import { Joint } from "./words.js";

type Range = readonly [from: number, to: number];

/** The letters of neighbouring words, with the places where a word or a part of a number begins. */
interface Spelling {
  readonly letters: string;
  /** What stands before the letter at each index: absent within a word, a value of `Joint` where a part begins. */
  readonly breaks: ReadonlyMap<number, number>;
}

function spell(side: Side, positions: readonly number[]): Spelling {
  let letters = "";
  const breaks = new Map<number, number>();
  for (const position of positions) {
    const at = side.at(position);
    breaks.set(letters.length, side.list.joints[at]!);
    for (const part of side.list.word(at).split(/([.,\u066b\u066c])/)) {
      if (part === "." || part === "\u066b") breaks.set(letters.length, Joint.stop);
      else if (part === "," || part === "\u066c") breaks.set(letters.length, Joint.comma);
      else letters += part;
    }
  }
  return { letters, breaks };
}

const DIGIT = /\p{N}/u;

/** Whether both spell the same, with every parting of two digits on both sides. */
function sameSpelling(a: Spelling, b: Spelling): boolean {
  if (a.letters !== b.letters) return false;
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const)
    for (const [index, joint] of one.breaks) {
      if (index === 0 || !DIGIT.test(one.letters[index]!) || !DIGIT.test(one.letters[index - 1]!)) continue;
      if (other.breaks.get(index) !== joint) return false;
    }
  return true;
}

/** As many neighbouring words as may spell one another; letter-spaced headings are the longest. */
const LONGEST = 40;

/** How far ahead the other side is searched: both go forward together, so a gap of any length takes linear time. */
const WINDOW = 200;

/** Pairs words of the gap on the left with words of the gap on the right that spell the same. */
export function pairBySpacing(left: Side, right: Side, pairing: Pairing, [i0, i1]: Range, [j0, j1]: Range): void {
  let from = j0;
  for (let i = i0; i < i1; i++) {
    if (pairing.left[i] !== ALONE) continue;
    for (let j = from; j < Math.min(j1, from + WINDOW); j++) {
      if (pairing.right[j] !== ALONE || !sameStart(left, i, right, j)) continue;
      const found =
        match(left, right, pairing, [i, i1], [j, j1], false) ?? match(left, right, pairing, [i, i1], [j, j1], true);
      if (found === undefined) continue;
      claim(pairing, found);
      from = j + 1;
      break;
    }
  }
}

function sameStart(left: Side, i: number, right: Side, j: number): boolean {
  return left.list.word(left.at(i)).charCodeAt(0) === right.list.word(right.at(j)).charCodeAt(0);
}

interface Match {
  readonly left: readonly number[];
  readonly right: readonly number[];
}

function claim(pairing: Pairing, found: Match): void {
  for (const i of found.left) pairing.left[i] = RESPACED;
  for (const j of found.right) pairing.right[j] = RESPACED;
}

/** The shortest runs of words from `i` and `j` on that spell the same by different words. */
function match(
  left: Side,
  right: Side,
  pairing: Pairing,
  [i, iEnd]: Range,
  [j, jEnd]: Range,
  skipOptional: boolean,
): Match | undefined {
  if (skipOptional && right.list.optional.has(right.at(j))) return undefined;
  const lefts = [i];
  const rights = [j];
  let a = left.list.word(left.at(i)).replace(/[.,\u066b\u066c]/g, "");
  let b = right.list.word(right.at(j)).replace(/[.,\u066b\u066c]/g, "");
  let nextLeft = i + 1;
  let nextRight = j + 1;
  while (a.length !== b.length) {
    if (!a.startsWith(b) && !b.startsWith(a)) return undefined;
    if (lefts.length + rights.length > LONGEST) return undefined;
    if (a.length < b.length) {
      if (nextLeft >= iEnd || pairing.left[nextLeft] !== ALONE) return undefined;
      a += left.list.word(left.at(nextLeft)).replace(/[.,\u066b\u066c]/g, "");
      lefts.push(nextLeft++);
    } else {
      while (skipOptional && nextRight < jEnd && right.list.optional.has(right.at(nextRight))) nextRight++;
      if (nextRight >= jEnd || pairing.right[nextRight] !== ALONE) return undefined;
      b += right.list.word(right.at(nextRight)).replace(/[.,\u066b\u066c]/g, "");
      rights.push(nextRight++);
    }
  }
  if (a !== b || lefts.length + rights.length < 3) return undefined;
  return sameSpelling(spell(left, lefts), spell(right, rights)) ? { left: lefts, right: rights } : undefined;
}

/** Words of fewer letters are not looked for away from their place: too many spell something by chance. */
const SHORTEST = 4;
const PARTS = 12;

/**
 * The same away from the place: a word divided by the end of a page stands in the other text before or after the notes and
 * heads of that page. One side must be a single word, and the parts must follow each other with nothing unpaired between.
 */
export function pairSplitWords(left: Side, right: Side, pairing: Pairing): void {
  pairParts(left, pairing.left, right, pairing.right);
  pairParts(right, pairing.right, left, pairing.left);
}

function pairParts(parts: Side, partsPaired: Int32Array, wholes: Side, wholesPaired: Int32Array): void {
  const byWord = new Map<string, number[]>();
  for (let j = 0; j < wholes.ids.length; j++) {
    if (wholesPaired[j] !== ALONE) continue;
    const word = wholes.list.word(wholes.at(j));
    if (word.length < SHORTEST) continue;
    const known = byWord.get(word);
    if (known === undefined) byWord.set(word, [j]);
    else known.push(j);
  }
  if (byWord.size === 0) return;
  for (let i = 0; i + 1 < parts.ids.length; i++) {
    if (partsPaired[i] !== ALONE) continue;
    const run = [i];
    let text = parts.list.word(parts.at(i));
    while (run.length < PARTS && i + run.length < parts.ids.length && partsPaired[i + run.length] === ALONE) {
      run.push(i + run.length);
      text += parts.list.word(parts.at(run.at(-1)!));
      const whole = byWord.get(text)?.at(-1);
      if (whole === undefined || !sameSpelling(spell(parts, run), spell(wholes, [whole]))) continue;
      byWord.get(text)!.pop();
      for (const at of run) partsPaired[at] = RESPACED;
      wholesPaired[whole] = RESPACED;
      break;
    }
  }
}
