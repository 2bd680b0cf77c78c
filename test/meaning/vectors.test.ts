import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ByteStream } from "../../src/image/streams.js";
import { ImageWriter } from "../../src/image/writer.js";
import { Image } from "../../src/image/reader.js";
import { Codes } from "../../src/meaning/codes.js";
import { cosineToHalves, toHalves } from "../../src/meaning/half.js";
import { MeaningSearch } from "../../src/meaning/nearest.js";
import { VectorIndex, VectorRows } from "../../src/meaning/vectors.js";
import { MemoryPages } from "../image/memory-pages.js";
import { stream } from "../words/memory-streams.js";
import { indexOf, joined, streamsOf, unit, unitVectors } from "./unit-vectors.js";

function refusal(code: string): Error {
  return expect.objectContaining({ code }) as Error;
}

/** A stream that says its length and refuses to be read. */
function unread(length: number): ByteStream {
  return {
    length,
    read: () => {
      throw new Error("read before its length was checked");
    },
  };
}

describe("the vectors of a package", () => {
  it("come back from an image, of length 1 and near to what the encoder gave", async () => {
    const vectors = unitVectors(300, 100, 3);
    const { codes, halves } = streamsOf(vectors, 100);
    const writer = await ImageWriter.create();
    writer.addStream("codes", [codes]);
    writer.addStream("halves", [halves]);
    const image = await Image.open(MemoryPages.of(writer.finish()));
    const index = new VectorIndex({ codes: image.stream("codes"), halves: image.stream("halves") }, 300, 100);
    vectors.forEach((vector, row) => {
      const read = index.vector(row);
      expect(Math.hypot(...read)).toBeCloseTo(1, 6);
      expect(Math.max(...read.map((number, i) => Math.abs(number - vector[i]!)))).toBeLessThan(2 ** -11);
      expect(index.halves(row)).toEqual(toHalves(vector));
    });
    image.close();
  });

  it("are the same bytes whatever the order in which they were set, and from halves as from vectors", () => {
    const vectors = unitVectors(600, 20, 4);
    const rows = new VectorRows(20, 600);
    for (let row = 599; row >= 0; row--) {
      if (row % 2 === 0) rows.set(row, vectors[row]!);
      else rows.setHalves(row, toHalves(vectors[row]!));
    }
    const { codes, halves } = rows.streams();
    expect({ codes: joined(codes), halves: joined(halves) }).toEqual(streamsOf(vectors, 20));
    expect(rows.vector(7)).toEqual(indexOf(vectors).vector(7));
  });

  it("are written only when all are there", () => {
    const rows = new VectorRows(4, 3);
    rows.set(0, unit([1, 2, 3, 4]));
    rows.set(0, unit([4, 3, 2, 1]));
    rows.set(2, unit([1, 1, 1, 1]));
    expect(() => rows.streams()).toThrow(/1 passages have no vector/);
    expect(() => rows.vector(1)).toThrow(refusal("internal"));
    expect(() => {
      rows.set(3, unit([1, 1, 1, 1]));
    }).toThrow(refusal("internal"));
  });

  it("are refused where the encoder gives what is none", () => {
    const rows = new VectorRows(3, 1);
    for (const vector of [
      [1, 0],
      [0, 0, 0],
      [1e-9, 0, 0],
      [0.5, NaN, 0],
    ])
      expect(() => {
        rows.set(0, Float32Array.from(vector));
      }).toThrow(refusal("encoder-failed"));
    for (const dimensions of [0, 1.5, 4_097])
      expect(() => new VectorRows(dimensions, 1)).toThrow(refusal("encoder-failed"));
    expect(() => {
      rows.setHalves(0, new Uint8Array(6));
    }).toThrow(refusal("bad-image"));
  });
});

