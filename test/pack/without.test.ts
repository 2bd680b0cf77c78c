import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openPackage, type Package } from "../../src/index.js";
import { openEncoder } from "../../src/node/encoder/open.js";
import { packDocuments, packWithout, type PackWithoutOptions } from "../../src/pack-entry.js";
import { contents, documentsOf, KEY, packed, type Folder } from "../package/in-memory.js";
import { otherUse, RememberingEncoder } from "../package/remembering.js";

const encoder = new RememberingEncoder(openEncoder());
afterAll(() => encoder.close());

const FOLDER: Folder = {
  "berths.md": `# Berths\n\n${Array.from({ length: 6 }, (_, i) => `## Pier ${i}\n\n${`Pier ${i} takes ${i * 3 + 2} boats of up to ${i + 6} metres. `.repeat(9)}\n`).join("\n")}`,
  "drafts/[old] memo.md": "# Memo\n\nThe heron is to be scared away with a rattle.\n",
  "drafts/plan.md": "---\ndate: 2019-05-01\n---\n# Plan\n\nA second crane is wanted.\n",
  "fees.md": "---\ntitle: Fees\ndate: 2024-03\n---\nA ketch pays fourteen euros a night, a sloop nine.\n",
  "kran.md": "# Der Kran\n\nDer Kran hebt acht Tonnen und wird im Mai geprüft.\n",
  "secret.md": "---\nindexed: false\n---\n# Annex\n\nNot to be found.\n",
};
const QUESTIONS = [
  "What does a ketch pay?",
  "Wann wird der Kran geprüft?",
  "rattle against herons",
  "lentil soup",
  "pier 4",
];

let scratch: string;
let old: string;
let target: string;
let bytes: Uint8Array;
beforeAll(async () => {
  ({ bytes } = await packed(FOLDER, { meaning: { encoder, focus: QUESTIONS.slice(0, 2) }, title: "Harbour" }));
});
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), "mdcx-without-"));
  [old, target] = [join(scratch, "old.mdcx"), join(scratch, "new.mdcx")];
  await writeFile(old, bytes);
  encoder.asked = [];
});
afterEach(() => rm(scratch, { recursive: true }));

