import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { publicKeyOf } from "../../src/format/signature.js";
import type { Secret } from "../../src/format/secret.js";
import { openPackage, type Package } from "../../src/index.js";
import { openEncoder } from "../../src/node/encoder/open.js";
import { KeptVectors, keptVectorsPath } from "../../src/node/kept-vectors.js";
import { primitives } from "../../src/node/primitives.js";
import { calibratePackage, enrichPackage } from "../../src/node/rewrite-package.js";
import type { PackOptions } from "../../src/pack.js";
import { KEY, packed } from "./in-memory.js";
import { otherUse, RememberingEncoder } from "./remembering.js";

const encoder = new RememberingEncoder(openEncoder());
afterAll(() => encoder.close());

const OTHER: Secret = { kind: "key", bytes: new Uint8Array(32).fill(8) };
const SIGNING_KEY = new Uint8Array(32).fill(9);
const FOLDER = {
  "berth.md":
    "# Berths\n\nThe harbour master gives out berths.\n\n## At night\n\nBoats over ten metres moor at the pier.\n",
  "fees/2024.md": "# Fees\n\n| boat | euros |\n|---|---|\n| sloop | 9 |\n| ketch | 14 |\n",
  "kran.md": "# Der Kran\n\nDer Kran hebt acht Tonnen und wird im Mai geprüft.\n",
  "left-out.md": "---\nindexed: false\n---\n\nNot to be found, only kept.\n",
};
const QUESTIONS = ["Who gives out berths?", "Wann wird der Kran geprüft?"];

let folder: string;
let path: string;
/** One package by words and one with meaning, of the same documents; each test begins with copies of them. */
let byWords: Uint8Array;
let withMeaning: Uint8Array;
beforeAll(async () => {
  byWords = (await packed(FOLDER)).bytes;
  withMeaning = (await packed(FOLDER, { meaning: { encoder } })).bytes;
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mdcx-test-"));
  path = join(folder, "a.mdcx");
});
afterEach(() => rm(folder, { recursive: true }));

async function packedAt(options: Partial<PackOptions>): Promise<Uint8Array> {
  const { bytes } = await packed(FOLDER, options);
  await writeFile(path, bytes);
  return bytes;
}

/** What is asked of a package without being read by the code that wrote it. */
function blobs(pkg: Package, names: readonly ("dictionary" | "postings" | "lengths" | "codes" | "halves")[]) {
  return Object.fromEntries(
    names.map((name) => {
      const stream = pkg.image.stream(name);
      return [name, Buffer.from(stream.read(0, stream.length)).toString("base64")];
    }),
  );
}

function contentsOf(pkg: Package) {
  const { image } = pkg;
  return {
    documents: image.documents(),
    bytes: [...pkg.export()].map(({ bytes }) => Buffer.from(bytes).toString("base64")),
    passages: image
      .documents()
      .map((document) =>
        image.passagesOf(document).map((passage) => ({ ...passage, path: image.headingPath(passage) })),
      ),
    words: blobs(pkg, ["dictionary", "postings", "lengths"]),
  };
}

async function openedAs<T>(input: string | Uint8Array, use: (pkg: Package) => T | Promise<T>): Promise<T> {
  const pkg = await openPackage(input, { secret: KEY, encoder: () => bound() });
  try {
    return await use(pkg);
  } finally {
    await pkg.close();
  }
}

/** Packages close the encoder that they were given; this one is the whole file's. */
function bound() {
  return {
    describe: () => encoder.describe(),
    encode: (texts: readonly string[], role: "query" | "passage") => encoder.encode(texts, role),
    close: () => Promise.resolve(),
  };
}

