import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MdcxError } from "../../src/errors.js";
import type { Encoder } from "../../src/meaning/encoder.js";
import { shippedFolder } from "../../src/node/encoder/model-files.js";
import { openEncoder, type OpenEncoderOptions } from "../../src/node/encoder/open.js";
import { dot, rows } from "./encoder-suite.js";
import { loopback, type Loopback } from "./loopback.js";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const MODEL = "someone/small-e5";
const TEXTS = ["Der Mietvertrag endet im März.", "The lease ends in March.", "Beat the egg whites."];

/** A hub with one model at one revision, the one that ships, laid out as the public hub serves files. */
let hub: Loopback;
let cache: string;
/** Breaks off the model's file after so many bytes, until set back. */
let cut: number | undefined;
const before = { ...process.env };

beforeAll(async () => {
  hub = await loopback((request, response) => {
    const [, revision, file] = new RegExp(`^/${MODEL}/resolve/([^/]+)/(.+)$`).exec(request.url ?? "") ?? [];
    const path = join(shippedFolder(), file ?? "");
    const found = file !== undefined && (revision === "main" || revision === "v1");
    void (found ? stat(path).catch(() => undefined) : Promise.resolve(undefined)).then((facts) => {
      // The hub names its commit also where a file is not.
      response.setHeader("x-repo-commit", COMMIT);
      if (!facts?.isFile()) return response.writeHead(404, { "x-error-code": "EntryNotFound" }).end();
      response.writeHead(200, { "content-length": facts.size });
      if (request.method === "HEAD") return response.end();
      if (cut === undefined || facts.size < cut) return createReadStream(path).pipe(response);
      return createReadStream(path, { end: cut })
        .on("end", () => response.destroy())
        .pipe(response, { end: false });
    });
  });
  cache = await mkdtemp(join(tmpdir(), "mdcx-hub-"));
  process.env.HF_ENDPOINT = `http://${hub.host}`;
  process.env.XDG_CACHE_HOME = cache;
});
afterAll(async () => {
  process.env = before;
  await hub.close();
  await rm(cache, { recursive: true, force: true });
});
beforeEach(() => {
  hub.asked.length = 0;
});

async function using<T>(
  model: string,
  options: OpenEncoderOptions,
  work: (encoder: Encoder) => Promise<T>,
): Promise<T> {
  const encoder = openEncoder(model, { threads: 1, ...options });
  try {
    return await work(encoder);
  } finally {
    await encoder.close();
  }
}

async function refusal(model: string, options: OpenEncoderOptions = {}): Promise<MdcxError> {
  const error = await using(model, options, (encoder) => encoder.describe()).catch((one: unknown) => one);
  expect(error).toBeInstanceOf(MdcxError);
  expect((error as MdcxError).code).toBe("missing-model");
  return error as MdcxError;
}

describe("a model of the hub", () => {
  it("is never fetched for reading, which says what to do", async () => {
    const told: string[] = [];
    const error = await refusal(MODEL, { download: false, onDestination: (what) => told.push(what) });
    expect(error.message).toContain(`mdcx model ${MODEL}`);
    expect(hub.asked).toEqual([]);
    expect(told).toEqual([]);
  });

  it.each(["../secrets", "a/b/c", "/etc/nothing", "a..b/c", "file:///etc", "", "a b", `${MODEL}@`, `${MODEL}@../x`])(
    "%j is no name of one, and nothing is asked",
    async (name) => {
      await refusal(name);
      expect(hub.asked).toEqual([]);
    },
  );

  it("that does not exist is one sentence", async () => {
    const error = await refusal("someone/unknown");
    expect(error.message).toContain("someone/unknown");
    expect(error.message).toContain(hub.host);
  });

  it("whose transfer breaks off is not taken for whole, neither now nor by the next run", async () => {
    cut = 20_000_000;
    const error = await refusal(MODEL);
    expect(error.message).toContain(`The model ${MODEL} cannot be fetched from ${hub.host}`);
    cut = undefined;
    expect((await refusal(MODEL, { download: false })).message).toContain("not on this machine");
  });

  it("is fetched once, says from where before, and is the model that was served", async () => {
    const told: string[] = [];
    const options = {
      onDestination: (what: string) => {
        expect(hub.asked).toEqual([]);
        told.push(what);
      },
    };
    const { description, vectors } = await using(MODEL, options, async (encoder) => ({
      description: await encoder.describe(),
      vectors: (await encoder.encode(TEXTS, "passage")).vectors,
    }));
    expect(told).toHaveLength(1);
    expect(told[0]).toContain(hub.host);
    expect(hub.asked.filter((path) => path.endsWith("/model_quantized.onnx")).length).toBeGreaterThan(0);

    const weights = await readFile(join(shippedFolder(), "onnx", "model_quantized.onnx"));
    expect(description).toMatchObject({
      id: MODEL,
      revision: COMMIT,
      sha256: createHash("sha256").update(weights).digest("hex"),
      dimensions: 384,
      prefixes: { query: "query: ", passage: "passage: " },
    });
    const [lease, ending, eggs] = rows(vectors, 384) as [Float32Array, Float32Array, Float32Array];
    expect(dot(lease, ending)).toBeGreaterThan(dot(lease, eggs) + 0.05);
  });

  it("is then read without any network, also where nothing may be fetched", async () => {
    const description = await using(MODEL, { download: false }, (encoder) => encoder.describe());
    expect(description.revision).toBe(COMMIT);
    expect(hub.asked).toEqual([]);
    const folder = join(cache, "mdcx", "models", MODEL);
    expect(JSON.parse(await readFile(join(folder, "config.json"), "utf8"))).toMatchObject({ model_type: "bert" });
  });

  it("of another revision is another model", async () => {
    await refusal(`${MODEL}@v1`, { download: false });
    await refusal(`${MODEL}@v2`);
    expect(hub.asked.every((path) => path.includes("/resolve/v2/"))).toBe(true);
  });
});
