import { createHash } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { HttpSource } from "../../src/format/http-source.js";
import { openPackage, verifyPackage, type Package } from "../../src/index.js";
import { NodeTransport } from "../../src/node/http-transport.js";
import { SealedCache } from "../../src/node/sealed-cache.js";
import { KEY as PRINTED_KEY, mdcx } from "../cli/mdcx.js";
import { KEY, packed } from "../package/in-memory.js";
import { serveFile, type RangeServer } from "./range-server.js";

/** Text that hardly shrinks, so that the package is far longer than what the first request brings. */
const FOLDER = Object.fromEntries(
  Array.from({ length: 60 }, (_, i) => {
    const words = Array.from({ length: 1_500 }, (_, at) => (Math.imul(at + 1, 2_246_822_519 + i) >>> 0).toString(36));
    return [`ropes/${i}.md`, `# Rope ${i}\n\nThe splice of rope number${i} is tarred.\n\n${words.join(" ")}\n`];
  }),
);
const QUESTION = "Which splice is tarred: number41?";

let server: RangeServer;
let bytes: Uint8Array;
let local: Package;
let folder: string;

beforeAll(async () => {
  ({ bytes } = await packed(FOLDER, { title: "Ropes" }));
  server = await serveFile(bytes);
  local = await openPackage(bytes, { secret: KEY });
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mdcx-cache-"));
  vi.stubEnv("MDCX_CACHE", join(folder, "kept"));
  server.file.bytes = bytes;
  server.asked.length = 0;
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});
afterAll(async () => {
  await local.close();
  await server.close();
});

/** Opens the package anew, asks it, and says how many requests that took. */
async function ask(): Promise<{ reply: unknown; requests: number }> {
  server.asked.length = 0;
  const pkg = await openPackage(server.address, { secret: KEY });
  try {
    const reply = await pkg.search(QUESTION, { mode: "words" });
    return { reply, requests: server.asked.length };
  } finally {
    await pkg.close();
  }
}

