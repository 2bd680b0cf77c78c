import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PAGE } from "../../src/format/pages.js";
import { compareCodePoints } from "../../src/text/code-points.js";
import type { PassageInput } from "../../src/image/records.js";
import { Image } from "../../src/image/reader.js";
import { PIECE } from "../../src/image/schema.js";
import { ImageWriter } from "../../src/image/writer.js";
import { imageOf, plain, record, type SampleDocument } from "./corpora.js";
import { MemoryPages } from "./memory-pages.js";

const utf8 = new TextEncoder();

/** Documents cut at random, with headings, places and table headers at random. */
const documents = fc.uniqueArray(
  fc
    .record({
      path: fc
        .array(fc.stringMatching(/^[a-zäß漢😀.][a-z0-9 _-]{0,8}$/u), { minLength: 1, maxLength: 3 })
        .map((parts) => parts.map((part) => (/^\.+$/.test(part) ? "x" : part)).join("/")),
      bytes: fc.oneof(
        { weight: 5, arbitrary: fc.uint8Array({ maxLength: 400 }) },
        { weight: 1, arbitrary: fc.integer({ min: 0, max: 90_000 }).map((length) => pattern(length)) },
      ),
      cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
      headings: fc.array(fc.array(fc.constantFrom("One", "Two", "Ünterteil", ""), { maxLength: 4 }), { minLength: 7 }),
      kinds: fc.array(fc.constantFrom("text", "table", "code", "ocr"), { minLength: 7, maxLength: 7 }),
      indexed: fc.boolean(),
      coverage: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
      title: fc.option(fc.string({ maxLength: 20 })),
    })
    .map((made): SampleDocument => {
      const ends = [...new Set([...made.cuts.map((cut) => Math.floor(cut * made.bytes.length)), made.bytes.length])];
      ends.sort((a, b) => a - b);
      const passages = ends.map((end, index): PassageInput => {
        const start = index === 0 ? 0 : ends[index - 1]!;
        return {
          start,
          end,
          kind: made.kinds[index]!,
          heading: made.headings[index]!,
          place: index % 2 === 0 ? undefined : { kind: "page", value: String(index) },
          header: made.kinds[index] === "table" ? { start: 0, end: start } : undefined,
        };
      });
      const { indexed, coverage, title } = made;
      return { record: record(made.path, made.bytes, { indexed, coverage, title }), bytes: made.bytes, passages };
    }),
  { maxLength: 12, selector: (document) => document.record.path },
);

function pattern(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (index * 7 + (index >> 9)) & 0xff);
}

/** Whether two ranges of bytes are the same; comparing them by `toEqual` takes seconds where they are long. */
function same(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : Buffer.compare(a, b) === 0;
}

