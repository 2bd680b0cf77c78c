import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { done, expectSentence, HARBOUR, KEY, mdcx, OTHER_KEY, scratchFolder, type Run } from "./mdcx.js";

const folder = await scratchFolder("secrets");
const at = (name: string): string => join(folder, name);
/** Opened by a key, and by a passphrase that the older system could not take in its server: `,` and `:` in it. */
const PASSPHRASE = "harbour, quay: crane; Größe 日本";
const byKey = at("key.mdcx");
const byPassphrase = at("passphrase.mdcx");

beforeAll(async () => {
  await writeFile(at("key.txt"), `${KEY}\n`);
  await writeFile(at("passphrase.txt"), `${PASSPHRASE}\r\n`);
  await done(["pack", HARBOUR, "--target", byKey, "--key-file", at("key.txt")]);
  const packed = await done(["pack", HARBOUR, "--target", byPassphrase, "--key-file", at("passphrase.txt")]);
  expect(packed.stderr).not.toMatch(/weak/);
});

const search = (file: string): string[] => ["search", file, "tide gauge", "--limit", "1", "--json"];

describe("a secret", () => {
  it("is taken from --key-file, --key -, --key, MDCX_KEY and MDCX_KEY_FILE", async () => {
    await writeFile(at("no-line-end.txt"), KEY);
    const ways: [string[], Parameters<typeof mdcx>[1]][] = [
      [["--key-file", at("key.txt")], {}],
      [["--key-file", at("no-line-end.txt")], {}],
      [["--key", "-"], { input: `${KEY}\n` }],
      [["--key", "-"], { input: KEY }],
      [["--key", KEY], {}],
      [[], { env: { MDCX_KEY: KEY } }],
      [[], { env: { MDCX_KEY_FILE: at("key.txt") } }],
    ];
    const runs = await Promise.all(ways.map(([args, options]) => done([...search(byKey), ...args], options)));
    for (const run of runs) {
      expect(JSON.parse(run.stdout)).toMatchObject({ passages: [{ rank: 1 }] });
      expect(run.stdout + run.stderr).not.toContain(KEY.slice(9));
    }
  });

  it("warns that --key VALUE can be seen, and only that", async () => {
    const visible = await done([...search(byKey), "--key", KEY]);
    expect(visible.stderr).toMatch(/^mdcx: warning: .*process list/);
    const hidden = await done([...search(byKey), "--key", "-"], { input: KEY });
    expect(hidden.stderr).toBe("");
  });

  it("may be a passphrase with commas, colons and any script, in any normal form", async () => {
    await Promise.all([
      done(search(byPassphrase), { env: { MDCX_KEY: PASSPHRASE } }),
      done(search(byPassphrase), { env: { MDCX_KEY: PASSPHRASE.normalize("NFD") } }),
      done([...search(byPassphrase), "--key", "-"], { input: `${PASSPHRASE}\n` }),
      done(search(byPassphrase), { env: { MDCX_KEY_FILE: at("passphrase.txt") } }),
    ]);
  });

  it("loses one line end when it comes from a file, and nothing else", async () => {
    await writeFile(at("two-ends.txt"), `${PASSPHRASE}\n\n`);
    await writeFile(at("space.txt"), `${PASSPHRASE} \n`);
    for (const name of ["two-ends.txt", "space.txt"])
      expectSentence(await mdcx(["search", byPassphrase, "tide", "--key-file", at(name)]), /secret|passphrase/i);
  });

  it("is refused when it is wrong, empty, mistyped or missing, each in one sentence and with exit 2", async () => {
    await writeFile(at("empty.txt"), "\n");
    await writeFile(at("two.txt"), `${KEY}\n${OTHER_KEY}\n`);
    await writeFile(at("latin1.txt"), Uint8Array.of(0x70, 0xe4, 0x73, 0x73));
    const mistyped = KEY.slice(0, -1) + (KEY.endsWith("a") ? "b" : "a");
    const plain = ["search", byKey, "tide gauge"];
    const cases: [string, string[], Record<string, string>, RegExp][] = [
      ["wrong key", [], { MDCX_KEY: OTHER_KEY }, /opens|secret|key/i],
      ["wrong passphrase", [], { MDCX_KEY: "not it" }, /passphrase|key/i],
      ["empty variable", [], { MDCX_KEY: "" }, /empty/],
      ["empty file", ["--key-file", at("empty.txt")], {}, /empty/],
      ["empty value", ["--key="], {}, /empty/],
      ["mistyped key", [], { MDCX_KEY: mistyped }, /mistyped/],
      ["short key", [], { MDCX_KEY: "mdcx-key-abc" }, /mistyped/],
      ["capital key", [], { MDCX_KEY: KEY.toUpperCase() }, /mistyped/],
      ["two lines", [], { MDCX_KEY_FILE: at("two.txt") }, /2 lines for one package/],
      ["not UTF-8", ["--key-file", at("latin1.txt")], {}, /not UTF-8/],
      ["no such file", ["--key-file", at("nowhere.txt")], {}, /nowhere\.txt/],
      ["a folder", ["--key-file", folder], {}, /folder/],
      ["none", [], {}, /--key-file FILE/],
    ];
    const runs = await Promise.all(cases.map(([, args, env]) => mdcx([...plain, ...args], { env })));
    for (const [i, run] of runs.entries()) {
      const [name, , , message] = cases[i]!;
      expect(run.code, name).toBe(2);
      expectSentence(run, message);
      for (const secret of [mistyped, OTHER_KEY]) expect(run.stderr).not.toContain(secret.slice(9));
    }
  });

  it("does not open a passphrase slot as a key nor a key slot as a passphrase", async () => {
    expectSentence(await mdcx(search(byPassphrase).slice(0, 3), { env: { MDCX_KEY: KEY } }), /passphrase/);
  });

  it("is warned of when it is a weak passphrase, and is not repeated in the warning", async () => {
    const weak = await done(["pack", HARBOUR, "--target", at("weak.mdcx")], { env: { MDCX_KEY: "abc123" } });
    expect(weak.stderr).toMatch(/^mdcx: warning: the passphrase from MDCX_KEY is weak/m);
    expect(weak.stderr + weak.stdout).not.toContain("abc123");
    const empty = await mdcx(["pack", HARBOUR, "--target", at("none.mdcx")], { env: { MDCX_KEY: "" } });
    expectSentence(empty, /empty/);
  });

  it("may be one of several that are given, and one of several that were packed", async () => {
    await writeFile(at("other.txt"), `${OTHER_KEY}\n`);
    const both = at("both.mdcx");
    await done(["pack", HARBOUR, "--target", both, "--key-file", at("key.txt"), "--key-file", at("other.txt")]);
    for (const key of [KEY, OTHER_KEY]) await done(search(both), { env: { MDCX_KEY: key } });
    // An option for files must not swallow the folder behind it.
    await done(["pack", "--key-file", at("key.txt"), HARBOUR, "--target", at("order.mdcx")]);
  });
});