describe("enrich", () => {
  it("gives a package by words the vectors, probes and calibration that packing with meaning gives it", async () => {
    await writeFile(path, byWords);
    const report = await enrichPackage(path, { secret: KEY, encoder });
    expect(report.meaning).toMatchObject({ encoded: 3, reused: 0 });
    const wanted = await openedAs(withMeaning, (pkg) => ({
      contents: contentsOf(pkg),
      vectors: blobs(pkg, ["codes", "halves"]),
      probes: pkg.image.probes(),
      calibration: pkg.meaning.calibration,
      model: pkg.claims.model,
      answerableAt: pkg.claims.answerableAt,
    }));
    await openedAs(path, async (pkg) => {
      expect(contentsOf(pkg)).toEqual(wanted.contents);
      expect(blobs(pkg, ["codes", "halves"])).toEqual(wanted.vectors);
      expect(pkg.image.probes()).toEqual(wanted.probes);
      expect(pkg.meaning.calibration).toEqual(wanted.calibration);
      expect(pkg.claims).toMatchObject({ model: wanted.model, answerableAt: wanted.answerableAt });
      expect((await pkg.search("¿Cuándo se revisa la grúa?")).passages[0]?.document).toBe("@/kran.md");
    });
  });

  it("keeps the id, counts the revision on, and seals under another key", async () => {
    await writeFile(path, byWords);
    const before = await openedAs(byWords, (pkg) => pkg.claims);
    const { claims, root } = await enrichPackage(path, { secret: KEY, encoder });
    expect(claims).toMatchObject({ packageId: before.packageId, revision: 2, created: before.created });
    const after = await readFile(path);
    expect(Buffer.from(byWords).includes(Buffer.from(root))).toBe(false);
    expect(Object.keys(claims.raw)).toEqual(Object.keys(before.raw));
    // The sealed pages of the same documents have no 32 bytes in common.
    const sealed = Buffer.from(byWords).subarray(-16_384);
    for (let at = 0; at < sealed.length; at += 1_024) expect(after.includes(sealed.subarray(at, at + 32))).toBe(false);
    expect(await readdir(folder)).toEqual(["a.mdcx"]);
  });

  it("encodes nothing where the package has vectors of the model already", async () => {
    await writeFile(path, withMeaning);
    encoder.asked = [];
    const { meaning } = await enrichPackage(path, { secret: KEY, encoder });
    expect(meaning).toMatchObject({ encoded: 0, reused: 3 });
    expect(encoder.asked.filter((text) => text.includes("harbour master"))).toEqual([]);
    const vectors = await openedAs(withMeaning, (pkg) => blobs(pkg, ["codes", "halves"]));
    expect(await openedAs(path, (pkg) => blobs(pkg, ["codes", "halves"]))).toEqual(vectors);
  });

  it("puts the vectors of another model in place of those it had", async () => {
    await writeFile(path, withMeaning);
    const { meaning } = await enrichPackage(path, { secret: KEY, encoder: otherUse(encoder) });
    expect(meaning).toMatchObject({ encoded: 3, reused: 0 });
    const vectors = await openedAs(withMeaning, (pkg) => blobs(pkg, ["codes", "halves"]));
    await openedAs(path, (pkg) => {
      expect(blobs(pkg, ["halves"])).not.toEqual({ halves: vectors.halves });
      expect(pkg.meaning.description?.prefixes.passage).toBe("passage: note: ");
    });
  });

  it("calibrates by the questions that the package had, unless there are others", async () => {
    await packedAt({ meaning: { encoder, focus: QUESTIONS } });
    const again = await enrichPackage(path, { secret: KEY, encoder: otherUse(encoder) });
    expect(again).toMatchObject({ focusInherited: true, meaning: { answerableAt: { origin: "focus" } } });
    const questions = () => openedAs(path, (pkg) => pkg.meaning.calibration?.questions.map(({ question }) => question));
    expect(await questions()).toEqual(QUESTIONS);
    const other = await enrichPackage(path, { secret: KEY, encoder, focus: ["What does a ketch pay?"] });
    expect(other.focusInherited).toBe(false);
    expect(await questions()).toEqual(["What does a ketch pay?"]);
  });

  it("that was interrupted takes up what it made, and leaves no trace when it is done", async () => {
    await writeFile(path, byWords);
    const failing = { ...bound(), encode: () => Promise.reject(new Error("the power is out")) };
    const part = Object.fromEntries(Object.entries(FOLDER).slice(2));
    // What a killed run leaves is what it kept before: here the vectors of one document out of three.
    const kept = await KeptVectors.open(path, [{ secret: KEY }], await encoder.describe(), primitives);
    await packed(part, {
      meaning: { encoder, onEncoded: (texts, halves) => kept.add(texts, halves) },
    });
    await kept.close();
    await expect(enrichPackage(path, { secret: KEY, encoder: failing })).rejects.toThrow("the power is out");
    expect(await readFile(path)).toEqual(Buffer.from(byWords));
    expect((await stat(keptVectorsPath(path))).isFile()).toBe(true);
    const { meaning } = await enrichPackage(path, { secret: KEY, encoder });
    expect(meaning).toMatchObject({ encoded: 2, reused: 1 });
    expect(await readdir(folder)).toEqual(["a.mdcx"]);
    const vectors = await openedAs(withMeaning, (pkg) => blobs(pkg, ["codes", "halves"]));
    expect(await openedAs(path, (pkg) => blobs(pkg, ["codes", "halves"]))).toEqual(vectors);
  });

  it("reports how far it is, up to the end", async () => {
    await writeFile(path, byWords);
    const seen = new Map<string, [number, number]>();
    await enrichPackage(path, {
      secret: KEY,
      encoder,
      onProgress: ({ stage, done, total }) => seen.set(stage, [done, total]),
    });
    expect([...seen.keys()]).toEqual(["meaning", "copying", "sealing"]);
    for (const [stage, [done, total]] of seen) expect(done, stage).toBe(total);
  });
});

