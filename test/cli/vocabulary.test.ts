import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { expectSentence, KEY, mdcx, parsed, scratchFolder, withKey } from "./mdcx.js";

const folder = await scratchFolder("vocabulary");
const file = join(folder, "manual.mdcx");

beforeAll(async () => {
  await mkdir(join(folder, "manual"));
  await writeFile(
    join(folder, "manual", "pump.md"),
    "# The bilge pump\n\nThe display of the pump shows E4710 when the strainer is blocked. Clean the strainer.\n",
  );
  await writeFile(
    join(folder, "manual", "crane.md"),
    "# The crane\n\nThe crane lifts twelve tonnes, the Café nothing.\n",
  );
  await withKey(["pack", join(folder, "manual"), "--target", file]);
}, 60_000);

describe("mdcx vocabulary", () => {
  it("prints the most frequent words first, with the passages that hold each, and the rule", async () => {
    const { stdout } = await withKey(["vocabulary", file, "--limit", "3"]);
    const lines = stdout.trimEnd().split("\n");
    expect(lines[0]).toBe("2  the");
    expect(lines.slice(1, 3)).toEqual(["1  bilge", "1  blocked"]);
    expect(lines.at(-1)).toMatch(/^3 of 1\d terms of 2 passages.*case and accents folded, of 3 characters or more/);
    expect(lines).toHaveLength(5);
  });

  it("says of the words that were asked for in how many passages they are, folded", async () => {
    const asked = ["--term", "STRAINER", "--term", "Café crane", "--term", "E4711"];
    const { document_frequency, passages, rule } = await parsed(["vocabulary", file, ...asked]);
    expect(document_frequency).toEqual([
      { term: "strainer", passages: 1 },
      { term: "cafe", passages: 1 },
      { term: "crane", passages: 1 },
      { term: "e4711", passages: 0 },
    ]);
    expect(passages).toBe(2);
    expect(rule).toMatch(/3 characters/);
  });

  it("says what of a question the package has never seen, and takes no code for another", async () => {
    const question = "When the pump shows E4711, clean the gasket.";
    expect(await parsed(["vocabulary", file, "--question", question])).toMatchObject({
      unknown_terms: ["e4711", "gasket"],
      share: 2 / 7,
      language: "en",
      cross_language: false,
      read_as: {},
    });
    const { stdout } = await withKey(["vocabulary", file, "--question", question]);
    expect(stdout).toMatch(/unknown +e4711, gasket/);
    expect(stdout).toMatch(/share +29 %/);
    expect(stdout).not.toMatch(/read as/);
  });

  it("says what a misread word of a question was taken for", async () => {
    const { stdout } = await withKey(["vocabulary", file, "--question", "Clean the strairier of the bilge pump"]);
    expect(stdout).toMatch(/read as +strairier: strainer/);
  });

  it("refuses in one sentence a term that is none, two wishes at once, and a key that is wrong", async () => {
    const env = { MDCX_KEY: KEY };
    expectSentence(await mdcx(["vocabulary", file, "--term", "of"], { env }), /holds no term/);
    expectSentence(await mdcx(["vocabulary", file, "--limit", "-1"], { env }), /whole number/);
    expectSentence(
      await mdcx(["vocabulary", file, "--term", "pump", "--question", "pump"], { env }),
      /mutually exclusive/,
    );
    expectSentence(await mdcx(["vocabulary", file], { input: "" }), /key|passphrase/i);
  });
});
