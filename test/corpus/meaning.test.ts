import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Corpus, openPackage, type Package, type Reply } from "../../src/index.js";
import type { Encoder } from "../../src/meaning/encoder.js";
import { openEncoder } from "../../src/node/encoder/open.js";
import { readSet } from "../../bench/retrieval-sets.js";
import { HARBOUR } from "../cli/mdcx.js";
import { KEY, packed, type Folder } from "../package/in-memory.js";
import { otherUse, RememberingEncoder } from "../package/remembering.js";
import { HANDBOOK, ANSWERED, UNANSWERED } from "../ranking/small-corpus.js";
import { sharedData } from "../shared-data.js";
import { answerOf, random, splitCorpus } from "./splitting.js";

const real = openEncoder();
const encoder = new RememberingEncoder(real);
afterAll(() => real.close());

/** An encoder whose closing is another's business. */
const lent = (one: Encoder): Encoder => ({
  describe: () => one.describe(),
  encode: (texts, role) => one.encode(texts, role),
  close: () => Promise.resolve(),
});

async function withMeaning(folder: Folder, by: Encoder = encoder, title = ""): Promise<Package> {
  const { bytes } = await packed(folder, { meaning: { encoder: by }, title });
  // An encoder of its own for each package, as a process has it.
  return openPackage(bytes, { secret: KEY, encoder: () => lent(by) });
}

function folderOf(texts: readonly string[], under: string): Folder {
  return Object.fromEntries(
    texts.map((text, i) => [
      `${under}/${i}.md`,
      `# ${text.split("\n", 1)[0]!}\n\n${text.slice(text.indexOf("\n") + 1)}\n`,
    ]),
  );
}

/** Documents in four languages. */
function harbour(): Folder {
  const paths = readdirSync(HARBOUR, { recursive: true, encoding: "utf8" });
  const some = paths.filter((path) => /anémomètre|glossary|fire|mooring-rules/.test(path));
  return Object.fromEntries(some.map((path) => [path, readFileSync(join(HARBOUR, path))]));
}

/** Answers of which one has the passages of the other, those that are equally near in any order. */
async function expectEqual(whole: Corpus, split: Corpus, question: string): Promise<void> {
  for (const mode of ["words", "meaning", "auto"] as const) {
    const [a, b] = [
      await answerOf(whole, question, { mode, limit: 50 }),
      await answerOf(split, question, { mode, limit: 50 }),
    ];
    expect(b, `${mode}: ${question}`).toEqual(a);
  }
}

describe("splitting a collection with vectors", () => {
  it("changes nothing that words, meaning and both say, in several languages too", async () => {
    const folder = { ...harbour(), ...folderOf(HANDBOOK, "boats") };
    const chance = random(6);
    const whole = await splitCorpus(folder, 1, () => 0, withMeaning);
    for (const count of [3, 16]) {
      const split = await splitCorpus(folder, count, () => Math.floor(chance() * count), withMeaning);
      for (const question of [...ANSWERED.slice(0, 4), UNANSWERED[0]!, "¿Cómo se calibra el anemómetro?"])
        await expectEqual(whole, split, question);
      await split.close();
    }
    await whole.close();
  }, 120_000);

  it.skipIf(process.env.MDCX_LONG === undefined || sharedData === undefined)(
    "changes nothing for 200 questions to paragraphs in three languages, split into three and sixteen at random",
    async () => {
      const folder: Record<string, string> = {};
      const questions: string[] = [];
      for (const language of ["en", "de", "zh"]) {
        const set = readSet(sharedData!, `xquad/${language}`);
        for (const { id, text } of set.documents.slice(0, 60)) folder[`${language}/${id}.md`] = `${text}\n`;
        const few = set.questions.filter((_, i) => i % 17 === 0);
        questions.push(...few.slice(0, 67).map(({ text }) => text));
      }
      const chance = random(11);
      const whole = await splitCorpus(folder, 1, () => 0, withMeaning);
      for (const count of [3, 16]) {
        const split = await splitCorpus(folder, count, () => Math.floor(chance() * count), withMeaning);
        for (const question of questions.slice(0, 200)) await expectEqual(whole, split, question);
        await split.close();
      }
      await whole.close();
    },
    1_800_000,
  );
});

