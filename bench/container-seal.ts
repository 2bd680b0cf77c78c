import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { chunkNonce, deriveChunkKey, SALT, TAG } from "../src/format/chunked.js";
import { chunkInRun, leafBuffer, type LeafRun, runLength } from "../src/format/leaf-run.js";
import { PAGE } from "../src/format/pages.js";
import type { Primitives } from "../src/format/primitives.js";
import { chunkCount, ImageOpener, ImageSealer, leafChunks, leafCount } from "../src/format/seal.js";
import { primitives } from "../src/node/primitives.js";
import { median } from "./measures.js";

/** One way of sealing and opening, against AES-GCM alone in the same rounds. Speeds in MB (10^6 bytes) of image a second. */
export interface SealRow {
  readonly way: string;
  readonly seal: number;
  readonly open: number;
  readonly platformSeal: number;
  readonly platformOpen: number;
  /** `seal / platformSeal`, `open / platformOpen`: the median of the rounds. */
  readonly sealRatio: number;
  readonly openRatio: number;
  /** Processor time over elapsed time, the cores kept busy; far under the number of threads, others had the machine. */
  readonly sealCores: number;
}

/** Leaves in a run: 4 MiB. */
const RUN = 64;

interface Measured {
  readonly speed: number;
  readonly cores: number;
}

/**
 * Seals and opens an image in memory, leaves and digests included, as packing and verifying do it, and in every round
 * runs Node's own AES-256-GCM over the same pages in 16 KiB pieces by one thread.
 *
 * @param megabytes MiB of image
 */
export async function measureSealing(megabytes = 128, rounds = 7): Promise<SealRow[]> {
  const { leafThreads, ...oneThread } = primitives;
  if (leafThreads === undefined) throw new Error("these primitives have no threads to measure");
  return [
    await measure(`threads (${availableParallelism()} cores)`, primitives, megabytes, rounds),
    await measure("one thread", oneThread, megabytes, rounds),
  ];
}

async function measure(way: string, p: Primitives, megabytes: number, rounds: number): Promise<SealRow> {
  const imageLength = megabytes * 2 ** 20;
  const image = randomBytes(256 * PAGE);
  const page = (number: number) => image.subarray((number % 256) * PAGE, ((number % 256) + 1) * PAGE);
  const bench = new Bench(p, imageLength, page);
  const measured: { seal: Measured; open: Measured; platformSeal: Measured; platformOpen: Measured }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const platformSeal = await timed(imageLength, () => {
      platformSealing(imageLength, page);
    });
    const seal = await timed(imageLength, () => bench.seal());
    const platformOpen = await timed(imageLength, () => {
      bench.platformOpening();
    });
    const open = await timed(imageLength, () => bench.open());
    // The first round warms up: compilation, and the start of the threads.
    if (round > 0) measured.push({ seal, open, platformSeal, platformOpen });
  }
  return {
    way,
    seal: median(measured.map(({ seal }) => seal.speed)),
    open: median(measured.map(({ open }) => open.speed)),
    platformSeal: median(measured.map(({ platformSeal }) => platformSeal.speed)),
    platformOpen: median(measured.map(({ platformOpen }) => platformOpen.speed)),
    sealRatio: median(measured.map(({ seal, platformSeal }) => seal.speed / platformSeal.speed)),
    openRatio: median(measured.map(({ open, platformOpen }) => open.speed / platformOpen.speed)),
    sealCores: median(measured.map(({ seal }) => seal.cores)),
  };
}

/** Keeps the last sealed run, so that opening has something to open without holding the whole image. */
class Bench {
  private readonly runs: LeafRun[] = [];
  private readonly buffers: [Uint8Array, Uint8Array];
  private readonly key = randomBytes(32);
  private readonly claims = randomBytes(32);
  private sealed: { prefix: Uint8Array; bytes: Uint8Array[]; digests: Uint8Array[] } | undefined;

