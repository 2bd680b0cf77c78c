import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { MemorySink } from "../../src/format/sink.js";
import { openPackage, verifyPackage, type Package } from "../../src/index.js";
import { OverviewFile } from "../../src/node/overview-file.js";
import { enrichPackage, openEncoder, packDocuments, packWithout } from "../../src/pack-entry.js";
import type { PackOptions } from "../../src/pack.js";
import { primitives } from "../../src/node/primitives.js";
import { pack } from "../../src/pack.js";
import { contents, documentsOf, KEY } from "../package/in-memory.js";

const scratch = await mkdtemp(join(tmpdir(), "mdcx-overviews-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));

const FOLDER = {
  "a/lease.md":
    "---\ntitle: The lease\n---\n# Lease\n\nThe boathouse is let until March.\n\n## Rent\n\nForty a month.\n",
  "a/none.md": "Nobody wrote about this one.\n",
  "b/hidden.md": "---\nindexed: false\n---\nThe hidden ferry.\n",
  "b/empty.md": "",
  "c/tide.md": "# Tide\n\nThe second tide is the higher one.\n",
};

const OVERVIEWS = [
  {
    document: "@/a/lease.md",
    text: "A contract between the harbour master and the rowing club about a quayside building.",
  },
  { document: "c/tide.md", text: "## Moon\n\nWhat the moon does to the estuary.\n" },
  { document: "a/lease.md", text: "---\nIts clauses concern subletting.\n" },
  { document: "b/hidden.md", text: "Speaks of a concealed vessel." },
  { document: "b/empty.md", text: "A blank sheet, kept for its letterhead." },
  { document: "x/absent.md", text: "Nobody has it." },
  { document: "a/none.md" },
  { text: "Of nothing." },
  { document: "a/none.md", text: "  \n" },
  { document: "../up.md", text: "Out." },
];

async function source(lines: readonly object[] = OVERVIEWS): Promise<OverviewFile> {
  const path = join(await mkdtemp(join(scratch, "file-")), "overviews.jsonl");
  await writeFile(path, lines.map((one) => JSON.stringify(one)).join("\n"));
  return OverviewFile.open(path);
}

async function packedWith(
  options: Partial<PackOptions>,
): Promise<{ pkg: Package; bytes: Uint8Array; overviews: number; passages: number }> {
  const sink = new MemorySink();
  const follows = { packageId: "00112233445566778899aabbccddeeff", revision: 0 };
  const { overviews, passages } = await pack(documentsOf(FOLDER), sink, {
    primitives,
    slots: [{ secret: KEY }],
    follows,
    ...options,
  });
  return { pkg: await openPackage(sink.bytes(), { secret: KEY }), bytes: sink.bytes(), overviews, passages };
}

describe("overviews written elsewhere", () => {
  it("are found by their words and cited as overviews of their documents", async () => {
    const overviews = await source();
    const { pkg } = await packedWith({ overviews });
    await overviews.close();
    const [first] = (await pkg.search("rowing club quayside")).passages;
    expect(first).toMatchObject({
      kind: "overview",
      document: "@/a/lease.md",
      title: "The lease",
      line: 1,
      heading: [],
      text: OVERVIEWS[0]!.text,
    });
    const [moon] = (await pkg.search("estuary")).passages;
    expect(moon).toMatchObject({ kind: "overview", document: "@/c/tide.md", heading: ["Moon"] });
    expect((await pkg.search("subletting")).passages[0]).toMatchObject({ kind: "overview", document: "@/a/lease.md" });
    expect((await pkg.search("letterhead")).passages[0]).toMatchObject({ kind: "overview", document: "@/b/empty.md" });
    expect((await pkg.search("boathouse")).passages[0]).toMatchObject({ kind: "text" });
    expect((await pkg.search("estuary", { in: "a/**" })).passages).toEqual([]);
  });

  it("are no part of a document: not exported, not returned with it, not counted with its passages, not under its digest", async () => {
    const overviews = await source();
    const [with_, without] = [await packedWith({ overviews }), await packedWith({})];
    await overviews.close();
    expect(contents(with_.pkg)).toEqual(contents(without.pkg));
    expect(with_.pkg.documents()).toEqual(without.pkg.documents());
    for (const path of Object.keys(FOLDER)) {
      expect(with_.pkg.document(`@/${path}`)).toEqual(without.pkg.document(`@/${path}`));
      expect(with_.pkg.image.documentByPath(path)!.markdownSha256).toEqual(
        without.pkg.image.documentByPath(path)!.markdownSha256,
      );
    }
    const { passages } = without.pkg.info();
    expect(with_.pkg.info()).toMatchObject({ passages, overviews: 4 });
    expect({ ...with_, pkg: 0, bytes: 0 }).toEqual({ pkg: 0, bytes: 0, passages, overviews: 4 });
    expect({ passages: without.passages, overviews: without.overviews }).toEqual({ passages, overviews: 0 });
    expect((await verifyPackage(with_.bytes, { secret: KEY })).opened).toBe(true);
  });

  it("are read by their ids alone, and stand beside no passage", async () => {
    const overviews = await source();
    const { pkg } = await packedWith({ overviews });
    await overviews.close();
    const [first] = (await pkg.search("rowing club quayside")).passages;
    const alone = pkg.document(first!.id, { before: 3, after: 3 });
    expect(alone).toMatchObject({ kind: "overview", text: OVERVIEWS[0]!.text, document: "@/a/lease.md" });
    expect([alone.first, alone.last]).toEqual([alone.passages, alone.passages]);
    const [rent] = (await pkg.search("forty month", { in: "a/lease.md" })).passages;
    const around = pkg.document(rent!.id, { before: 10, after: 10 });
    expect(around.text).toBe(FOLDER["a/lease.md"]);
    expect(around).not.toHaveProperty("kind");
  });

  it("that fit no document that can be found are named by their lines, as are unreadable ones", async () => {
    const overviews = await source();
    const { pkg } = await packedWith({ overviews });
    const { passages } = await pkg.search("concealed vessel");
    expect(passages.map(({ document }) => document)).not.toContain("@/b/hidden.md");
    expect(Object.fromEntries(overviews.leftOut().map(({ document, reason }) => [document, reason]))).toEqual({
      "overview on line 4": "there is no document @/b/hidden.md that can be found",
      "overview on line 6": "there is no document @/x/absent.md that can be found",
      "overview on line 7": "it has no text",
      "overview on line 8": "it does not name its document: give document and text",
      "overview on line 9": "its text is empty",
      "overview on line 10": 'its path "../up.md" would not stay inside the folder it is exported to',
    });
    await overviews.close();
  });

  it("may be about an original, by whose name people know it", async () => {
    const overviews = await source([{ document: "lease.pdf", text: "By the harbour master." }]);
    const sink = new MemorySink();
    const [lease] = documentsOf({ "lease.pdf.md": "# Lease\n\nThe boathouse.\n" });
    await pack([{ ...lease!, original: "lease.pdf" }], sink, { primitives, slots: [{ secret: KEY }], overviews });
    const pkg = await openPackage(sink.bytes(), { secret: KEY });
    expect((await pkg.search("master")).passages[0]).toMatchObject({ kind: "overview", document: "@/lease.pdf.md" });
    expect(overviews.leftOut()).toEqual([]);
    await overviews.close();
  });

  it("are in the package that is written again without a document, in their place", async () => {
    const [old, target] = [join(scratch, "old.mdcx"), join(scratch, "new.mdcx")];
    const slots = [{ secret: KEY }];
    const overviews = await source();
    await packDocuments(documentsOf(FOLDER), old, { slots, overviews });
    await overviews.close();
    await packWithout(target, { slots, reuse: { file: old, secret: KEY }, without: ["a/none.md", "a/lease.md"] });
    const pkg = await openPackage(target, { secret: KEY });
    expect(pkg.info().overviews).toBe(2);
    expect((await pkg.search("estuary")).passages[0]).toMatchObject({ kind: "overview", document: "@/c/tide.md" });
    expect((await pkg.search("rowing club")).passages).toEqual([]);
    await pkg.close();
  });

  it.runIf(process.env.MDCX_LONG)(
    "have the vectors of their own text, whether packed with meaning or given it later",
    async () => {
      const encoder = openEncoder();
      const slots = [{ secret: KEY }];
      const halvesOf = async (file: string) => {
        const pkg = await openPackage(file, { secret: KEY });
        const { kind } = (await pkg.search("what the moon does to a river mouth", { mode: "meaning" })).passages[0]!;
        const halves = pkg.image.stream("halves");
        const bytes = Buffer.from(halves.read(0, halves.length));
        await pkg.close();
        return { kind, bytes };
      };
      const [packed, enriched] = [join(scratch, "packed.mdcx"), join(scratch, "enriched.mdcx")];
      for (const [target, meaning] of [
        [packed, { encoder }],
        [enriched, {}],
      ] as const) {
        const overviews = await source();
        await packDocuments(documentsOf(FOLDER), target, { slots, overviews, ...meaning });
        await overviews.close();
      }
      await enrichPackage(enriched, { secret: KEY, encoder });
      await encoder.close();
      const [first, second] = [await halvesOf(packed), await halvesOf(enriched)];
      expect(first.kind).toBe("overview");
      expect(second.kind).toBe("overview");
      expect(second.bytes.equals(first.bytes)).toBe(true);
    },
    120_000,
  );
});
