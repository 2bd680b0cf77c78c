import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measureQuality, QUALITY_SETS, type Quality } from "../../bench/quality.js";
import { mean } from "../../bench/measures.js";
import { grams } from "../../src/text/grams.js";
import { loadStemmer } from "../../src/text/stems.js";
import { readQuestion, type WordQuestion } from "../../src/words/question.js";
import { RANKING, WordSearch } from "../../src/words/search.js";
import { sharedData } from "../shared-data.js";
import { indexOf, type TestPassage } from "./memory-streams.js";

const count = (list: readonly string[], wanted: string): number => list.filter((one) => one === wanted).length;

/** Sum over the terms of BM25, each term given by the frequency in every passage (spec/words.md §5). */
function bm25(
  passages: readonly TestPassage[],
  terms: readonly { weight: number; frequencies: readonly number[] }[],
  { k1, b }: { k1: number; b: number },
): number[] {
  const average = mean(passages.map(({ words }) => words.length));
  return passages.map(({ words }, at) => {
    let score = 0;
    for (const { weight, frequencies } of terms) {
      const documents = frequencies.reduce((sum, frequency) => sum + Math.min(1, frequency), 0);
      const idf = Math.log(1 + (passages.length - documents + 0.5) / (documents + 0.5));
      const f = frequencies[at]!;
      score += (weight * idf * f * (k1 + 1)) / (f + k1 * (1 - b + (b * words.length) / average));
    }
    return score;
  });
}

/** The rules of spec/words.md by the letter: every form of every passage is looked at for every word. */
async function byTheLetter(
  passages: readonly TestPassage[],
  question: WordQuestion,
  readAs: Readonly<Record<string, readonly string[]>>,
): Promise<number[]> {
  const forms = [...new Set(passages.flatMap(({ words }) => words))].sort();
  const stem = await loadStemmer("en");
  const meaningful = question.words.filter(({ functionWord }) => !functionWord);
  const asked = meaningful.length > 0 ? meaningful : question.words;
  const gramWeight = (gram: string): number => {
    const holding = forms.filter((form) => grams(form).includes(gram)).length;
    return holding === 0 ? 0 : Math.round(1024 * Math.log(1 + (forms.length + 1) / (holding + 1)) ** 2);
  };
  const byStem = asked.map((word) => ({
    weight: Math.sqrt(word.count),
    frequencies: passages.map(
      ({ words }) =>
        words.filter((form) =>
          (readAs[word.form] ?? [word.form]).some((asked) => form === asked || stem(form) === stem(asked)),
        ).length,
    ),
  }));
  const byLikeness = asked.map((word) => {
    const own = grams(word.form);
    const all = own.reduce((sum, gram) => sum + gramWeight(gram), 0);
    const alike = forms
      .map((form) => {
        const shared = own.filter((gram) => grams(form).includes(gram));
        return { form, share: shared.reduce((sum, gram) => sum + gramWeight(gram), 0) };
      })
      .filter(({ share }) => share > 0 && share >= RANKING.leastLikeness * all)
      .map(({ form, share }) => ({ form, likeness: Math.floor((4096 * share) / all) / 4096 }))
      .sort((x, y) => y.likeness - x.likeness)
      .slice(0, RANKING.mostAlike)
      .filter(({ form }) => !readAs[word.form]?.includes(form))
      .concat(readAs[word.form]?.map((form) => ({ form, likeness: 1 })) ?? []);
    return {
      weight: Math.sqrt(word.count * own.length),
      frequencies: passages.map(({ words }) =>
        alike.reduce((sum, { form, likeness }) => sum + likeness * count(words, form), 0),
      ),
    };
  });
  const [first, second] = [bm25(passages, byStem, RANKING.stem), bm25(passages, byLikeness, RANKING.likeness)];
  const best = (scores: readonly number[]): number => Math.max(...scores) || 1;
  return first.map((score, at) => score / best(first) + (RANKING.likenessWeight * second[at]!) / best(second));
}

describe("the ranking", () => {
  const words = ["nation", "nations", "national", "nationally", "ration", "the", "wing", "wings", "winged", "swing"];
  const passage = fc.record({
    words: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 15 }),
    language: fc.constant("en"),
  });

  it("follows spec/words.md by the letter", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(passage, { minLength: 1, maxLength: 12 }),
        fc.array(fc.constantFrom(...words, "natoin", "unknown"), { minLength: 1, maxLength: 6 }),
        async (passages, asked) => {
          const question = await readQuestion(asked.join(" "), ["en"]);
          const { hits, found, readAs } = new WordSearch([await indexOf(passages)]).search(question, { limit: 20 });
          const expected = await byTheLetter(passages, question, readAs);
          expect(found).toBe(expected.filter((score) => score > 0).length);
          expect(hits.map((hit) => hit.passage).sort((a, b) => a - b)).toEqual(
            expected.flatMap((score, at) => (score > 0 ? [at] : [])),
          );
          for (const { passage: at, score } of hits) expect(score).toBeCloseTo(expected[at]!, 6);
        },
      ),
      { numRuns: 100, seed: 21 },
    );
  });
});

/** What must be reached (DESIGN §5 and §9): nDCG@10, and for XQuAD the share of first hits over the eight languages. */
const GOALS: Readonly<Record<string, number>> = {
  "scifact-train": 0.7,
  cranfield: 0.4,
  med: 0.72,
  cacm: 0.48,
  npl: 0.43,
};
const LONG = process.env.MDCX_LONG !== undefined && process.env.MDCX_LONG !== "";

describe.skipIf(sharedData === undefined || !LONG)(
  "ranking quality (needs MDCX_LONG, and the shared data: MDCX_DATA or ../shared/data)",
  () => {
    it("reaches its goals on every collection", { timeout: 600_000 }, async () => {
      const results = await measureQuality(sharedData!, { peers: false });
      const of = (name: string): Quality => results.find(({ set }) => set === name)!;
      for (const [name, goal] of Object.entries(GOALS)) expect(of(name).ndcg10, name).toBeGreaterThanOrEqual(goal);
      const languages = QUALITY_SETS.filter((name) => name.startsWith("xquad/"));
      expect(mean(languages.map((name) => of(name).hit1))).toBeGreaterThanOrEqual(0.92);
    });
  },
);
