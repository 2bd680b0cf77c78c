import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { claimsObject, parseClaims, type ClaimedFacts } from "../../src/format/claims.js";
import { writeJson, type JsonObject } from "../../src/format/json.js";
import { facts } from "./packages.js";

const hex = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => Buffer.from(bytes).toString("hex"));
const count = fc.nat(2 ** 31 - 1);
// Control characters and unpaired surrogates are refused by the JSON rules, which have tests of their own.
const text = fc.string({ unit: fc.constantFrom(...Array.from("aZ0 \"\\/ßжא中😀\u202e'<&")), maxLength: 30 });
const date = fc.constantFrom("1999", "2020-02", "2024-02-29");

const anyFacts: fc.Arbitrary<ClaimedFacts> = fc.record({
  packageId: hex(16),
  revision: count.map((n) => n + 1),
  created: fc.constantFrom("2026-01-31T12:00:00Z", "1970-01-01T00:00:00Z", "2024-02-29T23:59:59Z"),
  title: text,
  issuer: fc.option(
    fc.record({ name: text, publicKey: fc.uint8Array({ minLength: 32, maxLength: 32 }) }, { requiredKeys: ["name"] }),
  ),
  documents: count,
  passages: count,
  attachments: count,
  languages: fc.array(fc.record({ code: fc.constantFrom("en", "de", "zh-Hant", "und"), documents: count }), {
    maxLength: 4,
  }),
  dated: fc.oneof(
    fc.constant({ count: 0, from: null, to: null }),
    fc.record({ count: count.map((n) => n + 1), from: date, to: date }),
  ),
  model: fc.option(fc.record({ id: text, sha256: hex(32), dimensions: count.map((n) => n + 1) })),
  answerableAt: fc.option(
    fc.record({
      value: fc.integer({ min: -1000, max: 1000 }).map((n) => n / 1000 + 0),
      origin: fc.constantFrom("estimated" as const, "focus" as const, "focus-after" as const),
    }),
  ),
  conversion: fc.option(fc.record({ documents: count, coverage: fc.constantFrom(0.5, 1, 99.948) })),
});

describe("claims", () => {
  it("that are written come back as the same facts, and are written again as the same bytes", () => {
    fc.assert(
      fc.property(anyFacts, (stated) => {
        const bytes = writeJson(claimsObject(stated));
        const { raw, ...read } = parseClaims(bytes);
        expect(JSON.parse(JSON.stringify(read))).toEqual(JSON.parse(JSON.stringify(stated)));
        expect(Buffer.compare(writeJson(raw), bytes)).toBe(0);
        expect(Buffer.compare(writeJson(claimsObject(read, raw)), bytes)).toBe(0);
      }),
      { seed: 5, numRuns: 200 },
    );
  });

  it("of a later kind are kept when a package is rewritten, whatever they are named", () => {
    const later = JSON.parse(
      '{"__proto__":1,"constructor":{"prototype":[]},"hasOwnProperty":null,"1":"one"}',
    ) as JsonObject;
    const bytes = writeJson(claimsObject(facts(), later));
    const { raw, ...read } = parseClaims(bytes);
    const again = writeJson(claimsObject({ ...read, revision: 2 }, raw));
    expect(new TextDecoder().decode(again)).toBe(
      new TextDecoder().decode(bytes).replace('"revision":1', '"revision":2'),
    );
  });

  it("are refused by the name of the member that is wrong", () => {
    const wrong: readonly [string, unknown, string][] = [
      ["package_id", null, "package_id"],
      ["languages", {}, "languages"],
      ["languages", [1], "languages"],
      ["languages", [{ code: "x", documents: 1 }], "languages.code"],
      ["languages", [{ code: "en" }], "languages.documents"],
      ["dated", null, "dated"],
      ["dated", { count: 1, from: null, to: null }, "dated.from"],
      ["dated", { count: 1, from: "2020", to: "20" }, "dated.to"],
      ["model", { id: "m", sha256: "00", dimensions: 1 }, "model.sha256"],
      ["model", { id: "m", sha256: "0".repeat(64), dimensions: 0 }, "model.dimensions"],
      ["model", [], "model"],
      ["answerable_at", { value: 2, origin: "focus" }, "answerable_at.value"],
      ["conversion", "fine", "conversion"],
      ["issuer", {}, "issuer.name"],
    ];
    for (const [name, value, path] of wrong) {
      const bytes = writeJson({ ...claimsObject(facts()), [name]: value } as JsonObject);
      expect(() => parseClaims(bytes), name).toThrow(`The claim ${path} `);
    }
  });
});
