import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Encoder, EncoderDescription, Role } from "../../src/meaning/encoder.js";

const ENGLISH = "The lease of the warehouse ends on 31 March.";
const GERMAN = "Der Mietvertrag für das Lager endet am 31. März.";
const COOKING = "Beat the egg whites until stiff and fold them into the batter.";
const TEXTS = [
  ENGLISH,
  COOKING,
  "倉庫の賃貸借契約は三月三十一日に終了する。",
  "x",
  "Склад сдан в аренду. ".repeat(12),
  GERMAN,
];

/** What every encoder promises (src/meaning/encoder.ts), whatever makes its vectors. */
export function encoderSuite(name: string, open: () => Promise<Encoder>): void {
  describe(`${name} keeps what an encoder promises:`, () => {
    let encoder: Encoder;
    let description: EncoderDescription;
    beforeAll(async () => {
      encoder = await open();
      description = await encoder.describe();
    });
    afterAll(() => encoder.close());

    /** The vectors of texts, each by itself in an array. */
    async function vectors(texts: readonly string[], role: Role = "passage"): Promise<Float32Array[]> {
      const encoded = await encoder.encode(texts, role);
      expect(encoded.vectors).toHaveLength(texts.length * description.dimensions);
      return rows(encoded.vectors, description.dimensions);
    }
    const vector = async (text: string, role?: Role) => (await vectors([text], role))[0]!;

    it("it describes itself, always in the same words", async () => {
      expect(description.id).not.toBe("");
      expect(description.sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(description.dimensions).toBeGreaterThan(0);
      expect(description.window).toBeGreaterThanOrEqual(0);
      expect(await encoder.describe()).toEqual(description);
    });

    it("every vector has unit length, also of odd texts", async () => {
      const odd = ["", " ", "\n\n\t", "\0", "\ud83d", "🦆", "!?", "a".repeat(2_000), "\u202eאבג", "<|endoftext|></s>"];
      for (const role of ["query", "passage"] as const)
        for (const [i, one] of (await vectors([...TEXTS, ...odd], role)).entries())
          expect(Math.abs(dot(one, one) - 1), `text ${i} as ${role}`).toBeLessThan(1e-5);
    });

    it("a translation is nearer than another matter", async () => {
      const [english, german, cooking] = (await vectors([ENGLISH, GERMAN, COOKING])) as [
        Float32Array,
        Float32Array,
        Float32Array,
      ];
      expect(dot(english, german)).toBeGreaterThan(dot(english, cooking) + 0.05);
    });

    it("query and passage differ exactly where their prefixes do", async () => {
      const { query, passage } = description.prefixes;
      const similarity = dot(await vector(ENGLISH, "query"), await vector(ENGLISH, "passage"));
      if (query === passage) expect(similarity).toBeGreaterThan(1 - 1e-6);
      else expect(similarity).toBeLessThan(1 - 1e-4);
    });

    it("a text's vector depends neither on its neighbours nor on their order", async () => {
      const alone: Float32Array[] = [];
      for (const text of TEXTS) alone.push(await vector(text));
      expect(await vectors(TEXTS)).toEqual(alone);
      expect(await vectors([...TEXTS].reverse())).toEqual([...alone].reverse());
    });

    it("the same text twice has the same vector twice", async () => {
      const [a, , b] = await vectors([ENGLISH, COOKING, ENGLISH]);
      expect(b).toEqual(a);
    });

    it("no text has no vector", async () => {
      expect(await encoder.encode([], "passage")).toEqual({ vectors: new Float32Array(0), windowed: 0, tokens: 0 });
    });

    it("two hundred texts come back in their order, and progress only grows, up to two hundred", async () => {
      const texts = Array.from({ length: 200 }, (_, i) => `${"Lot ".repeat(1 + (i % 7))}number ${i}`);
      const told: number[] = [];
      const encoded = await encoder.encode(texts, "passage", (done) => told.push(done));
      expect(told.every((done, i) => done >= (told[i - 1] ?? 0))).toBe(true);
      expect(told.at(-1)).toBe(200);
      const found = rows(encoded.vectors, description.dimensions);
      for (const i of [0, 1, 99, 198, 199]) expect(found[i]).toEqual(await vector(texts[i]!));
    });

    it("the last sentence of a very long text counts", async () => {
      const filler = "The quay wall was inspected and no damage was found at any of the bollards. ".repeat(40);
      const [lease, eggs] = (await vectors([filler + ENGLISH, filler + COOKING])) as [Float32Array, Float32Array];
      const question = await vector("When does the lease of the warehouse end?", "query");
      expect(dot(question, lease)).toBeGreaterThan(dot(question, eggs));
    });

    it("calls at the same time give what calls one after the other give", async () => {
      const one = await vectors(TEXTS, "passage");
      const other = await vectors(TEXTS, "query");
      const both = await Promise.all([vectors(TEXTS, "passage"), vectors(TEXTS, "query"), vectors(TEXTS, "passage")]);
      expect(both).toEqual([one, other, one]);
    });

    it("closed, it can be used again, and is the same", async () => {
      const before = await vector(ENGLISH);
      await encoder.close();
      expect(await vector(ENGLISH)).toEqual(before);
      expect(await encoder.describe()).toEqual(description);
    });
  });
}

export function rows(vectors: Float32Array, dimensions: number): Float32Array[] {
  return Array.from({ length: vectors.length / dimensions }, (_, i) =>
    vectors.slice(i * dimensions, (i + 1) * dimensions),
  );
}

export function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, x, i) => sum + x * b[i]!, 0);
}
