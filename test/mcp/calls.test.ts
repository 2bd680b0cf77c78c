import { setTimeout as wait } from "node:timers/promises";
import {
  EmptyResultSchema,
  ErrorCode,
  ResourceListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EndedCall } from "../../mcp/answer.js";
import { Corpus, type Asking, type CorpusReading } from "../../src/corpus.js";
import { MdcxError } from "../../src/errors.js";
import { opened } from "../package/in-memory.js";
import { Connected, messageOf, type SearchReply } from "./connected.js";

let corpus: Corpus;
beforeAll(async () => {
  corpus = new Corpus([await opened({ "a.md": "# Pier\n\nThe pier is closed.\n" }, { title: "Harbour" })]);
});
afterAll(() => corpus.close());

/** A corpus of which one method is another one's. */
function reading(changed: Partial<CorpusReading>): CorpusReading {
  return {
    search: (question, options) => corpus.search(question, options),
    info: () => corpus.info(),
    documents: (from, limit) => corpus.documents(from, limit),
    document: (name, around) => corpus.document(name, around),
    ...changed,
  };
}

/** A corpus that takes its time, as a model that is being loaded does. */
const slow = (milliseconds: number) =>
  reading({
    search: async (question, options) => {
      await wait(milliseconds);
      return corpus.search(question, options);
    },
  });

async function watched(from: CorpusReading): Promise<{ server: Connected; calls: EndedCall[] }> {
  const calls: EndedCall[] = [];
  return { server: await Connected.to(from, { onCall: (call) => calls.push(call) }), calls };
}

describe("a client that asks for progress", () => {
  it("hears that a call has begun and, while it goes on, more each second", async () => {
    const server = await Connected.to(slow(2300));
    const heard: { progress: number; message?: string | undefined }[] = [];
    await server.client.callTool({ name: "search", arguments: { query: "pier" } }, undefined, {
      onprogress: (one) => heard.push(one),
    });
    expect(heard.map(({ progress }) => progress)).toEqual([0, 1, 2]);
    expect(heard[0]!.message).toBe("Searching");
    await server.close();
  });

  it("does not time out while the call goes on, where it goes by that", async () => {
    const server = await Connected.to(slow(2200));
    const patient = { timeout: 1500, resetTimeoutOnProgress: true, onprogress: () => undefined };
    const query = { name: "search", arguments: { query: "pier" } };
    await expect(server.client.callTool(query, undefined, patient)).resolves.toMatchObject({
      structuredContent: { found: 1 },
    });
    await server.close();
  });

  it("hears nothing where it did not ask", async () => {
    const server = await Connected.to(corpus);
    const errors: Error[] = [];
    server.client.onerror = (error) => errors.push(error);
    await server.reply("search", { query: "pier" });
    expect(errors).toEqual([]);
    await server.close();
  });
});

describe("a call that the client cancels", () => {
  it("gets no answer, is given up in the reading, and leaves the server answering", async () => {
    let given: AbortSignal | undefined;
    const { server, calls } = await watched(
      reading({
        search: (_question, _options, asking: Asking = {}) => {
          given = asking.signal;
          return new Promise((_, reject) => {
            asking.signal?.addEventListener("abort", () => {
              reject(new Error("given up"));
            });
          });
        },
      }),
    );
    const abort = new AbortController();
    const asked = server.client.callTool({ name: "search", arguments: { query: "pier" } }, undefined, {
      signal: abort.signal,
    });
    await wait(20);
    abort.abort("enough");
    await expect(asked).rejects.toThrow(/enough/);
    await server.client.ping();
    expect(given!.aborted).toBe(true);
    expect(calls).toMatchObject([{ tool: "search", outcome: "cancelled", passages: [] }]);
    expect((await server.call("document", { name: "@/a.md" })).isError ?? false).toBe(false);
    await server.close();
  });

  it("is not waited for where the reading cannot give it up", async () => {
    const { server, calls } = await watched(slow(1500));
    const abort = new AbortController();
    const asked = server.client.callTool({ name: "search", arguments: { query: "pier" } }, undefined, {
      signal: abort.signal,
    });
    await wait(20);
    const cancelled = performance.now();
    abort.abort();
    await expect(asked).rejects.toThrow();
    await server.client.ping();
    expect(calls.map(({ outcome }) => outcome)).toEqual(["cancelled"]);
    expect(performance.now() - cancelled).toBeLessThan(1000);
    await server.close();
  });
});

