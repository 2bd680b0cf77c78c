import { readFile } from "node:fs/promises";
import { afterAll, describe, expect, it } from "vitest";
import { clipped, MOST_TOKENS, replyTokens, replyTokensOf } from "../../mcp/reply-size.js";
import { Corpus } from "../../src/corpus.js";
import { opened, type Folder } from "../package/in-memory.js";
import { Connected, type InfoReply, type SearchReply, type TextReply } from "./connected.js";

/**
 * The first article of the Universal Declaration of Human Rights by language, and its tokens in the most wasteful of three
 * published tokenisers (that of Claude 2, cl100k, o200k).
 */
const ARTICLE = JSON.parse(await readFile(new URL("article-one.json", import.meta.url), "utf8")) as Readonly<
  Record<string, { text: string; tokens: number }>
>;

/** Scripts that cost a client little, more and most. */
const SCRIPTS = ["eng", "hin", "khm", "bod"] as const;

const servers: Connected[] = [];
async function serving(folder: Folder, title?: string): Promise<Connected> {
  const server = await Connected.to(new Corpus([await opened(folder, { ...(title !== undefined && { title }) })]));
  servers.push(server);
  return server;
}
afterAll(async () => {
  for (const server of servers) await server.close();
});

/** Documents of several passages each, all about the same. */
function about(text: string): Folder {
  return Object.fromEntries(
    Array.from({ length: 25 }, (_, i) => [
      `${i}.md`,
      Array.from({ length: 3 }, (_, part) => `# ${i}.${part}\n\n${text} ${text} ${text}\n`).join("\n"),
    ]),
  );
}

describe("the estimate of what a reply costs", () => {
  it.each(Object.entries(ARTICLE))("is above what tokenisers count, by less than three times: %s", (_, one) => {
    expect(replyTokens(one.text) * 1.25).toBeGreaterThan(one.tokens);
    expect(replyTokens(one.text)).toBeLessThan(3 * one.tokens);
  });

  it("is that of the parts for the whole, so that pages can be summed", () => {
    const texts = Object.values(ARTICLE).map(({ text }) => text);
    const sum = texts.reduce((all, text) => all + replyTokens(text), 0);
    expect(replyTokens(texts.join(""))).toBeCloseTo(sum, 5);
  });
});

describe.each(SCRIPTS)("a reply in a script as costly as that of %s", (script) => {
  const { text } = ARTICLE[script]!;
  const query = Array.from(text).slice(0, 30).join("");

  it("stays within what clients take, whatever is asked for, and says what it left out", async () => {
    const server = await serving(about(text));
    const all = await server.reply<SearchReply>("search", { query, limit: 50, token_budget: MOST_TOKENS });
    expect(replyTokensOf(all)).toBeLessThanOrEqual(MOST_TOKENS);
    expect(all.passages.length).toBeGreaterThan(0);
    expect(all.passages.length + all.left_out).toBe(50);
    const few = await server.reply<SearchReply>("search", { query, limit: 50, token_budget: 4000 });
    expect(few.passages).toEqual(all.passages.slice(0, few.passages.length));
    if (few.passages.length > 1) expect(replyTokensOf(few)).toBeLessThanOrEqual(4000);
    const list = await server.reply<InfoReply>("info", { documents: true });
    expect(replyTokensOf(list)).toBeLessThanOrEqual(MOST_TOKENS);
    expect(list.documents).toHaveLength(20);
  });

  it("gives a long document in pages that fit and joined are the document", async () => {
    const whole = `${text}\n`.repeat(300);
    const server = await serving({ "long.md": whole });
    let joined = "";
    for (let page: number | undefined = 1; page !== undefined;) {
      const reply: TextReply = await server.reply<TextReply>("document", { name: "@/long.md", page });
      expect(replyTokensOf(reply)).toBeLessThanOrEqual(MOST_TOKENS);
      joined += reply.text;
      page = reply.next_page;
    }
    expect(joined).toBe(whole);
  });
});

describe("a package that was made to flood its reader", () => {
  it("shows names no longer than names are, in every reply", async () => {
    const long = "long ".repeat(20_000);
    const server = await serving(
      {
        "flood.md": `---\ntitle: ${long}\n---\n# ${long}\n\n## ${long}\n\nThe needle.\n`,
        "table.md": `# Table\n\n| ${long} | b |\n| --- | --- |\n${"| needle | row |\n".repeat(400)}`,
      },
      long.slice(0, 60_000),
    );
    for (const [name, args] of [
      ["search", { query: "needle", limit: 50, token_budget: MOST_TOKENS }],
      ["info", { documents: true }],
      ["document", { name: "@/flood.md" }],
    ] as const) {
      const reply = await server.reply<Record<string, unknown>>(name, args);
      expect(replyTokensOf(reply), name).toBeLessThanOrEqual(MOST_TOKENS);
    }
  });

  it("leaves out what would be too long beside the passages, and says so", async () => {
    const corpus = new Corpus([await opened({ "a.md": "The needle.\n" })]);
    const ids = Array.from({ length: 300 }, (_, i) => i.toString(16).padStart(32, "0"));
    const server = await Connected.to({
      search: async (question) => ({
        ...(await corpus.search(question)),
        unknownTerms: Object.fromEntries(ids.map((id) => [id, ["unknown", "words"]])),
        modelsByPackage: Object.fromEntries(ids.map((id) => [id, "a-model"])),
      }),
      info: () => corpus.info(),
      documents: () => corpus.documents(),
      document: (name) => corpus.document(name),
    });
    servers.push(server);
    const reply = await server.reply<SearchReply>("search", { query: "needle" });
    expect(reply.passages).toHaveLength(1);
    expect(reply.notices).toEqual([expect.stringMatching(/models_by_package, unknown_terms/) as string]);
    expect(replyTokensOf(reply)).toBeLessThanOrEqual(MOST_TOKENS);
  });
});

describe("a name that is cut", () => {
  it("keeps its characters whole and says by an ellipsis that it goes on", () => {
    expect(clipped("short", 200)).toBe("short");
    const cut = clipped("𠮷".repeat(300), 200);
    expect(Array.from(cut)).toHaveLength(200);
    expect(cut.endsWith("𠮷…")).toBe(true);
  });
});
