import { describe, expect, it } from "vitest";
import { newScanRows } from "../../src/meaning/scan/scan.js";
import { collectGarbage } from "../../src/node/collect-garbage.js";

/** Room for codes that nobody holds once this has returned. */
function letGo(): WeakRef<object> {
  const rows = newScanRows(10_000, 384);
  rows.codes.fill(1);
  return new WeakRef(rows.codes.buffer);
}

describe("collecting garbage", () => {
  it("gives back the memory of vectors that were let go of, where nothing else asks for memory", async () => {
    const room = letGo();
    // What a WeakRef was made of stays for the rest of the turn.
    await new Promise((resolve) => setTimeout(resolve, 0));
    collectGarbage();
    expect(room.deref()).toBeUndefined();
  });
});
