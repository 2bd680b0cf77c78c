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
