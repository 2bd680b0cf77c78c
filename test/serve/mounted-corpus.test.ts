import { rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MdcxError } from "../../src/index.js";
import { MountedCorpus, type MountEvent } from "../../src/node/mounted-corpus.js";
import { packed } from "../package/in-memory.js";
import { scratchFolder } from "../cli/mdcx.js";
import { aboutTheKey, KEY, keyOf, packageFile } from "./packages.js";

const scratch = await scratchFolder("mounted");
let folders = 0;

/** Two packages on disk, mounted. */
async function mounted(options: { readonly idleUnload?: number } = {}) {
  const name = `${++folders}`;
  const handbook = await packageFile(scratch, `handbook-${name}.mdcx`, aboutTheKey("behind the barometer"));
  const library = await packageFile(scratch, `library-${name}.mdcx`, { "hours.md": "# Hours\n\nOpen at nine.\n" });
  const events: MountEvent[] = [];
  const corpus = await MountedCorpus.open(
    [handbook, library].map((path) => ({ path, secrets: [KEY] })),
    {
      pinning: { all: {} },
      onEvent: (event) => {
        events.push(event);
      },
      ...options,
    },
  );
  const where = async (): Promise<string> => (await corpus.search("spare key")).passages[0]!.text;
  return { corpus, handbook, library, events, where };
}

/** Puts a file in the place of another as `mdcx pack` does: beside it, then renamed. */
async function putInPlace(path: string, bytes: Uint8Array): Promise<void> {
  await writeFile(`${path}.tmp`, bytes);
  await rename(`${path}.tmp`, path);
}

function randomWords(count: number): string {
  const word = (): string => Math.random().toString(36).slice(2, 10);
  return Array.from({ length: count }, word).join(" ");
}

async function refusal(of: Promise<unknown>): Promise<MdcxError> {
  const error: unknown = await of.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(MdcxError);
  return error as MdcxError;
}

