import { describe, expect, it } from "vitest";
import { budgetFor } from "../../../src/convert/run/budget.js";

const plenty = 64 * 2 ** 30;

describe("what a run may use of the machine", () => {
  it.each([
    [12, 9],
    [8, 6],
    [4, 3],
    [3, 2],
    [2, 1],
    [1, 1],
  ])("of %i processors it takes %i", (cores, taken) => {
    expect(budgetFor({}, { cores, memory: plenty })).toMatchObject({ cores: taken, workers: taken, threads: 1 });
  });

  it("workers × threads never exceed the cores, whatever is asked", () => {
    for (let cores = 1; cores <= 32; cores++)
      for (const wish of [
        {},
        { maxCores: 5 },
        { workers: 3 },
        { maxCores: 8, workers: 3 },
        { maxCores: 2, workers: 9 },
      ]) {
        const budget = budgetFor(wish, { cores, memory: plenty });
        expect(budget.workers * budget.threads, JSON.stringify({ cores, wish })).toBeLessThanOrEqual(budget.cores);
        expect(budget.workers).toBeGreaterThanOrEqual(1);
        expect(budget.threads).toBeGreaterThanOrEqual(1);
      }
  });

  it("what the user says comes first: fewer cores, more workers, cores shared out", () => {
    const machine = { cores: 12, memory: plenty };
    expect(budgetFor({ maxCores: 4 }, machine)).toMatchObject({ cores: 4, workers: 4 });
    expect(budgetFor({ workers: 11 }, machine)).toMatchObject({ cores: 11, workers: 11 });
    expect(budgetFor({ maxCores: 8, workers: 4 }, machine)).toMatchObject({ workers: 4, threads: 2 });
    expect(budgetFor({ maxCores: 2, workers: 8 }, machine)).toMatchObject({ cores: 2, workers: 2 });
  });

  it("no more workers start than fit into memory, and on a small machine each gets less", () => {
    expect(budgetFor({}, { cores: 16, memory: 2 * 2 ** 30 }).workers).toBe(2);
    const small = budgetFor({}, { cores: 2, memory: 400 * 2 ** 20 });
    expect(small.workers).toBe(1);
    expect(small.memory).toBeLessThan(256 * 2 ** 20);
  });
});
