import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { openPackage } from "../../src/index.js";
import { KEY, mdcx, OTHER_KEY, scratchFolder, type Run } from "./mdcx.js";

const STOP_AT = fileURLToPath(new URL("stop-at.mjs", import.meta.url));
const folder = await scratchFolder("enrich");
const at = (...names: string[]): string => join(folder, ...names);
const key = ["--key-file", at("key.txt")];

beforeAll(async () => {
  await mkdir(at("documents"));
  await writeFile(at("documents", "kran.md"), "# Der Kran\n\nDer Kran hebt acht Tonnen und wird im Mai geprüft.\n");
  await writeFile(at("documents", "fees.md"), "# Fees\n\nA ketch pays fourteen euros a night, a sloop nine.\n");
  await writeFile(at("key.txt"), KEY);
  await writeFile(at("other.txt"), OTHER_KEY);
  await run(["pack", at("documents"), "--target", at("words.mdcx"), ...key]);
  await run(["pack", at("documents"), "--target", at("signed.mdcx"), ...key, ...(await issuer())]);
});

async function issuer(): Promise<string[]> {
  await run(["keygen", "--issuer", at("issuer")]);
  return ["--issuer", "Harbour office", "--signing-key", at("issuer.key")];
}

async function run(args: string[]): Promise<Run> {
  const done = await mdcx(args, { cwd: folder });
  expect(done.code, done.stderr).toBe(0);
  return done;
}

async function infoOf(file: string): Promise<Record<string, unknown>> {
  return JSON.parse((await run(["info", file, "--json"])).stdout) as Record<string, unknown>;
}

describe("mdcx enrich and mdcx calibrate", () => {
  it("give a package meaning without its folder, and then another line from where it answers", async () => {
    const file = at("a.mdcx");
    await copyFile(at("words.mdcx"), file);
    const enriched = JSON.parse((await run(["enrich", file, ...key, "--json"])).stdout) as Record<string, unknown>;
    expect(enriched).toMatchObject({ revision: 2, kept: 1, dropped: 0, meaning: { encoded: 2, reused: 0 } });
    const reply = JSON.parse((await run(["search", file, "¿Cuándo se revisa la grúa?", ...key, "--json"])).stdout) as {
      passages: { path: string }[];
    };
    expect(reply.passages[0]?.path).toBe("@/kran.md");
    const question = "What does a ketch pay?";
    const calibrated = await run(["calibrate", file, "--question", question, ...key]);
    expect(calibrated.stdout).toContain("is calibrated by 1 question, as revision 3");
    expect(calibrated.stdout).toContain(question);
    expect(await infoOf(file)).toMatchObject({ revision: 3, answerable_at: { origin: "focus-after" } });
    expect((await readFile(file)).includes("ketch")).toBe(false);
    expect((await readdir(folder)).filter((name) => name.startsWith("."))).toEqual([]);
  });

  it("refuse in one sentence what they cannot do, and change nothing", async () => {
    for (const [args, sentence] of [
      [["calibrate", at("words.mdcx"), "--question", "Which?", ...key], /no vectors.*mdcx enrich.*--meaning/],
      [["calibrate", at("words.mdcx"), ...key], /--question is missing/],
      [["enrich", at("signed.mdcx"), ...key], /signing key/],
      [["enrich", at("words.mdcx"), "--key-file", at("other.txt")], /does not open/],
    ] as const) {
      const before = await readFile(args[1]);
      const done = await mdcx([...args], { cwd: folder });
      expect(done.code).not.toBe(0);
      expect(done.stderr.trim()).toMatch(sentence);
      expect(done.stderr.trim().split("\n")).toHaveLength(1);
      expect(await readFile(args[1])).toEqual(before);
    }
  });
});

describe("a run of pack that is killed outright while it encodes", () => {
  const MARKER = "betrayal";
  const COUNT = 150;

  it("goes on where it was, with nothing plain left beside the target", async () => {
    await mkdir(at("many"));
    for (let i = 0; i < COUNT; i++)
      await writeFile(at("many", `d${i}.md`), `# ${MARKER} ${i}\n\nBerth ${i} lies at pier ${i * 7}.\n`);
    const target = at("many.mdcx");
    const args = ["pack", at("many"), "--target", target, "--meaning", ...key, "--json"];
    // Writes to new files: the slots, the beginning of the run, then a batch of 64 vectors each.
    const killed = await mdcx(args, {
      node: ["--import", STOP_AT],
      env: { MDCX_TEST_STOP_AT: "write 4", MDCX_TEST_SIGNAL: "SIGKILL" },
    });
    expect(killed.signal).toBe("SIGKILL");
    const left = (await readdir(folder)).filter((name) => name.includes("many.mdcx"));
    expect(left.filter((name) => name.endsWith(".vectors"))).toEqual([`.${basename(target)}.vectors`]);
    expect(left).not.toContain(basename(target));
    const files = await Promise.all(left.map((name) => readFile(at(name))));

    const resumed = JSON.parse((await run(args)).stdout) as { meaning: Record<string, number> };
    // Two of the three batches were written; which ones came first is the threads' business.
    const { encoded, reused } = resumed.meaning;
    expect([64 + 22, 128]).toContain(reused);
    expect(encoded! + reused!).toBe(COUNT);
    expect((await readdir(folder)).filter((name) => name.endsWith(".vectors"))).toEqual([]);

    const pkg = await openPackage(target, { secret: KEY });
    const { vectors } = pkg.meaning;
    expect(vectors?.passages).toBe(COUNT);
    for (const bytes of [...files, await readFile(target)]) {
      expect(bytes.includes(MARKER)).toBe(false);
      for (let row = 0; row < COUNT; row++)
        expect(bytes.includes(Buffer.from(vectors!.halves(row)).subarray(0, 12))).toBe(false);
    }
    await pkg.close();
  });
});
