/** The third ranking: by date, over what words and meaning found together (spec/facts.md §4). */
import { K, type Finder, type Fused, type Ranked, type Weighed } from "./fuse.js";

/**
 * How far down the fused order is looked: what stands behind has its place by chance as much as by the question, and by date
 * most of it would be as good as any.
 */
export const RECENT_DEPTH = 20;

export interface PreferOptions {
  /** The two rankings that were fused, each best first. */
  readonly rankings: Readonly<Record<Finder, readonly Ranked[]>>;
  /** Date of a passage's document in ISO 8601, of whatever precision; null where it has none. */
  readonly dateOf: (hit: Ranked) => string | null;
  /** Whether two passages say the same, word for word. */
  readonly isSameText: (a: Ranked, b: Ranked) => boolean;
}

/** A passage on its way to its place. */
interface Placed {
  readonly hit: Fused;
  readonly date: string | null;
  readonly sum: number;
}

/**
 * Puts what is recent before what is old, by ranks alone, and leaves nothing out. Documents of one date share the mean of the
 * ranks that they take, and one without a date has the middle rank: nothing is known for it or against it. Dates count from
 * their first day, `2024` from the first of January.
 *
 * Where both rankings have the same first passage, that is the answer, and it stays first; behind a newer document only where
 * that says the very same. Where they differ on it, the newer of their two first passages comes before the older.
 *
 * @param fused the fused order, uncut
 */
export function preferRecent(fused: readonly Weighed[], options: PreferOptions): Fused[] {
  const considered = fused.slice(0, RECENT_DEPTH);
  const dates = considered.map((hit) => options.dateOf(hit));
  const ranks = ranksByDate(dates);
  const placed = considered
    .map((hit, i): Placed => ({ hit, date: dates[i]!, sum: hit.sum + 1 / (K + ranks[i]!) }))
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

/** The rank of each by its date, the newest first, from 1. */
function ranksByDate(dates: readonly (string | null)[]): number[] {
  const dated = dates.filter((date) => date !== null);
  return dates.map((date) => {
    if (date === null) return (dated.length + 1) / 2;
    const [newer, same] = [dated.filter((one) => one > date).length, dated.filter((one) => one === date).length];
    return newer + (same + 1) / 2;
  });
}

/** The first passage of a ranking that was counted in the fused order. */
function firstBy(finder: Finder, placed: readonly Placed[], { rankings }: PreferOptions): Placed | undefined {
  const counted = placed.filter(({ hit }) => hit.foundBy.includes(finder));
  for (const ranked of rankings[finder]) {
    const found = counted.find(({ hit }) => hit.package === ranked.package && hit.passage === ranked.passage);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The newest document that says what the first one says: two editions of a text have the same answer. */
function newestCopy(first: Placed, placed: readonly Placed[], { isSameText }: PreferOptions): Placed | undefined {
  return placed
    .filter((one) => isNewer(one, first) && isSameText(one.hit, first.hit))
    .reduce<Placed | undefined>((newest, one) => (newest && !isNewer(one, newest) ? newest : one), undefined);
}

function isNewer(a: Placed, b: Placed): boolean {
  return a.date !== null && b.date !== null && a.date > b.date;
}

function toFront(placed: Placed[], one: Placed): void {
  placed.splice(placed.indexOf(one), 1);
  placed.unshift(one);
}
