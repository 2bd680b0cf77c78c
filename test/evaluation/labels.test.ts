import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { evaluate } from "../../src/evaluation/evaluate.js";
import { readGolden } from "../../src/evaluation/golden.js";
import type { Package } from "../../src/index.js";
import { opened } from "../package/in-memory.js";

describe("a golden question of a package", () => {
  let pkg: Package;
  beforeAll(async () => {
    pkg = await opened({
      "wells/north.md": "# North well\n\nThe pump of the north well is switched off on Sundays.\n",
      "wells/hidden.md": "---\nindexed: false\n---\n\n# Old wells\n\nClosed in 1911.\n",
    });
  });
  afterAll(() => pkg.close());

  const asked = (question: object) =>
    evaluate(
      pkg,
      readGolden(`\n${JSON.stringify({ id: "a", query: "pump on Sundays", kind: "keyword", ...question })}`),
    );

  it("is answered by the document that it names", async () => {
    const { modes, warnings, outcomes } = await asked({ any: ["wells/north.md"] });
    expect(modes).toEqual({
      words: { all: modes.words!.kinds.keyword, kinds: { keyword: expect.anything() as unknown } },
    });
    expect(modes.words!.all).toEqual({ questions: 1, "hit@1": 1, "recall@3": 1, mrr: 1, "ndcg@5": 1 });
    expect(outcomes).toEqual([{ id: "a", mode: "words", rank: 1, warned: false }]);
    expect(warnings).toBeNull();
  });

  it("must name documents that are there and can be found", async () => {
    await expect(asked({ any: ["@/wells/nort.md"] })).rejects.toThrow(
      "Line 2 of the golden questions names @/wells/nort.md, which ",
    );
    await expect(asked({ any: ["@/wells/nort.md"] })).rejects.toThrow("does not hold; nearest are @/wells/north.md");
    await expect(asked({ any: ["@/wells/hidden.md"] })).rejects.toThrow(
      "which is not indexed, so that no search finds it.",
    );
  });

  it("must be one that can be asked", async () => {
    await expect(asked({ query: "?!", kind: "unanswerable" })).rejects.toThrow(
      "Line 2 of the golden questions cannot be used: it cannot be asked (The question has no word in it",
    );
  });
});
