import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type JsonObject, type JsonPart, type JsonValue, parseJson, writeJson } from "../../src/format/json.js";

const encode = (text: string) => new TextEncoder().encode(text);
const parse = (text: string, what: JsonPart = "claims") => parseJson(encode(text), what);
const refuses = (text: string, what: JsonPart = "claims") => {
  expect(() => parse(text, what), text).toThrow(expect.objectContaining({ code: "bad-json" }));
};

describe("what the JSON rules accept", () => {
  it("keeps every member, known or not", () => {
    expect(parse('{"a":1,"unknown":{"deep":[true,false,null,"x",-1.5]}}')).toEqual({
      a: 1,
      unknown: { deep: [true, false, null, "x", -1.5] },
    });
  });

  it("allows white space between the tokens, and an empty object", () => {
    expect(parse('{ "a" :\t[ 1 ,\r\n2 ] , "b" : { } , "c" : [ ] }')).toEqual({ a: [1, 2], b: {}, c: [] });
    expect(parse("{}")).toEqual({});
  });

  it("gives objects without a prototype, so that __proto__ and constructor are members like others", () => {
    const object = parse('{"__proto__":{"polluted":true},"constructor":1,"toString":2}');
    expect(Object.getPrototypeOf(object)).toBeNull();
    expect(Object.keys(object)).toEqual(["__proto__", "constructor", "toString"]);
    expect(object.polluted).toBeUndefined();
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(parse('{"a":1}').constructor).toBeUndefined();
  });

  it("accepts bidi controls, emoji, escaped pairs and slashes", () => {
    expect(parse('{"a":"\u202e\u2066😀","b":"\\ud83d\\ude00\\/\\"\\\\\\u00e9"}')).toEqual({
      a: "\u202e\u2066😀",
      b: '😀/"\\é',
    });
  });

  it("accepts the largest integers and seventeen digits after the point", () => {
    expect(parse('{"a":9007199254740991,"b":-9007199254740991,"c":0.12345678901234567,"d":0}')).toEqual({
      a: 9007199254740991,
      b: -9007199254740991,
      c: 0.12345678901234567,
      d: 0,
    });
  });

  it("accepts eight levels and 10,000 values", () => {
    expect(parse(`{"a":${"[".repeat(7)}${"]".repeat(7)}}`)).toEqual({ a: [[[[[[[]]]]]]] });
    expect(parse(`{"a":[${Array(9998).fill("1").join(",")}]}`).a).toHaveLength(9998);
    expect(Object.keys(parse(`{${Array.from({ length: 9999 }, (_, i) => `"${i}":""`).join(",")}}`))).toHaveLength(9999);
  });
});

