/**
 * Normalised discounted cumulative gain of the first ten documents: gain 2^grade − 1, discount log2(rank + 1), against
 * the best order of all relevant documents (Burges et al. 2005).
 */
export function ndcg10(ranked: readonly string[], relevant: ReadonlyMap<string, number>): number {
  return gained(ranked, relevant, (grade) => 2 ** grade - 1);
}

/** The same with the grade itself as gain (Järvelin, Kekäläinen 2002). Where every grade is 1 both are one number. */
export function linearNdcg10(ranked: readonly string[], relevant: ReadonlyMap<string, number>): number {
  return gained(ranked, relevant, (grade) => grade);
}

function gained(
  ranked: readonly string[],
  relevant: ReadonlyMap<string, number>,
  gainOf: (grade: number) => number,
): number {
  const gain = (grade: number, rank: number): number => gainOf(grade) / Math.log2(rank + 2);
  let reached = 0;
  ranked.slice(0, 10).forEach((id, rank) => (reached += gain(relevant.get(id) ?? 0, rank)));
  let best = 0;
  [...relevant.values()]
    .sort((a, b) => b - a)
    .slice(0, 10)
    .forEach((grade, rank) => (best += gain(grade, rank)));
  return best === 0 ? 0 : reached / best;
}

export function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return 0;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
