import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SaxesParser } from "saxes";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { logChart } from "../../bench/compare/chart.js";
import type { Comparison, Round, Standing } from "../../bench/compare/compare.js";
import { fused } from "../../bench/compare/engine.js";
import { Ledger } from "../../bench/compare/ledger.js";
import { comparisonTable, ratioOf } from "../../bench/compare/table.js";
import { ProcessFailed, runMeasured } from "../../bench/whole-process.js";

function round(p50: number, seconds: number): Round {
  const cost = { seconds, cpuSeconds: seconds, megabytes: 100 };
  const warm = { p50, p95: 2 * p50, p99: 3 * p50, questions: 200, megabytes: 120 };
  return { build: cost, fileBytes: 500_000, open: 5, answer: 5, first: cost, warm };
}

function standing(id: string, rounds: readonly Round[], cannot?: string): Standing {
  return { id, name: id, asked: "words", encrypted: true, rounds, ...(cannot !== undefined && { cannot }) };
}

describe("the table of a comparison", () => {
  const own = standing("mdcx", [round(10, 1), round(20, 1), round(5, 1)]);

  it("compares within a round, so that a slow moment of the machine falls on both", () => {
    const other = standing("other", [round(20, 2), round(40, 2), round(15, 4)]);
    expect(ratioOf(other, own, ({ warm }) => warm.p50)).toEqual([2, 2, 3]);
    const comparison: Comparison = { passages: 1000, markdownBytes: 1_000_000, standings: [own, other] };
    expect(comparisonTable([comparison])).toContain("| 2.0 (2.0–4.0) | 2.0 (2.0–3.0) |");
  });

  it("says of a peer that cannot why it cannot", () => {
    const comparison = { passages: 1000, markdownBytes: 1_000_000, standings: [own, standing("other", [], "no heap")] };
    expect(comparisonTable([comparison])).toMatch(/\| other, words .*no heap \|$/m);
  });
});

describe("a chart", () => {
  const text = { title: "Growth <of> it", xLabel: "passages", yLabel: "ms" };
  const parsed = (svg: string): { lines: string[]; names: { y: number; text: string }[] } => {
    const [lines, names] = [[] as string[], [] as { y: number; text: string }[]];
    const parser = new SaxesParser();
    let y = 0;
    parser.on("opentag", ({ name, attributes }) => {
      if (name === "polyline") lines.push(String(attributes.points));
      if (name === "text") y = Number(attributes.y);
    });
    parser.on("text", (words) => names.push({ y, text: words }));
    parser.on("error", (error) => {
      throw error;
    });
    parser.write(svg).close();
    return { lines, names };
  };

  it("draws tenfold growth as the same step everywhere", () => {
    const curve = { name: "a", points: [[1, 2], [10, 20], [100, 200]] as const }; // prettier-ignore
    const [line] = parsed(logChart(text, [curve])).lines;
    const places = line!.split(" ").map((point) => point.split(",").map(Number) as [number, number]);
    expect(places[1]![0] - places[0]![0]).toBeCloseTo(places[2]![0] - places[1]![0], 0);
    expect(places[1]![1] - places[0]![1]).toBeCloseTo(places[2]![1] - places[1]![1], 0);
    expect(places[2]![1]).toBeLessThan(places[0]![1]);
  });

  it("keeps apart the names of curves that end at one point", () => {
    const curves = ["one", "two", "three"].map((name) => ({ name, points: [[1, 1], [10, 5]] as const })); // prettier-ignore
    const heights = parsed(logChart(text, curves)).names.filter((one) => ["one", "two", "three"].includes(one.text));
    const sorted = heights.map(({ y }) => y).sort((a, b) => a - b);
    expect(sorted).toHaveLength(3);
    expect(Math.min(sorted[1]! - sorted[0]!, sorted[2]! - sorted[1]!)).toBeGreaterThanOrEqual(14);
  });

  it("leaves out a curve without points, and draws one of a single point", () => {
    const { lines } = parsed(
      logChart(text, [
        { name: "none", points: [] },
        { name: "one", points: [[1000, 3]] },
      ]),
    );
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toMatch(/NaN|Infinity/);
  });
});

describe("the ledger of a comparison", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "ledger-"));
    mkdirSync(join(folder, "program"));
    writeFileSync(join(folder, "program", "a.js"), "1");
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });
  const open = (settings: object = {}): Ledger => Ledger.open(join(folder, "run"), join(folder, "program"), settings);

  it("goes on with a run that was broken off, and begins anew after one that ended", () => {
    open().step("size", () => 1);
    const again = open();
    expect(again.begun).toBe(true);
    expect(again.step("size", () => 2)).toBe(1);
    again.finish();
    expect(open().step("size", () => 3)).toBe(3);
  });

  it("takes no figure of another program or of other settings", () => {
    open({ sizes: [1] }).step("size", () => 1);
    expect(open({ sizes: [2] }).begun).toBe(false);
    writeFileSync(join(folder, "program", "a.js"), "2");
    expect(open({ sizes: [1] }).begun).toBe(false);
  });
});

describe("a measured process", () => {
  it("that does not end in its time is ended, and said to be", () => {
    const endless = { program: process.execPath, args: ["-e", "setInterval(() => {}, 1000)"] };
    expect(() => runMeasured(endless, 0.005)).toThrow(new ProcessFailed("not done in 0.005 minutes"));
  });

  it("that fails gives the line that says why", () => {
    const failing = { program: process.execPath, args: ["-e", "throw new RangeError('too much')"] };
    expect(() => runMeasured(failing)).toThrow(/RangeError: too much/);
  });
});

it("puts together rankings by their reciprocal ranks", () => {
  expect(fused(["a", "b", "c"], ["b", "d"])).toEqual(["b", "a", "d", "c"]);
});
