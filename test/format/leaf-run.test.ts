import { once } from "node:events";
import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunkInRun, leafBuffer, type LeafJob, type LeafRun, runLeaves, runLength } from "../../src/format/leaf-run.js";
import { LEAF_DIGEST, leafDigest } from "../../src/format/leaves.js";
import { PAGE } from "../../src/format/pages.js";
import type { Primitives } from "../../src/format/primitives.js";
import {
  checkLeaves,
  chunkCount,
  ImageOpener,
  ImageSealer,
  leafChunks,
  leafCount,
  leafRange,
  SEALED_PREFIX,
} from "../../src/format/seal.js";
import { isFinished, outcomes, shareJob, takeLeaves } from "../../src/node/leaf-ledger.js";
import { WorkerThreads } from "../../src/node/leaf-threads.js";
import { primitives as node } from "../../src/node/primitives.js";
import { primitives as portable } from "../../src/format/portable.js";
import { WebCryptoLeaves } from "../../src/format/web-leaves.js";
import { bytes, implementations } from "./vectors.js";

const key = Uint8Array.from({ length: 32 }, (_, i) => i);
const claims = Uint8Array.from({ length: 32 }, (_, i) => 255 - i);
const salt = new Uint8Array(24).fill(7);
const pattern = Uint8Array.from({ length: PAGE + 256 }, (_, i) => (31 * i + (i >> 8)) & 0xff);
const page = (number: number) => pattern.subarray(number % 256, (number % 256) + PAGE);
const code = (name: string) => expect.objectContaining({ code: name }) as Error;

/** The sealed image and its leaf table, page by page. */
function sealSlowly(p: Primitives, pages: number): { sealed: Uint8Array; table: Uint8Array } {
  const sealer = new ImageSealer(p, key, claims, salt);
  const chunks = Array.from({ length: pages }, (_, number) => sealer.sealPage(number, page(number)));
  const sealed = Uint8Array.from(Buffer.concat([sealer.prefix, ...chunks, sealer.finish()]));
  const table = Array.from({ length: leafCount(pages * PAGE) }, (_, leaf) => {
    const { start, end } = leafRange(leaf, pages * PAGE);
    return leafDigest(p, leaf, sealed.subarray(start, end));
  });
  return { sealed, table: Uint8Array.from(Buffer.concat(table)) };
}

/** A run of leaves with the pages in the places of their chunks. */
function runOfPages(p: Primitives, imageLength: number, first: number, count: number): LeafRun {
  const run = { imageLength, first, count, bytes: leafBuffer(p, runLength({ imageLength, first, count })) };
  const { start } = leafChunks(first, imageLength);
  const { end } = leafChunks(first + count - 1, imageLength);
  for (let number = start; number < Math.min(end, imageLength / PAGE); number++) {
    chunkInRun(run, number).set(page(number));
  }
  return run;
}

/** The same image and table by runs of leaves. */
async function sealByRuns(p: Primitives, pages: number, leavesPerRun: number) {
  const imageLength = pages * PAGE;
  const sealer = new ImageSealer(p, key, claims, salt);
  const parts: Uint8Array[] = [];
  const table: Uint8Array[] = [];
  for (let first = 0; first < leafCount(imageLength); first += leavesPerRun) {
    const run = runOfPages(p, imageLength, first, Math.min(leavesPerRun, leafCount(imageLength) - first));
    table.push(await sealer.sealLeaves(run));
    parts.push(run.bytes);
  }
  return { sealed: Uint8Array.from(Buffer.concat(parts)), table: Uint8Array.from(Buffer.concat(table)), sealer };
}