describe("what the JSON rules refuse", () => {
  it("a byte order mark", () => {
    expect(() => parseJson(Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d), "claims")).toThrow("first byte");
  });

  it.each([
    ["an overlong slash", [0xc0, 0xaf]],
    ["an overlong NUL", [0xc0, 0x80]],
    ["a truncated sequence", [0xe2, 0x82]],
    ["a lone continuation byte", [0x80]],
    ["an encoded surrogate", [0xed, 0xa0, 0x80]],
    ["a code point past U+10FFFF", [0xf4, 0x90, 0x80, 0x80]],
    ["UTF-16", [0x00]],
  ])("bytes that are not well-formed UTF-8: %s", (_, inside) => {
    const text = Uint8Array.from([...encode('{"a":"'), ...inside, ...encode('"}')]);
    expect(() => parseJson(text, "claims")).toThrow(expect.objectContaining({ code: "bad-json" }));
  });

  it.each([
    "",
    " {}",
    "{} ",
    "{}\n",
    "{}{}",
    "[]",
    '"a"',
    "null",
    "{",
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,}',
    '{"a":[1,]}',
    '{"a":[,1]}',
    '{,"a":1}',
    '{"a" 1}',
    '{"a":1 "b":2}',
    '{"a":[1 2]}',
    "{a:1}",
    "{'a':1}",
    '{"a":1}//x',
    '{/*x*/"a":1}',
    '{"a":tru}',
    '{"a":True}',
    '{"a":undefined}',
    '{"a":}',
    '{"a":"x}',
    '{"a":"x\\"}',
    '{"a":1]',
    '{"a":[1}}',
    '{"a":\u00a01}',
  ])("another grammar than RFC 8259's, or something around the object: %s", (text) => {
    refuses(text);
  });

  it.each([
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":2}',
    '{"x":{"a":1,"b":2,"a":1}}',
    '{"x":[{"a":1,"a":1}]}',
    '{"__proto__":1,"__proto__":2}',
    '{"__proto__":1,"\\u005f_proto__":2}',
    '{"":1,"":2}',
    '{"\\ud83d\\ude00":1,"😀":2}',
  ])("a name that occurs twice after unescaping: %s", (text) => {
    refuses(text);
    expect(() => parse(text)).toThrow("occurs twice");
  });

  it.each(['"\\ud83d"', '"\\ude00"', '"\\ude00\\ud83d"', '"\\ud83dx"', '"x\\ud83d\\ud83d\\ude00"'])(
    "half of a surrogate pair, in a value and in a name: %s",
    (text) => {
      refuses(`{"a":${text}}`);
      refuses(`{${text}:1}`);
    },
  );

  it("every control character, raw and escaped, in a value and in a name", () => {
    const controls = [...Array(0x20).keys(), ...Array.from({ length: 0x21 }, (_, i) => 0x7f + i)];
    for (const code of controls) {
      const escaped = `\\u${code.toString(16).padStart(4, "0")}`;
      for (const text of [String.fromCharCode(code), escaped, escaped.replace(/[a-f]/g, (c) => c.toUpperCase())]) {
        refuses(`{"a":"x${text}y"}`);
        refuses(`{"x${text}y":1}`);
      }
    }
    for (const letter of "bfnrt") refuses(`{"a":"\\${letter}"}`);
    expect(parse('{"a":"\u00a0 ~"}')).toEqual({ a: "\u00a0 ~" });
  });

  it.each(["\\x41", "\\u12", "\\u12g4", "\\U0041", "\\'", "\\0", "\\a", "\\"])("an unknown escape: %s", (escape) => {
    refuses(`{"a":"${escape}"}`);
  });

  it.each([
    "9007199254740992",
    "-9007199254740992",
    "9007199254740992.5",
    "99999999999999999",
    "1e3",
    "1E3",
    "1.5e-3",
    "-0",
    "-0.0",
    "-0.00000000000000000",
    "01",
    "-01",
    "00",
    "+1",
    ".5",
    "1.",
    "-",
    "--1",
    "NaN",
    "Infinity",
    "-Infinity",
    "0x10",
    "1_000",
    "1.123456789012345678",
    "9".repeat(400),
    `0.${"1".repeat(400)}`,
  ])("the number %s", (number) => {
    refuses(`{"a":${number}}`);
    refuses(`{"a":[${number}]}`);
    refuses(`{"a":${number}}`, "envelope");
  });

  it("in the envelope, numbers that are not written as integers", () => {
    for (const number of ["1.0", "17.5", "0.0", "-1.0"]) {
      refuses(`{"a":${number}}`, "envelope");
      expect(parse(`{"a":${number}}`).a).toBe(Number(number));
    }
    expect(parse('{"a":-17}', "envelope")).toEqual({ a: -17 });
  });

  it("nine levels, of objects, arrays or both, however deep the text goes", () => {
    refuses(`{"a":${"[".repeat(8)}${"]".repeat(8)}}`);
    refuses(`${'{"a":'.repeat(9)}1${"}".repeat(9)}`);
    refuses(`${'{"a":['.repeat(5)}1${"]}".repeat(5)}`);
    refuses(`{"a":${"[".repeat(500_000)}`);
  });

  it("10,001 values", () => {
    refuses(`{"a":[${Array(9999).fill("1").join(",")}]}`);
    refuses(`{"a":[${Array(9999).fill("[]").join(",")}]}`);
    refuses(`{${Array.from({ length: 10_000 }, (_, i) => `"${i}":""`).join(",")}}`);
  });

  it("and says where", () => {
    expect(() => parse('{"a":01}')).toThrow(/statement .* \(at character 6\)/);
    expect(() => parse('{"a":1.5}', "envelope")).toThrow(/envelope .*not an integer/);
  });
});

