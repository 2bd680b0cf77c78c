import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connected, handbook, mounted, type Mounted } from "./mounted.js";
import { Wire } from "./wire.js";

let packages: Mounted;
let client: Client;
let stderr = "";

beforeAll(async () => {
  packages = await mounted({
    Quay: await handbook("operations", "safety", "glossary"),
    Office: await handbook("contracts", "meetings", "measuring", "archive"),
  });
  const opened = await connected(packages);
  client = opened.client;
  opened.transport.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  // From here on the client holds every structured reply against the schema that its tool publishes.
  await client.listTools();
});
afterAll(async () => {
  await client.close();
  expect(stderr, "nothing to complain of").toBe("");
});

async function call(name: string, args: Record<string, unknown>, target = client): Promise<CallToolResult> {
  return (await target.callTool({ name, arguments: args })) as CallToolResult;
}

/** The structured reply, after checking that the text carries the same. */
async function reply(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { content, structuredContent, isError } = await call(name, args);
  expect(isError ?? false, JSON.stringify(content)).toBe(false);
  expect(content).toEqual([{ type: "text", text: expect.any(String) as string }]);
  expect(JSON.parse((content[0] as { text: string }).text)).toEqual(structuredContent);
  return structuredContent!;
}

interface Passage {
  readonly id: string;
  readonly package: string;
  readonly path: string;
  readonly text: string;
}

describe("the official client, over standard input and output", () => {
  it("searches all packages at once and says of each passage which one holds it", async () => {
    const questions: [string, string, string][] = [
      ["spare key of the stilling well", "Office", "@/measuring/calibrating-the-tide-gauge.md"],
      ["safe working load of the crane at a radius", "Quay", "@/operations/quay-crane.md"],
    ];
    for (const [query, title, path] of questions) {
      const { passages } = (await reply("search", { query })) as unknown as { passages: Passage[] };
      expect(passages[0]).toMatchObject({ package: title, path });
    }
  });

  it("gets a reply that fits its schema when nothing is found", async () => {
    expect(await reply("search", { query: "qwrtzpsd xjvvkq" })).toMatchObject({ found: 0, passages: [] });
  });

  it("lists what the packages are, and every document of them once", async () => {
    const { packages: described } = (await reply("info", {})) as unknown as { packages: { title: string }[] };
    expect(described.map(({ title }) => title)).toEqual(["Office", "Quay"]);
    const paths: string[] = [];
    for (let page: number | undefined = 1; page !== undefined;) {
      const listed = (await reply("info", { documents: true, page })) as {
        documents: { path: string }[];
        next_page?: number;
      };
      paths.push(...listed.documents.map(({ path }) => path));
      page = listed.next_page;
    }
    const folder = await handbook("operations", "safety", "glossary", "contracts", "meetings", "measuring", "archive");
    expect(paths.sort()).toEqual(
      Object.keys(folder)
        .map((path) => `@/${path}`)
        .sort(),
    );
  });

  it("reads each document as it stands in the folder, by name and as a resource", async () => {
    const folder = await handbook("operations", "safety", "glossary", "contracts", "meetings", "measuring", "archive");
    const resources = [];
    for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
      const listed = await client.listResources(cursor === undefined ? undefined : { cursor });
      resources.push(...listed.resources);
      cursor = listed.nextCursor;
    }
    expect(resources).toHaveLength(Object.keys(folder).length);
    for (const { uri, name } of resources) {
      const text = new TextDecoder().decode(folder[name.replace("@/", "")] as Uint8Array);
      expect((await reply("document", { name })).text, name).toBe(text);
      expect((await client.readResource({ uri })).contents, uri).toEqual([{ uri, mimeType: "text/markdown", text }]);
    }
  });

  it("reads around a passage that it found", async () => {
    const { passages } = (await reply("search", { query: "outriggers", limit: 1 })) as unknown as {
      passages: Passage[];
    };
    const { id, text } = passages[0]!;
    expect((await reply("document", { id, before: 2, after: 2 })).text).toContain(text);
  });

  it("is told of progress where it asks for it", async () => {
    const told: number[] = [];
    await client.callTool({ name: "search", arguments: { query: "crane" } }, undefined, {
      onprogress: ({ progress }) => told.push(progress),
    });
    expect(told.length).toBeGreaterThan(0);
    expect(told).toEqual([...told].sort((a, b) => a - b));
  });

  it("may give a call up, and goes on with the next", async () => {
    const giving = new AbortController();
    const given = client.callTool({ name: "search", arguments: { query: "crane" } }, undefined, {
      signal: giving.signal,
    });
    giving.abort("no longer wanted");
    await expect(given).rejects.toThrow(/no longer wanted/);
    expect(await reply("search", { query: "crane" })).toMatchObject({ query: "crane" });
  });
});