describe("calibrate", () => {
  it("leaves documents, passages, words and vectors as they are, byte for byte, and says focus-after", async () => {
    await writeFile(path, withMeaning);
    const { calibration } = await calibratePackage(path, { secret: KEY, encoder, questions: QUESTIONS });
    const before = await openedAs(withMeaning, (pkg) => ({
      contents: contentsOf(pkg),
      vectors: blobs(pkg, ["codes", "halves"]),
      probes: pkg.image.probes(),
      claims: pkg.claims,
    }));
    await openedAs(path, async (pkg) => {
      expect(contentsOf(pkg)).toEqual(before.contents);
      expect(blobs(pkg, ["codes", "halves"])).toEqual(before.vectors);
      expect(pkg.image.probes()).toEqual(before.probes);
      expect(pkg.claims).toMatchObject({
        packageId: before.claims.packageId,
        revision: 2,
        model: before.claims.model,
        answerableAt: { value: calibration.answerableAt, origin: "focus-after" },
      });
      expect(pkg.meaning.calibration).toMatchObject({ origin: "focus-after", answerableAt: calibration.answerableAt });
      for (const question of QUESTIONS) expect((await pkg.search(question)).warning).toBeUndefined();
    });
  });

  it("keeps its questions inside and puts none of them into the claims", async () => {
    await writeFile(path, withMeaning);
    const { claims } = await calibratePackage(path, { secret: KEY, encoder, questions: QUESTIONS });
    expect(await openedAs(path, (pkg) => pkg.image.calibration().map(({ question }) => question))).toEqual(QUESTIONS);
    const bytes = await readFile(path);
    for (const question of QUESTIONS) {
      expect(JSON.stringify(claims.raw)).not.toContain(question);
      for (const word of question.split(/\W+/).filter((one) => one.length > 4))
        expect(bytes.includes(word)).toBe(false);
    }
  });

  it("puts one calibration in place of the other", async () => {
    await writeFile(path, withMeaning);
    await calibratePackage(path, { secret: KEY, encoder, questions: QUESTIONS });
    const { calibration } = await calibratePackage(path, { secret: KEY, encoder, questions: QUESTIONS.slice(1) });
    await openedAs(path, (pkg) => {
      expect(pkg.claims.revision).toBe(3);
      expect(pkg.meaning.calibration?.questions).toEqual(calibration.questions);
      expect(calibration.questions.map(({ question }) => question)).toEqual(QUESTIONS.slice(1));
    });
  });

  it("refuses a package without vectors and says what gives it some", async () => {
    await writeFile(path, byWords);
    await expect(calibratePackage(path, { secret: KEY, encoder, questions: QUESTIONS })).rejects.toMatchObject({
      code: "no-meaning",
      message: expect.stringMatching(/mdcx enrich.*--meaning/) as string,
    });
    expect(await readFile(path)).toEqual(Buffer.from(byWords));
  });

  it("never judges with another model than the one that made the vectors", async () => {
    await writeFile(path, withMeaning);
    const description = await encoder.describe();
    const reversed = {
      ...bound(),
      encode: async (texts: readonly string[], role: "query" | "passage") => {
        const encoded = await encoder.encode(texts, role);
        return { ...encoded, vectors: encoded.vectors.slice().reverse() };
      },
    };
    for (const other of [
      otherUse(encoder),
      { ...bound(), describe: () => Promise.resolve({ ...description, sha256: "0".repeat(64) }) },
      // The same description and other weights: only the probes tell.
      reversed,
    ])
      await expect(calibratePackage(path, { secret: KEY, encoder: other, questions: QUESTIONS })).rejects.toMatchObject(
        { code: "other-model" },
      );
    expect(await readFile(path)).toEqual(Buffer.from(withMeaning));
  });

  it("refuses an empty question, and one too long to be kept, and changes nothing", async () => {
    await writeFile(path, withMeaning);
    for (const questions of [[], [" "], ["x".repeat(9_000)]])
      await expect(calibratePackage(path, { secret: KEY, encoder, questions })).rejects.toMatchObject({
        code: "bad-input",
      });
    expect(await readFile(path)).toEqual(Buffer.from(withMeaning));
  });
});

