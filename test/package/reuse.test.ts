import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Secret } from "../../src/format/secret.js";
import { openPackage, type Package } from "../../src/index.js";
import { openEncoder } from "../../src/node/encoder/open.js";
import { packDocuments, type PackDocumentsOptions } from "../../src/pack-entry.js";
import { documentsOf, KEY, packed, type Folder } from "./in-memory.js";
import { otherUse, RememberingEncoder } from "./remembering.js";

const encoder = new RememberingEncoder(openEncoder());
afterAll(() => encoder.close());

const OTHER: Secret = { kind: "key", bytes: new Uint8Array(32).fill(8) };
/** Eleven passages in one document, and one in each of two others. */
const FOLDER: Folder = {
  "berths.md": `# Berths\n\n${Array.from({ length: 11 }, (_, i) => `## Pier ${i}\n\n${`Pier ${i} takes ${i * 3 + 2} boats of up to ${i + 6} metres, and its keeper has key ${i * 17}. `.repeat(9)}\n`).join("\n")}`,
  "fees.md": "# Fees\n\nA ketch pays fourteen euros a night, a sloop nine.\n",
  "kran.md": "# Der Kran\n\nDer Kran hebt acht Tonnen und wird im Mai geprüft.\n",
};
const FOCUS = ["What does a ketch pay?", "Wann wird der Kran geprüft?"];

let folder: string;
let old: string;
let target: string;
let bytes: Uint8Array;
let passages: number;
beforeAll(async () => {
  const made = await packed(FOLDER, { meaning: { encoder, focus: FOCUS } });
  bytes = made.bytes;
  passages = made.summary.passages;
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mdcx-test-"));
  old = join(folder, "old.mdcx");
  target = join(folder, "new.mdcx");
  await writeFile(old, bytes);
  encoder.asked = [];
});
afterEach(() => rm(folder, { recursive: true }));

const repack = (documents: Folder, options: Partial<PackDocumentsOptions> = {}, secret: Secret = KEY) =>
  packDocuments(documentsOf(documents), target, {
    slots: [{ secret: KEY }],
    encoder,
    reuse: { file: old, secret },
    ...options,
  });

async function opened<T>(input: string | Uint8Array, use: (pkg: Package) => T | Promise<T>): Promise<T> {
  const pkg = await openPackage(input, {
    secret: KEY,
    encoder: () => ({
      describe: () => encoder.describe(),
      encode: (texts, role) => encoder.encode(texts, role),
      close: () => Promise.resolve(),
    }),
  });
  try {
    return await use(pkg);
  } finally {
    await pkg.close();
  }
}

/** What each question finds, in order, with how near the package comes. */
const rankings = (input: string | Uint8Array) =>
  opened(input, async (pkg) => {
    const asked = [];
    for (const question of [...FOCUS, "¿Qué muelle acepta barcos de diez metros?", "key of pier 4", "lentil soup"]) {
      const { passages, similarity, warning } = await pkg.search(question, { limit: 20 });
      asked.push({
        found: passages.map(({ document, line, foundBy }) => [document, line, foundBy]),
        similarity,
        warning,
      });
    }
    return asked;
  });

