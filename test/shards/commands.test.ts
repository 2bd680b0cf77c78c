import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseSecret } from "../../src/index.js";
import { packFolder } from "../../src/pack-entry.js";
import { isInShard } from "../../src/shard.js";
import { expectSentence, HARBOUR, KEY, mdcx, parsed, scratchFolder, withKey } from "../cli/mdcx.js";
import { firstDifference, mounted, questionsAbout } from "./collection.js";

const folder = await scratchFolder("shards");
const at = (...names: string[]): string => join(folder, ...names);
const key = { env: { MDCX_KEY: KEY } };

/** Packs a folder by shards, two at a time as two machines would, and gives the files. */
async function packShards(input: string, target: string, count: number): Promise<string[]> {
  const files: string[] = [];
  const turn = async (first: number): Promise<void> => {
    for (let index = first; index <= count; index += 2) {
      const summary = await parsed(["pack", input, "--target", target, "--shard", `${index}/${count}`]);
      if (summary.target !== null) files.push(summary.target as string);
    }
  };
  await Promise.all([turn(1), turn(2)]);
  return files.sort();
}

describe("mdcx pack --shard", () => {
  it("makes packages that mounted together answer as one, by words and in one folder alone", async () => {
    await withKey(["pack", HARBOUR, "--target", at("whole.mdcx")]);
    const whole = await mounted([at("whole.mdcx")], parseSecret(KEY));
    const questions = [...questionsAbout(HARBOUR, 60), "Wann wird der Kran geprüft?", "harb0ur"];
    for (const question of questions.slice(0, 9))
      expect((await whole.search(question)).found, question).toBeGreaterThan(0);
    const files = await packShards(HARBOUR, at("part.mdcx"), 3);
    expect(files).toHaveLength(3);
    const parts = await mounted(files, parseSecret(KEY));
    for (const options of [
      { mode: "words", limit: 50 },
      { mode: "words", limit: 3, in: "operations/**" },
    ] as const)
      expect(await firstDifference(whole, parts, questions, options)).toBeUndefined();
    await parts.close();
    await whole.close();
  }, 60_000);

  it.skipIf(process.env.MDCX_LONG === undefined)(
    "takes vectors over into shards, which answer by meaning and by both as the whole does",
    async () => {
      await withKey(["pack", HARBOUR, "--target", at("meaning.mdcx"), "--meaning"]);
      const secret = parseSecret(KEY);
      const files: string[] = [];
      for (const shard of ["1/3", "2/3", "3/3"]) {
        const reuse = ["--reuse", at("meaning.mdcx"), "--shard", shard];
        const args = ["pack", HARBOUR, "--target", at("vectors.mdcx"), "--meaning", ...reuse];
        expectSentence(await mdcx(args, key), /holds @\/.*, which is dealt to another shard: reuse the older package/);
        const { target, meaning } = await parsed([...args, "--new-id"]);
        expect(meaning).toMatchObject({ encoded: 0 });
        files.push(target as string);
      }
      const [whole, parts] = [await mounted([at("meaning.mdcx")], secret), await mounted(files, secret)];
      const questions = [
        "Wann wird der Kran geprüft?",
        "¿Cómo se calibra el anemómetro?",
        ...questionsAbout(HARBOUR, 30),
      ];
      for (const mode of ["meaning", "auto"] as const)
        expect(await firstDifference(whole, parts, questions, { mode, limit: 20 }), mode).toBeUndefined();
      await whole.close();
      await parts.close();
    },
    600_000,
  );

  it("says the name of its shard's package, and how all of them are asked", async () => {
    const { stdout } = await withKey(["pack", HARBOUR, "--target", "named.mdcx", "--shard", "2/3"], { cwd: folder });
    expect(stdout).toMatch(/^named-2-of-3\.mdcx is written\./);
    expect(stdout).toMatch(/Ask it: mdcx search named-\*-of-3\.mdcx /);
    expect(await readdir(folder)).toContain("named-2-of-3.mdcx");
    expect(await readdir(folder)).not.toContain("named.mdcx");
  });

  it("is asked with all others, and of many only those are named for the words they lack that the answer is from", async () => {
    const files: string[] = [];
    for (let index = 1; index <= 6; index++) {
      const [shard, file] = [{ index, count: 6 }, at(`six-${index}.mdcx`)];
      await packFolder(HARBOUR, file, { slots: [{ secret: parseSecret(KEY) }], shard });
      files.push(file);
    }
    const { stdout, stderr } = await withKey(["search", ...files, "the slewing brake of a xylophone", "--limit", "1"]);
    const [from] = /six-\d\.mdcx/.exec(stdout)!;
    expect(stderr.match(/^Not in .*$/gm)).toEqual([`Not in ${from}: xylophone`]);
    expect(stderr).toMatch(/^\d other packages lack words of the question; --json names them\.$/m);
  });

  it("is done, and not failed, where no document is dealt to the shard", async () => {
    const index = Array.from({ length: 1000 }, (_, i) => i + 1).find(
      (index) => !isInShard("a.md", { index, count: 1000 }),
    );
    await mkdir(at("one"));
    await writeFile(at("one", "a.md"), "# A\n\nOne document.\n");
    const args = ["pack", at("one"), "--target", at("one.mdcx"), "--shard", `${index}/1000`];
    const run = await withKey(args);
    expect(run).toMatchObject({ code: 0, stdout: "" });
    expect(run.stderr).toBe("mdcx: No document is dealt to this shard: nothing was written. Others hold all 1.\n");
    expect(await parsed(args)).toMatchObject({ target: null, documents: 0, reason: /^No document/ });
    expect((await readdir(folder)).filter((name) => name.startsWith("one-"))).toEqual([]);
  });

  it("needs a part that there is, and documents to deal, and asks for no secret before it knows", async () => {
    for (const shard of ["4/3", "0/3", "2", "two/3"])
      expectSentence(
        await mdcx(["pack", HARBOUR, "--target", at("x.mdcx"), "--shard", shard]),
        /--shard needs a part, counted from 1, and a number of parts/,
      );
    const without = ["pack", "--reuse", at("whole.mdcx"), "--without", "glossary.md", "--target", at("x.mdcx")];
    expectSentence(await mdcx([...without, "--shard", "1/3"], key), /--shard goes with documents/);
  });
});

