import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HARBOUR, KEY, mdcx } from "../cli/mdcx.js";

let folder: string;
let file: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "mdcx-by-stem-"));
  file = join(folder, "harbour.mdcx");
  expect((await mdcx(["pack", HARBOUR, "--target", file], { env: { MDCX_KEY: KEY } })).code).toBe(0);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe("words looked up by stem alone", () => {
  it("are found inflected and not misspelt, and the reply says that likeness was left out", async () => {
    const ask = async (question: string, ...options: string[]): Promise<{ found: number; notices?: string[] }> => {
      const { stdout } = await mdcx(["search", file, question, "--json", ...options], { env: { MDCX_KEY: KEY } });
      return JSON.parse(stdout) as { found: number; notices?: string[] };
    };
    expect((await ask("moorings", "--by-stem")).found).toBeGreaterThan(0);
    const [withLikeness, without] = [await ask("mooringz"), await ask("mooringz", "--by-stem")];
    expect(withLikeness.found).toBeGreaterThan(0);
    expect(withLikeness.notices).toBeUndefined();
    expect(without.found).toBe(0);
    expect(without.notices).toEqual([expect.stringContaining("by stem alone")]);
  });

  it("are refused for a folder, which has but one way to look", async () => {
    const { code, stderr } = await mdcx(["search", HARBOUR, "moorings", "--by-stem"]);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/^mdcx: --by-stem is for packages: .*--literal\.\n$/);
  });
});
