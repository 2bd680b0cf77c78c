import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FolderSearch, type FolderReply } from "../../src/folder-search.js";
import { bytesOf, opened, type Folder } from "../package/in-memory.js";

const searchOf = (folder: Folder) =>
  FolderSearch.of(Object.entries(folder).map(([path, content]) => ({ path, bytes: bytesOf(content) })));
const paths = ({ documents }: FolderReply): string[] => documents.map(({ document }) => document);

const filler = (subject: string): string =>
  Array.from(
    { length: 14 },
    (_, i) => `Entry ${i} of the log about ${subject} says that the day was calm and grey.`,
  ).join(" ");

/** Nine sections of a passage or two each; four of them touch the subject once, each another side of it. */
const LONG = [
  "# The year at the harbour",
  ...["weather", "birds", "visitors", "paint", "ropes"].map((subject) => `## ${subject}\n\n${filler(subject)}`),
  `## Spring\n\n${filler("spring")} In May the crane is looked at.`,
  `## Summer\n\n${filler("summer")} An inspection takes two hours.`,
  `## Autumn\n\n${filler("autumn")} The certificate hangs in the office.`,
  `## Winter\n\n${filler("winter")} The engineer comes from Kiel.`,
].join("\n\n");

const FOLDER: Folder = {
  "log.md": LONG,
  "shopping.md":
    "# Shopping\n\nCertificate, certificate, certificate, certificate, certificate, certificate, certificate.\n",
  "kran.md": "# Der Kran\n\nDer Kran hebt acht Tonnen und wird im Mai geprüft.\n",
  "notes/mooring.txt": "Boats may moor at night where a lamp is lit. Night mooring costs fourteen euros.\n",
  "attachment.md": "---\nindexed: false\n---\n# Crane\n\nThe crane inspection certificate of the engineer.\n",
};

describe("searching a folder", () => {
  it("quotes document, path, line and headings of the best passage", async () => {
    const { documents, found } = await (await searchOf(FOLDER)).ask("who comes in winter?");
    expect(found).toBeGreaterThan(0);
    expect(documents[0]).toMatchObject({
      rank: 1,
      document: "@/log.md",
      title: "The year at the harbour",
      language: "en",
    });
    const [best] = documents[0]!.passages;
    expect(best).toMatchObject({ heading: ["Winter"], kind: "text" });
    expect(best!.text).toContain("The engineer comes from Kiel.");
    expect(LONG.split("\n")[best!.line - 1]).toBe("## Winter");
  });

  it("puts a long document that covers the subject in fragments before a short unrelated one that repeats a term", async () => {
    const reply = await (await searchOf(FOLDER)).ask("crane inspection certificate engineer");
    expect(paths(reply).slice(0, 2)).toEqual(["@/log.md", "@/shopping.md"]);
    expect(reply.documents[0]!.found).toBeGreaterThanOrEqual(4);
  });

  it("does not put a long document first for what a short one answers: weak passages do not add up", async () => {
    const watches = Array.from({ length: 200 }, (_, i) => {
      const said = i % 5 === 0 ? "At night the boats lay still, whatever the costs." : "The boats lay still.";
      return `## Watch ${i}\n\n${filler(`watch ${i}`)} ${said}`;
    });
    const search = await searchOf({ ...FOLDER, "watches.md": `# Watches\n\n${watches.join("\n\n")}` });
    const reply = await search.ask("What does night mooring cost?");
    expect(reply.documents.find(({ document }) => document === "@/watches.md")!.found).toBeGreaterThan(30);
    expect(paths(reply)[0]).toBe("@/notes/mooring.txt");
  });

  it("finds other inflections, words without accents, and other languages, as a package does", async () => {
    const search = await searchOf(FOLDER);
    expect(paths(await search.ask("wann werden Kräne geprueft oder geprüft"))[0]).toBe("@/kran.md");
    expect(paths(await search.ask("certificates"))).toContain("@/shopping.md");
  });

  it("searches the same passages by the same words as the package that is made of the folder", async () => {
    const pkg = await opened(FOLDER);
    const search = await searchOf(FOLDER);
    expect(search.size).toEqual({ documents: 4, passages: pkg.image.passageCount });
    for (const question of ["crane", "Kran Tonnen", "night mooring euros", "inspection takes hours"]) {
      const packed = await pkg.search(question, { limit: 50 });
      const asked = await search.ask(question, { limit: 50 });
      expect(new Set(paths(asked))).toEqual(new Set(packed.passages.map(({ document }) => document)));
      expect(asked.documents.reduce((sum, { found }) => sum + found, 0)).toBe(packed.found);
    }
    await pkg.close();
  });

  it("leaves out what says of itself that it is not to be found, and what is no text, and says so", async () => {
    const search = await searchOf({ ...FOLDER, "utf16.md": new Uint8Array([0xff, 0xfe, 0x61, 0]) });
    expect(search.unsearched).toEqual([
      { document: "@/attachment.md", reason: "its front matter keeps it out of every search" },
      { document: "@/utf16.md", reason: "it is UTF-16, not UTF-8" },
    ]);
    expect(paths(await search.ask("crane inspection certificate"))).not.toContain("@/attachment.md");
  });

  it("has the same answer in whatever order the files come", async () => {
    const entries = Object.entries(FOLDER);
    const ask = async (folder: Folder) => (await searchOf(folder)).ask("crane certificate at night");
    const expected = await ask(FOLDER);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(entries, { minLength: entries.length }), async (shuffled) => {
        expect(await ask(Object.fromEntries(shuffled))).toEqual(expected);
      }),
      { numRuns: 10, seed: 6 },
    );
  });

  it("asks only documents whose path matches, and says why nothing was found", async () => {
    const search = await searchOf(FOLDER);
    expect(paths(await search.ask("certificate", { in: "*.txt" }))).toEqual([]);
    expect(paths(await search.ask("mooring", { in: "notes/**" }))).toEqual(["@/notes/mooring.txt"]);
    expect((await search.ask("certificate", { in: "*.txt" })).hint).toMatch(/No document under \*\.txt holds a word/);
    expect((await search.ask("zzyzx")).hint).toMatch(/nor one like it/);
  });

  it.each(["", "?!", "x".repeat(2001)])("refuses what is no question (%#) in one sentence", async (question) => {
    await expect((await searchOf(FOLDER)).ask(question)).rejects.toMatchObject({ code: "bad-input" });
  });

  it("takes signs of Markdown, SQL and regular expressions as ordinary text", async () => {
    const search = await searchOf(FOLDER);
    for (const question of ["* crane [", "'; DROP TABLE crane; --", "crane(.*", "**crane**"])
      expect(paths(await search.ask(question))).toContain("@/log.md");
  });
});