describe("a slip with the secret", () => {
  const asks = ["search", byKey, "tide gauge"];

  it("is told by the variable or the file that has it", async () => {
    await writeFile(at("keys.txt"), `${KEY}\n${OTHER_KEY}\n\n`);
    const refused = (args: string[], env: Record<string, string>): Promise<Run> => mdcx([...asks, ...args], { env });
    expectSentence(await refused(["--key-file", at("keys.txt")], {}), /holds 2 keys.*set MDCX_KEY_FILE to this one/);
    expectSentence(await refused([], { MDCX_KEY_FILE: at("none.txt") }), /none\.txt: MDCX_KEY_FILE names it/);
    expectSentence(await refused([], { MDCX_KEYFILE: at("keys.txt") }), /encrypted: .*did you mean MDCX_KEY_FILE\?/);
    const two = await mdcx(["search", byKey, byPassphrase, "tide gauge"]);
    expectSentence(two, /and 1 more are encrypted/);
    expectSentence(
      await refused(["--prefer", "old"], { MDCX_KEY: KEY }),
      /--prefer cannot be "old", but one of these: "recent"\./,
    );
  });

  it("is none where a file of keys ends in empty lines, or both variables are set", async () => {
    await writeFile(at("ended.txt"), `${KEY}\n\r\n\n`);
    expect((await done(asks, { env: { MDCX_KEY_FILE: at("ended.txt") } })).stderr).not.toMatch(/warning/);
    const { stderr } = await done(asks, { env: { MDCX_KEY: KEY, MDCX_KEY_FILE: at("none.txt") } });
    expect(stderr).toMatch(/warning: MDCX_KEY and MDCX_KEY_FILE are both set: MDCX_KEY is used/);
  });
});
