import { mkdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { GivenFacts } from "../../src/document.js";
import { MemorySink } from "../../src/format/sink.js";
import { MdcxError, openPackage, type DocumentLine, type Package } from "../../src/index.js";
import { withSidecarDates } from "../../src/node/date-sidecar.js";
import { nodeDeflate } from "../../src/node/deflate.js";
import { primitives } from "../../src/node/primitives.js";
import { packFolder } from "../../src/pack-entry.js";
import { pack, type PackOptions } from "../../src/pack.js";
import { scratchFolder } from "../cli/mdcx.js";
import { bytesOf, documentsOf, KEY, opened, packed, type Folder } from "../package/in-memory.js";

const NOW = new Date("2026-11-30T12:00:00Z");

/** A document as a converter writes it, which states what its publisher says. */
const converted = (source: string, date: string): string =>
  `---\ntitle: Tide gauge\ndate: ${date}\nsource: ${source}\nsource_sha256: ${"ab".repeat(32)}\nstatus: ok\n---\n\nThe gauge.\n`;

const lines = (pkg: Package): Map<string, DocumentLine> =>
  new Map(pkg.documents().map((line) => [line.document.slice(2), line]));

async function dateOf(text: string, facts: GivenFacts = {}): Promise<[string | undefined, string | undefined]> {
  const sink = new MemorySink();
  const input = { path: "a.md", format: "markdown" as const, facts, read: () => Promise.resolve(bytesOf(text)) };
  await pack([input], sink, { primitives, slots: [{ secret: KEY }], deflate: nodeDeflate(), now: NOW });
  const pkg = await openPackage(sink.bytes(), { secret: KEY });
  const { dated, datedFrom } = pkg.documents()[0]!;
  await pkg.close();
  return [dated, datedFrom];
}

describe("a document has a date and says where it is from, or has neither", () => {
  const sidecar = { value: "2021-01", origin: "sidecar" } as const;
  const source = { value: "2019", origin: "source" } as const;
  const mtime = { value: "2018-02-03T04:05:06.000Z", origin: "mtime" } as const;
  const stated = "---\ndate: March 5, 2020\n---\n\nText.\n";

  it("a list of dates before the front matter, that before the publisher, and the file's time last", async () => {
    expect(await dateOf(stated, { dates: [mtime, source, sidecar] })).toEqual(["2021-01", "sidecar"]);
    expect(await dateOf(stated, { dates: [mtime, source] })).toEqual(["2020-03-05", "front-matter"]);
    expect(await dateOf("Text.\n", { dates: [mtime, source] })).toEqual(["2019", "source"]);
    expect(await dateOf("Text.\n", { dates: [mtime] })).toEqual(["2018-02-03", "mtime"]);
    expect(await dateOf("Text.\n")).toEqual([undefined, undefined]);
  });

  it.each(["page.html", "book.epub", "letter.eml", "letter.msg"])(
    "what a converter found in %s is the publisher's",
    async (name) => {
      expect(await dateOf(converted(name, "2024-03-05T10:00:00Z"))).toEqual(["2024-03-05", "source"]);
    },
  );

  it("what a Markdown original states stays its author's when it is converted", async () => {
    expect(await dateOf(converted("notes.md", "2024-03-05"))).toEqual(["2024-03-05", "front-matter"]);
  });

  it("a printed year of copyright is none", async () => {
    expect(await dateOf("# Manual\n\n© 2024 Harbour Press. Copyright 2023. Printed in March 2022.\n")).toEqual([
      undefined,
      undefined,
    ]);
    expect(await dateOf("---\ndate: Copyright 2024\n---\n\nText.\n")).toEqual([undefined, undefined]);
  });

  it("a file without a time has none, and nothing is dated years ahead", async () => {
    expect(await dateOf("Text.\n", { dates: [{ value: "1970-01-01T00:00:00.000Z", origin: "mtime" }] })).toEqual([
      undefined,
      undefined,
    ]);
    expect(await dateOf("---\ndate: 1970-01-01\n---\n\nText.\n")).toEqual(["1970-01-01", "front-matter"]);
    expect(await dateOf("---\ndate: 2027-06\n---\n\nText.\n")).toEqual(["2027-06", "front-matter"]);
    expect(await dateOf("---\ndate: 2099-12-31\n---\n\nText.\n")).toEqual([undefined, undefined]);
  });
});

describe("what packing says of dates and directions", () => {
  const folder: Folder = {
    "sent/offer.md": "---\ndate: 31 April 2024\n---\n\nWe offer.\n",
    "Recibidos/oferta.md": "---\ndate: 2021-05\n---\n\nOfrecemos.\n",
    "Presentations/slides.md": "---\ndate: [2019, 2020]\nindexed: false\n---\n\nSlides.\n",
    "reports/sent/report.md": "---\ndate: 2023\n---\n\nReport.\n",
  };
  const options: Partial<PackOptions> = { now: NOW };

  it("each date that was not taken, with its document and why", async () => {
    const { summary } = await packed(folder, options);
    expect(summary.refusedDates).toEqual([
      {
        document: "@/Presentations/slides.md",
        value: "2019,2020",
        origin: "front-matter",
        reason: expect.stringContaining("no date") as string,
      },
      {
        document: "@/sent/offer.md",
        value: "31 April 2024",
        origin: "front-matter",
        reason: "has a day that does not exist",
      },
    ]);
    expect(summary.dated).toEqual({ count: 2, from: "2021-05", to: "2023" });
    expect(summary.directions).toEqual({ received: 1, sent: 1 });
  });

  it("and info counts where they come from", async () => {
    const pkg = await opened(folder, options);
    expect(pkg.info()).toMatchObject({ datedFrom: { "front-matter": 2 }, directions: { received: 1, sent: 1 } });
    expect(pkg.claims.dated).toEqual({ count: 2, from: "2021-05", to: "2023" });
    const known = lines(pkg);
    expect(known.get("sent/offer.md")?.direction).toBe("sent");
    expect(known.get("Presentations/slides.md")).not.toHaveProperty("direction");
    expect(known.get("reports/sent/report.md")).not.toHaveProperty("direction");
    await pkg.close();
  });

  it("a direction that is given comes before the name of the folder, and of a record before that too", async () => {
    const pkg = await opened(folder, { directions: { sent: "none", "reports/sent": "received" } });
    const known = lines(pkg);
    expect(known.get("sent/offer.md")).not.toHaveProperty("direction");
    expect(known.get("reports/sent/report.md")?.direction).toBe("received");
    expect(known.get("Recibidos/oferta.md")?.direction).toBe("received");
    await pkg.close();
    await expect(packed(folder, { directions: { post: "sent" } })).rejects.toThrow(
      /No document lies in the folder "post"/,
    );
  });
});

describe("a list of dates beside the documents", async () => {
  const scratch = await scratchFolder("dates");
  let count = 0;
  const listed = async (csv: string | Uint8Array, folder: Folder = { "a.md": "A", "b/c.md": "C", "d, e.md": "D" }) => {
    const file = join(scratch, `dates${++count}.csv`);
    await writeFile(file, csv);
    const { documents, refused } = await withSidecarDates(documentsOf(folder), file);
    const dates = documents.flatMap(({ path, facts }) =>
      (facts?.dates ?? []).map((date) => [path, date.value, date.provenance]),
    );
    return { dates, refused: refused.map(({ document, reason }) => `${document} ${reason}`) };
  };

  it("is read with commas, semicolons and tabs, with names of columns or without, by Windows and by people", async () => {
    const dates = [
      ["a.md", "2024-03-05", undefined],
      ["b/c.md", "5. März 2023", "postmark"],
      ["d, e.md", "2022", undefined],
    ];
    for (const csv of [
      'a.md,2024-03-05\nb/c.md,5. März 2023,postmark\n"d, e.md",2022\n',
      '\uFEFFPath;Date;Provenance\r\n@/a.md;2024-03-05;\r\nb\\c.md;5. März 2023;postmark\r\n"d, e.md";2022\r\n\r\n',
      "path\tdate\n./a.md\t2024-03-05\nb/c.md\t5. März 2023\tpostmark\nd, e.md\t2022",
    ])
      expect(await listed(csv), csv).toEqual({ dates, refused: [] });
  });

  it("finds composed and decomposed names alike, and originals by their own name", async () => {
    expect((await listed("\u00e9tude.md,2024\n", { "e\u0301tude.md": "E" })).dates).toEqual([
      ["e\u0301tude.md", "2024", undefined],
    ]);
    const file = join(scratch, "original.csv");
    await writeFile(file, "lease.pdf,2024\n");
    const [lease] = documentsOf({ "lease.pdf.md": "L" });
    const { documents } = await withSidecarDates([{ ...lease!, original: "lease.pdf" }], file);
    expect(documents[0]?.facts?.dates).toEqual([{ value: "2024", origin: "sidecar" }]);
  });

  it("tells of rows that name no document, and of a second date for one", async () => {
    const { dates, refused } = await listed("a.md,2024\ngone.md,2023\na.md,2022\na.md,2024\nb/c.md,\n");
    expect(dates).toEqual([["a.md", "2024", undefined]]);
    expect(refused).toEqual([
      "@/a.md stands in row 3, and row 1 has another one",
      "@/gone.md stands in row 2, and there is no such document",
    ]);
  });

  it.each([
    ["an open quotation mark", 'a.md,2024\n"b,2023\n', /row \d: a quotation mark is not closed/],
    ["a path with a comma", "a.md,2024\nd, e.md,2024,mtime\n", /row 2: .*quotation marks around a path/],
    ["columns the other way round", "date,path\n2024,a.md\n", /row 2: the date stands before the path/],
    ["UTF-16", Buffer.from("\uFEFFa.md,2024\n", "utf16le"), /UTF-16, not UTF-8: save the list of dates/],
    ["a long provenance", `a.md,2024,${"x".repeat(100)}\n`, /row 1: say in at most 60 characters/],
  ])("%s is refused in one sentence", async (_, csv, message) => {
    await expect(listed(csv)).rejects.toThrow(message);
    await expect(listed(csv)).rejects.toBeInstanceOf(MdcxError);
  });

  it("a folder is dated by its files where that is asked for, and the list is not packed with it", async () => {
    const folder = join(scratch, "folder");
    const files = {
      "a.md": "The tide.",
      "b/page.txt": "The gauge.",
      "c.md": "---\ndate: 2020\n---\n\nThe mooring.",
    };
    for (const [path, text] of Object.entries({ ...files, "dates.csv": "c.md,2022-02\nb/page.txt,nonsense\n" })) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
      await utimes(join(folder, path), NOW, new Date("2019-02-03T23:59:59Z"));
    }
    const target = join(scratch, "folder.mdcx");
    const slots = [{ secret: KEY }];
    const summary = await packFolder(folder, target, { slots, dates: join(folder, "dates.csv"), dateFromMtime: true });
    expect(summary.leftOut).toEqual([{ document: "@/dates.csv", reason: "the list of dates of this run" }]);
    expect(summary.refusedDates).toMatchObject([{ document: "@/b/page.txt", value: "nonsense", origin: "sidecar" }]);
    const pkg = await openPackage(target, { secret: KEY });
    expect([...lines(pkg).values()].map(({ document, dated, datedFrom }) => [document, dated, datedFrom])).toEqual([
      ["@/a.md", "2019-02-03", "mtime"],
      ["@/b/page.txt", "2019-02-03", "mtime"],
      ["@/c.md", "2022-02", "sidecar"],
    ]);
    await pkg.close();
    const without = await packFolder(folder, target, { slots, dates: join(folder, "dates.csv") });
    expect(without.dated).toEqual({ count: 1, from: "2022-02", to: "2022-02" });
  });
});
