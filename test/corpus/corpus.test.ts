import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Corpus, documentUri, MdcxError, openCorpus, type Package, type Source } from "../../src/index.js";
import { compareCodePoints } from "../../src/text/code-points.js";
import { KEY, opened, packed, type Folder } from "../package/in-memory.js";

const HARBOUR: Folder = {
  "safety/fire.md": "# Fire\n\nThe extinguisher hangs beside the crane.\n",
  "safety/storms.md": "# Storms\n\nAt force nine nobody goes on the pier.\n\nThe barrier is closed by the watch.\n",
  "100% sure.md": "A name with a per cent sign and a blank.\n",
  "attached.md": "---\nindexed: false\n---\nKept and never found.\n",
};
const LIBRARY: Folder = {
  "safety/fire.md": "# Fire\n\nThe extinguisher hangs beside the reading room.\n",
  "opening.md": "# Opening hours\n\nThe reading room opens at nine.\n",
};

async function refusal(of: Promise<unknown>): Promise<MdcxError> {
  const error: unknown = await of.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(MdcxError);
  return error as MdcxError;
}

describe("two packages in one corpus", () => {
  let harbour: Package;
  let library: Package;
  let corpus: Corpus;
  beforeAll(async () => {
    [harbour, library] = [await opened(HARBOUR, { title: "Handbook" }), await opened(LIBRARY, { title: "Handbook" })];
    corpus = new Corpus([harbour, library]);
  });
  afterAll(() => corpus.close());

  it("answer as one list, in which every passage names its package", async () => {
    const { passages, found } = await corpus.search("extinguisher");
    expect(found).toBe(2);
    expect(passages.map(({ document }) => document)).toEqual(["@/safety/fire.md", "@/safety/fire.md"]);
    const names = passages.map((hit) => hit.package);
    expect(new Set(names)).toEqual(
      new Set([`Handbook (${harbour.id.slice(0, 8)})`, `Handbook (${library.id.slice(0, 8)})`]),
    );
    expect(new Set(passages.map(({ id }) => id)).size).toBe(2);
  });

  it("list their documents by path, those that are not indexed included, each with its package", async () => {
    const { documents, total } = await corpus.documents();
    expect(total).toBe(6);
    expect(documents.map(({ document }) => document)).toEqual([
      "@/100% sure.md",
      "@/attached.md",
      "@/opening.md",
      "@/safety/fire.md",
      "@/safety/fire.md",
      "@/safety/storms.md",
    ]);
    expect(documents.map(({ packageId }) => packageId === harbour.id)).toEqual([
      true,
      true,
      false,
      harbour.id < library.id,
      harbour.id > library.id,
      true,
    ]);
    expect(documents.every((one) => one.package === `Handbook (${one.packageId.slice(0, 8)})`)).toBe(true);
  });

  it("give a document by its name where one has it, with the package that does", async () => {
    for (const name of ["@/opening.md", "opening.md", documentUri(library.id, "opening.md")])
      expect(await corpus.document(name)).toMatchObject({ packageId: library.id, text: LIBRARY["opening.md"] });
    expect((await corpus.document("@/attached.md")).text).toBe(HARBOUR["attached.md"]);
  });

  it("refuse a name that both have and list the full names, each of which is accepted", async () => {
    const error = await refusal(corpus.document("@/safety/fire.md"));
    expect(error.code).toBe("bad-input");
    for (const [pkg, folder] of [
      [harbour, HARBOUR],
      [library, LIBRARY],
    ] as const) {
      const full = `mdcx://${pkg.id.slice(0, 8)}/safety/fire.md`;
      expect(error.message).toContain(full);
      expect((await corpus.document(full)).text).toBe(folder["safety/fire.md"]);
    }
  });

  it("take a full name as a URI has it and as a person writes it", async () => {
    const uri = documentUri(harbour.id, "100% sure.md");
    expect(uri).toBe(`mdcx://${harbour.id.slice(0, 8)}/100%25%20sure.md`);
    expect(new URL(uri).href).toBe(uri);
    for (const name of [uri, `mdcx://${harbour.id.slice(0, 8)}/100% sure.md`, `mdcx://${harbour.id}/100%25%20sure.md`])
      expect((await corpus.document(name)).document, name).toBe("@/100% sure.md");
  });

  it("give a passage by its id with neighbours, from the package that the id names", async () => {
    for (const { id, text } of (await corpus.search("extinguisher")).passages) {
      const found = await corpus.document(id);
      expect(found.packageId.slice(0, 8)).toBe(id.slice(0, 8));
      expect(found.text).toBe(text);
    }
  });

  it("say that a name is unknown, and which ones are like it in any of them", async () => {
    const error = await refusal(corpus.document("@/safety/storm.md"));
    expect(error.code).toBe("not-found");
    expect(error.message).toMatch(/in the 2 packages\. Nearest: @\/safety\/storms\.md, @\/safety\/fire\.md/);
  });

  it("name the first documents where no name is near, in the same words as one package alone", async () => {
    const { message } = await refusal(corpus.document("qqqq"));
    expect(message).toMatch(
      /in the 2 packages\. There is @\/100% sure\.md, @\/attached\.md, @\/opening\.md and 2 more\.$/,
    );
    expect(() => corpus.packages[0]!.document("qqqq")).toThrow(/There is no document "qqqq" in .+ There is @\//);
  });

  it.each([
    "../../etc/passwd",
    "/etc/passwd",
    "@/../safety/fire.md",
    "C:\\secret.md",
    "file:///etc/passwd",
    "mdcx://",
    "mdcx:///opening.md",
    "mdcx://00000000/opening.md",
    "mdcx://0/opening.md",
    "00000000/0123456789abcdef/0",
    "",
    "mdcx://%/%",
  ])("find nothing under %s and say so", async (name) => {
    expect((await refusal(corpus.document(name))).code).toBe("not-found");
  });

  it("refuse a page of the list that cannot be", async () => {
    for (const from of [-1, 1.5, NaN]) expect((await refusal(corpus.documents(from))).code).toBe("bad-input");
    expect(await corpus.documents(1_000_000)).toEqual({ documents: [], total: 6 });
  });
});

describe("what is mounted", () => {
  it("is at least one package, and none twice", async () => {
    expect(() => new Corpus([])).toThrow(/name at least one/);
    const { bytes } = await packed(LIBRARY, { title: "Library" });
    const error = await refusal(openCorpus([bytes, bytes], { secret: KEY }));
    expect(error.message).toMatch(/Library is given twice \(package [0-9a-f]{32}\)/);
  });

  it("is opened with a secret for all or one for each, and a wrong one names its package", async () => {
    const other = { kind: "key", bytes: new Uint8Array(32).fill(9) } as const;
    const [harbour, library] = [
      (await packed(HARBOUR)).bytes,
      (await packed(LIBRARY, { slots: [{ secret: other }] })).bytes,
    ];
    const secrets = [{ secret: KEY }, { secret: other }];
    const corpus = await openCorpus([harbour, library], secrets);
    expect(corpus.packages.length).toBe(2);
    await corpus.close();
    const both = await openCorpus([library, harbour], { secret: [KEY, other] });
    expect(both.packages.map(({ id }) => id)).toEqual(corpus.packages.map(({ id }) => id));
    await both.close();
    const file: Source = {
      name: "library.mdcx",
      length: library.length,
      read: (offset, length) => Promise.resolve(library.slice(offset, offset + length)),
      close: () => Promise.resolve(),
    };
    const error = await refusal(openCorpus([harbour, file], { secret: KEY }));
    expect(error).toMatchObject({ code: "wrong-secret", message: expect.stringContaining("library.mdcx") as string });
    expect((await refusal(openCorpus([harbour, library], [{ secret: KEY }]))).code).toBe("bad-input");
  });
});

it("any page of a list is that of all documents sorted by path, then package id", async () => {
  const packages: Package[] = [];
  const names = ["a", "b", "c/d", "c", "z", "ä", "\u{1F6A2}", "\u{FF5A}"];
  for (let k = 0; k < 4; k++) {
    const paths = Array.from({ length: [23, 1, 9, 40][k]! }, (_, i) => `${names[(i * (k + 3)) % 8]!}${i % 7}/${i}.md`);
    packages.push(await opened(Object.fromEntries(paths.map((path) => [path, `Text of ${path}.\n`]))));
  }
  const corpus = new Corpus(packages);
  const sorted = packages
    .flatMap((one) => one.documents())
    .sort((a, b) => compareCodePoints(a.document, b.document) || (a.packageId < b.packageId ? -1 : 1))
    .map(({ packageId, document }) => `${packageId} ${document}`);
  await fc.assert(
    fc.asyncProperty(fc.nat(80), fc.nat(30), async (from, limit) => {
      const { documents } = await corpus.documents(from, limit);
      expect(documents.map(({ packageId, document }) => `${packageId} ${document}`)).toEqual(
        sorted.slice(from, from + limit),
      );
    }),
    { numRuns: 200, seed: 6 },
  );
  await corpus.close();
});