/** Ten packages on ten subjects, none of them boats; each sentence is a document. */
const UNRELATED = [
  "Magma rises where plates part. Basalt flows far because it is thin. Rhyolite plugs the vent until gas tears it open. Ash from a large eruption circles the earth in weeks. Old lava weathers to a dark and fertile soil.",
  "The oboe gives the note to which all strings are tuned. Woodwinds warm up first, for cold wood sounds flat. The second violins sit opposite the first. Timpani are retuned during long rests. A conductor marks the upbeat with the left hand.",
  "In spring the keeper counts the frames of brood. A colony without a queen roars when the lid is lifted. Drones are thrown out in August. Heather honey has to be pressed from the comb. Smoke makes bees fill their stomachs and keeps them calm.",
  "The vault of the choir was closed in 1248. Flying buttresses carry its thrust over the aisles. The rose window was glazed by a workshop from the north. Masons cut a mark into every stone that they had dressed. The south tower was never given its spire.",
  "Ice moves faster in the middle of the tongue than at its edges. Moraines show how far it once reached. Meltwater carves tunnels below the ice. Crevasses open where the bed grows steeper. Layers of dust tell the years of drought.",
  "A serif leads the eye along the line. Small capitals are drawn heavier to match the lower case. Ligatures join an f with the letter behind it. Justified columns need hyphens. Old figures hang below the line.",
  "Rennet curdles warm milk within half an hour. The wheel is turned daily and rubbed with brine. Blue moulds need air, so the rind is pierced with needles. Whey is fed to the pigs. Alpine wheels ripen for eighteen months.",
  "Dragline silk is tougher than steel of its weight. Orb weavers eat their web at dawn and spin it anew. A jumping spider has eight eyes and sees in colour. Wolf spiders carry their eggs in a sac. Some males pluck the threads to announce themselves.",
  "Line 4 runs every eight minutes until half past nine. The points at the depot are heated from November. Conductors were abolished in 1971. Sand is blown before the wheels when leaves lie on the rails. The new cars have low floors at all doors.",
  "Lye is stirred into melted fat until it traces. The bars cure for six weeks on a rack. Olive oil makes a soft white bar. Lavender is added when the mass has cooled. Salt water hardens the surface.",
];
const sentencesOf = (text: string): string[] => (text.match(/[^.]+\./g) ?? []).map((one) => one.trim());
const unrelated = (i: number): Folder =>
  Object.fromEntries(sentencesOf(UNRELATED[i]!).map((text, k) => [`other-${i}/${k}.md`, `${text}\n`]));

describe("ten packages that hold nothing on the subject", () => {
  let alone: Corpus;
  let among: Corpus;
  beforeAll(async () => {
    const handbook = folderOf(HANDBOOK, "boats");
    alone = new Corpus([await withMeaning(handbook)]);
    const others = [];
    for (const i of UNRELATED.keys()) others.push(await withMeaning(unrelated(i)));
    among = new Corpus([...others, await withMeaning(handbook)]);
  }, 120_000);
  afterAll(async () => {
    await alone.close();
    await among.close();
  });

  it("move no right answer out of the first five, by words, by meaning, or by both", async () => {
    for (const mode of ["words", "meaning", "auto"] as const)
      for (const [i, question] of ANSWERED.entries()) {
        const right = (reply: Reply): number => reply.passages.findIndex((hit) => hit.document === `@/boats/${i}.md`);
        const before = right(await alone.search(question, { mode, limit: 5 }));
        const after = right(await among.search(question, { mode, limit: 5 }));
        if (before >= 0) expect(after, `${mode}: ${question}`).toBeGreaterThanOrEqual(0);
      }
  });

  it("make no answered question warn, and leave the warning of others in two cases of three", async () => {
    const warns = async (corpus: Corpus, question: string): Promise<boolean> =>
      (await corpus.search(question)).warning !== undefined;
    for (const question of ANSWERED) expect(await warns(among, question), question).toBe(false);
    let [before, after] = [0, 0];
    for (const question of UNANSWERED) {
      if (await warns(alone, question)) before++;
      if (await warns(among, question)) after++;
    }
    expect(before).toBeGreaterThanOrEqual(UNANSWERED.length - 1);
    expect(after).toBeGreaterThanOrEqual((2 / 3) * before);
  });

  it("are each named with what they count as answerable, the lowest of which is that of all", async () => {
    const reply = await among.search(ANSWERED[0]!);
    const each = reply.answerableAtByPackage!;
    expect(Object.keys(each).sort()).toEqual(among.packages.map(({ id }) => id));
    expect(reply.answerableAt).toBe(Math.min(...Object.values(each)));
    expect(reply.similarity).toBe((await alone.search(ANSWERED[0]!)).similarity);
    expect(reply.modelsByPackage).toBeUndefined();
  });

  it("answer the same in whatever order they are mounted", async () => {
    const turned = new Corpus([...among.packages].reverse());
    for (const question of [ANSWERED[1]!, UNANSWERED[1]!])
      expect(await turned.search(question)).toEqual(await among.search(question));
    expect(await turned.info()).toEqual(await among.info());
  });
});