const changes = {
  enrich: (options: Omit<Parameters<typeof enrichPackage>[1], "encoder">) =>
    enrichPackage(path, { encoder, ...options }),
  calibrate: (options: Omit<Parameters<typeof enrichPackage>[1], "encoder">) =>
    calibratePackage(path, { encoder, questions: QUESTIONS, ...options }),
};

describe.each(Object.entries(changes))("%s", (_name, change) => {
  it("refuses a signed package without its signing key, or with another, and leaves it as it was", async () => {
    const bytes = await packedAt({ meaning: { encoder }, issuer: "Harbour office", signingKey: SIGNING_KEY });
    await expect(change({ secret: KEY })).rejects.toThrow(/signing key/);
    await expect(change({ secret: KEY, signingKey: new Uint8Array(32).fill(5) })).rejects.toThrow(/signing key/);
    expect(await readFile(path)).toEqual(Buffer.from(bytes));
    expect(await readdir(folder)).toEqual(["a.mdcx"]);
    await change({ secret: KEY, signingKey: SIGNING_KEY });
    const issuerKey = publicKeyOf(SIGNING_KEY);
    const pkg = await openPackage(path, { secret: KEY, issuerKey, minRevision: 2 });
    expect(pkg.signature).toBe("signed-by-pinned-issuer");
    await pkg.close();
  });

  it("keeps the slots whose secret is given, and asks about the others before anything is encoded", async () => {
    const slots = [{ secret: KEY, label: "ours" }, { secret: OTHER }];
    const bytes = await packedAt({ meaning: { encoder }, slots });
    encoder.asked = [];
    await expect(change({ secret: KEY })).rejects.toThrow(/would be lost \(1\)/);
    await expect(change({ secret: KEY, confirmDropped: () => false })).rejects.toThrow(/nothing was changed/);
    expect(encoder.asked.filter((text) => text.includes("Berths"))).toEqual([]);
    expect(await readFile(path)).toEqual(Buffer.from(bytes));
    const both = await change({ secret: [KEY, OTHER] });
    expect([both.kept.map(({ label }) => label), both.dropped.length]).toEqual([["ours", undefined], 0]);
    const one = await change({ secret: KEY, confirmDropped: () => true });
    expect([one.kept.length, one.dropped.length]).toEqual([1, 1]);
    await expect(openPackage(path, { secret: OTHER })).rejects.toMatchObject({ code: "wrong-secret" });
  });

  it("leaves a damaged package as it was", async () => {
    const bytes = Buffer.from(withMeaning);
    bytes[bytes.length - 100_000]! ^= 1;
    await writeFile(path, bytes);
    await expect(change({ secret: KEY })).rejects.toMatchObject({ code: "leaf-damaged" });
    expect(await readFile(path)).toEqual(bytes);
  });

  it("refuses the wrong secret and what is no package", async () => {
    await writeFile(path, withMeaning);
    await expect(change({ secret: OTHER })).rejects.toMatchObject({ code: "wrong-secret" });
    await writeFile(path, "something else");
    await expect(change({ secret: KEY })).rejects.toMatchObject({ code: "not-a-package" });
    expect(await readFile(path, "utf8")).toBe("something else");
  });
});
