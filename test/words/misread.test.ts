import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { indexWords } from "../../src/text/words.js";
import { stringAt } from "../../src/words/front-coding.js";
import { mayBeMisread, nearestInPrint, readingsOf } from "../../src/words/misread.js";
import { CONFUSION, EDIT, pairsLike, shapesLike, SLIP, THIN } from "../../src/words/print-shapes.js";
import { readQuestion } from "../../src/words/question.js";
import { WordSearch, type WordAnswer } from "../../src/words/search.js";
import { indexOf, type TestPassage } from "./memory-streams.js";

const passages = (texts: readonly string[], language = "en"): TestPassage[] =>
  texts.map((text) => ({ words: indexWords(text), language }));

async function ask(texts: readonly string[], question: string, language = "en"): Promise<WordAnswer> {
  const search = new WordSearch([await indexOf(passages(texts, language))]);
  return search.search(await readQuestion(question, [language]), { limit: 10 });
}

const MANUAL = [
  "The contract ends when either party gives notice in writing.",
  "The strainer of the bilge pump is cleaned when the display shows E4710.",
  "Vessels at the mooring keep a light, in any weather, until the harbour master has gone.",
  "Discount is granted to members of the club who moor here in winter.",
];

describe("a word that OCR misread, in the question", () => {
  it.each([
    ["rnooring", "mooring", 2],
    ["vveather", "weather", 2],
    ["cliscount", "discount", 3],
    ["strairier", "strainer", 1],
    ["harbonr", "harbour", 2],
    ["rnernbers", "members", 3],
    ["wrlting", "writing", 0],
    ["сontract", "contract", 0],
  ])("%s is read as %s, and finds its passage", async (asked, word, passage) => {
    const { hits, readAs, forms } = await ask(MANUAL, `the ${asked}`);
    expect(readAs).toEqual({ [asked]: [word] });
    expect(forms).toContain(word);
    expect(hits[0]?.passage).toBe(passage);
  });

  it("finds the other inflections of what it is read as", async () => {
    const { hits, readAs } = await ask(
      ["Notices are kept.", "The mooring is long.", "All moorings are taken."],
      "rnooring",
    );
    expect(readAs).toEqual({ rnooring: ["mooring"] });
    expect(hits.map(({ passage }) => passage).sort()).toEqual([1, 2]);
  });
});

describe("a word that OCR misread, in the package", () => {
  it.each([
    ["The rnooring is taken.", "mooring", "rnooring"],
    ["The moor1ng is taken.", "mooring", "moor1ng"],
    ["Das Waffer war einst ein Waſſer, mit langem s gedruckt.", "Fluss", undefined],
    ["Das Schlofs war einst ein Haus, mit langem s gedruckt.", "schloss", "schlofs"],
  ])("%s is asked for %s, which is read as %s", async (text, asked, form) => {
    const { hits, readAs } = await ask(["Something else stands here.", text], asked, "de");
    expect(readAs).toEqual(form === undefined ? {} : { [asked]: [form] });
    expect(hits[0]?.passage).toBe(form && 1);
  });
});

describe("what is never read as something else", () => {
  it.each([
    ["an error code whose neighbour is there", "E4711"],
    ["a number", "4710"],
    ["a word that the package has", "notice"],
    ["another inflection of one", "mooring's vessel"],
    ["the beginning of one", "disc"],
    ["a word that is like none", "patagonia"],
    ["a short word", "moo"],
    ["a name that is spelt like a word", "Harper"],
  ])("%s: %s", async (_, question) => {
    expect((await ask(MANUAL, question)).readAs).toEqual({});
  });

  it("nor is a word read as a number or a code", async () => {
    expect((await ask(["The part 10551 and the part so11.", "part 8011"], "loss soll boll")).readAs).toEqual({});
    expect(mayBeMisread("e4711")).toBe(false);
    expect(mayBeMisread("비밀번호")).toBe(false);
    expect(mayBeMisread("机器")).toBe(false);
  });

  it("and nothing is added to the answer of a question whose words are all known", async () => {
    const question = "notice in writing of the mooring";
    expect(await ask(MANUAL, question)).toMatchObject({ readAs: {} });
  });
});