describe("packages of two models and one without", () => {
  const other: Encoder = {
    ...otherUse(encoder),
    describe: async () => ({ ...(await otherUse(encoder).describe()), id: "example/other-model" }),
  };
  let corpus: Corpus;
  let ids: readonly string[];
  beforeAll(async () => {
    const packages = [
      await withMeaning(folderOf(HANDBOOK.slice(0, 6), "a")),
      await withMeaning(folderOf(HANDBOOK.slice(6), "b"), other),
      await openPackage((await packed(unrelated(9))).bytes, { secret: KEY }),
    ];
    ids = packages.map(({ id }) => id);
    corpus = new Corpus(packages);
  }, 120_000);
  afterAll(() => corpus.close());

  it("are each asked with their own, or by words alone, and the reply says which", async () => {
    const reply = await corpus.search("Do children have to wear a life vest?");
    expect(reply.modelsByPackage).toEqual({
      [ids[0]!]: (await encoder.describe()).id,
      [ids[1]!]: "example/other-model",
    });
    expect(Object.keys(reply.answerableAtByPackage!).sort()).toEqual(ids.slice(0, 2).sort());
    expect(reply.meaningUnavailable).toBeUndefined();
  });

  it("find the answer in any of them", async () => {
    for (const [question, path] of [
      ["How much money do I have to leave for a canoe?", "@/a/1.md"],
      ["Where is the spare key for the shed?", "@/b/3.md"],
      ["How many weeks do the bars cure?", "@/other-9/1.md"],
    ] as const)
      expect((await corpus.search(question)).passages[0]?.document, question).toBe(path);
    const byMeaning = await corpus.search("Where do the sails lie in January?", { mode: "meaning", limit: 2 });
    expect(byMeaning.passages.map(({ document }) => document)).toContain("@/b/0.md");
    expect(
      new Set((await corpus.search("money", { mode: "meaning" })).passages.map((hit) => hit.id.slice(0, 8))),
    ).toEqual(new Set(ids.slice(0, 2).map((id) => id.slice(0, 8))));
  });

  it("do not warn of a question that the one without vectors answers by its words", async () => {
    const alone = new Corpus([await withMeaning(folderOf(HANDBOOK, "a"))]);
    const question = "How many hours does a walrus sleep on the ice?";
    expect((await alone.search(question)).warning).toBeDefined();
    await alone.close();
    const beside = new Corpus([
      await withMeaning(folderOf(HANDBOOK, "a")),
      await openPackage((await packed({ "walrus.md": "A walrus sleeps nineteen hours on the ice.\n" })).bytes, {
        secret: KEY,
      }),
    ]);
    expect((await beside.search(question)).warning).toBeUndefined();
    expect((await beside.search("Why do penguins sing madrigals?")).warning).toBeDefined();
    await beside.close();
  });

  it("of which one's model is gone are asked as far as they can be, and the reply says what is missing", async () => {
    const gone = (await packed(folderOf(HANDBOOK.slice(6), "b"), { meaning: { encoder: other } })).bytes;
    const without = new Corpus([
      await withMeaning(folderOf(HANDBOOK.slice(0, 6), "a")),
      await openPackage(gone, { secret: KEY, encoder: () => lent(encoder) }),
    ]);
    const [, missing] = [...without.packages].sort((a) =>
      a.meaning.description?.id === "example/other-model" ? 1 : -1,
    );
    const reply = await without.search("Where is the spare key for the shed?");
    expect(reply.passages[0]?.document).toBe("@/b/3.md");
    expect(reply.meaningUnavailable).toMatchObject({ [missing!.id]: { state: "mismatch" } });
    expect(Object.keys(reply.modelsByPackage!)).not.toContain(missing!.id);
    await without.close();
  });

  it("rest and are asked again", async () => {
    const before = await corpus.search("spare key");
    await corpus.rest();
    expect(await corpus.search("spare key")).toEqual(before);
  });
});
