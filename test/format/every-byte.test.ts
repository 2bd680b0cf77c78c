import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BytesSource } from "../../src/format/bytes-source.js";
import { readHead, verifyContainer } from "../../src/format/container.js";
import { CHUNK, chunkCount, SEALED_PREFIX } from "../../src/format/seal.js";
import { primitives } from "../../src/node/primitives.js";
import { setByte } from "./forge.js";
import { openAndReadAll, outcome } from "./refusals/outcome.js";
import { buildWorld, TEST_KEY, type Base } from "./refusals/world.js";

const world = await buildWorld();
const long = process.env.MDCX_LONG !== undefined;

/** Opening with the key, and verifying without: both must refuse. */
async function requireRefused(bytes: Uint8Array, what: string): Promise<void> {
  const k = await outcome(() => openAndReadAll(bytes, { secret: TEST_KEY }));
  const v = await outcome(() => verifyContainer(new BytesSource(bytes), primitives));
  expect({ k, v }, what).not.toMatchObject({ k: "accepted" });
  expect({ k, v }, what).not.toMatchObject({ v: "accepted" });
}

for (const id of ["signed", "unsigned"] as const) {
  const base: Base = world[id];

  describe(`a flipped byte in the ${id} package is refused by opening and by verify`, () => {
    it("at every position of head and leaf table", async () => {
      const head = await readHead(new BytesSource(base.bytes), primitives);
      for (let at = 0; at < head.sealedStart; at++) {
        await requireRefused(setByte(base.bytes, at, base.bytes[at]! ^ (1 << (at % 8))), `byte ${at}`);
      }
    });

    it("at the first, the last and a random byte of salt, commitment and every chunk", async () => {
      const head = await readHead(new BytesSource(base.bytes), primitives);
      const parts = [
        { start: 0, length: 24 },
        { start: 24, length: 32 },
        ...Array.from({ length: chunkCount(head.imageLength) }, (_, chunk) => ({
          start: SEALED_PREFIX + CHUNK * chunk,
          length: chunk === chunkCount(head.imageLength) - 1 ? 16 : CHUNK,
        })),
      ];
      const [random] = fc.sample(fc.array(fc.nat(), { minLength: parts.length, maxLength: parts.length }), {
        numRuns: 1,
        seed: 2,
      });
      for (const [index, { start, length }] of parts.entries()) {
        for (const offset of [0, length - 1, random![index]! % length]) {
          const at = head.sealedStart + start + offset;
          await requireRefused(setByte(base.bytes, at, base.bytes[at]! ^ 0x80), `byte ${at}`);
        }
      }
    });
  });

  describe(`a cut of the ${id} package is refused by opening and by verify`, () => {
    it(`at every length${long ? "" : " of the head, and at lengths spread over the image"}`, async () => {
      const { headLength } = await readHead(new BytesSource(base.bytes), primitives);
      const step = long ? 1 : 997;
      for (let length = 0; length < base.bytes.length; length += length <= headLength + 32 ? 1 : step) {
        await requireRefused(base.bytes.subarray(0, length), `cut to ${length}`);
      }
      await requireRefused(base.bytes.subarray(0, base.bytes.length - 1), "cut by one byte");
    });
  });

  describe(`whatever anybody writes over the ${id} package`, () => {
    it("is refused, or changes nothing", async () => {
      const edit = fc.record({
        at: fc.nat(base.bytes.length - 1),
        bytes: fc.uint8Array({ minLength: 1, maxLength: 64 }),
      });
      await fc.assert(
        fc.asyncProperty(edit, async ({ at, bytes }) => {
          const changed = base.bytes.slice();
          changed.set(bytes.subarray(0, changed.length - at), at);
          if (Buffer.compare(changed, base.bytes) !== 0) await requireRefused(changed, `written at ${at}`);
        }),
        { seed: 3, numRuns: long ? 5_000 : 300 },
      );
    });
  });
}