describe("the example of the specification", () => {
  const vectors = [
    [0.6, 0.8, 0],
    [0.8, 0.6, 0],
    [0.36, 0.48, 0.8],
  ].map((numbers) => Float32Array.from(numbers));

  /** The bytes that spec/image.md gives a stream. */
  async function specified(name: string): Promise<Uint8Array> {
    const page = await readFile(new URL("../../spec/image.md", import.meta.url), "utf8");
    const [, bytes] = new RegExp(`^${name} ((?: +[0-9a-f]{2})+(?:\\n {8}[0-9a-f ]+)*)$`, "m").exec(page)!;
    return Uint8Array.from(bytes!.trim().split(/\s+/), (byte) => parseInt(byte, 16));
  }

  it("is what is written, byte for byte", async () => {
    expect(streamsOf(vectors, 3)).toEqual({ codes: await specified("codes"), halves: await specified("halves") });
  });

  it("is read as the specification says", async () => {
    const streams = { codes: stream(await specified("codes")), halves: stream(await specified("halves")) };
    const index = new VectorIndex(streams, 3, 3);
    const found = new MeaningSearch([index]).nearest(Float32Array.of(0, 1, 0), { limit: 3 });
    expect(found.map(({ passage }) => passage)).toEqual([0, 1, 2]);
    expect(found.map(({ similarity }) => similarity.toFixed(6))).toEqual(["0.799883", "0.600156", "0.480041"]);
    const [bounds] = index.bounds(Float64Array.of(0, 1, 0));
    const byCodes = bounds!.upper.map((upper, row) => upper - bounds!.reaches[row]! - bounds!.rounding);
    expect([...byCodes].map((cosine) => cosine.toFixed(4))).toEqual(["0.7989", "0.5994", "0.4797"]);
  });
});

/** Dimensions that are a multiple of nothing, and those of common models. */
const dimensions = fc.oneof(fc.integer({ min: 1, max: 80 }), fc.constantFrom(384, 1024));

describe("the bounds of a cosine", () => {
  it("hold it for every passage, every question and every number of dimensions", () => {
    fc.assert(
      fc.property(
        dimensions,
        fc.integer({ min: 1, max: 30 }),
        fc.nat(),
        fc.float({ min: 0, max: 3, noNaN: true }),
        (d, n, seed, spread) => {
          const index = indexOf(unitVectors(n, d, seed, spread));
          for (const question of [...unitVectors(3, d, seed + 1), index.vector(0)]) {
            const exact = Float64Array.from(question);
            const length = Math.hypot(...exact);
            exact.forEach((number, i) => (exact[i] = number / length));
            for (const { first, rows, upper, reaches, rounding } of index.bounds(exact))
              for (let row = 0; row < rows; row++) {
                const cosine = cosineToHalves(exact, index.halves(first + row));
                expect(upper[row]).toBeGreaterThanOrEqual(cosine);
                expect(upper[row]! - 2 * (reaches[row]! + rounding)).toBeLessThanOrEqual(cosine);
              }
          }
        },
      ),
    );
  });

  it("are the same where the codes do not fit into one memory", () => {
    const vectors = unitVectors(1_000, 33, 8);
    const { codes } = streamsOf(vectors, 33);
    const question = Float64Array.from(vectors[5]!);
    const bounds = (segment?: number): number[][] =>
      new Codes(stream(codes), 1_000, 33, segment === undefined ? {} : { segment })
        .scan(question)
        .map(({ first, rows, upper }) => {
          expect(upper).toHaveLength(rows);
          return [first, ...upper];
        });
    const [whole] = bounds();
    for (const segment of [1, 512 * 64, 600 * 64]) {
      const parts = bounds(segment);
      expect(parts.length).toBe(segment === 1 ? 4 : 2);
      expect(parts.flatMap(([, ...upper]) => upper)).toEqual(whole!.slice(1));
      parts.reduce((end, [first, ...upper]) => {
        expect(first).toBe(end);
        return end + upper.length;
      }, 0);
    }
  });

  it("hold it where the rounding of all numbers leads the same way", () => {
    // Each number lies .49 of a scale above its code, and the question points there.
    const vector = unit(Array.from({ length: 100 }, (_, i) => (i === 0 ? 127 : 40.49)));
    const opposite = vector.map((number) => -number);
    const index = indexOf([vector, opposite]);
    const question = Float64Array.from({ length: 100 }, (_, i) => (i === 0 ? 0 : 1 / Math.sqrt(99)));
    const [bounds] = index.bounds(question);
    const cosine = cosineToHalves(question, index.halves(0));
    const middle = bounds!.upper[0]! - bounds!.reaches[0]! - bounds!.rounding;
    expect(Math.abs(cosine - middle)).toBeGreaterThan(0.9 * bounds!.reaches[0]!);
    expect(cosine).toBeLessThanOrEqual(bounds!.upper[0]!);
  });
});

