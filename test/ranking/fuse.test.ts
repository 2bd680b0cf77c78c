import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEPTH, fuse, MEANING_DEPTH, type FuseOptions, type Ranked } from "../../src/ranking/fuse.js";

const hit = (passage: number, at = 0): Ranked => ({ package: at, passage });
const order = (a: Ranked, b: Ranked): number => a.package - b.package || a.passage - b.passage;
const anywhere: FuseOptions = { limit: DEPTH, wordsSpeakFor: () => true, order };
const passages = (hits: readonly Ranked[]): number[] => hits.map(({ passage }) => passage);

/** Distinct passages in a random order. */
const ranking = fc.uniqueArray(fc.nat(80), { maxLength: DEPTH }).map((numbers) => numbers.map((n) => hit(n)));

describe("words and meaning fused", () => {
  it("put first what both put first, and say what found it", () => {
    expect(fuse([hit(7), hit(1)], [hit(7), hit(2)], anywhere)).toEqual([
      { package: 0, passage: 7, foundBy: ["word", "meaning"] },
      { package: 0, passage: 1, foundBy: ["word"] },
      { package: 0, passage: 2, foundBy: ["meaning"] },
    ]);
  });

  it("carry no score", () => {
    const scored = [{ ...hit(1), score: 0.7, similarity: 0.9 }];
    expect(Object.keys(fuse(scored, scored, anywhere)[0]!)).toEqual(["package", "passage", "foundBy"]);
  });

  it("keep the first of one ranking before what both hold far down", () => {
    const others = (from: number): Ranked[] => Array.from({ length: 18 }, (_, i) => hit(from + i));
    const fused = fuse([hit(1), ...others(200), hit(99)], [hit(2), ...others(300), hit(99)], anywhere);
    expect(passages(fused).slice(0, 2)).toEqual([1, 2]);
    expect(fused.find(({ passage }) => passage === 99)?.foundBy).toEqual(["word", "meaning"]);
  });

  it("keep a near passage that shares no word before those in another language that are far", () => {
    const foreign = Array.from({ length: 20 }, (_, i) => hit(100 + i));
    const crossing = { ...anywhere, wordsSpeakFor: ({ passage }: Ranked) => passage < 100 };
    const fused = passages(fuse([hit(1)], [hit(2), ...foreign, hit(1)], crossing));
    expect(fused.indexOf(2)).toBeLessThan(fused.indexOf(106));
    // In one language what shares no word has nothing more to say for it.
    expect(passages(fuse([hit(1)], [hit(2), hit(3), hit(1)], anywhere))[0]).toBe(1);
  });

  it("are the order of one where the other is empty", () => {
    fc.assert(
      fc.property(ranking, (hits) => {
        expect(passages(fuse(hits, [], anywhere))).toEqual(passages(hits));
        expect(passages(fuse([], hits, anywhere))).toEqual(passages(hits));
      }),
      { seed: 5, numRuns: 200 },
    );
  });

  it("begin the same whatever the limit", () => {
    fc.assert(
      fc.property(ranking, ranking, fc.integer({ min: 1, max: 120 }), (words, meaning, limit) => {
        const all = fuse(words, meaning, { ...anywhere, limit: 1_000 });
        expect(fuse(words, meaning, { ...anywhere, limit })).toEqual(all.slice(0, limit));
      }),
      { seed: 11, numRuns: 200 },
    );
  });

  it("hold each passage once, all of both within the limit", () => {
    fc.assert(
      fc.property(ranking, ranking, fc.integer({ min: 1, max: 120 }), (words, meaning, limit) => {
        const fused = passages(fuse(words, meaning, { ...anywhere, limit }));
        const all = new Set([...passages(words), ...passages(meaning)]);
        expect(new Set(fused).size).toBe(fused.length);
        expect(fused.length).toBe(Math.min(limit, all.size));
        expect(fused.every((passage) => all.has(passage))).toBe(true);
      }),
      { seed: 5, numRuns: 200 },
    );
  });

  it("never put a passage lower for being higher in one ranking", () => {
    fc.assert(
      fc.property(ranking, ranking, fc.nat(79), (words, meaning, from) => {
        fc.pre(from > 0 && from < meaning.length);
        const raised = [...meaning];
        [raised[from - 1], raised[from]] = [raised[from]!, raised[from - 1]!];
        const placeOf = (list: readonly Ranked[]): number =>
          passages(fuse(words, list, { ...anywhere, limit: 200 })).indexOf(meaning[from]!.passage);
        expect(placeOf(raised)).toBeLessThanOrEqual(placeOf(meaning));
      }),
      { seed: 5, numRuns: 200 },
    );
  });

  it("are the same in whatever order the packages were mounted", () => {
    // The order of what is equal comes from the documents, not from the place of a package.
    const names = ["a", "b", "c"];
    const ofTwo = fc.uniqueArray(fc.record({ package: fc.nat(2), passage: fc.nat(20) }), {
      selector: ({ package: at, passage }) => `${at}/${passage}`,
      maxLength: DEPTH,
    });
    fc.assert(
      fc.property(ofTwo, ofTwo, fc.shuffledSubarray([0, 1, 2], { minLength: 3 }), (words, meaning, mounted) => {
        const named =
          (places: readonly number[]) =>
          ({ package: at, passage }: Ranked): string =>
            `${names[places[at]!]!} ${String(passage).padStart(2, "0")}`;
        const asked = (places: readonly number[]): string[] => {
          const move = (hits: readonly Ranked[]): Ranked[] =>
            hits.map(({ package: at, passage }) => hit(passage, places.indexOf(at)));
          const name = named(places);
          return fuse(move(words), move(meaning), {
            limit: 100,
            wordsSpeakFor: (one) => names[places[one.package]!] !== "b",
            order: (a, b) => (name(a) < name(b) ? -1 : 1),
          }).map(name);
        };
        expect(asked(mounted)).toEqual(asked([0, 1, 2]));
      }),
      { seed: 5, numRuns: 200 },
    );
  });
});

