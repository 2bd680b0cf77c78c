import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import initSqlJs from "sql.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openContainer, writeContainer } from "../../src/format/container.js";
import { BytesSource } from "../../src/format/bytes-source.js";
import { PAGE } from "../../src/format/pages.js";
import { MemorySink } from "../../src/format/sink.js";
import { openPackage } from "../../src/index.js";
import { exportFolder, unsafeName } from "../../src/node/export-folder.js";
import { primitives } from "../../src/node/primitives.js";
import { KEY, opened, packed } from "./in-memory.js";

const HONEST = "honest.md";
/** Names that would be written elsewhere than below the target folder, here or on another system. */
const HOSTILE = [
  "../outside.md",
  "a/../../outside.md",
  "..",
  ".",
  "a/./b.md",
  "a//b.md",
  "a/",
  "/outside.md",
  "//server/share.md",
  "C:\\outside.md",
  "C:outside.md",
  "c:/outside.md",
  "a\\..\\..\\outside.md",
  "\\\\server\\share.md",
  "nul\0.md",
  "",
];

const scratch = await mkdtemp(join(tmpdir(), "mdcx-hostile-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));

let image: Uint8Array;
let claims: Parameters<typeof writeContainer>[2]["claims"];
const SQL = await initSqlJs();

beforeAll(async () => {
  const { bytes } = await packed({ [HONEST]: "# Honest\n\nText.\n" });
  const container = await openContainer(new BytesSource(bytes), primitives, { secret: KEY });
  image = container.pages.readPages(0, container.pages.length / PAGE).slice();
  claims = container.head.claims.raw;
  await container.close();
});

/** What a holder of the key can do: rename the document in the image, and seal it properly. */
async function forged(name: string): Promise<Uint8Array> {
  const database = new SQL.Database(image.slice());
  database.run("UPDATE documents SET path = ?", [name]);
  const bytes = database.export();
  database.close();
  const sink = new MemorySink();
  await writeContainer(sink, primitives, {
    claims,
    image: { length: bytes.length, takePage: (number) => bytes.slice(number * PAGE, (number + 1) * PAGE) },
    slots: [{ secret: KEY }],
  });
  return sink.bytes();
}

describe("a package that somebody with the key has forged", () => {
  it.each(HOSTILE)("writes nothing for a document named %j", async (name) => {
    const outer = await mkdtemp(join(scratch, "outer-"));
    const target = join(outer, "target");
    const bytes = await forged(name);
    await expect(
      (async () => {
        const pkg = await openPackage(bytes, { secret: KEY });
        try {
          await exportFolder(pkg, target);
        } finally {
          await pkg.close();
        }
      })(),
    ).rejects.toMatchObject({ code: expect.stringMatching(/^(unsafe-path|bad-image)$/) as string });
    const left = await readdir(outer, { recursive: true });
    expect(left.filter((entry) => entry !== "target")).toEqual([]);
  });

  it("writes a harmless new name, so that the forging itself is sound", async () => {
    const pkg = await openPackage(await forged("renamed.md"), { secret: KEY });
    expect([...pkg.export()].map(({ path }) => path)).toEqual(["renamed.md"]);
    await pkg.close();
  });
});

describe("a target folder that somebody has prepared", () => {
  it("is not left through a link in the place of a folder or of a file", async () => {
    const pkg = await opened({ "inner/a.md": "a", "b.md": "b" });
    const [target, elsewhere] = [join(scratch, "links"), join(scratch, "elsewhere")];
    await mkdir(target);
    await mkdir(elsewhere);
    await symlink(elsewhere, join(target, "inner"));
    await expect(exportFolder(pkg, target)).rejects.toMatchObject({ code: "unsafe-path" });
    await rm(join(target, "inner"));
    await symlink(join(elsewhere, "b.md"), join(target, "b.md"));
    await expect(exportFolder(pkg, target)).rejects.toMatchObject({ code: "bad-input" });
    expect(await readdir(elsewhere)).toEqual([]);
    expect(await readdir(target)).toEqual(["b.md"]);
    await rm(join(target, "b.md"));
    await writeFile(join(target, "inner"), "a file where a folder must go");
    await expect(exportFolder(pkg, target)).rejects.toMatchObject({ code: "unsafe-path" });
  });

  it("may itself be reached by a link, which its owner set", async () => {
    const pkg = await opened({ "a.md": "a" });
    const real = join(scratch, "real");
    await mkdir(real);
    await symlink(real, join(scratch, "by-link"));
    await exportFolder(pkg, join(scratch, "by-link"));
    expect(await readdir(real)).toEqual(["a.md"]);
  });
});

// The rules for Windows are tested as rules only: no test runs there.
describe("names on Windows", () => {
  it.each(["CON", "con.md", "a/NUL.txt", "AUX", "PRN.md", "COM1", "com¹.md", "LPT9.txt", "CONIN$", "conout$.md"])(
    "%j is a device",
    (name) => {
      expect(unsafeName(name, "win32")).toMatch(/no file name on Windows/);
      expect(unsafeName(name, "linux")).toBeUndefined();
    },
  );

  it.each([
    "a?.md",
    "a*.md",
    'a".md',
    "a<b.md",
    "a>b.md",
    "a|b.md",
    "long:stream.md",
    "dot./a.md",
    "end.",
    "end ",
    "a\u0001.md",
  ])("%j is no file name", (name) => {
    expect(unsafeName(name, "win32")).toMatch(/no file name on Windows/);
  });

  it.each(HOSTILE)("%j is refused on every system", (name) => {
    for (const platform of ["win32", "linux", "darwin"] as const) expect(unsafeName(name, platform)).toBeDefined();
  });

  it.each([
    "a.md",
    "console.md",
    "com.md",
    "com10.md",
    "lpt/a.md",
    "nul-and-void.md",
    "..a.md",
    "a..md",
    "日本/書.md",
    "-x.md",
  ])("%j is an ordinary name", (name) => {
    for (const platform of ["win32", "linux", "darwin"] as const) expect(unsafeName(name, platform)).toBeUndefined();
  });
});
