import { describe, expect, it } from "vitest";
import { baselineText, dropsFrom, readBaseline, type Baseline } from "../../src/evaluation/baseline.js";
import type { GoldenQuestion } from "../../src/evaluation/golden.js";
import { measure, type Figures } from "../../src/evaluation/measures.js";

function question(needs: "any" | "all", documents: string[]): GoldenQuestion {
  return { id: "q", query: "q", kind: "keyword", needs, documents, line: 1 };
}

describe("the measures of a ranking", () => {
  it("take the first document that answers, where any does", () => {
    const any = question("any", ["x", "y"]);
    expect(measure(["x", "a"], any)).toEqual({ "hit@1": 1, "recall@3": 1, mrr: 1, "ndcg@5": 1 });
    expect(measure(["a", "y", "x"], any)).toEqual({
      "hit@1": 0,
      "recall@3": 1,
      mrr: 1 / 2,
      "ndcg@5": 1 / Math.log2(3),
    });
    expect(measure(["a", "b", "c", "x"], any)).toEqual({
      "hit@1": 0,
      "recall@3": 0,
      mrr: 1 / 4,
      "ndcg@5": 1 / Math.log2(5),
    });
    expect(measure(["a", "b", "c", "d", "e", "x"], any)).toMatchObject({ mrr: 1 / 6, "ndcg@5": 0 });
    expect(measure([], any)).toEqual({ "hit@1": 0, "recall@3": 0, mrr: 0, "ndcg@5": 0 });
  });

  it("count the share that was found, where all are needed", () => {
    const all = question("all", ["x", "y"]);
    expect(measure(["y", "x"], all)).toEqual({ "hit@1": 1, "recall@3": 1, mrr: 1, "ndcg@5": 1 });
    expect(measure(["x", "a", "b", "c", "d", "y"], all)).toEqual({
      "hit@1": 1,
      "recall@3": 1 / 2,
      mrr: 1,
      "ndcg@5": 1 / (1 + 1 / Math.log2(3)),
    });
    expect(measure(["a", "x", "y"], all)).toMatchObject({ "hit@1": 0, "recall@3": 1, mrr: 1 / 2 });
  });
});

const figures = (value: number): Figures => ({
  questions: 10,
  "hit@1": value,
  "recall@3": value,
  mrr: value,
  "ndcg@5": value,
});

function baseline(value: number, flagged = 8, wronglyFlagged = 1): Baseline {
  return {
    golden: "0".repeat(64),
    modes: {
      words: { all: figures(0.5), kinds: {} },
      auto: { all: figures(value), kinds: { table: figures(value) } },
    },
    warnings: { unanswerable: 10, flagged, answerable: 30, wronglyFlagged },
  };
}

describe("a baseline", () => {
  it("comes back from its file", () => {
    expect(readBaseline(baselineText(baseline(0.9)))).toEqual(baseline(0.9));
    expect(readBaseline(baselineText({ ...baseline(0.9), warnings: null })).warnings).toBeNull();
  });

  it.each([
    ["no JSON", "nothing"],
    ["another JSON", "{}"],
    ["no figures", '{"golden":"0","modes":{},"warnings":null}'],
    ["a figure that is no number", baselineText(baseline(0.9)).replace("0.9", '"high"')],
    ["warnings without counts", baselineText({ ...baseline(0.9), warnings: null }).replace("null", "{}")],
  ])("is refused where it is %s", (_, text) => {
    expect(() => readBaseline(text)).toThrow("The baseline is no file that mdcx eval --write-baseline wrote.");
  });

  it("lets a figure be 0.02 lower, and anything be better", () => {
    expect(dropsFrom(baseline(0.9), baseline(0.88))).toEqual([]);
    expect(dropsFrom(baseline(0.9), baseline(1, 10, 0))).toEqual([]);
  });

  it("names every figure that is lower by more", () => {
    const drops = dropsFrom(baseline(0.9), baseline(0.87));
    expect(drops).toHaveLength(8);
    expect(drops[0]).toEqual({ what: "auto: hit@1", was: 0.9, is: 0.87 });
    expect(drops.at(-1)?.what).toBe("auto, table: ndcg@5");
  });

  it("notices fewer warnings where nothing answers, and more where something does", () => {
    expect(dropsFrom(baseline(0.9), baseline(0.9, 7)).map(({ what }) => what)).toEqual(["unanswerable flagged"]);
    expect(dropsFrom(baseline(0.9), baseline(0.9, 8, 2)).map(({ what }) => what)).toEqual([
      "answerable not wrongly flagged",
    ]);
  });

  it("counts a way of searching that is gone as a drop", () => {
    const words = { ...baseline(0.9), modes: { words: { all: figures(0.5), kinds: {} } }, warnings: null };
    const drops = dropsFrom(baseline(0.9), words);
    expect(drops).toHaveLength(10);
    expect(drops.every(({ is }) => is === null)).toBe(true);
  });

  it("is not held against other questions", () => {
    expect(() => dropsFrom(baseline(0.9), { ...baseline(0.9), golden: "1".repeat(64) })).toThrow(
      "The baseline was measured with other golden questions",
    );
  });
});