describe("a ranking that cannot speak", () => {
  it("changes nothing: in another language the order is that of meaning", () => {
    fc.assert(
      fc.property(ranking, ranking, (words, meaning) => {
        const fused = fuse(words, meaning, { ...anywhere, wordsSpeakFor: () => false });
        expect(passages(fused)).toEqual(passages(meaning));
        expect(fused.every(({ foundBy }) => foundBy.join() === "meaning")).toBe(true);
      }),
      { seed: 5, numRuns: 200 },
    );
  });

  it("changes nothing among passages that others can speak for", () => {
    fc.assert(
      fc.property(ranking, ranking, fc.nat(2), (words, meaning, rest) => {
        const wordsSpeakFor = ({ passage }: Ranked): boolean => passage % 3 !== rest;
        const options = { ...anywhere, limit: 200, wordsSpeakFor };
        expect(fuse(words, meaning, options)).toEqual(fuse(words.filter(wordsSpeakFor), meaning, options));
      }),
      { seed: 5, numRuns: 200 },
    );
  });

  it("does not bury the answer in another language among what words find in the question's own", () => {
    // Words find noise in the question's language, meaning puts the answer eleventh behind it.
    const own = Array.from({ length: 40 }, (_, i) => hit(i));
    const answer = hit(1000);
    const nearest = [...own.slice(0, 10), answer, ...own.slice(10)];
    const noise = [...own].reverse();
    const wordsSpeakFor = ({ passage }: Ranked): boolean => passage < 1000;
    const place = (options: FuseOptions): number => passages(fuse(noise, nearest, options)).indexOf(1000);
    expect(place({ ...anywhere, wordsSpeakFor })).toBeLessThan(3);
    expect(place(anywhere)).toBeGreaterThan(10);
  });

  it("does not put another language before an answer that words and meaning agree on", () => {
    const fused = fuse([hit(1), hit(2)], [hit(1), hit(1000), hit(2)], {
      ...anywhere,
      wordsSpeakFor: ({ passage }) => passage < 1000,
    });
    expect(passages(fused)[0]).toBe(1);
  });

  it("leaves meaning's place to words, for a package without vectors", () => {
    const options = { ...anywhere, meaningSpeaksFor: ({ package: at }: Ranked) => at === 0 };
    const fused = fuse([hit(5, 1), hit(1), hit(2)], [hit(2), hit(1)], options);
    expect(fused[0]).toEqual({ package: 1, passage: 5, foundBy: ["word"] });
  });

  it("keeps the order of words where neither can speak, behind what one can speak for", () => {
    const fused = fuse([hit(8, 1), hit(9, 1)], [hit(1)], {
      ...anywhere,
      wordsSpeakFor: () => false,
      meaningSpeaksFor: ({ package: at }) => at === 0,
    });
    expect(passages(fused)).toEqual([1, 8, 9]);
  });

  it("takes from meaning as many passages on each side as from words, however many stand before them", () => {
    const own = Array.from({ length: MEANING_DEPTH - 10 }, (_, i) => hit(i));
    const other = Array.from({ length: 10 }, (_, i) => hit(1000 + i));
    const fused = fuse([], [...own, ...other], {
      ...anywhere,
      limit: 500,
      wordsSpeakFor: ({ passage }) => passage < 1000,
    });
    expect(passages(fused).filter((passage) => passage >= 1000)).toEqual(passages(other));
    expect(fused.length).toBe(DEPTH + other.length);
  });
});
