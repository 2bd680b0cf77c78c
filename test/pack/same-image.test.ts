import { existsSync, readlinkSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BytesSource } from "../../src/format/bytes-source.js";
import { openContainer } from "../../src/format/container.js";
import { PAGE } from "../../src/format/pages.js";
import { MdcxError } from "../../src/errors.js";
import { ImageWriter } from "../../src/image/writer.js";
import { PagedStore } from "../../src/image/paged-store.js";
import { deflateLevel } from "../../src/node/deflate.js";
import { packMemory } from "../../src/node/pack-memory.js";
import { PackThreads, usualThreads } from "../../src/node/pack-threads.js";
import { primitives } from "../../src/node/primitives.js";
import { SealedOverflow } from "../../src/node/sealed-overflow.js";
import type { PackOptions } from "../../src/pack.js";
import { promisify } from "node:util";
import { deflateRaw } from "node:zlib";
import { KEY, packed, type Folder } from "../package/in-memory.js";

const dist = process.env.MDCX_TEST_DIST ?? fileURLToPath(new URL("../../dist", import.meta.url));
const WORKER = new URL(`file://${join(dist, "src/node/pack-worker.js")}`);
const MARKER = "wordthatbetraystheplaintext";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mdcx-pack-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Numbers that look random and are the same each time. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state >>> 8;
  }
}

const SCRIPTS = [
  "the harbour keeps a list of boats and of what each of them paid",
  "der Hafen führt eine Liste der Boote und der Gebühren",
  "港の船と料金の一覧表を毎年作成する",
  "항구는 배들의 목록을 해마다 보관합니다",
  "гавань ведёт список лодок и сборов",
];

/** Some megabytes of text in five languages, with what is left out and what is not searched. */
function manyDocuments(count: number): Folder {
  const next = numbers(7);
  const random = (below: number): number => next.next().value % below;
  const line = (): string => {
    const words = SCRIPTS[random(9) % SCRIPTS.length]!;
    return `${words} ${MARKER}${random(3000)} w${random(40_000)} ${random(100_000)}. `;
  };
  const documents: Record<string, string> = {
    "attached.md": "---\nindexed: false\n---\nNot searched.\n",
    "secret.md": "# Keys\n\nAKIAIOSFODNN7EXAMPLE\n",
  };
  for (let i = 0; i < count; i++) {
    const sections = Array.from(
      { length: 1 + random(20) },
      (_, n) => `## Part ${n}\n\n${Array.from({ length: 8 }, line).join("")}`,
    );
    documents[`${i % 7}/document-${i}.md`] = `# Subject ${random(50)}\n\n${sections.join("\n\n")}\n`;
  }
  return documents;
}

const DOCUMENTS = manyDocuments(300);
const FOLLOWS = { packageId: "ab".repeat(16), revision: 1 };

/** The digest of the image of a package made of {@link DOCUMENTS}: its claims and seals are new each time. */
async function imageOf(options: Partial<PackOptions> = {}, documents = DOCUMENTS): Promise<string> {
  const { bytes } = await packed(documents, { follows: FOLLOWS, warnSecrets: true, ...options });
  const { pages } = await openContainer(new BytesSource(bytes), primitives, { secret: KEY });
  return Buffer.from(primitives.sha256(pages.readPages(0, pages.length / PAGE))).toString("hex");
}

const deflate = promisify(deflateRaw);
const deflateElsewhere = (bytes: Uint8Array): Promise<Uint8Array> => deflate(bytes, { level: deflateLevel() });

describe("however it is packed, the image is the same byte for byte", () => {
  let alone: string;
  beforeAll(async () => {
    alone = await imageOf();
  });

  it("with one thread and with three", async () => {
    expect(existsSync(WORKER), "the compiled worker").toBe(true);
    for (const count of [1, 3]) {
      const analyst = new PackThreads(count, WORKER);
      try {
        expect(await imageOf({ analyst, deflateElsewhere }), `${count}`).toBe(alone);
      } finally {
        await analyst.close();
      }
    }
  });

  it("where a thread ends in its midst, or never begins", async () => {
    const ends = join(folder, "ends.mjs");
    const worker = JSON.stringify(WORKER.href);
    writeFileSync(
      ends,
      `import { parentPort } from "node:worker_threads"; await import(${worker}); let batches = 0;
       parentPort.on("message", () => { if (++batches === 3) setImmediate(() => { throw new Error("ended"); }); });`,
    );
    for (const script of [new URL(`file://${ends}`), new URL(`file://${join(folder, "missing.mjs")}`)]) {
      const analyst = new PackThreads(2, script);
      try {
        expect(await imageOf({ analyst, deflateElsewhere }), script.href).toBe(alone);
      } finally {
        await analyst.close();
      }
    }
  });

  it("in little memory, and then nothing of the text can be read in what overflowed", async () => {
    const overflow = new SealedOverflow(join(folder, "small.mdcx"), 64 * 1024);
    try {
      expect(await imageOf({ overflow })).toBe(alone);
      expect(overflow.length).toBeGreaterThan(200_000);
      const spilled = overflowedBytes();
      expect(spilled.length).toBe(overflow.length);
      for (const words of [MARKER, "harbour", "Hafen", "港の", "Subject", "document-1", "SQLite format"])
        expect(spilled.includes(words), words).toBe(false);
      expect(await readdir(folder)).not.toContain("small.mdcx");
    } finally {
      overflow.close();
    }
  });
});

