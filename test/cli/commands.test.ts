import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { done, expectSentence, HARBOUR, KEY, mdcx, OTHER_KEY, parsed, scratchFolder, withKey } from "./mdcx.js";

const { version } = createRequire(import.meta.url)("../../package.json") as { version: string };
const folder = await scratchFolder("commands");
const at = (...names: string[]): string => join(folder, ...names);
const signed = at("signed.mdcx");
const unsigned = at("unsigned.mdcx");

beforeAll(async () => {
  await done(["keygen", "--issuer", "office"], { cwd: folder });
  await done(["keygen", "--issuer", "stranger"], { cwd: folder });
  await writeFile(at("key.txt"), KEY);
  await writeFile(at("other.txt"), OTHER_KEY);
  const common = ["--issuer", "The harbour office", "--title", "Handbook", "--key-file", at("key.txt")];
  const { stderr } = await done(["pack", HARBOUR, "--target", signed, ...common, "--signing-key", at("office.key")]);
  expect(stderr).toMatch(/the title is public/);
  await done(["pack", HARBOUR, "--target", unsigned, ...common]);
});

describe("every command", () => {
  it("has a help with an example, and the whole has a version", async () => {
    const commands = [
      "convert",
      "pack",
      "search",
      "document",
      "info",
      "verify",
      "export",
      "keygen",
      "rekey",
      "trust",
      "model",
      "serve",
    ];
    const helps = await Promise.all(commands.map((name) => done([name, "--help"])));
    for (const [i, { stdout, stderr }] of helps.entries()) {
      expect(stdout).toContain(`mdcx ${commands[i]!}`);
      expect(stdout, commands[i]).toMatch(/Examples:\n +mdcx /);
      expect(stderr).toBe("");
    }
    const { stdout } = await done(["--help"]);
    for (const name of commands) expect(stdout).toContain(`mdcx ${name}`);
    expect((await done(["--version"])).stdout).toBe(`${version}\n`);
    expect((await done(["search", "--version"])).stdout).toBe(`${version}\n`);
  });
});

describe("keygen", () => {
  it("writes a private key for its owner alone and a public one, both PEM, and never over a file", async () => {
    expect((await stat(at("office.key"))).mode & 0o777).toBe(0o600);
    expect(await readFile(at("office.key"), "utf8")).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
    expect(await readFile(at("office.pub"), "utf8")).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
    const before = await readFile(at("office.key"));
    expectSentence(await mdcx(["keygen", "--issuer", "office"], { cwd: folder }), /office\.key exists already/);
    expect(Buffer.compare(await readFile(at("office.key")), before)).toBe(0);
    // Only the public half is there: the private one must not be left alone beside it.
    await writeFile(at("half.pub"), "x");
    expectSentence(await mdcx(["keygen", "--issuer", "half"], { cwd: folder }), /half\.pub exists already/);
    expect(await readdir(folder)).not.toContain("half.key");
  });

  it("prints a new key for packages each time", async () => {
    const [a, b] = await Promise.all([done(["keygen", "--package"]), done(["keygen", "--package", "--json"])]);
    const { key } = JSON.parse(b.stdout) as { key: string };
    expect(a.stdout).toMatch(/^mdcx-key-[a-z2-7]{56}\n$/);
    expect(key).toMatch(/^mdcx-key-[a-z2-7]{56}$/);
    expect(a.stdout.trim()).not.toBe(key);
  });

  it("makes no private key that a package would hold", async () => {
    const key = (await readFile(at("office.key"), "latin1")).split("\n")[1]!;
    const raw = Buffer.from(key, "base64").subarray(16);
    const file = await readFile(signed);
    expect(file.includes(raw)).toBe(false);
    expect(file.includes(raw.toString("hex"))).toBe(false);
  });
});

