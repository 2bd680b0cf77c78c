import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Corpus } from "../../src/corpus.js";
import { openPackage, type Hit } from "../../src/index.js";
import type { Encoder } from "../../src/meaning/encoder.js";
import { openEncoder } from "../../src/node/encoder/open.js";
import type { SearchMode, SearchOptions } from "../../src/search.js";
import { KEY, packed, type Folder } from "../package/in-memory.js";
import { RememberingEncoder } from "../package/remembering.js";

const encoder = new RememberingEncoder(openEncoder());
afterAll(() => encoder.close());
const lent = (): Encoder => ({
  describe: () => encoder.describe(),
  encode: (texts, role) => encoder.encode(texts, role),
  close: () => Promise.resolve(),
});

/** A letter about one of a few things, in one of two languages; every third is nearer to the question by its words. */
function letter(i: number): string {
  const things = ["the crane on the north quay", "the tide gauge", "the mooring buoys", "the harbour tug"];
  const thing = things[i % things.length]!;
  return `---\ndate: ${2000 + i}\n---\n\n# Letter ${i}\n\n${
    i % 3 === 0
      ? `Repairing ${thing} costs ${i} thousand.`
      : `We were asked how much it takes to mend ${thing}, and answered ${i}.`
  }\n`;
}

const FOLDERS = ["Sent", "Empfangen", "Presentations"] as const;
const folder: Folder = Object.fromEntries(
  Array.from({ length: 30 }, (_, i) => [`${FOLDERS[i % 3]!}/${i < 15 ? "old" : "new"}/${i}.md`, letter(i)]),
);
const QUESTIONS = ["What does repairing the crane cost?", "mending the tide gauge", "Letter about the tug"];

