import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cosineToHalves, fromHalves, toHalves } from "../../src/meaning/half.js";

/** The size of every finite half in ascending order, by the definition of the format: the index is its bits. */
const SIZES = Array.from({ length: 0x7c00 }, (_, bits) => {
  const exponent = Math.floor(bits / 1024);
  const fraction = bits % 1024;
  return exponent === 0 ? fraction / 2 ** 24 : (1 + fraction / 1024) * 2 ** (exponent - 15);
});

/** The half nearest to a number, found among all of them; of two equally near, the one whose last bit is 0. */
function nearestHalf(number: number): number {
  const size = Math.abs(number);
  let [low, high] = [0, SIZES.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (SIZES[middle]! <= size) low = middle;
    else high = middle;
  }
  const [below, above] = [size - SIZES[low]!, SIZES[high]! - size];
  const nearest = below < above || (below === above && low % 2 === 0) ? low : high;
  return nearest + (Object.is(number, -0) || number < 0 ? 0x8000 : 0);
}

function halvesOf(numbers: readonly number[]): number[] {
  const bytes = toHalves(Float32Array.from(numbers));
  return numbers.map((_, i) => bytes[2 * i]! + 256 * bytes[2 * i + 1]!);
}

describe("halves", () => {
  it("keeps every finite half as it is", () => {
    const numbers = SIZES.flatMap((size) => [size, -size]);
    expect(halvesOf(numbers)).toEqual(SIZES.flatMap((_, bits) => [bits, bits + 0x8000]));
  });

  it("rounds to the nearest, and to even from the middle of two", () => {
    const bits = new Uint32Array(1);
    const float = new Float32Array(bits.buffer);
    const numbers = SIZES.slice(1).flatMap((size, i) => {
      float[0] = (SIZES[i]! + size) / 2;
      const middle = float[0];
      bits[0]!--;
      const before = float[0];
      bits[0]! += 2;
      return [before, middle, float[0]];
    });
    expect(halvesOf(numbers)).toEqual(numbers.map(nearestHalf));
  });

  it("rounds any number of a vector as the definition says", () => {
    fc.assert(
      fc.property(
        fc.array(fc.float({ min: -65504, max: 65504, noNaN: true }), { minLength: 1, maxLength: 200 }),
        (numbers) => {
          expect(halvesOf(numbers)).toEqual(numbers.map(nearestHalf));
        },
      ),
    );
  });

  it.each([NaN, Infinity, -Infinity, 65_520, -1e30])("refuses %d, which is no finite half", (number) => {
    expect(() => toHalves(Float32Array.of(0.5, number))).toThrow(
      expect.objectContaining({ code: "encoder-failed" }) as Error,
    );
    expect(halvesOf([65_519])).toEqual([0x7bff]);
  });
});

const direction = fc
  .array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 40 })
  .filter((numbers) => numbers.some((number) => Math.abs(number) > 1e-3));

describe("a vector that is read", () => {
  it("has the length 1 again", () => {
    fc.assert(
      fc.property(direction, (numbers) => {
        const vector = fromHalves(toHalves(Float32Array.from(numbers)), numbers.length);
        expect(Math.abs(Math.hypot(...vector) - 1)).toBeLessThan(1e-6);
      }),
    );
  });

  it("has the cosine of its halves with another, never above 1 and 1 with itself", () => {
    fc.assert(
      fc.property(direction, (numbers) => {
        const halves = toHalves(Float32Array.from(numbers));
        const vector = Float64Array.from(fromHalves(halves, numbers.length));
        const length = Math.hypot(...vector);
        const cosine = cosineToHalves(
          vector.map((number) => number / length),
          halves,
        );
        expect(cosine).toBeLessThanOrEqual(1);
        expect(cosine).toBeGreaterThan(1 - 1e-9);
      }),
    );
  });

  it.each([
    ["a NaN", [0x00, 0x3c, 0x01, 0x7e]],
    ["an infinity", [0x00, 0x3c, 0x00, 0xfc]],
    ["zeros alone", [0x00, 0x00, 0x00, 0x80]],
    ["half a number", [0x00, 0x3c, 0x00]],
  ])("is refused with %s in it", (_what, bytes) => {
    expect(() => fromHalves(Uint8Array.from(bytes), 2)).toThrow(
      expect.objectContaining({ code: "bad-image" }) as Error,
    );
  });
});
