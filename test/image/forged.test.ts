import { deflateRawSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { MdcxError } from "../../src/errors.js";
import { PAGE } from "../../src/format/pages.js";
import { isSafePath } from "../../src/image/path.js";
import { Image } from "../../src/image/reader.js";
import { firstPiece, PIECE } from "../../src/image/schema.js";
import { nodeInflate } from "../../src/node/deflate.js";
import { forgedBySql, forgedBytes, rootOf, victim, writeInteriorPage } from "./forge.js";
import { MemoryPages } from "./memory-pages.js";
import { readAll } from "./read-all.js";

let image: MemoryPages;
beforeAll(async () => {
  image = await victim();
});

async function refusal(work: Promise<unknown>): Promise<MdcxError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof MdcxError)) throw new Error("It was not refused by name", { cause: error });
  return error;
}

/** Refused on opening; `why` is in the message. */
async function refusedOnOpening(forged: MemoryPages, why: RegExp): Promise<void> {
  const opening = Image.open(forged).then((opened) => {
    opened.close();
  });
  expect(await refusal(opening)).toMatchObject({ code: "bad-image", message: expect.stringMatching(why) as string });
}

/** Refused when it is opened or when all of it is read, in pages or whole. */
async function refusedOnReading(forged: MemoryPages, why: RegExp): Promise<void> {
  for (const options of [{}, { whole: true }, { inflate: nodeInflate }]) {
    const error = await refusal(readAll(forged, options));
    expect(error).toMatchObject({ code: "bad-image", message: expect.stringMatching(why) as string });
  }
}

it("is in order before it is forged", async () => {
  await readAll(image);
  await readAll(image, { whole: true, inflate: nodeInflate });
  await readAll(await forgedBySql(image, "SELECT 1"));
});

describe("a first page that is not that of an image is refused on opening", () => {
  const cases: [string, RegExp, (bytes: Uint8Array, view: DataView) => void][] = [
    ["no SQLite database", /not an SQLite database/, (bytes) => (bytes[0] = 0x54)],
    [
      "a page size of 4096",
      /page size/,
      (_, view) => {
        view.setUint16(16, 4096);
      },
    ],
    [
      "a page size of 65536",
      /page size/,
      (_, view) => {
        view.setUint16(16, 1);
      },
    ],
    ["write-ahead bytes", /write-ahead/, (bytes) => bytes.fill(2, 18, 20)],
    ["a write-ahead byte for reading only", /write-ahead/, (bytes) => (bytes[19] = 2)],
    ["reserved bytes", /reserves/, (bytes) => (bytes[20] = 16)],
    ["other payload fractions", /fractions/, (bytes) => (bytes[21] = 65)],
    [
      "a page more in its count",
      /page count/,
      (_, view) => {
        view.setUint32(28, view.getUint32(28) + 1);
      },
    ],
    [
      "a page count of 0",
      /page count/,
      (_, view) => {
        view.setUint32(28, 0);
      },
    ],
    [
      "a page count that its last change did not set",
      /last change/,
      (_, view) => {
        view.setUint32(92, 0);
      },
    ],
    [
      "a first free page",
      /free pages/,
      (_, view) => {
        view.setUint32(32, 3);
      },
    ],
    [
      "a number of free pages",
      /free pages/,
      (_, view) => {
        view.setUint32(36, 1);
      },
    ],
    [
      "another schema format",
      /schema format/,
      (_, view) => {
        view.setUint32(44, 1);
      },
    ],
    [
      "auto-vacuum",
      /auto-vacuum/,
      (_, view) => {
        view.setUint32(52, 2);
      },
    ],
    [
      "text in UTF-16",
      /UTF-8/,
      (_, view) => {
        view.setUint32(56, 2);
      },
    ],
    [
      "another schema version",
      /schema version/,
      (_, view) => {
        view.setUint32(60, 2);
      },
    ],
    [
      "another application",
      /not marked/,
      (_, view) => {
        view.setUint32(68, 0);
      },
    ],
    ["bytes kept for expansion", /reserved bytes/, (bytes) => (bytes[80] = 1)],
    ["an interior page for a schema", /does not fit/, (bytes) => (bytes[100] = 5)],
    [
      "65,535 rows of schema",
      /other tables/,
      (_, view) => {
        view.setUint16(103, 65_535);
      },
    ],
    [
      "a row of schema outside the page",
      /out of its page|malformed|does not fit/,
      (_, view) => {
        view.setUint16(108, 16_383);
      },
    ],
  ];
  it.each(cases)("%s", async (_what, why, change) => {
    await refusedOnOpening(forgedBytes(image, change), why);
  });

  it("a length that is not in whole pages, and none", async () => {
    for (const length of [0, PAGE - 1, PAGE + 1]) {
      const cut = forgedBytes(image, () => undefined);
      Object.defineProperty(cut, "length", { value: length });
      await refusedOnOpening(cut, /whole pages/);
    }
  });
});

