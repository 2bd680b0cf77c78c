import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Corpus } from "../../src/corpus.js";
import { documentUri } from "../../src/document-name.js";
import { openPackage, type Package } from "../../src/index.js";
import { openEncoder } from "../../src/node/encoder/open.js";
import { KEY, opened, packed, type Folder } from "../package/in-memory.js";
import { Connected, type InfoReply, type SearchReply, type TextReply } from "./connected.js";

const dated = (date: string, text: string): string => `---\ndate: ${date}\n---\n${text}\n`;

const LETTERS: Folder = {
  "received/2019-berths.md": dated(
    "2019-05-02",
    "# Berths\n\nThe berth fee is 12 euros a metre, the harbour office writes.",
  ),
  "received/2026-berths.md": dated("2026-02-11", "# Berths\n\nFrom now on the berth fee is 17 euros a metre."),
  "sent/objection.md": dated("2026-03-01", "# Objection\n\nWe object to the new berth fee and ask for the reasons."),
  "notes/storm.md": "# Storm\n\nDuring the storm two mooring lines broke at the northern pier.\n",
  "notes/bakery.md": "# Bakery\n\nThe bakery at the ferry opens at six and sells rye bread.\n",
  "notes/library.md": "# Library\n\nThe reading room keeps the charts of the coast.\n",
  "rules.md": "# Rules\n\nNobody may swim in the basin while the ferry manoeuvres.\n",
};
const CLUB: Folder = {
  "rules.md": "# Rules of the club\n\nMembers moor their boats at the southern pier.\n",
  "minutes.md": "# Minutes\n\nThe treasurer reported that the berth fee was paid.\n",
};

let letters: Package;
let club: Package;
let corpus: Corpus;
let server: Connected;
const encoder = openEncoder();

beforeAll(async () => {
  const { bytes } = await packed(LETTERS, { title: "Letters", meaning: { encoder } });
  letters = await openPackage(bytes, { secret: KEY, encoder: () => ({ ...lent, close: () => Promise.resolve() }) });
  club = await opened(CLUB, { title: "Club" });
  corpus = new Corpus([letters, club]);
  server = await Connected.to(corpus);
}, 60_000);
afterAll(async () => {
  await server.close();
  await corpus.close();
  await encoder.close();
});

const lent = {
  describe: () => encoder.describe(),
  encode: (...given: Parameters<typeof encoder.encode>) => encoder.encode(...given),
};

describe("an agent that asks several packages", () => {
  it("gets one ranking in which every passage names its package", async () => {
    const { passages } = await server.reply<SearchReply>("search", { query: "berth fee" });
    expect(passages.map(({ rank }) => rank)).toEqual(passages.map((_, i) => i + 1));
    expect(new Set(passages.map((one) => one.package))).toEqual(new Set(["Letters", "Club"]));
    for (const one of passages)
      expect(one.id.slice(0, 8)).toBe((one.package === "Club" ? club : letters).id.slice(0, 8));
  });

  it("learns of each what it is, its meaning with the remedy where there is none", async () => {
    const { packages } = await server.reply<InfoReply>("info", {});
    expect(packages).toMatchObject([
      { title: "Club", package_id: club.id, documents: 2, meaning: "absent", dated: { count: 0, from: null } },
      {
        title: "Letters",
        meaning: "available",
        dated: { count: 3, from: "2019-05-02", to: "2026-03-01" },
        dated_from: { "front-matter": 3 },
        directions: { received: 2, sent: 1 },
      },
    ]);
    expect(packages[0]).toMatchObject({ model: null, answerable_at: null });
    expect(packages[0]!.meaning_remedy).toMatch(/mdcx enrich/);
    expect(packages[1]).toMatchObject({ model: { dimensions: 384 }, answerable_at: { origin: "estimated" } });
  });

  it("lists the documents of all by path, each with its package, size, date and opening", async () => {
    const { documents } = await server.reply<InfoReply>("info", { documents: true });
    expect(documents!.map(({ path }) => path)).toEqual(
      [...Object.keys(LETTERS), ...Object.keys(CLUB)].sort().map((path) => `@/${path}`),
    );
    expect(documents).toContainEqual({
      title: "Berths",
      path: "@/received/2026-berths.md",
      package: "Letters",
      size: Buffer.byteLength(LETTERS["received/2026-berths.md"]!),
      date: "2026-02-11",
      date_from: "front-matter",
      direction: "received",
      language: expect.any(String) as string,
      passages: 1,
      opening: "# Berths From now on the berth fee is 17 euros a metre.",
    });
  });

  it("is told the full names of a document that two packages have, and reads it by either", async () => {
    const message = await server.refusal("document", { name: "@/rules.md" });
    for (const [pkg, title, text] of [
      [letters, "Letters", LETTERS["rules.md"]],
      [club, "Club", CLUB["rules.md"]],
    ] as const) {
      const uri = documentUri(pkg.id, "rules.md");
      expect(message).toContain(uri);
      expect(await server.reply<TextReply>("document", { name: uri })).toMatchObject({ package: title, text });
    }
  });

  it("reads nothing of a package that is not mounted, by whatever name", async () => {
    for (const name of [
      "mdcx://00000000/rules.md",
      `mdcx://${club.id.slice(0, 8)}/../../etc/passwd`,
      "file:///etc/passwd",
    ])
      expect(await server.refusal("document", { name })).toMatch(/^There is no document/);
    expect(await server.refusal("document", { name: "mdcx://00000000/rules.md" })).toContain("@/rules.md");
  });

  it("hears of each package by its id which words it has never seen", async () => {
    const { unknown_terms: unknown } = await server.reply<SearchReply>("search", { query: "treasurer zxqvv" });
    expect(unknown![club.id]).toEqual(["zxqvv"]);
    expect(unknown![letters.id]).toEqual(expect.arrayContaining(["treasurer", "zxqvv"]));
  });
});

