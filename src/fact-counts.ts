import type { Image } from "./image/reader.js";
import type { Direction } from "./image/records.js";

/** How much is known of a package's documents beside their text. */
export interface FactCounts {
  /** Dated documents by where their dates come from: `front-matter`, `source`, `sidecar`, `mtime`, or what a list of dates says. */
  readonly datedFrom: Readonly<Record<string, number>>;
  /** Documents that were received, and sent; neither of those of which nothing is known. */
  readonly directions: Readonly<Record<Direction, number>>;
}

/** Counts them over all documents of an image, those that are not searched included. */
export function countFacts(image: Image): FactCounts {
  const datedFrom = new Map<string, number>();
  const directions = { received: 0, sent: 0 };
  for (const { dateOrigin, direction } of image.documents()) {
    if (dateOrigin !== null) datedFrom.set(dateOrigin, (datedFrom.get(dateOrigin) ?? 0) + 1);
    if (direction !== null) directions[direction]++;
  }
  const byCount = [...datedFrom].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return { datedFrom: Object.fromEntries(byCount), directions };
}