describe("an image", () => {
  it("gives back every byte, passage, heading path and place of what was written", async () => {
    await fc.assert(
      fc.asyncProperty(documents, fc.boolean(), async (made, whole) => {
        const image = await Image.open(await imageOf(made), { whole });
        const sorted = [...made].sort((a, b) => compareCodePoints(a.record.path, b.record.path));
        expect(image.documents().map(({ path }) => path)).toEqual(sorted.map((document) => document.record.path));
        let passageNumber = 0;
        for (const [number, { record: wanted, bytes, passages }] of sorted.entries()) {
          const document = image.documentByPath(wanted.path)!;
          expect(document).toMatchObject({ ...wanted, number, bytes: bytes.length, firstPassage: passageNumber });
          expect(same(image.documentBytes(document), bytes)).toBe(true);
          const read = image.passagesOf(document);
          expect(read.length).toBe(passages.length);
          for (const [index, passage] of read.entries()) {
            const input = passages[index]!;
            expect(passage).toMatchObject({ number: passageNumber++, kind: input.kind, document: number });
            expect(image.passages([passage.number])).toEqual([passage]);
            expect(image.headingPath(passage)).toEqual(input.heading);
            expect(image.place(passage)).toEqual(input.place);
            expect(same(image.passageBytes(passage), bytes.subarray(input.start, input.end))).toBe(true);
            const header = input.header && bytes.subarray(input.header.start, input.header.end);
            expect(same(image.headerBytes(passage), header)).toBe(true);
          }
        }
        expect(image.passageCount).toBe(passageNumber);
        image.close();
      }),
      { numRuns: 60, seed: 3 },
    );
  });

  it("gives back any range of a stream", async () => {
    const postings = pattern(PIECE * 40 + 17);
    const image = await Image.open(await imageOf([plain("a.md", "text")], { streams: { postings } }));
    const stream = image.stream("postings");
    expect(stream.length).toBe(postings.length);
    expect(same(stream.read(0, stream.length), postings)).toBe(true);
    fc.assert(
      fc.property(fc.nat(postings.length), fc.nat(postings.length), (a, b) => {
        const [start, end] = a < b ? [a, b] : [b, a];
        return same(stream.read(start, end), postings.subarray(start, end));
      }),
      { seed: 3 },
    );
    expect(image.stream("codes").length).toBe(0);
    expect(() => stream.read(0, stream.length + 1)).toThrow(/outside the stream/);
    image.close();
  });

  it("fills one page with one piece, without overflow pages", async () => {
    const small = await imageOf([plain("a.md", "text")], { streams: { postings: pattern(PIECE) } });
    const large = await imageOf([plain("a.md", "text")], { streams: { postings: pattern(PIECE * 1_001) } });
    // One page more is the interior page above the pieces.
    expect((large.length - small.length) / PAGE).toBe(1_001);
    const overflowing = Array.from(
      { length: large.length / PAGE },
      (_, page) => large.bytes[page === 0 ? 100 : page * PAGE],
    );
    // 2 interior of an index, 5 of a table, 10 leaf of an index, 13 of a table: an overflow page begins with a page number.
    expect(overflowing.every((type) => type === 2 || type === 5 || type === 10 || type === 13)).toBe(true);
  });

  it("gives a range of a document without the rest", async () => {
    const text = Array.from({ length: 30_000 }, (_, index) => `word${index} `).join("");
    const pages = await imageOf([plain("a.md", "before"), plain("b.md", text)]);
    const image = await Image.open(pages);
    const document = image.document(1);
    pages.forget();
    expect(new TextDecoder().decode(image.documentBytes(document, 0, 240))).toBe(text.slice(0, 240));
    expect(pages.chunksDecrypted).toBeLessThan(5);
    expect(new TextDecoder().decode(image.documentBytes(document, 99_999))).toBe(text.slice(99_999));
    expect(() => image.documentBytes(document, 0, document.bytes + 1)).toThrow(/has no bytes/);
    image.close();
  });

  it("may hold no document at all", async () => {
    const image = await Image.open(await imageOf([]));
    expect(image.documents()).toEqual([]);
    expect(image.documentByPath("a.md")).toBeUndefined();
    expect(() => image.document(0)).toThrow(/There is no document 0/);
    image.close();
  });

  it("keeps the rules that its meta states", async () => {
    const image = await Image.open(
      await imageOf([plain("a.md", "x")], { meta: { package_id: "00ff", "rule.passages": "1" } }),
    );
    expect(image.meta.get("package_id")).toBe("00ff");
    expect(image.meta.get("documents")).toBe("1");
    image.close();
  });

  it("is the same text whatever deflated it", async () => {
    const made = [plain("a.md", "the same words ".repeat(9_000)), plain("b.md", "and others")];
    // A stored part holds at most 65,535 bytes (RFC 1951 §3.2.4).
    const part = (bytes: Uint8Array, last: boolean) => {
      const length = bytes.length;
      return [Number(last), length & 255, length >> 8, ~length & 255, (~length >> 8) & 255, ...bytes];
    };
    const stored = (bytes: Uint8Array) =>
      Uint8Array.from([...part(bytes.subarray(0, 40_000), false), ...part(bytes.subarray(40_000), true)]);
    const image = await Image.open(await imageOf(made, { options: { deflate: stored } }));
    for (const { record: wanted, bytes } of made) {
      expect(image.documentBytes(image.documentByPath(wanted.path)!)).toEqual(bytes);
    }
    image.close();
  });
});

