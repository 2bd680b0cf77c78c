import { describe, expect, it } from "vitest";
import { unfamiliar, unknownByPackage, type Wordy } from "../../src/ranking/unfamiliar.js";
import { indexWords } from "../../src/text/words.js";
import { indexOf } from "../words/memory-streams.js";

async function packageOf(texts: readonly (readonly [text: string, language: string])[]): Promise<Wordy> {
  const words = await indexOf(texts.map(([text, language]) => ({ words: indexWords(text), language })));
  return { words, languages: [...new Set(texts.map(([, language]) => language))] };
}

const english = await packageOf([
  ["The controller shows the error E4710 when the pump has no water. Fill the tank and start the pump again.", "en"],
  ["The colour of the wire tells which phase it carries: the brown wire is the first phase.", "en"],
]);
const german = await packageOf([
  ["Die Steuerung zeigt den Fehler E4710, wenn die Pumpe kein Wasser hat. Füllen Sie den Tank.", "de"],
]);

describe("what is unfamiliar in a question", () => {
  it("is nothing where the corpus holds all its words, in whatever inflection", async () => {
    expect(await unfamiliar(english, "The pumps show errors when the tank has no water.")).toEqual({
      terms: [],
      share: 0,
      language: "en",
      crossLanguage: false,
    });
  });

  it("is an error code that is not in the manual, though its neighbour is", async () => {
    const { terms, share } = await unfamiliar(english, "The controller shows error E4711");
    expect(terms).toEqual(["e4711"]);
    expect(share).toBe(1 / 5);
  });

  it("is counted by distinct terms: a word that is asked twice weighs no more", async () => {
    expect((await unfamiliar(english, "pump gasket, gasket, gasket")).share).toBe(1 / 2);
  });

  it("is nothing in a text without a term", async () => {
    for (const text of ["", "?!", "a b"])
      expect(await unfamiliar(english, text)).toMatchObject({ terms: [], share: 0 });
  });
});

describe("whether a question crosses languages", () => {
  it("is decided by the language, though most of its words are known", async () => {
    const codes = await packageOf([
      ["Fehler E4710 E4711 E4712 Pumpe Tank Wasser Phase Controller pump tank controller", "de"],
    ]);
    const { share, crossLanguage } = await unfamiliar(
      codes,
      "What should I do when the controller of the pump shows E4711 and the tank is full of water?",
    );
    expect(share).toBeLessThan(1);
    expect(crossLanguage).toBe(true);
  });

  it("is not decided by the share: hardly a word known, and yet the same language", async () => {
    const question = "Which mushrooms grow beneath old oaks in autumn, and are they poisonous?";
    const { share, crossLanguage } = await unfamiliar(english, question);
    expect(share).toBeGreaterThan(0.5);
    expect(crossLanguage).toBe(false);
    expect(await unfamiliar(german, question)).toMatchObject({ language: "en", crossLanguage: true });
  });

  it("is no where the language cannot be told, of the question or of the documents", async () => {
    expect(await unfamiliar(german, "E4711")).toMatchObject({
      language: "und",
      crossLanguage: false,
      terms: ["e4711"],
    });
    const table = await packageOf([["17 24 99 AX7", "und"]]);
    expect(await unfamiliar(table, "Which of the values in this table is the largest one?")).toMatchObject({
      language: "en",
      crossLanguage: false,
    });
  });
});

describe("unknown words by package", async () => {
  const question = "Why does the controller of the pump show the error E4711?";
  const packages = [
    { id: "en", ...english },
    { id: "de", ...german },
    {
      id: "all",
      ...(await packageOf([["Why does the controller of the pump show the error E4711? It is out of water.", "en"]])),
    },
    { id: "other", ...(await packageOf([["The harbour master shows the mooring to the crew of the ship.", "en"]])) },
  ];

  it("are each package's own, without those that know all and those in another language", async () => {
    const unknown = await unknownByPackage(packages, question, "en");
    expect(Object.keys(unknown)).toEqual(["en", "other"]);
    expect(unknown.en).toEqual(["why", "does", "e4711"]);
    expect(unknown.other).toEqual(["why", "does", "controller", "pump", "error", "e4711"]);
  });

  it("are named for every package where the question's language cannot be told", async () => {
    expect(Object.keys(await unknownByPackage(packages, "E4711", "und"))).toEqual(["en", "de", "other"]);
  });
});
