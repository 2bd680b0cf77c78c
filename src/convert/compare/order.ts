/** How far two texts say their common words in the same order. */

/**
 * Length of the longest run of pairs that goes forward on both sides, given the partner of each word (negative: none). It
 * is the longest common subsequence under the pairing that was made, so it never says more than the true one.
 */
export function wordsInOrder(partners: Int32Array): number {
  // tails[k]: the smallest end of an ascending run of k + 1.
  const tails = new Int32Array(partners.length);
  let length = 0;
  for (const partner of partners) {
    if (partner < 0) continue;
    let low = 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (tails[middle]! < partner) low = middle + 1;
      else high = middle;
    }
    tails[low] = partner;
    if (low === length) length++;
  }
  return length;
}
