import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { spread } from "../../src/ranking/spread.js";

interface Hit {
  readonly document: string;
  readonly nearness: number;
}
/** Cosine of two texts that have nothing to do with each other: what nearness is counted from. */
const BASE = 0.7;
/** `a.90 b.85` nearest first. */
const hits = (text: string): Hit[] =>
  text.split(" ").map((one) => ({ document: one.charAt(0), nearness: Number(one.slice(1)) - BASE }));
const shown = (list: readonly Hit[]): string =>
  list.map(({ document, nearness }) => `${document}${(nearness + BASE).toFixed(2).slice(1)}`).join(" ");
const of = (text: string, most = 2, limit = 10): string =>
  shown(spread(hits(text), ({ document }) => document, most, limit));

describe("an answer by meaning", () => {
  it("has two passages of a document before another document's, where that is at least half as near", () => {
    expect(of("a.90 a.88 a.86 b.80")).toBe("a.90 a.88 b.80 a.86");
  });

  it("keeps the order where the other is less than half as near: similarities live far above 0", () => {
    expect(of("a.90 a.88 a.86 b.76")).toBe("a.90 a.88 a.86 b.76");
  });

  it("keeps what is held back in its order, and gives it when nobody else is near enough", () => {
    expect(of("a.90 a.89 a.88 b.87 a.86 c.85")).toBe("a.90 a.89 b.87 c.85 a.88 a.86");
  });

  it("is not spread with 0", () => {
    expect(of("a.90 a.88 a.86 b.85", 0, 3)).toBe("a.90 a.88 a.86");
  });

  it("of one document is that document's", () => {
    expect(of("a.90 a.88 a.86", 1)).toBe("a.90 a.88 a.86");
  });

  const list = fc
    .array(
      fc.record({
        document: fc.constantFrom("a", "b", "c"),
        nearness: fc.double({ min: -0.2, max: 0.3, noNaN: true }),
      }),
      { maxLength: 30 },
    ) // prettier-ignore
    .map((found) => found.sort((a, b) => b.nearness - a.nearness));

  it("loses and adds nothing, and the nearest stays first", () => {
    fc.assert(
      fc.property(list, fc.nat(4), (found, most) => {
        const all = spread(found, ({ document }) => document, most, found.length);
        expect([...all].sort((a, b) => b.nearness - a.nearness)).toEqual(found);
        expect(all[0]).toEqual(found[0]);
      }),
      { seed: 5, numRuns: 200 },
    );
  });

  it("moves nothing that is not near at all", () => {
    fc.assert(
      fc.property(list, fc.integer({ min: 1, max: 3 }), (found, most) => {
        const far = found.filter(({ nearness }) => nearness < 0);
        expect(spread(far, ({ document }) => document, most, far.length)).toEqual(far);
      }),
      { seed: 5, numRuns: 200 },
    );
  });
});