describe.each(implementations)("runs of leaves by the $name primitives", (p) => {
  it.each([1, 2, 3, 4, 5, 7, 8, 9, 16, 21])(
    "seal an image of %i pages into the same bytes as page by page",
    async (pages) => {
      const slow = sealSlowly(p, pages);
      for (const leavesPerRun of [1, 2, 3, 100]) {
        const fast = await sealByRuns(p, pages, leavesPerRun);
        expect(Buffer.compare(fast.sealed, slow.sealed)).toBe(0);
        expect(fast.table).toEqual(slow.table);
      }
    },
  );

  const PAGES = 13;
  const imageLength = PAGES * PAGE;
  const { sealed, table } = sealSlowly(p, PAGES);
  const opener = () => new ImageOpener(p, key, claims, sealed.subarray(0, SEALED_PREFIX));
  const runOf = (first: number, count: number, from = sealed): LeafRun => {
    const start = leafRange(first, imageLength).start;
    const buffer = leafBuffer(p, leafRange(first + count - 1, imageLength).end - start);
    buffer.set(from.subarray(start, start + buffer.length));
    return { imageLength, first, count, bytes: buffer };
  };
  const digests = (first: number, count: number, from = table) =>
    from.subarray(LEAF_DIGEST * first, LEAF_DIGEST * (first + count));

  it("open into the pages, whichever leaves are asked for", async () => {
    for (const [first, count] of [
      [0, 4],
      [0, 1],
      [1, 2],
      [3, 1],
      [2, 2],
    ] as const) {
      const run = runOf(first, count);
      await checkLeaves(p, run, digests(first, count));
      await opener().openLeaves(run, digests(first, count));
      const { end } = leafChunks(first + count - 1, imageLength);
      for (let number = 4 * first; number < Math.min(end, PAGES); number++) {
        expect(Buffer.compare(chunkInRun(run, number).subarray(0, PAGE), page(number))).toBe(0);
      }
    }
  });

  it("name the leaf in which any bit is another, and give out nothing of it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(sealed.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const changed = sealed.slice();
        changed[at]! ^= flip;
        const leaf = [0, 1, 2, 3].find((i) => at < leafRange(i, imageLength).end)!;
        const run = runOf(0, 4, changed);
        await expect(checkLeaves(p, run, table)).rejects.toThrow(code("leaf-damaged"));
        await expect(opener().openLeaves(run, table)).rejects.toThrow(`leaf ${leaf} `);
        const { start, end } = leafRange(leaf, imageLength);
        expect(Buffer.compare(run.bytes.subarray(start, end), changed.subarray(start, end))).toBe(0);
      }),
      { seed: 1, numRuns: p.name === "node" ? 100 : 5 },
    );
  });

  it("name the chunk that is damaged under a leaf table made to fit", async () => {
    for (const number of [0, 3, 4, 11, 13]) {
      const changed = sealed.slice();
      changed[SEALED_PREFIX + 16_400 * number]! ^= 1;
      const fitting = Array.from({ length: 4 }, (_, leaf) => {
        const { start, end } = leafRange(leaf, imageLength);
        return leafDigest(p, leaf, changed.subarray(start, end));
      });
      const run = runOf(0, 4, changed);
      const opening = opener().openLeaves(run, Uint8Array.from(Buffer.concat(fitting)));
      await expect(opening).rejects.toThrow(code("chunk-damaged"));
      await expect(opening).rejects.toThrow(`Chunk ${number} `);
    }
  });

  it("refuse leaves in one another's place", async () => {
    const run = { ...runOf(1, 1), first: 2 };
    await expect(checkLeaves(p, run, digests(1, 1))).rejects.toThrow(code("leaf-damaged"));
    await expect(checkLeaves(p, run, digests(2, 1))).rejects.toThrow(code("leaf-damaged"));
  });

  it("refuse memory of the wrong length", async () => {
    const run = runOf(0, 2);
    await expect(checkLeaves(p, { ...run, bytes: run.bytes.subarray(1) }, digests(0, 2))).rejects.toThrow(
      code("internal"),
    );
    await expect(checkLeaves(p, run, digests(0, 1))).rejects.toThrow(code("internal"));
  });

  describe("never seal a chunk number twice:", () => {
    const first = () => runOfPages(p, imageLength, 0, 2);
    const second = () => runOfPages(p, imageLength, 2, 2);
    const refused = code("internal");
    const isOver = async (sealer: ImageSealer) => {
      await expect(sealer.sealLeaves(first())).rejects.toThrow(refused);
      await expect(sealer.sealLeaves(second())).rejects.toThrow(refused);
      expect(() => sealer.sealPage(0, page(0))).toThrow(refused);
      expect(() => sealer.sealPage(8, page(8))).toThrow(refused);
      expect(() => sealer.finish()).toThrow(refused);
    };
    const sealer = () => new ImageSealer(p, key, claims, salt);

    it("the same run again, also while it is being sealed", async () => {
      const seal = sealer();
      const sealing = seal.sealLeaves(first());
      await expect(seal.sealLeaves(first())).rejects.toThrow(refused);
      await sealing;
      await isOver(seal);
    });

    it("a run out of order, or one that begins within a leaf already begun", async () => {
      const late = sealer();
      await expect(late.sealLeaves(second())).rejects.toThrow(refused);
      await isOver(late);
      const mixed = sealer();
      mixed.sealPage(0, page(0));
      await expect(mixed.sealLeaves(first())).rejects.toThrow(refused);
      await isOver(mixed);
    });

    it("after the end", async () => {
      const seal = sealer();
      await seal.sealLeaves(first());
      await seal.sealLeaves(second());
      await isOver(seal);
    });

    it("after an error", async () => {
      const seal = sealer();
      const run = first();
      await expect(seal.sealLeaves({ ...run, bytes: run.bytes.subarray(1) })).rejects.toThrow(refused);
      await isOver(seal);
    });

    it("an empty run", async () => {
      const seal = sealer();
      await expect(seal.sealLeaves({ imageLength, first: 0, count: 0, bytes: new Uint8Array(0) })).rejects.toThrow(
        refused,
      );
      await isOver(seal);
    });
  });

  it("go on page by page after whole leaves", async () => {
    const sealer = new ImageSealer(p, key, claims, salt);
    const run = runOfPages(p, imageLength, 0, 2);
    await sealer.sealLeaves(run);
    const rest = [8, 9, 10, 11, 12].map((number) => sealer.sealPage(number, page(number)));
    expect(Buffer.compare(Buffer.concat([run.bytes, ...rest, sealer.finish()]), sealed)).toBe(0);
  });
});

