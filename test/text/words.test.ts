import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { grams } from "../../src/text/grams.js";
import { containsPhrase, quotedPhrases } from "../../src/text/phrases.js";
import { loadStemmer, STEMMED_LANGUAGES } from "../../src/text/stems.js";
import { loadFunctionWords } from "../../src/text/stopwords.js";
import { indexWords, isUnspaced, LONGEST_FORM, normaliseWord, questionWords } from "../../src/text/words.js";

const asked = (text: string): string[] => questionWords(text).map(({ form }) => form);

describe("normal form", () => {
  it.each([
    ["café", "cafe"],
    ["cafe\u0301", "cafe"],
    ["STRASSE", "strasse"],
    ["Straße", "strasse"],
    ["Łódź", "lodz"],
    ["Ærø", "aero"],
    ["İstanbul", "istanbul"],
    ["ISPARTA", "isparta"],
    ["ısparta", "isparta"],
    ["ΣΊΣΥΦΟΣ", "σισυφοσ"],
    ["Σίσυφος", "σισυφοσ"],
    ["Ёлка", "елка"],
    ["за\u0301мок", "замок"],
    ["ﬁle", "file"],
    ["ＡＢＣ", "abc"],
    ["१९९०", "1990"],
    ["٣٤", "34"],
    ["soft\u00adware", "software"],
    ["كتــاب", "كتاب"],
  ])("of %s is %s", (raw, form) => {
    expect(normaliseWord(raw)).toBe(form);
  });

  it("keeps й apart from и, vowel signs of Indic scripts, and points of Hebrew and Arabic", () => {
    expect(normaliseWord("Мой")).toBe("мой");
    expect(normaliseWord("हिन्दी")).toBe("हिन्दी");
    expect(normaliseWord("שָׁלוֹם")).not.toBe(normaliseWord("שלום"));
    expect(normaliseWord("كَتَبَ")).not.toBe(normaliseWord("كتب"));
  });

  it("is the same when taken twice", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const form = normaliseWord(text);
        expect(normaliseWord(form)).toBe(form);
      }),
      { numRuns: 3000, seed: 1 },
    );
  });
});

describe("words", () => {
  it("divide where Latin is glued to Chinese, and Chinese gives characters and pairs", () => {
    expect(indexWords("使用Linux系统")).toEqual(["使", "使用", "用", "linux", "系", "系统", "统"]);
    expect(asked("Linux系统")).toEqual(["linux", "系统"]);
  });

  it("ask a single character only where a run has no other", () => {
    expect(questionWords("的 东西")).toEqual([
      { form: "的", kind: "piece" },
      { form: "东西", kind: "piece" },
    ]);
  });

  it("of Korean are words and their pairs, and a particle on a Latin word is not part of it", () => {
    expect(indexWords("한국어를")).toEqual(["한국어를", "한국", "국어", "어를"]);
    expect(indexWords("API는")).toEqual(["api", "는"]);
    expect(indexWords("서울")).toEqual(["서울"]);
  });

  it.each([
    ["ไทย", "ทย"],
    ["ພາສາ", "ສາ"],
    ["ភាសា", "សា"],
    ["မြန်မာ", "မာ"],
    ["ꦗꦮ", "ꦗꦮ"],
  ])("of %s hold the pair %s", (run, pair) => {
    expect(indexWords(run)).toContain(normaliseWord(pair));
    expect(isUnspaced(normaliseWord(pair))).toBe(true);
  });

  it("take a base with its marks for one character", () => {
    expect(indexWords("ที่ดี")).toEqual(["ที่", "ที่ดี", "ดี"]);
  });

  it("are found under a term of punctuation, whose signs are ordinary text", () => {
    expect(asked("C++")).toEqual(["c"]);
    expect(asked(".NET C#")).toEqual(["net", "c"]);
    expect(asked("'; DROP TABLE passages; -- .*(a|b)+$ \"")).toEqual(["drop", "table", "passages", "a", "b"]);
    expect(asked("-- ??? ++ 😀")).toEqual([]);
  });

  it("of a long question are all asked", () => {
    expect(questionWords("word. Another sentence? ".repeat(500))).toHaveLength(1500);
  });

  it("longer than the longest form become consecutive forms, in text and question alike", () => {
    const blob = "Qk1".repeat(100);
    expect(indexWords(blob)).toEqual(asked(blob));
    expect(indexWords(blob).join("")).toBe(blob.toLowerCase());
    for (const form of indexWords("𐌀".repeat(100))) expect(form.length).toBeLessThanOrEqual(LONGEST_FORM);
  });

  it("do not take a trade mark sign onto them", () => {
    expect(indexWords("Windows™ x² ½")).toEqual(["windows", "x2", "1", "2"]);
  });

  it("of a question are always among the words of a text that is the question", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" })), (text) => {
        const indexed = new Set(indexWords(text));
        for (const form of asked(text)) expect(indexed).toContain(form);
        for (const form of indexed) expect(form).not.toBe("");
      }),
      { numRuns: 3000, seed: 2 },
    );
  });
});

