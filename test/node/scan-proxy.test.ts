import { afterEach, describe, expect, it } from "vitest";
import { MeaningSearch, type Near } from "../../src/meaning/nearest.js";
import type { HandedScan } from "../../src/meaning/scan/scan.js";
import type { ScanBeside } from "../../src/meaning/scan/scan-beside.js";
import { sharedRows, wasmRows } from "../../src/meaning/scan/scan.js";
import { VectorIndex } from "../../src/meaning/vectors.js";
import { scanBeside } from "../../src/node/scan-proxy.js";
import { streamsOf, unitVectors } from "../meaning/unit-vectors.js";
import { stream } from "../words/memory-streams.js";

/** Enough of them that another thread is asked. */
const PASSAGES = 60_000;
const DIMENSIONS = 8;

const { codes, halves } = streamsOf(unitVectors(PASSAGES, DIMENSIONS, 1), DIMENSIONS);
const questions = unitVectors(12, DIMENSIONS, 2);

function indexOf(beside?: ScanBeside): VectorIndex {
  return new VectorIndex({ codes: stream(codes), halves: stream(halves) }, PASSAGES, DIMENSIONS, { beside });
}

/** What is asked of the thread, and the thread. */
function watched(): { beside: ScanBeside; scans: HandedScan[] } {
  const scans: HandedScan[] = [];
  const beside: ScanBeside = {
    scan: (handed) => {
      scans.push(...handed);
      return scanBeside.scan(handed);
    },
    rest: () => {
      scanBeside.rest();
    },
  };
  return { beside, scans };
}

const alone = new MeaningSearch([indexOf()]);
const expected = questions.map((question) => alone.nearest(question, { limit: 10 }));

afterEach(() => {
  scanBeside.rest();
});

describe("scanning in a thread beside", () => {
  it("gives the very bytes that scanning here gives", async () => {
    const [here, there] = [wasmRows(1_000, 40)!, sharedRows(1_000, 40)!];
    for (const one of [here, there]) {
      one.codes.forEach((_, i) => (one.codes[i] = ((i * 7_919) % 255) - 127));
      one.scales.fill(0.01);
      one.reaches.fill(0.001);
    }
    const query = Int16Array.from({ length: 64 }, (_, i) => (i < 40 ? 300 * i - 6_000 : 0));
    const question = { query, base: 0.5, factor: 2 ** -18 };
    await scanBeside.scan([there.hand!(question)]);
    expect(there.upper).toEqual(here.scan(question));
    expect(there.greatest).toEqual(here.greatest);
  });

  it("finds for every question what one thread finds", async () => {
    const { beside, scans } = watched();
    const search = new MeaningSearch([indexOf(beside)]);
    for (const [i, question] of questions.entries())
      expect(await search.nearestBeside(question, { limit: 10 })).toEqual(expected[i]);
    // Whoever asks once does not wait for a thread to start.
    expect(scans).toHaveLength(questions.length - 1);
  });

  it("finds it for questions that are asked at once, and beside a search that waits for nobody", async () => {
    const { beside } = watched();
    const index = indexOf(beside);
    const [search, other] = [new MeaningSearch([index]), new MeaningSearch([index])];
    await search.nearestBeside(questions[0]!, { limit: 10 });
    await other.nearestBeside(questions[0]!, { limit: 10 });
    const answers = await Promise.all(
      questions.flatMap((question) => [
        search.nearestBeside(question, { limit: 10 }),
        other.nearestBeside(question, { limit: 10 }),
      ]),
    );
    expect(answers).toEqual(expected.flatMap((one): Near[][] => [one, one]));
  });

  it("finds it where the thread is ended, or never answers as it should", async () => {
    const { beside } = watched();
    const search = new MeaningSearch([indexOf(beside)]);
    await search.nearestBeside(questions[0]!, { limit: 10 });
    const asked = search.nearestBeside(questions[1]!, { limit: 10 });
    await new Promise((resolve) => setTimeout(resolve, 1));
    scanBeside.rest();
    expect(await asked).toEqual(expected[1]);
    const broken: ScanBeside = { scan: () => Promise.reject(new Error("out of memory")), rest: () => undefined };
    const without = new MeaningSearch([indexOf(broken)]);
    for (const [i, question] of questions.entries())
      expect(await without.nearestBeside(question, { limit: 10 })).toEqual(expected[i]);
  });
});
