import { beforeAll, describe, expect, it } from "vitest";
import { whenHere } from "../../src/format/not-here-yet.js";
import type { BuiltWordIndex } from "../../src/words/builder.js";
import { WordIndex } from "../../src/words/dictionary.js";
import { readQuestion, wantWordsOf, type WordQuestion } from "../../src/words/question.js";
import { Lexicon } from "../../src/words/lexicon.js";
import { WordSearch, type WordAnswer, type WordSearchOptions } from "../../src/words/search.js";
import { unknownTerms } from "../../src/words/vocabulary.js";
import { build, open, type TestPassage } from "./memory-streams.js";
import { Journeys, RemoteStream } from "./remote-stream.js";

const PASSAGES = 3_000;
const ENDINGS = ["", "s", "ing", "ed", "er", "ation"];

/** Words that nobody wrote, with endings that a stemmer drops: 20,000 forms. */
function passage(at: number): TestPassage {
  const word = (number: number): string =>
    `${"bcdfghklmnpr"[number % 12]}${"aeiou"[number % 5]}${(number * 7919).toString(36).replace(/\d/g, "x")}t`;
  const words = Array.from({ length: 40 }, (_, i) => {
    const number = (at * 17 + i * i * 31) % 4_000;
    return word(number) + ENDINGS[(at + i) % ENDINGS.length]!;
  });
  return { words: [...words, "harbour", at % 3 === 0 ? "signals" : "signal"], language: at % 5 === 0 ? "de" : "en" };
}

const question = "signalling harbours kettle";

function ask(indexes: readonly WordIndex[], asked: WordQuestion, likeness: WordSearchOptions["likeness"]): WordAnswer {
  return new WordSearch(indexes).search(asked, { limit: 10, likeness });
}

describe("word indexes that are far away", () => {
  let parts: { built: BuiltWordIndex; passages: number }[];
  let local: WordIndex[];

  beforeAll(async () => {
    const all = Array.from({ length: PASSAGES }, (_, at) => passage(at));
    parts = await Promise.all(
      [all.slice(0, 1_000), all.slice(1_000)].map(async (list) => ({
        built: await build(list),
        passages: list.length,
      })),
    );
    local = parts.map(({ built, passages }) => open(built, passages));
  });

  async function openRemote(journeys: Journeys): Promise<WordIndex[]> {
    const remote = parts.map(({ built, passages }) => {
      const stream = (bytes: Uint8Array): RemoteStream => new RemoteStream(bytes, journeys);
      const streams = {
        dictionary: stream(built.dictionary),
        postings: stream(built.postings),
        lengths: stream(built.lengths),
      };
      return () => new WordIndex(streams, passages);
    });
    return Promise.all(remote.map((one) => whenHere(one)));
  }

  const read = (indexes: readonly WordIndex[]): Promise<WordQuestion> =>
    whenHere(() => {
      wantWordsOf(question, indexes);
      return readQuestion(question, ["en"], indexes);
    });

  it("answer by stem as those do that are here, in few journeys and without most of the dictionary", async () => {
    const journeys = new Journeys();
    const remote = await openRemote(journeys);
    expect(journeys.trips).toBe(1);
    const asked = await read(remote);
    const search = new WordSearch(remote);
    const answer = await whenHere(() => search.search(asked, { limit: 10, likeness: "without" }));
    expect(answer).toEqual(ask(local, await read(local), "without"));
    expect(answer.hits).toHaveLength(10);
    expect(answer.forms).toEqual(["signal", "signals", "harbour"]);
    // The heads and lengths, the blocks of the words, those of their stems, the postings.
    expect(journeys.trips).toBeLessThanOrEqual(4);
    const all = parts.reduce((sum, { built }) => sum + built.dictionary.length, 0);
    expect(all).toBeGreaterThan(250_000);
    expect(journeys.bytes).toBeLessThan(all / 2);
  });

  it("answer with likeness as those do that are here, in two journeys more", async () => {
    const journeys = new Journeys();
    const remote = await openRemote(journeys);
    const asked = await read(remote);
    const search = new WordSearch(remote);
    const answer = await whenHere(() => search.search(asked, { limit: 10 }));
    expect(answer).toEqual(ask(local, await read(local), "with"));
    expect(answer).not.toEqual(ask(local, await read(local), "without"));
    expect(journeys.trips).toBeLessThanOrEqual(6);
    const hits = answer.hits.slice(0, 5);
    expect(await whenHere(() => search.coverage(asked, hits))).toBe(new WordSearch(local).coverage(asked, hits));
  });

  it("say which words they do not know, in two journeys", async () => {
    const journeys = new Journeys();
    const [first] = await openRemote(journeys);
    const before = journeys.trips;
    const text = "harbour kettles zinnia";
    expect(await whenHere(() => unknownTerms(first!, text))).toEqual(await unknownTerms(local[0]!, text));
    expect(journeys.trips - before).toBeLessThanOrEqual(2);
  });

  it("look up as much after their forms were let go of as before", () => {
    const [one] = parts.map(({ built, passages }) => open(built, passages));
    const stems = (): unknown => ["signals", "signal", "none"].map((form) => [one!.findForm(form), one!.stemsOf(form)]);
    const before = [stems(), one!.formsOfStem("signal", "en")];
    expect(one!.forms.count).toBe(one!.formCount);
    expect([stems(), one!.formsOfStem("signal", "en")]).toEqual(before);
    const finder = { find: () => -1 };
    one!.releaseForms(finder);
    expect(one!.findForm("signals")).toBe(-1);
    expect(one!.formsOfStem("signal", "en")).toEqual(before[1]);
  });

  it("find their forms in the list of all packages' from then on", () => {
    const indexes = parts.map(({ built, passages }) => open(built, passages));
    const stems = (): unknown =>
      indexes.map((one) => ["signals", "none"].map((form) => [one.findForm(form), one.stemsOf(form)]));
    const before = stems();
    const lexicon = new Lexicon(indexes);
    expect(stems()).toEqual(before);
    for (const [i, one] of indexes.entries())
      expect(lexicon.local(i, lexicon.find("signals"))).toBe(one.findForm("signals"));
  });
});