/** What overflowed: its file has no name any more, and this process alone still has it open. */
function overflowedBytes(): Buffer {
  const open = readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(join(folder, ".mdcx-"));
    } catch {
      return false;
    }
  });
  expect(open, "files that overflowed").toHaveLength(1);
  return readFileSync(`/proc/self/fd/${open[0]}`);
}

describe("what overflows", () => {
  it("onto a disk that is full is told in its own words, though SQLite was in the midst of writing", async () => {
    const full = new MdcxError("io", "Cannot write a.mdcx: the disk is full.");
    const put = (): never => {
      throw full;
    };
    const writer = await ImageWriter.create({ overflow: { room: 0, put, get: put } });
    const noise = Uint8Array.from({ length: 100_000 }, (_, i) => (i * 2_654_435_761) >>> 24);
    expect(() => writer.addStream("postings", Array<Uint8Array>(80).fill(noise))).toThrow(full);
    writer.discard();
    expect(await imageOf(), "SQLite goes on working").toHaveLength(64);
  });

  it("comes back as it was put, in whatever order, the last of several in one place", () => {
    const overflow = new SealedOverflow(join(folder, "order.mdcx"), 0);
    const block = (fill: number): Uint8Array => new Uint8Array(1000 + fill).fill(fill);
    const places = [1, 2, 3].map((fill) => overflow.put(block(fill)));
    overflow.put(new Uint8Array(1002).fill(9), places[1]);
    expect([2, 0, 1].map((i) => overflow.get(places[i]!))).toEqual([block(3), block(1), new Uint8Array(1002).fill(9)]);
    expect(readdirSync(folder).filter((name) => name.startsWith(".mdcx-"))).toEqual([]);
    overflow.close();
  });

  it("is refused where its file was changed", () => {
    const overflow = new SealedOverflow(join(folder, "changed.mdcx"), 0);
    const place = overflow.put(new Uint8Array(5000).fill(1));
    const [fd] = readdirSync("/proc/self/fd").filter((name) => {
      try {
        return readlinkSync(`/proc/self/fd/${name}`).startsWith(join(folder, ".mdcx-"));
      } catch {
        return false;
      }
    });
    writeFileSync(`/proc/self/fd/${fd}`, new Uint8Array(5016));
    expect(() => overflow.get(place)).toThrow(/came back changed/);
    overflow.close();
  });

  it("are the pages that were left alone longest, and every page is given out as it was written last", () => {
    const overflow = new SealedOverflow(join(folder, "pages.mdcx"), 0);
    const store = new PagedStore(new Uint8Array(PAGE), overflow);
    const file = store.contents().slice(0, 0) as { set(bytes: Uint8Array, position: number): void };
    const write = (page: number, fill: number): void => {
      file.set(new Uint8Array(PAGE).fill(fill), page * PAGE);
    };
    for (let page = 0; page < 1000; page++) write(page, page % 251);
    for (let page = 5; page < 1000; page += 90) write(page, 252);
    expect(overflow.length).toBeGreaterThan(700 * PAGE);
    for (let page = 0; page < 1000; page++) {
      const expected = page % 90 === 5 ? 252 : page % 251;
      expect(
        store.takePage(page).every((byte) => byte === expected),
        `page ${page}`,
      ).toBe(true);
      expect(() => store.takePage(page)).toThrow(/taken before/);
    }
    overflow.close();
  });
});

describe("memory that is allowed", () => {
  const MIB = 2 ** 20;

  it("is refused before the work where it cannot be enough, with the least that can and with --shard", () => {
    expect(() => packMemory(1000 * MIB, 2, 200 * MIB)).toThrow(
      /takes \d+ MiB of memory at least, and 200 MiB.*--shard/,
    );
  });

  it("goes without threads before it goes without room", () => {
    const plenty = packMemory(100 * MIB, 4, 4000 * MIB);
    expect(plenty.threads).toBe(4);
    const little = packMemory(100 * MIB, 4, 400 * MIB);
    expect(little.threads).toBeLessThan(4);
    expect(little.room).toBeGreaterThanOrEqual(48 * MIB);
  });

  it("is shared by as many threads as there are processors, and by none where there is one", () => {
    expect(usualThreads()).toBe(availableParallelism() === 1 ? 0 : Math.min(6, availableParallelism()));
  });
});
