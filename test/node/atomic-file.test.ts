import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import {
  chmod,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
  mkdir,
  truncate,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claimsObject } from "../../src/format/claims.js";
import { openContainer, rekey, reseal, writeContainer } from "../../src/format/container.js";
import type { Sink } from "../../src/format/sink.js";
import { writeFileAtomically } from "../../src/node/atomic-file.js";
import { FileSource } from "../../src/node/file-source.js";
import type { Secret } from "../../src/format/secret.js";
import { primitives } from "../../src/node/primitives.js";
import { facts, KEY, tinyImage } from "../format/packages.js";
import { failingDisk } from "./failing-disk.js";

let folder: string;
let target: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mdcx-test-"));
  target = join(folder, "archive.mdcx");
});
afterEach(() => rm(folder, { recursive: true }));

/** More than one run of leaves, so that a write fails between two others. */
const PAGES = 260;
const IMAGE = tinyImage(PAGES);

function pack(sink: Sink, image = IMAGE): Promise<unknown> {
  const what = { claims: claimsObject(facts()), image, slots: [{ secret: KEY }] };
  return writeContainer(sink, primitives, what);
}

async function withSource<T>(use: (source: FileSource) => Promise<T>): Promise<T> {
  const source = FileSource.open(target);
  try {
    return await use(source);
  } finally {
    await source.close();
  }
}

const newKey = (): Secret => ({ kind: "key", bytes: primitives.randomBytes(32) });

/** Each way of writing a package over one that is there. */
const writers: Readonly<Record<string, (sink: Sink) => Promise<unknown>>> = {
  pack,
  rekey: (sink) =>
    withSource((source) => rekey(source, sink, primitives, { secret: KEY, add: [{ secret: newKey() }] })),
  "rekey --reseal": (sink) => withSource((source) => reseal(source, sink, primitives, { secret: KEY })),
};

describe("a package is written whole or not at all", () => {
  for (const [name, write] of Object.entries(writers)) {
    for (const code of ["ENOSPC", "EIO"] as const) {
      it(`${name}: ${code} at any call leaves the old file as it was, and no half file`, async () => {
        await writeFileAtomically(target, pack);
        const dry = failingDisk(0, code);
        await writeFileAtomically(target, write, { calls: dry.calls });
        const old = await readFile(target);
        // The last two calls flush the folder: by then the new file is complete and in its place.
        const calls = dry.count() - 2;
        expect(calls).toBeGreaterThan(5);
        for (let failAt = 1; failAt <= calls; failAt++) {
          const disk = failingDisk(failAt, code);
          const written = writeFileAtomically(target, write, { calls: disk.calls });
          await expect(written, `call ${failAt}`).rejects.toMatchObject({ code: "io" });
          expect(Buffer.compare(await readFile(target), old), `call ${failAt}`).toBe(0);
          expect(await readdir(folder), `call ${failAt}`).toEqual(["archive.mdcx"]);
        }
        for (const failAt of [calls + 1, calls + 2]) {
          await writeFileAtomically(target, write, { calls: failingDisk(failAt, code).calls });
        }
        await withSource((source) => openContainer(source, primitives, { secret: KEY }));
        expect(await readdir(folder)).toEqual(["archive.mdcx"]);
      });
    }
  }

  it("leaves nothing where there was no file, whatever fails: also what fills it", async () => {
    for (const failAt of [1, 2, 3, 6]) {
      await expect(
        writeFileAtomically(target, pack, { calls: failingDisk(failAt, "EIO").calls }),
      ).rejects.toMatchObject({ code: "io" });
    }
    const fault = new Error("a page that cannot be had");
    await expect(writeFileAtomically(target, () => Promise.reject(fault))).rejects.toBe(fault);
    expect(await readdir(folder)).toEqual([]);
  });

  it("says in a sentence what the disk refused", async () => {
    const full = writeFileAtomically(target, pack, { calls: failingDisk(3, "ENOSPC").calls });
    await expect(full).rejects.toThrow(/^Cannot write .*archive\.mdcx: the disk is full\.$/);
    await expect(writeFileAtomically(join(folder, "no", "x.mdcx"), pack)).rejects.toMatchObject({ code: "not-found" });
    await expect(writeFileAtomically(folder, pack)).rejects.toMatchObject({ code: "bad-input" });
  });

  it("holds only sealed bytes while it is written, in a file for its owner only", async () => {
    const seen: string[] = [];
    await writeFileAtomically(target, async (sink) => {
      await pack({
        async write(offset, bytes) {
          await sink.write(offset, bytes);
          const [name] = await readdir(folder);
          const path = join(folder, name!);
          expect((await stat(path)).mode & 0o777).toBe(0o600);
          const content = await readFile(path);
          for (const page of [0, 1, 40, PAGES - 1]) {
            expect(content.includes(Buffer.from(IMAGE.takePage(page).subarray(0, 64)))).toBe(false);
          }
          seen.push(name!);
        },
      });
    });
    expect(new Set(seen).size).toBe(1);
    expect(seen[0]).toMatch(/^\.archive\.mdcx\.[0-9a-f]{16}\.tmp$/);
  });

  it("gives a new file to its owner only, keeps the permissions of one that was there, and follows a link", async () => {
    await writeFileAtomically(target, pack);
    expect((await stat(target)).mode & 0o777).toBe(0o600);
    await chmod(target, 0o644);
    const link = join(folder, "link.mdcx");
    await symlink("archive.mdcx", link);
    await writeFileAtomically(link, (sink) => pack(sink, tinyImage(3)));
    expect((await stat(target)).mode & 0o777).toBe(0o644);
    expect(await readlink(link)).toBe("archive.mdcx");
    await withSource((source) => openContainer(source, primitives, { secret: KEY }));
  });
});