describe("verify", () => {
  it("ends with 0 for a package in order, and says what that proves", async () => {
    const runs = await Promise.all([
      mdcx(["verify", signed]),
      mdcx(["verify", unsigned]),
      mdcx(["verify", signed, "--issuer-key", at("office.pub")]),
      mdcx(["verify", signed, "--key-file", at("key.txt"), "--json"]),
    ]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(runs[0].stdout).toMatch(/proves no person/);
    expect(runs[1].stdout).toMatch(/unsigned: agrees with itself only/);
    expect(runs[1].stdout).toMatch(/not signed: anyone can write this name/);
    expect(runs[2].stdout).toMatch(/signed by the pinned issuer/);
    expect(JSON.parse(runs[3].stdout)).toMatchObject({ ok: true, opened: true, signature: "signed-by-named-key" });
  });

  it("ends with 1 for a damaged file and for another issuer's, with 2 for wrong use and a wrong secret", async () => {
    const damaged = await readFile(signed);
    damaged[damaged.length - 20_000]! ^= 1;
    await writeFile(at("damaged.mdcx"), damaged);
    const stranger = ["--issuer-key", at("stranger.pub")];
    const [broken, other, none, use, secret, missing, asJson] = await Promise.all([
      mdcx(["verify", at("damaged.mdcx")]),
      mdcx(["verify", signed, ...stranger]),
      mdcx(["verify", unsigned, ...stranger]),
      mdcx(["verify", signed, "--issuer-key", "12ab"]),
      mdcx(["verify", signed, "--key-file", at("other.txt")]),
      mdcx(["verify", at("nowhere.mdcx")]),
      mdcx(["verify", signed, ...stranger, "--json"]),
    ]);
    expect([broken.code, other.code, none.code, asJson.code]).toEqual([1, 1, 1, 1]);
    expect(broken.stdout).toMatch(/^✗ .*damaged/);
    expect(other.stdout).toMatch(/^✗ /);
    expect(JSON.parse(asJson.stdout)).toMatchObject({ ok: false, error: { code: "wrong-issuer" } });
    expect([use.code, secret.code, missing.code]).toEqual([2, 2, 2]);
  });
});

describe("a pinned issuer", () => {
  it("is insisted on by every command that reads", async () => {
    const pin = ["--issuer-key", at("stranger.pub")];
    const commands = [
      ["info", signed],
      ["search", signed, "tide"],
      ["document", signed, "@/start-here.md"],
      ["export", signed, "--target", at("never")],
      ["rekey", signed, "--remove", "0"],
    ];
    const runs = await Promise.all(commands.map((args) => mdcx([...args, ...pin], { env: { MDCX_KEY: KEY } })));
    for (const run of runs) expectSentence(run, /issuer|signed/);
    await withKey(["search", signed, "tide", "--issuer-key", at("office.pub")]);
  });

  it("is known by the name under which it is trusted, and unproven text before", async () => {
    const env = { MDCX_CONFIG: at("config") };
    const issuer = async (): Promise<string> =>
      /Issuer +(.*(?:\n {10,}.*)*)/.exec((await done(["info", signed], { env })).stdout)![1]!;
    expect((await issuer()).replace(/\s+/g, " ")).toBe(
      "The harbour office (signed by the key it names, which proves no person)",
    );
    expect((await done(["trust", "list"], { env })).stdout).toMatch(/No issuer is trusted yet/);
    await done(["trust", "add", at("office.pub"), "--name", "Office"], { env });
    expect((await issuer()).replace(/\s+/g, " ")).toBe(
      'The harbour office (signed by the key that you trust as "Office")',
    );
    const listed = JSON.parse((await done(["trust", "list", "--json"], { env })).stdout) as {
      issuers: { name: string }[];
    };
    expect(listed.issuers.map(({ name }) => name)).toEqual(["Office"]);
    expectSentence(await mdcx(["trust", "add", at("office.pub"), "--name", "Again"], { env }), /trusted already/);
    expectSentence(await mdcx(["trust", "add", at("office.key"), "--name", "Oops"], { env }), /private key/);
    await done(["trust", "remove", "Office"], { env });
    expectSentence(await mdcx(["trust", "remove", "Office"], { env }), /No issuer is trusted as "Office"/);
    expect((await issuer()).replace(/\s+/g, " ")).toMatch(/proves no person/);
  });
});

describe("rekey", () => {
  it("adds and removes secrets, keeps the image byte for byte, and ends the use of a removed one", async () => {
    const file = at("rekeyed.mdcx");
    await writeFile(file, await readFile(signed));
    await done([
      "rekey",
      file,
      "--key-file",
      at("key.txt"),
      "--add",
      "--new-key-file",
      at("other.txt"),
      "--label",
      "Night watch",
    ]);
    const info = await done(["info", file]);
    expect(info.stdout).toMatch(/0: a key, 1: a key \(Night watch\)/);
    const removed = await done(["rekey", file, "--key-file", at("other.txt"), "--remove", "0"]);
    expect(removed.stderr).toMatch(/only --reseal ends access/);
    expectSentence(await mdcx(["search", file, "tide"], { env: { MDCX_KEY: KEY } }), /secret|key/);
    await done(["search", file, "tide"], { env: { MDCX_KEY: OTHER_KEY } });
    await done(["verify", file, "--issuer-key", at("office.pub"), "--key-file", at("other.txt")]);
    const sealed = (bytes: Buffer): Buffer => bytes.subarray(-200_000);
    expect(Buffer.compare(sealed(await readFile(file)), sealed(await readFile(signed)))).toBe(0);
    expectSentence(await mdcx(["rekey", file, "--key-file", at("other.txt"), "--remove", "0"]), /no slot that opens/);
  });

  it("seals anew only with the issuer's key, names whom it drops, and shares nothing with the old file", async () => {
    const file = at("resealed.mdcx");
    await writeFile(file, await readFile(signed));
    await done([
      "rekey",
      file,
      "--key-file",
      at("key.txt"),
      "--add",
      "--new-key-file",
      at("other.txt"),
      "--label",
      "Night watch",
    ]);
    const before = await readFile(file);
    const reseal = ["rekey", file, "--key-file", at("key.txt"), "--reseal"];
    expect((await mdcx([...reseal, "--yes"])).code).toBe(2);
    expect((await mdcx([...reseal, "--yes", "--signing-key", at("stranger.key")])).code).toBe(2);
    const asked = await mdcx([...reseal, "--signing-key", at("office.key")]);
    expect(asked.code).toBe(2);
    expect(asked.stderr).toMatch(/Dropped for good.*Night watch/);
    expect(Buffer.compare(await readFile(file), before)).toBe(0);
    await done([...reseal, "--yes", "--signing-key", at("office.key")]);
    expect(await parsed(["info", file])).toMatchObject({ revision: 2, slots: [{ type: "key" }] });
    await done(["verify", file, "--issuer-key", at("office.pub"), "--key-file", at("key.txt")]);
    expectSentence(await mdcx(["search", file, "tide"], { env: { MDCX_KEY: OTHER_KEY } }), /secret|key/);
    const after = await readFile(file);
    expect(after.subarray(-1000).includes(before.subarray(-32))).toBe(false);
  });
});

describe("what commands print", () => {
  it("answers a question that begins like an option", async () => {
    const reply = await parsed(["search", signed, "-40 degrees at the gauge?"]);
    expect((reply.passages as unknown[]).length).toBeGreaterThan(0);
  });

  it("for programs is JSON with the field names of the server", async () => {
    const reply = await parsed(["search", signed, "tide gauge", "--limit", "2", "--in", "measuring/**"]);
    expect(Object.keys(reply).sort()).toEqual(["found", "passages", "query", "unknown_terms"]);
    const [hit] = reply.passages as Record<string, unknown>[];
    expect(hit).toMatchObject({
      rank: 1,
      id: expect.stringMatching(/^[0-9a-f]{8}\/[0-9a-f]{16}\/\d+$/) as string,
      package: "Handbook",
      document: "Calibrating the tide gauge",
      path: expect.stringMatching(/^@\/measuring\//) as string,
      found_by: ["word"],
      text: expect.any(String) as string,
    });
    expect(await parsed(["document", signed, "start-here.md"])).toMatchObject({ document: "@/start-here.md" });
    expect(await parsed(["document", signed, String(hit!.id)])).toMatchObject({ text: hit!.text });
    const info = await parsed(["info", signed, "--documents"]);
    expect(info).toMatchObject({
      file_format: "mdcx",
      version: 2,
      title: "Handbook",
      signature: "signed-by-named-key",
    });
    expect(info.list).toHaveLength(24);
  });

  it("of a document is the document, byte for byte", async () => {
    const { stdout } = await withKey(["document", signed, "@/safety/قواعد-السلامة-على-الرصيف.md"]);
    expect(stdout).toBe(await readFile(join(HARBOUR, "safety", "قواعد-السلامة-على-الرصيف.md"), "utf8"));
  });

  it("of a search without an answer is a hint, and exit 0", async () => {
    const { stdout } = await withKey(["search", signed, "qqqqqq zzzzzz"]);
    expect(stdout).toMatch(/^No passage holds a word of the question/);
  });

  it("of info needs no key and reads like a label", async () => {
    const { stdout, stderr } = await done(["info", signed]);
    expect(stderr).toBe("");
    for (const line of [
      /^Handbook\n/,
      /Documents +23 documents and 1 attachment/,
      /Dated +20 of 24 dated, 2019/,
      /Opens with +0: a key/,
    ])
      expect(stdout).toMatch(line);
    expect(stdout).not.toMatch(/tide|start-here/);
  });

  it("of export gives the folder back", async () => {
    const target = at("deep", "er", "export");
    expect(await parsed(["export", signed, "--target", target])).toMatchObject({ documents: 24 });
    const names = async (root: string): Promise<string[]> =>
      (await readdir(root, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
        .sort();
    expect(await names(target)).toEqual(await names(HARBOUR));
    for (const name of await names(HARBOUR))
      expect(Buffer.compare(await readFile(join(target, name)), await readFile(join(HARBOUR, name))), name).toBe(0);
  });

  it("of pack names what is left out and the document that holds most", async () => {
    await mkdir(at("mixed", ".hidden"), { recursive: true });
    await writeFile(
      at("mixed", "big.md"),
      Array.from({ length: 400 }, (_, i) => `# H${i}\n\n${"word ".repeat(80)}\n`).join("\n"),
    );
    await writeFile(at("mixed", "small.md"), "small\n");
    await writeFile(at("mixed", "other.md"), "other\n");
    await writeFile(at("mixed", "secret.txt"), KEY);
    await writeFile(at("mixed", "image.png"), "png");
    await writeFile(at("mixed", "back\\slash.md"), "a name that is a path on Windows");
    await writeFile(at("mixed", ".hidden", "x.md"), "x");
    const { stderr } = await done([
      "pack",
      at("mixed"),
      "--target",
      at("mixed.mdcx"),
      "--key-file",
      at("mixed", "secret.txt"),
    ]);
    expect(stderr).toMatch(/@\/secret\.txt: it holds a secret of this package/);
    expect(stderr).toMatch(/@\/image\.png: The file/);
    expect(stderr).toMatch(/@\/\.hidden: hidden/);
    expect(stderr).toMatch(/@\/back\\slash\.md: .*Windows/);
    expect(stderr).toMatch(/@\/big\.md holds \d+ % of all passages/);
  });
});
