import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { Encoder } from "../../src/meaning/encoder.js";
import { openEncoder } from "../../src/pack-entry.js";
import { CEILING_CHARACTERS, cutBySense, passageRuleMeta } from "../../src/semantic-passages.js";
import { CEILING_TOKENS, cutDocument, FLOOR_CHARACTERS, type PassageCut } from "../../src/text/passages.js";

const encoder = openEncoder();
afterAll(() => encoder.close());

/** Three subjects, one after another without a heading or a blank line. */
const SUBJECTS = [
  "The bakery lights its oven at two in the morning. The dough for the rye bread has rested since the evening before. " +
    "A loaf is slashed with a razor just before it goes in. After fifty minutes the baker knocks on the crust and listens. " +
    "Bread that sounds hollow is done and cools on a wooden rack. ",
  "Saturn has rings of ice that are only a few dozen metres thick. The gap in them was first seen by an astronomer in Paris. " +
    "Its largest moon has an atmosphere denser than that of the Earth. A space probe circled the planet for thirteen years. " +
    "In the end it was steered into the clouds so that it would not fall on a moon. ",
  "A tenant may deduct part of the rent while the heating fails. The landlord must be told of the defect in writing first. " +
    "How much may be deducted depends on the season and on the number of rooms. Courts have granted half of the rent in January. " +
    "Whoever deducts too much risks that the lease is terminated.",
];

function texts(markdown: string, passages: readonly PassageCut[]): string[] {
  const bytes = new TextEncoder().encode(markdown);
  return passages.map(({ start, end }) =>
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(start, end)),
  );
}

/** Directions by the letters of a text: what tiles must tile whatever an encoder says. */
const byLetters: Encoder = {
  describe: () => Promise.reject(new Error("not asked")),
  encode: (list) => {
    const vectors = new Float32Array(list.length * 8);
    list.forEach((text, row) => {
      for (const letter of text) vectors[row * 8 + (letter.codePointAt(0)! % 8)]! += 1;
      const vector = vectors.subarray(row * 8, row * 8 + 8);
      const length = Math.hypot(...vector) || 1;
      vector.forEach((value, i) => (vector[i] = value / length));
    });
    return Promise.resolve({ vectors, windowed: 0, tokens: 0 });
  },
  close: () => Promise.resolve(),
};

describe("passages cut by meaning", () => {
  it("begin where a wall of text turns to another subject", async () => {
    const wall = SUBJECTS.join("");
    const { passages } = await cutBySense(wall, encoder);
    const ends = texts(wall, passages).map((text) => text.trim());
    for (const subject of SUBJECTS) expect(ends.some((text) => subject.trim().endsWith(text))).toBe(true);
    // By size alone the first passage runs into the second subject.
    expect(texts(wall, cutDocument(wall).passages)[0]).toContain("Saturn");
  });

  it("follow headings, tables and code as those cut by structure do", async () => {
    const path = new URL("../../bench/golden/documents/operations/raw-water-pump-hx40.md", import.meta.url);
    const markdown = readFileSync(path, "utf8");
    const bySense = (await cutBySense(markdown, encoder)).passages;
    const byStructure = cutDocument(markdown).passages;
    const tables = (all: readonly PassageCut[]) =>
      texts(
        markdown,
        all.filter(({ kind }) => kind === "table"),
      );
    expect(tables(bySense)).toEqual(tables(byStructure));
    expect(new Set(bySense.map(({ heading }) => heading.join()))).toEqual(
      new Set(byStructure.map(({ heading }) => heading.join())),
    );
  });

  it("tile any document, under both ceilings and over the floor", async () => {
    const sentence = fc.array(
      fc.constantFrom("eel ", "oak. ", "# ", "\n\n", "水。", "| a | b |\n", "```\n", "x".repeat(90), "🜁? "),
      {
        maxLength: 400,
      },
    );
    await fc.assert(
      fc.asyncProperty(sentence, async (words) => {
        const markdown = words.join("");
        const { passages } = await cutBySense(markdown, byLetters);
        expect(texts(markdown, passages).join("")).toBe(markdown);
        for (const text of texts(markdown, passages))
          expect(text.trim().length).toBeLessThanOrEqual(CEILING_CHARACTERS);
        for (const { tokens } of passages) expect(tokens).toBeLessThanOrEqual(CEILING_TOKENS + 1);
        const short = texts(markdown, passages).filter((text) => text.trim().length < FLOOR_CHARACTERS);
        if (passages.length > 1) expect(short.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 150, seed: 7 },
    );
  });

  it("are named with version and figures in what a package records", () => {
    expect(passageRuleMeta("structure")["rule:passages"]).toBe("1");
    expect(passageRuleMeta("semantic")["rule:passages"]).toBe("semantic 1");
    expect(passageRuleMeta("semantic")["passages:figures"]).toMatch(
      /^nearness 0\.\d+, ceiling 3000 characters, ceiling 400 tokens/,
    );
  });
});
