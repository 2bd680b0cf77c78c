import { concatBytes } from "@noble/hashes/utils.js";
import type { ErrorCode } from "../../../src/errors.js";
import { decode, editClaims, encode, putTogether, redigest, takeApart, type Parts } from "../forge.js";
import { everywhere, type Refusal } from "./refusal.js";

const group = "json";

function edited(id: string, why: string, code: ErrorCode, edit: (parts: Parts) => Parts): Refusal {
  return {
    id,
    group,
    why,
    base: "signed",
    expect: everywhere(code),
    make: ({ signed }) => putTogether(redigest(edit(takeApart(signed.bytes)))),
  };
}

function claims(id: string, why: string, edit: (text: string) => string, code: ErrorCode = "bad-json"): Refusal {
  return edited(`claims-${id}`, `Claims: ${why}`, code, (parts) => editClaims(parts, edit));
}

function envelope(id: string, why: string, edit: (text: string) => string, code: ErrorCode = "bad-json"): Refusal {
  return edited(`envelope-${id}`, `Envelope: ${why}`, code, (parts) => ({
    ...parts,
    envelope: encode(edit(decode(parts.envelope))),
  }));
}

/** The claims with raw bytes in the place of the title, for what no string can hold. */
function rawTitle(id: string, why: string, bytes: readonly number[]): Refusal {
  return edited(`claims-${id}`, `Claims: ${why}`, "bad-json", (parts) => {
    const [before, after] = decode(parts.claims).split("Signed");
    return { ...parts, claims: concatBytes(encode(before!), Uint8Array.from(bytes), encode(after!)) };
  });
}

const title = (text: string) => (json: string) => json.replace("Signed", text);
const first = (member: string) => (json: string) => json.replace("{", `{${member},`);
const nested = (levels: number): string => `${'{"a":'.repeat(levels - 1)}{}${"}".repeat(levels - 1)}`;