describe("a thousand calls at once", () => {
  it("answer as the same calls one after the other, and leave the server answering pings", async () => {
    const queries = [
      "crane",
      "Luftsprudler Eisdicke",
      "spare key",
      "進水",
      "mooring at night",
      "qwrtzpsd",
      "fees 2019",
      "sécurité",
    ];
    const calls: [string, Record<string, unknown>][] = [
      ...queries.flatMap((query): [string, Record<string, unknown>][] => [
        ["search", { query }],
        ["search", { query, limit: 2 }],
        ["search", { query, in: "operations/**", token_budget: 500 }],
        ["search", { query, mode: "words", limit: 50 }],
      ]),
      ["search", { query: "" }],
      ["search", { query: "crane", limit: 99 }],
      ["search", { query: "crane", mode: "meaning" }],
      ["document", { name: "@/glossary.md" }],
      ["document", { name: "@/archive/fees-2019.md" }],
      ["document", { name: "@/../glossary.md" }],
      ["document", { id: "00000000/0000000000000000/0" }],
      ["info", {}],
      ["info", { documents: true }],
      ["info", { documents: true, page: 77 }],
    ];
    const oneByOne: CallToolResult[] = [];
    for (const [name, args] of calls) oneByOne.push(await call(name, args));
    expect(oneByOne.filter(({ isError }) => isError)).toHaveLength(6);

    // In an order that is the same in every run, and never that of the calls above.
    const order = Array.from({ length: 1000 }, (_, i) => (i * 7919) % calls.length);
    let open = order.length;
    const all = Promise.all(
      order.map(async (which) => {
        const result = await call(...calls[which]!);
        open--;
        return result;
      }),
    );
    const pinged: number[] = [];
    while (open > 0) {
      await client.ping();
      pinged.push(open);
    }
    for (const [i, result] of (await all).entries())
      expect(result, JSON.stringify(calls[order[i]!])).toEqual(oneByOne[order[i]!]);
    expect(
      pinged.some((left) => left > 100),
      "answered while calls were waiting",
    ).toBe(true);
  });
});

describe("the handshake", () => {
  it.each(SUPPORTED_PROTOCOL_VERSIONS)("speaks %s where the client does", async (protocolVersion) => {
    await speaking(protocolVersion, protocolVersion);
  });
  it("offers the latest where the client speaks one that it does not know", async () => {
    await speaking("2099-01-01", LATEST_PROTOCOL_VERSION);
  });

  let wire: Wire | undefined;
  async function speaking(asked: string, answered: string): Promise<void> {
    wire ??= await Wire.open(packages);
    const { result } = await wire.ask("initialize", {
      protocolVersion: asked,
      capabilities: {},
      clientInfo: { name: "any", version: "1" },
    });
    expect(result).toMatchObject({ protocolVersion: answered, serverInfo: { name: "mdcx" } });
    wire.message({ jsonrpc: "2.0", method: "notifications/initialized" });
    expect(((await wire.ask("tools/list")).result as { tools: unknown[] }).tools).toHaveLength(3);
    expect((await wire.call("search", { query: "crane", limit: 1 })).structuredContent).toMatchObject({
      query: "crane",
    });
  }
  afterAll(async () => {
    await wire?.close();
  });
});
