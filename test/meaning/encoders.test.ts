import { afterAll, beforeAll, expect, it } from "vitest";
import { openPackage } from "../../src/index.js";
import type { Encoder } from "../../src/meaning/encoder.js";
import { HttpEncoder } from "../../src/meaning/http.js";
import { openEncoder, SHIPPED_MODEL } from "../../src/node/encoder/open.js";
import { KEY, packed } from "../package/in-memory.js";
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

const lent: Encoder = {
  describe: () => shipped.describe(),
  encode: (texts, role) => shipped.encode(texts, role),
  close: () => Promise.resolve(),
};
/** A server that goes on under its name with another model: what this one makes, with its numbers in reverse. */
const changed: Encoder = {
  ...lent,
  encode: async (texts, role) => {
    const { vectors, ...rest } = await shipped.encode(texts, role);
    return { ...rest, vectors: vectors.reverse() };
  },
};

it("a package that a server gave its vectors is found by meaning over that server, and by no other model", async () => {
  const folder = {
    "lager.md": "# Lager\n\nDer Mietvertrag für das Lager am Ostkai endet am 31. März 2027.\n",
    "kran.md": "# Kran\n\nDie Bremse des Krans wird jeden Morgen geprüft.\n",
    "kantine.md": "# Kantine\n\nFreitags gibt es Fisch.\n",
  };
  const { bytes } = await packed(folder, { meaning: { encoder: remote() } });
  const ask = async (encoder?: () => Encoder) => {
    const pkg = await openPackage(bytes, { secret: KEY, ...(encoder && { encoder }) });
    try {
      const { passages } = await pkg.search("When does the lease of the warehouse end?");
      return { state: await pkg.meaning.state(), first: passages[0]?.document };
    } finally {
      await pkg.close();
    }
  };
  expect(await ask(remote)).toEqual({ state: { state: "available", model: SHIPPED_MODEL.id }, first: "@/lager.md" });
  expect((await ask()).state).toMatchObject({
    state: "not-installed",
    reason: `Its vectors were made by ${SHIPPED_MODEL.id} on a server: give the server's address with --model http://HOST:PORT/v1#${SHIPPED_MODEL.id}.`,
  });
  // Of the same name and width: a server's weights are known by what it answers, a file's by its digest.
  expect((await ask(() => lent)).state).toMatchObject({ state: "mismatch" });
  const other = await embeddingsServer(changed, SHIPPED_MODEL.id);
  expect((await ask(() => new HttpEncoder(`http://${other.host}/v1#${SHIPPED_MODEL.id}`))).state).toMatchObject({
    state: "mismatch",
  });
  await other.close();
});
