import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { KINDS, readGolden } from "../../src/evaluation/golden.js";

const GOLDEN = fileURLToPath(new URL("../../bench/golden", import.meta.url));

describe("golden questions", () => {
  it("are read with their labels, whatever else stands in a line", () => {
    const text = [
      '{"id":"a","query":"Who?","kind":"keyword","any":["@/a.md","b/c.md"],"note":"mine"}',
      "",
      '{"id":"b","query":"Wer?","kind":"multi-hop","all":["@/a.md","@/a.md","@/b.md"]}\r',
      '{"id":"c","query":"誰","kind":"unanswerable"}',
    ].join("\n");
    expect(readGolden("\ufeff" + text)).toEqual([
      { id: "a", query: "Who?", kind: "keyword", documents: ["@/a.md", "@/b/c.md"], needs: "any", line: 1 },
      { id: "b", query: "Wer?", kind: "multi-hop", documents: ["@/a.md", "@/b.md"], needs: "all", line: 3 },
      { id: "c", query: "誰", kind: "unanswerable", documents: [], needs: "any", line: 4 },
    ]);
  });

  const good = '{"id":"a","query":"Who?","kind":"keyword","any":["@/a.md"]}';
  it.each([
    ["no JSON", "{", "it is not a JSON object on one line"],
    ["a list", "[1]", "it is not a JSON object"],
    ["an unknown kind", '{"id":"b","query":"q","kind":"easy","any":["@/a.md"]}', '"kind" must be one of paraphrase'],
    ["no query", '{"id":"b","query":" ","kind":"table","any":["@/a.md"]}', '"query" must be a text'],
    ["no id", '{"query":"q","kind":"table","any":["@/a.md"]}', '"id" must be a text'],
    ["an id twice", good, 'the id "a" occurs a second time'],
    ["no label", '{"id":"b","query":"q","kind":"table"}', '"any" or "all" is missing'],
    ["both labels", '{"id":"b","query":"q","kind":"table","any":["@/a"],"all":["@/a"]}', 'both "any" and "all"'],
    ["an empty list", '{"id":"b","query":"q","kind":"table","any":[]}', '"any" must be a list of documents'],
    ["a path that is none", '{"id":"b","query":"q","kind":"table","all":["@/a",7]}', '"all" must be a list'],
    ["a label without an answer", '{"id":"b","query":"q","kind":"unanswerable","any":["@/a"]}', "it is unanswerable"],
  ])("refuse %s in one sentence with the line's number", (_, line, reason) => {
    const refusal = () => readGolden(`${good}\n\n${line}\n`);
    expect(refusal).toThrow("Line 3 of the golden questions cannot be used: ");
    expect(refusal).toThrow(reason);
  });

  it("need a question", () => {
    expect(() => readGolden("\n")).toThrow("There is no golden question");
  });
});

describe("the project's golden set", () => {
  const text = readFileSync(join(GOLDEN, "golden.jsonl"), "utf8");
  const questions = readGolden(text);
  const notes = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: string; language: string; quotes?: string[] });
  const folder = join(GOLDEN, "documents");
  const documents = new Map(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => [`@/${name.replaceAll("\\", "/")}`, readFileSync(join(folder, name), "utf8")]),
  );

  it("has 100 questions of all seven kinds in six languages over 37 documents, 22 of them without an answer", () => {
    expect(questions).toHaveLength(100);
    expect(documents.size).toBe(37);
    expect(new Set(questions.map(({ kind }) => kind))).toEqual(new Set(KINDS));
    expect(new Set(notes.map(({ language }) => language))).toEqual(new Set(["en", "de", "fr", "es", "ru", "ja"]));
    expect(questions.filter(({ kind }) => kind === "unanswerable")).toHaveLength(22);
  });

  it("asks for every document", () => {
    expect(new Set(questions.flatMap((question) => question.documents))).toEqual(new Set(documents.keys()));
  });

  it("finds the words of every answer in the document that is named, and in no other", () => {
    const elsewhere = questions.flatMap((question, at) =>
      question.documents.flatMap((path, place) => {
        const quote = notes[at]!.quotes![place]!;
        const holders = [...documents].flatMap(([name, content]) => (content.includes(quote) ? [name] : []));
        return holders.length === 1 && holders[0] === path ? [] : [`${question.id}: ${quote} in ${holders.join(", ")}`];
      }),
    );
    expect(elsewhere).toEqual([]);
  });
});
