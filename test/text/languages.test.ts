import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canonicalLanguage, detectLanguage } from "../../src/text/languages.js";
import { cutPassages } from "../../src/text/passages.js";
import { indexWords, questionWords } from "../../src/text/words.js";
import { sharedData } from "../shared-data.js";

const vietnamese = [
  "Người dùng cần nhập mật khẩu để mở gói tài liệu này.",
  "Thành phố nằm bên bờ sông và có nhiều cây cầu cũ.",
  "Hôm nay trời mưa nên chúng tôi ở nhà đọc sách.",
  "Con tàu đã rời cảng vào buổi sáng sớm trước khi nước lên.",
  "Bạn có thể tìm thấy hướng dẫn cài đặt trong chương thứ ba.",
  "Nếu có lỗi xảy ra, hãy kiểm tra lại tập tin cấu hình.",
];
const polish = [
  "Użytkownik musi podać hasło, aby otworzyć ten pakiet dokumentów.",
  "Miasto leży nad rzeką i ma wiele starych mostów.",
  "Dzisiaj pada deszcz, więc zostaliśmy w domu i czytamy książki.",
  "Statek opuścił port wcześnie rano, zanim przyszedł przypływ.",
  "Instrukcję instalacji można znaleźć w rozdziale trzecim.",
  "Jeśli wystąpi błąd, sprawdź ponownie plik konfiguracyjny.",
];
const czech = [
  "Uživatel musí zadat heslo, aby otevřel tento balík dokumentů.",
  "Město leží u řeky a má mnoho starých mostů.",
  "Dnes prší, takže jsme zůstali doma a čteme knihy.",
  "Loď opustila přístav brzy ráno, než přišel příliv.",
  "Návod k instalaci najdete ve třetí kapitole.",
  "Soubory jsou zašifrovány dříve, než se zapíší na disk.",
];
const catalan = [
  "L'usuari ha d'introduir la contrasenya per obrir aquest paquet de documents.",
  "La ciutat és a la vora del riu i té molts ponts antics.",
  "Avui plou, de manera que ens hem quedat a casa i llegim llibres.",
  "El vaixell va sortir del port de bon matí, abans que pugés la marea.",
  "Les instruccions d'instal·lació es troben al tercer capítol.",
];
const russian = [
  "Пользователь должен ввести пароль, чтобы открыть этот пакет документов.",
  "Город стоит на берегу реки, и в нём много старых мостов.",
  "Сегодня идёт дождь, поэтому мы остались дома и читаем книги.",
  "Корабль покинул гавань рано утром, прежде чем начался прилив.",
  "Инструкция по установке находится в третьей главе.",
];
const listing = `    apt-get install the package for the list of all files in the directory
    if [ -z "$for" ]; then echo the_value_is_not; exit 1; fi
`;

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

  it.each([
    ["vi", vietnamese],
    ["vi", vietnamese.map((sentence) => sentence.normalize("NFD"))],
    ["pl", polish],
    ["cs", czech],
    ["ca", catalan],
    ["ru", russian],
  ])(
    "is %s of a paragraph and of a document with English listings, whatever has a list of function words",
    async (language, sentences) => {
      const chapter = `${sentences.join(" ")}\n\n`;
      // A paragraph of Catalan is too little to be told from Spanish.
      if (language !== "ca") expect(await detectLanguage(chapter)).toBe(language);
      expect(await detectLanguage(chapter.repeat(20))).toBe(language);
      expect(await detectLanguage(`${chapter.repeat(3)}${listing}\n`.repeat(7))).toBe(language);
    },
  );

  it("is that of most of the prose, where a document has English chapters that nobody translated", async () => {
    const german =
      "Der Hafenmeister unterschreibt das Buch, bevor die Flut kommt und die Schiffe den Hafen verlassen. ";
    const english = "The harbour master signs the book before the tide comes in and the ships are allowed to leave. ";
    expect(await detectLanguage(german.repeat(60) + english.repeat(30))).toBe("de");
    expect(await detectLanguage(german.repeat(30) + english.repeat(60))).toBe("en");
  });

  it("takes time in proportion to the sample, not to the text", async () => {
    for (const part of ["```\n", "`", "<", "a@", "/", " ", "漢"]) await detectLanguage(part.repeat(2_000_000));
  }, 10_000);
});

// Megabytes of manuals; those that are left out are named for a language that most of their prose is not in.
describe.skipIf(sharedData === undefined)("manuals", () => {
  it.each([
    ["debian-policy/policy.txt", "en"],
    ["debian-policy/fhs/fhs-3.0.txt", "en"],
    ["debian-policy/README.txt", "en"],
    ["debian-reference-de/debian-reference/debian-reference.de.txt", "de"],
    ["debian-reference-en/debian-reference/debian-reference.en.txt", "en"],
    ["debian-reference-es/debian-reference/debian-reference.es.txt", "es"],
    ["debian-reference-fr/debian-reference/debian-reference.fr.txt", "fr"],
    ["debian-reference-ja/debian-reference/debian-reference.ja.txt", "ja"],
    ["debmake-doc/debmake-doc.en.txt", "en"],
    ["debmake-doc/debmake-doc.ru.txt", "ru"],
    ["debmake-doc/debmake-doc.zh-cn.txt", "zh"],
    ["debmake-doc/debmake-doc.zh-tw.txt", "zh"],
    ["developers-reference/developers-reference.txt", "en"],
    ["developers-reference-de/developers-reference/de/developers-reference.txt", "de"],
    ["developers-reference-fr/developers-reference/fr/developers-reference.txt", "fr"],
    ["developers-reference-ja/developers-reference/ja/developers-reference.txt", "ja"],
  ])("%s is in %s", async (path, language) => {
    expect(await detectLanguage(readFileSync(join(sharedData!, "documents", path), "utf8"))).toBe(language);
  });
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
    expect(told / paragraphs.length).toBeGreaterThan(0.97);
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