/** A real disk of 256 KiB, where this user may mount one. */
function mountSmallDisk(at: string): boolean {
  return spawnSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", at]).status === 0;
}

describe("a disk that really is full", () => {
  it("leaves the old file and no half file", async ({ skip }) => {
    const disk = join(folder, "disk");
    await mkdir(disk);
    if (process.platform !== "linux" || !mountSmallDisk(disk)) return skip("this user may not mount a small disk");
    try {
      const small = join(disk, "archive.mdcx");
      await writeFileAtomically(small, (sink) => pack(sink, tinyImage(3)));
      const old = await readFile(small);
      await expect(writeFileAtomically(small, pack)).rejects.toThrow(/^Cannot write .*: the disk is full\.$/);
      expect(Buffer.compare(await readFile(small), old)).toBe(0);
      expect(await readdir(disk)).toEqual(["archive.mdcx"]);
    } finally {
      spawnSync("umount", [disk]);
    }
  });
});

describe("a process that is told to stop while it writes", () => {
  const built = new URL("../../dist/src/node/atomic-file.js", import.meta.url);

  /** Writes until it is told to stop, and gives how it ended. */
  async function stopped(signal: "SIGINT" | "SIGTERM", listener: string): Promise<[number | null, string | null]> {
    await writeFile(target, "old");
    const script = `
      import { writeFileAtomically } from ${JSON.stringify(built.href)};
      ${listener}
      await writeFileAtomically(${JSON.stringify(target)}, async (sink) => {
        await sink.write(0, new Uint8Array(1000));
        console.log("writing");
        await new Promise((resolve) => setTimeout(resolve, 60000));
      });`;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    expect(await readdir(folder)).toHaveLength(2);
    child.kill(signal);
    const end = (await once(child, "exit")) as [number | null, string | null];
    expect(await readdir(folder)).toEqual(["archive.mdcx"]);
    expect(await readFile(target, "utf8")).toBe("old");
    return end;
  }

  describe.skipIf(!existsSync(built))("leaves the old file and no half file (needs the build)", () => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      it(`${signal}, and ends by it`, async () => {
        expect(await stopped(signal, "")).toEqual([null, signal]);
      });
    }

    it("also where a library listens that ends the process only if it listens alone", async () => {
      const listener = `
        process.on("SIGINT", function alone() {
          if (process.listenerCount("SIGINT") > 1) return;
          process.off("SIGINT", alone);
          process.kill(process.pid, "SIGINT");
        });`;
      expect(await stopped("SIGINT", listener)).toEqual([null, "SIGINT"]);
    });

    it("also where somebody else's handler exits first", async () => {
      expect(await stopped("SIGINT", 'process.on("SIGINT", () => process.exit(130));')).toEqual([130, null]);
    });
  });
});

describe("a package is read from disk", () => {
  it("and a file that is cut or written over, or is closed, gives an error", async () => {
    await writeFileAtomically(target, pack);
    const source = FileSource.open(target);
    const { pages } = await openContainer(source, primitives, { secret: KEY });
    await writeFile(target, "short", { flag: "r+" });
    expect(() => pages.readPages(70, 1)).not.toThrow();
    await truncate(target, 40_000);
    expect(() => pages.readPages(30, 1)).toThrow(/changed while it was read/);
    await source.close();
    expect(() => source.readNow(0, 1)).toThrow(/has been closed/);
  });

  it("and one that is replaced does not disturb its reader", async () => {
    await writeFileAtomically(target, pack);
    await withSource(async (source) => {
      const { pages } = await openContainer(source, primitives, { secret: KEY });
      await writeFileAtomically(target, (sink) => pack(sink, tinyImage(3)));
      expect(Buffer.compare(pages.readPages(60, 1), IMAGE.takePage(60))).toBe(0);
    });
  });

  it("and what is no file is refused in a sentence", async () => {
    expect(() => FileSource.open(join(folder, "none.mdcx"))).toThrow(expect.objectContaining({ code: "not-found" }));
    await mkdir(join(folder, "sub"));
    expect(() => FileSource.open(join(folder, "sub"))).toThrow(/is a folder, not a package/);
  });
});
