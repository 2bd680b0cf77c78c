/**
 * Words that differ by spacing alone: `conver` `sion` at the end of a line, `C O N T R A C T`, `ofthe`; or by where a reader
 * puts an accent or a lam with its alef. They are the same letters and marks, so nothing is lost. Digits are stricter: `1 2` is not `12`, and `1,2` is `1, 2` only with its
 * comma.
 */
import { ALONE, RESPACED, type Pairing, type Side } from "./sides.js";
import { Joint } from "./words.js";

type Range = readonly [from: number, to: number];

/** What words are made of, however they are divided. */
interface Spelling {
  /** Base letters and digits. */
  readonly letters: string;
  /** Accents and vowel signs in a fixed order: readers place them before or behind their letter. */
  readonly marks: string;
  /** What stands before the letter at each index: absent within a word, a value of `Joint` where a part begins. */
  readonly breaks: ReadonlyMap<number, number>;
}

function spell(side: Side, positions: readonly number[]): Spelling {
  let letters = "";
  let marks = "";
  const breaks = new Map<number, number>();
  for (const position of positions) {
    const at = side.at(position);
    const word = side.list.word(at);
    breaks.set(letters.length, side.list.joints[at]!);
    for (const part of word.split(/([.,\u066b\u066c])/)) {
      if (part === "." || part === "\u066b") breaks.set(letters.length, Joint.stop);
      else if (part === "," || part === "\u066c") breaks.set(letters.length, Joint.comma);
      else letters += lettersOf(part);
    }
    if (!ASCII.test(word)) marks += word.normalize("NFD").replace(/[^\p{M}]+/gu, "");
  }
  return { letters, marks: Array.from(marks).sort().join(""), breaks };
}

const ASCII = /^[\0-\u007f]*$/;
const known = new Map<string, string>();
const MOST_KNOWN = 50_000;

/**
 * A word without its marks and separators. Lam and alef are one sign in print, which readers take apart in either order:
 * runs of them are sorted. A dotless i is the i of an accent that stands apart.
 */
function lettersOf(word: string): string {
  if (ASCII.test(word)) return word.replace(/[.,]/g, "");
  let letters = known.get(word);
  if (letters === undefined) {
    letters = word
      .normalize("NFD")
      .replace(/[\p{M}.,\u066b\u066c]+/gu, "")
      .replace(/\u0131/g, "i")
      .replace(/[\u0627\u0671\u0644]{2,}/g, (run) => Array.from(run).sort().join(""));
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(word, letters);
  }
  return letters;
}

const DIGIT = /\p{N}/u;

/** Whether both spell the same, with every parting of two digits on both sides. */
function sameSpelling(a: Spelling, b: Spelling): boolean {
  if (a.letters !== b.letters || a.marks !== b.marks) return false;
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const)
    for (const [index, joint] of one.breaks) {
      if (index === 0 || !DIGIT.test(one.letters[index] ?? "") || !DIGIT.test(one.letters[index - 1]!)) continue;
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
  return lettersOf(left.list.word(left.at(i))).charCodeAt(0) === lettersOf(right.list.word(right.at(j))).charCodeAt(0);
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
  let a = lettersOf(left.list.word(left.at(i)));
  let b = lettersOf(right.list.word(right.at(j)));
  let nextLeft = i + 1;
  let nextRight = j + 1;
  while (a.length !== b.length) {
    if (!a.startsWith(b) && !b.startsWith(a)) return undefined;
    if (lefts.length + rights.length > LONGEST) return undefined;
    if (a.length < b.length) {
      if (nextLeft >= iEnd || pairing.left[nextLeft] !== ALONE) return undefined;
      a += lettersOf(left.list.word(left.at(nextLeft)));
      lefts.push(nextLeft++);
    } else {
      while (skipOptional && nextRight < jEnd && right.list.optional.has(right.at(nextRight))) nextRight++;
      if (nextRight >= jEnd || pairing.right[nextRight] !== ALONE) return undefined;
      b += lettersOf(right.list.word(right.at(nextRight)));
      rights.push(nextRight++);
    }
  }
  const alike = lefts.length + rights.length === 2 && left.ids[i] === right.ids[j];
  if (a !== b || a === "" || alike) return undefined;
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
    const word = lettersOf(wholes.list.word(wholes.at(j)));
    if (word.length < SHORTEST) continue;
    const places = byWord.get(word);
    if (places === undefined) byWord.set(word, [j]);
    else places.push(j);
  }
  if (byWord.size === 0) return;
  for (let i = 0; i < parts.ids.length; i++) {
    const run: number[] = [];
    let text = "";
    for (let at = i; run.length < PARTS && at < parts.ids.length && partsPaired[at] === ALONE; at++) {
      run.push(at);
      text += lettersOf(parts.list.word(parts.at(at)));
      const whole = byWord.get(text)?.at(-1);
      if (whole === undefined || !sameSpelling(spell(parts, run), spell(wholes, [whole]))) continue;
      byWord.get(text)!.pop();
      for (const part of run) partsPaired[part] = RESPACED;
      wholesPaired[whole] = RESPACED;
      break;
    }
  }
}
