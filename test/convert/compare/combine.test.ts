import { describe, expect, it } from "vitest";
import type { Certificate } from "../../../src/convert/certificate.js";
import { certify } from "../../../src/convert/compare/certify.js";
import { combine, unconvertedCertificate, uncheckedCertificate } from "../../../src/convert/compare/combine.js";

async function part(text: string, written = text, place?: string): Promise<Certificate> {
  return certify(
    { engine: "engine 1", markdown: written, withheld: [], labels: [], findings: [] },
    { reader: "reader 2", units: [{ text, ...(place !== undefined && { place }) }], links: [] },
  );
}

const LATE = "Given up after 1200 seconds: convert it alone with a longer time limit.";

describe("a document of several parts", () => {
  it("adds their words up and weighs their order by them", async () => {
    const parts = [await part("one two three four"), await part("a b c d e f", "a b d e f", "page 9")];
    const whole = combine(parts);
    expect(whole).toMatchObject({
      status: "fail",
      engine: "engine 1",
      reader: "reader 2",
      words: { reference: 10, lost: 1, added: 0, coverage: 0.9 },
      order: 1,
      links: { reference: 0, lost: 0, added: 0 },
      lost: [{ place: "page 9", words: ["c"] }],
    });
    expect(whole.tables).toBeUndefined();
    expect(whole.reason).toBe("1 word of 10 is missing (coverage 90.0 %).");
  });

  it("is the part itself where there is one", async () => {
    const only = await part("one two");
    expect(combine([only])).toBe(only);
  });

  it("fails where a part was not converted, and says why", async () => {
    const whole = combine([await part("one two"), unconvertedCertificate("timed-out", LATE)]);
    expect(whole.status).toBe("fail");
    expect(whole.reason).toBe(
      "1 of 2 parts was not converted: Given up after 1200 seconds: convert it alone with a longer time limit.",
    );
  });

  it("is refused or timed out where all its parts are", () => {
    expect(combine([unconvertedCertificate("timed-out", LATE), unconvertedCertificate("timed-out", LATE)]).status).toBe(
      "timed-out",
    );
    expect(combine([unconvertedCertificate("refused", "No."), unconvertedCertificate("refused", "No.")])).toMatchObject(
      {
        status: "refused",
        reason: "No.",
      },
    );
  });

  it("is no ok where a part could not be checked", async () => {
    const unchecked = uncheckedCertificate(
      { engine: "engine 1", markdown: "text", withheld: [], labels: [], findings: [] },
      "The reader refuses it.",
    );
    expect(unchecked).toMatchObject({ status: "unverifiable", words: { coverage: null } });
    expect(combine([await part("one two"), unchecked]).status).toBe("warn");
  });
});
