import { describe, expect, it } from "vitest";
import { indexWords } from "../../src/text/words.js";
import { unknownTerms, vocabulary } from "../../src/words/vocabulary.js";
import { indexOf } from "./memory-streams.js";

const texts: readonly (readonly [string, string])[] = [
  ["The GPU of the café renders 3 scenes; die casting is explained.", "en"],
  ["A GPU costs more than a CPU in Les Misérables.", "en"],
  ["机器学习的历史", "zh"],
];
const passages = texts.map(([text, language]) => ({ words: indexWords(text), language }));

describe("the vocabulary of a package", () => {
  it("says how many passages hold a term, case and accents folded, function words kept", async () => {
    const { documentFrequency, rule, passages: count } = vocabulary(await indexOf(passages));
    expect(documentFrequency.get("gpu")).toBe(2);
    expect(documentFrequency.get("cafe")).toBe(1);
    expect(documentFrequency.get("die")).toBe(1);
    expect(documentFrequency.get("les")).toBe(1);
    expect(count).toBe(3);
    expect(rule).toContain("3 characters");
  });

  it("has terms of three characters or more, and single characters where a script does not separate words", async () => {
    const { documentFrequency } = vocabulary(await indexOf(passages));
    expect(documentFrequency.has("of")).toBe(false);
    expect(documentFrequency.get("机")).toBe(1);
    expect(documentFrequency.has("机器")).toBe(false);
  });
});

describe("unknown terms", () => {
  it("are those that the index would have recorded and never saw", async () => {
    const index = await indexOf(passages);
    expect(await unknownTerms(index, "Which GPU renders patagonia in 4K?")).toEqual(["which", "patagonia"]);
    expect(await unknownTerms(index, "机器翻译")).toEqual(["翻", "译"]);
  });

  it("are none in a question that the corpus answers, in whatever inflection", async () => {
    const index = await indexOf(passages);
    expect(await unknownTerms(index, "GPUs rendering the scene of a CAFÉ")).toEqual([]);
  });

  it("are folded before they are looked up", async () => {
    expect(await unknownTerms(await indexOf(passages), "GPU Café MISÉRABLES")).toEqual([]);
  });

  it.each([
    ["de", "Der Leuchtturmwärter schläft.", "Leuchtturm"],
    ["ko", "비밀번호는 서랍에 있다.", "비밀번호"],
    ["ko", "비밀번호는 서랍에 있다.", "비밀번호를"],
    ["ko", "암호는 길다.", "암호를"],
    ["he", "הסיסמה נמצאת במגירה.", "סיסמה"],
    ["he", "סיסמה ארוכה.", "והסיסמה"],
    ["fa", "والمدرسة", "بالمدرسة"],
    ["el", "Δώστε τον κωδικό.", "κωδικός"],
    ["pl", "Nie ma hasła.", "hasło"],
  ])("are no words that the package has with what %s adds to them: %s, asked for %s", async (language, text, asked) => {
    const index = await indexOf([{ words: indexWords(text), language }]);
    expect(await unknownTerms(index, asked)).toEqual([]);
  });

  it.each([
    ["de", "Der Leuchtturmwärter schläft.", "Turm", "turm"],
    ["en", "The scenery is portable.", "sceneries por", "por"],
    ["en", "The harbour master.", "harbouring harbinger", "harbinger"],
    ["ko", "비밀번호는 서랍에 있다.", "번호판", "번호판"],
    ["he", "הסיסמה נמצאת במגירה.", "מפתח", "מפתח"],
    ["pl", "Numer 20262 i 2026113.", "20261", "20261"],
    ["el", "Δώστε τον κωδικό.", "κώδικας", "κωδικασ"],
  ])("are still those that are only somewhat alike, in %s: %s, asked for %s", async (language, text, asked, term) => {
    const index = await indexOf([{ words: indexWords(text), language }]);
    expect(await unknownTerms(index, asked)).toEqual([term]);
  });
});
