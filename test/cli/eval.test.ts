import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { expectSentence, HARBOUR, KEY, mdcx, parsed, scratchFolder, withKey } from "./mdcx.js";

const QUESTIONS = [
  {
    id: "key",
    query: "spare key of the stilling well",
    kind: "keyword",
    any: ["@/measuring/calibrating-the-tide-gauge.md"],
  },
  { id: "light", query: "Wer repariert den Leuchtturm?", kind: "unanswerable" },
  {
    id: "both",
    query: "crane radius, mooring at night",
    kind: "multi-hop",
    all: ["operations/quay-crane.md", "operations/mooring-rules.md"],
  },
];

const scratch = await scratchFolder("eval");
const pkg = join(scratch, "harbour.mdcx");

async function written(name: string, content: string): Promise<string> {
  const file = join(scratch, name);
  await writeFile(file, content);
  return file;
}

const lines = (questions: readonly object[]): string => questions.map((one) => JSON.stringify(one)).join("\n");

function evaluated(golden: string, ...more: string[]) {
  return mdcx(["eval", pkg, "--golden", golden, ...more], { env: { MDCX_KEY: KEY } });
}

describe("mdcx eval", () => {
  let golden: string;
  beforeAll(async () => {
    await withKey(["pack", HARBOUR, "--target", pkg]);
    golden = await written("golden.jsonl", lines(QUESTIONS));
  });

  it("prints the figures by kind, and the same for a program; a package of words alone never warns", async () => {
    const { stdout } = await withKey(["eval", pkg, "--golden", golden]);
    expect(stdout).toMatch(/^By words +questions +hit@1 +recall@3 +mrr +ndcg@5$/m);
    expect(stdout).toMatch(/^ {2}keyword +1 +1\.000 +1\.000 +1\.000 +1\.000$/m);
    expect(stdout).toMatch(/^ {2}all +2 /m);
    expect(stdout).toContain("asked by words alone, and never warns");
    expect(stdout).not.toContain("By meaning");
    const report = await parsed(["eval", pkg, "--golden", golden]);
    expect(report).toMatchObject({ warnings: null, modes: { words: { all: { questions: 2 } } } });
    expect(report.outcomes).toContainEqual({ id: "key", mode: "words", rank: 1, warned: false });
    expect(report.outcomes).toContainEqual({ id: "light", mode: "words", rank: null, warned: false });
  });

  it("writes a baseline, meets it, and fails with the figures named where they have dropped", async () => {
    const baseline = join(scratch, "baseline.json");
    await withKey(["eval", pkg, "--golden", golden, "--write-baseline", baseline]);
    const met = await evaluated(golden, "--check", baseline);
    expect(met).toMatchObject({ code: 0 });
    expect(met.stderr).toContain("no figure is more than 0.02 under the baseline");

    // The same questions, from a package that lacks the first answer: it is there and says something else.
    const folder = join(scratch, "changed");
    await withKey(["export", pkg, "--target", folder]);
    await writeFile(join(folder, "measuring/calibrating-the-tide-gauge.md"), "# Empty\n\nNothing of it is left.\n");
    const changed = join(scratch, "changed.mdcx");
    await withKey(["pack", folder, "--target", changed]);
    const dropped = await mdcx(["eval", changed, "--golden", golden, "--check", baseline], { env: { MDCX_KEY: KEY } });
    expect(dropped.code).toBe(1);
    expect(dropped.stderr).toMatch(/ {2}words, keyword: hit@1 was 1\.000, is 0\.000/);
  });

  it("refuses what it cannot use in one sentence", async () => {
    const broken = await written("broken.jsonl", `${lines(QUESTIONS)}\n{"id":"x"}\n`);
    expectSentence(await evaluated(broken), /Line 4 of the golden questions cannot be used: "kind" must be one of/);
    expectSentence(await evaluated(golden, "--check", golden), /The baseline is no file that mdcx eval/);
  });
});
