/**
 * Which word of one side is which of the other. Words are compared as a multiset, so every word that both sides hold
 * equally often finds a partner wherever it stands; the pairing decides *which* occurrences are left over, and so what
 * the certificate shows as lost, and how far the order agrees.
 *
 * Near linear: runs of words that are unique on both sides are paired first and grown (Heckel 1978, with runs in the place
 * of lines), then the gaps between pairs, then what is left by its rank.
 */
import { SharedRuns } from "./shared-runs.js";
import { ALONE, RESPACED, type Pairing, type Side } from "./sides.js";
import { pairBySpacing, pairSplitWords } from "./spacing.js";

/** Pairs all words that both sides hold. */
export function pairWords(left: Side, right: Side): Pairing {
  const pairing: Pairing = {
    left: new Int32Array(left.ids.length).fill(ALONE),
    right: new Int32Array(right.ids.length).fill(ALONE),
  };
  growFromEnds(left, right, pairing);
  for (const length of [6, 3, 2]) pairSharedRuns(left, right, pairing, length);
  pairGaps(left, right, pairing);
  pairSharedRuns(left, right, pairing, 1);
  pairGaps(left, right, pairing);
  pairByRank(left, right, pairing);
  preferRequired(left, right, pairing);
  pairSplitWords(left, right, pairing);
  return pairing;
}

function pair(pairing: Pairing, i: number, j: number): void {
  pairing.left[i] = j;
  pairing.right[j] = i;
}

/** Pairs equal words to the right of a pair, then to the left of it. */
function grow(left: Side, right: Side, pairing: Pairing, i: number, j: number): void {
  const matches = (a: number, b: number): boolean =>
    a >= 0 &&
    b >= 0 &&
    a < left.ids.length &&
    b < right.ids.length &&
    left.ids[a] === right.ids[b] &&
    pairing.left[a] === ALONE &&
    pairing.right[b] === ALONE;
  for (let step = 1; matches(i + step, j + step); step++) pair(pairing, i + step, j + step);
  for (let step = 1; matches(i - step, j - step); step++) pair(pairing, i - step, j - step);
}

function growFromEnds(left: Side, right: Side, pairing: Pairing): void {
  grow(left, right, pairing, -1, -1);
  grow(left, right, pairing, left.ids.length, right.ids.length);
}

/** A run that stands more often than this says nothing of its place, even where both sides hold it equally often. */
const MOST_REPEATS = 50;

/**
 * Pairs runs of `length` words that stand once on both sides, then those that both sides hold equally often, the first
 * with the first and so on: pages that repeat each other.
 */
function pairSharedRuns(left: Side, right: Side, pairing: Pairing, length: number): void {
  const runs = new SharedRuns(length, left.ids, pairing.left, right.ids, pairing.right);
  const tryPair = (i: number, j: number): void => {
    for (let k = 0; k < length; k++)
      if (left.ids[i + k] !== right.ids[j + k] || pairing.left[i + k] !== ALONE || pairing.right[j + k] !== ALONE)
        return;
    pair(pairing, i, j);
    grow(left, right, pairing, i, j);
  };
  runs.forEach(1, 1, tryPair);
  if (length > 1) runs.forEach(2, MOST_REPEATS, tryPair);
}

/** Products of two gaps up to this are compared word by word; larger ones have no anchor at all and are left to the ranks. */
const LARGEST_GAP = 250_000;
const WORK = 30_000_000;

/** Pairs within each run without partners what stands between the partners of its neighbours. */
function pairGaps(left: Side, right: Side, pairing: Pairing): void {
  let work = 0;
  for (let i = 0; i < left.ids.length; i++) {
    if (pairing.left[i] !== ALONE) continue;
    let end = i;
    while (end < left.ids.length && pairing.left[end] === ALONE) end++;
    const after = i === 0 ? 0 : neighbour(pairing.left, i - 1, -1) + 1;
    const before = end === left.ids.length ? right.ids.length : neighbour(pairing.left, end, 1);
    const gaps: [number, number][] = [];
    if (after >= 0) {
      let to = after;
      while (to < right.ids.length && pairing.right[to] === ALONE) to++;
      gaps.push([after, to]);
    }
    if (before >= 0 && gaps[0]?.[1] !== before) {
      let from = before;
      while (from > 0 && pairing.right[from - 1] === ALONE) from--;
      gaps.push([from, before]);
    }
    for (const [from, to] of gaps) {
      const size = (end - i) * (to - from);
      if (size === 0) continue;
      pairBySpacing(left, right, pairing, [i, end], [from, to]);
      if (size > LARGEST_GAP || work > WORK) continue;
      work += size;
      pairInOrder(left, right, pairing, [i, end], [from, to]);
    }
    i = end;
  }
}

