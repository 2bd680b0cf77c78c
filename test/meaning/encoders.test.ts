import { afterAll, beforeAll, expect, it } from "vitest";
import type { Encoder } from "../../src/meaning/encoder.js";
import { HttpEncoder } from "../../src/meaning/http.js";
import { openEncoder, SHIPPED_MODEL } from "../../src/node/encoder/open.js";
import { encoderSuite } from "./encoder-suite.js";
import { embeddingsServer, type Loopback } from "./loopback.js";

// One model for both: loading it takes longer than most of what is asked of it.
const shipped = openEncoder(undefined, { threads: 1 });
let server: Loopback;
beforeAll(async () => {
  server = await embeddingsServer(shipped, SHIPPED_MODEL.id);
});
afterAll(async () => {
  await server.close();
  await shipped.close();
});

const remote = () => new HttpEncoder(`http://${server.host}/v1#${SHIPPED_MODEL.id}`);

encoderSuite("the model that ships", () => Promise.resolve(shipped));
encoderSuite("a model behind a server", () => Promise.resolve(remote()));

it("a server gives the vectors that the model behind it makes, in both roles", async () => {
  const texts = ["Der Mietvertrag endet im März.", "", "x ".repeat(700), "港"];
  const over: Encoder = remote();
  for (const role of ["query", "passage"] as const) {
    const [near, far] = [await shipped.encode(texts, role), await over.encode(texts, role)];
    for (const [i, x] of near.vectors.entries()) expect(Math.abs(far.vectors[i]! - x)).toBeLessThan(1e-6);
    expect(far.tokens).toBe(near.tokens);
  }
  const { id, prefixes, dimensions, pooling } = await shipped.describe();
  expect(await over.describe()).toMatchObject({ id, prefixes, dimensions, pooling, dtype: "remote", window: 0 });
});
