import { describe, expect, it } from "vitest";
import { refusals } from "./refusals/all.js";
import { outcomesOf } from "./refusals/outcome.js";
import { buildWorld } from "./refusals/world.js";

const world = await buildWorld();

describe("the packages that forgeries start from", () => {
  it("are valid themselves", async () => {
    expect(await outcomesOf(world.unsigned.bytes)).toEqual({ k: "accepted", v: "accepted", p: "unsigned" });
    for (const id of ["signed", "older", "other"] as const) {
      expect(await outcomesOf(world[id].bytes)).toEqual({ k: "accepted", v: "accepted", p: "accepted" });
    }
  });

  it("have names of their own", () => {
    expect(new Set(refusals.map(({ id }) => id)).size).toBe(refusals.length);
  });
});

for (const group of new Set(refusals.map((refusal) => refusal.group))) {
  describe(`refused: ${group}`, () => {
    for (const refusal of refusals.filter((each) => each.group === group)) {
      it(`${refusal.id}. ${refusal.why}`, async () => {
        const bytes = await refusal.make(world);
        expect(Buffer.compare(bytes, world[refusal.base].bytes), "the file differs from its base").not.toBe(0);
        expect(await outcomesOf(bytes)).toMatchObject(refusal.expect);
      });
    }
  });
}
