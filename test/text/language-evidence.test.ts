import { describe, expect, it } from "vitest";
import { foreignLetters } from "../../src/text/alphabets.js";
import { languageEvidence } from "../../src/text/language-evidence.js";

describe("letters that a language does not write", () => {
  it.each([
    ["Gemiler limandan ayrılıyor", "tr", 0],
    ["aışş", "es", 3 / 4],
    ["¿Cuándo salen?", "es", 0],
    ["Когда корабли", "ru", 0],
    ["эы", "bg", 1],
    ["Київ", "ru", 1 / 4],
    ["باریک", "ar", 2 / 5],
    ["12 %", "de", 0],
    ["naïve", "xx", 0],
  ])("of %j in %s are %f of them", (text, language, share) => {
    expect(foreignLetters(text, language)).toBe(share);
  });
});

describe("the evidence in a question", () => {
  it("is its script, where one language writes it", async () => {
    expect(await languageEvidence("船什么时候离开港口？")).toMatchObject({ script: "zh", candidates: [] });
  });

  it("leaves out what is the same in every language", async () => {
    const bare = await languageEvidence("Was macht der Schalter?");
    const dressed = await languageEvidence("Was macht der Schalter --force GPU libssl3 getElementById() ERR_X $HOME?");
    expect(dressed).toEqual(bare);
  });

  it("weighs letters, function words and trigrams of every language of the alphabet", async () => {
    const { candidates, words, latin } = await languageEvidence("Gemiler limandan ne zaman ayrılıyor ve nereye?");
    const turkish = candidates.find(({ language }) => language === "tr")!;
    const spanish = candidates.find(({ language }) => language === "es")!;
    expect({ words, latin, foreign: turkish.foreign }).toEqual({ words: 7, latin: true, foreign: 0 });
    expect(turkish.functionWords).toBeGreaterThan(spanish.functionWords);
    expect(spanish.foreign).toBeGreaterThan(0);
    expect(turkish.trigrams).toBe(1);
  });

  it("is none in a text with hardly a letter", async () => {
    expect((await languageEvidence("42 §")).candidates).toEqual([]);
  });
});
