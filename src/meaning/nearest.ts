import { MdcxError } from "../errors.js";
import { PIECE } from "../image/schema.js";
import { together, whenHere } from "../format/not-here-yet.js";
import { Turns } from "../format/turns.js";
import { cosineToHalves } from "./half.js";
import type { Bounds } from "./codes.js";
import { GROUP } from "./scan/scan.js";
import type { VectorIndex } from "./vectors.js";

/**
 * Vectors that are brought from far away for one question, and leaves of 64 KiB that they may be in: 3.8 MB. What is brought
 * holds .99 of the exact first ten among 20,000 passages and .95 among 100,000 (bench/NOTES.md).
 */
const BROUGHT = 150;
const BROUGHT_LEAVES = 58;
/** Bytes of a stream in four pages, which is one leaf or two that follow one another. */
const LEAF = 4 * PIECE;

/** Passages from which on a scan takes longer than asking another thread for it does by far. */
const BESIDE = 50_000;

/** A passage that is near a question by meaning. */
export interface Near {
  /** Place of its package among the mounted ones. */
  readonly package: number;
  /** Its number in that package. */
  readonly passage: number;
  /** The cosine of both vectors, from the halves: exact, and never above 1. */
  readonly similarity: number;
}

/** What is taken off the cosines of a package's passages, by groups of them. */
export interface PassageLevels {
  /** The group of each passage. */
  readonly groups: Uint16Array;
  /** By group. */
  readonly levels: Float64Array;
}

export interface NearestOptions {
  /** How many at most. */
  readonly limit: number;
  /** Which passages may be found. It narrows the answer and changes no similarity. */
  readonly filter?: ((packageNumber: number, passage: number) => boolean) | undefined;
  /**
   * By package: what is taken off its passages' cosines for the order, and for that alone: `similarity` stays the cosine. In
   * packages of several languages it makes their passages comparable (language-means.ts).
   */
  readonly levels?: readonly PassageLevels[] | undefined;
  /** Order of two that are equally near, negative where `a` comes first; without it package, then passage number. */
  readonly order?: ((a: Near, b: Near) => number) | undefined;
}

/**
 * The nearest passages of several packages of one model. The scan of the codes gives every passage an upper and a lower
 * bound of its cosine; what could still be among the best is rescored from the halves, the most promising first, until
 * nothing left can be. So the answer is that of all halves compared, and splitting a collection into packages changes
 * neither a similarity nor the order.
 *
 * Of packages far away only the sketches are brought, and the halves of the most promising passages: their similarities are
 * exact, and hardly one of the nearest is missed.
 */
export class MeaningSearch {
  readonly #indexes: readonly VectorIndex[];
  readonly #turns = new Turns();
  /** A question was asked: whoever asks once need not wait for a thread to start. */
  #isAgain = false;

  /** @param indexes vectors of one model, which the caller closes */
  constructor(indexes: readonly VectorIndex[]) {
    this.#indexes = indexes;
    const [first] = indexes;
    if (indexes.some(({ dimensions }) => dimensions !== first?.dimensions)) {
      throw new MdcxError("other-model", "The packages have vectors of several models: search them apart.");
    }
  }

  /**
   * The nearest passages, nearest first. Synchronous; may throw where a stream does: ask again then.
   *
   * @param query a vector of the same model, of any length but 0
   * @throws MdcxError `other-model` for one of other dimensions, `encoder-failed` for one that is no direction
   */
  nearest(query: Float32Array, options: NearestOptions): Near[] {
    const { limit, levels, order } = options;
    if (limit < 1 || this.#indexes.length === 0) return [];
    const unit = this.#unit(query);
    const candidates = [...this.#farCandidates(unit, options), ...this.#candidates(unit, options)];
    const best = new Greatest(limit);
    const found: { readonly near: Near; readonly nearness: number }[] = [];
    for (const { package: at, passage, upper } of candidates) {
      if (upper < best.least) break;
      const similarity = cosineToHalves(unit, this.#indexes[at]!.halves(passage));
      const nearness = similarity - levelOf(levels?.[at], passage);
      best.add(nearness);
      found.push({ near: { package: at, passage, similarity }, nearness });
    }
    const tie = order ?? ((a, b) => a.package - b.package || a.passage - b.passage);
    found.sort((a, b) => b.nearness - a.nearness || tie(a.near, b.near));
    return found.slice(0, limit).map(({ near }) => near);
  }

  /** The same, while another thread goes through the codes, where there is one. */
  async nearestBeside(query: Float32Array, options: NearestOptions): Promise<Near[]> {
    const passages = this.#indexes.reduce((sum, index) => sum + index.passages, 0);
    if (passages < BESIDE || !this.#isAgain) {
      this.#isAgain = true;
      return whenHere(() => this.nearest(query, options));
    }
    // The room for results is one question's at a time.
    return this.#turns.run(async () => {
      const unit = this.#unit(query);
      const near = this.#indexes.filter((index) => !index.isFar);
      await whenHere(() => Promise.all(near.map((index) => index.scanBeside(unit))));
      return whenHere(() => this.nearest(query, options));
    });
  }

  #unit(query: Float32Array): Float64Array {
    const { dimensions } = this.#indexes[0]!;
    if (query.length !== dimensions) {
      throw new MdcxError(
        "other-model",
        `The question's vector has ${query.length} dimensions and those of the packages ${dimensions}: use their model.`,
      );
    }
    const length = Math.sqrt(query.reduce((sum, number) => sum + number * number, 0));
    if (!(length > 0 && length < Infinity)) {
      throw new MdcxError("encoder-failed", "The encoder gave no direction for the question: try another model.");
    }
    return Float64Array.from(query, (number) => number / length);
  }

