import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cosineToHalves } from "../../src/meaning/half.js";
import { MeaningSearch, type Near } from "../../src/meaning/nearest.js";
import { VectorIndex } from "../../src/meaning/vectors.js";
import { stream } from "../words/memory-streams.js";
import { indexOf, randomNumbers, streamsOf, unitVectors } from "./unit-vectors.js";

/** All passages compared by their halves and sorted, and nothing else. */
function byComparingAll(
  indexes: readonly VectorIndex[],
  question: Float32Array,
  filter: (at: number, passage: number) => boolean = () => true,
): Near[] {
  const length = Math.sqrt(question.reduce((sum, number) => sum + number * number, 0));
  const unit = Float64Array.from(question, (number) => number / length);
  return indexes
    .flatMap((index, at) =>
      Array.from({ length: index.passages }, (_, passage) => ({
        package: at,
        passage,
        similarity: cosineToHalves(unit, index.halves(passage)),
      })),
    )
    .filter((near) => filter(near.package, near.passage))
    .sort((a, b) => b.similarity - a.similarity || a.package - b.package || a.passage - b.passage);
}

const collection = fc.record({
  dimensions: fc.oneof(fc.integer({ min: 1, max: 70 }), fc.constant(384)),
  passages: fc.integer({ min: 0, max: 300 }),
  /** How many different vectors there are: passages may be equal. */
  different: fc.integer({ min: 1, max: 300 }),
  spread: fc.constantFrom(0.01, 0.3, 1, 5),
  seed: fc.nat(),
});

function vectorsOf({
  dimensions,
  passages,
  different,
  spread,
  seed,
}: {
  dimensions: number;
  passages: number;
  different: number;
  spread: number;
  seed: number;
}): Float32Array[] {
  const pool = unitVectors(different, dimensions, seed, spread);
  return Array.from({ length: passages }, (_, i) => pool[(i * 7919) % different]!);
}