  constructor(
    private readonly p: Primitives,
    private readonly imageLength: number,
    private readonly page: (number: number) => Uint8Array,
  ) {
    const longest = runLength({ imageLength, first: 0, count: Math.min(RUN, leafCount(imageLength)) });
    this.buffers = [leafBuffer(p, longest), leafBuffer(p, longest)];
    for (let first = 0; first < leafCount(imageLength); first += RUN) {
      const count = Math.min(RUN, leafCount(imageLength) - first);
      const bytes = this.buffers[this.runs.length % 2]!.subarray(0, runLength({ imageLength, first, count }));
      this.runs.push({ imageLength, first, count, bytes });
    }
  }

  /** As packing does it: pages are put in place, whole leaves sealed, and the next run begun before the last has ended. */
  async seal(): Promise<void> {
    const sealer = new ImageSealer(this.p, this.key, this.claims);
    const first = this.sealed === undefined;
    const [bytes, digests]: [Uint8Array[], Uint8Array[]] = [[], []];
    const pages = chunkCount(this.imageLength) - 1;
    await this.inTurn(async (run, index) => {
      const end = Math.min(leafChunks(run.first + run.count - 1, this.imageLength).end, pages);
      for (let number = leafChunks(run.first, this.imageLength).start; number < end; number++) {
        chunkInRun(run, number).set(this.page(number));
      }
      digests[index] = await sealer.sealLeaves(run);
      // What opening needs is kept once, in the first round, which is not counted.
      if (first) bytes[index] = run.bytes.slice();
    });
    this.sealed ??= { prefix: sealer.prefix, bytes, digests };
  }

  /** As verifying does it; the copy stands for reading the file. */
  async open(): Promise<void> {
    const { prefix, bytes, digests } = this.sealed!;
    const opener = new ImageOpener(this.p, this.key, this.claims, prefix);
    await this.inTurn((run, index) => {
      run.bytes.set(bytes[index]!);
      return opener.openLeaves(run, digests[index]!);
    });
  }

  /** Two runs at a time, each in a buffer of its own. */
  private async inTurn(work: (run: LeafRun, index: number) => Promise<void>): Promise<void> {
    const inBuffer: [Promise<void>, Promise<void>] = [Promise.resolve(), Promise.resolve()];
    for (const [index, run] of this.runs.entries()) {
      await inBuffer[index % 2];
      inBuffer[index % 2] = work(run, index);
    }
    await Promise.all(inBuffer);
  }

  /** Node's AES-GCM alone over the same chunks, by one thread. */
  platformOpening(): void {
    const { prefix, bytes } = this.sealed!;
    const { key, nonce } = deriveChunkKey(this.p, this.key, this.claims, prefix.subarray(0, SALT));
    for (const [index, run] of this.runs.entries()) {
      const sealed = { ...run, bytes: bytes[index]! };
      const { start } = leafChunks(run.first, this.imageLength);
      const { end } = leafChunks(run.first + run.count - 1, this.imageLength);
      for (let number = start; number < end; number++) {
        const chunk = chunkInRun(sealed, number);
        const decipher = createDecipheriv("aes-256-gcm", key, chunkNonce(nonce, number), { authTagLength: TAG });
        decipher.setAuthTag(chunk.subarray(-TAG));
        decipher.update(chunk.subarray(0, -TAG));
        decipher.final();
      }
    }
  }
}

/** Node's AES-GCM alone over the same pages, by one thread. */
function platformSealing(imageLength: number, page: (number: number) => Uint8Array): void {
  const key = randomBytes(32);
  const base = randomBytes(12);
  for (let number = 0; number < imageLength / PAGE; number++) {
    const cipher = createCipheriv("aes-256-gcm", key, chunkNonce(base, number), { authTagLength: TAG });
    cipher.update(page(number));
    cipher.final();
    cipher.getAuthTag();
  }
}

async function timed(bytes: number, work: () => void | Promise<void>): Promise<Measured> {
  const before = process.cpuUsage();
  const start = performance.now();
  await work();
  const elapsed = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return { speed: bytes / elapsed / 1000, cores: (user + system) / 1000 / elapsed };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await measureSealing());
