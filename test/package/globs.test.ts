import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { globMatcher, pathMatcher } from "../../src/path-pattern.js";

/** Names as files may have them: with line ends, separators of lines, tabs. */
const name = fc
  .string({
    minLength: 1,
    maxLength: 12,
    unit: fc.constantFrom("a", "b", "é", " ", "\n", "\r", "\u2028", "\u2029", "\t", "."),
  })
  .filter((one) => !/^\.+$/.test(one));
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));

describe("a pattern of paths", () => {
  it("may be the name of a folder, however it is written", () => {
    for (const written of ["letters/in", "letters/in/", "@/letters/in", "./letters/in", "/letters/in/**"]) {
      expect(pathMatcher(written)("letters/in/a/b.md"), written).toBe(true);
      expect(pathMatcher(written)("letters/inner/b.md"), written).toBe(false);
      expect(pathMatcher(written)("old/letters/in/b.md"), written).toBe(false);
    }
    expect(pathMatcher("letters")("letters/in/b.md")).toBe(true);
    expect(() => pathMatcher(" ")).toThrow(/pattern of paths is empty/);
  });

  it("that names everything names every path, whatever is in it", () => {
    fc.assert(
      fc.property(path, (one) => {
        expect(pathMatcher("**")(one)).toBe(true);
        expect(globMatcher("**")(`folder/${one}`)).toBe(true);
        expect(pathMatcher("folder/**")(`folder/${one}`)).toBe(true);
        expect(pathMatcher("folder/**")(one)).toBe(one.startsWith("folder/"));
      }),
      { seed: 3, numRuns: 500 },
    );
  });
});
