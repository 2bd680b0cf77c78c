import { spawn } from "node:child_process";
import { chmod, cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sharedData } from "../shared-data.js";
import { COMMAND, done, environment, expectSentence, mdcx, scratchFolder, type Run } from "./mdcx.js";

const folder = await scratchFolder("convert");
const at = (...names: string[]): string => join(folder, ...names);

const DOCUMENTS: Readonly<Record<string, string>> = {
  "letters/first.txt": "Dear colleague,\n\nthe harbour opens at six and closes at ten.\n",
  "letters/notes.md": "# Notes\n\nThe *second* tide of the day is the higher one.\n",
  "tables/fees.csv": "vessel,fee\ntug,120\nferry,340\n",
  "page.html": "<!doctype html><title>Rules</title><h1>Rules</h1><p>Keep to the <b>right</b> of the channel.</p>",
  "договор.txt": "Стороны договорились о цене.\n",
};

async function input(
  name: string,
  documents: Readonly<Record<string, string | Uint8Array>> = DOCUMENTS,
): Promise<string> {
  for (const [path, content] of Object.entries(documents)) {
    await mkdir(join(at(name), path, ".."), { recursive: true });
    await writeFile(join(at(name), path), content);
  }
  return at(name);
}

async function asJson(
  args: readonly string[],
  options: Parameters<typeof mdcx>[1] = {},
): Promise<Summary & { code: Run["code"] }> {
  const { stdout, stderr, code } = await mdcx([...args, "--json"], options);
  expect(stdout, stderr).toMatch(/^\{/);
  return { ...(JSON.parse(stdout) as Summary), code };
}

interface Summary {
  readonly documents: number;
  readonly by_status: Readonly<Record<string, number>>;
  readonly converted: number;
  readonly reused: number;
  readonly parts_converted: number;
  readonly parts_reused: number;
  readonly words: { readonly coverage: number | null };
  readonly worst: readonly { readonly source: string; readonly status: string; readonly reason: string }[];
  readonly left_out: readonly { readonly path: string; readonly reason: string }[];
  readonly interrupted: boolean;
}

describe("Markdown that was edited by hand", () => {
  it("is set aside and named when its original is converted again", async () => {
    const from = await input("edited", { "a.html": "<p>one two three</p>" });
    await mdcx(["convert", from, "--output", at("edited-out")]);
    await writeFile(at("edited-out", "a.html.md"), "my notes");
    await writeFile(at("edited", "a.html"), "<p>one two three four</p>");
    const { stderr } = await mdcx(["convert", from, "--output", at("edited-out")]);
    expect(stderr).toMatch(/a\.html \(edited\)\.md: what stood in a\.html\.md was changed by hand/);
    expect(await readFile(at("edited-out", "a.html (edited).md"), "utf8")).toBe("my notes");
    expect(await readFile(at("edited-out", "a.html.md"), "utf8")).toContain("four");
  });
});

describe("an output that cannot be made", () => {
  it.skipIf(process.platform !== "linux")("is said at once, where a file system takes no folders", async () => {
    const from = await input("no-folders");
    expectSentence(await mdcx(["convert", from, "--output", "/proc/mdcx/out"]), /Cannot make the folder \/proc\/mdcx/);
  });
});

describe("mdcx convert", () => {
  it("turns a folder of documents into Markdown, says that it is not encrypted, and ends with 0", async () => {
    const from = await input("plain");
    const { stdout, stderr } = await done(["convert", from, "--output", at("out"), "--report", at("report.html")]);
    expect(stderr.match(/not encrypted/g)).toHaveLength(1);
    expect(stdout).toMatch(/Documents +5: 5 ok/);
    expect(stdout).toMatch(/Coverage +100 % of \d+ words; 0 lost/);
    expect(stdout).toContain("INDEX.md");
    const markdown = await readFile(at("out", "letters/first.txt.md"), "utf8");
    expect(markdown).toMatch(
      /^---\n[\s\S]*source: letters\/first\.txt\n[\s\S]*source_sha256: [0-9a-f]{64}\n[\s\S]*status: ok\n/,
    );
    expect(markdown).toContain("the harbour opens at six");
    expect(await readFile(at("out", "page.html.md"), "utf8")).toMatch(/# Rules\n\nKeep to the \*\*right\*\* of/);
    expect(await readFile(at("out", "договор.txt.md"), "utf8")).toContain("Стороны");
    expect(await readFile(at("report.html"), "utf8")).toContain("letters/notes.md");
    const again = await asJson(["convert", from, "--output", at("out")]);
    expect(again).toMatchObject({ code: 0, documents: 5, reused: 5, converted: 0, words: { coverage: 1 } });
  });

  it("ends with 1 where something was found, and names it with its reason", async () => {
    const from = await input("found", {
      ...DOCUMENTS,
      "photo.pdf": Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10),
      "empty.docx": "",
    });
    const run = await mdcx(["convert", from, "--output", at("found-out")]);
    expect(run.code).toBe(1);
    expect(run.stdout).toMatch(/Look at these first\n +refused +empty\.docx\n +.+\n +refused +photo\.pdf\n/);
    expect(run.stdout).toContain("FINDINGS.md");
  });

  it("ends with 2 and one sentence where it cannot be meant", async () => {
    const from = await input("use");
    const run = (...args: string[]): Promise<Run> => mdcx(["convert", ...args]);
    expectSentence(await run(at("nowhere"), "--output", at("o")), /There is no file or folder .*nowhere/);
    expectSentence(await run(from, "--output", from), /is the input/);
    expectSentence(await run(from, "--output", at("o"), "--shard", "4/3"), /--shard needs a part, counted from 1/);
    expectSentence(await run(from, "--output", at("o"), "--timeout", "-1"), /--timeout needs/);
    expectSentence(await run(from, "--output", at("o"), "--workers", "0"), /--workers needs a whole number from 1/);
    expectSentence(await run(from, "--output", at("o"), "--ocr", "../eng"), /--ocr needs auto, off, or languages/);
    expectSentence(await run(from, "--output", at("o"), "--only", "*.odp"), /matches no file/);
    expectSentence(await run(from, "--output", at("o"), "--passwords", at("none")), /There is no file or folder/);
    expectSentence(await run(from), /--output is missing/);
  });

  it("converts one file alone, and only what --only and --limit name", async () => {
    const from = await input("part");
    const one = await asJson(["convert", join(from, "page.html"), "--output", at("one")]);
    expect(one).toMatchObject({ documents: 1, by_status: { ok: 1 } });
    expect(
      (await asJson(["convert", from, "--output", at("some"), "--only", "*.txt", "--only", "tables/**"])).documents,
    ).toBe(3);
    expect((await asJson(["convert", from, "--output", at("few"), "--limit", "2"])).documents).toBe(2);
  });

  it.skipIf(process.getuid?.() !== 0)(
    "reports files and folders that it may not read, and converts the others",
    async () => {
      const from = await input("locked", { ...DOCUMENTS, "secret/a.txt": "a", "closed.txt": "b" });
      await chmod(join(from, "secret"), 0o700);
      await chmod(join(from, "closed.txt"), 0o600);
      await mkdir(at("locked-out"), { mode: 0o777 });
      for (const path of [folder, at("locked-out")]) await chmod(path, 0o777);
      const nobody = { uid: 65_534, gid: 65_534 };
      const summary = await asJson(["convert", from, "--output", at("locked-out")], nobody);
      expect(summary).toMatchObject({ code: 1, by_status: { ok: 5, refused: 1 } });
      expect(summary.worst[0]?.reason).toMatch(/Cannot read closed\.txt: permission is denied/);
      expect(summary.left_out).toMatchObject([
        { path: "secret/", reason: "Cannot read secret: permission is denied." },
      ]);
    },
  );

  it("is interrupted by Ctrl-C without taking a document for broken, and goes on", async () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`${i}.txt`, `Document ${i}.\n`]));
    const from = await input("many", many);
    const args = ["convert", from, "--output", at("many-out"), "--workers", "2", "--json"];
    // In a group of its own, every process of which hears Ctrl-C, as on a terminal.
    const child = spawn(process.execPath, [COMMAND, ...args], {
      env: environment(),
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
    });
    let stdout = "";
    child.stdout.on("data", (part: Buffer) => (stdout += part.toString()));
    const ended = new Promise((resolve) => child.on("close", resolve));
    while ((await readdir(at("many-out")).catch(() => [])).length < 20)
      await new Promise((resolve) => setTimeout(resolve, 20));
    process.kill(-child.pid!, "SIGINT");
    expect(await ended).toBe(130);
    const first = JSON.parse(stdout) as Summary;
    expect(first.interrupted).toBe(true);
    expect(first.by_status.refused).toBe(0);
    expect(first.documents).toBeGreaterThan(10);
    expect(first.documents).toBeLessThan(500);
    const second = await asJson(["convert", from, "--output", at("many-out"), "--workers", "2"]);
    expect(second).toMatchObject({ code: 0, documents: 500, reused: first.documents });
  });
});

