import { mkdir, readFile, rename, stat, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { filesIn, killedAfter, killedWhen, refusal, run, signalled, worlds, type World } from "./runs.js";

const world = await worlds();

interface Manifest {
  readonly totals: {
    readonly documents: number;
    readonly words: { readonly reference: number; readonly coverage: number };
  };
  readonly interrupted: boolean;
  readonly documents: readonly {
    readonly source: string;
    readonly target?: string;
    readonly certificate: { readonly status: string };
  }[];
}

const manifestOf = async ({ output }: World): Promise<Manifest> =>
  JSON.parse(await readFile(join(output, "_manifest.json"), "utf8")) as Manifest;

async function recorded({ output }: World): Promise<Set<string>> {
  const text = await readFile(join(output, "_record.jsonl"), "utf8").catch(() => "");
  const lines = text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { type: string; source: string });
  return new Set(lines.filter(({ type }) => type === "document").map(({ source }) => source));
}

const many = (count: number, content: (i: number) => string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`folder ${i % 5}/document ${i}.txt`, content(i)]));

describe("a run that is killed at any moment", () => {
  it("goes on where it stood: nothing finished is converted twice, nothing is lost", async () => {
    const here = await world({
      ...many(60, (i) => (i % 10 === 3 ? `warn ${i}` : i % 10 === 7 ? `refuse ${i}` : `slow ${20 + i}`)),
      "book.txt": "book 400",
    });
    let kills = 0;
    // A fixed seed: a failure can be repeated, as far as the machine is the same.
    for (let seed = 7; kills < 8; seed = (seed * 48271) % 2147483647) {
      const before = await recorded(here);
      const parts = new Set(await filesIn(join(here.output, ".mdcx-parts")).catch(() => []));
      const from = (await here.converted()).length;
      const killed = await killedAfter(here, 250 + (seed % 500), { workers: 2 });
      const again = (await here.converted()).slice(from);
      for (const name of again) {
        expect(before.has(name), `${name} was recorded before`).toBe(false);
        const first = /#(\d+)$/.exec(name)?.[1];
        if (first !== undefined)
          expect(
            [...parts].some((part) => part.endsWith(`/${first}-${Number(first) + 9}.json`)),
            name,
          ).toBe(false);
      }
      if (!killed) break;
      kills++;
    }
    expect(kills).toBeGreaterThan(2);
    const finished = await recorded(here);
    const summary = await run(here, { workers: 2 });
    expect(summary.documents).toBe(61);
    expect(summary.reused).toBeGreaterThanOrEqual(finished.size - 6);
    expect(summary.byStatus).toMatchObject({ warn: 6, refused: 6, ok: 49 });
    const files = await filesIn(here.output);
    expect(files.filter((name) => name.endsWith(".txt.md"))).toHaveLength(55);
    expect(files.filter((name) => /\.tmp$|mdcx-/.test(name))).toEqual([]);
    expect(await readFile(join(here.output, "book.txt.md"), "utf8")).toMatch(
      /Pages 1 to 10\n[\s\S]*Pages 391 to 400\n/,
    );
    expect((await manifestOf(here)).documents).toHaveLength(61);
  });

  it("goes on from the chapter: of 47, those that are missing", async () => {
    const here = await world({ "book.txt": "book 470" });
    await run(here, { workers: 1 });
    expect((await here.converted()).length).toBe(47);
    const other = await world({ "book.txt": "book 470 slow" });
    const chapters = async (): Promise<number> =>
      (await filesIn(join(other.output, ".mdcx-parts")).catch((): string[] => [])).filter((name) =>
        name.endsWith(".json"),
      ).length;
    await killedWhen(other, async () => (await chapters()) >= 40, { workers: 1 });
    const there = await chapters();
    expect(there).toBeGreaterThanOrEqual(40);
    expect(there).toBeLessThan(47);
    const from = (await other.converted()).length;
    const summary = await run(other, { workers: 1 });
    expect(summary.parts).toEqual({ converted: 47 - there, reused: there });
    expect((await other.converted()).length - from).toBe(47 - there);
    const bodyOf = async ({ output }: World): Promise<string> =>
      (await readFile(join(output, "book.txt.md"), "utf8")).replace(/^---[\s\S]*?---\n/, "");
    expect(await bodyOf(other)).toBe(await bodyOf(here));
  });

  it("ended by Ctrl-C it writes its pages, and the same command goes on", async () => {
    const here = await world(many(20, () => "slow 200"));
    const first = await signalled(here, 1500, { workers: 2 });
    expect(first.interrupted).toBe(true);
    expect(first.left).toBeGreaterThan(0);
    expect((await manifestOf(here)).interrupted).toBe(true);
    const second = await run(here, { workers: 2 });
    expect(second).toMatchObject({ resumed: true, interrupted: false, reused: 20 - first.left, converted: first.left });
    expect((await here.converted()).length).toBeLessThanOrEqual(20 + 2);
    const third = await signalled(here, 1200, { workers: 2, force: true });
    expect(third.left, "what an earlier run did is no result of this one").toBeGreaterThan(0);
    expect(third).toMatchObject({ reused: 0, converted: 20 - third.left, documents: 20 - third.left });
    expect((await manifestOf(here)).documents).toHaveLength(20);
  });

  it("a record whose last line was torn by a power cut is read as far as it goes", async () => {
    const here = await world(many(6, () => "ok"));
    await run(here);
    const path = join(here.output, "_record.jsonl");
    const text = await readFile(path, "utf8");
    const lines = text.trimEnd().split("\n");
    const last = lines.findLastIndex((line) => line.includes('"type":"document"'));
    await writeFile(path, `${lines.slice(0, last).join("\n")}\n${lines[last]!.slice(0, 40)}`);
    const summary = await run(here);
    expect(summary).toMatchObject({ documents: 6, reused: 5, converted: 1 });
    expect((await manifestOf(here)).documents).toHaveLength(6);
  });
});

