import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { openEncoder } from "../../src/node/encoder/open.js";
import { dot, rows } from "./encoder-suite.js";

const model = fileURLToPath(new URL("../../models/multilingual-e5-small/", import.meta.url));
const compiled = new URL("../../dist/src/node/encoder/open.js", import.meta.url);
const folder = await mkdtemp(join(tmpdir(), "mdcx-encoder-"));
const shipped = openEncoder(undefined, { threads: 2 });
afterAll(async () => {
  await shipped.close();
  await rm(folder, { recursive: true });
});

/** A copy of the shipped model, its files linked, but for those that are given or left out. */
async function variant(name: string, change: Record<string, string | undefined>): Promise<string> {
  const place = join(folder, name);
  await mkdir(join(place, "onnx"), { recursive: true });
  for (const file of ["config.json", "tokenizer.json", "tokenizer_config.json", "onnx/model_quantized.onnx"])
    if (!(file in change)) await symlink(join(model, file), join(place, file));
  for (const [file, content] of Object.entries(change))
    if (content !== undefined) await writeFile(join(place, file), content);
  return place;
}

describe("the encoder of worker threads", () => {
  it("describes the model that ships: id, digest of the file, prefixes, pooling, window", async () => {
    expect(await shipped.describe()).toEqual({
      id: "intfloat/multilingual-e5-small",
      revision: null,
      sha256: "28efb6b451dd289586cafc9cd786d1f52265fcbad91fda4f10a5497d39580a75",
      dtype: "q8",
      dimensions: 384,
      pooling: "mean",
      prefixes: { query: "query: ", passage: "passage: " },
      window: 512,
    });
  });

  it("makes the vector of a long text the mean of its windows, and counts it", async () => {
    // Five tokens each: 150 of them are two windows of the same 75.
    const sentence = "Der Kai wurde geprüft. ";
    const encoded = await shipped.encode([sentence.repeat(75), sentence.repeat(150)], "passage");
    expect(encoded.windowed).toBe(1);
    const [half, whole] = rows(encoded.vectors, 384) as [Float32Array, Float32Array];
    expect(dot(half, whole)).toBeGreaterThan(1 - 1e-6);
    expect(dot(whole, whole)).toBeCloseTo(1, 6);
  });

  it("answers a question before the passages that were there first", async () => {
    const passages = Array.from({ length: 48 }, (_, i) => `Lot ${i}. ${"The quay wall was inspected. ".repeat(8)}`);
    let done = 0;
    const all = shipped.encode(passages, "passage", (count) => (done = count));
    await shipped.encode(["When does the lease end?"], "query");
    expect(done).toBeLessThan(24);
    await all;
    expect(done).toBe(48);
  });

  it("gives up what it was doing when it is closed, and works again when asked again", async () => {
    const broken = shipped.encode(["The lease ends. ".repeat(20)], "passage");
    const failed = expect(broken).rejects.toMatchObject({ code: "encoder-failed", message: /closed/ });
    await shipped.close();
    await failed;
    expect((await shipped.encode(["x"], "query")).vectors).toHaveLength(384);
  });
});

describe("a model that cannot be used is refused in one sentence:", () => {
  it.each([
    ["config.json", /holds no config\.json/],
    ["tokenizer.json", /holds no tokenizer\.json/],
    ["onnx/model_quantized.onnx", /holds no onnx\/model_quantized\.onnx or onnx\/model\.onnx/],
  ])("a folder without %s", async (file, sentence) => {
    const place = await variant(`without-${file.replace("/", "-")}`, { [file]: undefined });
    await expect(openEncoder(place).describe()).rejects.toMatchObject({ code: "missing-model", message: sentence });
  });

  it.each([
    ["config.json", "{", /config\.json is no JSON/],
    ["tokenizer.json", '{"model":{}}', /The model failed: /],
    ["onnx/model_quantized.onnx", "not a model", /ONNX Runtime cannot load the model/],
  ])("a damaged %s", async (file, content, sentence) => {
    const encoder = openEncoder(await variant(`damaged-${file.replace("/", "-")}`, { [file]: content }));
    const refused = { code: "encoder-failed", message: sentence };
    await expect(encoder.encode(["x"], "query")).rejects.toMatchObject(refused);
    // Nor does asking again hang.
    await expect(encoder.encode(["x"], "query")).rejects.toMatchObject(refused);
    await encoder.close();
  });

  it.each(["https://example.org/v1#model", "/etc", "../models", "//server/share"])(
    "%s, where a package and not a person names it",
    async (name) => {
      await expect(openEncoder(name, { fromPackage: true, download: false }).describe()).rejects.toMatchObject({
        code: "missing-model",
        message: /neither a folder nor the name of a model/,
      });
    },
  );
});

describe("a process that encodes", () => {
  const run = promisify(execFile);
  async function script(code: string, env: Record<string, string> = {}): Promise<string> {
    const source = `import { openEncoder } from ${JSON.stringify(compiled.href)}; ${code}`;
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", source], {
      env: { ...process.env, ORT_DISABLE_TELEMETRY: "", ...env },
      timeout: 50_000,
    });
    return stdout;
  }

  it("ends by itself though nobody closed the encoder, and leaves no trace of ONNX Runtime's reports", async () => {
    const [cache, home] = [join(folder, "cache"), join(folder, "home")];
    await mkdir(cache);
    await mkdir(home);
    const code = 'console.log((await openEncoder().encode(["x"], "query")).vectors.length);';
    expect(await script(code, { XDG_CACHE_HOME: cache, HOME: home })).toBe("384\n");
    expect([...(await readdir(cache)), ...(await readdir(home))]).toEqual([]);
  });

  it.each(["tokenizer.json", "onnx/model_quantized.onnx"])("ends by itself after a damaged %s", async (file) => {
    const place = await variant(`ending-${file.replace("/", "-")}`, { [file]: "{}" });
    const code = `await openEncoder(${JSON.stringify(place)}).encode(["x"], "query").catch((e) => console.log(e.code));`;
    expect(await script(code)).toBe("encoder-failed\n");
  });

  it("does not encode in a thread whose environment ONNX Runtime never sees", async () => {
    const inner = `import(${JSON.stringify(compiled.href)}).then(({ openEncoder }) => openEncoder().describe()).catch((e) => console.log(e.message))`;
    const code = `const { Worker } = await import("node:worker_threads"); new Worker(${JSON.stringify(inner)}, { eval: true });`;
    expect(await script(code)).toMatch(/ORT_DISABLE_TELEMETRY=1/);
  });

  it("takes a folder by a name relative to where it runs", async () => {
    await cp(join(model, "config.json"), join(folder, "named", "config.json"), { recursive: true });
    const code = `process.chdir(${JSON.stringify(folder)}); await openEncoder("named").describe().catch((e) => console.log(e.message));`;
    expect(await script(code)).toMatch(/^The folder named holds no tokenizer\.json/);
  });
});