const real = sharedData !== undefined && process.env.MDCX_LONG === "1" ? sharedData : undefined;

describe.skipIf(real === undefined)(
  "a folder of 1,000 mixed documents, one in ten broken (MDCX_LONG and the shared data)",
  () => {
    it("is converted to the end, every broken one reported", async () => {
      const good = await filesOf(join(real!, "convert"), [
        "csv",
        "docx",
        "epub",
        "html",
        "md",
        "pdf",
        "pptx",
        "txt",
        "xlsx",
      ]);
      const broken = await filesOf(join(real!, "hostile"), await readdir(join(real!, "hostile")));
      const from = at("thousand");
      await mkdir(from);
      for (let i = 0; i < 1000; i++) {
        const list = i % 10 === 9 ? broken : good;
        const file = list[Math.floor(i / (i % 10 === 9 ? 10 : 1)) % list.length]!;
        const name = `${String(i).padStart(4, "0")} ${file.slice(file.lastIndexOf("/") + 1)}`;
        await mkdir(join(from, `${i % 20}`), { recursive: true });
        await cp(file, join(from, `${i % 20}`, name));
      }
      const summary = await asJson([
        "convert",
        from,
        "--output",
        at("thousand-out"),
        "--workers",
        "2",
        "--timeout",
        "60",
        "--ocr",
        "off",
      ]);
      console.log(JSON.stringify({ ...summary, left_out: summary.left_out.length }));
      expect(summary.documents).toBe(1000);
      expect([0, 1]).toContain(summary.code);
      const reasons = await readFile(at("thousand-out", "FINDINGS.md"), "utf8");
      expect(reasons).not.toMatch(/please report it/);
    }, 3_600_000);
  },
);