/** All files that are kept. */
function kept(): string[] {
  const root = join(folder, "kept");
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe("parts of a package on the web that are kept", () => {
  it("spare whoever asks again all requests but the one that says whether it is the same file", async () => {
    const expected = await local.search(QUESTION, { mode: "words" });
    const [first, second] = [await ask(), await ask()];
    expect([first.reply, second.reply]).toEqual([expected, expected]);
    expect(first.requests).toBeGreaterThan(5);
    expect(second.requests).toBe(1);
  });

  it("are sealed bytes of the file, for their owner alone, under names that say nothing", async () => {
    await ask();
    expect(statSync(join(folder, "kept")).mode & 0o777).toBe(0o700);
    const files = kept();
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(file.slice(join(folder, "kept").length)).toMatch(/^\/[0-9a-f]{32}\/\d+-\d+$/);
      const [offset, length] = file.split("/").at(-1)!.split("-").map(Number) as [number, number];
      expect(new Uint8Array(readFileSync(file).subarray(32))).toEqual(bytes.slice(offset, offset + length));
    }
  });

  it("are brought anew where they are damaged or cut short", async () => {
    const { reply } = await ask();
    const files = kept();
    for (const [i, file] of files.entries()) {
      const stored = readFileSync(file);
      stored[(97 * i) % stored.length]! ^= 1;
      writeFileSync(file, i % 2 === 0 ? stored : stored.subarray(0, stored.length - 1 - i));
    }
    const again = await ask();
    expect(again.reply).toEqual(reply);
    expect(again.requests).toBeGreaterThan(1);
    expect((await ask()).requests).toBe(1);
  });

  it("are never taken for those of another state of the file", async () => {
    await ask();
    const changed = { ...FOLDER, "ropes/41.md": "# Rope 41\n\nThe splice of rope number41 is waxed, not tarred.\n" };
    server.file.bytes = (await packed(changed, { title: "Ropes" })).bytes;
    const { reply, requests } = await ask();
    expect(JSON.stringify(reply)).toContain("waxed");
    expect(requests).toBeGreaterThan(1);
  });

  it("are refused by their leaf where somebody forged them with their digest", async () => {
    await ask();
    for (const file of kept()) {
      const forged = readFileSync(file).subarray(32);
      forged[0]! ^= 1;
      writeFileSync(file, Buffer.concat([createHash("sha256").update(forged).digest(), forged]));
    }
    await expect(ask()).rejects.toMatchObject({ code: "leaf-damaged" });
  });

  it("are no more than the limit, what was used the longest ago going first; and nobody else's file goes", async () => {
    await ask();
    const files = kept();
    const [old, ...others] = files as [string, ...string[]];
    utimesSync(old, new Date(0), new Date(0));
    writeFileSync(join(folder, "kept", "notes.txt"), "of somebody else");
    const all = files.reduce((sum, file) => sum + statSync(file).size, 0);
    const readOne = async (offset: number, limit: number): Promise<string> => {
      const source = await HttpSource.open(server.address, new NodeTransport());
      const cache = await SealedCache.before(source, join(folder, "kept"), { limit });
      await cache.read(offset, 68);
      await cache.close();
      return join(dirname(old), `${offset}-68`);
    };
    const one = await readOne(2 ** 18 + 1, all + 99);
    expect(kept().sort()).toEqual([...others, one, join(folder, "kept", "notes.txt")].sort());
    await readOne(2 ** 18 + 2, 0);
    expect(kept()).toEqual([join(folder, "kept", "notes.txt")]);
    expect(readdirSync(join(folder, "kept"))).toEqual(["notes.txt"]);
  });

  it("may be kept by several at once", async () => {
    const expected = await local.search(QUESTION, { mode: "words" });
    const asked = ["search", server.address, QUESTION, "--json", "--mode", "words", "--limit", "10"];
    const env = { MDCX_KEY: PRINTED_KEY, MDCX_CACHE: join(folder, "kept") };
    const runs = await Promise.all([0, 1, 2].map(() => mdcx(asked, { env })));
    for (const { code, stdout } of runs) {
      expect(code).toBe(0);
      expect((JSON.parse(stdout) as { passages: unknown[] }).passages).toHaveLength(expected.passages.length);
    }
    expect((await ask()).reply).toEqual(expected);
    expect(kept().every((file) => !file.endsWith(".tmp"))).toBe(true);
  });

  it("lie where --cache says, or the option of the library, before MDCX_CACHE", async () => {
    const [byOption, byCommand] = [join(folder, "option"), join(folder, "command")];
    const pkg = await openPackage(server.address, { secret: KEY, cacheFolder: byOption });
    await pkg.search(QUESTION, { mode: "words" });
    await pkg.close();
    const asked = ["search", server.address, QUESTION, "--cache", byCommand, "--mode", "words"];
    const env = { MDCX_KEY: PRINTED_KEY, MDCX_CACHE: join(folder, "kept") };
    expect((await mdcx(asked, { env })).code).toBe(0);
    server.asked.length = 0;
    expect((await mdcx(asked, { env })).code).toBe(0);
    expect(server.asked.length).toBe(1);
    expect(readdirSync(byOption)).toEqual(readdirSync(byCommand));
    expect(readdirSync(folder).sort()).toEqual(["command", "option"]);
  });

  it("are not what is verified: every byte comes from the server", async () => {
    const sent = async (): Promise<string[]> => {
      server.asked.length = 0;
      expect((await verifyPackage(server.address, { secret: KEY })).opened).toBe(true);
      return server.asked.map(({ range }) => range!);
    };
    // Short enough to come in one part that would be kept.
    const few = Object.fromEntries(Object.entries(FOLDER).slice(0, 25));
    server.file.bytes = (await packed(few, { title: "Ropes" })).bytes;
    expect(server.file.bytes.length).toBeGreaterThan(2 ** 18);
    expect(server.file.bytes.length).toBeLessThan(2 ** 20);
    const [first, second] = [await sent(), await sent()];
    expect(first.length).toBeGreaterThan(1);
    expect(second).toEqual(first);
  });

  it("are done without where the folder cannot be, which is said once", async () => {
    writeFileSync(join(folder, "file"), "");
    const env = { MDCX_KEY: PRINTED_KEY, MDCX_CACHE: join(folder, "file", "kept") };
    const { code, stdout, stderr } = await mdcx(["search", server.address, QUESTION, "--json"], { env });
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as { passages: unknown[] }).passages.length).toBeGreaterThan(0);
    expect(stderr).toMatch(/^mdcx: Cannot keep parts of packages in [^\n]*MDCX_CACHE\.\n$/);
  });

  it("are done without where a part cannot be written, which is said once", async () => {
    const { reply } = await ask();
    for (const file of kept()) {
      rmSync(file);
      mkdirSync(file);
    }
    const warnings: string[] = [];
    const onWarning = (what: string): void => void warnings.push(what);
    const pkg = await openPackage(server.address, { secret: KEY, onWarning });
    expect(await pkg.search(QUESTION, { mode: "words" })).toEqual(reply);
    await pkg.close();
    expect(warnings).toEqual([
      expect.stringMatching(/^Cannot keep parts of packages in .*: it is a folder\. Reading goes on/),
    ]);
    expect(kept()).toEqual([]);
  });

  it("are kept again where somebody emptied the folder meanwhile", async () => {
    const pkg = await openPackage(server.address, { secret: KEY });
    rmSync(join(folder, "kept"), { recursive: true, force: true });
    await pkg.search(QUESTION, { mode: "words" });
    await pkg.close();
    expect(kept().length).toBeGreaterThan(0);
  });
});