describe("packing with --reuse", () => {
  it("encodes nothing of a corpus that did not change, and finds the same", async () => {
    const { meaning } = await repack(FOLDER);
    expect(meaning).toMatchObject({ encoded: 0, reused: passages });
    expect(encoder.asked.filter((text) => text.startsWith("Berths"))).toEqual([]);
    expect(await rankings(target)).toEqual(await rankings(bytes));
  });

  it("encodes an edited passage again, and ranks as packing anew does", async () => {
    const edited = { ...FOLDER, "fees.md": "# Fees\n\nA ketch pays sixteen euros a night, a sloop ten.\n" };
    const { meaning } = await repack(edited);
    expect(meaning).toMatchObject({ encoded: 1, reused: passages - 1 });
    expect(encoder.asked.filter((text) => text.startsWith("Berths"))).toEqual([]);
    const anew = await packed(edited, { meaning: { encoder, focus: FOCUS } });
    expect(await rankings(target)).toEqual(await rankings(anew.bytes));
  });

  it("takes the vectors of a document that only moved, and none where its title changed", async () => {
    const moved = {
      "elsewhere/berths.md": FOLDER["berths.md"]!,
      "fees.md": FOLDER["fees.md"]!,
      "kran.md": FOLDER["kran.md"]!,
    };
    expect((await repack(moved)).meaning).toMatchObject({ encoded: 0, reused: passages });
    const titled = { ...FOLDER, "kran.md": "# Der neue Kran\n\nDer Kran hebt acht Tonnen und wird im Mai geprüft.\n" };
    expect((await repack(titled)).meaning).toMatchObject({ encoded: 1, reused: passages - 1 });
  });

  it("leaves nothing of a document that is gone or has shrunk", async () => {
    const shrunk: Folder = { "berths.md": "# Berths\n\nAll piers are closed.\n", "fees.md": FOLDER["fees.md"]! };
    const summary = await repack(shrunk);
    expect(summary).toMatchObject({ passages: 2, meaning: { encoded: 1, reused: 1 } });
    await opened(target, async (pkg) => {
      expect(pkg.meaning.vectors?.passages).toBe(2);
      expect(pkg.image.stream("halves").length).toBe(2 * 768);
      const { passages: found } = await pkg.search("Which pier takes boats of ten metres?", { limit: 20 });
      expect(found.map(({ text }) => text).join()).not.toContain("keeper");
    });
  });

  it("takes nothing of another model's package, without an error", async () => {
    const { meaning } = await repack(FOLDER, { encoder: otherUse(encoder) });
    expect(meaning).toMatchObject({ encoded: passages, reused: 0 });
  });

  it("takes nothing of a package without vectors, without an error", async () => {
    await writeFile(old, (await packed(FOLDER)).bytes);
    expect((await repack(FOLDER)).meaning).toMatchObject({ encoded: passages, reused: 0 });
  });

  it("passes the focus questions on with their margin, and says so; new ones replace them", async () => {
    const margin = await opened(bytes, (pkg) => pkg.meaning.calibration!.margin);
    const inherited = await repack(FOLDER);
    expect(inherited.focusInherited).toBe(true);
    await opened(target, (pkg) => {
      expect(pkg.meaning.calibration).toMatchObject({ origin: "focus", margin });
      expect(pkg.meaning.calibration!.questions.map(({ question }) => question)).toEqual(FOCUS);
    });
    const replaced = await repack(FOLDER, { focus: ["Which pier has key 17?"] });
    expect(replaced.focusInherited).toBe(false);
    await opened(target, (pkg) => {
      expect(pkg.meaning.calibration!.questions.map(({ question }) => question)).toEqual(["Which pier has key 17?"]);
    });
  });

  it("does not take a calibration that was estimated for focus questions", async () => {
    await writeFile(old, (await packed(FOLDER, { meaning: { encoder } })).bytes);
    const summary = await repack(FOLDER);
    expect(summary).toMatchObject({ focusInherited: false, meaning: { answerableAt: { origin: "estimated" } } });
  });

  it("stops with one sentence before anything is encoded, where the old package does not open or is missing", async () => {
    await expect(repack(FOLDER, {}, OTHER)).rejects.toMatchObject({ code: "wrong-secret" });
    await rm(old);
    await expect(repack(FOLDER)).rejects.toMatchObject({ code: "not-found" });
    expect(encoder.asked).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });

  it("may write over the package that it reads, as its next revision, and leaves no other file", async () => {
    target = old;
    const before = await opened(bytes, (pkg) => pkg.claims);
    await repack(FOLDER);
    await opened(old, (pkg) => {
      expect(pkg.claims).toMatchObject({ packageId: before.packageId, revision: 2 });
    });
    expect(await readdir(folder)).toEqual(["old.mdcx"]);
    const after = await readFile(old);
    expect(after.includes("keeper")).toBe(false);
  });
});
