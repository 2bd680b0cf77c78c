/** What of the library's Unigram model encoding reads. Its own types cannot be resolved by NodeNext. */
export interface UnigramModel {
  tokens_to_ids: Map<string, number>;
  unk_token_id?: number;
  unk_token?: string;
  tokenize(word: string): string[];
}

/** Pieces with their scores (natural logarithms of probabilities), as `tokenizer.json` lists them. */
export type ScoredPieces = readonly (readonly [piece: string, score: number])[];

/** Words whose pieces are remembered: enough for the common words of several languages, some 10 MB. */
const REMEMBERED = 50_000;
/** Longer words are hardly ever seen twice. */
const REMEMBERED_LENGTH = 32;

/**
 * Cuts words into pieces as SentencePiece's Unigram model does: of all ways to cut, the one whose scores add up to most.
 *
 * The library builds a trie of its 250,000 pieces first, which takes 1.5 s and 150 MB. Looking up every substring of a
 * word in a map needs no trie, is as fast, and the map is made in 40 ms.
 */
export class UnigramPieces {
  /** Numbers of the pieces in the vocabulary. */
  readonly ids = new Map<string, number>();
  /** By the character that a piece begins with: the length of the longest such piece, in UTF-16 units. */
  private readonly longest = new Map<number, number>();
  private readonly scores: Float64Array;
  /** What one character costs that no piece holds: the library's rule, 10 under the least likely piece. */
  private readonly unknown: number;
  private readonly remembered = new Map<string, string[]>();

  constructor(pieces: ScoredPieces, unknownId: number) {
    this.scores = new Float64Array(pieces.length);
    let least = Infinity;
    let id = 0;
    for (const [piece, score] of pieces) {
      this.ids.set(piece, id);
      this.scores[id++] = score;
      if (score < least) least = score;
      const first = piece.codePointAt(0) ?? 0;
      if (piece.length > (this.longest.get(first) ?? 0)) this.longest.set(first, piece.length);
    }
    this.unknown = least - 10;
    this.scores[unknownId] = this.unknown;
  }

  /** @param word as the normaliser and the pre-tokeniser leave it: `▁word` */
  cut(word: string): string[] {
    const known = this.remembered.get(word);
    if (known !== undefined) return known;
    const pieces = this.best(word);
    if (word.length <= REMEMBERED_LENGTH) {
      if (this.remembered.size >= REMEMBERED) this.remembered.clear();
      this.remembered.set(word, pieces);
    }
    return pieces;
  }

  /**
   * The best path, with the library's choice where two are equal: of the pieces that end at a place, the first that
   * was put there, compared by their sums *with* the piece that follows, as rounding makes sums equal that were not.
   */
  private best(word: string): string[] {
    const length = word.length;
    // One entry a piece that may be cut; all that end at a place are chained in the order in which they were found.
    const starts: number[] = [];
    const sums: number[] = [];
    const previous: number[] = [];
    const chain: number[] = [];
    const firstEnding = new Int32Array(length + 1).fill(-1);
    const lastEnding = new Int32Array(length + 1).fill(-1);
    const follow = (place: number, score: number): readonly [sum: number, entry: number] => {
      let sum = score;
      let entry = -1;
      for (let each = firstEnding[place]!; each >= 0; each = chain[each]!)
        if (entry < 0 || sums[each]! + score > sum) {
          sum = sums[each]! + score;
          entry = each;
        }
      return [sum, entry];
    };
    const add = (start: number, end: number, score: number): void => {
      const entry = starts.length;
      const [sum, before] = follow(start, score);
      starts.push(start);
      sums.push(sum);
      previous.push(before);
      chain.push(-1);
      if (lastEnding[end]! >= 0) chain[lastEnding[end]!] = entry;
      else firstEnding[end] = entry;
      lastEnding[end] = entry;
    };

    for (let start = 0; start < length;) {
      const first = word.codePointAt(start)!;
      const single = first > 0xffff ? 2 : 1;
      const most = Math.min(length - start, this.longest.get(first) ?? 0);
      let alone = false;
      for (let size = single; size <= most; size++) {
        const id = this.ids.get(word.slice(start, start + size));
        if (id === undefined) continue;
        add(start, start + size, this.scores[id]!);
        alone ||= size === single;
      }
      if (!alone) add(start, start + single, this.unknown);
      start += single;
    }

    const pieces: string[] = [];
    let end = length;
    for (let [, entry] = follow(length, 0); entry >= 0; entry = previous[entry]!) {
      pieces.push(word.slice(starts[entry], end));
      end = starts[entry]!;
    }
    return pieces.reverse();
  }
}

/** Gives a Unigram model of the library, which was made over hardly any pieces, all of them. */
export function givePieces(model: UnigramModel, pieces: ScoredPieces, unknownId: number): void {
  const table = new UnigramPieces(pieces, unknownId);
  // What the library's own constructor would have set and encoding reads; the trie is not asked any more.
  for (const [token, id] of model.tokens_to_ids) if (!table.ids.has(token)) table.ids.set(token, id);
  model.tokens_to_ids = table.ids;
  model.unk_token_id = unknownId;
  model.unk_token = pieces[unknownId]![0];
  model.tokenize = (word) => table.cut(word);
}
