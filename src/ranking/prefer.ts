/** The third ranking: by date, over what words and meaning found together (spec/facts.md §4). */
import type { Finder, Fused, Ranked } from "./fuse.js";

/**
 * How far down the fused order is looked: what stands behind has its place by chance as much as by the question, and by date
 * most of it would be as good as any.
 */
export const RECENT_DEPTH = 20;

/** The constant of reciprocal rank, as in the fusion. */
const K = 10;
/** The fused order is that of two rankings, and the date is one. */
const RANKINGS = 2;

export interface PreferOptions {
  /** The two rankings that were fused, each best first. */
  readonly rankings: Readonly<Record<Finder, readonly Ranked[]>>;
  /** Date of a passage's document in ISO 8601, of whatever precision; null where it has none. */
  dateOf(hit: Ranked): string | null;
  /** Whether two passages say the same, word for word. */
  isSameText(a: Ranked, b: Ranked): boolean;
}

/** A passage on its way to its place. */
interface Placed<Hit> {
  readonly hit: Hit;
  readonly date: string | null;
  readonly sum: number;
}

/**
 * Puts what is recent before what is old, by ranks alone, and leaves nothing out. A passage without a date has the middle rank
 * by date: nothing is known for it or against it. Dates count from their first day, `2024` from the first of January.
 *
 * Where both rankings have the same first passage, that is the answer, and it stays first; behind a newer document only where
 * that says the very same. Where they differ on it, the newer of their two first passages comes before the older.
 *
 * @param fused the fused order, uncut
 */
export function preferRecent<Hit extends Fused>(fused: readonly Hit[], options: PreferOptions): Hit[] {
  const considered = fused.slice(0, RECENT_DEPTH);
  const dates = considered.map((hit) => options.dateOf(hit));
  const ranks = ranksByDate(dates);
  const placed = considered
    .map((hit, i): Placed<Hit> => {
      const sum = RANKINGS / (K + i + 1) + 1 / (K + ranks[i]!);
      return { hit, date: dates[i]!, sum };
    })
    .sort((a, b) => b.sum - a.sum);
  const [byWords, byMeaning] = [firstBy("word", placed, options), firstBy("meaning", placed, options)];
  if (byWords !== undefined && byWords === byMeaning) {
    toFront(placed, byWords);
    const newest = newestCopy(byWords, placed, options);
    if (newest !== undefined) toFront(placed, newest);
  } else if (byWords !== undefined && byMeaning !== undefined) {
    const [before, after] = [byWords, byMeaning].sort((a, b) => placed.indexOf(a) - placed.indexOf(b));
    if (isNewer(after!, before!)) {
      placed.splice(placed.indexOf(after!), 1);
      placed.splice(placed.indexOf(before!), 0, after!);
    }
  }
  return [...placed.map(({ hit }) => hit), ...fused.slice(RECENT_DEPTH)];
}

/** The rank of each date among the different ones, from 1 for the newest; half way where there is none. */
function ranksByDate(dates: readonly (string | null)[]): number[] {
  const different = [...new Set(dates.filter((date) => date !== null))].sort().reverse();
  return dates.map((date) => (date === null ? (different.length + 1) / 2 : different.indexOf(date) + 1));
}

/** The first passage of a ranking that was counted in the fused order. */
function firstBy<Hit extends Fused>(
  finder: Finder,
  placed: readonly Placed<Hit>[],
  { rankings }: PreferOptions,
): Placed<Hit> | undefined {
  const counted = placed.filter(({ hit }) => hit.foundBy.includes(finder));
  for (const ranked of rankings[finder]) {
    const found = counted.find(({ hit }) => hit.package === ranked.package && hit.passage === ranked.passage);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The newest document that says what the first one says: two editions of a text have the same answer. */
function newestCopy<Hit extends Fused>(
  first: Placed<Hit>,
  placed: readonly Placed<Hit>[],
  { isSameText }: PreferOptions,
): Placed<Hit> | undefined {
  return placed
    .filter((one) => isNewer(one, first) && isSameText(one.hit, first.hit))
    .reduce<Placed<Hit> | undefined>((newest, one) => (newest && !isNewer(one, newest) ? newest : one), undefined);
}

function isNewer(a: Placed<unknown>, b: Placed<unknown>): boolean {
  return a.date !== null && b.date !== null && a.date > b.date;
}

function toFront<Hit>(placed: Placed<Hit>[], one: Placed<Hit>): void {
  placed.splice(placed.indexOf(one), 1);
  placed.unshift(one);
}
