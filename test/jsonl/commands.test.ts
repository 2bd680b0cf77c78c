import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { done, KEY, mdcx, scratchFolder } from "../cli/mdcx.js";

const folder = await scratchFolder("jsonl");
const at = (...names: string[]): string => join(folder, ...names);
const withKey = { env: { MDCX_KEY: KEY } };
const TOKEN = `ghp_${"aB3dE6gH9k".repeat(4).slice(0, 36)}`;

const RECORDS = [
  { name: "lease.md", folder: "received", date: "2021-03", text: "# Lease\n\nThe boathouse is let until March." },
  { name: "reply.md", folder: "sent", text: `We pay when the tide allows it.\n\n${TOKEN}\n` },
  { pseudopath: "attached.md", indexed: false, text: "The hidden ferry.\n" },
];
const OVERVIEWS = [
  { document: "@/received/lease.md", text: "A contract with the rowing club." },
  { document: "@/elsewhere.md", text: "Of nothing." },
];

beforeAll(async () => {
  const lines = RECORDS.map((one) => JSON.stringify(one));
  await writeFile(at("records.jsonl"), [lines[0], "{cut", ...lines.slice(1)].join("\n"));
  await writeFile(at("overviews.jsonl"), OVERVIEWS.map((one) => JSON.stringify(one)).join("\n"));
});

describe("mdcx pack of a JSON Lines file", () => {
  const target = at("records.mdcx");
  const pack = [
    "pack",
    at("records.jsonl"),
    "--target",
    target,
    "--overviews",
    at("overviews.jsonl"),
    "--warn-secrets",
  ];

  it("packs its documents, names unreadable lines and what looks like a secret, and writes the package alone", async () => {
    const before = await readdir(folder);
    const { stdout } = await done([...pack, "--json"], withKey);
    const summary = JSON.parse(stdout) as { left_out: { document: string }[] };
    expect(summary).toMatchObject({
      documents: 2,
      attachments: 1,
      overviews: 1,
      dated: { count: 1, from: "2021-03" },
      directions: { received: 1, sent: 1 },
      secrets: [{ document: "@/sent/reply.md", line: 3, kind: "GitHub token" }],
      left_out: [
        { document: "line 2", reason: "it is not JSON" },
        { document: "overview on line 2", reason: "there is no document @/elsewhere.md that can be found" },
      ],
    });
    expect((await readdir(folder)).sort()).toEqual([...before, "records.mdcx"].sort());
    expect(await readFile(target)).not.toContain("boathouse");
  });

  it("warns of fields that no record has, ten at most, and lists all for programs", async () => {
    const odd = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`q${i}`, i]));
    await writeFile(at("odd.jsonl"), JSON.stringify({ name: "a.md", text: "Ferry.", foldr: "sent", ...odd }));
    const run = ["pack", at("odd.jsonl"), "--target", at("odd.mdcx")];
    const { stderr } = await done(run, withKey);
    expect(stderr).toContain(
      '"foldr" is no field of records (1 line, first on line 1) and was passed over: folder is one.',
    );
    expect(stderr.match(/is no field of records/g)).toHaveLength(10);
    expect(stderr).toContain("and 2 more fields; --json names them all");
    const { stdout } = await done([...run, "--json"], withKey);
    expect((JSON.parse(stdout) as { unknown_keys: object[] }).unknown_keys).toHaveLength(12);
    await rm(at("odd.jsonl"));
    await rm(at("odd.mdcx"));
  });

  it("warns of fields that no overview has", async () => {
    await writeFile(at("one.jsonl"), JSON.stringify({ name: "a.md", text: "Ferry." }));
    await writeFile(
      at("odd.jsonl"),
      JSON.stringify({ document: "a.md", text: "Of a ferry.", documnt: "b.md", by: "me" }),
    );
    const run = ["pack", at("one.jsonl"), "--target", at("odd.mdcx"), "--overviews", at("odd.jsonl")];
    const { stderr } = await done(run, withKey);
    expect(stderr).toContain(
      '"documnt" is no field of overviews (1 line, first on line 1) and was passed over: document is one.',
    );
    const { stdout } = await done([...run, "--json"], withKey);
    expect((JSON.parse(stdout) as { unknown_keys: object[] }).unknown_keys).toEqual([
      { key: "documnt", of: "overviews", records: 1, firstLine: 1, nearest: "document" },
      { key: "by", of: "overviews", records: 1, firstLine: 1 },
    ]);
    for (const name of ["one.jsonl", "odd.jsonl", "odd.mdcx"]) await rm(at(name));
  });

  it("says the same to a person, and never the secret itself", async () => {
    const { stdout, stderr } = await done(pack, withKey);
    expect(stdout).toMatch(/Passages +\d+ and 1 overview written elsewhere/);
    expect(stderr).toContain("line 2: it is not JSON");
    expect(stderr).toMatch(/1 place in the documents looks like a secret[^]*@\/sent\/reply\.md, line 3: GitHub token/);
    expect(stdout + stderr).not.toContain(TOKEN.slice(4, 12));
  });

  it("finds what overviews say, cites them as such, and exports without them", async () => {
    const { stdout } = await done(["search", target, "rowing club", "--json"], withKey);
    const { passages } = JSON.parse(stdout) as { passages: { kind: string; path: string }[] };
    expect(passages[0]).toMatchObject({ kind: "overview", path: "@/received/lease.md" });
    expect((await done(["search", target, "rowing club"], withKey)).stdout).toContain("an overview of it");
    expect((await done(["info", target, "--key", KEY])).stdout).toMatch(/Overviews +1 of the passages/);
    expect((await done(["verify", target], withKey)).stdout).toContain("is whole");
    await mkdir(at("out"));
    await done(["export", target, "--target", at("out")], withKey);
    for (const { folder: below = "", name = "attached.md", text } of RECORDS)
      expect(await readFile(at("out", below, name), "utf8")).toBe(text);
  });

  it("refuses a file that is none, a folder's overviews without a folder, and a lone file that is no .jsonl", async () => {
    await writeFile(at("no.jsonl"), "# Markdown\n");
    for (const [args, why] of [
      [[at("no.jsonl")], /No line of .*no\.jsonl is a record of a document \(line 1: it is not JSON\)/],
      [[at("absent.jsonl")], /There is no file or folder .*absent\.jsonl/],
      [[at("records.jsonl"), "--overviews", at("absent.jsonl")], /There is no file or folder .*absent\.jsonl/],
      [
        ["--reuse", target, "--without", "sent", "--overviews", at("overviews.jsonl")],
        /--overviews goes with documents/,
      ],
      [["--reuse", target, "--without", "sent", "--warn-secrets"], /--warn-secrets goes with documents/],
    ] as const) {
      const { code, stderr } = await mdcx(["pack", ...args, "--target", at("refused.mdcx")], withKey);
      expect(code, args.join(" ")).toBe(2);
      expect(stderr).toMatch(why);
    }
    expect(await readdir(folder)).not.toContain("refused.mdcx");
  });
});