describe("a schema that is not that of an image is refused on opening, before SQLite sees it", () => {
  const writable = "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET";
  it.each([
    ["a trigger", "CREATE TRIGGER t AFTER INSERT ON meta BEGIN SELECT 1; END", /other tables/],
    ["a view", "CREATE VIEW v AS SELECT * FROM meta", /other tables/],
    ["a view in place of a table", "DROP TABLE pieces; CREATE VIEW pieces AS SELECT 0 AS number", /not those/],
    ["a table more", "CREATE TABLE other(a)", /other tables/],
    ["a table less", "DROP TABLE places", /other tables/],
    ["a table renamed", "ALTER TABLE places RENAME TO spots", /not those/],
    ["a column more", "ALTER TABLE places ADD COLUMN more", /not those/],
    ["an index more", "CREATE INDEX i ON passages(document)", /other tables/],
    ["a virtual table", "CREATE VIRTUAL TABLE f USING fts3(a)", /other tables/],
    ["statistics", "ANALYZE", /other tables/],
    ["an automatic counter", "CREATE TABLE c(a INTEGER PRIMARY KEY AUTOINCREMENT)", /other tables/],
    ["an optional table of other columns", "CREATE TABLE probes(number INTEGER PRIMARY KEY)", /not those/],
    [
      "a column that is computed",
      "DROP TABLE pieces; CREATE TABLE pieces(number INTEGER PRIMARY KEY, bytes AS (hex(zeroblob(1e8))))",
      /not those/,
    ],
    ["SQL with a comment", `${writable} sql=sql||'/**/' WHERE name='places'`, /not those/],
    ["a schema of megabytes", `${writable} sql=sql||hex(zeroblob(3000000)) WHERE name='places'`, /does not fit/],
    ["a root page shared", `${writable} rootpage=2 WHERE name='places'`, /share a page/],
    ["a root page outside", `${writable} rootpage=100000 WHERE name='places'`, /no page of its own/],
    ["a negative root page", `${writable} rootpage=-5 WHERE name='places'`, /no page of its own/],
    ["a root page that is text", `${writable} rootpage='x' WHERE name='places'`, /not a whole number/],
  ])("%s", async (_what, sql, why) => {
    await refusedOnOpening(await forgedBySql(image, sql, !sql.startsWith(writable)), why);
  });

  it("deleted rows, and so free pages", async () => {
    const sql = `DELETE FROM pieces WHERE number>${firstPiece("postings")}`;
    await refusedOnOpening(await forgedBySql(image, sql, false), /free pages/);
  });

  it("takes the tables that a package with meaning has", async () => {
    const sql =
      "CREATE TABLE probes(number INTEGER PRIMARY KEY, text TEXT NOT NULL, vector BLOB NOT NULL);" +
      "CREATE TABLE calibration(number INTEGER PRIMARY KEY, question TEXT NOT NULL, similarity REAL NOT NULL)";
    await readAll(await forgedBySql(image, sql));
  });
});

