import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatKey, parseSecret } from "../../src/format/secret.js";
import { bytes, hex, implementations } from "./vectors.js";

const [node] = implementations as [(typeof implementations)[number]];
const text = (value: string, fromFile = false) => new TextDecoder().decode(parseSecret(value, { fromFile }).bytes);
const refuses = (value: string | Uint8Array, fromFile = false) => {
  expect(() => parseSecret(value, { fromFile })).toThrow(expect.objectContaining({ code: "bad-secret" }));
};

describe("a passphrase", () => {
  it("is its NFC: composed and decomposed are one", () => {
    expect(parseSecret("e\u0301")).toEqual(parseSecret("\u00e9"));
    expect(hex(parseSecret("e\u0301").bytes)).toBe("c3a9");
  });

  it("is not trimmed", () => {
    expect(text(" a b \t")).toBe(" a b \t");
    expect(text("a\n")).toBe("a\n");
  });

  it("loses one line end when it comes from a file, and no more", () => {
    expect(text("a\n", true)).toBe("a");
    expect(text("a\r\n", true)).toBe("a");
    expect(text("a\n\n", true)).toBe("a\n");
    expect(text("a\r\n\r\n", true)).toBe("a\r\n");
    expect(text("a\r", true)).toBe("a\r");
    expect(text("a\nb", true)).toBe("a\nb");
    expect(text("a ", true)).toBe("a ");
  });

  it("may hold commas, colons and anything else that is Unicode", () => {
    expect(text("a,b:c=d 漢字 😀")).toBe("a,b:c=d 漢字 😀");
  });

  it("is refused when it is empty, also after its line end is gone", () => {
    refuses("");
    refuses("\n", true);
    refuses("\r\n", true);
    refuses(new Uint8Array(0));
  });

  it("has at most 1,024 bytes, counted after NFC", () => {
    expect(parseSecret("a".repeat(1024)).bytes).toHaveLength(1024);
    refuses("a".repeat(1025));
    expect(parseSecret("é".repeat(512)).bytes).toHaveLength(1024);
    refuses("é".repeat(513));
    // 1,536 bytes as typed, 1,024 as used.
    expect(parseSecret("e\u0301".repeat(512)).bytes).toHaveLength(1024);
  });

  it("is refused with half of a surrogate pair, and when the bytes of a file are not UTF-8", () => {
    refuses("a\ud83d");
    refuses("\ude00a");
    refuses(Uint8Array.of(0x61, 0xff), true);
    expect(text("😀")).toBe("😀");
  });

  it("is the same from the bytes of a file and from its text", () => {
    expect(parseSecret(new TextEncoder().encode("pässwörd\n"), { fromFile: true })).toEqual(parseSecret("pässwörd"));
  });
});

describe("a key in text", () => {
  const key = bytes("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
  const printed = formatKey(node, key);

  it("is mdcx-key- and 56 characters of base32", () => {
    // Base32 of the key and 3 bytes of SHA-256("mdcx/2 key text" || 0x00 || key), by Python's base64 and hashlib.
    expect(printed).toBe("mdcx-key-aaaqeayeaudaocajbifqydiob4ibceqtcqkrmfyydenbwha5dypuyant");
  });

  it("is printed and read back, whatever the key", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (key) => {
        for (const p of implementations) {
          expect(parseSecret(formatKey(p, key))).toEqual({ kind: "key", bytes: key });
        }
      }),
      { seed: 1, numRuns: 100 },
    );
  });

  it("may come from a file", () => {
    expect(parseSecret(`${printed}\n`, { fromFile: true })).toEqual({ kind: "key", bytes: key });
  });

  it("is refused when one character is another, at every place", () => {
    for (let at = 9; at < printed.length; at++) {
      for (const other of "abcdefghijklmnopqrstuvwxyz234567") {
        if (other !== printed[at]) refuses(printed.slice(0, at) + other + printed.slice(at + 1));
      }
    }
  });

  it("is refused with 55 and with 57 characters, in upper case, with spaces, and with letters that base32 has not", () => {
    refuses(printed.slice(0, -1));
    refuses(`${printed}a`);
    refuses(printed.toUpperCase());
    refuses(`mdcx-key-${printed.slice(9).toUpperCase()}`);
    refuses(`MDCX-KEY-${printed.slice(9)}`);
    refuses(`${printed} `);
    refuses(`${printed}\n`);
    refuses(`${printed}\n\n`, true);
    for (const letter of "018A=é") refuses(printed.slice(0, 20) + letter + printed.slice(21));
  });

  it("is what everything that begins with mdcx-key- is meant to be: it is never a passphrase", () => {
    refuses("mdcx-key-");
    refuses("mdcx-key-correct horse battery staple");
    // U+212A, the Kelvin sign, becomes K by NFC.
    refuses("mdcx-\u212aey-x");
    expect(parseSecret("my mdcx-key-").kind).toBe("passphrase");
  });
});