describe("phrases", () => {
  it.each([
    ['say "exact words" please', "exact words"],
    ["“curly marks”", "curly marks"],
    ["„unten und oben“", "unten und oben"],
    ["»anders herum«", "anders herum"],
    ["«à la mode»", "a la mode"],
    ["”på svenska”", "pa svenska"],
  ])("are read from %s", (question, phrase) => {
    expect(quotedPhrases(question)).toEqual([phrase.split(" ")]);
  });

  it("of scripts without spaces are compared by characters", () => {
    const [phrase] = quotedPhrases("「機械学習」とは");
    expect(containsPhrase("私は機械学習が好き", phrase!)).toBe(true);
    expect(containsPhrase("機械は学習する", phrase!)).toBe(false);
  });

  it("ignore accents, case and signs, and want their words side by side", () => {
    const [phrase] = quotedPhrases('"Café de la Paix"');
    expect(containsPhrase("au **cafe** de la\nPAIX, à midi", phrase!)).toBe(true);
    expect(containsPhrase("cafe de la belle paix", phrase!)).toBe(false);
  });

  it("are not opened by inches, left open, or empty", () => {
    expect(quotedPhrases('a 5" disk and a 3" disk')).toEqual([]);
    expect(quotedPhrases('an "open end')).toEqual([]);
    expect(quotedPhrases('"" "?!"')).toEqual([]);
  });
});

describe("stems", () => {
  it.each([
    ["en", "harbours", "harbour"],
    ["de", "Häuser", "Häusern"],
    ["fr", "maisons", "maison"],
    ["es", "casas", "casa"],
    ["it", "gatti", "gatto"],
    ["pt", "meninos", "menino"],
    ["nl", "katten", "kat"],
    ["sv", "flickorna", "flickor"],
    ["da", "dagene", "dagen"],
    ["no", "havnene", "havnen"],
    ["fi", "talossa", "talosta"],
    ["hu", "hajók", "hajó"],
    ["ro", "copiilor", "copii"],
    ["ru", "кораблями", "корабля"],
    ["tr", "evler", "evlerin"],
    ["ar", "الكتاب", "كتاب"],
    ["el", "γλώσσες", "γλώσσα"],
    ["hi", "भाषाओं", "भाषा"],
  ])("in %s join %s and %s", async (language, a, b) => {
    const stem = await loadStemmer(language);
    expect(stem(normaliseWord(a))).toBe(stem(normaliseWord(b)));
  });

  it("are forms themselves, never empty, and a language without a stemmer keeps its words", async () => {
    for (const language of STEMMED_LANGUAGES) {
      const stem = await loadStemmer(language);
      for (const word of ["a", "été", "ы", "ال", "7", "不", "x".repeat(64)]) {
        const form = normaliseWord(word);
        expect(normaliseWord(stem(form))).toBe(stem(form));
        expect(stem(form)).not.toBe("");
      }
    }
    expect((await loadStemmer("zh"))("harbours")).toBe("harbours");
    expect((await loadStemmer("constructor"))("harbours")).toBe("harbours");
  });
});

describe("function words", () => {
  it("are forms", async () => {
    expect(await loadFunctionWords("de")).toContain("fur");
    expect(await loadFunctionWords("en")).toContain("which");
    expect(await loadFunctionWords("en")).not.toContain("harbour");
    expect(await loadFunctionWords("zh")).toHaveProperty("size", 0);
  });
});

describe("grams", () => {
  it("are the fours of the marked form, by code points, each once", () => {
    expect(grams("word")).toEqual(["_wor", "word", "ord_"]);
    expect(grams("ab")).toEqual(["_ab_"]);
    expect(grams("a")).toEqual(["_a_"]);
    expect(grams("𐌀𐌁𐌂")).toEqual(["_𐌀𐌁𐌂", "𐌀𐌁𐌂_"]);
    expect(grams("aaaaaaaa")).toEqual(["_aaa", "aaaa", "aaa_"]);
  });
});