  /** Of packages far away, the passages most likely to be near; their halves are here when this returns. */
  #farCandidates(unit: Float64Array, { filter, levels }: NearestOptions): Candidate[] {
    const far = this.#indexes.flatMap((index, at) => (index.isFar ? [{ index, at }] : []));
    if (far.length === 0) return [];
    together(
      far.map(({ index }) => () => {
        index.wantSketches();
      }),
    );
    let likely: { readonly at: number; readonly passage: number; readonly estimate: number }[] = [];
    for (const { index, at } of far) {
      const level = levels?.[at];
      const best = new Greatest(BROUGHT);
      index.estimates(unit).forEach((cosine, passage) => {
        const estimate = cosine - levelOf(level, passage);
        if (estimate <= best.least || filter?.(at, passage) === false) return;
        best.add(estimate);
        likely.push({ at, passage, estimate });
      });
    }
    likely.sort((a, b) => b.estimate - a.estimate);
    const leaves = new Set<string>();
    const beyond = likely.findIndex(({ at, passage }) => {
      leaves.add(`${at}/${Math.floor((passage * 2 * unit.length) / LEAF)}`);
      return leaves.size > BROUGHT_LEAVES;
    });
    likely = likely.slice(0, Math.min(BROUGHT, beyond < 0 ? BROUGHT : beyond));
    const passagesOf = (wanted: number): number[] =>
      likely.flatMap(({ at, passage }) => (at === wanted ? [passage] : []));
    together(
      far.map(({ index, at }) => () => {
        index.want(passagesOf(at));
      }),
    );
    return likely.map(({ at, passage }) => ({ package: at, passage, upper: Infinity }));
  }

  /** Every passage that could be among the best, by its codes; the greatest upper bound first. */
  #candidates(unit: Float64Array, { limit, filter, levels }: NearestOptions): Candidate[] {
    // What the best ones so far reach for certain: an upper bound below it is out.
    const floor = new Greatest(limit);
    let { least } = floor;
    const candidates: Candidate[] = [];
    for (const { at, bounds, group, most } of this.#groups(unit, levels)) {
      // The groups that follow have nothing greater.
      if (most < least) break;
      const level = levels?.[at];
      const { first, rows, upper, reaches, rounding } = bounds;
      for (let row = group * GROUP; row < Math.min(rows, (group + 1) * GROUP); row++) {
        const bound = upper[row]! - levelOf(level, first + row);
        if (bound < least || filter?.(at, first + row) === false) continue;
        candidates.push({ package: at, passage: first + row, upper: bound });
        const lower = bound - 2 * (reaches[row]! + rounding);
        if (lower <= least) continue;
        floor.add(lower);
        ({ least } = floor);
      }
    }
    return candidates.filter(({ upper }) => upper >= least).sort((a, b) => b.upper - a.upper);
  }

  /** The rows of all packages by groups, those first in which the greatest bound stands. */
  #groups(unit: Float64Array, levels: NearestOptions["levels"]): RowGroup[] {
    const groups: RowGroup[] = [];
    this.#indexes.forEach((index, at) => {
      if (index.isFar) return;
      const level = levels?.[at];
      const taken = level === undefined ? 0 : Math.min(...level.levels);
      for (const bounds of index.bounds(unit))
        bounds.greatest.forEach((greatest, group) => groups.push({ at, bounds, group, most: greatest - taken }));
    });
    return groups.sort((a, b) => b.most - a.most);
  }
}

/** Rows of a package that stand together: none of them comes nearer than `most`. */
interface RowGroup {
  readonly at: number;
  readonly bounds: Bounds;
  readonly group: number;
  readonly most: number;
}

interface Candidate {
  readonly package: number;
  readonly passage: number;
  readonly upper: number;
}

function levelOf(level: PassageLevels | undefined, passage: number): number {
  return level === undefined ? 0 : level.levels[level.groups[passage]!]!;
}

/** The greatest `limit` numbers of any, as a heap whose root is the least of them. */
class Greatest {
  readonly #heap: number[] = [];

  constructor(readonly limit: number) {}

  /** The `limit`-th greatest so far; -Infinity while there are fewer. */
  get least(): number {
    return this.#heap.length < this.limit ? -Infinity : this.#heap[0]!;
  }

  add(number: number): void {
    const heap = this.#heap;
    if (heap.length < this.limit) {
      let at = heap.push(number) - 1;
      for (let parent = (at - 1) >> 1; at > 0 && heap[parent]! > number; at = parent, parent = (at - 1) >> 1) {
        heap[at] = heap[parent]!;
      }
      heap[at] = number;
    } else if (number > heap[0]!) {
      let at = 0;
      for (;;) {
        let child = 2 * at + 1;
        if (child >= heap.length) break;
        if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++;
        if (heap[child]! >= number) break;
        heap[at] = heap[child]!;
        at = child;
      }
      heap[at] = number;
    }
  }
}
