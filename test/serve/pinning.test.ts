import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readPinFile } from "../../src/node/pinning.js";
import { scratchFolder } from "../cli/mdcx.js";

const scratch = await scratchFolder("pins");
const [A, B] = ["a".repeat(32), "b".repeat(32)];
const KEY = "0f".repeat(32);

async function pins(content: string) {
  const path = join(scratch, "pins.txt");
  await writeFile(path, content);
  return readPinFile(path);
}

describe("a file of pins", () => {
  it("says a line a package what it is held to, in any order, with empty lines and comments between", async () => {
    await writeFile(join(scratch, "the harbour.pub"), KEY);
    const issuerKey = new Uint8Array(32).fill(15);
    expect(await pins(`# ours\r\n\n${A} revision=3 issuer=the harbour.pub\r\n  ${B} issuer=${KEY}\n`)).toEqual(
      new Map([
        [A, { issuerKey, minRevision: 3 }],
        [B, { issuerKey }],
      ]),
    );
    expect(await pins(A)).toEqual(new Map([[A, {}]]));
  });

  it.each([
    [`${A}\n${A}`, /Line 2 of .*second time/],
    [A.toUpperCase(), /Line 1 of .*package id/],
    [`${A} revison=1`, /Line 1 of .*package id/],
    [`${A} revision=0`, /Line 1 of .*whole number/],
    [`${A} revision=new`, /Line 1 of .*whole number/],
    [`${A} revision=1 revision=2`, /Line 1 of .*twice/],
    [`${A} issuer=nowhere.pub`, /nowhere\.pub/],
    [`${A} issuer=pins.txt`, /pins\.txt is neither/],
  ])("is refused where it reads %j", async (content, why) => {
    await expect(pins(content)).rejects.toThrow(why);
  });

  it("is named where there is none", async () => {
    await expect(readPinFile(join(scratch, "none.txt"))).rejects.toThrow(/none\.txt/);
  });
});
