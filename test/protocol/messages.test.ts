import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mounted, type Mounted } from "./mounted.js";
import { Wire, type Message } from "./wire.js";

let packages: Mounted;
let wire: Wire;

beforeAll(async () => {
  packages = await mounted({
    Harbour: { "crane.md": "# Crane\n\nThe crane lifts 4,200 kilograms at 16 metres. Größe 東京.\n" },
  });
  wire = await Wire.open(packages);
});
afterAll(async () => {
  expect(await wire.close()).toEqual({ code: 0, signal: null });
  expect(wire.unreadable, "standard output carries the protocol and nothing else").toEqual([]);
  expect(wire.stderr).not.toMatch(/^\s+at |Warning|node:internal/m);
});

/** The server must still answer, and as it did before. */
async function answers(from: Wire = wire): Promise<void> {
  expect((await from.ask("ping")).result).toEqual({});
  const { structuredContent } = await from.call("search", { query: "crane" });
  expect(structuredContent).toMatchObject({ query: "crane", passages: [{ path: "@/crane.md" }] });
}

const request = (more: object): string => `${JSON.stringify({ jsonrpc: "2.0", ...more })}\n`;

describe("a server that is sent what is no message", () => {
  it.each<[string, string | Uint8Array]>([
    ["words", "this is no message\n"],
    ["half a message", '{"jsonrpc":"2.0","id":1,"method":"pi\n'],
    ["empty lines", "\n\n\r\n \n"],
    ["other JSON", 'null\n42\n"ping"\ntrue\n[]\n{}\n'],
    ["a batch, which the protocol has no more", '[{"jsonrpc":"2.0","id":"b1","method":"ping"}]\n'],
    ["another version of JSON-RPC", '{"jsonrpc":"1.0","id":1,"method":"ping"}\n'],
    ["no version", '{"id":1,"method":"ping"}\n'],
    ["an id that is none", '{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}\n'],
    ["an id that is null", '{"jsonrpc":"2.0","id":null,"method":"ping"}\n'],
    ["a method that is no word", '{"jsonrpc":"2.0","id":"m","method":7}\n'],
    ["parameters that are none", '{"jsonrpc":"2.0","id":"p","method":"tools/call","params":"search"}\n'],
    ["names that change objects", '{"jsonrpc":"2.0","method":"x","__proto__":{"polluted":true},"constructor":{}}\n'],
    ["a hundred thousand brackets", `${"[".repeat(100_000)}\n`],
    ["a hundred thousand objects", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}\n`],
    ["a null byte", "\u0000\n"],
    ["a byte order mark", '\uFEFF{"jsonrpc":"2.0","method":"notifications/none"}\n'],
    ["bytes that are no UTF-8", Uint8Array.of(0xff, 0xfe, 0x00, 0xc3, 0x28, 0x0a)],
    ["a frame of another transport", 'Content-Length: 46\r\n\r\n{"jsonrpc":"2.0","method":"notifications/none"}\n'],
    ["an HTTP request", "POST /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n"],
    ["the answer to a question that it never asked", '{"jsonrpc":"2.0","id":999,"result":{}}\n'],
    ["an error for a question that it never asked", '{"jsonrpc":"2.0","id":999,"error":{"code":1,"message":"no"}}\n'],
    ["a notification that it does not know", request({ method: "notifications/none", params: { a: 1 } })],
    ["an end to a call that never was", request({ method: "notifications/cancelled", params: { requestId: 12345 } })],
    [
      "progress of its own calls, of which there are none",
      request({ method: "notifications/progress", params: { progressToken: 5, progress: 1 } }),
    ],
  ])("takes %s and goes on", async (_, raw) => {
    await wire.bytes(raw);
    await answers();
  });

  it("answers what it does not know with an error under the same id", async () => {
    const asked = await Promise.all([
      wire.ask("no/such/method"),
      wire.ask("sampling/createMessage", {}),
      wire.ask("__proto__"),
      wire.ask("tools/call"),
      wire.ask("tools/call", {}),
      wire.ask("tools/call", { name: 7 }),
      wire.ask("tools/call", { name: "search", arguments: "crane" }),
      wire.ask("tools/call", { name: "toString" }),
      wire.ask("initialize", {}),
      wire.ask("resources/read", {}),
    ]);
    for (const { error, result } of asked) {
      expect(result).toBeUndefined();
      expect(error?.code).toBeLessThan(0);
      expect(error?.message.length).toBeGreaterThan(5);
      expect(error?.message).not.toMatch(/^\s+at |\.js:\d/m);
    }
    expect(asked.slice(0, 3).map(({ error }) => error?.code)).toEqual([-32601, -32601, -32601]);
    await answers();
  });

  it("takes arguments of a tool for what they are, whatever they hold", async () => {
    for (const args of [
      null,
      [],
      { query: "crane", __proto__: { limit: 1 } },
      JSON.parse('{"query":"crane","__proto__":{"limit":1}}') as unknown,
      { query: { toString: "crane" } },
      { query: ["crane"] },
      { query: "crane", limit: "8" },
      { query: "crane", limit: 1e308 },
      { query: "crane", limit: -0.5 },
      { query: "\ud800 crane" },
      { query: "crane\u0000\u001b[31m" },
    ]) {
      const { result, error } = await wire.ask("tools/call", { name: "search", arguments: args });
      expect(result ?? error, JSON.stringify(args)).toBeDefined();
    }
    expect(({} as Record<string, unknown>).limit).toBeUndefined();
    await answers();
  });
});

describe("messages in pieces", () => {
  it("are put together, wherever they were cut", async () => {
    const bytes = new TextEncoder().encode(
      request({ id: "cut", method: "tools/call", params: { name: "search", arguments: { query: "Größe 東京" } } }),
    );
    const answer = wire.answerTo("cut");
    for (let at = 0; at < bytes.length; at += 7) await wire.bytes(bytes.subarray(at, at + 7));
    const { result } = await answer;
    expect(result?.structuredContent).toMatchObject({ query: "Größe 東京", passages: [{ path: "@/crane.md" }] });
  });

  it("and many in one piece are each answered once", async () => {
    const ids = Array.from({ length: 300 }, (_, i) => `piece ${i}`);
    const all = ids.map((id) => wire.answerTo(id));
    await wire.bytes(ids.map((id) => request({ id, method: "ping" }).replace("\n", "\r\n")).join(""));
    expect((await Promise.all(all)).map(({ id }) => id)).toEqual(ids);
  });
});

describe("a huge message", () => {
  const search = (query: string) =>
    request({ id: query.length, method: "tools/call", params: { name: "search", arguments: { query } } });

  it.each([100_000, 1_000_000, 3_000_000])(
    "of %i bytes that is well formed is answered with a readable error",
    async (length) => {
      const answer = wire.answerTo(length);
      await wire.bytes(search("a".repeat(length)));
      const { result } = await answer;
      expect(result).toMatchObject({ isError: true });
      const text = (result as unknown as { content: { text: string }[] }).content[0]!.text;
      expect(text).toMatch(/2,000/);
      expect(text.length, "what was sent is not sent back").toBeLessThan(1000);
      await answers();
    },
  );

  it.each([12, 40])("of %i million bytes is let go, and the next one answered", async (millions) => {
    const part = new Uint8Array(1_000_000).fill(0x61);
    await wire.bytes('{"jsonrpc":"2.0","id":"huge","method":"');
    for (let i = 0; i < millions; i++) await wire.bytes(part);
    await wire.bytes('"}\n');
    await answers();
  });
});

describe("messages out of order", () => {
  it("such as a call before the handshake, and the handshake after it, do no harm", async () => {
    const server = new Wire(packages);
    const before = await server.ask("tools/call", { name: "search", arguments: { query: "crane" } });
    expect(before.result ?? before.error).toBeDefined();
    server.message({ jsonrpc: "2.0", method: "notifications/initialized" });
    expect((await server.initialize()).result).toMatchObject({ serverInfo: { name: "mdcx" } });
    await answers(server);
    expect(await server.close()).toEqual({ code: 0, signal: null });
  });

  it("such as a second handshake in another version do no harm", async () => {
    const { result } = await wire.ask("initialize", {
      protocolVersion: "2024-11-05",
      capabilities: {},
      clientInfo: { name: "other", version: "2" },
    });
    expect(result).toMatchObject({ protocolVersion: "2024-11-05" });
    await answers();
  });

  it("such as two calls under one id are answered, and nothing hangs", async () => {
    const call = request({ id: 7, method: "tools/call", params: { name: "search", arguments: { query: "crane" } } });
    const answer = wire.answerTo(7);
    await wire.bytes(call + call);
    expect((await answer).result?.structuredContent).toMatchObject({ query: "crane" });
    await answers();
  });

  it("such as ids of every kind come back as they were sent", async () => {
    const ids: unknown[] = [0, -1, 9007199254740991, "", " ", "7", "💡", "a\nb", "a\u2028b", "x".repeat(10_000)];
    const all = ids.map((id) => wire.answerTo(id));
    for (const id of ids) wire.message({ jsonrpc: "2.0", id, method: "ping" });
    expect((await Promise.all(all)).map(({ id }) => id)).toEqual(ids);
  });

  it("such as calls given up before, while and after they run leave the others their answers", async () => {
    const cancel = (requestId: unknown) =>
      request({ method: "notifications/cancelled", params: { requestId, reason: "no more wanted" } });
    const call = (id: string) =>
      request({ id, method: "tools/call", params: { name: "search", arguments: { query: "crane" } } });
    const kept = Array.from({ length: 20 }, (_, i) => `kept ${i}`);
    const answersOfKept = kept.map((id) => wire.answerTo(id));
    await wire.bytes(
      kept.map((id, i) => cancel(`gone ${i}`) + call(`gone ${i}`) + call(id) + cancel(`gone ${i}`)).join(""),
    );
    for (const { result } of await Promise.all(answersOfKept))
      expect(result?.structuredContent).toMatchObject({ query: "crane" });
    await wire.bytes(cancel("kept 0"));
    await answers();
  });
});

describe("whatever bytes come", () => {
  const valid = [
    request({ id: 1, method: "ping" }),
    request({ id: 2, method: "tools/list" }),
    request({ id: 3, method: "tools/call", params: { name: "search", arguments: { query: "crane", limit: 3 } } }),
    request({ id: 4, method: "tools/call", params: { name: "document", arguments: { name: "@/crane.md" } } }),
    request({ id: 5, method: "resources/read", params: { uri: "mdcx://00000000/crane.md" } }),
  ];

  it("the server goes on, and says of every line at most one thing", async () => {
    const line = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.json({ maxDepth: 4 }).map((text) => new TextEncoder().encode(text)),
      // A message with some of its bytes changed.
      fc
        .tuple(
          fc.constantFrom(...valid),
          fc.array(fc.tuple(fc.nat(300), fc.integer({ min: 0, max: 255 })), { maxLength: 4 }),
        )
        .map(([text, changes]) => {
          const bytes = new TextEncoder().encode(text.trimEnd());
          for (const [at, to] of changes) bytes[at % bytes.length] = to;
          return bytes;
        }),
    );
    const before = wire.messages.length;
    let lines = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 30 }), async (parts) => {
        for (const part of parts) {
          lines += 1 + part.filter((byte) => byte === 0x0a).length;
          await wire.bytes(part);
          await wire.bytes("\n");
        }
        expect((await wire.ask("ping")).result).toEqual({});
      }),
      { numRuns: process.env.MDCX_LONG === undefined ? 40 : 1000, seed: 20 },
    );
    await answers();
    const said = wire.messages.slice(before).filter(({ id }) => typeof id !== "string" || !id.startsWith("ask "));
    expect(said.length).toBeLessThanOrEqual(lines);
    expect(said.every(isAnswer)).toBe(true);
  });
});

function isAnswer(message: Message): boolean {
  return message.jsonrpc === "2.0" && message.method === undefined && (message.result ?? message.error) !== undefined;
}
