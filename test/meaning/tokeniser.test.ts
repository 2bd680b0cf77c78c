import { readFileSync } from "node:fs";
import { Tokenizer } from "@huggingface/tokenizers";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { Tokeniser } from "../../src/meaning/tokeniser.js";

const model = new URL("../../models/multilingual-e5-small/", import.meta.url);
const definition = JSON.parse(readFileSync(new URL("tokenizer.json", model), "utf8")) as {
  model: { vocab: [string, number][] };
};
const config = JSON.parse(readFileSync(new URL("tokenizer_config.json", model), "utf8")) as object;

interface Whole {
  encode(text: string): { ids: number[] };
}

const TEXTS = [
  "The lease of the warehouse ends on 31 March.",
  "Der Donaudampfschifffahrtsgesellschaftskapitän übergab die Schlüssel.",
  "Kapı, pencere ve çatı yenilendi; İstanbul’da ısı ölçüldü.",
  "Склад сдан в аренду до конца марта.",
  "倉庫の賃貸借契約は三月三十一日に終了する。ﾊﾝｶｸ",
  "仓库租约将于三月三十一日到期。",
  "창고 임대차 계약은 3월 31일에 끝난다.",
  "ينتهي عقد إيجار المستودع في ٣١ مارس.",
  "गोदाम का पट्टा ३१ मार्च को समाप्त होता है।",
  "สัญญาเช่าโกดังสิ้นสุดวันที่ 31 มีนาคม",
  "שכירות המחסן מסתיימת ב־31 במרץ",
  "Το μισθωτήριο λήγει στις 31 Μαρτίου.",
  "Hợp đồng thuê kho kết thúc vào ngày 31 tháng 3.",
];
const ODD = [
  "",
  " ",
  "▁",
  "▁▁a ▁ b▁",
  "<s>a</s> <mask> b <unk> <pad>",
  "＜s＞ ＜unk＞",
  "=".repeat(77),
  "a".repeat(300),
  "ı".repeat(41),
  "①²ﬁ～ﷺ",
  "👨‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿🦆",
  "𓀀𓀁 ꙮ 𝔘𝔫𝔦 \u{10ffff}",
  "\ud83d lone \udc00",
  "\u0000\u0001\u200b\u00ad\u2028x",
  "e\u0301 é e\u0300\u0301",
  "0x7fffffff 1e-12 C:\\dir\\file.txt https://example.org/?q=ä",
];

let ours: Tokeniser;
let whole: Whole;
beforeAll(async () => {
  ours = await Tokeniser.load(definition, config);
  whole = new (Tokenizer as new (definition: object, config: object) => Whole)(definition, config);
});

describe("a Unigram tokeniser without its trie gives the tokens of the library's own", () => {
  it.each([...TEXTS, ...ODD])("for %j", (text) => {
    expect(ours.ids(text, true)).toEqual(whole.encode(text).ids);
  });

  it("for any sequence of its own pieces, which cut in many ways", () => {
    const pieces = definition.model.vocab;
    const piece = fc.nat(pieces.length - 1).map((index) => pieces[index]![0].replaceAll("▁", " "));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (list) => {
        expect(ours.ids(list.join(""), true)).toEqual(whole.encode(list.join("")).ids);
      }),
      { numRuns: 1_500 },
    );
  });

  it("for any text, characters that no piece holds and halves of characters among them", () => {
    const unit = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 6 }),
      fc.string({ unit: "binary", maxLength: 3 }),
      fc.constantFrom(...TEXTS).chain((text) => fc.nat(text.length).map((at) => text.slice(at, at + 7))),
      fc.constantFrom(" ", "\n", "▁", "=", "ää", "\ud83d", "</s>"),
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 8 }), (list) => {
        expect(ours.ids(list.join(""), true)).toEqual(whole.encode(list.join("")).ids);
      }),
      { numRuns: 1_500 },
    );
  });
});

describe("a text past the window", () => {
  const prefix = "passage: ";
  const start = () => whole.encode(prefix).ids.slice(0, -1);

  it("is one window where it just fits, and two where one token is too many", () => {
    const { length } = whole.encode(prefix + TEXTS[0]!).ids;
    expect(ours.tokenise(TEXTS[0]!, prefix, length)).toHaveLength(1);
    expect(ours.tokenise(TEXTS[0]!, prefix, length - 1)).toHaveLength(2);
  });

  it("is cut into windows of equal length that hold all its tokens in order, each with prefix and special tokens", () => {
    const text = TEXTS.join(" ").repeat(9);
    const windows = ours.tokenise(text, prefix, 100);
    const lengths = windows.map(({ length }) => length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(100);
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1);
    const head = start();
    for (const window of windows) {
      expect([...window.subarray(0, head.length)]).toEqual(head);
      expect(window.at(-1)).toBe(2);
    }
    const body = windows.flatMap((window) => [...window.subarray(head.length, -1)]);
    expect([...head, ...body, 2]).toEqual(whole.encode(prefix + text).ids);
  });

  it("of a hundred thousand characters has the tokens of its parts, with or without blanks", () => {
    const words = "Der Kai wurde geprüft. ".repeat(6_000);
    const windows = ours.tokenise(words, prefix, 512);
    const tokens = windows.reduce((sum, { length }) => sum + length - 2 - (start().length - 1), 0);
    const once = whole.encode("Der Kai wurde geprüft.").ids.length - 2;
    expect(tokens).toBe(6_000 * once);
    expect(ours.tokenise("漢字".repeat(60_000), prefix, 512).length).toBeGreaterThan(50);
  });
});

describe("a tokeniser of another kind is the library's", () => {
  it("WordPiece, for instance", async () => {
    const vocab = Object.fromEntries(
      ["[UNK]", "[CLS]", "[SEP]", "lea", "##se", "ends"].map((piece, id) => [piece, id]),
    );
    const small = {
      added_tokens: [],
      normalizer: { type: "Lowercase" },
      pre_tokenizer: { type: "WhitespaceSplit" },
      post_processor: {
        type: "TemplateProcessing",
        single: [{ SpecialToken: { id: "[CLS]", type_id: 0 } }, { Sequence: { id: "A", type_id: 0 } }],
        pair: [],
      },
      decoder: null,
      model: {
        type: "WordPiece",
        vocab,
        unk_token: "[UNK]",
        continuing_subword_prefix: "##",
        max_input_chars_per_word: 100,
      },
    };
    const tokeniser = await Tokeniser.load(small, {});
    expect(tokeniser.ids("Lease ends never", true)).toEqual([1, 3, 4, 5, 0]);
    expect(tokeniser.tokenise("ends ends ends", "lease ", 5).map((window) => [...window])).toEqual([
      [1, 3, 4, 5],
      [1, 3, 4, 5, 5],
    ]);
  });
});
