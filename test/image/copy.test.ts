import initSqlJs from "sql.js";
import { beforeAll, describe, expect, it } from "vitest";
import { copyImage, type CopyOptions } from "../../src/image/copy.js";
import { Image } from "../../src/image/reader.js";
import type { OverviewInput, PassageInput } from "../../src/image/records.js";
import { PIECE } from "../../src/image/schema.js";
import { ImageWriter } from "../../src/image/writer.js";
import { nodeDeflate } from "../../src/node/deflate.js";
import { plain, record } from "./corpora.js";
import { forgedBySql } from "./forge.js";
import { MemoryPages } from "./memory-pages.js";

const TABLES = ["meta", "documents", "passages", "headings", "places", "blocks", "pieces"] as const;
const DIGEST = new Uint8Array(32).fill(7);

let image: MemoryPages;
beforeAll(async () => {
  image = await withMeaning();
});

/** An image with something in every column, table and stream: a text of three blocks, an attachment, vectors, questions. */
async function withMeaning(): Promise<MemoryPages> {
  const writer = await ImageWriter.create();
  const text = Array.from({ length: 18_000 }, (_, i) => `w${i * 7919}${i % 9 === 0 ? "\n" : ""}`).join(" ");
  const bytes = new TextEncoder().encode(text);
  const cut = (part: number) => Math.floor((part / 10) * bytes.length);
  const passages = Array.from({ length: 10 }, (_, i): PassageInput => ({
    start: cut(i),
    end: cut(i + 1),
    kind: (["text", "table", "code", "ocr"] as const)[i % 4]!,
    heading: ["Part", `Kapitel ${i >> 1} 漢字`, "", "Section"].slice(0, i % 5),
    ...(i % 2 === 0 && { place: { kind: "page", value: String(i >> 1) } }),
    ...(i % 4 === 1 && { header: { start: cut(i - 1), end: cut(i) - 3 } }),
  }));
  const long = record("b/long.md", bytes, {
    title: "Title",
    language: "de",
    format: "pdf",
    source: "a.pdf",
    sourceSha256: DIGEST,
    date: "2024-05",
    dateOrigin: "source",
    direction: "received",
    coverage: 0.5,
    status: "warn",
    sampled: true,
    pagesTotal: 10,
  });
  const attached = new TextEncoder().encode("attached");
  const documents = [
    plain("a.md", "first"),
    { record: long, bytes, passages },
    { record: record("c.md", attached, { indexed: false }), bytes: attached, passages: [] },
    plain("d/empty.md", ""),
    plain("ä/漢.md", "last\nline"),
  ];
  for (const one of documents) writer.addDocument(one.record, one.bytes, one.passages);
  const last = plain("ä/漢字.md", "# Tide\nof\nwords");
  writer.addDocument(last.record, last.bytes, last.passages, overview());
  const pattern = (length: number, seed: number) => Uint8Array.from({ length }, (_, i) => (i * seed + (i >> 8)) & 0xff);
  writer.addStream("dictionary", [pattern(2 * PIECE + 5, 3)]);
  writer.addStream("postings", [pattern(70 * PIECE, 5)]);
  writer.addStream("lengths", []);
  writer.addStream("codes", [pattern(13 * 384, 7)]);
  writer.addStream("halves", [pattern(13 * 768, 11)]);
  writer.addProbes([{ text: "probe", halves: pattern(768, 13) }]);
  writer.addCalibration([{ question: "how?", similarity: 0.75 }]);
  const meta = { package_id: "0123456789abcdef0123456789abcdef", "rule:words": "3", "words:x": "y" };
  const meaning = { encoder: "{}", "rule:vectors": "1", "calibration:base": "0.7" };
  for (const [key, value] of Object.entries({ ...meta, ...meaning })) writer.setMeta(key, value);
  return MemoryPages.of(writer.finish());
}

/** Two overviews, one with the header of a table in the other. */
function overview(): OverviewInput {
  const bytes = new TextEncoder().encode("| a | b |\nwritten elsewhere");
  const heading = ["Tide"];
  return {
    bytes,
    passages: [
      { start: 0, end: 10, kind: "table", heading },
      { start: 10, end: bytes.length, kind: "text", heading, header: { start: 0, end: 9 } },
    ],
  };
}

async function copied(from: MemoryPages, options: CopyOptions = {}): Promise<MemoryPages> {
  const opened = await Image.open(from);
  const writer = await ImageWriter.create();
  try {
    copyImage(opened, writer, options);
    return MemoryPages.of(writer.finish());
  } finally {
    writer.discard();
    opened.close();
  }
}

/** Every row of every table, read by SQLite itself. */
async function rowsOf(pages: MemoryPages): Promise<Record<string, unknown[][]>> {
  const { Database } = await initSqlJs();
  const database = new Database(pages.bytes.slice());
  const names = database.exec("SELECT name FROM sqlite_schema WHERE type='table' ORDER BY rowid")[0]!.values;
  const rows = names.map(([name]) => [
    String(name),
    (database.exec(`SELECT * FROM ${String(name)}`)[0]?.values ?? []).map((row) =>
      row.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value)),
    ),
  ]);
  database.close();
  return Object.fromEntries(rows) as Record<string, unknown[][]>;
}