/** Weighted edit distance by the letter of spec/words.md, over the whole table. */
function distance(asked: string, form: string): number {
  const [a, b] = [asked, form].map((word) => Array.from(word, (character) => character.codePointAt(0)!)) as [
    number[],
    number[],
  ];
  const adding = (word: readonly number[], i: number): number =>
    THIN.has(word[i]!) || word[i] === word[i - 1] ? SLIP : EDIT;
  const looksLike = (two: readonly number[], one: number): boolean =>
    pairsLike(one).some(([x, y]) => two[0] === x && two[1] === y);
  const table = [...a, 0].map(() => [...b, 0].map(() => 0));
  for (let i = 0; i <= a.length; i++)
    for (let j = 0; j <= b.length; j++) {
      const ways: number[] = i === 0 && j === 0 ? [0] : [];
      if (i > 0) ways.push(table[i - 1]![j]! + adding(a, i - 1));
      if (j > 0) ways.push(table[i]![j - 1]! + adding(b, j - 1));
      if (i > 0 && j > 0) {
        const [x, y] = [a[i - 1]!, b[j - 1]!];
        ways.push(table[i - 1]![j - 1]! + (x === y ? 0 : (shapesLike(x).get(y) ?? EDIT)));
        if (i > 1 && looksLike(a.slice(i - 2, i), y)) ways.push(table[i - 2]![j - 1]! + CONFUSION);
        if (j > 1 && looksLike(b.slice(j - 2, j), x)) ways.push(table[i - 1]![j - 2]! + CONFUSION);
        if (i > 1 && j > 1 && x === b[j - 2] && a[i - 2] === y) ways.push(table[i - 2]![j - 2]! + EDIT);
      }
      table[i]![j] = Math.min(...ways);
    }
  return table[a.length]![b.length]!;
}

describe("the search for what looks alike", () => {
  const shapes = fc.constantFrom("rn", "m", "in", "i", "l", "ll", "o", "о", "cl", "d", "b");
  const word = fc.array(shapes, { minLength: 2, maxLength: 8 });
  const places = fc.array(fc.nat(7), { minLength: 60, maxLength: 60 });

  it("finds what comparing with every form finds", async () => {
    let near = 0;
    await fc.assert(
      // Forms that are the asked word with another shape at one place or two.
      fc.asyncProperty(word, fc.array(shapes, { minLength: 1, maxLength: 60 }), places, async (spelt, others, at) => {
        const asked = spelt.join("");
        const forms = others.map((shape, i) => {
          const changed = [...spelt];
          changed[at[i]! % spelt.length] = shape;
          if (i % 2 === 1) changed[at[i - 1]! % spelt.length] = others[i - 1]!;
          return changed.join("");
        });
        const index = await indexOf([{ words: forms, language: "en" }]);
        const length = Array.from(asked).length;
        const most = CONFUSION * (length < 6 ? 1 : length < 9 ? 2 : length < 12 ? 3 : 4);
        const expected = [...new Set(forms)]
          .filter((form) => Array.from(form).length >= 3)
          .map((form) => ({ form, distance: distance(asked, form) }))
          .filter((one) => one.distance <= most);
        const found = nearestInPrint(index.forms, asked);
        near += found.length;
        const sorted = (list: readonly { form: string; distance: number }[]): string[] =>
          list.map((one) => `${one.distance} ${one.form}`).sort();
        expect(sorted(found.map((one) => ({ ...one, form: stringAt(index.forms, one.form) })))).toEqual(
          sorted(expected),
        );
      }),
      { numRuns: 300, seed: 11 },
    );
    expect(near).toBeGreaterThan(100);
  });

  it("asks for spellings of which one is rare, in a large dictionary", async () => {
    // 6,000 forms in which the trigrams of `luke` and `lake` are common, those of `rnooring` are not.
    const syllables = ["lu", "la", "ke", "ri", "mo", "or", "in", "bu", "to", "ne", "sa", "ve", "du", "pi", "ko", "fa"];
    const forms = syllables.flatMap((a) =>
      syllables.flatMap((b) => syllables.flatMap((c) => [a + b + c, `${a + b + c}s`])),
    );
    const index = await indexOf([
      {
        words: [...forms.filter((form) => form !== "kelakes"), "kelukes", "mooring", "moor", "moored"],
        language: "en",
      },
    ]);
    expect(index.forms.count).toBeGreaterThan(6_000);
    const read = (asked: string): string[] =>
      readingsOf(index.forms, [asked])[0]!.map((form) => stringAt(index.forms, form));
    expect(nearestInPrint(index.forms, "kelakes").map(({ form }) => stringAt(index.forms, form))).toContain("kelukes");
    expect(read("kelakes")).toEqual([]);
    expect(read("rnooring")).toEqual(["mooring"]);
  });
});

describe("several packages", () => {
  it("read a word alike, however the passages are split", async () => {
    const question = await readQuestion("rnooring in the vveather", ["en"]);
    const whole = new WordSearch([await indexOf(passages(MANUAL))]).search(question, { limit: 10 });
    expect(whole.readAs).toEqual({ rnooring: ["mooring"], vveather: ["weather"] });
    const halves = [await indexOf(passages(MANUAL.slice(2))), await indexOf(passages(MANUAL.slice(0, 2)))];
    for (const indexes of [halves, [...halves].reverse()]) {
      const split = new WordSearch(indexes).search(question, { limit: 10 });
      expect(split.readAs).toEqual(whole.readAs);
      expect(split.hits.map(({ score }) => score)).toEqual(whole.hits.map(({ score }) => score));
    }
  });
});
