import { describe, expect, it } from "vitest";
import { FolderSearch } from "../../src/folder-search.js";
import { bytesOf } from "../package/in-memory.js";

/** Longer than a passage may be, so that it is cut within a sentence. */
const RUN = Array.from({ length: 500 }, (_, i) => `word${i}`).join(" ");
const FOLDER = {
  "exact.md": "# Rules\n\nBoats may moor at night, where a lamp is lit.\n",
  "scattered.md": "# Other rules\n\nAt night, boats lie where they may; to moor is dear.\n",
  "twice.md": "# Twice\n\nMay moor at night. She may moor at night.\n",
  "accents.md": "# Lois\n\nLe phare éclairé de nuit.\n",
  "run.md": `# Run\n\n${RUN}\n`,
  "zh.md": "# 港口\n\n夜间可以在码头停泊船只。\n",
  "ko.md": "# 항구\n\n밤에는 부두에 배를 댈 수 있다.\n",
};
const search = await FolderSearch.of(Object.entries(FOLDER).map(([path, text]) => ({ path, bytes: bytesOf(text) })));
const found = async (question: string, literal = true): Promise<string[]> =>
  (await search.ask(question, { literal })).documents.map(({ document }) => document.slice(2));

describe("searching a folder with --literal", () => {
  it("needs the exact phrase; the default does not", async () => {
    expect(await found("may moor at night")).toEqual(["twice.md", "exact.md"]);
    expect(await found("may moor at night", false)).toEqual(expect.arrayContaining(["exact.md", "scattered.md"]));
    expect(await found("moor at nights")).toEqual([]);
  });

  it("is whatever the case, the accents, the signs and line ends between are", async () => {
    expect(await found("MAY MOOR,\nat night!")).toEqual(["twice.md", "exact.md"]);
    expect(await found("phare eclaire")).toEqual(["accents.md"]);
    expect(await found('"at night, where"')).toEqual(["exact.md"]);
  });

  it("finds every phrase of a document, also one that runs from one passage into the next", async () => {
    expect(search.size.passages).toBeGreaterThan(Object.keys(FOLDER).length);
    for (let i = 0; i + 3 < 500; i += 7) expect(await found(`word${i} word${i + 1} word${i + 2}`)).toEqual(["run.md"]);
    expect(await found("word7 word9")).toEqual([]);
  });

  it("finds phrases of languages that write without spaces or glue particles to words", async () => {
    expect(await found("码头停泊")).toEqual(["zh.md"]);
    expect(await found("停泊码头")).toEqual([]);
    expect(await found("부두에 배")).toEqual(["ko.md"]);
  });

  it("finds a phrase that is nothing but function words", async () => {
    expect(await found("where a")).toEqual(["exact.md"]);
  });

  it("shows the passage that holds the phrase, and says how to go on where none does", async () => {
    const { documents } = await search.ask("word300 word301", { literal: true });
    expect(documents[0]!.passages[0]!.text).toContain("word300 word301");
    const { hint } = await search.ask("night may at moor", { literal: true });
    expect(hint).toMatch(/one after the other: ask again without --literal/);
  });

  it("needs words in quotation marks without it too, and shows where they stand", async () => {
    expect(await found('boats "lie where"', false)).toEqual(["scattered.md"]);
    expect((await search.ask('"gone" boats')).hint).toMatch(/quotation marks/);
    const { documents } = await search.ask('word3 word4 word5 "word400 word401"');
    expect(documents[0]!.passages[0]!.text).toContain("word400 word401");
  });
});
