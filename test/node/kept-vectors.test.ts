import { spawn } from "node:child_process";
import { createDecipheriv, createHmac } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Secret } from "../../src/format/secret.js";
import type { EncoderDescription } from "../../src/meaning/encoder.js";
import { KeptVectors, keptVectorsPath } from "../../src/node/kept-vectors.js";
import { primitives as p } from "../../src/node/primitives.js";
import { COMMAND } from "../cli/mdcx.js";

const MODEL: EncoderDescription = {
  id: "test/model",
  revision: null,
  sha256: "ab".repeat(32),
  dtype: "q8",
  dimensions: 8,
  pooling: "mean",
  prefixes: { query: "query: ", passage: "passage: " },
  window: 512,
};
const KEY: Secret = { kind: "key", bytes: new Uint8Array(32).fill(7) };
const OTHER: Secret = { kind: "key", bytes: new Uint8Array(32).fill(8) };
const PASSPHRASE: Secret = { kind: "passphrase", bytes: new TextEncoder().encode("a pass phrase") };
/** The cheapest cost that is ever written: a test need not wait for the usual one. */
const CHEAP = { log2n: 15, r: 8, p: 1 };

/** The compiled library, for a process that can be killed. */
const DIST = pathToFileURL(join(dirname(COMMAND), "../src/"));

let folder: string;
let target: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mdcx-test-"));
  target = join(folder, "a.mdcx");
  path = keptVectorsPath(target);
});
afterEach(() => rm(folder, { recursive: true }));

type Slots = readonly { readonly secret: Secret; readonly cost?: typeof CHEAP }[];
const open = (slots: Slots = [{ secret: KEY }], model = MODEL) => KeptVectors.open(target, slots, model, p);
const textOf = (i: number): string => `the text of passage number ${i}`;
const halvesOf = (i: number): Uint8Array => Uint8Array.from({ length: 16 }, (_, at) => (i * 31 + at * 7 + 1) & 0x7f);

/** Keeps vectors `from` to `end` in batches of `size`, as one run does, and leaves the file behind. */
async function run(from: number, end: number, size: number, kept?: KeptVectors): Promise<void> {
  const vectors = kept ?? (await open());
  for (let at = from; at < end; at += size) {
    const numbers = Array.from({ length: Math.min(size, end - at) }, (_, i) => at + i);
    await vectors.add(numbers.map(textOf), Buffer.concat(numbers.map(halvesOf)));
  }
  await vectors.close();
}

/** The numbers of the vectors that a new run finds; each must be the one that was kept. */
async function found(kept?: KeptVectors, most = 40): Promise<number[]> {
  const vectors = kept ?? (await open());
  const numbers: number[] = [];
  for (let i = 0; i < most; i++) {
    const halves = vectors.get(textOf(i));
    if (halves === undefined) continue;
    expect(Buffer.from(halves)).toEqual(Buffer.from(halvesOf(i)));
    numbers.push(i);
  }
  expect(vectors.count).toBe(numbers.length);
  await vectors.close();
  return numbers;
}

const range = (from: number, end: number): number[] => Array.from({ length: end - from }, (_, i) => from + i);

