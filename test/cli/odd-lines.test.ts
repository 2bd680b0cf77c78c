import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMAND, environment, expectSentence, KEY, mdcx } from "./mdcx.js";

let folder: string;
const at = (name: string): string => join(folder, name);
const withKey = { env: { MDCX_KEY: KEY } };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "mdcx-odd-"));
  mkdirSync(at("odd"));
  for (const name of ["plain.md", "c\nd.md", "a\rb.md", "a\u2028b.md"])
    writeFileSync(join(at("odd"), name), "The hidden buoy.\n");
  expect((await mdcx(["pack", at("odd"), "--target", at("odd.mdcx")], withKey)).code).toBe(0);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe("what is odd about a line or a name", () => {
  it("no document is kept by the line end in its name when all are left out", async () => {
    const run = ["pack", "--reuse", at("odd.mdcx"), "--without", "**", "--target", at("none.mdcx")];
    expectSentence(await mdcx(run, withKey), /Nothing would be left in the package/);
  });

  it("a question may begin with a dash behind two of them", async () => {
    const { code, stdout } = await mdcx(["search", "--json", at("odd.mdcx"), "--", "-buoy"], withKey);
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as { found: number }).found).toBe(4);
  });

  it.skipIf(!existsSync("/dev/full"))(
    "output that cannot be written is a failure in one sentence, and no answer (needs /dev/full)",
    () => {
      for (const args of [
        ["verify", at("odd.mdcx")],
        ["search", at("odd.mdcx"), "buoy"],
        ["info", at("odd.mdcx"), "--json"],
      ]) {
        const { status, stderr } = spawnSync(process.execPath, [COMMAND, ...args], {
          env: environment(withKey.env),
          stdio: ["ignore", openSync("/dev/full", "w"), "pipe"],
          encoding: "utf8",
        });
        expect(status, stderr).toBe(2);
        expect(stderr).toMatch(/^(mdcx: [^\n]*\n)*mdcx: Cannot write what it prints: the disk is full\.\n$/);
      }
    },
  );
});
