import { copyFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HttpSource } from "../../src/format/http-source.js";
import { openCorpus, openPackage } from "../../src/index.js";
import { NodeTransport } from "../../src/node/http-transport.js";
import { MountedCorpus } from "../../src/node/mounted-corpus.js";
import { primitives } from "../../src/node/primitives.js";
import { Package } from "../../src/package.js";
import { isInShard } from "../../src/shard.js";
import { KEY, packed, type Folder } from "../package/in-memory.js";
import { startNginx, TOKEN, withoutNginx, type Nginx } from "./nginx.js";

/** Text that hardly shrinks, so that a package is far longer than what the first request brings. */
const FOLDER: Folder = Object.fromEntries(
  Array.from({ length: 90 }, (_, i) => {
    const words = Array.from({ length: 1_500 }, (_, at) => (Math.imul(at + 1, 2_246_822_519 + i) >>> 0).toString(36));
    return [
      `locks/${i}.md`,
      `# Lock ${i}\n\nThe gate of lock number${i} opens at slack water.\n\n${words.join(" ")}\n`,
    ];
  }),
);
const QUESTIONS = ["When does the gate of lock number41 open?", "slack water", "number7 gate"];

describe.skipIf(withoutNginx !== undefined)(`packages behind nginx (${withoutNginx ?? "of the system"})`, () => {
  let nginx: Nginx;
  let whole: string;

  beforeAll(async () => {
    nginx = await startNginx();
    whole = join(nginx.files, "locks.mdcx");
    writeFileSync(whole, (await packed(FOLDER, { title: "Locks" })).bytes);
    for (let shard = 1; shard <= 3; shard++) {
      const own = Object.entries(FOLDER).filter(([path]) => isInShard(path, { index: shard, count: 3 }));
      writeFileSync(join(nginx.files, `shard-${shard}.mdcx`), (await packed(Object.fromEntries(own))).bytes);
    }
  });
  afterAll(() => nginx.close());

  it.each(["plain", "tls"] as const)("answer as on disk, over %s, in few journeys", async (kind) => {
    const before = nginx.log().length;
    const local = await openPackage(whole, { secret: KEY });
    const transport = new NodeTransport({ ca: nginx.certificate });
    const source = await HttpSource.open(`${nginx[kind]}open/locks.mdcx`, transport);
    const far = await Package.open(source, primitives, { secret: KEY });
    expect(await far.search(QUESTIONS[0]!, { mode: "words", likeness: "without" })).toEqual(
      await local.search(QUESTIONS[0]!, { mode: "words", likeness: "without" }),
    );
    expect(source.traffic.journeys).toBeLessThanOrEqual(12);
    expect(source.traffic.bytes).toBeLessThan(source.length);
    for (const question of QUESTIONS) expect(await far.search(question)).toEqual(await local.search(question));
    await far.close();
    await local.close();
    const asked = nginx.log().slice(before);
    expect(asked.length).toBeGreaterThan(1);
    for (const line of asked) expect(line).toMatch(kind === "tls" ? /^HTTP\/2\.0 206 / : /^HTTP\/1\.1 206 /);
  });

  it("rank as one collection, three shards as the whole", async () => {
    const files = [1, 2, 3].map((shard) => `shard-${shard}.mdcx`);
    const far = await openCorpus(
      files.map((file) => `${nginx.plain}open/${file}`),
      { secret: KEY },
    );
    const near = await openCorpus([whole], { secret: KEY });
    for (const question of QUESTIONS) {
      const [asked, expected] = [await far.search(question), await near.search(question)];
      expect(asked.passages.map(({ document, text }) => [document, text])).toEqual(
        expected.passages.map(({ document, text }) => [document, text]),
      );
      expect(asked.found).toBe(expected.found);
    }
    await far.close();
    await near.close();
  });

  it("are not read where the server sends no parts, nor without its token", async () => {
    await expect(openPackage(`${nginx.plain}whole/locks.mdcx`, { secret: KEY })).rejects.toMatchObject({
      code: "no-ranges",
    });
    const guarded = `${nginx.plain}guarded/locks.mdcx`;
    await expect(openPackage(guarded, { secret: KEY })).rejects.toMatchObject({ code: "no-access" });
    process.env.MDCX_BEARER = TOKEN;
    try {
      const pkg = await openPackage(guarded, { secret: KEY });
      expect((await pkg.search(QUESTIONS[0]!)).passages[0]!.document).toBe("@/locks/41.md");
      await pkg.close();
    } finally {
      delete process.env.MDCX_BEARER;
    }
    await expect(openPackage(`${nginx.plain}open/none.mdcx`, { secret: KEY })).rejects.toMatchObject({
      code: "not-found",
    });
  });

  it("are taken up anew where they are replaced while they are mounted", async () => {
    const file = join(nginx.files, "moving.mdcx");
    copyFileSync(whole, file);
    const corpus = await MountedCorpus.open([{ path: `${nginx.plain}open/moving.mdcx`, secrets: [KEY] }], {
      pinning: { all: {} },
    });
    const replaced = (await packed({ ...FOLDER, "new.md": "# New\n\nThe new gate is of oak.\n" }, { title: "Locks" }))
      .bytes;
    writeFileSync(`${file}.new`, replaced);
    renameSync(`${file}.new`, file);
    const reply = await corpus.search("new gate of oak");
    expect(reply.passages[0]!.document).toBe("@/new.md");
    expect(reply.notices?.[0]).toMatch(/was replaced/);
    await corpus.close();
  });
});