describe("writing", () => {
  it("gives compact UTF-8", () => {
    expect(new TextDecoder().decode(writeJson({ a: [1, "é"], b: {} }))).toBe('{"a":[1,"é"],"b":{}}');
  });

  it.each([
    ["a control character", { a: "x\n" }],
    ["a C1 control", { a: "\u0085" }],
    ["half a surrogate pair", { a: "\ud83d" }],
    ["an exponent", { a: 1e-7 }],
    ["2^53", { a: 2 ** 53 }],
    ["NaN", { a: Number.NaN }],
    ["infinity", { a: [Number.POSITIVE_INFINITY] }],
    ["minus zero", { a: -0 }],
    ["undefined", { a: undefined as unknown as null }],
    ["nine levels", { a: [[[[[[[[]]]]]]]] }],
    ["10,001 values", { a: Array<number>(9999).fill(1) }],
  ] as [string, JsonObject][])("refuses what would not be read back: %s", (_, value) => {
    expect(() => writeJson(value)).toThrow(expect.objectContaining({ code: "bad-input" }));
  });
});

/** A value within the rules, of `levels` levels at most. */
function value(levels: number): fc.Arbitrary<JsonValue> {
  const text = fc.string({ unit: "grapheme", maxLength: 8 }).filter((s) => !/[\u0000-\u001f\u007f-\u009f]/.test(s));
  const number = fc.oneof(
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => /^-?\d{1,15}(\.\d{1,17})?$/.test(String(n))),
  );
  const leaf: fc.Arbitrary<JsonValue> = fc.oneof(
    fc.constantFrom<JsonValue[]>(null, true, false),
    number.map((n) => (n === 0 ? 0 : n)),
    text,
  );
  if (levels <= 1) return leaf;
  const name = fc.oneof(text, fc.constantFrom("__proto__", "constructor", "a"));
  return fc.oneof(leaf, fc.array(value(levels - 1), { maxLength: 4 }), object(levels, name));
}

function object(levels: number, name: fc.Arbitrary<string> = fc.constantFrom("a", "b", "__proto__")) {
  return fc
    .uniqueArray(fc.tuple(name, value(levels - 1)), { maxLength: 4, selector: ([key]) => key })
    .map((members) => Object.assign(Object.create(null) as JsonObject, Object.fromEntries(members)));
}

describe("for any value", () => {
  it("what is written is read back the same", () => {
    fc.assert(
      fc.property(object(5), (value) => {
        expect(JSON.stringify(parseJson(writeJson(value), "claims"))).toBe(JSON.stringify(value));
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it("a text with one character changed is refused, or read as JSON.parse reads it", () => {
    const characters = fc.constantFrom(...Array.from('{}[]",:\\0123456789.-+eEtrufalsn \n/\u0000é'));
    let accepted = 0;
    fc.assert(
      fc.property(object(4), fc.nat(), fc.nat(2), characters, (value, place, removed, inserted) => {
        const text = JSON.stringify(value);
        const at = place % text.length;
        // A pair cut in two has no UTF-8; what replaces it is what both get to read.
        const changed = (text.slice(0, at) + inserted + text.slice(at + removed)).replace(
          /[\ud800-\udfff]/gu,
          "\ufffd",
        );
        let read: JsonObject;
        try {
          read = parse(changed);
        } catch {
          return;
        }
        accepted++;
        expect(JSON.stringify(read)).toBe(JSON.stringify(JSON.parse(changed)));
      }),
      { seed: 2, numRuns: 3000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });
});
