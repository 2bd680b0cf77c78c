import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Corpus } from "../../src/corpus.js";
import { opened, type Folder } from "../package/in-memory.js";
import { Connected, type TextReply } from "./connected.js";

const MANY: Folder = Object.fromEntries(
  Array.from({ length: 230 }, (_, i) => [`folder/${String(i).padStart(3, "0")}.md`, `Text of number ${i}.\n`]),
);
const LONG = "The tide gauge is read at noon.\n".repeat(4_000);
const ODD: Folder = {
  "100% sure? yes#1.md": "A name that no address may have as it stands.\n",
  "安全/高所.md": "高所作業。\n",
  "attached.md": "---\nindexed: false\n---\nOnly read by name.\n",
};

let corpus: Corpus;
let server: Connected;
beforeAll(async () => {
  corpus = new Corpus([
    await opened(MANY, { title: "Many" }),
    await opened({ ...ODD, "long.md": LONG }, { title: "Odd" }),
  ]);
  server = await Connected.to(corpus);
});
afterAll(async () => {
  await server.close();
  await corpus.close();
});

async function listed(): Promise<{ uri: string; name: string; size?: number | undefined }[]> {
  const all = [];
  for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
    const page = await server.client.listResources(cursor === undefined ? {} : { cursor });
    expect(page.resources.length).toBeLessThanOrEqual(100);
    all.push(...page.resources);
    cursor = page.nextCursor;
  }
  return all;
}

describe("documents as resources", () => {
  it("are listed in pages, every one once, with an address that every client can read", async () => {
    const all = await listed();
    expect(all).toHaveLength(234);
    expect(new Set(all.map(({ uri }) => uri)).size).toBe(234);
    for (const { uri } of all) expect(new URL(uri).href).toBe(uri);
  });

  it("are listed without reading a word of their texts, which lists of info begin with", async () => {
    const reads = corpus.packages.map(({ image }) => vi.spyOn(image, "documentBytes"));
    const counted = (): number => reads.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    expect((await listed()).length).toBeGreaterThan(200);
    expect(counted()).toBe(0);
    expect((await corpus.documents(0, 5)).documents[0]!.opening).toMatch(/\w/);
    expect(counted()).toBe(5);
    for (const read of reads) read.mockRestore();
  });

  it("are read whole by that address, byte for byte", async () => {
    const all = await listed();
    for (const [path, text] of [...Object.entries(ODD), ["folder/117.md", MANY["folder/117.md"]!] as const]) {
      const { uri, size } = all.find(({ name }) => name === `@/${path}`)!;
      expect(size).toBe(Buffer.byteLength(text));
      expect((await server.client.readResource({ uri })).contents).toEqual([{ uri, mimeType: "text/markdown", text }]);
    }
  });

  it("are cut behind their first page, and say how the others are read", async () => {
    const { uri } = (await listed()).find((one) => one.uri.endsWith("/long.md"))!;
    const { contents } = await server.client.readResource({ uri });
    const [first, left] = contents.map((one) => ("text" in one ? one.text : ""));
    expect(contents).toHaveLength(2);
    const [, last] = /page 1 of (\d+) of @\/long\.md.*page 2 to \d+\.$/.exec(left!) ?? [];
    let joined = first!;
    for (let page = 2; page <= Number(last); page++)
      joined += (await server.reply<TextReply>("document", { name: uri, page })).text;
    expect(joined).toBe(LONG);
  });

  it("follow the template that the server states", async () => {
    const { resourceTemplates } = await server.client.listResourceTemplates();
    expect(resourceTemplates).toMatchObject([{ uriTemplate: "mdcx://{package}/{+path}" }]);
  });

  it.each([
    "file:///etc/passwd",
    "mdcx://00000000/attached.md",
    "mdcx://../../etc/passwd",
    "https://example.org/",
    "@/attached.md",
    "mdcx://%00/%ff",
    "",
  ])("are nothing else: %s is no resource", async (uri) => {
    await expect(server.client.readResource({ uri })).rejects.toMatchObject({ code: -32002 });
    await server.client.ping();
  });

  it.each(["50", "-100", "1e2", "100000000000", "x"])(
    "have no page at a cursor that was not given: %s",
    async (cursor) => {
      await expect(server.client.listResources({ cursor })).rejects.toMatchObject({ code: -32602 });
    },
  );
});