describe("a copy", () => {
  it("has the rows and the streams of its original, each byte of them, where all is asked for", async () => {
    const copy = await rowsOf(await copied(image, { vectors: true, calibration: true }));
    const original = await rowsOf(image);
    expect(Object.keys(copy)).toEqual([...TABLES, "probes", "calibration"]);
    for (const table of Object.keys(original)) {
      expect(original[table]!.length, table).toBeGreaterThan(0);
      expect(copy[table], table).toEqual(original[table]);
    }
  });

  it("is without vectors, probes and calibration unless they are asked for", async () => {
    const copy = await rowsOf(await copied(image));
    const original = await rowsOf(image);
    expect(Object.keys(copy)).toEqual([...TABLES]);
    for (const table of ["documents", "passages", "headings", "places", "blocks"])
      expect(copy[table], table).toEqual(original[table]);
    const vectors = /^(encoder|rule:vectors|calibration:.*|stream:(codes|halves))$/;
    expect(copy.meta).toEqual(original.meta!.filter(([key]) => !vectors.test(String(key))));
    expect(copy.pieces!.length).toBe(original.pieces!.length - 2);
  });

  it("has its vectors without the calibration where only that is to be made anew", async () => {
    const copy = await rowsOf(await copied(image, { vectors: true }));
    const original = await rowsOf(image);
    expect(Object.keys(copy)).toEqual([...TABLES, "probes"]);
    for (const table of ["pieces", "probes"]) expect(copy[table], table).toEqual(original[table]);
    expect(copy.meta).toEqual(original.meta!.filter(([key]) => !String(key).startsWith("calibration:")));
  });

  it("says the same of every passage, however its blocks are deflated", async () => {
    const opened = await Image.open(image);
    const writer = await ImageWriter.create({ deflate: nodeDeflate({ fast: true }) });
    copyImage(opened, writer);
    const copy = await Image.open(MemoryPages.of(writer.finish()));
    expect(copy.documents()).toEqual(opened.documents());
    for (const document of opened.documents()) {
      expect(Buffer.compare(copy.documentBytes(document), opened.documentBytes(document))).toBe(0);
      for (const passage of opened.passagesOf(document)) {
        const [same] = copy.passages([passage.number]);
        expect(same).toEqual(passage);
        expect(copy.headingPath(same!)).toEqual(opened.headingPath(passage));
        expect(copy.place(same!)).toEqual(opened.place(passage));
      }
    }
    opened.close();
    copy.close();
  });

  it("tells how far it is", async () => {
    const seen: [number, number][] = [];
    await copied(image, { onProgress: (done, of) => seen.push([done, of]) });
    expect(seen).toEqual([1, 2, 3, 4, 5, 6].map((done) => [done, 6]));
  });
});

describe("what was forged is refused and not carried on", () => {
  it.each([
    ["documents out of order", "UPDATE documents SET path='z.md' WHERE number=0", /document 1 is out of order/],
    [
      "a document twice in the text",
      "UPDATE documents SET start=0, bytes=5, first_passage=0, passages=1 WHERE number=2; UPDATE passages SET document=0 WHERE number=0",
      /does not follow|another document/,
    ],
    [
      "an attachment at another place of the text",
      "UPDATE documents SET start=0 WHERE number=2",
      /document 2 does not follow/,
    ],
    [
      "a passage that no document has",
      "INSERT INTO passages SELECT 16,document,start,length,line,heading,kind,place,header_start,header_length FROM passages WHERE number=15; UPDATE meta SET value='17' WHERE key='passages'",
      /do not make it up/,
    ],
    [
      "a table header in another document",
      "UPDATE passages SET header_start=0 WHERE number=2",
      /header of passage 2 is in another/,
    ],
    ["a passage that overlaps", "UPDATE passages SET start=start-1 WHERE number=3", /does not follow/],
    ["an overview within its document", "UPDATE passages SET kind=4 WHERE number=5", /overview 5 lies in its document/],
    ["an overview that nothing counts", "UPDATE passages SET kind=4 WHERE number=11", /do not make it up/],
    ["a passage behind an overview", "UPDATE passages SET kind=0 WHERE number=15", /passage 15 follows an overview/],
    ["no overview where one is counted", "UPDATE passages SET kind=0 WHERE number>13", /do not fill it/],
    ["an overview elsewhere", "UPDATE passages SET start=start-3 WHERE number=14", /14 does not follow/],
    ["a block cut short", "UPDATE blocks SET length=length-9 WHERE number=2", /does not inflate|not \d+ bytes/],
    ["a probe missing", "UPDATE probes SET number=3", /probe 0 is missing/],
    ["a heading of another level", "UPDATE headings SET level=9 WHERE level=2", /not a parent|not at its level/],
  ])("%s", async (_what, sql, why) => {
    const forged = await forgedBySql(image, sql);
    await expect(copied(forged, { vectors: true })).rejects.toMatchObject({
      code: "bad-image",
      message: expect.stringMatching(why) as string,
    });
  });

  it("a name that would leave the folder it is exported to", async () => {
    const forged = await forgedBySql(image, "UPDATE documents SET path='../x' WHERE number=0");
    await expect(copied(forged)).rejects.toMatchObject({ code: "unsafe-path" });
  });
});

describe("what a later version put in is not left behind without a word", () => {
  it.each([["a stream", "INSERT INTO meta VALUES('stream:sounds','5')", /stream sounds/]])(
    "%s",
    async (_what, sql, why) => {
      await expect(copied(await forgedBySql(image, sql))).rejects.toThrow(why);
    },
  );
});