describe.skipIf(real === undefined)("a manual of hundreds of pages (MDCX_LONG and the shared data)", () => {
  it("that is killed after its first chapters goes on with the others, and becomes one document", async () => {
    const manual = join(real!, "documents/debian-reference-en/debian-reference/debian-reference.en.pdf");
    const parts = async (): Promise<string[]> =>
      (await readdir(at("manual-out/.mdcx-parts"), { recursive: true }).catch((): string[] => [])).filter((name) =>
        name.endsWith(".json"),
      );
    const args = ["convert", manual, "--output", at("manual-out"), "--workers", "2"];
    const child = spawn(process.execPath, [COMMAND, ...args], { env: environment(), stdio: "ignore" });
    const ended = new Promise((resolve) => child.on("close", resolve));
    while ((await parts()).length < 3) await new Promise((resolve) => setTimeout(resolve, 50));
    child.kill("SIGKILL");
    await ended;
    const there = (await parts()).length;
    const summary = await asJson(args);
    expect(summary.parts_reused).toBe(there);
    expect(summary.parts_converted).toBe(12 - there);
    const markdown = await readFile(at("manual-out", "debian-reference.en.pdf.md"), "utf8");
    const pages = [...markdown.matchAll(/^<!-- mdcx:page (\d+)(?: ocr)? -->$/gm)].map(([, page]) => Number(page));
    expect(pages).toEqual([...pages].sort((a, b) => a - b));
    expect(new Set(pages).size).toBeGreaterThan(250);
    expect(await parts()).toEqual([]);
  }, 1_200_000);
});

async function filesOf(root: string, folders: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const name of folders)
    for (const entry of await readdir(join(root, name), { withFileTypes: true }).catch(() => []))
      if (entry.isFile()) files.push(join(root, name, entry.name));
  return files.sort();
}