describe("a meta that does not describe the image is refused on opening", () => {
  it.each([
    ["a document more", "UPDATE meta SET value='4' WHERE key='documents'", /4 documents/],
    ["a document less", "UPDATE meta SET value='2' WHERE key='documents'", /2 documents/],
    ["a passage less", "UPDATE meta SET value='11' WHERE key='passages'", /11 passages/],
    ["a heading more", "UPDATE meta SET value='100' WHERE key='headings'", /100 headings/],
    ["a longer stream", "UPDATE meta SET value='700000' WHERE key='stream:postings'", /postings/],
    ["a shorter stream", "UPDATE meta SET value='10' WHERE key='stream:postings'", /postings/],
    ["no stream where there is one", "DELETE FROM meta WHERE key='stream:postings'", /postings/],
    [
      "a stream longer than the image",
      "UPDATE meta SET value='70000000000' WHERE key='stream:postings'",
      /out of range/,
    ],
    ["a longer text", "UPDATE meta SET value='100000' WHERE key='text'", /blocks/],
    ["a text of petabytes", "UPDATE meta SET value='9007199254740991' WHERE key='text'", /out of range/],
    ["a number past 2^53", "UPDATE meta SET value='9007199254740993' WHERE key='text'", /out of range/],
    ["a number that is not plain", "UPDATE meta SET value='1e3' WHERE key='documents'", /no number/],
    ["a negative number", "UPDATE meta SET value='-3' WHERE key='documents'", /no number/],
    ["a number with a leading zero", "UPDATE meta SET value='03' WHERE key='documents'", /no number/],
    ["no number", "DELETE FROM meta WHERE key='blocks'", /no number/],
    ["another schema", "UPDATE meta SET value='2' WHERE key='schema'", /another schema/],
    ["a value that is no text", "UPDATE meta SET value=x'00' WHERE key='documents'", /not text/],
    ["a key that is no text", "INSERT INTO meta VALUES(x'00', 'a')", /not text/],
    ["a value of megabytes", "INSERT INTO meta VALUES('a', hex(zeroblob(1000000)))", /not text/],
    ["a key of kilobytes", "INSERT INTO meta VALUES(hex(zeroblob(200)), 'a')", /not text/],
    [
      "forty values of half a megabyte",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<40) INSERT INTO meta SELECT 'k'||i, hex(zeroblob(250000)) FROM n",
      /too long/,
    ],
    [
      "ten thousand keys",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<10000) INSERT INTO meta SELECT 'k'||i, '' FROM n",
      /out of order/,
    ],
  ])("%s", async (_what, sql, why) => {
    await refusedOnOpening(await forgedBySql(image, sql), why);
  });

  it("a package_id other than that of the claims", async () => {
    const expected = "0123456789abcdef0123456789abcdef";
    await readAll(image, { expect: { package_id: expected, passages: "12" } });
    expect(await refusal(readAll(image, { expect: { package_id: "f" + expected.slice(1) } }))).toMatchObject({
      code: "bad-image",
      message: expect.stringContaining("package_id") as string,
    });
  });
});