describe("vectors of a run that was interrupted", () => {
  it("are found by the next run, and by one after that", async () => {
    await run(0, 10, 4);
    expect(await found()).toEqual(range(0, 10));
    await run(10, 20, 3);
    expect(await found()).toEqual(range(0, 20));
    await run(20, 21, 1);
    expect(await found()).toEqual(range(0, 21));
  });

  it("are found with a passphrase and a key together, and with more secrets than the file has slots", async () => {
    const slots = [{ secret: PASSPHRASE, cost: CHEAP }, { secret: KEY }];
    await run(0, 5, 5, await open(slots));
    expect(await found(await open(slots))).toEqual(range(0, 5));
    expect(await found(await open([{ secret: KEY }, ...slots, { secret: OTHER }]))).toEqual(range(0, 5));
  });

  it("that come side by side are written one after the other", async () => {
    const kept = await open();
    await Promise.all(range(0, 40).map((i) => kept.add([textOf(i)], halvesOf(i))));
    await kept.close();
    expect(await found()).toEqual(range(0, 40));
  });

  it("may be thousands at once", async () => {
    const numbers = range(0, 3_000);
    const kept = await open();
    await kept.add(numbers.map(textOf), Buffer.concat(numbers.map(halvesOf)));
    await kept.close();
    expect(await found(undefined, 3_000)).toEqual(numbers);
  });

  it("are waited for when the run ends", async () => {
    const kept = await open();
    void kept.add([textOf(1)], halvesOf(1));
    await kept.close();
    expect(await found()).toEqual([1]);
  });

  it("go with the file once the package is there", async () => {
    const kept = await open();
    await kept.add([textOf(1)], halvesOf(1));
    await kept.discard();
    await kept.close();
    await expect(stat(path)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("make no file where there are none", async () => {
    const kept = await open();
    await kept.discard();
    await expect(stat(path)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("outlive a process that is killed outright while it writes", async () => {
    const script = `
      import { KeptVectors } from ${JSON.stringify(new URL("node/kept-vectors.js", DIST).href)};
      import { primitives } from ${JSON.stringify(new URL("node/primitives.js", DIST).href)};
      const secret = { kind: "key", bytes: new Uint8Array(32).fill(7) };
      const kept = await KeptVectors.open(${JSON.stringify(target)}, [{ secret }], ${JSON.stringify(MODEL)}, primitives);
      for (let i = 0; ; i++) {
        const halves = Uint8Array.from({ length: 16 }, (_, at) => (i * 31 + at * 7 + 1) & 0x7f);
        await kept.add(["the text of passage number " + i], halves);
        process.stdout.write(i + "\\n");
      }`;
    const stdio = ["ignore", "pipe", "inherit"] as const;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", script], { stdio: [...stdio] });
    let told = "";
    for await (const chunk of child.stdout) {
      told += String(chunk);
      if (told.split("\n").length > 50) child.kill("SIGKILL");
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    expect(child.signalCode).toBe("SIGKILL");
    const said = told.trim().split("\n").map(Number);
    const next = await open();
    const kept = await found(next, next.count + 1);
    expect(kept.length).toBeGreaterThanOrEqual(said.at(-2)! + 1);
    expect(kept).toEqual(range(0, kept.length));
    await run(kept.length, kept.length + 5, 2);
    expect(await found(undefined, kept.length + 5)).toEqual(range(0, kept.length + 5));
  });
});

describe("a file that is not whole", () => {
  it("gives the batches before the tear, wherever it was torn, and is written on from there", async () => {
    await run(0, 4, 2);
    const first = (await readFile(path)).length;
    await run(4, 8, 2);
    const bytes = await readFile(path);
    const seen = new Set<number>();
    for (let length = 0; length < bytes.length; length++) {
      await writeFile(path, bytes.subarray(0, length));
      const numbers = await found(undefined, 8);
      expect(numbers).toEqual(range(0, numbers.length));
      if (length >= first) expect(numbers.length).toBeGreaterThanOrEqual(4);
      seen.add(numbers.length);
      if (length % 97 !== 0) continue;
      await run(20, 22, 2);
      expect(await found()).toEqual([...numbers, 20, 21]);
    }
    expect([...seen].sort()).toEqual([0, 2, 4, 6]);
  });

  it("ends where a bit of it is flipped, and never gives another vector", async () => {
    await run(0, 4, 2);
    await run(4, 8, 2);
    const bytes = await readFile(path);
    for (let at = 0; at < bytes.length; at += process.env.MDCX_LONG ? 1 : 3) {
      const flipped = Buffer.from(bytes);
      flipped[at]! ^= 1 << (at % 8);
      await writeFile(path, flipped);
      const numbers = await found(undefined, 8);
      expect(numbers.length, `byte ${at}`).toBeLessThan(8);
      expect(numbers).toEqual(range(0, numbers.length));
    }
  });

  it("loses nothing to what was appended behind it", async () => {
    await run(0, 4, 2);
    await writeFile(path, Buffer.concat([await readFile(path), Buffer.alloc(100, 0x42)]));
    expect(await found()).toEqual(range(0, 4));
    await run(4, 6, 2);
    expect(await found()).toEqual(range(0, 6));
  });

  it("gives nothing of batches in another order, twice, or of another file", async () => {
    await run(0, 2, 1);
    const bytes = await readFile(path);
    const batch = 5 + 32 + 16 + 16;
    const [start, a, b] = [bytes.subarray(0, -2 * batch), bytes.subarray(-2 * batch, -batch), bytes.subarray(-batch)];
    for (const [parts, numbers] of [
      [[start, b, a], []],
      [[start, a, a, b], [0]],
      [
        [start, a, b, a],
        [0, 1],
      ],
    ] as const) {
      await writeFile(path, Buffer.concat(parts));
      expect(await found()).toEqual(numbers);
    }
    await rm(path);
    await run(5, 6, 1);
    const other = await readFile(path);
    await writeFile(path, Buffer.concat([other.subarray(0, -batch), a]));
    expect(await found()).toEqual([]);
  });

  it("that claims sizes beyond its own is not believed", async () => {
    await run(0, 2, 2);
    const bytes = await readFile(path);
    const batch = bytes.length - (5 + 2 * 48 + 16);
    for (const [at, value] of [
      [8, 0xffffffff],
      [8, 262_144],
      [8, 0],
      [batch + 1, 0xffffffff],
      [batch + 1, 16],
      [batch + 1, 0],
    ] as const) {
      const forged = Buffer.from(bytes);
      forged.writeUInt32LE(value, at);
      await writeFile(path, forged);
      const before = process.memoryUsage().arrayBuffers;
      expect(await found()).toEqual([]);
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000);
    }
  });
});

describe("a file of someone or something else is replaced without an error", () => {
  async function replaced(kept: KeptVectors): Promise<void> {
    expect(kept.count).toBe(0);
    await run(30, 32, 1, kept);
    expect(kept.failure).toBeUndefined();
  }

  it.each<[string, Secret, Slots]>([
    ["another key", KEY, [{ secret: OTHER }]],
    ["a passphrase instead of a key", KEY, [{ secret: PASSPHRASE }]],
  ])("%s", async (_what, first, slots) => {
    await run(0, 4, 2, await open([{ secret: first }]));
    const cheap = slots.map((slot) => ({ ...slot, cost: CHEAP }));
    await replaced(await open(cheap));
    expect(await found(await open(cheap))).toEqual([30, 31]);
    expect(await found(await open([{ secret: first }]))).toEqual([]);
  });

  it("one that somebody could read who will not read the package", async () => {
    await run(0, 4, 2, await open([{ secret: KEY }, { secret: OTHER }]));
    await replaced(await open([{ secret: KEY }]));
    expect(await found(await open([{ secret: OTHER }]))).toEqual([]);
  });

  it.each<[string, Partial<EncoderDescription>]>([
    ["other weights", { sha256: "cd".repeat(32) }],
    ["other dimensions", { dimensions: 16 }],
    ["another pooling", { pooling: "cls" }],
    ["another prefix", { prefixes: { query: "query: ", passage: "" } }],
  ])("vectors of a model with %s", async (_what, change) => {
    await run(0, 4, 2);
    const other = await open(undefined, { ...MODEL, ...change });
    expect(other.count).toBe(0);
    const size = 2 * (change.dimensions ?? MODEL.dimensions);
    await other.add(["text"], new Uint8Array(size).fill(1));
    await other.close();
    const back = await open(undefined, { ...MODEL, ...change });
    expect(back.get("text")).toEqual(new Uint8Array(size).fill(1));
    await back.close();
    expect(await found()).toEqual([]);
  });

  it("the same model under another name is the same", async () => {
    await run(0, 4, 2);
    expect(await found(await open(undefined, { ...MODEL, id: "a/folder", revision: "2" }))).toEqual(range(0, 4));
  });

  it.each(["", "no such file", "MDCX", "x".repeat(5_000)])("%j", async (contents) => {
    await writeFile(path, contents);
    await replaced(await open());
    expect(await found()).toEqual([30, 31]);
  });

  it("a link is neither followed nor kept", async () => {
    await run(0, 4, 2);
    const elsewhere = join(folder, "elsewhere");
    await writeFile(elsewhere, await readFile(path));
    await rm(path);
    await symlink(elsewhere, path);
    const before = await readFile(elsewhere);
    await replaced(await open());
    expect(await readFile(elsewhere)).toEqual(before);
  });
});

describe("the run goes on without it", () => {
  it("where it cannot be written, and says why", async () => {
    await mkdir(path);
    await writeFile(join(path, "in the way"), "");
    const kept = await open();
    await run(0, 4, 2, kept);
    expect(kept.failure).toMatchObject({ code: "io", message: expect.stringContaining("a.mdcx.vectors") as string });
  });

  it.skipIf(process.getuid?.() === 0)("where its folder may not be written to", async () => {
    await chmod(folder, 0o500);
    const kept = await open();
    await run(0, 2, 2, kept);
    expect(kept.failure?.code).toBe("io");
    await chmod(folder, 0o700);
  });
});

describe("nothing in it is plain", () => {
  it("neither text nor vector nor key nor label, and only its owner may read it", async () => {
    const text = "A sentence that betrays the plaintext ".repeat(40);
    const halves = new Uint8Array(16).fill(0x3c);
    const kept = await open([{ secret: PASSPHRASE, cost: CHEAP }, { secret: KEY }]);
    await kept.add(
      Array.from({ length: 500 }, () => text),
      Buffer.concat(Array.from({ length: 500 }, () => halves)),
    );
    await kept.close();
    const bytes = await readFile(path);
    for (const needle of [
      Buffer.from("sentence"),
      Buffer.from(text),
      Buffer.from(halves),
      Buffer.from(p.sha256(Buffer.from(text))),
    ])
      for (let at = 0; at + 4 <= needle.length; at += 4)
        expect(bytes.includes(needle.subarray(at, at + 8)), needle.subarray(at, at + 8).toString("hex")).toBe(false);
    for (const { bytes: secret } of [KEY, PASSPHRASE]) expect(bytes.includes(Buffer.from(secret))).toBe(false);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("is sealed as its page of the specification says, read here by Node's own crypto", async () => {
    await run(0, 3, 2);
    await run(3, 4, 1);
    const bytes = await readFile(path);
    expect(bytes.subarray(0, 8).toString("latin1")).toBe("MDCXKV\0\x01");
    const length = bytes.readUInt32LE(8);
    const { slots } = JSON.parse(bytes.subarray(12, 12 + length).toString()) as { slots: Record<string, string>[] };
    const stated = JSON.stringify([MODEL.sha256, 8, "mean", "query: ", "passage: "]);
    const model = Buffer.from(p.sha256(Buffer.from(`mdcx kept vectors\0${stated}`)));
    const salt = Buffer.from(slots[0]!.salt!, "hex");
    const slot = expand(KEY.bytes, Buffer.concat([Buffer.from("mdcx/2 slot\0key\0"), salt]));
    const key = gcm(slot.subarray(0, 32), slot.subarray(32, 44), Buffer.from(slots[0]!.wrapped!, "hex"), model);
    const read: Buffer[] = [];
    let run_: Buffer | undefined;
    const nonces = new Set<string>();
    for (let at = 12 + length, number = 0; at < bytes.length;) {
      if (bytes[at] === 0x53) {
        run_ = expand(
          key,
          Buffer.concat([Buffer.from("mdcx kept vectors run\0"), model, bytes.subarray(at + 1, at + 33)]),
        );
        expect(run_.subarray(44)).toEqual(bytes.subarray(at + 33, at + 65));
        at += 65;
        number = 0;
        continue;
      }
      expect(bytes[at]).toBe(0x42);
      const nonce = Buffer.from(run_!.subarray(32, 44));
      nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ number++) >>> 0, 8);
      nonces.add(run_!.subarray(0, 32).toString("hex") + nonce.toString("hex"));
      const end = at + 5 + bytes.readUInt32LE(at + 1);
      read.push(gcm(run_!.subarray(0, 32), nonce, bytes.subarray(at + 5, end), bytes.subarray(at, at + 5)));
      at = end;
    }
    const row = (i: number) => Buffer.concat([p.sha256(Buffer.from(textOf(i))), halvesOf(i)]);
    expect(read).toEqual([Buffer.concat([row(0), row(1)]), row(2), row(3)]);
    expect(nonces.size).toBe(3);
  });
});

/** HKDF-Expand-SHA-512 of 76 bytes. */
function expand(secret: Uint8Array, info: Uint8Array): Buffer {
  const first = createHmac("sha512", secret).update(info).update(Uint8Array.of(1)).digest();
  const second = createHmac("sha512", secret).update(first).update(info).update(Uint8Array.of(2)).digest();
  return Buffer.concat([first, second]).subarray(0, 76);
}

function gcm(key: Uint8Array, nonce: Uint8Array, sealed: Uint8Array, aad: Uint8Array): Buffer {
  const decipher = createDecipheriv("aes-256-gcm", key, nonce).setAAD(aad);
  decipher.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
}
