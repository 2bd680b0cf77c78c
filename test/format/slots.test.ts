import { describe, expect, it } from "vitest";
import { BytesSource } from "../../src/format/bytes-source.js";
import { openContainer } from "../../src/format/container.js";
import type { Primitives } from "../../src/format/primitives.js";
import { parseSecret } from "../../src/format/secret.js";
import { primitives } from "../../src/node/primitives.js";
import { encode, editEnvelope, putTogether, retag, takeApart, type LooseEnvelope } from "./forge.js";
import { buildWorld, TEST_KEY, TEST_PASSPHRASE } from "./refusals/world.js";

const { unsigned } = await buildWorld();

/** Primitives that count what is derived. */
function counting(): Primitives & { scrypts: number } {
  const counted = {
    ...primitives,
    scrypts: 0,
    scrypt(...args: Parameters<Primitives["scrypt"]>) {
      counted.scrypts++;
      return primitives.scrypt(...args);
    },
  };
  return counted;
}

function withSlots(edit: (slots: LooseEnvelope["slots"]) => LooseEnvelope["slots"]): Uint8Array {
  return putTogether(
    retag(
      editEnvelope(takeApart(unsigned.bytes), ({ slots }) => ({ slots: edit(slots) })),
      unsigned.fileKey,
    ),
  );
}

describe("what opening may cost", () => {
  const tooCostly = {
    "64 GiB, by log2n 26": withSlots(([scrypt, key]) => [{ ...scrypt, log2n: 26 }, key!]),
    "64 GiB, by log2n 24 and r 32": withSlots(([scrypt, key]) => [{ ...scrypt, log2n: 24, r: 32 }, key!]),
    "eight slots of half a second each, over 2^24 steps together": withSlots(([scrypt]) =>
      Array.from({ length: 8 }, () => ({ ...scrypt, log2n: 18, p: 2 })),
    ),
  };
  for (const [what, bytes] of Object.entries(tooCostly)) {
    it(`is refused in under a millisecond, nothing derived: ${what}`, async () => {
      const p = counting();
      const secret = parseSecret(TEST_PASSPHRASE);
      const times: number[] = [];
      for (let round = 0; round < 30; round++) {
        const start = performance.now();
        await expect(openContainer(new BytesSource(bytes), p, { secret })).rejects.toMatchObject({
          code: "kdf-too-costly",
        });
        times.push(performance.now() - start);
      }
      expect(p.scrypts).toBe(0);
      // The best of the rounds: other processes share these machines.
      expect(Math.min(...times)).toBeLessThan(1);
    });
  }

  it("is raised by the user only, and then obeyed", async () => {
    const bytes = withSlots(([scrypt, key]) => [{ ...scrypt, log2n: 22 }, key!]);
    const open = (kdfLimits?: { memory: number; work: number }) =>
      openContainer(new BytesSource(bytes), primitives, { secret: TEST_KEY, ...(kdfLimits && { kdfLimits }) });
    await expect(open()).rejects.toMatchObject({ code: "kdf-too-costly" });
    await expect(open({ memory: 2 ** 33, work: 2 ** 24 })).rejects.toMatchObject({ code: "kdf-too-costly" });
    expect((await open({ memory: 2 ** 33, work: 2 ** 26 })).slot).toBe(1);
  });
});

describe("slots are tried in order", () => {
  it("a passphrase never on key slots, a key never on scrypt slots, unknown types skipped", async () => {
    const bytes = withSlots((slots) => [{ type: "quantum" }, ...slots]);
    const p = counting();
    expect((await openContainer(new BytesSource(bytes), p, { secret: TEST_KEY })).slot).toBe(2);
    expect(p.scrypts).toBe(0);
    const secret = parseSecret(TEST_PASSPHRASE);
    expect((await openContainer(new BytesSource(bytes), p, { secret })).slot).toBe(1);
    expect(p.scrypts).toBe(1);
  });

  it("the cost in the file is the cost that is derived with", async () => {
    const costs: unknown[] = [];
    const p: Primitives = {
      ...primitives,
      scrypt: (passphrase, salt, cost) => {
        costs.push(cost);
        return primitives.scrypt(passphrase, salt, cost);
      },
    };
    const bytes = withSlots(([scrypt]) => [{ ...scrypt, log2n: 11, r: 9, p: 2 }]);
    const secret = parseSecret(TEST_PASSPHRASE);
    await expect(openContainer(new BytesSource(bytes), p, { secret })).rejects.toMatchObject({ code: "wrong-secret" });
    expect(costs).toEqual([{ log2n: 11, r: 9, p: 2 }]);
  });

  it("an envelope with spaces and members in another order is the same envelope", async () => {
    const parts = takeApart(unsigned.bytes);
    const { slots } = JSON.parse(new TextDecoder().decode(parts.envelope)) as LooseEnvelope;
    const reversed = slots.map((slot) => Object.fromEntries(Object.entries(slot).reverse()));
    const envelope = encode(JSON.stringify({ slots: reversed }, undefined, 2));
    const bytes = putTogether(retag({ ...parts, envelope }, unsigned.fileKey));
    expect((await openContainer(new BytesSource(bytes), primitives, { secret: TEST_KEY })).slot).toBe(1);
  });
});
