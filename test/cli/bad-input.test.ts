import { execFile } from "node:child_process";
import { chmod, cp, mkdir, readdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedData } from "../shared-data.js";
import { expectSentence, HARBOUR, KEY, mdcx, scratchFolder, withKey, type Run, type RunOptions } from "./mdcx.js";

const folder = await scratchFolder("bad-input");
const at = (...names: string[]): string => join(folder, ...names);
const good = at("good.mdcx");
let before: Buffer;

const root = process.getuid?.() === 0;
const NOBODY = 65_534;

beforeAll(async () => {
  await withKey(["pack", HARBOUR, "--target", good]);
  before = await readFile(good);
  await mkdir(at("small"));
  await writeFile(at("small", "a.md"), "# A\n\nSmall.\n");
});

const keyed = (args: string[], options: RunOptions = {}): Promise<Run> =>
  mdcx(args, { ...options, env: { MDCX_KEY: KEY, ...options.env } });

/** Packing to a target that exists: whatever goes wrong, it is as it was, and nothing lies beside it. */
async function packRefused(source: string, message: RegExp, more: string[] = []): Promise<void> {
  expectSentence(await keyed(["pack", source, "--target", good, ...more]), message);
  expect(Buffer.compare(await readFile(good), before)).toBe(0);
  expect((await readdir(folder)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
}

describe("what cannot be packed is said in one sentence, and the old target stays", () => {
  it("no such folder, an empty one, one without a document, a file", async () => {
    await mkdir(at("empty"));
    await mkdir(at("only-images"));
    await writeFile(at("only-images", "a.png"), "not a document");
    await packRefused(at("nowhere"), /nowhere/);
    await packRefused(at("empty"), /no document to pack/);
    await packRefused(at("only-images"), /None of the documents could be read.*@\/a\.png/s);
    await packRefused(at("small", "a.md"), /is a file: give the folder/);
  });

  it("nothing but what cannot be converted", async () => {
    await mkdir(at("broken"));
    await writeFile(at("broken", "cut.docx"), Buffer.from("PK\x03\x04 and no end"));
    await packRefused(at("broken"), /None of the documents could be read.*@\/cut\.docx: .*not complete/s);
  });

  it("a folder that may not be read", async (context) => {
    if (!root) context.skip("only root can run the command as another user");
    const closed = at("closed");
    await cp(at("small"), closed, { recursive: true });
    await chmod(folder, 0o755);
    await chmod(closed, 0o700);
    const target = at("open");
    await mkdir(target);
    await chmod(target, 0o777);
    const as = { uid: NOBODY, gid: NOBODY };
    expectSentence(
      await keyed(["pack", closed, "--target", join(target, "a.mdcx")], as),
      /Cannot read .*closed: permission is denied/,
    );
    expectSentence(await keyed(["pack", at("small"), "--target", at("x.mdcx")], as), /x\.mdcx: permission is denied/);
    await chmod(good, 0o600);
    expectSentence(await keyed(["search", good, "tide"], as), /Cannot open .*good\.mdcx: permission is denied/);
    expectSentence(await keyed(["verify", good], as), /permission is denied/);
    expect(await readdir(target)).toEqual([]);
  });

  it("a target in a folder that does not exist, a target that is a folder, a target that is no package", async () => {
    expectSentence(await keyed(["pack", at("small"), "--target", at("nowhere", "a.mdcx")]), /nowhere/);
    expectSentence(await keyed(["pack", at("small"), "--target", at("small")]), /not a file/);
    const thesis = at("thesis.md");
    await writeFile(thesis, "years of work");
    expectSentence(
      await keyed(["pack", at("small"), "--target", thesis]),
      /thesis\.md is there already and no package/,
    );
    expect(await readFile(thesis, "utf8")).toBe("years of work");
  });

  it("a full disk", async (context) => {
    const disk = at("disk");
    await mkdir(disk);
    const mount = promisify(execFile);
    try {
      await mount("mount", ["-t", "tmpfs", "-o", "size=192k", "tmpfs", disk]);
    } catch {
      context.skip("a small disk cannot be mounted here");
    }
    try {
      const target = join(disk, "a.mdcx");
      await withKey(["pack", at("small"), "--target", target]);
      const old = await readFile(target);
      expectSentence(await keyed(["pack", HARBOUR, "--target", target]), /the disk is full/);
      expectSentence(await keyed(["export", good, "--target", join(disk, "out")]), /the disk is full/);
      expectSentence(
        await keyed(["rekey", target, "--add", "--new-key-file", await otherKeyFile()]),
        /the disk is full/,
      );
      expect(Buffer.compare(await readFile(target), old)).toBe(0);
      expect((await readdir(disk)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    } finally {
      await mount("umount", [disk]);
    }
  });
});

async function otherKeyFile(): Promise<string> {
  await writeFile(at("other.txt"), "mdcx passphrase that is long enough\n");
  return at("other.txt");
}

describe("a file that is no package in order", () => {
  it("is refused by every command in one sentence", async () => {
    await writeFile(at("text.mdcx"), "This is a letter and not a package at all, however long it may be.\n".repeat(40));
    await writeFile(at("empty.mdcx"), "");
    await writeFile(at("one-byte.mdcx"), "M");
    await cp(good, at("cut.mdcx"));
    await truncate(at("cut.mdcx"), before.length - 1);
    await cp(good, at("head.mdcx"));
    await truncate(at("head.mdcx"), 100);
    const newer = Buffer.from(before);
    newer[7] = 3;
    await writeFile(at("newer.mdcx"), newer);
    const cases: [string, RegExp][] = [
      ["text.mdcx", /text\.mdcx is not (a|an mdcx) package/],
      ["empty.mdcx", /empty/],
      ["one-byte.mdcx", /not (a|an mdcx) package/],
      ["cut.mdcx", /cut short/],
      ["head.mdcx", /cut short|ends/],
      ["newer.mdcx", /version 3, which is newer than this reader/],
      ["nowhere.mdcx", /There is no file or folder .*nowhere\.mdcx/],
    ];
    const runs = await Promise.all(cases.map(([name]) => keyed(["search", at(name), "tide"])));
    for (const [i, run] of runs.entries()) expectSentence(run, cases[i]![1]);
    // A folder of Markdown can be searched, and nothing else.
    expectSentence(await keyed(["document", at("small"), "@/start-here.md"]), /is a folder, not a package/);
    const cut = at("cut.mdcx");
    for (const args of [
      ["info", cut],
      ["document", cut, "@/start-here.md"],
      ["export", cut, "--target", at("never")],
      ["rekey", cut, "--remove", "0"],
    ])
      expectSentence(await keyed(args), /cut short/);
    expect(await readdir(folder)).not.toContain("never");
  });

  it("is named as of version 1 when the Python mdcx wrote it", async (context) => {
    if (sharedData === undefined) return context.skip("the packages of version 1 are not here");
    for (const name of ["v1.0.3", "v1.31.0-signed"])
      expectSentence(
        await keyed(["search", join(sharedData, "interop", `${name}.mdcx`), "x"]),
        /Python mdcx, version 1/,
      );
  });

  it("is refused where it is damaged behind the head, by reading and by verifying", async () => {
    const damaged = Buffer.from(before);
    for (let chunk = 0; chunk < 10; chunk++) damaged[damaged.length - 1 - chunk * 16_400]! ^= 1;
    await writeFile(at("damaged.mdcx"), damaged);
    expectSentence(await keyed(["export", at("damaged.mdcx"), "--target", at("never")]), /damaged/);
  });
});

describe("wrong use", () => {
  it("of the command line is one sentence with the way to the help", async () => {
    const cases: [string[], RegExp][] = [
      [[], /Name a command/],
      [["frobnicate"], /frobnicate/],
      [["serch"], /Did you mean search\?/],
      [["search"], /0 of 1 arguments are given\. The command is `mdcx search <packages\.\.>`/],
      [["search", good, "tide", "--frobnicate"], /frobnicate/],
      [["search", good, "tide", "--limit"], /--limit needs a value/],
      [["search", good, "tide", "--limit", "2", "--limit", "3"], /--limit is given 2 times/],
      [["pack", HARBOUR], /--target is missing/],
      [["trust", "hug"], /hug/],
    ];
    const runs = await Promise.all(cases.map(([args]) => keyed(args)));
    for (const [i, run] of runs.entries()) {
      const [, message] = cases[i]!;
      expectSentence({ ...run, stderr: run.stderr.replaceAll("\n", " ").trim() }, message);
      expect(run.stderr).toMatch(/`mdcx (?:[a-z]+ )?--help` shows how\./);
    }
  });

  it("of a value names its bounds", async () => {
    const cases: [string[], RegExp][] = [
      [["search", good, "tide", "--limit", "0"], /from 1 to 50/],
      [["search", good, "tide", "--limit", "two"], /from 1 to 50/],
      [["search", good, "?!… —"], /no word/],
      [["search", good, "x".repeat(2001)], /2,001 characters/],
      [["document", good, "@/start-hear.md"], /There is no document .* Nearest: @\/start-here\.md/],
      [["document", good, "@/start-here.md", "--before", "eleven"], /from 0 to 10/],
      [["document", good, "@/start-here.md", "--after", "11"], /from 0 to 10/],
      [["info", good, "--package-id", "xyz"], /32 lower-case hex digits/],
      [["info", good, "--package-id", "0".repeat(32)], /package/],
      [["info", good, "--min-revision", "2"], /revision/],
      [["info", good, "--issuer-key", "nowhere.pub"], /nowhere\.pub/],
      [["info", good, "--issuer-key", "0".repeat(64)], /not signed|unsigned/],
      [["export", good, "--target", at("good.mdcx")], /is a file/],
      [["rekey", good], /Say what to change/],
      [["rekey", good, "--remove", "7"], /no slot 7/],
      [["rekey", good, "--remove", "0"], /no slot that opens/],
      [["keygen"], /Say which key/],
      [
        ["pack", HARBOUR, "--target", at("x.mdcx"), "--signing-key", join(HARBOUR, "start-here.md")],
        /neither a private key/,
      ],
    ];
    const runs = await Promise.all(cases.map(([args]) => keyed(args)));
    for (const [i, run] of runs.entries()) expectSentence(run, cases[i]![1]);
    expect(Buffer.compare(await readFile(good), before)).toBe(0);
  });

  it("is JSON on standard output as well where --json is given", async () => {
    const run = await keyed(["search", at("nowhere.mdcx"), "tide", "--json"]);
    expect(run.code).toBe(2);
    expect(JSON.parse(run.stdout)).toMatchObject({
      error: { code: "not-found", message: expect.any(String) as string },
    });
  });

  it("never exports over a file that exists nor through a link", async () => {
    const target = at("exported");
    await mkdir(join(target, "measuring"), { recursive: true });
    await writeFile(join(target, "start-here.md"), "mine");
    expectSentence(await keyed(["export", good, "--target", target]), /start-here\.md exists already/);
    expect(await readFile(join(target, "start-here.md"), "utf8")).toBe("mine");
    expect((await readdir(target, { recursive: true })).sort()).toEqual(["measuring", "start-here.md"]);
    await rm(target, { recursive: true });
    await mkdir(target);
    await mkdir(at("elsewhere"));
    await symlink(at("elsewhere"), join(target, "measuring"));
    expectSentence(await keyed(["export", good, "--target", target]), /measuring in the target folder is a link/);
    expect(await readdir(at("elsewhere"))).toEqual([]);
  });
});
