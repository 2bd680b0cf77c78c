import { describe, expect, it } from "vitest";
import { whenHere } from "../../src/format/not-here-yet.js";
import { MeaningSearch } from "../../src/meaning/nearest.js";
import { VectorIndex } from "../../src/meaning/vectors.js";
import { Journeys, RemoteStream } from "../words/remote-stream.js";
import { indexOf, streamsOf, unitVectors } from "./unit-vectors.js";

const DIMENSIONS = 64;
const vectors = unitVectors(6_000, DIMENSIONS, 3);
const questions = unitVectors(40, DIMENSIONS, 4);

function far(rows: readonly Float32Array[], journeys: Journeys): VectorIndex {
  const { codes, halves } = streamsOf(rows, DIMENSIONS);
  const streams = { codes: new RemoteStream(codes, journeys), halves: new RemoteStream(halves, journeys) };
  return new VectorIndex(streams, rows.length, DIMENSIONS);
}

describe("a package far away", () => {
  it("is asked by meaning in two journeys, and in one when its sketches are here", async () => {
    const journeys = new Journeys();
    const search = new MeaningSearch([far(vectors, journeys)]);
    await whenHere(() => search.nearest(questions[0]!, { limit: 10 }));
    expect(journeys.trips).toBe(2);
    const before = journeys.bytes;
    await whenHere(() => search.nearest(questions[1]!, { limit: 10 }));
    expect(journeys.trips).toBe(3);
    expect(journeys.bytes - before).toBeLessThanOrEqual(150 * 4_096);
  });

  it("is not asked for its codes", async () => {
    const journeys = new Journeys();
    const search = new MeaningSearch([far(vectors, journeys)]);
    await whenHere(() => search.nearest(questions[0]!, { limit: 10 }));
    expect(journeys.bytes).toBeLessThan(6_000 * 18 + 4_096 + 6_000 * 2 * DIMENSIONS);
  });

  it("gives nearly all of the nearest that it would give here, each with its exact cosine", async () => {
    const here = new MeaningSearch([indexOf(vectors)]);
    const away = new MeaningSearch([far(vectors, new Journeys())]);
    let kept = 0;
    for (const question of questions) {
      const exact = new Map(here.nearest(question, { limit: 50 }).map((near) => [near.passage, near.similarity]));
      const first = here.nearest(question, { limit: 10 }).map(({ passage }) => passage);
      const found = await whenHere(() => away.nearest(question, { limit: 10 }));
      kept += found.filter(({ passage }) => first.includes(passage)).length;
      for (const { passage, similarity } of found) if (exact.has(passage)) expect(similarity).toBe(exact.get(passage));
    }
    expect(kept / (10 * questions.length)).toBeGreaterThan(0.9);
  });

  it("ranks with others, far and near, and only what may be found", async () => {
    const journeys = new Journeys();
    const parts = [vectors.slice(0, 2_000), vectors.slice(2_000, 4_000), vectors.slice(4_000)];
    const search = new MeaningSearch([far(parts[0]!, journeys), indexOf(parts[1]!), far(parts[2]!, journeys)]);
    const even = (_: number, passage: number): boolean => passage % 2 === 0;
    const found = await whenHere(() => search.nearest(questions[2]!, { limit: 20, filter: even }));
    expect(journeys.trips).toBe(2);
    expect(found).toHaveLength(20);
    expect(found.every(({ passage }) => passage % 2 === 0)).toBe(true);
    const exact = new MeaningSearch([indexOf(vectors)]).nearest(questions[2]!, { limit: 10, filter: even });
    const places = new Set(found.map((near) => near.package * 2_000 + near.passage));
    expect(exact.filter(({ passage }) => places.has(passage)).length).toBeGreaterThanOrEqual(9);
  });
});
