import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { weigh, type Ranked, type Weighed } from "../../src/ranking/fuse.js";
import { preferRecent, RECENT_DEPTH } from "../../src/ranking/prefer.js";

const ranked = (passages: readonly number[]): Ranked[] => passages.map((passage) => ({ package: 0, passage }));
const numbers = (hits: readonly Ranked[]): number[] => hits.map(({ passage }) => passage);

interface Case {
  readonly words: readonly number[];
  readonly meaning: readonly number[];
  /** Dates by passage. */
  readonly dates: Readonly<Record<number, string>>;
  /** Passages that say the same. */
  readonly same?: readonly number[];
}

function fusedOf({ words, meaning }: Case): Weighed[] {
  return weigh(ranked(words), ranked(meaning), {
    wordsSpeakFor: () => true,
    order: (a, b) => a.passage - b.passage,
  });
}

function preferred(one: Case, fused = fusedOf(one)): number[] {
  return numbers(
    preferRecent(fused, {
      rankings: { word: ranked(one.words), meaning: ranked(one.meaning) },
      dateOf: ({ passage }) => one.dates[passage] ?? null,
      isSameText: (a, b) => one.same?.includes(a.passage) === true && one.same.includes(b.passage),
    }),
  );
}

describe("what is recent comes before what is old", () => {
  it("where words and meaning differ on the first, the newer of the two comes first, whichever it is", () => {
    const one = { words: [1, 2, 3], meaning: [2, 1, 3] };
    expect(preferred({ ...one, dates: { 1: "2019", 2: "2024-05" } })).toEqual([2, 1, 3]);
    expect(preferred({ ...one, dates: { 1: "2024-05", 2: "2019" } })).toEqual([1, 2, 3]);
  });

  it("also where the older of the two stands far better in the other ranking", () => {
    const one = { words: [1, 2, 3, 4, 5, 6, 7, 8], meaning: [2, 3, 4, 5, 6, 7, 8, 1] };
    expect(preferred({ ...one, dates: { 1: "2024", 2: "1970" } })[0]).toBe(1);
    expect(preferred({ ...one, dates: { 1: "1970", 2: "2024" } })[0]).toBe(2);
  });

  it("where they agree on the first, the date does not move it", () => {
    const one = { words: [1, 2, 3], meaning: [1, 3, 2] };
    expect(preferred({ ...one, dates: { 1: "1970", 2: "2024", 3: "2023" } })).toEqual([1, 2, 3]);
    expect(preferred({ ...one, dates: { 1: "1970", 2: "2023", 3: "2024" } })).toEqual([1, 3, 2]);
  });

  it("but a newer document that says the very same comes before it", () => {
    const one = { words: [1, 2, 3, 4], meaning: [1, 2, 3, 4], same: [1, 3, 4] };
    expect(preferred({ ...one, dates: { 1: "2019", 2: "2025", 3: "2021", 4: "2024" } }).slice(0, 2)).toEqual([4, 1]);
    expect(preferred({ ...one, dates: { 1: "2025", 2: "2019", 3: "2021", 4: "2024" } })[0]).toBe(1);
  });

  it("an old passage that answers better stays among the first five", () => {
    const others = Array.from({ length: 19 }, (_, i) => i + 2);
    const dates = Object.fromEntries(others.map((passage) => [passage, String(2000 + passage)]));
    const order = preferred({
      words: [1, ...others],
      meaning: [2, 1, ...others.slice(1)],
      dates: { ...dates, 1: "1970" },
    });
    expect(order.indexOf(1)).toBeLessThan(5);
  });

  it("a date that is less precise counts from its first day", () => {
    const one = { words: [1, 2], meaning: [2, 1] };
    expect(preferred({ ...one, dates: { 1: "2024", 2: "2024-01-02" } })).toEqual([2, 1]);
    expect(preferred({ ...one, dates: { 1: "2024", 2: "2023-12-31" } })).toEqual([1, 2]);
  });
});

describe("where dates say nothing the order stays", () => {
  const rankings = fc
    .tuple(fc.shuffledSubarray(range(40)), fc.shuffledSubarray(range(40)))
    .map(([words, meaning]) => ({ words, meaning }));

  it("with one date for all, with one dated passage, and with none", () => {
    fc.assert(
      fc.property(rankings, fc.nat(39), (one, dated) => {
        const order = numbers(fusedOf({ ...one, dates: {} }));
        const all = Object.fromEntries(range(40).map((passage) => [passage, "2024-03"]));
        expect(preferred({ ...one, dates: {} })).toEqual(order);
        expect(preferred({ ...one, dates: all })).toEqual(order);
        expect(preferred({ ...one, dates: { [dated]: "1970" } })).toEqual(order);
        expect(preferred({ ...one, dates: { [dated]: "2024" } })).toEqual(order);
      }),
      { seed: 6, numRuns: 300 },
    );
  });

  it("and behind the first twenty in any case", () => {
    const all = range(40);
    const dates = Object.fromEntries(all.map((passage) => [passage, String(1900 + passage)]));
    expect(preferred({ words: all, meaning: all, dates }).slice(RECENT_DEPTH)).toEqual(all.slice(RECENT_DEPTH));
  });

  it("nothing is lost or found twice, and the agreed first is never moved, whatever the dates", () => {
    const dates = fc.dictionary(
      fc.nat(39).map(String),
      fc.constantFrom("1970", "1999-05", "2020", "2020-01-01", "2024", "2024-06-30"),
    );
    fc.assert(
      fc.property(rankings, dates, (one, dated) => {
        const order = preferred({ ...one, dates: dated });
        expect([...order].sort((a, b) => a - b)).toEqual(numbers(fusedOf({ ...one, dates: {} })).sort((a, b) => a - b));
        const [byWords, byMeaning] = [one.words[0], one.meaning[0]];
        if (byWords === undefined || byMeaning === undefined) return;
        if (byWords === byMeaning) expect(order[0]).toBe(byWords);
        const [a, b] = [dated[byWords], dated[byMeaning]];
        if (a !== undefined && b !== undefined && a !== b)
          expect(order.indexOf(byWords) < order.indexOf(byMeaning)).toBe(a > b);
      }),
      { seed: 6, numRuns: 1000 },
    );
  });
});

function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}
