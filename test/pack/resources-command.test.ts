import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { HARBOUR, KEY, mdcx, scratchFolder } from "../cli/mdcx.js";

const folder = await scratchFolder("pack-resources");
const key = join(folder, "key.txt");
await writeFile(key, KEY);

const pack = (...more: string[]) =>
  mdcx(["pack", HARBOUR, "--target", join(folder, "a.mdcx"), "--key-file", key, ...more]);

it("refuses memory that cannot be enough before it begins, and names --shard", async () => {
  const run = await pack("--memory", "100M");
  expect(run.code).toBe(2);
  expect(run.stderr).toMatch(/MiB of memory at least, and 100 MiB are allowed: .*--memory.*--shard/);
  expect(await readdir(folder)).toEqual(["key.txt"]);
});

it("refuses what is no amount of memory, and no number of threads", async () => {
  for (const amount of ["lots", "12"]) {
    const run = await pack(`--memory=${amount}`);
    expect(run.stderr, amount).toMatch(/--memory takes an amount such as 800M or 2G/);
    expect(run.code).toBe(2);
  }
  for (const count of ["1.5", "many"]) {
    const run = await pack(`--workers=${count}`);
    expect(run.stderr, count).toMatch(/--workers takes a number/);
    expect(run.code).toBe(2);
  }
});

it("packs with threads that are asked for, however little there is to read", async () => {
  const run = await pack("--workers", "2", "--memory", "1G", "--json");
  expect(run.code, run.stderr).toBe(0);
  expect((JSON.parse(run.stdout) as { documents: number }).documents).toBeGreaterThan(0);
  expect((await readdir(folder)).sort()).toEqual(["a.mdcx", "key.txt"]);
});
