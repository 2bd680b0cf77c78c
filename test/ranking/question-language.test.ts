import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { crosses, questionLanguage } from "../../src/ranking/question-language.js";
import { indexWords } from "../../src/text/words.js";
import type { WordIndex } from "../../src/words/dictionary.js";
import { sharedData } from "../shared-data.js";
import { indexOf } from "../words/memory-streams.js";

interface Corpus {
  readonly languages: readonly string[];
  readonly indexes: readonly WordIndex[];
}

async function corpusOf(texts: Readonly<Record<string, readonly string[]>>): Promise<Corpus> {
  const passages = Object.entries(texts).flatMap(([language, list]) =>
    list.map((text) => ({ words: indexWords(text), language })),
  );
  return { languages: Object.keys(texts), indexes: [await indexOf(passages)] };
}

const told = (text: string, { languages, indexes }: Corpus): Promise<string> =>
  questionLanguage(text, languages, indexes);

const HARBOUR = {
  en: [
    "The harbour master signs the book before the tide comes in, and the ships leave the harbour in the morning.",
    "Each ship pays for the night. The getElementById call returns ERR_TIMEOUT in the log of the Linux server.",
  ],
  de: [
    "Der Hafenmeister unterschreibt das Buch, bevor die Flut kommt, und die Schiffe verlassen den Hafen am Morgen.",
    "Jedes Schiff zahlt für die Nacht. Der Linux-Server schreibt ERR_TIMEOUT in das Protokoll.",
  ],
};
const english = await corpusOf({ en: HARBOUR.en });
const both = await corpusOf(HARBOUR);

describe("the language of a question", () => {
  it.each([
    ["en", "When do the ships leave the harbour?"],
    ["de", "Wann verlassen die Schiffe den Hafen?"],
    ["fr", "Quand les bateaux quittent-ils le port ?"],
    ["es", "¿Cuándo salen los barcos del puerto?"],
    ["tr", "Gemiler limandan ne zaman ayrılıyor?"],
    ["ru", "Когда корабли покидают гавань?"],
    ["ar", "متى تغادر السفن الميناء؟"],
    ["hi", "जहाज बंदरगाह कब छोड़ते हैं?"],
    ["zh", "船什么时候离开港口？"],
    ["ja", "船はいつ港を出ますか。"],
  ])("is %s of: %s, be the corpus English, or English and German", async (language, text) => {
    expect(await told(text, english)).toBe(language);
    expect(await told(text, both)).toBe(language);
  });

  it.each(["GPU", "ERR_TIMEOUT", "getElementById()", "--force", "Linux server", "Krzysztof Wiśniewski", "X11 23-B", "", "1999"])(
    "is not told of %j: the same in every language",
    async (text) => {
      expect(await told(text, both)).toBe("und");
    },
  ); // prettier-ignore

  it("is decided by language, not by the share of unknown words", async () => {
    // None of its words is in the corpus but function words, and it is in the corpus's language all the same.
    expect(await told("Which of the cooks was the first to taste their soup?", english)).toBe("en");
    // Most of its words are, and it is not.
    expect(await told("¿Qué escribe getElementById en el log del Linux server?", english)).toBe("es");
  });

  it("is one without a stemmer, which most of its documents' words have", async () => {
    const polish = await corpusOf({ pl: ["Statek opuścił port wcześnie rano, zanim przyszedł przypływ. Kapitan zapłacił za noc."] }); // prettier-ignore
    expect(await told("Kiedy statek opuścił port?", polish)).toBe("pl");
    expect(await told("When did the ship leave the port?", polish)).toBe("en");
  });

  it("is Japanese of a few Chinese characters, where Japanese documents are here and no Chinese ones", async () => {
    expect(await told("正規表現", await corpusOf({ ja: ["正規表現を使う。"] }))).toBe("ja");
    expect(await told("正規表現", await corpusOf({ ja: ["正規表現を使う。"], zh: ["使用正则表达式。"] }))).toBe("und");
    expect(await told("正規表現", english)).toBe("zh");
  });

  it("is that of documents of which the detector knows nothing, where they hold its words", async () => {
    const basque = await corpusOf({ eu: ["Itsasontziek goizean uzten dute portua, itsasgora baino lehen."] });
    expect(await told("Noiz uzten dute portua itsasontziek?", basque)).toBe("eu");
  });

  it("crosses to another language, and not where one of both is unknown", () => {
    expect(crosses("de", "en")).toBe(true);
    expect(crosses("de", "de")).toBe(false);
    expect(crosses("und", "en")).toBe(false);
    expect(crosses("de", "und")).toBe(false);
  });
});

// XQuAD is CC BY-SA and not part of the repository.
describe.skipIf(sharedData === undefined)("XQuAD's questions", () => {
  const read = (language: string, file: string): { text: string }[] =>
    readFileSync(join(sharedData!, "retrieval/xquad", language, file), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { text: string });
  const languages = ["en", "de", "es", "zh", "ar", "hi", "ru", "tr"];

  it("cross to paragraphs in other languages and not to those in their own", async () => {
    const corpora = new Map<string, Corpus>();
    for (const language of languages)
      corpora.set(language, await corpusOf({ [language]: read(language, "docs.jsonl").map(({ text }) => text) }));
    const counts = { same: 0, sameCrossing: 0, other: 0, otherCrossing: 0 };
    for (const asked of languages)
      for (const { text } of read(asked, "queries.jsonl").filter((_, i) => i % 40 === 0))
        for (const found of languages) {
          const crossing = crosses(await told(text, corpora.get(found)!), found);
          counts[asked === found ? "same" : "other"]++;
          if (crossing) counts[asked === found ? "sameCrossing" : "otherCrossing"]++;
        }
    expect(counts.sameCrossing / counts.same).toBeLessThan(0.01);
    expect(counts.otherCrossing / counts.other).toBeGreaterThan(0.98);
  });
});
