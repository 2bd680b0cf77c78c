import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { decodeBytes, decodeText } from "../../../src/convert/text/encoding.js";
import { sharedData } from "../../shared-data.js";

describe("text in Unicode", () => {
  const text = "Straße, Größe: Привет, 日本語 и 😀.\n";

  it.each(["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be"])("is known as %s by its mark", (encoding) => {
    const decoded = decodeText(iconv.encode(text, encoding, { addBOM: true }));
    expect(decoded).toEqual({ text, encoding, certain: true });
  });

  it.each(["utf-16le", "utf-16be", "utf-32le", "utf-32be"])("is known as %s by its structure", (encoding) => {
    for (const each of [
      text,
      "это простой документ\n",
      "a,b\r\n1,2\r\n",
      "नमस्ते दुनिया\n",
      "日本語の文書です。\n第二段落。\n",
    ]) {
      const decoded = decodeText(iconv.encode(each, encoding, { addBOM: false }));
      expect(decoded, each).toEqual({ text: each, encoding, certain: true });
    }
  });

  it("stays UTF-8 where some bytes of much text are damaged", () => {
    const damaged = Buffer.concat([Buffer.from("Größe über Äpfel und Öl überall\n".repeat(5)), Buffer.from([0xff])]);
    expect(decodeText(damaged)).toMatchObject({ encoding: "utf-8", certain: false });
  });
});

describe("text in an older encoding is judged by how likely it reads", () => {
  it.each([
    ["windows-1252", "Straße, Größe, „Anführung“ – Ende.\n"],
    ["windows-1252", "Le café est fermé à Noël, dit-elle : « déjà ? »\n"],
    ["windows-1250", "Zażółć gęślą jaźń i więcej słów po polsku.\n"],
    ["iso-8859-2", "Příliš žluťoučký kůň úpěl ďábelské ódy.\n"],
    ["windows-1251", "Это простой документ. Второй абзац.\n"],
    ["koi8-r", "Это простой документ. Второй абзац.\n"],
    ["iso-8859-5", "Это простой документ. Второй абзац.\n"],
    ["ibm866", "Это простой документ. Второй абзац.\n"],
    ["windows-1253", "Αυτό είναι ένα απλό έγγραφο.\n"],
    ["windows-1254", "Bu basit bir belgedir; ikinci satır şöyle değiştirildi.\n"],
    ["windows-1255", "זה מסמך פשוט. פסקה שנייה.\n"],
    ["windows-1256", "هذا مستند بسيط.\n"],
    ["iso-8859-6", "هذا مستند بسيط.\n"],
    ["windows-874", "นี่คือเอกสารธรรมดา\n"],
    ["shift_jis", "日本語の文書です。\n第二段落。\n"],
    ["euc-jp", "日本語の文書です。\n第二段落。\n"],
    ["iso-2022-jp", "日本語の文書です。\n"],
    ["gb18030", "这是一个中文文档。\n"],
    ["big5", "這是一個中文文件。\n"],
    ["euc-kr", "이것은 간단한 문서입니다.\n"],
  ])("as in %s: %s", (encoding, text) => {
    const bytes =
      encoding === "iso-2022-jp"
        ? Buffer.from("\x1b$BF|K\\8l$NJ8=q$G$9!#\x1b(B\n", "latin1")
        : iconv.encode(text, encoding);
    expect(decodeText(bytes).text).toBe(text);
  });

  it("is read as stated where the statement holds, and else is judged", () => {
    const bytes = iconv.encode("Größe", "iso-8859-15");
    expect(decodeText(bytes, "iso-8859-15")).toMatchObject({ encoding: "iso-8859-15", certain: true });
    expect(decodeText(bytes, "utf-8").text).toBe("Größe");
    expect(decodeText(bytes, "x-unheard-of").text).toBe("Größe");
  });

  it("reads quotation marks of windows-1252, which the platform's decoder turns into control characters", () => {
    expect(decodeBytes(Uint8Array.of(0x93, 0x61, 0x94, 0x80), "windows-1252")).toBe("“a”€");
  });
});

describe.skipIf(sharedData === undefined)("the text files of the data set (not in the repository)", () => {
  it.each(["txt", "csv"])("decode to what is expected of every %s", (kind) => {
    let compared = 0;
    for (const name of readdirSync(join(sharedData!, "convert", kind))) {
      const expected = [".utf8.txt", ".txt"]
        .map((suffix) => join(sharedData!, "convert/expected", kind, name + suffix))
        .find((path) => existsSync(path));
      if (expected === undefined) continue;
      const { text } = decodeText(readFileSync(join(sharedData!, "convert", kind, name)));
      expect(text, name).toBe(readFileSync(expected, "utf8").replace(/^\uFEFF/, ""));
      compared++;
    }
    expect(compared).toBeGreaterThan(4);
  });
});
