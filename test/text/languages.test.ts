import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canonicalLanguage, detectLanguage } from "../../src/text/languages.js";
import { cutPassages } from "../../src/text/passages.js";
import { indexWords, questionWords } from "../../src/text/words.js";
import { sharedData } from "../shared-data.js";

describe("the language of a text", () => {
  it.each([
    ["en", "Which of the ships was the first to leave the harbour in the morning?"],
    ["de", "Welches der Schiffe hat den Hafen am Morgen als erstes verlassen?"],
    ["fr", "Quel est le premier des navires qui ont quitté le port ce matin ?"],
    ["es", "¿Cuál de los barcos fue el primero en salir del puerto por la mañana?"],
    ["it", "Quale delle navi è stata la prima a lasciare il porto questa mattina?"],
    ["ru", "Какой из кораблей первым покинул гавань утром, когда начался прилив и ветер переменился?"],
    ["ar", "أي من السفن كانت أول من غادر الميناء في الصباح؟"],
    ["hi", "सुबह बंदरगाह से सबसे पहले कौन सा जहाज निकला था?"],
    ["el", "Ποιο από τα πλοία έφυγε πρώτο από το λιμάνι;"],
    ["zh", "哪艘船早上第一个离开港口？"],
    ["ja", "朝最初に港を出た船はどれですか。"],
    ["ko", "아침에 가장 먼저 항구를 떠난 배는?"],
    ["th", "เรือลำไหนออกจากท่าเรือก่อน"],
    ["zh", "使用 Linux 系统安装 Debian"],
  ])("is %s of: %s", async (language, text) => {
    expect(await detectLanguage(text)).toBe(language);
  });

  it.each([
    "",
    "   ",
    "1234567890 1234567890",
    "GPU",
    "ok",
    "```\nlet x = 1;\n```",
    "https://example.org/some/long/path",
  ])("is not told of %j", async (text) => {
    expect(await detectLanguage(text)).toBe("und");
  });

  it("is one of those asked for, or none", async () => {
    expect(await detectLanguage("What is the name of the ship that was lost?", ["de", "en"])).toBe("en");
    expect(await detectLanguage("What is the name of the ship that was lost?", ["ja"])).toBe("und");
  });

  it("is judged by prose, not by code", async () => {
    const code = "```c\nfor (int i = 0; i < the_end_of_the_list; i++) { print_the_value_of(i); }\n```\n".repeat(20);
    expect(await detectLanguage(`${code}Der Hafenmeister unterschreibt das Buch, bevor die Flut kommt.\n${code}`)).toBe(
      "de",
    );
  });

  it("takes time in proportion to the sample, not to the text", async () => {
    for (const part of ["```\n", "`", "<", "a@", "/", " ", "漢"]) await detectLanguage(part.repeat(2_000_000));
  }, 10_000);
});

// XQuAD is CC BY-SA and not part of the repository.
describe.skipIf(sharedData === undefined)("XQuAD", () => {
  const read = (language: string, file: string): { id: string; text: string }[] =>
    readFileSync(join(sharedData!, "retrieval/xquad", language, file), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: string; text: string });
  const languages = ["en", "de", "es", "zh", "ar", "hi", "ru", "tr"];

  it.each(languages)("in %s: paragraphs and questions are told, cut, and share words", async (language) => {
    const all = read(language, "docs.jsonl");
    const paragraphs = all.filter((_, i) => i % 8 === 0);
    const questions = read(language, "queries.jsonl").filter((_, i) => i % 20 === 0);
    let told = 0;
    for (const { text } of paragraphs) if ((await detectLanguage(text)) === language) told++;
    expect(told / paragraphs.length).toBeGreaterThan(0.95);
    const mistaken = [];
    for (const { text } of questions) {
      const found = await detectLanguage(text, languages);
      if (found !== language && found !== "und") mistaken.push(text);
    }
    expect(mistaken.length / questions.length).toBeLessThan(0.05);
    const corpus = all.map(({ text }) => text).join("\n\n");
    const passages = cutPassages(corpus);
    expect(passages.at(-1)!.end).toBe(Buffer.byteLength(corpus));
    const indexed = new Set(indexWords(corpus));
    const asked = questions.flatMap(({ text }) => questionWords(text));
    expect(asked.filter(({ form }) => indexed.has(form)).length / asked.length).toBeGreaterThan(0.5);
  });
});

describe("a language tag", () => {
  it.each([
    ["de", "de"],
    ["pt-BR", "pt"],
    ["zh_Hans", "zh"],
    ["DEU", "de"],
    ["nb-NO", "no"],
    ["eng", "en"],
    ["german", "und"],
    ["", "und"],
  ])("%j is %s", (tag, language) => {
    expect(canonicalLanguage(tag)).toBe(language);
  });
});