/** The partner of the word at `i`, or -2 where it has none of its own. */
function neighbour(partners: Int32Array, i: number, step: 1 | -1): number {
  let at = i;
  while (at >= 0 && at < partners.length && partners[at] === RESPACED) at += step;
  const partner = partners[at];
  return partner === undefined || partner < 0 ? -2 : partner;
}

/** Longest common subsequence of two short runs. */
function pairInOrder(
  left: Side,
  right: Side,
  pairing: Pairing,
  [i0, i1]: [number, number],
  [j0, j1]: [number, number],
): void {
  const rows = i1 - i0;
  const columns = j1 - j0;
  const lengths = new Uint16Array((rows + 1) * (columns + 1));
  const cell = (i: number, j: number): number => i * (columns + 1) + j;
  const same = (i: number, j: number): boolean =>
    pairing.left[i0 + i] === ALONE && pairing.right[j0 + j] === ALONE && left.ids[i0 + i] === right.ids[j0 + j];
  for (let i = rows - 1; i >= 0; i--)
    for (let j = columns - 1; j >= 0; j--)
      lengths[cell(i, j)] = same(i, j)
        ? lengths[cell(i + 1, j + 1)]! + 1
        : Math.max(lengths[cell(i + 1, j)]!, lengths[cell(i, j + 1)]!);
  let i = 0;
  let j = 0;
  while (i < rows && j < columns) {
    if (same(i, j)) pair(pairing, i0 + i++, j0 + j++);
    else if (lengths[cell(i + 1, j)]! >= lengths[cell(i, j + 1)]!) i++;
    else j++;
  }
}

/** The n-th occurrence without a partner on one side with the n-th on the other: words that moved. */
function pairByRank(left: Side, right: Side, pairing: Pairing): void {
  const waiting = new Map<number, number[]>();
  const queue = (j: number): void => {
    const id = right.ids[j]!;
    const known = waiting.get(id);
    if (known === undefined) waiting.set(id, [j]);
    else known.push(j);
  };
  const isOptional = (j: number): boolean => right.list.optional.has(right.at(j));
  for (let j = 0; j < right.ids.length; j++) if (pairing.right[j] === ALONE && !isOptional(j)) queue(j);
  for (let j = 0; j < right.ids.length; j++) if (pairing.right[j] === ALONE && isOptional(j)) queue(j);
  const used = new Map<number, number>();
  for (let i = 0; i < left.ids.length; i++) {
    if (pairing.left[i] !== ALONE) continue;
    const id = left.ids[i]!;
    const rank = used.get(id) ?? 0;
    const j = waiting.get(id)?.[rank];
    if (j === undefined) continue;
    used.set(id, rank + 1);
    pair(pairing, i, j);
  }
}

/** Gives a word that is paired with an optional one the partner that has to be there, where one is left. */
function preferRequired(left: Side, right: Side, pairing: Pairing): void {
  const alone = new Map<number, number[]>();
  for (let j = right.ids.length - 1; j >= 0; j--) {
    if (pairing.right[j] !== ALONE || right.list.optional.has(right.at(j))) continue;
    const id = right.ids[j]!;
    const known = alone.get(id);
    if (known === undefined) alone.set(id, [j]);
    else known.push(j);
  }
  if (alone.size === 0) return;
  for (let j = 0; j < right.ids.length; j++) {
    const i = pairing.right[j]!;
    if (i < 0 || !right.list.optional.has(right.at(j))) continue;
    const better = alone.get(left.ids[i]!)?.pop();
    if (better === undefined) continue;
    pairing.right[j] = ALONE;
    pair(pairing, i, better);
  }
}
