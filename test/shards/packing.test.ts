import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MdcxError, openPackage } from "../../src/index.js";
import { OverviewFile, packFolder, packRecords, shardFile, type Shard } from "../../src/pack-entry.js";
import { isInShard } from "../../src/shard.js";
import { HARBOUR } from "../cli/mdcx.js";
import { KEY } from "../package/in-memory.js";
import { firstDifference, mounted, questionsAbout } from "./collection.js";

const COUNT = 4;
const shards = Array.from({ length: COUNT }, (_, i): Shard => ({ index: i + 1, count: COUNT }));
/** Where a document of that path is dealt to. */
const homeOf = (path: string): Shard => shards.find((shard) => isInShard(path, shard))!;
const otherThan = ({ index }: Shard): Shard => shards[index % COUNT]!;

let scratch: string;
let folder: string;
const at = (name: string): string => join(scratch, name);
const target = (shard: Shard): string => shardFile(at("all.mdcx"), shard);
async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}
const note = (i: number): string => `notes/${i}.md`;
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), "mdcx-shards-"));
  folder = at("folder");
  for (let i = 0; i < 24; i++) await put(note(i), `# Note ${i}\n\nBoat ${i} lies at pier ${i * 7}.\n`);
});
afterEach(() => rm(scratch, { recursive: true }));

type Options = Partial<Parameters<typeof packFolder>[2]>;
const packed = (shard: Shard, options: Options = {}) =>
  packFolder(folder, target(shard), { slots: [{ secret: KEY }], shard, ...options });

/** Paths and digests of what a package holds. */
async function held(file: string): Promise<readonly string[]> {
  const pkg = await openPackage(file, { secret: KEY });
  try {
    return pkg.image
      .documents()
      .map(({ path, markdownSha256 }) => `${path} ${Buffer.from(markdownSha256).toString("hex")}`);
  } finally {
    await pkg.close();
  }
}

describe("a folder packed by shards", () => {
  it("answers as one package does, from one and from sixteen", async () => {
    folder = HARBOUR;
    await packFolder(HARBOUR, at("whole.mdcx"), { slots: [{ secret: KEY }] });
    const whole = await mounted([at("whole.mdcx")], KEY);
    const questions = questionsAbout(HARBOUR, 60);
    for (const question of questions.slice(0, 9))
      expect((await whole.search(question)).found, question).toBeGreaterThan(0);
    for (const count of [1, 16]) {
      const files: string[] = [];
      for (let index = 1; index <= count; index++) {
        const shard = { index, count };
        const summary = await packed(shard).catch((error: unknown) => error);
        if (!(summary instanceof MdcxError)) files.push(target(shard));
        else expect(summary.code).toBe("empty-shard");
      }
      expect(files.length).toBeGreaterThan(count / 2);
      const parts = await mounted(files, KEY);
      for (const options of [{ limit: 50 }, { limit: 3, in: "operations/**" }])
        expect(await firstDifference(whole, parts, questions, options), `${count} shards`).toBeUndefined();
      await parts.close();
    }
    await whole.close();
  });

  it("is in them whole, each document in one, and adding a document changes one shard alone", async () => {
    const before = new Map<Shard, readonly string[]>();
    for (const shard of shards) {
      await packed(shard);
      before.set(shard, await held(target(shard)));
    }
    expect([...before.values()].flat()).toHaveLength(24);
    expect(new Set([...before.values()].flat().map((one) => one.split(" ")[0]))).toEqual(
      new Set(Array.from({ length: 24 }, (_, i) => note(i))),
    );
    await put("notes/new.md", "# New\n\nA new boat.\n");
    for (const shard of shards) {
      await packed(shard);
      const now = await held(target(shard));
      const added = now.filter((one) => !before.get(shard)!.includes(one)).map((one) => one.split(" ")[0]);
      expect(added).toEqual(shard === homeOf("notes/new.md") ? ["notes/new.md"] : []);
      expect(now).toHaveLength(before.get(shard)!.length + added.length);
    }
  });

  it("names each file that is left out in one shard alone", async () => {
    await put(".hidden.md", "hidden");
    await put("sub/~$open.docx", "lock");
    const leftOut = await Promise.all(shards.map(async (shard) => (await packed(shard)).leftOut));
    expect(
      leftOut
        .flat()
        .map(({ document }) => document)
        .sort(),
    ).toEqual(["@/.hidden.md", "@/sub/~$open.docx"]);
  });

  it("takes lists and options that name documents of other shards, and still refuses a slip in each of them", async () => {
    const [here, there] = [homeOf(note(3)), otherThan(homeOf(note(3)))];
    await put("letters/only.md", "# Letter\n\nThe rope is wet.\n");
    await put("drafts/only.md", "# Draft\n\nThe rope is dry.\n");
    await writeFile(at("dates.csv"), `${note(3)},2024-05-01\nnotes/none.md,2024-05-02\n`);
    await writeFile(
      at("overviews.jsonl"),
      `${JSON.stringify({ document: `@/${note(3)}`, text: "About a boat." })}\n${JSON.stringify({ document: "@/notes/none.md", text: "About nothing." })}\n`,
    );
    for (const shard of [here, there, homeOf("letters/only.md"), otherThan(homeOf("letters/only.md"))]) {
      const overviews = await OverviewFile.open(at("overviews.jsonl"));
      const options: Options = {
        dates: at("dates.csv"),
        directions: { letters: "sent" },
        without: ["drafts"],
        overviews,
      };
      const summary = await packed(shard, options);
      expect(summary.refusedDates.map(({ document }) => document)).toEqual(["@/notes/none.md"]);
      expect(overviews.leftOut().map(({ document }) => document)).toEqual(["overview on line 2"]);
      expect(summary.dated.count).toBe(shard === here ? 1 : 0);
      expect(summary.overviews).toBe(shard === here ? 1 : 0);
      await overviews.close();
      await expect(packed(shard, { directions: { lettres: "sent" } })).rejects.toThrow(
        /No document lies in the folder/,
      );
      await expect(packed(shard, { without: ["drafts"], directions: { drafts: "sent" } })).rejects.toThrow(
        /No document lies in the folder/,
      );
      await expect(packed(shard, { without: ["letters/onyl.md"] })).rejects.toThrow(/Nearest: @\/letters\/only\.md/);
    }
  });

  it("refuses questions of calibration, to which most shards have no answer", async () => {
    await expect(packed(shards[0]!, { focus: ["Where does boat 3 lie?"] })).rejects.toThrow(
      /^--focus goes with a whole collection/,
    );
  });
});

