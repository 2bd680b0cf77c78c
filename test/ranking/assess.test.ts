import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPackage, type Package } from "../../src/index.js";
import { openEncoder } from "../../src/node/encoder/open.js";
import { assess } from "../../src/ranking/assess.js";
import { KEY, packed } from "../package/in-memory.js";

const FOLDER = {
  "pump.md":
    "# Faults of the bilge pump\n\nThe display of the bilge pump shows the error E4710 when the strainer is blocked. Switch the pump off and clean the strainer.\n",
  "crane.md":
    "# The harbour crane\n\nThe crane lifts loads of up to twelve tonnes. Its rope is inspected every six months, and replaced when a strand is broken.\n",
  "colouring.md":
    "# Colouring a graph\n\nA colouring gives every vertex of the graph a colour, so that no two neighbours have the same one. How many colours it needs is hard to tell: four do for every map.\n",
  "tide.md":
    "# The tide gauge\n\nThe gauge records the water level every ten minutes. Its float hangs in the stilling well, whose spare key is in the office.\n",
};
/** As people ask: few words, so that what is answered need not be near to the letter. */
const FOCUS = [
  "What is wrong with the pump?",
  "Is the crane safe?",
  "How many colours does it need?",
  "Where is the key?",
];
const encoder = openEncoder(undefined, { threads: 1 });
let pkg: Package;
let wordsOnly: Package;
beforeAll(async () => {
  const { bytes } = await packed(FOLDER, { meaning: { encoder, focus: FOCUS } });
  pkg = await openPackage(bytes, { secret: KEY, encoder: () => encoder });
  wordsOnly = await openPackage((await packed(FOLDER)).bytes, { secret: KEY });
}, 60_000);
afterAll(async () => {
  await pkg.close();
  await wordsOnly.close();
  await encoder.close();
});

describe("an assessment shows, side by side,", () => {
  it("that a question is answered here, and that all its words are known", async () => {
    const found = await pkg.assess("How many colours the colouring of every map needs");
    expect(found).toMatchObject({ answers: true, unknownTerms: [], share: 0, crossLanguage: false });
    expect(found.similarity).toBeGreaterThan(found.answerableAt!);
    expect(found.similarity).toBeLessThanOrEqual(1);
  });

  it.each([
    [
      "an error code that is not in the manual, while its neighbour is",
      "What does E4711 on the display of the bilge pump mean?",
      "e4711",
    ],
    [
      "a homonym near by meaning, whose deciding word is unknown",
      "How many colours does the colouring of a knot need?",
      "knot",
    ],
    [
      "another one, a bird and no machine",
      "What are the feathers of the crane, and how often are they replaced?",
      "feathers",
    ],
    ["a name that nobody here has", "How often did Hallgrimsson inspect the rope of the crane?", "hallgrimsson"],
    [
      "a word on the fringe of a question that is answered, which refuses nothing",
      "How often is the rope of the crane inspected in Patagonia?",
      "patagonia",
    ],
  ])("%s", async (_, question, unknown) => {
    const found = await pkg.assess(question);
    expect(found).toMatchObject({ answers: true, crossLanguage: false });
    expect(found.unknownTerms).toContain(unknown);
    expect(found.share).toBeGreaterThan(0);
  });

  it("that nothing here is about a question, by both", async () => {
    const found = await pkg.assess("How long must bread dough rise before it is baked?");
    expect(found).toMatchObject({ answers: false, band: "none", crossLanguage: false });
    expect(found.share).toBeGreaterThan(0.5);
  });

  it("that a question in another language is near, whose words could not be known", async () => {
    const found = await pkg.assess("Wie oft wird das Seil des Krans geprüft?");
    expect(found).toMatchObject({ answers: true, share: 1, crossLanguage: true });
  });

  it("what the words say, where the package has no meaning", async () => {
    const found = await wordsOnly.assess("What does E4711 on the display of the bilge pump mean?");
    const { terms, share } = await wordsOnly.unfamiliar("What does E4711 on the display of the bilge pump mean?");
    expect(found).toEqual({
      similarity: null,
      answerableAt: null,
      band: null,
      answers: null,
      unknownTerms: terms,
      share,
      crossLanguage: false,
    });
    expect(terms).toContain("e4711");
  });
});

describe("neither signal overrules the other", () => {
  const words = { terms: ["e4711"], share: 0.5, language: "en", crossLanguage: false };
  it.each([
    { similarity: 0.9, answerableAt: 0.8, band: "strong", answers: true },
    { similarity: 0.7, answerableAt: 0.8, band: "none", answers: false },
    { similarity: 0.7, answerableAt: null, band: null, answers: null },
  ] as const)("whatever meaning says: $band", (nearness) => {
    for (const one of [words, { ...words, terms: [], share: 0 }, { ...words, share: 1, crossLanguage: true }]) {
      const { terms, share, crossLanguage } = one;
      expect(assess(one, nearness)).toEqual({ ...nearness, unknownTerms: terms, share, crossLanguage });
    }
  });
});
