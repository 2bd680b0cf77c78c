import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MdcxError, openPackage, type Package } from "../../src/index.js";
import type { Encoder } from "../../src/meaning/encoder.js";
import { openEncoder } from "../../src/node/encoder/open.js";
import { HARBOUR } from "../cli/mdcx.js";
import { KEY, packed, type Folder } from "./in-memory.js";

const encoder = openEncoder();
afterAll(() => encoder.close());

/** An encoder whose closing is another's business. */
const lent = (): Encoder => ({
  describe: () => encoder.describe(),
  encode: (texts, role, onProgress) => encoder.encode(texts, role, onProgress),
  close: () => Promise.resolve(),
});

const refusing: Encoder = {
  describe: () => Promise.reject(new Error("the encoder was asked to describe itself")),
  encode: () => Promise.reject(new Error("the encoder was asked")),
  close: () => Promise.resolve(),
};

function harbour(): Folder {
  return Object.fromEntries(
    readdirSync(HARBOUR, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [path.slice(HARBOUR.length + 1), readFileSync(path)];
      }),
  );
}

async function withMeaning(folder: Folder, focus?: string[]): Promise<Package> {
  const { bytes } = await packed(folder, { meaning: { encoder, ...(focus && { focus }) } });
  return openPackage(bytes, { secret: KEY, encoder: lent });
}

const first = async (pkg: Package, question: string, mode: "auto" | "words" | "meaning"): Promise<string | undefined> =>
  (await pkg.search(question, { mode })).passages[0]?.document;

describe("a package with meaning", () => {
  let pkg: Package;
  beforeAll(async () => {
    pkg = await withMeaning(harbour());
  });
  afterAll(() => pkg.close());

  it("answers a question in a language that no document has, by what it means", async () => {
    const { passages } = await pkg.search("Vinç 16 metre yarıçapta kaç kilogram kaldırabilir?");
    expect(passages[0]?.document).toBe("@/operations/quay-crane.md");
    expect(passages[0]?.foundBy).toEqual(["meaning"]);
  });

  it("does not put a document first because it is in the question's language", async () => {
    const { passages } = await pkg.search("¿Cómo se calibra el anemómetro?");
    expect(passages[0]?.document).toBe("@/measuring/étalonnage-anémomètre.md");
  });

  it("says of each passage what found it, and gives no score", async () => {
    const reply = await pkg.search("Where is the spare key of the stilling well?");
    expect(reply.passages[0]?.foundBy).toEqual(["word", "meaning"]);
    expect(reply.passages.map(({ rank }) => rank)).toEqual(reply.passages.map((_, i) => i + 1));
    for (const passage of reply.passages) expect(Object.keys(passage).join()).not.toMatch(/score|similarity|cosine/i);
  });

  it("says once a reply how near it comes, and that as a true cosine", async () => {
    const { similarity, answerableAt, band, warning } = await pkg.search(
      "How many kilograms can the crane lift at a radius of 16 metres?",
    );
    expect(similarity).toBeGreaterThan(0.7);
    expect(similarity).toBeLessThanOrEqual(1);
    expect(answerableAt).toBeGreaterThan(0.7);
    expect(band).toBeDefined();
    expect(warning).toBeUndefined();
  });

  it("warns of a question about something else, and returns the nearest passages all the same", async () => {
    const reply = await pkg.search("How long must lentils be soaked before they are cooked with bacon?");
    expect(reply.warning).toMatch(/./);
    expect(reply.passages.length).toBeGreaterThan(0);
  });

  it("does not warn of a short question whose words stand together in a passage, far as it seems by meaning", async () => {
    const question = "Where is the spare key of the stilling well?";
    expect((await pkg.search(question)).warning).toBeUndefined();
    expect((await pkg.search(question)).passages[0]?.document).toBe("@/measuring/calibrating-the-tide-gauge.md");
  });

  it("asks words alone or meaning alone where that is wanted", async () => {
    const words = await pkg.search("Where is the spare key of the stilling well?", { mode: "words" });
    expect(words.similarity).toBeUndefined();
    expect(new Set(words.passages.flatMap(({ foundBy }) => foundBy))).toEqual(new Set(["word"]));
    const meaning = await pkg.search("Where is the spare key of the stilling well?", { mode: "meaning" });
    expect(new Set(meaning.passages.flatMap(({ foundBy }) => foundBy))).toEqual(new Set(["meaning"]));
  });

  it("gives the same answer every time", async () => {
    const ids = async (): Promise<string[]> =>
      (await pkg.search("Who may moor at night?", { limit: 20 })).passages.map(({ id }) => id);
    expect(await ids()).toEqual(await ids());
  });

  it("holds passages to a quoted phrase, whatever finds them", async () => {
    const { passages } = await pkg.search('"stilling well"');
    expect(passages.length).toBeGreaterThan(0);
    for (const { text } of passages) expect(text.replace(/\s+/g, " ").toLowerCase()).toContain("stilling well");
  });

  it("states the model and from where it answers in its claims, without the key", () => {
    expect(pkg.claims.model).toMatchObject({ id: "intfloat/multilingual-e5-small", dimensions: 384 });
    expect(pkg.claims.answerableAt?.origin).toBe("estimated");
  });
});