describe("whoever keeps a log", () => {
  it("is told of every call how it ended and what it returned", async () => {
    const { server, calls } = await watched(corpus);
    const { passages } = await server.reply<SearchReply>("search", { query: "pier" });
    await server.reply("document", { id: passages[0]!.id });
    await server.reply("info", {});
    const { uri } = (await server.client.listResources()).resources[0]!;
    await server.client.readResource({ uri });
    const packages = [corpus.packages[0]!.id.slice(0, 8)];
    expect(calls).toMatchObject([
      { tool: "search", outcome: "answered", packages, passages: [passages[0]!.id], arguments: { query: "pier" } },
      { tool: "document", outcome: "answered", packages, passages: [passages[0]!.id] },
      { tool: "info", outcome: "answered", packages, passages: [] },
      { tool: "resource", outcome: "answered", packages, passages: [], arguments: { uri } },
    ]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(4);
    for (const { milliseconds } of calls) expect(milliseconds).toBeGreaterThan(0);
    await server.close();
  });

  it("is told of refusals too, of arguments that do not fit among them", async () => {
    const { server, calls } = await watched(corpus);
    await server.refusal("search", { query: "pier", limit: 99 });
    await server.refusal("document", { name: "@/nowhere.md" });
    await expect(server.client.readResource({ uri: "mdcx://00000000/a.md" })).rejects.toThrow();
    expect(calls).toMatchObject([
      { tool: "search", outcome: "refused", code: "bad-input", arguments: { limit: 99 } },
      { tool: "document", outcome: "refused", code: "not-found" },
      { tool: "resource", outcome: "refused", code: "not-found" },
    ]);
    await server.close();
  });

  it("is told what failed inside, of which the client reads nothing but that it did", async () => {
    const inside = new Error("ENOENT: /home/somebody/secret.mdcx");
    const { server, calls } = await watched(reading({ document: () => Promise.reject(inside) }));
    const message = await server.refusal("document", { name: "@/a.md" });
    expect(message).toMatch(/went wrong inside mdcx/);
    expect(message).not.toContain("somebody");
    expect(calls).toMatchObject([{ outcome: "failed", code: "internal", error: inside }]);
    await server.close();
  });

  it("is told that a damaged file failed, which the caller cannot put right", async () => {
    const damaged = new MdcxError("leaf-damaged", "The package is damaged or was changed.");
    const { server, calls } = await watched(reading({ document: () => Promise.reject(damaged) }));
    expect(await server.refusal("document", { name: "@/a.md" })).toBe(damaged.message);
    expect(calls).toMatchObject([{ outcome: "failed", code: "leaf-damaged" }]);
    await server.close();
  });
});

describe("a package that was replaced", () => {
  it("is told of in the reply, and the client hears that the list of documents has changed", async () => {
    const notices = ["Harbour was replaced on disk and opened anew."];
    let replaced = false;
    const server = await Connected.to(
      reading({ search: async (question) => ({ ...(await corpus.search(question)), notices, replaced }) }),
    );
    let heard = 0;
    server.client.setNotificationHandler(ResourceListChangedNotificationSchema, () => {
      heard++;
    });
    // A notice that stays, of a file that cannot be opened, changes no list.
    for (const changes of [false, true, false]) {
      replaced = changes;
      expect((await server.reply<SearchReply>("search", { query: "pier" })).notices).toEqual(notices);
    }
    await server.client.ping();
    expect(heard).toBe(1);
    await server.close();
  });
});

describe("arguments that do not fit", () => {
  it("are named each, with what fits, in one message", async () => {
    const server = await Connected.to(corpus);
    const message = await server.refusal("search", { query: "", limit: 51, folder: "x" });
    expect(message).toMatch(/query is empty/);
    expect(message).toMatch(/limit must be at most 50/);
    expect(message).toMatch(/no argument "folder".*query, limit, mode, direction, prefer, in, token_budget/);
    expect(messageOf(await server.call("document", { name: 7 }))).toMatch(/name must be a text/);
    const missing = await server.refusal("search", {});
    expect(missing).toMatch(/query is missing: a text/);
    const wrong = await server.refusal("search", { query: "pier", limit: 1.5, mode: "vector" });
    expect(wrong).toMatch(/limit must be a whole number; mode must be "auto" or/);
    await server.close();
  });

  it("may give the id of a passage as a name, but no name as an id", async () => {
    const server = await Connected.to(corpus);
    const { passages } = await server.reply<SearchReply>("search", { query: "pier" });
    const { id } = passages[0]!;
    expect(await server.reply("document", { name: id, before: 1 })).toEqual(
      await server.reply("document", { id, before: 1 }),
    );
    expect(await server.refusal("document", { id: "@/a.md" })).toMatch(/"@\/a\.md" is no id of a passage.*by its name/);
    expect(await server.refusal("document", { name: "@/a.md", after: 1 })).toMatch(/give its id/);
    await server.close();
  });

  it("are an error of the protocol where there is no such tool", async () => {
    const server = await Connected.to(corpus);
    await expect(server.call("delete", {})).rejects.toThrow(/no tool "delete": the tools are search, info, document/);
    await server.close();
  });

  it.each([
    [{ name: "search", arguments: ["pier"] }, /arguments is an object/],
    [{ name: "search", arguments: "pier" }, /arguments is an object/],
    [{ name: 7 }, /params is an object with name/],
    [undefined, /params is an object with name/],
  ])("are an error of the protocol in one sentence where they are no arguments: %j", async (params, message) => {
    const server = await Connected.to(corpus);
    const call = server.client.request({ method: "tools/call", ...(params && { params }) }, EmptyResultSchema);
    const error: unknown = await call.catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: ErrorCode.InvalidParams, message: expect.stringMatching(message) as string });
    expect((error as Error).message).not.toMatch(/[[{]/);
    await server.close();
  });
});