describe("a package that is replaced while it is mounted", () => {
  it("answers from the next call on, which says so once", async () => {
    const { corpus, handbook, events, where } = await mounted();
    expect(await where()).toContain("behind the barometer");
    const { bytes } = await packed(aboutTheKey("under the doormat"));
    await putInPlace(handbook, bytes);
    const reply = await corpus.search("spare key");
    expect(reply.passages.map(({ text }) => text).join()).toMatch(/under the doormat/);
    expect(reply.notices).toHaveLength(1);
    expect(reply.notices![0]).toMatch(/handbook-1\.mdcx was replaced.*revision 1/);
    expect((await corpus.search("spare key")).notices).toBeUndefined();
    expect((await corpus.document("@/keys.md")).text).toContain("under the doormat");
    expect((await corpus.info()).packages).toHaveLength(2);
    expect(events).toEqual([expect.objectContaining({ kind: "replaced", revision: 1 })]);
    await corpus.close();
  });

  it("says so in the first reply that can, where a list was asked before", async () => {
    const { corpus, handbook } = await mounted();
    await putInPlace(handbook, (await packed({ "a.md": "Key.\n", "b.md": "Spare.\n" })).bytes);
    expect((await corpus.documents()).total).toBe(3);
    expect((await corpus.info()).notices).toHaveLength(1);
    await corpus.close();
  });

  it("goes on answering where the new file is none, opens with another key or is gone, and every reply says so", async () => {
    const { corpus, handbook, where, events } = await mounted();
    const { bytes: sealedByOther } = await packed(aboutTheKey("nowhere"), { slots: [{ secret: keyOf(9) }] });
    const cases: [() => Promise<void>, RegExp, string][] = [
      [() => putInPlace(handbook, new TextEncoder().encode("no package\n".repeat(400))), /not an? /, "not-a-package"],
      [() => putInPlace(handbook, sealedByOther), /not open/, "wrong-secret"],
      [() => rm(handbook), /no longer on disk/, "not-found"],
    ];
    for (const [change, why, code] of cases) {
      await change();
      expect(await where()).toContain("behind the barometer");
      for (let again = 0; again < 2; again++) {
        const { notices, passages } = await corpus.search("spare key");
        expect(passages[0]!.text).toContain("behind the barometer");
        expect(notices).toHaveLength(1);
        expect(notices![0]).toMatch(why);
        expect(notices![0]).toMatch(/goes on answering\.$/);
      }
      expect(events.at(-1)).toMatchObject({ kind: "kept", code });
    }
    // Told once a change, not once a call.
    expect(events).toHaveLength(cases.length);
    await putInPlace(handbook, (await packed(aboutTheKey("under the doormat"))).bytes);
    expect((await corpus.search("spare key")).passages.map(({ text }) => text).join()).toContain("under the doormat");
    await corpus.close();
  });

  it("is not taken back to an older revision of itself, nor to the same package that is mounted beside it", async () => {
    const { corpus, handbook, library, where } = await mounted();
    const { packages } = await corpus.info();
    const id = packages.find(({ name }) => name.startsWith("handbook"))!.claims.package_id as string;
    const revision = (number: number, place: string) =>
      packed(aboutTheKey(place), { follows: { packageId: id, revision: number - 1 } });
    await putInPlace(handbook, (await revision(5, "under the doormat")).bytes);
    expect(await where()).toContain("under the doormat");
    await putInPlace(handbook, (await revision(4, "in the old place")).bytes);
    const { notices, passages } = await corpus.search("spare key");
    expect(passages[0]!.text).toContain("under the doormat");
    expect(notices!.join()).toMatch(/revision 4, older than revision 5/);

    await putInPlace(library, (await revision(6, "twice")).bytes);
    const reply = await corpus.search("spare key");
    expect(reply.passages.map(({ text }) => text).join()).not.toContain("twice");
    expect(reply.notices!.join()).toMatch(/given twice/);
    await corpus.close();
  });

  it("may exchange its place with another, also while somebody asks between the two", async () => {
    for (const asks of [false, true]) {
      const { corpus, handbook, library, where, events } = await mounted();
      await rename(handbook, `${handbook}.aside`);
      await rename(library, handbook);
      if (asks) expect(await where()).toContain("behind the barometer");
      await rename(`${handbook}.aside`, library);
      const { passages, notices } = await corpus.search("spare key");
      expect(passages[0]).toMatchObject({ package: expect.stringMatching(/^library/) as string });
      expect(notices).toHaveLength(2);
      expect(notices!.join()).not.toMatch(/goes on answering/);
      expect(events.slice(-2)).toMatchObject([{ kind: "replaced" }, { kind: "replaced" }]);
      expect((await corpus.search("spare key")).notices).toBeUndefined();
      await corpus.close();
    }
  });

  it("is not taken back to an older revision of what is mounted beside it, though that changes its place too", async () => {
    const { corpus, handbook, library, where } = await mounted();
    const { packages } = await corpus.info();
    const id = packages.find(({ name }) => name.startsWith("handbook"))!.claims.package_id as string;
    const revision = (number: number, place: string) =>
      packed(aboutTheKey(place), { follows: { packageId: id, revision: number - 1 } });
    await putInPlace(handbook, (await revision(5, "under the doormat")).bytes);
    expect(await where()).toContain("under the doormat");
    await putInPlace(handbook, (await packed({ "new.md": "Something new.\n" })).bytes);
    await putInPlace(library, (await revision(4, "in the old place")).bytes);
    const { notices, passages } = await corpus.search("spare key");
    expect(notices!.join()).toMatch(/older revision of what was opened as handbook-\d+\.mdcx, which is revision 5/);
    expect(passages.map(({ text }) => text).join()).not.toContain("in the old place");
    await corpus.close();
  });

  it("is opened anew where it is written over in place", async () => {
    const { corpus, handbook, where } = await mounted();
    await writeFile(handbook, (await packed(aboutTheKey("under the doormat"))).bytes);
    expect(await where()).toContain("under the doormat");
    await corpus.close();
  });

  it("gives no text but its own while it is written over, and answers again when the new one is whole", async () => {
    const { corpus, handbook, where } = await mounted();
    const chapters = Array.from({ length: 12 }, (_, i): [string, string] => [
      `chapter-${i}.md`,
      `# Chapter ${i}\n\n${randomWords(2_500)}\n`,
    ]);
    const { bytes } = await packed({ ...Object.fromEntries(chapters), ...aboutTheKey("under the doormat") });
    await putInPlace(handbook, bytes);
    expect((await corpus.document("@/keys.md")).text).toContain("under the doormat");
    const half = bytes.slice();
    half.fill(0xa5, half.length / 8);
    await writeFile(handbook, half);
    const texts = await Promise.allSettled(
      chapters.map(async ([name, text]) => (await corpus.document(`@/${name}`)).text === text),
    );
    for (const one of texts)
      if (one.status === "fulfilled") expect(one.value).toBe(true);
      else expect((one.reason as MdcxError).code).toMatch(/damaged/);
    expect(texts.some(({ status }) => status === "rejected")).toBe(true);
    await writeFile(handbook, (await packed(aboutTheKey("in the safe"))).bytes);
    expect(await where()).toContain("in the safe");
    await corpus.close();
  });

  it("is not opened anew by a look at it that changes nothing", async () => {
    const { corpus, handbook, events } = await mounted();
    const now = new Date();
    await utimes(handbook, now, now);
    await corpus.search("spare key");
    const after = events.length;
    for (let i = 0; i < 5; i++) await corpus.search("spare key");
    expect(events).toHaveLength(after);
    await corpus.close();
  });

  it("answers every one of many calls from one state, whenever they come", async () => {
    const { corpus, handbook } = await mounted();
    const states = ["behind the barometer", "under the doormat", "in the safe"];
    const asked: Promise<readonly string[]>[] = [];
    for (const place of states) {
      await putInPlace(
        handbook,
        (await packed({ ...aboutTheKey(place), "again.md": `The spare key: ${place}.\n` })).bytes,
      );
      for (let i = 0; i < 20; i++)
        asked.push(corpus.search("spare key").then(({ passages }) => passages.map(({ text }) => text)));
      await asked.at(-1);
    }
    for (const texts of await Promise.all(asked)) {
      expect(texts).toHaveLength(2);
      const place = states.find((one) => texts[0]!.includes(one))!;
      expect(texts[1]).toContain(place);
    }
    await corpus.close();
  });
});

