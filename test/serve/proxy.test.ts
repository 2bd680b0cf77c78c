import { setMaxListeners } from "node:events";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { CorpusEvent } from "../../src/node/corpus-messages.js";
import type { CorpusProxy } from "../../src/node/corpus-proxy.js";
import { scratchFolder } from "../cli/mdcx.js";
import { aboutTheKey, KEY, keyOf, packageFile } from "./packages.js";

// The thread runs compiled code only.
const dist = process.env.MDCX_TEST_DIST ?? fileURLToPath(new URL("../../dist", import.meta.url));
const compiled = pathToFileURL(join(dist, "src/node/corpus-proxy.js")).href;
const { CorpusProxy: Proxy } = (await import(compiled)) as { CorpusProxy: typeof CorpusProxy };

const scratch = await scratchFolder("proxy");
let file = "";
beforeAll(async () => {
  const chapters = Array.from({ length: 400 }, (_, i): [string, string] => [
    `chapter-${i}.md`,
    `# Chapter ${i}\n\n${Array.from({ length: 40 }, (_, j) => `keyword${(i * 7 + j * 3) % 90} of the harbour`).join(" ")}.\n`,
  ]);
  file = await packageFile(scratch, "a.mdcx", { ...Object.fromEntries(chapters), ...aboutTheKey("in the safe") });
});

const proxies: CorpusProxy[] = [];
async function open(paths = [file], onEvent?: (event: CorpusEvent) => void): Promise<CorpusProxy> {
  const mounts = paths.map((path) => ({ path, secrets: [KEY] }));
  const proxy = await Proxy.open({ mounts, pinning: { all: {} }, model: undefined, idleUnload: 0 }, onEvent);
  proxies.push(proxy);
  return proxy;
}
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
});

/** Ends the thread that gets what is posted, from without, as lack of memory would. */
async function endThreadOf(post: () => unknown): Promise<void> {
  const spy = vi.spyOn(Worker.prototype, "postMessage");
  post();
  const worker = spy.mock.contexts.at(-1) as Worker;
  spy.mockRestore();
  await worker.terminate();
}

describe("a corpus in a thread of its own", () => {
  it("answers what is asked as the corpus in it does, errors with their codes", async () => {
    const proxy = await open();
    expect(proxy.opened).toEqual([
      expect.objectContaining({ file: "a.mdcx", revision: 1, documents: 401, passages: expect.any(Number) as number }),
    ]);
    expect((await proxy.search("spare key", { limit: 1 })).passages).toMatchObject([{ document: "@/keys.md" }]);
    expect((await proxy.document("@/keys.md")).text).toContain("in the safe");
    expect((await proxy.documents(400, 5)).documents).toHaveLength(1);
    expect((await proxy.info()).packages).toMatchObject([{ documents: 401 }]);
    await expect(proxy.search("")).rejects.toMatchObject({ name: "MdcxError", code: "bad-input" });
    await expect(proxy.document("@/nowhere.md")).rejects.toMatchObject({ code: "not-found" });
  });

  it("opens none where one is refused, and names it", async () => {
    const other = await packageFile(scratch, "other.mdcx", aboutTheKey("there"), { slots: [{ secret: keyOf(9) }] });
    await expect(open([file, other])).rejects.toMatchObject({
      code: "wrong-secret",
      message: expect.stringContaining("other.mdcx") as string,
    });
  });

  it("answers many calls at once as one after another", async () => {
    const proxy = await open();
    const questions = Array.from({ length: 60 }, (_, i) => `keyword${i % 90} keyword${(i * 5) % 90}`);
    const together = await Promise.all(questions.map((question) => proxy.search(question)));
    for (const [i, question] of questions.entries()) expect(together[i]).toEqual(await proxy.search(question));
  });

  it("never runs what was given up while it waited", async () => {
    const proxy = await open();
    const ask = (signal?: AbortSignal) =>
      proxy.search("keyword1 keyword2 keyword3 keyword4 keyword5", { limit: 50 }, signal ? { signal } : {});
    await ask();
    const time = async (work: () => Promise<unknown>): Promise<number> => {
      const started = performance.now();
      await work();
      return performance.now() - started;
    };
    const all = await time(() => Promise.all(Array.from({ length: 120 }, () => ask())));
    const controller = new AbortController();
    setMaxListeners(0, controller.signal);
    const given = await time(async () => {
      const asked = Array.from({ length: 120 }, () => ask(controller.signal));
      controller.abort(new Error("nobody waits"));
      const outcomes = await Promise.allSettled(asked);
      expect(
        outcomes.every((one) => one.status === "rejected" && (one.reason as Error).message === "nobody waits"),
      ).toBe(true);
      // Whatever still ran would run before this.
      await ask();
    });
    expect(given).toBeLessThan(all / 4);
    await expect(ask(AbortSignal.abort(new Error("before it began")))).rejects.toThrow("before it began");
    expect((await ask()).passages.length).toBeGreaterThan(0);
  });

  it("opens the packages anew after the thread has ended by an accident, which only the calls under way hear of", async () => {
    const proxy = await open();
    const underWay: Promise<unknown>[] = [];
    const waiting: Promise<unknown>[] = [];
    const ended = endThreadOf(() => underWay.push(proxy.search("keyword1")));
    for (let i = 0; i < 20; i++) waiting.push(proxy.search("spare key", { limit: 1 }));
    const outcomes = Promise.allSettled(waiting);
    await Promise.all([ended, expect(underWay[0]).rejects.toThrow(/ended: ask again/)]);
    const settled = await outcomes;
    expect(settled.filter(({ status }) => status === "rejected").length).toBeLessThan(4);
    expect(settled.at(-1)).toMatchObject({ value: { passages: [{ document: "@/keys.md" }] } });
  });

  it("refuses what is asked after it was closed, and what still waited", async () => {
    const proxy = await open();
    const asked = Array.from({ length: 20 }, () => proxy.search("keyword1 keyword2"));
    const outcomes = Promise.allSettled(asked);
    await proxy.close();
    expect((await outcomes).at(-1)).toMatchObject({ status: "rejected" });
    await expect(proxy.info()).rejects.toThrow(/closed/);
    await proxy.close();
  });
});