const again = (without: readonly string[], options: Partial<PackWithoutOptions> = {}) =>
  packWithout(target, {
    slots: [{ secret: KEY }],
    encoder,
    reuse: { file: old, secret: KEY },
    without,
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

/** An object without some of its fields: those that are new in every file. */
const but = (object: object, ...names: readonly string[]): object =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
const folderBut = (path: string): Folder => but(FOLDER, path) as Folder;

/** All that a reader says of a package, but for what is new in every file. */
const saidBy = (input: string | Uint8Array) =>
  opened(input, async (pkg) => {
    const replies = [];
    for (const question of QUESTIONS) {
      const reply = await pkg.search(question, { limit: 20 });
      replies.push({
        ...reply,
        answerableAtByPackage: Object.values(reply.answerableAtByPackage ?? {}),
        unknownTerms: Object.values(reply.unknownTerms),
        passages: reply.passages.map((passage) => ({ ...but(passage, "package"), id: passage.id.slice(8) })),
      });
    }
    return {
      replies,
      info: but(pkg.info(), "claims", "name"),
      documents: pkg.documents().map((document) => but(document, "packageId", "package")),
      contents: contents(pkg),
      dated: pkg.claims.dated,
      answerable: pkg.claims.answerableAt,
    };
  });

describe("packing --reuse OLD --without PATH, without the folder", () => {
  it("gives the package that packing the folder without the document gives, and encodes no passage", async () => {
    const report = await again(["drafts/[old] memo.md"]);
    expect(report).toMatchObject({ documents: 4, attachments: 1, without: ["@/drafts/[old] memo.md"] });
    expect(report.meaning).toMatchObject({ encoded: 0, reused: report.passages });
    expect(encoder.asked.filter((text) => text.startsWith("Berths"))).toEqual([]);
    const anew = await packed(folderBut("drafts/[old] memo.md"), {
      meaning: { encoder, focus: QUESTIONS.slice(0, 2) },
      title: "Harbour",
    });
    expect(await saidBy(target)).toEqual(await saidBy(anew.bytes));
  });

  it("leaves nothing of the document: no text, no word, no vector", async () => {
    await again(["@/drafts/[old] memo.md"]);
    await opened(target, (pkg) => {
      expect(pkg.words.findForm("heron")).toBe(-1);
      expect(pkg.words.findForm("rattle")).toBe(-1);
      expect(pkg.image.stream("halves").length).toBe(pkg.image.passageCount * 768);
      expect([...contents(pkg).values()].map((one) => Buffer.from(one).toString()).join()).not.toContain("rattle");
    });
    await opened(old, (pkg) => {
      expect(pkg.words.findForm("heron")).toBeGreaterThanOrEqual(0);
    });
    expect(new Uint8Array(await readFile(old))).toEqual(bytes);
  });

  it("is the next revision with title and focus, or a package of its own", async () => {
    const { packageId } = await opened(old, (pkg) => pkg.claims);
    expect(await again(["kran.md"])).toMatchObject({ packageId, revision: 2, focusInherited: true });
    await opened(target, (pkg) => {
      expect(pkg.claims).toMatchObject({ title: "Harbour", issuer: null });
      expect(pkg.meaning.calibration).toMatchObject({ origin: "focus" });
    });
    const own = await again(["kran.md"], { reuse: { file: old, secret: KEY, newId: true }, title: "Quay" });
    expect(own.revision).toBe(1);
    expect(own.packageId).not.toBe(packageId);
    await opened(target, (pkg) => {
      expect(pkg.claims.title).toBe("Quay");
    });
  });

  it("takes folders with all that lies in them, and globs; a name comes before what it means as a pattern", async () => {
    expect((await again(["drafts/"])).without).toEqual(["@/drafts/[old] memo.md", "@/drafts/plan.md"]);
    expect((await again(["drafts/*.md", "k*.md"])).without).toHaveLength(3);
    await opened(target, (pkg) => {
      expect(pkg.claims.dated).toEqual({ count: 1, from: "2024-03", to: "2024-03" });
    });
  });

  it("may take the place of the old package", async () => {
    target = old;
    await again(["fees.md"]);
    await opened(old, (pkg) => {
      expect(pkg.claims.revision).toBe(2);
      expect(() => pkg.document("fees.md")).toThrow(/no document/);
    });
  });

  it("refuses a name that means no document, with the nearest, and what would leave nothing; nothing is written", async () => {
    await expect(again(["fee.md"])).rejects.toThrow(
      /no document or folder "fee\.md" to leave out\. Nearest: @\/fees\.md/,
    );
    await expect(again(["fees.md", ""])).rejects.toMatchObject({ code: "bad-input" });
    await expect(again(["**"])).rejects.toThrow(/Nothing would be left/);
    await expect(readFile(target)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("refuses another model than the one that made the vectors: they could not be kept", async () => {
    await expect(again(["kran.md"], { encoder: otherUse(encoder) })).rejects.toMatchObject({ code: "other-model" });
    expect(encoder.asked).toEqual([]);
  });

  it("needs no encoder for a package that is found by words", async () => {
    await writeFile(old, (await packed(FOLDER)).bytes);
    const report = await packWithout(target, {
      slots: [{ secret: KEY }],
      reuse: { file: old, secret: KEY },
      without: ["kran.md"],
    });
    expect(report.meaning).toBeNull();
    expect(await saidBy(target)).toEqual(await saidBy((await packed(folderBut("kran.md"))).bytes));
  });

  it("keeps passages as they were cut, by whatever rule", async () => {
    const made = await packed(FOLDER, { meaning: { encoder }, passages: "semantic" });
    await writeFile(old, made.bytes);
    await again(["fees.md"]);
    const passagesOf = (pkg: Package) =>
      pkg
        .documents()
        .map(({ document, passages }) => `${document} ${passages}`)
        .filter((one) => !one.includes("fees"));
    const before = await opened(old, (pkg) => ({ cut: pkg.info().cut, passages: passagesOf(pkg) }));
    expect(await opened(target, (pkg) => ({ cut: pkg.info().cut, passages: passagesOf(pkg) }))).toEqual(before);
    expect(before.cut).toMatch(/^semantic/);
  });

  it("keeps the overviews of what stays, and drops those of what goes", async () => {
    const overviews = {
      of: (path: string) =>
        path === "kran.md" ? ["On hoists and slings."] : path === "fees.md" ? ["On tariffs."] : [],
    };
    await writeFile(old, (await packed(FOLDER, { overviews })).bytes);
    await again(["fees.md"]);
    await opened(target, async (pkg) => {
      expect(pkg.info().overviews).toBe(1);
      expect((await pkg.search("slings")).passages[0]).toMatchObject({ document: "@/kran.md", kind: "overview" });
      expect(pkg.words.findForm("tariffs")).toBe(-1);
    });
  });

  it("is signed by the key that signed the old one, or a package of its own", async () => {
    // A test key: worth nothing anywhere else.
    const signingKey = new Uint8Array(32).fill(9);
    await writeFile(old, (await packed(FOLDER, { issuer: "Office", signingKey })).bytes);
    await expect(again(["kran.md"])).rejects.toThrow(/signed by the same key/);
    await again(["kran.md"], { signingKey });
    await opened(target, (pkg) => {
      expect(pkg.signature).not.toBe("unsigned");
      expect(pkg.claims.issuer?.name).toBe("Office");
    });
    await again(["kran.md"], { reuse: { file: old, secret: KEY, newId: true } });
    await opened(target, (pkg) => {
      expect(pkg.claims.issuer).toBeNull();
    });
  });
});

describe("packing a folder --without PATH", () => {
  const from = (folder: Folder, without: readonly string[]) =>
    packDocuments(documentsOf(folder), target, {
      slots: [{ secret: KEY }],
      reuse: { file: old, secret: KEY },
      without,
    });

  it("leaves the document out, and names what the old package still holds", async () => {
    const { documents, without } = await from(FOLDER, ["drafts"]);
    expect(documents).toBe(3);
    expect(without).toEqual(["@/drafts/[old] memo.md", "@/drafts/plan.md"]);
  });

  it("names also what is gone from the folder already, and refuses what is in neither", async () => {
    const rest = folderBut("kran.md");
    expect((await from(rest, ["kran.md"])).without).toEqual(["@/kran.md"]);
    await expect(from(rest, ["crane.md"])).rejects.toMatchObject({ code: "not-found" });
  });

  it("keeps the title of the package that it follows", async () => {
    await from(FOLDER, []);
    await opened(target, (pkg) => {
      expect(pkg.claims).toMatchObject({ title: "Harbour", revision: 2 });
    });
  });
});
