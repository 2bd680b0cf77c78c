import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Corpus, type Package } from "../../src/index.js";
import { opened } from "../package/in-memory.js";

let harbour: Package;
let night: Package;

beforeAll(async () => {
  harbour = await opened({ "a.md": "# Moorings\n\nThe moorings at the quay are checked in spring.\n" });
  night = await opened({ "b.md": "# Night\n\nWhoever moors at night calls the watchkeeper.\n" });
});
afterAll(async () => {
  await harbour.close();
  await night.close();
});

describe("a word that is nowhere", () => {
  it("is said to stand for the words like it by which passages were found", async () => {
    const reply = await new Corpus([harbour, night]).search("watchkeeperhood", { mode: "words" });
    expect(reply.likenedTo).toEqual({ watchkeeperhood: ["watchkeeper"] });
    expect(reply.passages[0]!.document).toBe("@/b.md");
  });

  it("stands for nothing where there is none like it, where one of the packages has it, or where likeness is left out", async () => {
    const corpus = new Corpus([harbour, night]);
    expect((await corpus.search("zyxomma", { mode: "words" })).likenedTo).toEqual({});
    expect((await corpus.search("mooring", { mode: "words" })).likenedTo).toEqual({});
    expect((await corpus.search("watchkeeperhood", { mode: "words", likeness: "without" })).likenedTo).toEqual({});
  });
});
