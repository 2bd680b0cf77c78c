import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FormList, FormTable } from "../../src/text/forms.js";
import { indexWords } from "../../src/text/words.js";

const texts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        "ship",
        "Straße",
        "使用",
        "使",
        "한국어를",
        "서울",
        "ที่ดี",
        "x²",
        "-",
        "かな",
        "𠮷野",
        "e\u0301",
        "a".repeat(150),
      ),
    )
    .map((words) => words.join(" ")),
  fc.array(fc.constantFrom("使", "用", "한", "국", "a", "ß", "ที่", "\u0301", "𠮷")).map((parts) => parts.join("")),
);

function read(table: FormTable, text: string): Int32Array {
  const list = new FormList();
  table.read(text, list);
  return list.numbers.slice();
}

describe("a table of forms", () => {
  it("reads a text as indexWords does, however often it is asked", () => {
    const table = new FormTable();
    fc.assert(
      fc.property(texts, (text) => {
        for (let time = 0; time < 2; time++)
          expect(Array.from(read(table, text), (number) => table.list[number])).toEqual(indexWords(text));
      }),
      { numRuns: 1_500, seed: 5 },
    );
    expect(new Set(table.list).size).toBe(table.count);
  });

  it("keeps its numbers while it grows past all its first sizes", () => {
    const table = new FormTable();
    const words = Array.from({ length: 60_000 }, (_, i) => `word${i}`);
    const first = read(table, words.join(" "));
    expect(first).toEqual(Int32Array.from(words, (_, i) => i));
    expect(read(table, words.join("\n"))).toEqual(first);
  });
});
