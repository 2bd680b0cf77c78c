import { expect, it } from "vitest";
import { MdcxError } from "../../src/errors.js";
import { PAGE } from "../../src/format/pages.js";
import { forgedBytes, victim } from "./forge.js";
import { imageOf, plain } from "./corpora.js";
import type { MemoryPages } from "./memory-pages.js";
import { readAll } from "./read-all.js";

const ROUNDS = process.env.MDCX_LONG ? 20_000 : 1_400;

/** A linear congruential generator, so that a failure can be found again. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state;
  }
}

/** Offsets of bytes that are not zero: most of a small image is empty, and flips there change nothing. */
function usedBytes(pages: MemoryPages): number[] {
  const used: number[] = [];
  for (let at = 0; at < pages.length; at++) if (pages.bytes[at] !== 0) used.push(at);
  return used;
}

async function survives(forged: MemoryPages, what: string): Promise<void> {
  const started = performance.now();
  try {
    await readAll(forged);
  } catch (error) {
    if (!(error instanceof MdcxError)) throw new Error(`${what}: ${String(error)}`, { cause: error });
  }
  expect(performance.now() - started, what).toBeLessThan(30_000);
}

it("reads an image with a changed byte, or refuses it by name", { timeout: 3_600_000 }, async () => {
  const small = await imageOf(
    [plain("a.md", "some words, some of them twice"), plain("b/c.md", "words", { title: "Title", date: "2001" })],
    { streams: { dictionary: Uint8Array.from({ length: 900 }, (_, index) => index) }, meta: { package_id: "00" } },
  );
  const used = usedBytes(small);
  const random = numbers(11);
  const next = () => random.next().value;
  for (let round = 0; round < ROUNDS; round++) {
    const at = used[next() % used.length]!;
    const value = next() >>> 24;
    await survives(
      forgedBytes(small, (bytes) => (bytes[at] = value)),
      `byte ${at} set to ${value}`,
    );
  }
});

it(
  "reads an image with several changed bytes in the heads of its pages, or refuses it by name",
  { timeout: 3_600_000 },
  async () => {
    const large = await victim();
    const random = numbers(12);
    const next = () => random.next().value;
    for (let round = 0; round < ROUNDS / 2; round++) {
      const forged = forgedBytes(large, (bytes) => {
        for (let change = 0; change < 3; change++) {
          // Page heads and cell pointers lead SQLite; page 1 is compared byte for byte before.
          const page = 1 + (next() % (large.length / PAGE - 1));
          bytes[page * PAGE + (next() % 24)] = next() >>> 24;
        }
      });
      await survives(forged, `round ${round}`);
    }
  },
);
