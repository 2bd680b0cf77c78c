import { expect, it } from "vitest";
import { done, expectSentence, mdcx } from "./mdcx.js";

it("mdcx model says what the model is that ships, for people and for programs", async () => {
  const { stdout } = await done(["model"]);
  expect(stdout).toMatch(
    /^model +intfloat\/multilingual-e5-small\nfile +SHA-256 [0-9a-f]{64}, q8\nvectors +384 numbers\nreads +512 tokens at once\n$/,
  );
  expect(JSON.parse((await done(["model", "--json"])).stdout)).toMatchObject({ dimensions: 384, pooling: "mean" });
});

it("mdcx model refuses in one sentence what is neither a folder nor a name on the hub", async () => {
  expectSentence(
    await mdcx(["model", "no such/model/anywhere"]),
    /neither a folder nor the name of a model on the hub/,
  );
});