describe("what a passage is", () => {
  it("is said of tables and code, with its page, and of documents of which a part was converted", async () => {
    const server = await Connected.to(
      new Corpus([
        await opened({
          "table.md": "# Fees\n\n| Boat | Fee |\n| --- | --- |\n| dinghy | 3 euros |\n",
          "code.md": "# Script\n\n```sh\nring --the dinghy-bell\n```\n",
          "scan.md": "# Plan\n\n<!-- mdcx:page 4 -->\n\nThe dinghy rack stands in the north.\n",
          "part.md": "---\nsampled: true\npages_total: 600\n---\nThe dinghy is a boat, says page twenty.\n",
        }),
      ]),
    );
    const { passages } = await server.reply<SearchReply>("search", { query: "dinghy" });
    const of = (path: string) => passages.find((one) => one.path === path);
    expect(of("@/table.md")).toMatchObject({ kind: "table", document: "Fees" });
    expect(of("@/code.md")).toMatchObject({ kind: "code" });
    expect(of("@/scan.md")).toMatchObject({ kind: "text", place: "page 4" });
    expect(of("@/part.md")).toMatchObject({ sampled: true });
    expect(of("@/scan.md")).not.toHaveProperty("sampled");
    await server.close();
  });
});

describe("how near the packages come", () => {
  it("is said once a reply, by a similarity, a band, and what answers usually reach", async () => {
    const near = await server.reply<SearchReply>("search", { query: "How much is the berth fee a metre?" });
    expect(near.similarity).toBeGreaterThan(0.7);
    expect(near.answerable_at_by_package).toEqual({ [letters.id]: near.answerable_at });
    expect(near.band).toBeDefined();
    expect(near).not.toHaveProperty("warning");
    expect(near.passages[0]!.found_by).toEqual(["word", "meaning"]);
  });

  it("is a warning for a question about something else, beside the nearest passages", async () => {
    const far = await server.reply<SearchReply>("search", {
      query: "Which enzymes repair double-strand breaks of chromosomes?",
    });
    expect(far).toMatchObject({ band: "none" });
    expect(far.warning).toMatch(/./);
    expect(far.passages.length).toBeGreaterThan(0);
  });

  it("is not said where words alone were asked", async () => {
    const words = await server.reply<SearchReply>("search", { query: "berth fee", mode: "words" });
    for (const field of ["similarity", "answerable_at", "band", "warning"]) expect(words).not.toHaveProperty(field);
  });

  it("cannot be asked of packages without vectors: a readable error with the remedy", async () => {
    const alone = await Connected.to(new Corpus([club]));
    expect(await alone.refusal("search", { query: "berth", mode: "meaning" })).toMatch(/mdcx enrich/);
    await alone.close();
  });
});

describe("direction and date", () => {
  it("narrow a search to what was received or sent", async () => {
    for (const direction of ["received", "sent"]) {
      const { passages } = await server.reply<SearchReply>("search", { query: "berth fee", direction });
      expect(passages.length).toBeGreaterThan(0);
      for (const one of passages)
        expect(one).toMatchObject({ direction, path: expect.stringContaining(direction) as string });
    }
  });

  it("stand in every passage that has them, with where the date is from", async () => {
    const { passages } = await server.reply<SearchReply>("search", { query: "berth fee 17 euros", limit: 1 });
    expect(passages[0]).toMatchObject({ dated: "2026-02-11", dated_from: "front-matter", direction: "received" });
  });

  it("put newer documents first where that is preferred and changes nothing else", async () => {
    const plain = await server.reply<SearchReply>("search", { query: "berth fee" });
    const recent = await server.reply<SearchReply>("search", { query: "berth fee", prefer: "recent" });
    expect(recent).not.toHaveProperty("prefer_applied");
    expect(recent.passages.map(({ id }) => id).sort()).toEqual(plain.passages.map(({ id }) => id).sort());
    const place = (reply: SearchReply, path: string): number => reply.passages.findIndex((one) => one.path === path);
    expect(place(recent, "@/received/2026-berths.md")).toBeLessThan(place(recent, "@/received/2019-berths.md"));
  });

  it("say why the preference could not apply and what would help, and leave the order as it was", async () => {
    const query = "berth fee";
    const plain = await server.reply<SearchReply>("search", { query, mode: "words" });
    const recent = await server.reply<SearchReply>("search", { query, mode: "words", prefer: "recent" });
    expect(recent).toMatchObject({ prefer_applied: false, passages: plain.passages });
    expect(recent.prefer_reason).toMatch(/auto/);
  });

  it.each([
    ["direction", "inwards"],
    ["prefer", "old"],
    ["mode", "sql"],
  ])("refuse an unknown %s and list what there is", async (name, value) => {
    expect(await server.refusal("search", { query: "berth", [name]: value })).toMatch(new RegExp(`${name} must be "`));
  });
});
