import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { convertAll } from "../../../src/convert/run/stream.js";
import { planConversion } from "../../../src/convert/run/plan.js";
import { FIXTURE, killedAfter, processesOf, run, WORKER, worlds } from "./runs.js";

const world = await worlds();

const memory = 120 * 2 ** 20;

describe.concurrent("a worker that does not come back", () => {
  it("is replaced after the time limit, and two of them do not stop the run", async () => {
    const here = await world({
      "a.txt": "hang and never end, this file",
      "b.txt": "hang as well, a large file",
      "sub/c.txt": "ok",
      "d.txt": "ok",
      "e.txt": "ok",
    });
    const summary = await run(here, { timeout: 1, workers: 2 });
    expect(summary.byStatus).toMatchObject({ "timed-out": 2, ok: 3 });
    expect(summary.worst[0]?.reason).toBe(
      "It was given up after a second: --timeout sets a longer time, --timeout 0 waits for ever.",
    );
    expect(summary.budget.workers).toBe(2);
  });

  it("takes only its own document with it when it crashes, and the document is tried once more", async () => {
    const here = await world({
      "a.txt": "crash",
      "b.txt": "crashonce",
      "c.txt": "ok",
      "d.txt": "stray",
      "e.txt": "throw",
    });
    const summary = await run(here, { workers: 2 });
    expect(summary.byStatus).toMatchObject({ refused: 2, ok: 3 });
    const reasons = summary.worst.map(({ reason }) => reason).join("\n");
    expect(reasons).toMatch(/ended the process twice \(SIGSEGV\): please report it/);
    expect(reasons).toMatch(/Something went wrong inside mdcx \(a fault of the converter\): please report it/);
  });

  it("is ended where it takes more memory than it may, on the heap of JavaScript or beside it", async () => {
    const here = await world({ "a.txt": "memory", "b.txt": "heap", "c.txt": "ok" });
    const summary = await run(here, { workers: 2, memory });
    expect(summary.byStatus).toMatchObject({ refused: 2, ok: 1 });
    for (const { reason } of summary.worst)
      expect(reason).toBe("Its conversion needed more than 120 MB of memory: split it into smaller files.");
  });

  it("is gone with a run that is killed outright, even while it hangs", async () => {
    const here = await world({ "a.txt": "hang", "b.txt": "hang" });
    const killed = killedAfter(here, 4000, { workers: 2, timeout: 0 });
    for (let i = 0; i < 35 && (await processesOf(here)) < 3; i++) await wait(100);
    expect(await processesOf(here), "the run and two workers").toBe(3);
    expect(await killed).toBe(true);
    for (let i = 0; i < 20 && (await processesOf(here)) > 0; i++) await wait(100);
    expect(await processesOf(here)).toBe(0);
  });
});

describe("converting without writing", () => {
  const options = { converter: FIXTURE, worker: WORKER, workers: 2, memory } as const;

  it("gives documents in the order of their paths, refusals with their reasons among them", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 12 }, (_, i) => [`${String(i).padStart(2, "0")}.txt`, i % 3 === 0 ? "slow 60" : `ok ${i}`]),
    );
    const here = await world({ ...files, "99.txt": "crash", "50.txt": "book 30", "51.txt": "refuse" });
    const { sources } = await planConversion(here.input);
    const seen: string[] = [];
    for await (const { source, markdown, certificate, sha256 } of convertAll(sources, {
      ...options,
      recycleAfter: 3,
      splitThreshold: 20,
    })) {
      seen.push(source.path);
      const refused = ["51.txt", "99.txt"].includes(source.path);
      expect(certificate.status, source.path).toBe(refused ? "refused" : "ok");
      expect(markdown === "").toBe(refused);
      if (!refused) expect(sha256).toMatch(/^[0-9a-f]{64}$/);
      if (source.path === "50.txt") expect(markdown).toMatch(/Pages 1 to 10[\s\S]*Pages 21 to 30/);
    }
    expect(seen).toEqual([...Object.keys(files), "50.txt", "51.txt", "99.txt"].sort());
  });

  it("ends its workers when nobody asks for more", async () => {
    const here = await world(Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`${i}.txt`, `slow ${50 + i}`])));
    const { sources } = await planConversion(here.input);
    for await (const { source } of convertAll(sources, options)) {
      expect(source.path).toBe("0.txt");
      break;
    }
    await wait(300);
    const converted = (await readFile(join(here.root, "log", "converted.log"), "utf8").catch(() => "")).split(
      "\n",
    ).length;
    expect(converted).toBeLessThan(10);
  });
});
