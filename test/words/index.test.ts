import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MdcxError } from "../../src/errors.js";
import { grams } from "../../src/text/grams.js";
import { loadStemmer } from "../../src/text/stems.js";
import { WordIndexBuilder } from "../../src/words/builder.js";
import type { WordIndex } from "../../src/words/dictionary.js";
import { GramIndex, scanForGrams } from "../../src/words/gram-index.js";
import { Lexicon } from "../../src/words/lexicon.js";
import { GREATEST_FREQUENCY, newAccumulator } from "../../src/words/postings.js";
import { formsHolding, Trigrams, trigrams } from "../../src/words/spelling.js";
import { build, indexOf, open, type TestPassage } from "./memory-streams.js";

const word = fc.oneof(
  fc.constantFrom(
    "nation",
    "nations",
    "national",
    "die",
    "der",
    "中国",
    "𠀀",
    "𠀀𠀁",
    "café",
    "الكتاب",
    "كتاب",
    "e",
    "_",
  ),
  fc.string({ unit: "binary", minLength: 1, maxLength: 64 }).filter((text) => !/[\uD800-\uDFFF]/u.test(text)),
  fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 40 }),
);
const passage: fc.Arbitrary<TestPassage> = fc.record({
  words: fc.array(word, { maxLength: 20 }),
  language: fc.constantFrom("en", "de", "ar", "tr", "zh", "und"),
});
const passages = fc.array(passage, { maxLength: 20 });

/** Frequency by passage of every form, as an index gives them. */
function readAll(index: WordIndex): Map<string, Map<number, number>> {
  const all = new Map<string, Map<number, number>>();
  const { bytes, offsets, count } = index.forms;
  for (let form = 0; form < count; form++) {
    const into = newAccumulator(index.passages);
    index.addPostings(index.postingsOf(form), 0, 1, into);
    const found = Array.from(into.touched.subarray(0, into.count), (at) => [at, into.sums[at]!] as const);
    expect(index.documentFrequency(form)).toBe(found.length);
    all.set(
      new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(offsets[form], offsets[form + 1])),
      new Map(found),
    );
  }
  return all;
}

function countAll(list: readonly TestPassage[]): Map<string, Map<number, number>> {
  const all = new Map<string, Map<number, number>>();
  list.forEach(({ words }, at) => {
    for (const form of words) {
      const postings = all.get(form) ?? new Map<number, number>();
      all.set(form, postings.set(at, (postings.get(at) ?? 0) + 1));
    }
  });
  return all;
}

describe("a word index", () => {
  it("gives back every form, passage, frequency and length", async () => {
    await fc.assert(
      fc.asyncProperty(passages, async (list) => {
        const index = await indexOf(list);
        expect(readAll(index)).toEqual(countAll(list));
        expect([...index.lengths]).toEqual(list.map(({ words }) => words.length));
      }),
      { numRuns: 150, seed: 11 },
    );
  });

  it("finds the forms of a stem in the languages in which they occur, and no others", async () => {
    await fc.assert(
      fc.asyncProperty(passages, async (list) => {
        const index = await indexOf(list);
        const forms = [...readAll(index).keys()];
        for (const language of index.languages) {
          const stem = await loadStemmer(language);
          const here = new Set(list.filter((one) => one.language === language).flatMap(({ words }) => words));
          for (const asked of new Set([...here].map(stem))) {
            const expected = forms.filter((form) => here.has(form) && stem(form) === asked);
            expect(index.formsOfStem(asked, language).map((form) => forms[form])).toEqual(expected);
          }
        }
      }),
      { numRuns: 100, seed: 12 },
    );
  });

  it("finds the forms of a gram alike by reading all of them and from the index in memory", async () => {
    await fc.assert(
      fc.asyncProperty(passages, passages, async (list, other) => {
        const lexicon = new Lexicon([await indexOf(list), await indexOf(other)]);
        const forms = [...new Set([...list, ...other].flatMap(({ words }) => words))].map((text) => ({
          text,
          number: lexicon.find(text),
        }));
        const asked = [...new Set([...forms.flatMap(({ text }) => grams(text)), "none", "_no_"])];
        const expected = asked.map((gram) =>
          forms
            .filter(({ text }) => grams(text).includes(gram))
            .map(({ number }) => number)
            .sort((a, b) => a - b),
        );
        expect(lexicon.forms.count).toBe(forms.length);
        expect(scanForGrams(lexicon.forms, asked).map((found) => [...found])).toEqual(expected);
        expect(new GramIndex(lexicon.forms).find(asked).map((found) => [...found])).toEqual(expected);
      }),
      { numRuns: 100, seed: 13 },
    );
  });

  it("counts the forms of a trigram alike by reading all of them and once for all", async () => {
    await fc.assert(
      fc.asyncProperty(passages, async (list) => {
        const { forms } = await indexOf([...list, { words: ["смех", "смеха", "ship", "a"], language: "und" }]);
        const asked = [
          ...new Set([...list.flatMap(({ words }) => words.flatMap(trigrams)), "non", "_a_", "сме", "мех", "ех_"]),
        ];
        const counts = new Trigrams(forms).holding(asked);
        expect(new Map(counts)).toEqual(formsHolding(forms, asked));
        expect(counts.get("сме")).toBeGreaterThanOrEqual(2);
      }),
      { numRuns: 50, seed: 14 },
    );
  });

  it("keeps long lists in the postings and short ones in the dictionary", async () => {
    const many = Array.from({ length: 200 }, () => ({ words: ["common"], language: "en" }));
    const built = await build([...many, { words: ["rare"], language: "en" }]);
    expect(built.postings.length).toBe(200);
    expect(readAll(open(built, 201)).get("rare")).toEqual(new Map([[200, 1]]));
  });

  it("caps a frequency, and not a length", async () => {
    const index = await indexOf([{ words: Array<string>(10_000).fill("again"), language: "en" }]);
    expect(readAll(index).get("again")).toEqual(new Map([[0, GREATEST_FREQUENCY]]));
    expect(index.words).toBe(10_000);
  });

  it("is the same whatever the order in which languages were met", async () => {
    const list = (languages: readonly string[]): TestPassage[] =>
      languages.map((language) => ({ words: [`w${language}`], language }));
    const one = open(await build(list(["en", "de", "ru"])), 3);
    const two = open(await build(list(["ru", "en", "de"])), 3);
    expect(one.languages).toEqual(two.languages);
  });

  it("takes passages in order only", () => {
    const builder = new WordIndexBuilder();
    builder.add(0, [], "en");
    expect(() => {
      builder.add(2, [], "en");
    }).toThrow(MdcxError);
  });
});

