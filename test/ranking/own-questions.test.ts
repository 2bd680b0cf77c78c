import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evenly, ownQuestions, questionsOf } from "../../src/ranking/own-questions.js";
import { FOREIGN_QUESTIONS } from "../../src/ranking/foreign-questions.js";

const LETTERS =
  "The mast is laid down in the long shed in October. The sails are rinsed and dried for two days before winter.";

describe("passages to be asked", () => {
  it("are spread evenly, ascending, each once, and all where they are few", () => {
    expect(evenly(3, 200)).toEqual([0, 1, 2]);
    expect(evenly(0, 200)).toEqual([]);
    expect(evenly(1_000, 4)).toEqual([125, 375, 625, 875]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 1, max: 200 }), (count, most) => {
        const numbers = evenly(count, most);
        expect(numbers).toHaveLength(Math.min(count, most));
        expect(new Set(numbers).size).toBe(numbers.length);
        expect([...numbers].sort((a, b) => a - b)).toEqual(numbers);
        expect(numbers.at(-1)).toBeLessThan(count);
      }),
      { seed: 5 },
    );
  });
});

describe("a passage's own questions", () => {
  it("are its sentences, whole where they are short", () => {
    expect(questionsOf(LETTERS.repeat(2), 4)[0]).toBe("The mast is laid down in the long shed in October.");
  });

  it("are neither headings nor the lines of a table", () => {
    const text =
      "Storage\n## Winter storage\n| --- | --- |\n\nThe batteries go into the heated cellar. The oars stay in the racks at the door.";
    for (const question of questionsOf(text, 4)) expect(question).not.toMatch(/[#|]/);
  });

  it.each([
    ["Chinese", "船桅在十月底之前放倒在长棚里。船帆用清水冲洗，晾两天后挂在横梁上。电池放进有暖气的地下室。"],
    [
      "Japanese",
      "マストは十月末までに長い倉庫に寝かせます。帆は真水で洗い、二日間乾かします。電池は地下室に置きます。",
    ],
    ["Hindi", "मस्तूल को लंबे शेड में रखा जाता है। पाल को साफ पानी से धोया जाता है। बैटरी तहखाने में जाती है।"],
    ["Arabic", "يوضع الصاري في المخزن الطويل. هل تُغسل الأشرعة بالماء العذب؟ توضع البطاريات في القبو الدافئ."],
  ])("end with sentences in %s too", (_, text) => {
    const questions = questionsOf(text, 4);
    expect(questions.length).toBeGreaterThan(1);
    for (const question of questions) expect(text).toContain(question.slice(0, 8));
  });

  it("are never the passage itself, and never end within a character or, where words are spaced, within a word", () => {
    const long = "unbroken ".repeat(80);
    expect(questionsOf(long, 1)[0]).toMatch(/^(unbroken )*unbroken$/);
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 120, maxLength: 400 }), (text) => {
        for (const question of questionsOf(text, 4)) {
          expect(question.length).toBeLessThan(text.length);
          expect(() => encodeURIComponent(question)).not.toThrow();
        }
      }),
      { seed: 5 },
    );
  });

  it("are several where passages are few, and one each where there are many", () => {
    const many = Array.from({ length: 60 }, (_, i) => i);
    const text = () => LETTERS.repeat(4);
    expect(ownQuestions(many, text)).toHaveLength(60);
    const few = ownQuestions([3, 7], (passage) => `${passage} boats are here. ${LETTERS}`);
    expect(few.length).toBeGreaterThan(2);
    expect(new Set(few.map(({ passage }) => passage))).toEqual(new Set([3, 7]));
    expect(ownQuestions(many, text)).toEqual(ownQuestions(many, text));
  });

  it("of a text without a sentence are what there is", () => {
    for (const text of ["Ahoy", "# Title", "| - |", "…", "👩‍🚀"])
      expect(questionsOf(text, 4).length).toBeLessThanOrEqual(1);
    expect(questionsOf("Ahoy", 4)).toEqual(["Ahoy"]);
  });
});

describe("the foreign questions", () => {
  const all = Object.values(FOREIGN_QUESTIONS).flat();

  it("are about sixty in eight languages, short, and none twice", () => {
    expect(Object.keys(FOREIGN_QUESTIONS)).toHaveLength(8);
    expect(new Set(all).size).toBe(64);
    expect(Math.max(...all.map((question) => question.length))).toBeLessThan(80);
  });
});