describe("mounting", () => {
  it("opens all packages or none, and names the file that was refused", async () => {
    const good = await packageFile(scratch, "good.mdcx", aboutTheKey("here"));
    const other = await packageFile(scratch, "other.mdcx", aboutTheKey("there"), { slots: [{ secret: keyOf(9) }] });
    const open = (paths: string[]): Promise<unknown> =>
      MountedCorpus.open(
        paths.map((path) => ({ path, secrets: [KEY] })),
        { pinning: { all: {} } },
      );
    const wrong = await refusal(open([good, other]));
    expect(wrong.code).toBe("wrong-secret");
    expect(wrong.message.startsWith(other)).toBe(true);
    expect((await refusal(open([good, join(scratch, "nowhere.mdcx")]))).message).toContain("nowhere.mdcx");
    expect((await refusal(open([good, good]))).message).toMatch(/given twice/);
  });

  it("holds packages to the pins of their ids, and refuses one that the list lacks, also in the place of another", async () => {
    const one = await packageFile(scratch, "one.mdcx", aboutTheKey("here"), {
      follows: { packageId: "1".repeat(32), revision: 2 },
    });
    const open = (listed: ReadonlyMap<string, { minRevision?: number }>) =>
      MountedCorpus.open([{ path: one, secrets: [KEY] }], { pinning: { all: {}, listed } });
    expect((await refusal(open(new Map()))).message).toMatch(/1{32}.*no line for it/);
    expect((await refusal(open(new Map([["1".repeat(32), { minRevision: 4 }]])))).code).toBe("older-revision");
    const corpus = await open(new Map([["1".repeat(32), { minRevision: 3 }]]));
    await putInPlace(one, (await packed(aboutTheKey("elsewhere"))).bytes);
    const { notices, passages } = await corpus.search("spare key");
    expect(passages[0]!.text).toContain("hangs here");
    expect(notices!.join()).toMatch(/no line for it/);
    await corpus.close();
  });

  it("rests after a while without calls, and answers as before", async () => {
    const { corpus, events, where } = await mounted({ idleUnload: 30 });
    const before = await where();
    await expect.poll(() => events).toEqual([{ kind: "rested" }]);
    expect(await where()).toBe(before);
    await corpus.close();
  });
});
