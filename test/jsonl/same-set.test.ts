import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { MemorySink } from "../../src/format/sink.js";
import { openPackage, type Package, type Reply } from "../../src/index.js";
import { nodeDeflate } from "../../src/node/deflate.js";
import { readRecords } from "../../src/node/jsonl.js";
import { primitives } from "../../src/node/primitives.js";
import { readFolder } from "../../src/pack-folder.js";
import { pack, type DocumentInput } from "../../src/pack.js";
import { KEY } from "../package/in-memory.js";

const scratch = await mkdtemp(join(tmpdir(), "mdcx-same-set-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));

/** What the front matter of a document would say, and its text. */
interface Written {
  readonly facts?: {
    readonly title?: string;
    readonly date?: string;
    readonly language?: string;
    readonly indexed?: boolean;
  };
  readonly text: string;
}

const SET: Readonly<Record<string, Written>> = {
  "received/lease.md": {
    facts: { date: "2021-03-04", title: "The lease" },
    text: "# Lease\n\nThe boathouse is let until March. The rent is due on the first tide of every month.\n",
  },
  "Sent/2022/reply.md": {
    facts: { date: "2022" },
    text: "We pay the rent of the boathouse when the tide allows it.\n",
  },
  "notes/tide.txt": { text: "The second tide is the higher one, and the ferry waits for it.\n" },
  "notes/gezeiten.md": {
    facts: { language: "de" },
    text: "# Gezeiten\n\nDie Fähre wartet auf die zweite Flut, denn sie ist die höhere.\n\n| Monat | Pacht |\n| --- | --- |\n| März | 40 |\n",
  },
  "notes/attached.md": {
    facts: { indexed: false },
    text: "# Attached\n\nThe ferry sinks at the third tide: never found.\n",
  },
  "notes/empty.md": { text: "" },
  "notes/dated.md": { facts: { date: "the day of the flood" }, text: "Nobody remembers when the ferry was built.\n" },
};

const QUESTIONS = [
  "ferry",
  "rent of the boathouse",
  "Fähre Flut",
  "zweite",
  '"second tide"',
  "Pacht März",
  "third",
  "boathuose",
];

const withFront = ({ facts = {}, text }: Written): string => {
  const lines = Object.entries(facts).map(([key, value]) => `${key}: ${value}\n`);
  return lines.length === 0 ? text : `---\n${lines.join("")}---\n${text}`;
};

async function asFolder(): Promise<readonly DocumentInput[]> {
  const root = await mkdtemp(join(scratch, "folder-"));
  for (const [path, written] of Object.entries(SET)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), withFront(written));
  }
  return (await readFolder(root)).documents;
}

async function asRecords(recordOf: (path: string, written: Written) => object): Promise<readonly DocumentInput[]> {
  const file = join(await mkdtemp(join(scratch, "records-")), "set.jsonl");
  // The order of the lines means nothing.
  const lines = Object.entries(SET)
    .reverse()
    .map(([path, written]) => JSON.stringify(recordOf(path, written)));
  await writeFile(file, lines.join("\n"));
  const records = await readRecords(file);
  closing.push(records.close);
  return records.documents;
}
const closing: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

/** A package of a given id, so that two of the same documents can be compared whole. */
async function packageOf(documents: readonly DocumentInput[]): Promise<Package> {
  const sink = new MemorySink();
  await pack(documents, sink, {
    primitives,
    slots: [{ secret: KEY }],
    deflate: nodeDeflate(),
    title: "Set",
    now: new Date("2026-01-01"),
    follows: { packageId: "00112233445566778899aabbccddeeff", revision: 0 },
  });
  return openPackage(sink.bytes(), { secret: KEY });
}

async function answers(pkg: Package): Promise<Reply[]> {
  const all: Reply[] = [];
  for (const question of QUESTIONS)
    for (const only of [undefined, "received", "sent"] as const)
      all.push(await pkg.search(question, { ...(only && { only }) }));
  return all;
}

describe("the same set as a folder and as records", () => {
  it("gives the same documents, passages, facts and answers where records hold the files as they are", async () => {
    const folder = await packageOf(await asFolder());
    const records = await packageOf(
      await asRecords((path, written) => ({ name: "shown", pseudopath: path, text: withFront(written) })),
    );
    expect(records.info()).toEqual(folder.info());
    expect(records.image.documents()).toEqual(folder.image.documents());
    expect([...records.export()]).toEqual([...folder.export()]);
    for (const name of ["dictionary", "postings", "lengths"] as const) {
      const [one, other] = [records.image.stream(name), folder.image.stream(name)];
      expect(one.read(0, one.length)).toEqual(other.read(0, other.length));
    }
    const replies = await answers(records);
    expect(replies).toEqual(await answers(folder));
    expect(replies.filter(({ passages }) => passages.length > 0).length).toBeGreaterThan(QUESTIONS.length);
  });

  it("gives the same where fields say what the front matter would: dates, direction, language, title, what is hidden", async () => {
    const folder = await packageOf(await asFolder());
    const records = await packageOf(
      await asRecords((path, { facts, text }) => {
        const at = path.lastIndexOf("/");
        return { folder: path.slice(0, at), name: path.slice(at + 1), text, ...facts };
      }),
    );
    const known = (pkg: Package) =>
      pkg.documents().map(({ document, title, language, indexed, dated, direction, passages }) => ({
        ...{ document, title, language, indexed, dated, direction, passages },
      }));
    expect(known(records)).toEqual(known(folder));
    expect(known(records).map(({ dated }) => dated)).toEqual([
      "2022",
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      "2021-03-04",
    ]);
    expect(known(records).map(({ direction }) => direction)).toEqual([
      "sent",
      ...Array<undefined>(5).fill(undefined),
      "received",
    ]);
    expect(records.documents().map(({ datedFrom }) => datedFrom)).toContain("source");
    const found = (replies: Reply[]) =>
      replies.map(({ passages }) => passages.map(({ document, rank }) => [rank, document]));
    expect(found(await answers(records))).toEqual(found(await answers(folder)));
  });

  it("keeps a record that is not to be found out of index and counts, and returns and exports it whole", async () => {
    const pkg = await packageOf(await asRecords((path, { facts, text }) => ({ name: path, text, ...facts })));
    const { documents, attachments } = pkg.info();
    expect({ documents, attachments }).toEqual({ documents: Object.keys(SET).length - 1, attachments: 1 });
    const { text, indexed, passages } = pkg.document("@/notes/attached.md");
    expect({ text, indexed, passages }).toEqual({ text: SET["notes/attached.md"]!.text, indexed: false, passages: 0 });
    expect((await pkg.search("third sinks never")).passages.map(({ document }) => document)).not.toContain(
      "@/notes/attached.md",
    );
    const exported = [...pkg.export()].find(({ path }) => path === "notes/attached.md");
    expect(new TextDecoder().decode(exported?.bytes)).toBe(SET["notes/attached.md"]!.text);
  });
});