describe.concurrent("the next run", () => {
  it("converts what has changed, what had findings and what was refused, and nothing else", async () => {
    const here = await world({
      "ok.txt": "ok",
      "scan.txt": "scan",
      "warn.txt": "warn",
      "refused.txt": "refuse",
      "edited.txt": "ok",
      "lost.txt": "ok",
    });
    const first = await run(here);
    expect(first).toMatchObject({ converted: 6, reused: 0, byStatus: { ok: 3, unverifiable: 1, warn: 1, refused: 1 } });
    expect(first.words, "a scanned file neither raises nor lowers it").toMatchObject({
      reference: 400,
      lost: 2,
      coverage: 0.995,
    });
    await here.put({ "edited.txt": "ok, another text", "new.txt": "ok" });
    await unlink(join(here.output, "lost.txt.md"));
    const from = (await here.converted()).length;
    const second = await run(here);
    expect(second).toMatchObject({ documents: 7, reused: 2, converted: 5 });
    expect((await here.converted()).slice(from).sort()).toEqual(["edited.txt", "lost.txt", "new.txt", "warn.txt"]);
    expect((await run(here, { force: true })).reused).toBe(0);
    expect((await run(here, { samplePages: 3 })).reused, "other options").toBe(0);
  });

  it("with --only keeps what it knows of the others", async () => {
    const here = await world({ "a.txt": "ok", "b.txt": "warn", "sub/c.html": "ok" });
    await run(here);
    const summary = await run(here, { only: ["*.html"], force: true });
    expect(summary).toMatchObject({ documents: 1, converted: 1 });
    expect((await manifestOf(here)).documents.map(({ source }) => source)).toEqual(["a.txt", "b.txt", "sub/c.html"]);
    const index = await readFile(join(here.output, "INDEX.md"), "utf8");
    expect(index).toContain("[b.txt](b.txt.md)");
    expect(await refusal(here, { only: ["*.odt"] })).toMatch(/--only \*\.odt matches no file/);
  });

  it("removes Markdown whose original has gone, unless somebody has changed it", async () => {
    const here = await world({ "a.txt": "ok", "gone/b.txt": "ok", "c.txt": "ok", "moved.txt": "ok" });
    await run(here);
    await writeFile(join(here.output, "c.txt.md"), "my own notes");
    for (const name of ["gone/b.txt", "c.txt"]) await unlink(join(here.input, name));
    await rename(join(here.input, "moved.txt"), join(here.input, "named.txt"));
    const summary = await run(here);
    expect(summary.stale.removed).toEqual(["gone/b.txt.md", "moved.txt.md"]);
    expect(summary.stale.kept).toMatchObject([{ target: "c.txt.md" }]);
    const files = await filesIn(here.output);
    expect(files).toContain("c.txt.md");
    expect(files).toContain("named.txt.md");
    await expect(stat(join(here.output, "gone"))).rejects.toThrow();
  });

  it("keeps the Markdown of an earlier run where the same original cannot be converted this time", async () => {
    const here = await world({ "a.txt": "slow 700" });
    await run(here);
    const summary = await run(here, { force: true, timeout: 0.3 });
    expect(summary).toMatchObject({ kept: 1, byStatus: { ok: 1 } });
    await here.put({ "a.txt": "slow 800" });
    const changed = await run(here, { timeout: 0.3 });
    expect(changed).toMatchObject({ kept: 0, byStatus: { "timed-out": 1 }, stale: { removed: ["a.txt.md"] } });
  });
});