describe("a forged word index", () => {
  const list: TestPassage[] = Array.from({ length: 40 }, (_, i) => ({
    words: ["common", "commonly", `word${i}`, `word${i % 7}x`, "ship", "ships"],
    language: i % 2 === 0 ? "en" : "de",
  }));

  /** Reads everything that a search would; true where nothing was refused. */
  function survives(dictionary: Uint8Array, postings: Uint8Array, lengths: Uint8Array): boolean {
    try {
      const index = open({ dictionary, postings, lengths, meta: {} }, list.length);
      for (let form = 0; form < index.forms.count; form++) {
        index.addPostings(index.postingsOf(form), 0, 1, newAccumulator(list.length));
      }
      index.formsOfStem("ship", "en");
      new GramIndex(index.forms).find(["ship"]);
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(MdcxError);
      expect((error as MdcxError).code).toBe("bad-image");
      return false;
    }
  }

  it("is refused by name or read, whichever byte was changed: it never hangs and never throws anything else", async () => {
    const { dictionary, postings, lengths } = await build(list);
    expect(survives(dictionary, postings, lengths)).toBe(true);
    for (const stream of [dictionary, postings, lengths]) {
      for (let at = 0; at < stream.length; at++) {
        const before = stream[at]!;
        for (const value of [0, 1, before ^ 1, before ^ 0x80, 0x7f, 0xff]) {
          stream[at] = value;
          survives(dictionary, postings, lengths);
        }
        stream[at] = before;
      }
    }
  });

  it("is refused when a stream is cut off or goes on", async () => {
    const { dictionary, postings, lengths } = await build(list);
    const longer = (bytes: Uint8Array): Uint8Array => Uint8Array.from([...bytes, 0]);
    for (let end = 0; end < dictionary.length; end++) {
      expect(survives(dictionary.subarray(0, end), postings, lengths)).toBe(false);
    }
    expect(survives(longer(dictionary), postings, lengths)).toBe(false);
    expect(survives(dictionary, postings.subarray(1), lengths)).toBe(false);
    expect(survives(dictionary, longer(postings), lengths)).toBe(false);
    expect(survives(dictionary, postings, lengths.subarray(1))).toBe(false);
    expect(survives(dictionary, postings, longer(lengths))).toBe(false);
  });

  it("asks for no more memory than its own size allows", () => {
    const huge = Uint8Array.from([0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f]);
    expect(survives(huge, new Uint8Array(0), new Uint8Array(list.length))).toBe(false);
    const edits = Uint8Array.from([0, 0xff, 0xff, 0xff, 0xff, 0x0f]);
    expect(survives(edits, new Uint8Array(0), new Uint8Array(list.length))).toBe(false);
  });
});
