import { describe, expect, it } from "vitest";
import type { PackProgress } from "../../src/pack.js";
import { TimeLeft } from "../../src/time-left.js";
import { packed } from "../package/in-memory.js";

describe("the time that packing will still take", () => {
  it("goes by the bytes of the documents, not by their number", () => {
    let now = 0;
    // One document of 9 MB, then 1,000 of 1 kB each, at 1 MB a second.
    const time = new TimeLeft([9_000_000, ...Array<number>(1000).fill(1000)], false, () => now);
    now = 9000;
    const left = time.at({ stage: "documents", done: 1, total: 1001 })!;
    // A second of documents, and what comes behind them: under two of the index and the sealing.
    expect(left).toBeGreaterThan(1);
    expect(left).toBeLessThan(4);
  });

  it("is within a fifth of the truth from a tenth of the way on, where the work goes on evenly", () => {
    let now = 0;
    const time = new TimeLeft(Array<number>(100).fill(50_000), false, () => now);
    for (let done = 10; done <= 100; done += 10) {
      now = done * 870;
      const left = time.at({ stage: "documents", done, total: 100 })!;
      const truth = 100 - now / 1000;
      expect(Math.abs(left - truth) / truth, `${done}`).toBeLessThan(0.2);
    }
  });

  it("is not told before something is known, nor while an encoder's work is only being collected", () => {
    let now = 0;
    const time = new TimeLeft([10, 10], false, () => now);
    now = 2000;
    expect(time.at({ stage: "documents", done: 1, total: 2 })).toBeUndefined();
    now = 4000;
    expect(time.at({ stage: "documents", done: 0, total: 2 })).toBeUndefined();
    const meaning = new TimeLeft([10, 10], true, () => now);
    now = 60_000;
    expect(meaning.at({ stage: "documents", done: 1, total: 2 })).toBeUndefined();
  });

  it("goes by the passages that were encoded since the last document was read", () => {
    let now = 0;
    const time = new TimeLeft([10], true, () => now);
    expect(time.at({ stage: "meaning", done: 500, total: 1000 })).toBeUndefined();
    now = 10_000;
    expect(time.at({ stage: "meaning", done: 600, total: 1000 })).toBeCloseTo(40);
  });

  it("comes with the progress of a run that takes long, and the documents are counted from none on", async () => {
    const told: PackProgress[] = [];
    await packed(
      { "a.md": "# A\n\nOne.\n", "b.md": "# B\n\nTwo.\n" },
      {
        onProgress: (progress) => {
          told.push(progress);
        },
      },
    );
    expect(told.map(({ stage, done }) => `${stage} ${done}`).slice(0, 3)).toEqual([
      "documents 0",
      "documents 1",
      "index 0",
    ]);
    expect(told.every(({ secondsLeft }) => secondsLeft === undefined)).toBe(true);
  });
});