describe("the nearest passages", () => {
  it("are those of comparing all, in that order, with those similarities", () => {
    fc.assert(
      fc.property(collection, fc.integer({ min: 1, max: 60 }), (made, limit) => {
        const index = indexOf(vectorsOf(made), made.dimensions);
        const search = new MeaningSearch([index]);
        for (const question of unitVectors(3, made.dimensions, made.seed + 1, made.spread))
          expect(search.nearest(question, { limit })).toEqual(byComparingAll([index], question).slice(0, limit));
      }),
      { numRuns: 50 },
    );
  });

  it("are the best of those that a filter admits, however far down they are", () => {
    const index = indexOf(unitVectors(5_000, 30, 1));
    const search = new MeaningSearch([index]);
    const [question] = unitVectors(1, 30, 2);
    const all = byComparingAll([index], question!);
    const last = new Set(all.slice(-7).map(({ passage }) => passage));
    const filter = (_at: number, passage: number): boolean => last.has(passage);
    expect(search.nearest(question!, { limit: 5, filter })).toEqual(all.slice(-7, -2));
    expect(search.nearest(question!, { limit: 50, filter })).toEqual(all.slice(-7));
    expect(search.nearest(question!, { limit: 50, filter: () => false })).toEqual([]);
    const third = (_at: number, passage: number): boolean => passage % 3 === 0;
    expect(search.nearest(question!, { limit: 20, filter: third })).toEqual(
      all.filter(({ passage }) => passage % 3 === 0).slice(0, 20),
    );
  });

  it("have the similarity 1 with themselves, and never more, however long the question's vector", () => {
    const index = indexOf(unitVectors(200, 384, 3));
    const search = new MeaningSearch([index]);
    for (let row = 0; row < 200; row++) {
      const longer = index.vector(row).map((number) => 17 * number);
      const [first] = search.nearest(longer, { limit: 1 });
      expect(first!.passage).toBe(row);
      expect(first!.similarity).toBeLessThanOrEqual(1);
      expect(first!.similarity).toBeGreaterThan(1 - 1e-6);
    }
  });

  it("are in the order that the caller gives where they are equally near", () => {
    const [same, other] = unitVectors(2, 40, 4);
    const index = indexOf([same!, other!, same!, same!, other!, same!]);
    const search = new MeaningSearch([index]);
    const passages = (order?: (a: Near, b: Near) => number): number[] =>
      search.nearest(same!, { limit: 3, order }).map(({ passage }) => passage);
    expect(passages()).toEqual([0, 2, 3]);
    expect(passages((a, b) => b.passage - a.passage)).toEqual([5, 3, 2]);
  });

  it("come out where all passages are the same", () => {
    const [only] = unitVectors(1, 16, 5);
    const search = new MeaningSearch([indexOf(Array.from({ length: 3_000 }, () => only!))]);
    const found = search.nearest(only!, { limit: 10 });
    expect(found.map(({ passage }) => passage)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});

describe("several packages", () => {
  it("answer as one: splitting a collection changes no similarity and no order", () => {
    fc.assert(
      fc.property(collection, fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 4 }), (made, cuts) => {
        const vectors = vectorsOf(made);
        const ends = [0, ...cuts.map((cut) => Math.min(cut, vectors.length)).sort((a, b) => a - b), vectors.length];
        const parts = ends.slice(1).map((end, i) => vectors.slice(ends[i], end));
        const whole = new MeaningSearch([indexOf(vectors, made.dimensions)]);
        const split = new MeaningSearch(parts.map((part) => indexOf(part, made.dimensions)));
        const place = ({ package: at, passage }: Near): number => ends[at]! + passage;
        for (const question of unitVectors(2, made.dimensions, made.seed + 1, made.spread)) {
          const found = split.nearest(question, { limit: 10, order: (a, b) => place(a) - place(b) });
          expect(found.map((near) => ({ package: 0, passage: place(near), similarity: near.similarity }))).toEqual(
            whole.nearest(question, { limit: 10 }),
          );
        }
      }),
      { numRuns: 40 },
    );
  });

  it("of several models are not searched together", () => {
    const indexes = [indexOf(unitVectors(3, 8, 1)), indexOf(unitVectors(3, 9, 1))];
    expect(() => new MeaningSearch(indexes)).toThrow(expect.objectContaining({ code: "other-model" }) as Error);
  });
});

describe("a question", () => {
  const search = new MeaningSearch([indexOf(unitVectors(20, 8, 1))]);

  it("of another model is refused", () => {
    expect(() => search.nearest(new Float32Array(9).fill(1), { limit: 1 })).toThrow(
      expect.objectContaining({ code: "other-model" }) as Error,
    );
  });

  it.each([0, NaN, Infinity])("whose vector is all %d is refused", (number) => {
    expect(() => search.nearest(new Float32Array(8).fill(number), { limit: 1 })).toThrow(
      expect.objectContaining({ code: "encoder-failed" }) as Error,
    );
  });

  it("to nothing has no answer", () => {
    const [question] = unitVectors(1, 8, 2);
    expect(new MeaningSearch([]).nearest(question!, { limit: 5 })).toEqual([]);
    expect(new MeaningSearch([indexOf([], 8)]).nearest(question!, { limit: 5 })).toEqual([]);
    expect(search.nearest(question!, { limit: 0 })).toEqual([]);
  });

  it("reads few vectors: the bounds rule the others out", () => {
    const { codes, halves } = streamsOf(unitVectors(10_000, 128, 7), 128);
    let read = 0;
    const counted = {
      length: halves.length,
      read: (start: number, end: number) => {
        read++;
        return halves.subarray(start, end);
      },
    };
    const many = new MeaningSearch([new VectorIndex({ codes: stream(codes), halves: counted }, 10_000, 128)]);
    const questions = unitVectors(20, 128, 8);
    for (const question of questions) many.nearest(question, { limit: 10 });
    expect(read / questions.length).toBeLessThan(40);
  });

  it("is asked again where vectors had not come, and gets the whole answer", () => {
    const vectors = unitVectors(800, 24, 9);
    const { codes, halves } = streamsOf(vectors, 24);
    const random = randomNumbers(1);
    let misses = 0;
    const unsteady = (bytes: Uint8Array) => {
      const here = new Set<number>();
      return {
        length: bytes.length,
        read: (start: number, end: number) => {
          if (!here.has(start) && random() < 0.7) {
            here.add(start);
            misses++;
            throw new Error("not here yet");
          }
          return bytes.subarray(start, end);
        },
      };
    };
    const remote = new MeaningSearch([new VectorIndex({ codes: unsteady(codes), halves: unsteady(halves) }, 800, 24)]);
    const [question] = unitVectors(1, 24, 10);
    let answer: Near[] | undefined;
    while (answer === undefined) {
      try {
        answer = remote.nearest(question!, { limit: 10 });
      } catch (error) {
        expect((error as Error).message).toBe("not here yet");
      }
    }
    expect(misses).toBeGreaterThan(5);
    expect(answer).toEqual(new MeaningSearch([indexOf(vectors)]).nearest(question!, { limit: 10 }));
  });
});
