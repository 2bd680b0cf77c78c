import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { opened, type Folder } from "../package/in-memory.js";
import { answerOf, splitCorpus } from "./splitting.js";

/** Words in which packages can differ: inflections, shared forms, scripts without spaces, pairs of syllables, misprints. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  en: ["nation", "national", "wings", "wing", "the", "harbour", "modern", "die", "clear"],
  de: ["nationen", "die", "flügel", "der", "hafenkran", "modem", "kran"],
  pl: ["hasła", "hasło", "port", "nocą", "kran"],
  zh: ["中国港口", "港口", "中国"],
  ko: ["비밀번호는", "번호를", "부두"],
  und: ["modern", "zzgl", "kran", "E4711"],
};
const ALL = Object.values(WORDS).flat();
/** Words that no document has as they stand. */
const STRANGE = ["modcrn", "harb0ur", "hasłu", "비밀번호를", "nationwide", "harbor", "E4710", "c1ear"];

const document = fc.constantFrom(...Object.keys(WORDS)).chain((language) =>
  fc.record({
    language: fc.constant(language),
    folder: fc.constantFrom("", "a/", "b/c/"),
    words: fc.array(
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...WORDS[language]!) },
        { weight: 1, arbitrary: fc.constantFrom(...ALL) },
      ),
      { minLength: 1, maxLength: 9 },
    ),
  }),
);

const question = fc.array(fc.constantFrom(...ALL, ...STRANGE), { minLength: 1, maxLength: 5 });

describe("splitting a collection into packages", () => {
  it("changes nothing that words say, however it is split", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(document, { minLength: 2, maxLength: 16 }),
        fc.array(fc.nat(15), { minLength: 16, maxLength: 16 }),
        fc.constantFrom(2, 3, 16),
        fc.array(question, { minLength: 12, maxLength: 12 }),
        async (documents, homes, count, questions) => {
          const folder: Folder = Object.fromEntries(
            documents.map(({ language, folder: above, words }, i) => [
              `${above}${i}.md`,
              `---\ntitle: ${words[0]!}\nlanguage: ${language}\n---\n${words.join(" ")}\n`,
            ]),
          );
          const whole = await splitCorpus(folder, 1, () => 0, opened);
          const split = await splitCorpus(folder, count, (i) => homes[i]!, opened);
          for (const words of questions)
            for (const options of [{ limit: 50 }, { limit: 3, in: "a/**" }]) {
              const asked = words.join(" ");
              expect(await answerOf(split, asked, options), asked).toEqual(await answerOf(whole, asked, options));
            }
          await whole.close();
          await split.close();
        },
      ),
      { numRuns: process.env.MDCX_LONG === undefined ? 12 : 400, seed: 6 },
    );
  }, 600_000);
});