describe("a package without meaning", () => {
  it("loads no encoder, in any mode that words can answer", async () => {
    const { bytes } = await packed({ "a.md": "# Tides\n\nThe tide gauge stands at the pier." });
    const pkg = await openPackage(bytes, { secret: KEY, encoder: () => refusing });
    expect(await first(pkg, "tide gauge", "auto")).toBe("@/a.md");
    expect(await first(pkg, "tide gauge", "words")).toBe("@/a.md");
    expect((await pkg.search("tide gauge")).meaningUnavailable).toBeUndefined();
    expect(await pkg.closeness("tide gauge")).toBeUndefined();
    await pkg.close();
  });

  it("says what to do when it is asked by meaning", async () => {
    const { bytes } = await packed({ "a.md": "# Tides\n\nThe tide gauge stands at the pier." });
    const pkg = await openPackage(bytes, { secret: KEY, encoder: () => refusing });
    await expect(pkg.search("tide", { mode: "meaning" })).rejects.toThrow(/no vectors.*mdcx enrich/);
    await pkg.close();
  });
});

describe("an encoder that is not the package's", () => {
  const folder = {
    "a.md": "# Tides\n\nThe tide gauge stands at the pier.",
    "b.md": "# Fees\n\nMooring costs nine euros.",
  };

  async function openedWith(other: Partial<Encoder>): Promise<Package> {
    const { bytes } = await packed(folder, { meaning: { encoder } });
    return openPackage(bytes, { secret: KEY, encoder: () => ({ ...lent(), ...other }) });
  }

  it("of other weights under the same name and width switches meaning off, with the reason", async () => {
    const pkg = await openedWith({
      encode: async (texts, role) => {
        const encoded = await encoder.encode(texts, role);
        // The same numbers in other places: unit vectors of the right width, and of another model.
        const vectors = encoded.vectors.slice();
        for (let at = 0; at < vectors.length; at += 384) vectors.subarray(at, at + 384).reverse();
        return { ...encoded, vectors };
      },
    });
    const reply = await pkg.search("tide gauge");
    expect(reply.passages[0]?.document).toBe("@/a.md");
    expect(reply.passages[0]?.foundBy).toEqual(["word"]);
    expect(Object.values(reply.meaningUnavailable ?? {})[0]).toMatchObject({ state: "mismatch" });
    expect(reply.warning).toBeUndefined();
    expect(await pkg.answers("tide gauge")).toBeUndefined();
    await pkg.close();
  });

  it("that fails at a question leaves words to answer it, and says so", async () => {
    let asked = 0;
    const pkg = await openedWith({
      // The probes come first, as passages and as questions.
      encode: (texts, role) =>
        texts.includes("tide gauge") && ++asked > 0
          ? Promise.reject(new MdcxError("encoder-failed", "The server has gone."))
          : encoder.encode(texts, role),
    });
    const reply = await pkg.search("tide gauge");
    expect(asked).toBe(1);
    expect(reply.passages[0]?.foundBy).toEqual(["word"]);
    expect(Object.values(reply.meaningUnavailable ?? {})[0]).toMatchObject({
      state: "failed",
      reason: "The server has gone.",
    });
    await expect(pkg.search("tide gauge", { mode: "meaning" })).rejects.toThrow("The server has gone.");
    await pkg.close();
  });

  it("of another file is not even tried", async () => {
    const description = await encoder.describe();
    const pkg = await openedWith({
      describe: () => Promise.resolve({ ...description, sha256: "0".repeat(64) }),
      encode: () => Promise.reject(new Error("it was tried")),
    });
    expect(await pkg.meaning.state()).toMatchObject({ state: "mismatch" });
    await pkg.close();
  });
});

describe("the end of a long passage", () => {
  it("is found by meaning: what lies behind the model's window is read in a window of its own", async () => {
    // One cell that no rule divides: far more tokens than the window has.
    const filler = Array.from({ length: 260 }, (_, i) => `column${i} holds ${i * 37} crates of rope`).join("; ");
    const folder = {
      "long.md": `# Stores\n\n| list |\n|---|\n| ${filler}; the lighthouse lamp is replaced every seventh year |\n`,
      "other.md": "# Fees\n\nMooring costs nine euros a night for boats under ten metres.",
    };
    const { bytes, summary } = await packed(folder, { meaning: { encoder } });
    const pkg = await openPackage(bytes, { secret: KEY, encoder: lent });
    expect(await first(pkg, "How often does one change the light bulb in the beacon?", "meaning")).toBe("@/long.md");
    expect(summary.meaning?.windowed ?? 0).toBeGreaterThanOrEqual(0);
    await pkg.close();
  });
});

describe("calibration from focus questions", () => {
  it("takes the cut from the weakest of them, and says so", async () => {
    const pkg = await withMeaning(harbour(), [
      "Who may moor at night?",
      "Where is the spare key of the stilling well?",
    ]);
    expect(pkg.claims.answerableAt?.origin).toBe("focus");
    for (const question of ["Who may moor at night?", "Where is the spare key of the stilling well?"])
      expect((await pkg.search(question)).warning).toBeUndefined();
    await pkg.close();
  });
});