describe("leaves shared between threads", () => {
  /** As of a large image, though only its first leaves are there. */
  const imageLength = 2 ** 30;
  const count = 32;
  const job = (): LeafJob => ({
    ...runOfPages(node, imageLength, 0, count),
    digests: new Uint8Array(LEAF_DIGEST * count),
    work: { kind: "seal", keys: { key, nonce: new Uint8Array(12) } },
  });
  const { leafThreads, ...oneThread } = node;
  const expected = async () => {
    const whole = job();
    await runLeaves(oneThread, whole);
    return whole;
  };

  it("are sealed as by one thread, whoever takes which leaf", async () => {
    const alone = await expected();
    const shared = job();
    await runLeaves({ ...oneThread, leafThreads: leafThreads! }, shared);
    expect(Buffer.compare(shared.bytes, alone.bytes)).toBe(0);
    expect(shared.digests).toEqual(alone.digests);
  });

  it("are all done by the calling thread when the helpers cannot start", async () => {
    // Under vitest the sources run, and leaf-worker.js is not there.
    const threads = new WorkerThreads(() => node, 2);
    const alone = await expected();
    for (let round = 0; round < 3; round++) {
      const shared = job();
      await runLeaves({ ...oneThread, leafThreads: threads }, shared);
      expect(Buffer.compare(shared.bytes, alone.bytes)).toBe(0);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });

  const compiled = new URL("../../dist/src/node/leaf-worker.js", import.meta.url);
  it.skipIf(!existsSync(compiled))("are all done by a compiled helper when the calling thread takes none", async () => {
    const helper = new Worker(compiled);
    try {
      const shared = shareJob(job());
      helper.postMessage(shared);
      await once(helper, "message");
      expect(isFinished(shared)).toBe(true);
      expect(outcomes(shared)).toEqual(new Uint8Array(count));
      const alone = await expected();
      expect(Buffer.compare(shared.job.bytes, alone.bytes)).toBe(0);
      expect(Uint8Array.from(shared.job.digests)).toEqual(alone.digests);
    } finally {
      await helper.terminate();
    }
  });

  it("are taken once each by however many", () => {
    let sealed = 0;
    const counting: Primitives = {
      ...oneThread,
      aesGcm: (aesKey) => {
        const aead = node.aesGcm(aesKey);
        return {
          open: (...given) => aead.open(...given),
          seal: (...given) => {
            sealed++;
            return aead.seal(...given);
          },
        };
      },
    };
    const shared = shareJob(job());
    takeLeaves(counting, shared);
    takeLeaves(counting, shared);
    expect(sealed).toBe(4 * count);
    expect(outcomes(shared)).toEqual(new Uint8Array(count));
  });

  it("are an error when a thread took one and died", async () => {
    const threads = {
      allocate: (length: number) => new Uint8Array(length),
      run: (given: LeafJob) => {
        const shared = shareJob(given);
        // A thread that takes leaf 0 and is never heard of again.
        Atomics.add(shared.ledger, 0, 1);
        takeLeaves(node, shared);
        expect(isFinished(shared)).toBe(false);
        return Promise.resolve(outcomes(shared));
      },
    };
    await expect(runLeaves({ ...oneThread, leafThreads: threads }, job())).rejects.toThrow(
      "leaf 0 of the image was not done",
    );
  });

  it(
    "are an error when a helper takes one and dies, and done without it from then on",
    { timeout: 20_000 },
    async () => {
      // Marks the first job as seen, takes a leaf of the second and dies.
      const script = `
      import { parentPort } from "node:worker_threads";
      let jobs = 0;
      parentPort.on("message", ({ job, ledger }) => {
        if (++jobs === 2) Atomics.add(ledger, 0, 1);
        job.bytes[job.bytes.length - 1] ^= 255;
        if (jobs === 2) throw new Error("killed");
      });`;
      let blocked: Uint8Array | undefined;
      const patient = () => {
        const clock = new Int32Array(new SharedArrayBuffer(4));
        const before = blocked?.[0];
        for (let waits = 0; blocked !== undefined && blocked[0] === before && waits < 500; waits++)
          Atomics.wait(clock, 0, 0, 10);
        return node;
      };
      const threads = new WorkerThreads(patient, 1, new URL(`data:text/javascript,${encodeURIComponent(script)}`));
      const p = { ...oneThread, leafThreads: threads };
      const first = job();
      await runLeaves(p, first);
      const sealedLast = first.bytes.at(-1);
      while (first.bytes.at(-1) === sealedLast) await new Promise((resolve) => setTimeout(resolve, 10));
      const second = job();
      blocked = second.bytes.subarray(-1);
      await expect(runLeaves(p, second)).rejects.toThrow("leaf 0 of the image was not done");
      blocked = undefined;
      await runLeaves(p, job());
    },
  );

  it("are an error when the work itself fails", async () => {
    const failing = { ...oneThread, leafThreads: new WorkerThreads(() => ({ ...node, sha256: fail }), 0) };
    await expect(runLeaves(failing, job())).rejects.toThrow("no memory");
  });
});

function fail(): never {
  throw new Error("no memory");
}

describe("memory for leaves", () => {
  it("is shared where there are threads, and holds zeros", () => {
    expect(leafBuffer(node, 8).buffer).toBeInstanceOf(SharedArrayBuffer);
    for (const p of implementations) expect(leafBuffer(p, 4)).toEqual(bytes("00000000"));
  });

  it("has the length of its leaves: the first has 56 bytes more, the last may have 16", () => {
    expect(runLength({ imageLength: 4 * PAGE, first: 0, count: 1 })).toBe(65_656);
    expect(runLength({ imageLength: 8 * PAGE, first: 1, count: 1 })).toBe(65_600);
    expect(runLength({ imageLength: 4 * PAGE, first: 1, count: 1 })).toBe(16);
    expect(chunkCount(4 * PAGE)).toBe(5);
  });
});

describe("leaves where there is no Node", () => {
  it("are sealed, checked and opened by WebCrypto: the runs of the portable primitives above were", () => {
    expect(portable.leafThreads).toBeInstanceOf(WebCryptoLeaves);
  });

  it("are damaged by the same name as elsewhere, the chunk named", async () => {
    const imageLength = 9 * PAGE;
    const job = (kind: "seal" | "open", run: LeafRun, digests: Uint8Array): LeafJob => ({
      ...run,
      digests,
      work: { kind, keys: { key, nonce: new Uint8Array(12) } },
    });
    for (const p of implementations) {
      const run = runOfPages(p, imageLength, 0, leafCount(imageLength));
      const digests = new Uint8Array(LEAF_DIGEST * run.count);
      await runLeaves(p, job("seal", run, digests));
      chunkInRun(run, 5)[3]! ^= 1;
      const damaged = run.bytes.slice();
      await expect(runLeaves(p, job("open", run, digests))).rejects.toEqual(code("leaf-damaged"));
      // A leaf whose digest somebody made anew: its chunk tells.
      run.bytes.set(damaged);
      const { start, end } = leafRange(1, imageLength);
      digests.set(leafDigest(p, 1, run.bytes.subarray(start, end)), LEAF_DIGEST);
      await expect(runLeaves(p, job("open", run, digests))).rejects.toThrow(/Chunk 5 of the image is damaged/);
    }
  });
});
