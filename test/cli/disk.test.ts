import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { HARBOUR, KEY, mdcx, OTHER_KEY, scratchFolder } from "./mdcx.js";

const TRACE = fileURLToPath(new URL("trace-writes.mjs", import.meta.url));
const STOP_AT = fileURLToPath(new URL("stop-at.mjs", import.meta.url));
/** Stands in a document, in its title and in its name: in the clear it may stand nowhere on the disk. */
const MARKER = "a-sentence-that-betrays-the-plaintext";

const folder = await scratchFolder("disk");
const at = (...names: string[]): string => join(folder, ...names);

beforeAll(async () => {
  await mkdir(at("documents"));
  await mkdir(at("run"));
  await writeFile(at("documents", `${MARKER}.md`), `# ${MARKER}\n\n${`${MARKER}. `.repeat(50)}\n`);
  for (let i = 0; i < 12; i++) await writeFile(at("documents", `d${i}.md`), `# Document ${i}\n\n${words(4000, i)}\n`);
  await writeFile(at("key.txt"), KEY);
  await writeFile(at("other.txt"), OTHER_KEY);
});

function words(count: number, seed: number): string {
  return Array.from({ length: count }, (_, i) => `w${((i + 1) * (seed + 7) * 7919) % 20_011}`).join(" ");
}

/** What a process opened for writing, made, renamed or copied; the paths below `run` by name, others whole. */
async function traced(args: string[]): Promise<string[]> {
  const log = at("trace.log");
  await rm(log, { force: true });
  const run = await mdcx(args, {
    node: ["--import", TRACE],
    cwd: at("run"),
    env: { MDCX_TEST_TRACE: log, TMPDIR: at("run") },
  });
  expect(run, run.stderr).toMatchObject({ code: 0 });
  const lines = (await readFile(log, "utf8")).trim().split("\n");
  expect(lines, "the trace works").toContain("start");
  return lines.filter((line) => line !== "start");
}

/** Every file below a folder, with what is in it. */
async function filesBelow(root: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(relative(root, path), await readFile(path));
  }
  return files;
}

describe("no plaintext touches the disk", () => {
  const target = at("run", "a.mdcx");
  const temporary = /^\.a\.mdcx\.[0-9a-f]{16}\.tmp$/;

  it("pack, rekey and reseal write one temporary file beside the target, sealed, and rename it", async () => {
    const key = ["--key-file", at("key.txt")];
    for (const args of [
      ["pack", at("documents"), "--target", target, ...key],
      ["rekey", target, ...key, "--add", "--new-key-file", at("other.txt")],
      ["rekey", target, ...key, "--reseal", "--yes"],
    ]) {
      const calls = (await traced(args)).map((line) => line.split("\t"));
      expect(calls.map(([call]) => call)).toEqual(["open", "rename"]);
      const [[, opened, flags], [, from, to]] = calls as [string[], string[]];
      expect(dirname(opened!)).toBe(dirname(target));
      expect(basename(opened!)).toMatch(temporary);
      expect(flags).toBe("wx 600");
      expect([from, to]).toEqual([opened, target]);
      const files = await filesBelow(at("run"));
      expect([...files.keys()]).toEqual(["a.mdcx"]);
      for (const [name, bytes] of files) expect(bytes.includes(MARKER), name).toBe(false);
    }
  });

  it("search, info, verify and document write nothing", async () => {
    const key = ["--key-file", at("key.txt")];
    for (const args of [
      ["search", target, MARKER, ...key],
      ["info", target, "--documents", ...key],
      ["verify", target, ...key],
      ["document", target, `@/${MARKER}.md`, ...key],
    ])
      expect(await traced(args), args[0]).toEqual([]);
  });

  it("export writes its documents and nothing else", async () => {
    const out = at("run", "out");
    const calls = (await traced(["export", target, "--target", out, "--key-file", at("key.txt")])).map((line) =>
      line.split("\t"),
    );
    const opened = calls.filter(([call]) => call === "open").map(([, path]) => relative(out, path!));
    expect(opened.sort()).toEqual((await readdir(at("documents"))).sort());
    expect(calls.filter(([call]) => call !== "open" && call !== "mkdir")).toEqual([]);
    await rm(out, { recursive: true });
  });
});

describe("a pack that is stopped", () => {
  const target = at("stopped", "a.mdcx");
  let before: Buffer;

  beforeAll(async () => {
    await mkdir(at("stopped"));
    await mdcx(["pack", HARBOUR, "--target", target, "--key-file", at("key.txt")]);
    before = await readFile(target);
  });

  async function stopped(signal: NodeJS.Signals, stopAt: string): Promise<void> {
    const run = await mdcx(["pack", at("documents"), "--target", target, "--key-file", at("key.txt")], {
      node: ["--import", STOP_AT],
      env: { MDCX_TEST_STOP_AT: stopAt, MDCX_TEST_SIGNAL: signal },
    });
    expect(run, stopAt).toMatchObject({ code: null, signal });
    expect(Buffer.compare(await readFile(target), before), stopAt).toBe(0);
  }

  it("by SIGKILL at any moment leaves the old target, and beside it at most a sealed temporary file", async () => {
    for (const moment of ["write 0", "write 2", "sync 0", "rename 0"]) {
      await stopped("SIGKILL", moment);
      for (const [name, bytes] of await filesBelow(at("stopped"))) {
        if (name === "a.mdcx") continue;
        expect(name).toMatch(/^\.a\.mdcx\.[0-9a-f]{16}\.tmp$/);
        expect(bytes.includes(MARKER)).toBe(false);
        await rm(at("stopped", name));
      }
    }
  });

  it("by SIGTERM or SIGINT leaves no temporary file either", async () => {
    for (const [signal, moment] of [
      ["SIGTERM", "write 0"],
      ["SIGTERM", "sync 0"],
      ["SIGINT", "write 2"],
    ] as const) {
      await stopped(signal, moment);
      expect(await readdir(at("stopped"))).toEqual(["a.mdcx"]);
    }
  });
});
