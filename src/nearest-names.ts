import { compareCodePoints } from "./text/code-points.js";

/** Names offered for one that does not exist, at most. */
const MOST = 3;
/** Least likeness of a name that is offered. */
const LEAST = 0.2;

/** The paths most like one that does not exist, most alike first, each once. */
export function nearestPaths(name: string, paths: Iterable<string>): string[] {
  const asked = pairs(name);
  return [...new Set(paths)]
    .map((path) => ({ path, likeness: likeness(asked, pairs(path)) }))
    .filter((one) => one.likeness > LEAST)
    .sort((a, b) => b.likeness - a.likeness || compareCodePoints(a.path, b.path))
    .slice(0, MOST)
    .map(({ path }) => path);
}

function pairs(name: string): Set<string> {
  const folded = name.toLowerCase();
  return new Set(Array.from({ length: Math.max(0, folded.length - 1) }, (_, i) => folded.slice(i, i + 2)));
}

/** Dice's coefficient of the pairs of characters. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size + b.size === 0) return 0;
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared++;
  return (2 * shared) / (a.size + b.size);
}