describe("a restriction holds in both rankings, before they are cut", () => {
  let corpus: Corpus;
  beforeAll(async () => {
    const [one, other] = [{}, {}] as [Record<string, string | Uint8Array>, Record<string, string | Uint8Array>];
    Object.entries(folder).forEach(([path, text], i) => ((i % 2 === 0 ? one : other)[path] = text));
    const packages = await Promise.all(
      [one, other].map(async (part) =>
        openPackage((await packed(part, { meaning: { encoder } })).bytes, { secret: KEY, encoder: lent }),
      ),
    );
    corpus = new Corpus(packages);
  });
  afterAll(() => corpus.close());

  const ask = async (question: string, options: SearchOptions): Promise<readonly Hit[]> =>
    (await corpus.search(question, { maxPerDocument: 0, ...options })).passages;
  const ids = (hits: readonly Hit[]): string[] => hits.map(({ id }) => id);

  const allows = (hit: Hit, { only, in: glob }: SearchOptions): boolean =>
    (only === undefined || hit.document.startsWith(only === "sent" ? "@/Sent/" : "@/Empfangen/")) &&
    (glob === undefined || hit.document.includes("/new/"));

  it.each<SearchOptions>([
    { only: "sent" },
    { only: "received" },
    { in: "*/new/*" },
    { only: "sent", in: "**/new/**" },
  ])("%j gives what the whole ranking holds of it, in that order, however short the answer", async (restriction) => {
    for (const question of QUESTIONS)
      for (const mode of ["words", "meaning"] as SearchMode[]) {
        const whole = (await ask(question, { mode, limit: 50 })).filter((hit) => allows(hit, restriction));
        for (const limit of [1, 3, 50])
          expect(ids(await ask(question, { ...restriction, mode, limit })), `${mode} ${limit} ${question}`).toEqual(
            ids(whole).slice(0, limit),
          );
      }
  });

  it("nothing leaks through either ranking into the answer of both, with a preference or without", async () => {
    for (const question of QUESTIONS)
      for (const only of ["sent", "received"] as const)
        for (const more of [{}, { prefer: "recent" }] as const) {
          const hits = await ask(question, { only, limit: 50, ...more });
          expect(hits.length).toBeGreaterThan(5);
          for (const hit of hits) {
            expect(hit.direction).toBe(only);
            expect(allows(hit, { only })).toBe(true);
          }
        }
  });

  it("a question that names a direction is not narrowed by it", async () => {
    const directions = (await ask("letters sent about the crane", { limit: 50 })).map(({ direction }) => direction);
    expect(new Set(directions)).toEqual(new Set(["sent", "received", undefined]));
  });

  it("a passage says its date, where that is from and its direction", async () => {
    const [hit] = await ask("repairing the crane", { only: "sent", limit: 1 });
    expect(hit).toMatchObject({
      dated: expect.stringMatching(/^20\d\d$/) as string,
      datedFrom: "front-matter",
      direction: "sent",
    });
  });

  it("a preference for the recent loses nothing, keeps an agreed first, and else puts the newer of two firsts first", async () => {
    let decided = 0;
    for (const question of QUESTIONS) {
      const options = { limit: 50 };
      const plain = await ask(question, options);
      const recent = await ask(question, { ...options, prefer: "recent" });
      expect([...ids(recent)].sort()).toEqual([...ids(plain)].sort());
      expect(ids(await ask(question, { limit: 3, prefer: "recent" }))).toEqual(ids(recent).slice(0, 3));
      const [byWords] = await ask(question, { mode: "words", limit: 1 });
      const [byMeaning] = await ask(question, { mode: "meaning", limit: 1 });
      const place = (hit: Hit | undefined): number => ids(recent).indexOf(hit!.id);
      if (byWords!.id === byMeaning!.id) expect(place(byWords)).toBe(0);
      else {
        decided++;
        expect(place(byWords) < place(byMeaning)).toBe(byWords!.dated! > byMeaning!.dated!);
      }
    }
    expect(decided, "a question that the date decides").toBeGreaterThan(0);
  });

  it("where the date cannot tell, the answer is the same and the reason names the remedy", async () => {
    const reply = async (options: SearchOptions) => corpus.search("repairing the crane", options);
    for (const mode of ["words", "meaning"] as const) {
      const plain = await reply({ mode });
      const recent = await reply({ mode, prefer: "recent" });
      expect(recent.preferReason).toContain("leave the mode at auto");
      expect(ids(recent.passages)).toEqual(ids(plain.passages));
    }
    expect(await reply({ prefer: "recent" })).not.toHaveProperty("preferReason");
    const foreign = await corpus.search("起重机维修费用", { prefer: "recent" });
    expect(foreign.preferReason).toContain("only meaning found anything");
  });
});

describe("a preference for the recent without what it needs", () => {
  const undated = { "a.md": "The tide gauge is read at noon.", "b.md": "The crane lifts." };

  it("a package without vectors names --meaning, one without dates --dates", async () => {
    const words = await openPackage((await packed(folder)).bytes, { secret: KEY });
    expect((await words.search("crane", { prefer: "recent" })).preferReason).toMatch(/has no vectors.*--meaning/);
    await words.close();
    const bytes = (await packed(undated, { meaning: { encoder } })).bytes;
    const pkg = await openPackage(bytes, { secret: KEY, encoder: lent });
    const plain = await pkg.search("tide gauge");
    const recent = await pkg.search("tide gauge", { prefer: "recent" });
    expect(recent.preferReason).toMatch(/No document of the answer has a date.*--dates FILE\.csv.*--date-from-mtime/);
    expect(recent.passages).toEqual(plain.passages);
    await pkg.close();
  });

  it("a direction that no document has is told of with the remedy, another by the restriction", async () => {
    const pkg = await openPackage((await packed({ ...undated, "sent/c.md": "The buoy." })).bytes, { secret: KEY });
    expect((await pkg.search("gauge", { only: "received" })).hint).toContain("--direction FOLDER=received");
    expect((await pkg.search("gauge", { only: "sent" })).hint).toContain("No sent document holds a word");
    await pkg.close();
  });
});