describe("the image writer", () => {
  const bytes = utf8.encode("text");
  const passages: PassageInput[] = [{ start: 0, end: 4, kind: "text", heading: [] }];

  it.each([
    "../a.md",
    "a/../b.md",
    "/a.md",
    "a//b.md",
    "./a.md",
    "a/.",
    "",
    "C:/a.md",
    "c:a.md",
    "a\\b.md",
    "a\0b.md",
    "a/",
  ])("refuses the path %j", async (path) => {
    const writer = await ImageWriter.create();
    expect(() => writer.addDocument(record(path, bytes), bytes, passages)).toThrow(
      expect.objectContaining({ code: "unsafe-path" }),
    );
    expect(() => writer.finish()).toThrow(/finished or failed/);
  });

  it("refuses two documents of one name, and documents out of order", async () => {
    const twice = await ImageWriter.create();
    twice.addDocument(record("a.md", bytes), bytes, passages);
    expect(() => twice.addDocument(record("a.md", bytes), bytes, passages)).toThrow(
      expect.objectContaining({ code: "bad-input" }),
    );
    const order = await ImageWriter.create();
    order.addDocument(record("\u{1f600}.md", bytes), bytes, passages);
    expect(() => order.addDocument(record("\u{ff5e}.md", bytes), bytes, passages)).toThrow(/byte order/);
  });

  it.each([
    [
      "a gap",
      [
        { start: 0, end: 2 },
        { start: 3, end: 4 },
      ],
    ],
    [
      "an overlap",
      [
        { start: 0, end: 3 },
        { start: 2, end: 4 },
      ],
    ],
    ["a missing end", [{ start: 0, end: 3 }]],
    ["a passage beyond", [{ start: 0, end: 5 }]],
    ["no passage", []],
  ])("refuses passages with %s", async (_what, ranges) => {
    const writer = await ImageWriter.create();
    const cut = ranges.map((range): PassageInput => ({ ...range, kind: "text", heading: [] }));
    expect(() => writer.addDocument(record("a.md", bytes), bytes, cut)).toThrow(/byte for byte/);
  });

  it("cuts a title, a heading and a place that are too long, and keeps the document whole", async () => {
    const long = "😀".repeat(9_000);
    const text = utf8.encode(`# ${long}\n`);
    const passage: PassageInput = {
      start: 0,
      end: text.length,
      kind: "text",
      heading: [long],
      place: { kind: "page", value: long },
    };
    const pages = await imageOf([{ record: record("a.md", text, { title: long }), bytes: text, passages: [passage] }]);
    const image = await Image.open(pages);
    const document = image.document(0);
    const [read] = image.passagesOf(document);
    expect(document.title).toBe("😀".repeat((16_384 - 4) / 4) + "…");
    expect(image.headingPath(read!)).toEqual([document.title]);
    expect(image.place(read!)?.value).toBe("😀".repeat((4_096 - 4) / 4) + "…");
    expect(same(image.documentBytes(document), text)).toBe(true);
    image.close();
  });

  it("refuses a source and a language that are too long, and headings that are too deep", async () => {
    const long = "ä".repeat(9_000);
    const cases: [Partial<Parameters<typeof record>[2]>, PassageInput][] = [
      [{ source: long }, passages[0]!],
      [{ language: long }, passages[0]!],
      [{}, { ...passages[0]!, heading: Array<string>(65).fill("x") }],
    ];
    for (const [known, passage] of cases) {
      const writer = await ImageWriter.create();
      expect(() => writer.addDocument(record("a.md", bytes, known), bytes, [passage])).toThrow(
        expect.objectContaining({ code: "bad-input" }),
      );
    }
  });

  it("refuses streams out of order and meta that it sets itself", async () => {
    const writer = await ImageWriter.create();
    expect(writer.addStream("postings", [bytes, bytes])).toBe(8);
    expect(() => writer.addStream("dictionary", [bytes])).toThrow(/comes too late/);
    const other = await ImageWriter.create();
    expect(() => {
      other.setMeta("documents", "9");
    }).toThrow(/sets documents/);
  });

  it("gives each page once", async () => {
    const writer = await ImageWriter.create();
    writer.addDocument(record("a.md", bytes), bytes, passages);
    const producer = writer.finish();
    expect(producer.length % PAGE).toBe(0);
    producer.takePage(0);
    expect(() => producer.takePage(0)).toThrow(/taken before/);
  });

  it("leaves no word of a document in the clear beside the deflated text", async () => {
    const text = "Zwölfboxkämpferjagen ".repeat(20);
    const pages = await imageOf([plain("a.md", text)]);
    expect(Buffer.from(pages.bytes).includes("kämpferjagen Zwölf")).toBe(false);
  });
});

describe("reading an image", () => {
  it("brings the error of a page out as it was thrown, and reads on when the page is there", async () => {
    const text = Array.from({ length: 40_000 }, (_, index) => `word${index} `).join("");
    const pages = await imageOf([plain("a.md", text)]);
    const image = await Image.open(pages);
    const failure = new RangeError("not here yet");
    pages.onRead = () => {
      throw failure;
    };
    expect(() => image.documentBytes(image.document(0))).toThrow(failure);
    pages.onRead = undefined;
    expect(new TextDecoder().decode(image.documentBytes(image.document(0)))).toBe(text);
    image.close();
    expect(() => image.documentByPath("a.md")).toThrow(/closed/);
  });

  it("fails to open with the error of the page that is missing, whichever it is", async () => {
    const pages = await imageOf([plain("a.md", "x")]);
    for (let missing = 0; missing < pages.length / PAGE; missing++) {
      const failure = new Error(`page ${missing}`);
      const reader = new MemoryPages(pages.bytes);
      reader.onRead = (first, count) => {
        if (missing >= first && missing < first + count) throw failure;
      };
      const open = async () => {
        const image = await Image.open(reader);
        image.passagesOf(image.documentByPath("a.md")!).map((passage) => image.passageBytes(passage));
      };
      await open().catch((error: unknown) => {
        expect(error).toBe(failure);
      });
    }
  });

  it("refuses an image that must be held whole and is over the limit", async () => {
    const pages = await imageOf([plain("a.md", "x")]);
    await expect(Image.open(pages, { whole: true, wholeLimit: PAGE })).rejects.toMatchObject({
      code: "image-too-large",
      message: expect.stringContaining("split") as string,
    });
  });

  it("refuses a document over the limit given", async () => {
    const image = await Image.open(await imageOf([plain("a.md", "x".repeat(101))]), { documentLimit: 100 });
    expect(() => image.documentBytes(image.document(0))).toThrow(expect.objectContaining({ code: "image-too-large" }));
    image.close();
  });
});
