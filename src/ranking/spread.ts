/** What {@link spread} has to know of a hit. */
export interface Nearness {
  /** How near it is to the question, from 0, which is what two texts have that have nothing to do with each other. */
  readonly nearness: number;
}

/** Another document's passage must be near by this share of what it is put before. */
const LEAST_NEARNESS = 0.5;

/**
 * Keeps one document from filling an answer by meaning: after `most` of its passages another document's next one comes
 * first, if it is at least half as near. What is held back keeps its order and comes when nobody else is near enough.
 *
 * For rankings by meaning alone: by words, and fused, a document that holds the question's words in every passage is the
 * answer.
 *
 * @param hits nearest first; more than `limit`, or there is nothing to choose from
 * @param documentOf a name for the document of a hit, its package included
 * @param most passages of one document before others are looked for; 0 leaves the order as it is
 * @param limit how many to give back at most
 */
export function spread<Hit extends Nearness>(
  hits: readonly Hit[],
  documentOf: (hit: Hit) => string,
  most: number,
  limit: number,
): Hit[] {
  if (most === 0) return hits.slice(0, limit);
  const waiting = hits.map((hit) => ({ hit, document: documentOf(hit) }));
  const taken = new Map<string, number>();
  const isFull = (document: string): boolean => (taken.get(document) ?? 0) >= most;
  const spreadOut: Hit[] = [];
  while (waiting.length > 0 && spreadOut.length < limit) {
    const nearest = waiting[0]!;
    let next = isFull(nearest.document) ? waiting.findIndex(({ document }) => !isFull(document)) : 0;
    const least = LEAST_NEARNESS * nearest.hit.nearness;
    if (next < 0 || waiting[next]!.hit.nearness < least) next = 0;
    const [{ hit, document }] = waiting.splice(next, 1) as [(typeof waiting)[number]];
    taken.set(document, (taken.get(document) ?? 0) + 1);
    spreadOut.push(hit);
  }
  return spreadOut;
}
