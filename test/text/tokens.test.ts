import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimateTokens, walkTokens } from "../../src/text/tokens.js";

describe("the estimate of tokens", () => {
  // Counted with the tokenizer of the shipped encoder.
  it.each([
    [
      "fi",
      32,
      "Helsinki on Suomen pääkaupunki ja suurin kaupunki. Se sijaitsee Uudenmaan maakunnassa Suomenlahden rannalla. Kaupungin väkiluku kasvoi huomattavasti edellisvuosien aikana.",
    ],
    [
      "hu",
      34,
      "Budapest Magyarország fővárosa, legnagyobb és legnépesebb városa. Az ország politikai, művelődési, ipari, kereskedelmi és közlekedési központja.",
    ],
    [
      "vi",
      37,
      "Hà Nội là thủ đô, thành phố trực thuộc trung ương và là một trong hai đô thị loại đặc biệt của Việt Nam, trung tâm kinh tế và chính trị của cả nước.",
    ],
    [
      "pl",
      34,
      "Warszawa jest stolicą Polski i województwa mazowieckiego, największym miastem kraju, położonym w jego środkowo-wschodniej części nad Wisłą.",
    ],
    [
      "code",
      68,
      "for (let i = 0; i < items.length; i++) {\n  const value = map.get(items[i].key) ?? defaultValue;\n  if (value === undefined) throw new Error(`missing ${items[i].key}`);\n}",
    ],
  ])("of %s is within a quarter of %i", (_, tokens, text) => {
    expect(estimateTokens(text) / tokens).toBeGreaterThan(0.75);
    expect(estimateTokens(text) / tokens).toBeLessThan(1.25);
  });

  it("of two neighbours is at least that of the two joined", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }), (a, b) => {
        const cost = (text: string): number => walkTokens(text, 0, text.length, Infinity).tokens;
        expect(cost(a + b)).toBeLessThanOrEqual(cost(a) + cost(b) + 1e-9);
      }),
      { numRuns: 3000, seed: 5 },
    );
  });

  it("stops where the room ends", () => {
    const text = "one two three four five six seven eight";
    const { end, tokens } = walkTokens(text, 0, text.length, 3.5);
    expect(tokens).toBeLessThanOrEqual(3.5);
    expect(estimateTokens(text.slice(0, end))).toBeLessThanOrEqual(4);
    expect(end).toBeGreaterThan(8);
  });
});