describe("originals by shards", () => {
  it("are converted where they are dealt to, by convert and by pack alike, under the names that all of them together get", async () => {
    const input = at("originals");
    await mkdir(input);
    await writeFile(join(input, "rules.html"), "<title>Rules</title><h1>Rules</h1><p>Keep clear of the buoys.</p>");
    // It keeps its name, so the converted one is numbered: also where it is in another shard.
    await writeFile(join(input, "rules.html.md"), "# Also rules\n\nMoor at the pier.\n");
    const count = [2, 3, 4, 5].find((count) => homeOf("rules.html", count) !== homeOf("rules.html.md", count))!;
    const shard = `${homeOf("rules.html", count)}/${count}`;
    const converted = await mdcx(["convert", input, "--output", at("markdown"), "--shard", shard]);
    expect(converted.code).toBe(0);
    expect(await readdir(at("markdown"))).toContain("rules.html (2).md");
    expect(await readdir(at("markdown"))).not.toContain("rules.html.md");
    const summary = await parsed(["pack", input, "--target", at("originals.mdcx"), "--shard", shard]);
    expect(summary).toMatchObject({ documents: 1, conversion: { documents: 1 } });
    const { stdout } = await withKey(["document", summary.target as string, "rules.html (2).md"]);
    expect(stdout).toContain("Keep clear of the buoys.");
  }, 30_000);
});

describe("mdcx info --against with --shard", () => {
  it("holds the package of a shard against its part of the folder", async () => {
    const input = at("kept");
    await mkdir(input);
    for (let i = 0; i < 12; i++) await writeFile(join(input, `${i}.md`), `# ${i}\n\nBerth ${i}.\n`);
    await withKey(["pack", input, "--target", at("kept.mdcx"), "--shard", "1/2"]);
    const file = at("kept-1-of-2.mdcx");
    const mine = Array.from({ length: 12 }, (_, i) => `${i}.md`).filter((path) => homeOf(path, 2) === 1);
    await writeFile(join(input, mine[0]!), "# Changed\n\nBerth.\n");
    const against = async (...shard: string[]) => (await parsed(["info", file, "--against", input, ...shard])).against;
    expect(await against("--shard", "1/2")).toMatchObject({ added: [], changed: [`@/${mine[0]!}`], gone: [] });
    expect((await against()) as object).toMatchObject({ added: { length: 12 - mine.length } });
    expectSentence(await mdcx(["info", file, "--shard", "1/2"], key), /--shard goes with --against/);
  });
});

function homeOf(path: string, count: number): number {
  return Array.from({ length: count }, (_, i) => i + 1).find((index) => isInShard(path, { index, count }))!;
}