describe("a shard that no document is dealt to", () => {
  const empty = (): Shard =>
    Array.from({ length: 200 }, (_, i) => ({ index: i + 1, count: 200 })).find(
      (shard) => !Array.from({ length: 24 }, (_, i) => note(i)).some((path) => isInShard(path, shard)),
    )!;

  it("is no package and no failure, and says so", async () => {
    const shard = empty();
    await expect(packed(shard)).rejects.toMatchObject({
      code: "empty-shard",
      message: "No document is dealt to this shard: nothing was written. Others hold all 24.",
    });
    await expect(stat(target(shard))).rejects.toThrow(/ENOENT/);
  });

  it("does not leave a package of an earlier run to answer for documents that have gone", async () => {
    const shard = empty();
    await packFolder(folder, target(shard), { slots: [{ secret: KEY }] });
    const before = await readFile(target(shard));
    await expect(packed(shard)).rejects.toMatchObject({ code: "bad-input", message: /still there: delete it\.$/ });
    expect(
      createHash("sha256")
        .update(await readFile(target(shard)))
        .digest("hex"),
    ).toBe(createHash("sha256").update(before).digest("hex"));
  });

  it("is still a failure where the folder has no document at all: it may be the wrong one", async () => {
    folder = at("other");
    await mkdir(folder);
    await expect(packed(shards[0]!)).rejects.toMatchObject({ code: "bad-input", message: /no document to pack/ });
  });
});

describe("a shard that is packed again", () => {
  it("is the next revision of its own package, and of no other", async () => {
    const [one, two] = [homeOf(note(0)), otherThan(homeOf(note(0)))];
    const first = await packed(one);
    await packed(two);
    const again = await packed(one, { reuse: { file: target(one), secret: KEY } });
    expect(again).toMatchObject({ packageId: first.packageId, revision: 2 });
    await expect(packed(two, { reuse: { file: target(one), secret: KEY } })).rejects.toThrow(
      /holds @\/notes\/\d+\.md, which is dealt to another shard: reuse the older package of this shard, or give --new-id/,
    );
    const own = await packed(two, { reuse: { file: target(one), secret: KEY, newId: true } });
    expect(own).toMatchObject({ revision: 1 });
    expect(own.packageId).not.toBe(first.packageId);
  });
});

describe("records packed by shards", () => {
  it("are dealt by their paths, as the same files are", async () => {
    const lines = Array.from({ length: 24 }, (_, i) =>
      JSON.stringify({ pseudopath: note(i), text: `# Note ${i}\n\nBoat ${i} lies at pier ${i * 7}.\n` }),
    );
    await writeFile(at("all.jsonl"), `${lines.join("\n")}\n`);
    for (const shard of shards) {
      await packed(shard);
      const file = shardFile(at("records.mdcx"), shard);
      await packRecords(at("all.jsonl"), file, { slots: [{ secret: KEY }], shard });
      expect(await held(file)).toEqual(await held(target(shard)));
    }
  });
});
