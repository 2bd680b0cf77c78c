import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Encoder, Role } from "../../src/meaning/encoder.js";
import { fromHalves } from "../../src/meaning/half.js";
import { checkProbes, makeProbes, PROBES, type Probe } from "../../src/meaning/probes.js";
import { openEncoder } from "../../src/node/encoder/open.js";

const model = fileURLToPath(new URL("../../models/multilingual-e5-small", import.meta.url));
const shipped = openEncoder(undefined, { threads: 1 });
let probes: Probe[];
let scratch: string;
beforeAll(async () => {
  probes = await makeProbes(shipped);
  scratch = await mkdtemp(join(tmpdir(), "mdcx-probes-"));
});
afterAll(async () => {
  await shipped.close();
  await rm(scratch, { recursive: true });
});

/** The shipped encoder with every vector changed. */
function changed(change: (vector: Float32Array, seed: number) => Float32Array): Encoder {
  return {
    describe: () => shipped.describe(),
    close: () => Promise.resolve(),
    encode: async (texts, role) => {
      const encoded = await shipped.encode(texts, role);
      const { length } = encoded.vectors;
      const dimensions = length / Math.max(1, texts.length);
      const vectors = new Float32Array(length);
      for (let at = 0; at < length; at += dimensions)
        vectors.set(unit(change(encoded.vectors.slice(at, at + dimensions), at)), at);
      return { ...encoded, vectors };
    },
  };
}

/** The shipped encoder asked in another role than it was told. */
function asking(roles: Readonly<Record<Role, Role>>): Encoder {
  return {
    describe: () => shipped.describe(),
    close: () => Promise.resolve(),
    encode: (texts, role) => shipped.encode(texts, roles[role]),
  };
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
}

/** Numbers from -1 to 1, the same for the same seed. */
function noise(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

function noisy(length: number): Encoder {
  return changed((vector, seed) => {
    const next = noise(seed);
    const added = unit(vector.map(() => next()));
    return vector.map((value, i) => value + length * added[i]!);
  });
}

/** A folder with the shipped model's files under a name of no known family. */
async function folder(name: string, { weights, pooling }: { weights?: Uint8Array; pooling?: "cls" }): Promise<string> {
  const target = join(scratch, name);
  await mkdir(join(target, "onnx"), { recursive: true });
  for (const file of ["config.json", "tokenizer.json", "tokenizer_config.json"])
    await copyFile(join(model, file), join(target, file));
  const onnx = join(target, "onnx", "model_quantized.onnx");
  if (weights === undefined) await symlink(join(model, "onnx", "model_quantized.onnx"), onnx);
  else await writeFile(onnx, weights);
  if (pooling !== undefined) {
    await mkdir(join(target, "1_Pooling"));
    await writeFile(join(target, "1_Pooling", "config.json"), JSON.stringify({ pooling_mode_cls_token: true }));
  }
  return target;
}

async function trustOf(encoder: Encoder): Promise<string> {
  return (await checkProbes(encoder, probes)).trust;
}

describe("probes", () => {
  it("are few and short, in several scripts, and far from each other", async () => {
    expect(probes.map(({ text }) => text)).toEqual(PROBES);
    expect(PROBES.length).toBeLessThanOrEqual(4);
    expect(Math.max(...PROBES.map((text) => text.length))).toBeLessThan(70);
    const scripts = [/\p{Script=Latin}/u, /\p{Script=Han}/u, /\p{Script=Arabic}/u];
    for (const script of scripts) expect(PROBES.some((text) => script.test(text))).toBe(true);
    const { dimensions } = await shipped.describe();
    const vectors = probes.map(({ halves }) => fromHalves(halves, dimensions));
    for (const [i, a] of vectors.entries())
      for (const b of vectors.slice(i + 1)) expect(a.reduce((sum, x, k) => sum + x * b[k]!, 0)).toBeLessThan(0.85);
  });

  it("trust the encoder that made them, and one whose numbers differ as those of another engine do", async () => {
    expect((await checkProbes(shipped, probes)).least).toBeGreaterThan(0.9999);
    expect(await trustOf(noisy(0.04))).toBe("full");
  });

  it("warn of one that is near and not the same", async () => {
    expect(await trustOf(noisy(0.2))).toBe("warn");
  });

  it.each<[string, Encoder]>([
    ["with its dimensions in another order", changed((vector) => vector.slice().reverse())],
    ["turned by one dimension", changed((vector) => vector.map((_, i) => vector[(i + 1) % vector.length]!))],
    ["with half its signs", changed((vector) => vector.map((value, i) => (i % 2 === 0 ? value : -value)))],
    ["with strong noise", noisy(0.6)],
    ["with the same vector for everything", changed((vector) => vector.map(() => 1))],
    ["that takes questions for passages and back", asking({ query: "passage", passage: "query" })],
    ["that takes all for passages", asking({ query: "passage", passage: "passage" })],
  ])("do not trust one %s", async (_, encoder) => {
    expect(await trustOf(encoder)).toBe("none");
  });

  it("do not trust the same weights read without prefixes", async () => {
    const other = openEncoder(await folder("no-prefixes", {}), { threads: 1 });
    expect((await other.describe()).prefixes).toEqual({ query: "", passage: "" });
    expect(await trustOf(other)).toBe("none");
    await other.close();
  });

  it.runIf(process.env.MDCX_LONG)("do not trust the same weights read by their first token", async () => {
    const other = openEncoder(await folder("first-token", { pooling: "cls" }), { threads: 1 });
    expect((await other.describe()).pooling).toBe("cls");
    expect(await trustOf(other)).toBe("none");
    await other.close();
  });

  it("do not trust other weights of the same name and width", async () => {
    const weights = new Uint8Array(await readFile(join(model, "onnx", "model_quantized.onnx")));
    // A third of a megabyte of the layers; the rest, and every shape, is as before.
    for (let i = 70_000_000; i < 70_300_000; i++) weights[i] = weights[i]! ^ 0x5a;
    const other = openEncoder(await folder("multilingual-e5-small", { weights }), { threads: 1 });
    const [mine, theirs] = [await shipped.describe(), await other.describe()];
    expect(theirs).toEqual({ ...mine, id: theirs.id, sha256: theirs.sha256 });
    expect(await trustOf(other)).toBe("none");
    await other.close();
  });

  it("do not trust what they cannot judge: no probes, one alone, another width", async () => {
    expect(await checkProbes(shipped, [])).toEqual({ trust: "none", least: 0 });
    expect(await checkProbes(shipped, probes.slice(0, 1))).toEqual({ trust: "none", least: 0 });
    const narrow = probes.map(({ text, halves }) => ({ text, halves: halves.slice(0, halves.length / 2) }));
    expect(await checkProbes(shipped, narrow)).toEqual({ trust: "none", least: 0 });
  });
});