export const jsonRefusals: readonly Refusal[] = [
  edited("claims-bom", "Claims: a byte order mark comes first.", "bad-json", (parts) => ({
    ...parts,
    claims: concatBytes(Uint8Array.of(0xef, 0xbb, 0xbf), parts.claims),
  })),
  rawTitle("overlong", "an overlong encoding of a slash.", [0xc0, 0xaf]),
  rawTitle("truncated-utf8", "a character of three bytes with two.", [0xe2, 0x82]),
  rawTitle("surrogate-utf8", "a surrogate encoded as UTF-8.", [0xed, 0xa0, 0x80]),
  rawTitle("raw-escape", "a raw ESC.", [0x1b]),
  rawTitle("raw-c1", "a raw C1 control, U+009B.", [0xc2, 0x9b]),
  rawTitle("raw-nul", "a raw NUL.", [0]),
  claims("leading-space", "a space comes first.", (json) => ` ${json}`),
  claims("trailing-space", "a space comes last.", (json) => `${json} `),
  claims("trailing-line-end", "a line end comes last.", (json) => `${json}\n`),
  claims("two-objects", "two objects, one after the other.", (json) => json + json),
  claims("array", "a list instead of an object.", (json) => `[${json}]`),
  claims("trailing-comma", "a comma before the last brace.", (json) => json.replace(/\}$/, ",}")),
  claims("comment", "a comment.", (json) => json.replace("{", "{/* */")),
  claims("single-quotes", "single quotes.", (json) => json.replaceAll('"', "'")),
  claims("name-twice", "a name twice.", first('"title":"first"')),
  claims("name-twice-escaped", "a name twice, once with an escape.", first('"t\\u0069tle":"first"')),
  claims("name-twice-nested", "a name twice in an inner object.", (json) =>
    json.replace('"count":0', '"count":0,"count":0'),
  ),
  claims("proto-twice", "__proto__ twice.", first('"__proto__":1,"__proto__":2')),
  claims("lone-surrogate", "an escaped surrogate without its partner.", title("\\ud83d")),
  claims("surrogates-reversed", "a surrogate pair the wrong way round.", title("\\ude00\\ud83d")),
  claims("escaped-nul", "an escaped NUL.", title("\\u0000")),
  claims("escaped-escape", "an escaped ESC.", title("\\u001b[2J")),
  claims("escaped-c1", "an escaped C1 control.", title("\\u009b")),
  claims("escaped-delete", "an escaped DEL.", title("\\u007f")),
  claims("escaped-tab", "an escaped tab.", title("a\\tb")),
  claims("2-53", "a number of 2^53.", (json) => json.replace('"revision":2', '"revision":9007199254740992')),
  claims("exponent", "a number with an exponent.", (json) => json.replace('"passages":5', '"passages":1e3')),
  claims("minus-zero", "minus zero.", (json) => json.replace('"attachments":0', '"attachments":-0')),
  claims("minus-zero-fraction", "minus zero with a fraction.", (json) =>
    json.replace('"attachments":0', '"attachments":-0.0'),
  ),
  claims("leading-zero", "a number with a leading zero.", (json) => json.replace('"passages":5', '"passages":05')),
  claims("plus", "a number with a plus sign.", (json) => json.replace('"passages":5', '"passages":+5')),
  claims("nan", "NaN.", (json) => json.replace('"passages":5', '"passages":NaN')),
  claims("400-digits", "a number of 400 digits.", (json) =>
    json.replace('"passages":5', `"passages":${"9".repeat(400)}`),
  ),
  claims("18-decimals", "a fraction of 18 digits.", first(`"x":0.${"1".repeat(18)}`)),
  claims("depth-9", "nine levels.", first(`"x":${nested(8)}`)),
  claims("10001-values", "10,001 values.", first(`"x":[${Array.from({ length: 10_001 }, () => "0").join(",")}]`)),
  claims(
    "id-upper-case",
    "package_id in upper case.",
    (json) => json.replace(/"package_id":"([^"]+)"/, upperCaseId),
    "bad-claims",
  ),
  claims(
    "id-short",
    "package_id of 31 digits.",
    (json) => json.replace(/"package_id":"./, '"package_id":"'),
    "bad-claims",
  ),
  claims(
    "id-long",
    "package_id of 34 digits.",
    (json) => json.replace('"package_id":"', '"package_id":"00'),
    "bad-claims",
  ),
  claims(
    "id-not-hex",
    "package_id with a letter that is no digit.",
    (json) => json.replace(/"package_id":"./, '"package_id":"g'),
    "bad-claims",
  ),
  claims(
    "key-upper-case",
    "issuer.public_key in upper case.",
    (json) => json.replace(/"public_key":"([^"]+)"/, (all) => all.toUpperCase().replace("PUBLIC_KEY", "public_key")),
    "bad-claims",
  ),
  claims(
    "key-short",
    "issuer.public_key of 62 digits.",
    (json) => json.replace(/"public_key":"../, '"public_key":"'),
    "bad-claims",
  ),
  claims(
    "key-long",
    "issuer.public_key of 66 digits.",
    (json) => json.replace('"public_key":"', '"public_key":"00'),
    "bad-claims",
  ),
  claims(
    "key-null",
    "issuer.public_key is null.",
    (json) => json.replace(/"public_key":"[^"]+"/, '"public_key":null'),
    "bad-claims",
  ),
  claims("revision-0", "revision 0.", (json) => json.replace('"revision":2', '"revision":0'), "bad-claims"),
  claims("revision-fraction", "revision 2.5.", (json) => json.replace('"revision":2', '"revision":2.5'), "bad-claims"),
  claims(
    "revision-string",
    "revision is a string.",
    (json) => json.replace('"revision":2', '"revision":"2"'),
    "bad-claims",
  ),
  claims(
    "documents-negative",
    "a negative number of documents.",
    (json) => json.replace('"documents":2', '"documents":-2'),
    "bad-claims",
  ),
  claims(
    "created-30-february",
    "a day that does not exist.",
    (json) => json.replace("2026-01-31", "2026-02-30"),
    "bad-claims",
  ),
  claims("created-offset", "a time with an offset.", (json) => json.replace("00Z", "00+01:00"), "bad-claims"),
  claims("title-missing", "no title.", (json) => json.replace('"title":"Signed",', ""), "bad-claims"),
  claims(
    "issuer-string",
    "the issuer is a string.",
    (json) => json.replace(/"issuer":\{[^}]+\}/, '"issuer":"Test issuer"'),
    "bad-claims",
  ),
  claims(
    "dated-without-count",
    "a date span without any dated document.",
    (json) => json.replace('"from":null', '"from":"2020"'),
    "bad-claims",
  ),
  claims(
    "origin-unknown",
    "answerable_at of an unknown origin.",
    (json) => json.replace('"answerable_at":null', '"answerable_at":{"value":0.8,"origin":"guessed"}'),
    "bad-claims",
  ),
  envelope("bom", "a byte order mark comes first.", (json) => `\ufeff${json}`),
  envelope("trailing-space", "a space comes last.", (json) => `${json} `),
  envelope("name-twice", "slots twice.", (json) => json.replace("{", '{"slots":[],')),
  envelope("proto-twice", "__proto__ twice in a slot.", (json) => json.replace("[{", '[{"__proto__":1,"__proto__":2,')),
  envelope("fraction", "a number written 1.0.", (json) => json.replace("{", '{"x":1.0,')),
  envelope("exponent", "a number written 1e3.", (json) => json.replace("{", '{"x":1e3,')),
  envelope("minus-zero", "minus zero.", (json) => json.replace("{", '{"x":-0,')),
  envelope("label-escape", "an escaped ESC in a label.", (json) => json.replace("test key", "\\u001b[2J")),
  envelope("depth-9", "nine levels.", (json) => json.replace("{", `{"x":${nested(8)},`)),
  envelope(
    "salt-upper-case",
    "a salt in upper case.",
    (json) => json.replace(/"salt":"[^"]+"/, (all) => all.toUpperCase().replace("SALT", "salt")),
    "bad-envelope",
  ),
  envelope("salt-odd", "a salt of 63 digits.", (json) => json.replace(/"salt":"./, '"salt":"'), "bad-envelope"),
  envelope("salt-long", "a salt of 66 digits.", (json) => json.replace('"salt":"', '"salt":"00'), "bad-envelope"),
  envelope(
    "salt-not-hex",
    "a salt with a letter that is no digit.",
    (json) => json.replace(/"salt":"./, '"salt":"g'),
    "bad-envelope",
  ),
];

/** Upper case that differs: an identifier of digits only would be the same. */
function upperCaseId(all: string, id: string): string {
  return all.replace(id, /[a-f]/.test(id) ? id.toUpperCase() : `A${id.slice(1)}`);
}