describe("forged vectors", () => {
  const vectors = unitVectors(300, 10, 5);
  const { codes, halves } = streamsOf(vectors, 10);
  const question = Float64Array.from(vectors[0]!);

  it("are refused by their lengths before a byte is read", () => {
    const right = { codes: codes.length, halves: halves.length };
    const open = (lengths: typeof right, passages = 300, dimensions = 10) =>
      new VectorIndex({ codes: unread(lengths.codes), halves: unread(lengths.halves) }, passages, dimensions);
    expect(open(right).passages).toBe(300);
    for (const wrong of [
      () => open({ ...right, codes: right.codes - 1 }),
      () => open({ ...right, codes: right.codes + 1 }),
      () => open({ ...right, halves: right.halves - 2 }),
      () => open(right, 299),
      () => open(right, 2 ** 40),
      () => open(right, 300, 11),
      () => open(right, 300, 0),
      () => open(right, 300, NaN),
      () => open({ codes: 0, halves: 0 }, 0, 2 ** 31),
    ])
      expect(wrong).toThrow(refusal("bad-image"));
  });

  /** The codes with a float32 written into them. */
  function forged(at: number, number: number): VectorIndex {
    const bytes = codes.slice();
    new DataView(bytes.buffer).setFloat32(at, number, true);
    return new VectorIndex({ codes: stream(bytes), halves: stream(halves) }, 300, 10);
  }

  it.each([
    ["a mean that is no number", 0, NaN],
    ["a mean longer than any vector", 4, 1.5],
    ["a scale that is no number", 40, NaN],
    ["an infinite scale", 40 + 4 * 255, Infinity],
    ["a negative scale", 44, -0.001],
    ["a scale that no two vectors can need", 44, 0.02],
    ["a reach that is no number", 40 + 4 * 256, NaN],
    ["a reach that would have every passage rescored", 40 + 4 * 257, 0.5],
    ["a scale in the last block that is no number", 40 + 256 * 18 + 4, -Infinity],
  ])("are refused for %s", (_what, at, number) => {
    expect(() => forged(at, number).bounds(question)).toThrow(refusal("bad-image"));
  });

  it("are answered or refused, and nothing else, whatever was written into them", () => {
    const change = fc.tuple(fc.constantFrom<"codes" | "halves">("codes", "halves"), fc.nat(), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 30 }), (changes) => {
        const bytes = { codes: codes.slice(), halves: halves.slice() };
        for (const [name, at, byte] of changes) bytes[name][at % bytes[name].length] = byte;
        const index = new VectorIndex({ codes: stream(bytes.codes), halves: stream(bytes.halves) }, 300, 10);
        try {
          const found = new MeaningSearch([index]).nearest(vectors[0]!, { limit: 20 });
          expect(found).toHaveLength(20);
          for (const { similarity } of found) expect(Math.abs(similarity)).toBeLessThanOrEqual(1);
        } catch (error) {
          expect(error).toEqual(refusal("bad-image"));
        }
      }),
    );
  });

  it("are refused for a row that is no vector, when it is read", () => {
    const bytes = halves.slice();
    bytes.fill(0xff, 20, 22);
    const index = new VectorIndex({ codes: stream(codes), halves: stream(bytes) }, 300, 10);
    expect(() => index.vector(1)).toThrow(refusal("bad-image"));
    expect(index.vector(2)).toHaveLength(10);
    for (const row of [-1, 300, 0.5]) expect(() => index.vector(row)).toThrow(refusal("not-found"));
  });
});

describe("vectors that are still to come", () => {
  it("are read on from where the stream stopped", () => {
    const vectors = unitVectors(1_000, 8, 6);
    const { codes, halves } = streamsOf(vectors, 8);
    const asked: number[] = [];
    const here = new Set<number>();
    const slow: ByteStream = {
      length: codes.length,
      read(start, end) {
        asked.push(start);
        if (here.has(start)) return codes.subarray(start, end);
        here.add(start);
        throw new Error("not here yet");
      },
    };
    const index = new VectorIndex({ codes: slow, halves: stream(halves) }, 1_000, 8);
    const question = Float64Array.from(vectors[1]!);
    for (let block = 0; block < 5; block++) expect(() => index.bounds(question)).toThrow("not here yet");
    const [bounds] = index.bounds(question);
    expect(bounds!.upper).toEqual(indexOf(vectors).bounds(question)[0]!.upper);
    // The mean and four blocks, each once in vain and once for good.
    expect(asked).toHaveLength(10);
    index.bounds(question);
    expect(asked).toHaveLength(10);
  });

  it("are read anew after the index was closed", () => {
    const index = indexOf(unitVectors(500, 8, 6));
    const question = Float64Array.from(index.vector(499));
    const before = index.bounds(question)[0]!.upper.slice();
    index.close();
    expect(index.bounds(question)[0]!.upper).toEqual(before);
  });
});
