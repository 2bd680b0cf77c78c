import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { openTogether } from "../../src/open-together.js";

interface Opened {
  readonly name: number;
  closed: boolean;
}

/** Something that takes a while to open, the first ones longest; `refused` ones are not opened. */
function opening(refused: readonly number[] = []) {
  const opened: Opened[] = [];
  const seen = { most: 0, now: 0, begun: [] as number[] };
  const open = async (name: number): Promise<Opened> => {
    seen.begun.push(name);
    seen.most = Math.max(seen.most, ++seen.now);
    await wait(20 - name);
    seen.now--;
    if (refused.includes(name)) throw new Error(`${name} is refused`);
    const one = { name, closed: false };
    opened.push(one);
    return one;
  };
  const close = (one: Opened): Promise<void> => {
    one.closed = true;
    return Promise.resolve();
  };
  return { open, close, opened, seen };
}

it("several are opened two at a time, and stand in the order in which they were named", async () => {
  const { open, close, seen } = opening();
  const all = await openTogether([1, 2, 3, 4, 5], open, close);
  expect(all.map(({ name }) => name)).toEqual([1, 2, 3, 4, 5]);
  expect(seen.most).toBe(2);
  expect(all.every(({ closed }) => !closed)).toBe(true);
  expect(await openTogether([], open, close)).toEqual([]);
});

it("where one is refused none stays open, no other is begun, and the first of those refused is told of", async () => {
  const { open, close, opened, seen } = opening([3, 4]);
  await expect(openTogether([1, 2, 3, 4, 5, 6, 7], open, close)).rejects.toThrow("3 is refused");
  expect(opened.length).toBeGreaterThanOrEqual(2);
  expect(opened.every(({ closed }) => closed)).toBe(true);
  expect(seen.begun).not.toContain(7);
});