describe("a row that does not fit is refused when it is read", () => {
  it.each([
    ["a path that is a blob", "UPDATE documents SET path=x'61' WHERE number=0", /path in document 0/],
    ["a path of megabytes", "UPDATE documents SET path=hex(zeroblob(2000000)) WHERE number=0", /path in document 0/],
    [
      "a title that is a number",
      "PRAGMA ignore_check_constraints=1; UPDATE documents SET title=x'' WHERE number=0",
      /title/,
    ],
    ["a start that is text", "UPDATE documents SET start='x' WHERE number=1", /start in document 1/],
    [
      "a start that is a blob of megabytes",
      "UPDATE documents SET start=zeroblob(3000000) WHERE number=1",
      /start in document 1/,
    ],
    ["a start that is a fraction", "UPDATE documents SET start=1.5 WHERE number=1", /start in document 1/],
    ["a negative start", "UPDATE documents SET start=-1 WHERE number=1", /start in document 1/],
    ["a start past 2^53", "UPDATE documents SET start=9223372036854775807 WHERE number=1", /start in document 1/],
    ["bytes beyond the text", "UPDATE documents SET bytes=bytes+10 WHERE number=2", /bytes in document 2/],
    ["bytes less than the passages", "UPDATE documents SET bytes=bytes-1 WHERE number=1", /do not fill it/],
    ["another start", "UPDATE documents SET start=start+1, bytes=bytes-1 WHERE number=1", /does not follow/],
    [
      "passages of another document",
      "UPDATE documents SET first_passage=first_passage+1 WHERE number=0",
      /of another document/,
    ],
    ["more passages than there are", "UPDATE documents SET passages=1000000 WHERE number=0", /passages in document 0/],
    ["a digest of 31 bytes", "UPDATE documents SET markdown_sha256=zeroblob(31) WHERE number=0", /markdown_sha256/],
    ["a digest of megabytes", "UPDATE documents SET source_sha256=zeroblob(5000000) WHERE number=0", /source_sha256/],
    ["a coverage of 2", "UPDATE documents SET coverage=2 WHERE number=0", /coverage/],
    ["a coverage that is text", "UPDATE documents SET coverage='much' WHERE number=0", /coverage/],
    ["an endless coverage", "UPDATE documents SET coverage=9e999 WHERE number=0", /coverage/],
    ["neither indexed nor not", "UPDATE documents SET indexed=2 WHERE number=0", /indexed/],
    ["a document missing", "UPDATE documents SET number=-1 WHERE number=1", /document 1 is missing/],
    ["a passage missing", "UPDATE passages SET number=-1 WHERE number=3", /passage 3 is missing/],
    ["a passage of no document", "UPDATE passages SET document=3 WHERE number=3", /document in passage 3/],
    ["a passage that overlaps", "UPDATE passages SET start=start-1 WHERE number=3", /does not follow/],
    ["a passage of the whole text and more", "UPDATE passages SET length=1e15 WHERE number=3", /length in passage 3/],
    ["a kind that is not known", "UPDATE passages SET kind=5 WHERE number=3", /kind in passage 3/],
    ["a heading that does not exist", "UPDATE passages SET heading=1000 WHERE number=3", /heading in passage 3/],
    ["a place that does not exist", "UPDATE passages SET place=1000 WHERE number=3", /place in passage 3/],
    ["half a header", "UPDATE passages SET header_length=NULL WHERE header_start IS NOT NULL", /half of a header/],
    [
      "a header beyond the text",
      "UPDATE passages SET header_length=1e9 WHERE header_start IS NOT NULL",
      /header_length/,
    ],
    [
      "a heading that is its own parent",
      "UPDATE headings SET parent=number WHERE parent IS NOT NULL",
      /parent of heading/,
    ],
    [
      "headings that are each other's parents",
      "UPDATE headings SET parent=number+1 WHERE number=0",
      /parent of heading|not at its level/,
    ],
    ["a heading of another level", "UPDATE headings SET level=9 WHERE level=2", /not a parent|not at its level/],
    ["a heading a thousand deep", "UPDATE headings SET level=1000 WHERE level=3", /level of heading/],
    ["a heading of megabytes", "UPDATE headings SET text=hex(zeroblob(2000000)) WHERE number=0", /heading 0/],
    ["a place of megabytes", "UPDATE places SET value=hex(zeroblob(2000000)) WHERE number=0", /value of a place/],
    ["a place missing", "UPDATE places SET number=-1 WHERE number=0", /place 0 is missing/],
    ["a block outside its stream", "UPDATE blocks SET start=1e9 WHERE number=0", /start of block 0/],
    ["a block of megabytes", "UPDATE blocks SET length=1e6 WHERE number=0", /length of block 0/],
    ["a block of nothing", "UPDATE blocks SET length=0 WHERE number=0", /length of block 0/],
    [
      "a block used twice",
      "UPDATE blocks SET start=(SELECT start FROM blocks WHERE number=0) WHERE number=1",
      /out of order|not 65536/,
    ],
    ["a block cut short", "UPDATE blocks SET length=length-9 WHERE number=2", /does not inflate|not \d+ bytes/],
    ["a block missing", "UPDATE blocks SET number=-1 WHERE number=1", /block 1 of the text is missing/],
    [
      "a piece missing",
      `DELETE FROM pieces WHERE number=${firstPiece("postings") + 3}`,
      /piece 3 of the stream postings/,
    ],
    [
      "a piece too short",
      `UPDATE pieces SET bytes=zeroblob(5) WHERE number=${firstPiece("postings") + 3}`,
      /piece 3 of the stream postings/,
    ],
    [
      "a piece too long",
      `UPDATE pieces SET bytes=zeroblob(${PIECE + 1}) WHERE number=${firstPiece("postings") + 3}`,
      /piece 3 of the stream postings/,
    ],
    [
      "a piece of megabytes",
      `UPDATE pieces SET bytes=zeroblob(5000000) WHERE number=${firstPiece("postings") + 3}`,
      /reaches out|piece 3/,
    ],
    [
      "a piece that is text",
      `UPDATE pieces SET bytes=hex(zeroblob(${PIECE / 2})) WHERE number=${firstPiece("postings") + 3}`,
      /not a blob/,
    ],
  ])("%s", async (_what, sql, why) => {
    await refusedOnReading(await forgedBySql(image, sql), why);
  });

  it("a deflated block that inflates to gigabytes, without inflating it", async () => {
    const bomb = deflateRawSync(new Uint8Array(30_000_000));
    expect(bomb.length).toBeLessThan(33_280);
    // The bomb lies over the first blocks of the text, whose stream is long enough for it.
    const text = firstPiece("text");
    const sql =
      `UPDATE pieces SET bytes=x'${bomb.subarray(0, PIECE).toString("hex")}' WHERE number=${text};` +
      `UPDATE pieces SET bytes=x'${bomb.subarray(PIECE).toString("hex")}'||substr(bytes,${bomb.length - PIECE + 1}) WHERE number=${text + 1};` +
      `UPDATE pieces SET bytes=CAST(bytes AS BLOB) WHERE number=${text + 1};` +
      `UPDATE blocks SET start=0, length=${bomb.length} WHERE number=0`;
    const forged = await forgedBySql(image, sql);
    for (const inflate of [undefined, nodeInflate]) {
      const opened = await Image.open(forged, inflate ? { inflate } : {});
      const before = process.memoryUsage().arrayBuffers;
      const first = opened.passagesOf(opened.document(0))[0]!;
      expect(() => opened.passageBytes(first)).toThrow(/block 0 of the text/);
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2_000_000);
      opened.close();
    }
  });

  it("an index of paths that leads elsewhere", async () => {
    const root = await rootOf(image, "sqlite_autoindex_documents_1");
    const forged = forgedBytes(image, (bytes) => {
      const page = Buffer.from(bytes.buffer, (root - 1) * PAGE, PAGE);
      page.write("d.md", page.indexOf("c.md"));
    });
    const opened = await Image.open(forged);
    expect(() => opened.documentByPath("d.md")).toThrow(/index of paths/);
    opened.close();
  });
});

