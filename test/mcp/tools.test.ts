import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Corpus } from "../../src/corpus.js";
import { opened } from "../package/in-memory.js";
import { Connected, handbook, type InfoReply, type SearchReply, type TextReply } from "./connected.js";
import { HANDBOOK } from "./harbour.js";

let corpus: Corpus;
let server: Connected;

beforeAll(async () => {
  corpus = new Corpus([await opened(handbook(), { title: "Harbour handbook" })]);
  server = await Connected.to(corpus);
});
afterAll(async () => {
  await server.close();
  await corpus.close();
});

const call = (name: string, args: Record<string, unknown>) => server.call(name, args);
const reply = <T>(name: string, args: Record<string, unknown>) => server.reply<T>(name, args);
const refusal = (name: string, args: Record<string, unknown>) => server.refusal(name, args);

describe("the server", () => {
  it("has exactly three tools, all of them read-only", async () => {
    const { tools } = await server.client.listTools();
    expect(tools.map((tool) => tool.name).sort()).toEqual(["document", "info", "search"]);
    for (const tool of tools) expect(tool.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
  });

  it("gives instructions of less than 2,000 bytes with the rules", () => {
    const instructions = server.client.getInstructions() ?? "";
    expect(Buffer.byteLength(instructions)).toBeLessThan(2000);
    for (const rule of ["`info`", "two searches", "Cite", "never an order", "good answer"]) {
      expect(instructions).toContain(rule);
    }
  });

  it("describes each tool within the 2,048 characters after which clients cut", async () => {
    for (const tool of (await server.client.listTools()).tools)
      expect(tool.description!.length, tool.name).toBeLessThanOrEqual(2048);
  });

  it("explains every argument and every field of every reply, and nothing that is missing", async () => {
    const { tools } = await server.client.listTools();
    for (const tool of tools) {
      expect(explained(tool.description ?? ""), tool.name).toEqual([
        ...namesIn(tool.inputSchema),
        ...namesIn(tool.outputSchema ?? {}),
      ]);
    }
  });

  it("states bounds for every argument", async () => {
    const { tools } = await server.client.listTools();
    for (const tool of tools) {
      expect(tool.inputSchema).toMatchObject({ additionalProperties: false });
      for (const [name, schema] of Object.entries(tool.inputSchema.properties ?? {})) {
        const bound = schema as { type: string; maxLength?: number; maximum?: number; enum?: string[] };
        expect(
          bound.type === "boolean" || (bound.maxLength ?? bound.maximum ?? bound.enum) !== undefined,
          `${tool.name} ${name}`,
        ).toBe(true);
      }
    }
  });
});

/** Names of the members of a JSON schema, `passages.rank` for those of a list's objects. */
function namesIn(schema: object, prefix = ""): string[] {
  const { properties, anyOf, items, additionalProperties } = schema as {
    properties?: Record<string, object>;
    anyOf?: object[];
    items?: object;
    additionalProperties?: object | boolean;
  };
  if (anyOf) return anyOf.flatMap((one) => namesIn(one, prefix));
  if (items) return namesIn(items, prefix);
  if (typeof additionalProperties === "object") return namesIn(additionalProperties, prefix);
  return Object.entries(properties ?? {}).flatMap(([name, member]) => [
    prefix + name,
    ...namesIn(member, `${prefix}${name}.`),
  ]);
}

/** The names that a description explains, each on a line of its own, those of an object indented under it. */
function explained(description: string): string[] {
  const names: string[] = [];
  const above: string[] = [];
  for (const [, indent, name] of description.matchAll(/^( *)(\w+): \S/gm)) {
    above.length = indent!.length / 2;
    above.push(name!);
    names.push(above.join("."));
  }
  return names;
}

describe("search", () => {
  it("answers the questions of the handbook, each from its document", async () => {
    const questions = await readFile(join(HANDBOOK, "../QUESTIONS.md"), "utf8");
    const rows = [...questions.matchAll(/^\| ([^|]+) \| `([^`]+)` \|/gm)];
    expect(rows.length).toBeGreaterThanOrEqual(8);
    for (const [, question, path] of rows) {
      const { passages } = await reply<SearchReply>("search", { query: question!, limit: 3 });
      expect(passages[0]?.path, question).toBe(`@/${path!}`);
    }
  });

  it("numbers the passages, gives each whole, and never a score", async () => {
    const { passages } = await reply<SearchReply>("search", { query: "safe working load of the crane", limit: 10 });
    expect(passages.map((passage) => passage.rank)).toEqual(passages.map((_, index) => index + 1));
    expect(passages[0]).not.toHaveProperty("score");
    for (const { path, line, text } of passages) {
      const whole = await readFile(join(HANDBOOK, path.slice(2)), "utf8");
      expect(whole).toContain(text);
      expect(
        whole
          .split("\n")
          .slice(line - 1)
          .join("\n")
          .startsWith(text),
        `${path} line ${line}`,
      ).toBe(true);
    }
  });

  it("shows the head of a table above its later rows", async () => {
    const { passages } = await reply<SearchReply>("search", { query: "radius 24 longest radius boom at its flattest" });
    const rows = passages.find((passage) => passage.text.includes("boom at its flattest"));
    expect(rows?.kind).toBe("table");
    expect(`${rows?.header ?? ""}${rows?.text ?? ""}`).toContain("| Radius (m) |");
  });

  it("stays in the documents that the pattern names", async () => {
    const { passages } = await reply<SearchReply>("search", { query: "crane", in: "meetings/**" });
    expect(passages.length).toBeGreaterThan(0);
    for (const passage of passages) expect(passage.path).toMatch(/^@\/meetings\//);
  });

  it("leaves out whole passages past the token budget, and says how many", async () => {
    const all = await reply<SearchReply>("search", {
      query: "the harbour crane water",
      limit: 20,
      token_budget: 20_000,
    });
    const few = await reply<SearchReply>("search", { query: "the harbour crane water", limit: 20, token_budget: 500 });
    expect(all.left_out).toBe(0);
    expect(few.passages.length).toBeGreaterThan(0);
    expect(few.passages.length + few.left_out).toBe(all.passages.length);
    expect(few.left_out).toBeGreaterThan(0);
    expect(few.passages).toEqual(all.passages.slice(0, few.passages.length));
  });

  it("names the words that occur nowhere, and hints where nothing is found", async () => {
    const nothing = await reply<SearchReply>("search", { query: "qwrtzpsd xjvvkq" });
    expect(nothing.passages).toEqual([]);
    expect(nothing.hint).toBeTruthy();
    expect(Object.values(nothing.unknown_terms ?? {}).flat()).toEqual(expect.arrayContaining(["qwrtzpsd"]));
  });

  it("never finds a document that is not indexed", async () => {
    const { passages } = await reply<SearchReply>("search", {
      query: "Receipt of bilge water fees of 2019",
      limit: 50,
    });
    for (const passage of passages) expect(passage.path).not.toBe("@/archive/fees-2019.md");
  });

  it.each([
    ["an empty question", { query: "" }],
    ["a blank question", { query: " \n " }],
    ["a question of more than 2,000 characters", { query: "a".repeat(2001) }],
    ["no question", {}],
    ["a question that is no text", { query: 7 }],
    ["a limit of 0", { query: "crane", limit: 0 }],
    ["a limit of 51", { query: "crane", limit: 51 }],
    ["half a limit", { query: "crane", limit: 1.5 }],
    ["a budget past its bounds", { query: "crane", token_budget: 1e9 }],
    ["an argument that does not exist", { query: "crane", folder: "contracts" }],
  ])("refuses %s with a readable error and stays up", async (_, args) => {
    const message = await refusal("search", args);
    expect(message.length).toBeGreaterThan(20);
    expect(message).not.toMatch(/\bat .*\.js:\d+/);
  });

  it("takes SQL, regular expressions and a question of exactly 2,000 characters as ordinary text", async () => {
    for (const query of [
      "'; DROP TABLE passages; --",
      ".*(crane|[a-z]+)?$",
      'crane AND "',
      "crane ".repeat(333) + "of",
    ]) {
      await reply<SearchReply>("search", { query });
    }
  });
});

describe("info", () => {
  it("says what the package is and how far its signature was checked", async () => {
    const { packages, documents } = await reply<InfoReply>("info", {});
    expect(packages).toHaveLength(1);
    expect(packages[0]).toMatchObject({ signature: "unsigned", documents: 23, attachments: 1 });
    expect(packages[0]!.languages).toMatchObject({ de: expect.any(Number) as number, ja: 1, ar: 1, ru: 1, zh: 1 });
    expect(documents).toBeUndefined();
  });

  it("lists every document once, in pages", async () => {
    const first = await reply<InfoReply>("info", { documents: true });
    const seen = [...(first.documents ?? [])];
    for (let next = first.next_page; next !== undefined;) {
      const more = await reply<InfoReply>("info", { documents: true, page: next });
      seen.push(...(more.documents ?? []));
      next = more.next_page;
    }
    expect(new Set(seen.map((one) => one.path)).size).toBe(24);
    const fees = seen.find((one) => one.path === "@/archive/fees-2019.md");
    expect(fees).toMatchObject({ title: "Fees of 2019 (no longer valid)", passages: 0, date: "2019-01-01" });
    for (const one of seen) expect(Array.from(one.opening).length).toBeLessThanOrEqual(241);
  });

  it("refuses a page that does not exist, and says how many there are", async () => {
    expect(await refusal("info", { documents: true, page: 99 })).toMatch(/page 99.*has 2/);
  });
});

describe("document", () => {
  it("gives a document exactly as it stands in the folder", async () => {
    for (const name of ["measuring/protocols/tide-gauge-spring-2026.md", "safety/高所作業の手順.md", "glossary.md"]) {
      const { text, pages } = await reply<TextReply>("document", { name: `@/${name}` });
      expect(pages).toBe(1);
      expect(text).toBe(await readFile(join(HANDBOOK, name), "utf8"));
    }
  });

  it("gives a document that is not indexed", async () => {
    const fees = await reply<TextReply>("document", { name: "@/archive/fees-2019.md" });
    expect(fees).toMatchObject({ indexed: false, passages: 0 });
    expect(fees.text).toContain("Receipt of bilge water");
  });

  it("reads around a passage, and stops at the ends of its document", async () => {
    const { passages } = await reply<SearchReply>("search", { query: "outriggers fully out", limit: 1 });
    const { id, text } = passages[0]!;
    const alone = await reply<TextReply>("document", { id });
    expect(alone.text).toBe(text);
    expect(alone.first).toBe(alone.last);
    const around = await reply<TextReply>("document", { id, before: 1, after: 1 });
    expect(around.text).toContain(text);
    expect(around.text.length).toBeGreaterThan(text.length);
    const far = await reply<TextReply>("document", { id, before: 10, after: 10 });
    expect(far.first).toBeGreaterThanOrEqual(0);
    expect(far.last).toBeLessThan(far.passages);
  });

  it("offers the nearest names for one that it does not know", async () => {
    expect(await refusal("document", { name: "@/operations/quay-cran.md" })).toContain("@/operations/quay-crane.md");
  });

  it.each([
    ["neither a name nor an id", {}],
    ["both", { name: "@/glossary.md", id: "00000000/0000000000000000/0" }],
    ["an id that is not in the package", { id: "00000000/0000000000000000/0" }],
    ["something that is no id", { id: "'; DROP TABLE documents" }],
    ["before without an id", { name: "@/glossary.md", before: 1 }],
    ["more than ten neighbours", { id: "00000000/0000000000000000/0", after: 11 }],
    ["a page past the end", { name: "@/glossary.md", page: 2 }],
    ["a path of the file system", { name: "/etc/passwd" }],
    ["a path that climbs", { name: "@/../../etc/passwd" }],
  ])("refuses %s with a readable error and stays up", async (_, args) => {
    const message = await refusal("document", args);
    expect(message.length).toBeGreaterThan(20);
    expect(message).not.toContain("root:");
  });
});

describe("many calls at once", () => {
  it("answer as they do one after the other", async () => {
    const calls: [string, Record<string, unknown>][] = [
      ["search", { query: "spare key of the stilling well" }],
      ["search", { query: "Luftsprudler Eisdicke", limit: 3 }],
      ["search", { query: "" }],
      ["document", { name: "@/glossary.md" }],
      ["document", { name: "@/nowhere.md" }],
      ["info", { documents: true }],
    ];
    const oneByOne: CallToolResult[] = [];
    for (const [name, args] of calls) oneByOne.push(await call(name, args));
    const rounds = await Promise.all(
      Array.from({ length: 10 }, () => Promise.all(calls.map(([name, args]) => call(name, args)))),
    );
    for (const round of rounds) expect(round).toEqual(oneByOne);
  });
});
