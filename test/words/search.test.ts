import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { indexWords } from "../../src/text/words.js";
import { readQuestion } from "../../src/words/question.js";
import { WordSearch, type WordHit } from "../../src/words/search.js";
import { indexOf, type TestPassage } from "./memory-streams.js";

const english = (text: string): TestPassage => ({ words: indexWords(text), language: "en" });

async function ask(passages: readonly TestPassage[], text: string, languages = ["en"]): Promise<number[]> {
  const search = new WordSearch([await indexOf(passages)]);
  return search.search(await readQuestion(text, languages), { limit: 10 }).hits.map((hit) => hit.passage);
}

describe("a search by words", () => {
  const passages = [
    english("The contract ends when either party gives notice in writing."),
    english("Payment is due within thirty days of the invoice."),
    english("The wing was tested in the slipstream of a propeller."),
    english("Notices and invoices are kept for ten years."),
  ];

  it("finds a passage by its words, best first", async () => {
    expect(await ask(passages, "when is payment due?")).toEqual([1]);
    expect((await ask(passages, "notice in writing"))[0]).toBe(0);
  });

  it("finds other inflections by their stem", async () => {
    expect((await ask(passages, "propellers"))[0]).toBe(2);
    expect((await ask(passages, "invoicing")).sort()).toEqual([1, 3]);
  });

  it("finds a misspelt word by its likeness", async () => {
    expect((await ask(passages, "propelller slipstraem"))[0]).toBe(2);
  });

  it("ignores function words while another word is left, and only then", async () => {
    expect(await ask(passages, "the propeller")).toEqual([2]);
    expect((await ask(passages, "of the")).length).toBeGreaterThan(0);
  });

  it("finds nothing for a question without a word or with unknown words only", async () => {
    expect(await ask(passages, "")).toEqual([]);
    expect(await ask(passages, " ?! \u0000 '; DROP TABLE (.*) ")).toEqual([]);
    expect(await ask(passages, "zzzqqq")).toEqual([]);
  });

  it("does not cut a question, however long", async () => {
    const long = `${"unrelated nonsense. ".repeat(100)} propeller`;
    expect((await ask(passages, long))[0]).toBe(2);
  });

  it("gives the same answer to the first question and to later ones", async () => {
    const search = new WordSearch([await indexOf(passages)]);
    const question = await readQuestion("notices of propellers", ["en"]);
    const first = search.search(question, { limit: 10 });
    expect(search.search(question, { limit: 10 })).toEqual(first);
    expect(search.search(question, { limit: 10 })).toEqual(first);
  });

  it("filters before it cuts, and filtering changes no score", async () => {
    const search = new WordSearch([await indexOf(passages)]);
    const question = await readQuestion("notice invoice", ["en"]);
    const { hits: all } = search.search(question, { limit: 10 });
    const { hits: best } = search.search(question, { limit: 1, filter: (_, passage) => passage !== all[0]!.passage });
    expect(best).toEqual([all[1]]);
  });

  it("asks for the phrases in quotation marks", async () => {
    const search = new WordSearch([await indexOf(passages)]);
    const asked: (readonly string[])[] = [];
    const question = await readQuestion('"notice in writing" and «ten years»', ["en"]);
    const { hits } = search.search(question, {
      limit: 10,
      holdsPhrase: (_, passage, phrase) => {
        asked.push(phrase);
        return passage === 0 && phrase[0] === "notice";
      },
    });
    expect(hits).toEqual([]);
    // No passage has the words of both, so no text had to be read.
    expect(asked).toEqual([]);
    const { hits: one } = search.search(await readQuestion('"notice in writing"', ["en"]), {
      limit: 10,
      holdsPhrase: (_, passage, phrase) => {
        asked.push(phrase);
        return passage === 0;
      },
    });
    expect(one.map((hit) => hit.passage)).toEqual([0]);
    expect(asked).toEqual([["notice", "in", "writing"]]);
  });
});

describe("several packages", () => {
  const vocabulary = [
    "nation",
    "national",
    "nationen",
    "die",
    "der",
    "wing",
    "wings",
    "flügel",
    "中国",
    "国",
    "naiton",
  ];
  const passage = fc.record({
    words: fc.array(fc.constantFrom(...vocabulary), { minLength: 0, maxLength: 12 }),
    language: fc.constantFrom("en", "de", "zh"),
  });

  it("are one ranking: splitting a collection into packages changes nothing", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(passage, { minLength: 1, maxLength: 30 }),
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 30, maxLength: 30 }),
        fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 6 }),
        async (passages, homes, words) => {
          const question = await readQuestion(words.join(" "), ["en", "de"]);
          const whole = new WordSearch([await indexOf(passages)]);
          const parts = [0, 1, 2, 3].map((home) => passages.flatMap((_, i) => (homes[i] === home ? [i] : [])));
          const indexes = await Promise.all(parts.map((part) => indexOf(part.map((i) => passages[i]!))));
          const split = new WordSearch(indexes);
          const number = (hit: WordHit): number => parts[hit.package]![hit.passage]!;
          const expected = whole.search(question, { limit: 8 }).hits.map(({ passage, score }) => ({ passage, score }));
          for (let time = 0; time < 2; time++) {
            const { hits } = split.search(question, { limit: 8, order: (a, b) => number(a) - number(b) });
            expect(hits.map((hit) => ({ passage: number(hit), score: hit.score }))).toEqual(expected);
          }
        },
      ),
      { numRuns: 150, seed: 7 },
    );
  });
});