describe("a path that would leave the folder it is exported to", () => {
  it.each(["../../etc/passwd", "/etc/passwd", "C:\\x", "a/../../b"])(
    "%j is read as it is, and told apart",
    async (path) => {
      const forged = await forgedBySql(image, `UPDATE documents SET path='${path}' WHERE number=0`);
      const opened = await Image.open(forged);
      expect(isSafePath(opened.documentByPath(path)!.path)).toBe(false);
      expect(isSafePath(opened.document(1).path)).toBe(true);
      opened.close();
    },
  );
});

describe("pages that lead in circles are refused, not followed", () => {
  it.each(["pieces", "passages", "documents", "headings", "blocks", "places"])(
    "in %s, a page under itself",
    async (table) => {
      const root = await rootOf(image, table);
      const forged = forgedBytes(image, (bytes) => {
        writeInteriorPage(bytes, root, root, [0, 5, firstPiece("text"), firstPiece("postings")]);
      });
      await refusedOnReading(forged, /./);
    },
  );

  it("in passages, a tree of few pages that has more rows than could ever be counted", async () => {
    const root = await rootOf(image, "passages");
    const count = image.length / PAGE;
    const depth = 12;
    const grown = new Uint8Array(image.length + depth * PAGE);
    grown.set(image.bytes);
    new DataView(grown.buffer).setUint32(28, count + depth);
    // The rows move to the last page; above it are pages whose every child is the next one.
    grown.copyWithin((count + depth - 1) * PAGE, (root - 1) * PAGE, root * PAGE);
    const keys = Array.from({ length: 1_000 }, () => 11);
    writeInteriorPage(grown, root, count + 1, keys);
    for (let level = 1; level < depth; level++) writeInteriorPage(grown, count + level, count + level + 1, keys);
    const started = performance.now();
    await readAll(new MemoryPages(grown)).catch((error: unknown) => {
      expect(error).toMatchObject({ code: "bad-image" });
    });
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it("in pieces, a page that belongs to another table, or to none", async () => {
    const root = await rootOf(image, "pieces");
    for (const child of [0, 1, 2, 2 ** 32 - 1]) {
      const forged = forgedBytes(image, (bytes) => {
        writeInteriorPage(bytes, root, child, [firstPiece("lengths")]);
      });
      await refusedOnReading(forged, /./);
    }
  });
});