describe.concurrent("the output folder", () => {
  it("is shared by shards, each with its record, and holds every document once", async () => {
    const here = await world(many(30, (i) => (i === 4 ? "warn" : "ok")));
    const shards = await Promise.all([1, 2, 3].map((index) => run(here, { shard: { index, count: 3 }, workers: 1 })));
    expect(shards.reduce((sum, { converted }) => sum + converted, 0)).toBe(30);
    expect((await here.converted()).sort()).toEqual([...new Set(await here.converted())].sort());
    // Whichever ended last has seen what the others recorded.
    expect((await manifestOf(here)).documents).toHaveLength(30);
  });

  it("takes one run at a time", async () => {
    const here = await world({ "a.txt": "slow 1500" });
    const first = run(here);
    while (!(await filesIn(here.output).catch((): string[] => [])).includes(".mdcx-lock-all")) await wait(20);
    expect(await refusal(here)).toMatch(/Another conversion \(process \d+ on .+\) writes into this folder/);
    expect((await first).byStatus.ok).toBe(1);
  });

  it("is not one that holds files of somebody else under the names of the run, nor the input", async () => {
    const here = await world({ "a.txt": "ok", "out/b.txt": "ok" });
    await mkdir(here.output);
    await writeFile(join(here.output, "INDEX.md"), "mine");
    expect(await refusal(here)).toMatch(/holds INDEX\.md, which no conversion wrote/);
    expect(await readFile(join(here.output, "INDEX.md"), "utf8")).toBe("mine");
    expect(await refusal({ ...here, output: here.input })).toMatch(/is the input, whose files must not be overwritten/);
    expect(await refusal({ ...here, output: here.root })).toMatch(/holds the input/);
    const inside = await run({ ...here, output: join(here.input, "out2") });
    expect(inside.documents).toBe(2);
    const again = await run({ ...here, output: join(here.input, "out2") });
    expect(again).toMatchObject({ documents: 2, reused: 2 });
    expect(again.leftOut).toEqual([{ path: "out2", reason: "the output of this run" }]);
  });

  it("does not lose what came from elsewhere when one file is converted into it", async () => {
    const here = await world({ "a.txt": "ok", "b.txt": "ok" });
    await run({ ...here, input: join(here.input, "a.txt") });
    const summary = await run({ ...here, input: join(here.input, "b.txt") });
    expect(summary.stale).toEqual({ removed: [], kept: [] });
    expect((await manifestOf(here)).documents).toHaveLength(2);
    expect((await run(here)).reused).toBe(2);
  });
});
