import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { SCAN_WASM } from "../../src/meaning/scan/scan-wasm.js";
import { newScanRows, scalarRows, strideOf, wasmRows, type ScanRows } from "../../src/meaning/scan/scan.js";
import { MeaningSearch } from "../../src/meaning/nearest.js";
import { indexOf, randomNumbers, unitVectors } from "./unit-vectors.js";

const script = fileURLToPath(new URL("../../src/meaning/scan/build.mjs", import.meta.url));

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("the scan's WebAssembly", () => {
  it("is byte for byte what its source gives", async () => {
    await promisify(execFile)(process.execPath, [script, "--check"]);
  });

  it("is small enough to be compiled on the main thread of a browser", () => {
    expect(Buffer.from(SCAN_WASM, "base64").length).toBeLessThan(4_096);
  });
});

/** Fills rows with codes and figures of a seed. */
function fill(rows: ScanRows, seed: number, extreme: boolean): void {
  const random = randomNumbers(seed);
  const code = (): number => (extreme ? (random() < 0.5 ? -128 : 127) : Math.floor(random() * 256) - 128);
  for (let i = 0; i < rows.codes.length; i++) rows.codes[i] = code();
  for (let row = 0; row < rows.scales.length; row++) {
    rows.scales[row] = random() * 0.01;
    rows.reaches[row] = random() * 0.01;
  }
}

describe("WebAssembly and its twin in JavaScript", () => {
  it("give the same results, bit for bit, for any rows, dimensions and question", () => {
    const question = fc.record({
      rows: fc.integer({ min: 1, max: 40 }),
      dimensions: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.constantFrom(384, 768, 1023, 4096)),
      seed: fc.nat(),
      extreme: fc.boolean(),
      base: fc.float({ min: -1, max: 1, noNaN: true }),
      factor: fc.float({ min: Math.fround(1e-7), max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(question, ({ rows, dimensions, seed, extreme, base, factor }) => {
        const stride = strideOf(dimensions);
        const [fast, slow] = [wasmRows(rows, dimensions)!, scalarRows(rows, dimensions)];
        fill(fast, seed, extreme);
        fill(slow, seed, extreme);
        const random = randomNumbers(seed + 1);
        // The greatest numbers with which no sum leaves int32.
        const most = Math.min(32_767, Math.floor((2 ** 31 - 1) / 128 / stride));
        const query = Int16Array.from({ length: stride }, () =>
          extreme ? (random() < 0.5 ? -most : most) : Math.round((2 * random() - 1) * most),
        );
        const results = [fast, slow].map((one) => [
          ...new Uint32Array(one.scan({ query, base, factor }).slice().buffer),
        ]);
        expect(results[0]).toEqual(results[1]);
      }),
      { numRuns: 200 },
    );
  });

  it("are the sum that they say they are", () => {
    const rows = wasmRows(3, 32)!;
    fill(rows, 7, false);
    const query = Int16Array.from({ length: 32 }, (_, i) => 1_000 * i - 16_000);
    const upper = rows.scan({ query, base: 0.5, factor: 2 ** -20 });
    upper.forEach((bound, row) => {
      let sum = 0;
      for (let i = 0; i < 32; i++) sum += query[i]! * rows.codes[32 * row + i]!;
      expect(bound).toBeCloseTo(0.5 + rows.scales[row]! * sum * 2 ** -20 + rows.reaches[row]!, 6);
    });
  });

  it("answer questions alike: without WebAssembly the search finds the same", () => {
    const vectors = unitVectors(300, 50, 1);
    const questions = unitVectors(20, 50, 2);
    const answers = (): unknown[] => {
      const search = new MeaningSearch([indexOf(vectors)]);
      return questions.map((question) => search.nearest(question, { limit: 10 }));
    };
    const fast = answers();
    vi.stubGlobal("WebAssembly", undefined);
    expect(wasmRows(1, 32)).toBeUndefined();
    expect(answers()).toEqual(fast);
  });

  it("fall back where no module may be compiled", () => {
    const forbidden = function (): never {
      throw new EvalError("blocked by a policy");
    };
    vi.stubGlobal("WebAssembly", { Module: forbidden, Instance: forbidden, Memory: forbidden });
    expect(newScanRows(5, 3).scan({ query: new Int16Array(32), base: 0.25, factor: 1 })).toEqual(
      new Float32Array(5).fill(0.25),
    );
  });
});
