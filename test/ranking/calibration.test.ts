import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { VectorCache } from "../../bench/vector-cache.js";
import { MdcxError } from "../../src/errors.js";
import type { Encoder } from "../../src/meaning/encoder.js";
import { openEncoder } from "../../src/node/encoder/open.js";
import {
  calibrationFromQuestions,
  calibrationMeta,
  estimateCalibration,
  readCalibration,
  type Calibration,
  type CalibrationCorpus,
} from "../../src/ranking/calibration.js";
import {
  answers,
  BANDS,
  closeness,
  judge,
  JUDGED_PASSAGES,
  runnerUp,
  warnsBelow,
  type Judgement,
} from "../../src/ranking/relevance.js";
import { ANSWERED, corpusOf, HANDBOOK, UNANSWERED } from "./small-corpus.js";

const shipped = openEncoder(undefined, { threads: 1 });
/** The shipped model, which is not asked twice for one text: every calibration asks the same foreign questions. */
let encoder: Encoder;
let handbook: CalibrationCorpus;
let calibration: Calibration;
beforeAll(async () => {
  encoder = (await VectorCache.open(shipped)).asEncoder();
  handbook = await corpusOf(encoder, HANDBOOK);
  calibration = await estimateCalibration(encoder, handbook, { languages: ["en"] });
});
afterAll(() => shipped.close());

async function ask(question: string, by = calibration, corpus = handbook, crosses = false): Promise<Judgement> {
  const { vectors } = await encoder.encode([question], "query");
  const similarities = corpus.nearest(vectors, JUDGED_PASSAGES).map(({ similarity }) => similarity);
  return judge(similarities[0]!, by, { vector: vectors, runnerUp: runnerUp(similarities)!, crossing: crosses ? 1 : 0 });
}

/** Share of the questions that warn. */
async function warned(questions: readonly string[], by?: Calibration, corpus?: CalibrationCorpus): Promise<number> {
  let count = 0;
  for (const question of questions) if ((await ask(question, by, corpus)).warning !== undefined) count++;
  return count / questions.length;
}

describe("a package calibrated by its own passages", () => {
  it("answers what it knows and warns of what it does not", async () => {
    expect(await warned(ANSWERED)).toBeLessThanOrEqual(1 / ANSWERED.length);
    expect(await warned(UNANSWERED)).toBeGreaterThanOrEqual(0.8);
  });

  it("says so in a sentence that a person understands, and only then", async () => {
    const judged = await ask(UNANSWERED[1]!);
    expect(judged.band).toBe("none");
    expect(judged.warning).toMatch(/^Nothing here seems to be about this question/);
    for (const question of ANSWERED.slice(0, 3)) expect(await ask(question)).not.toHaveProperty("warning");
  });

  it("is calibrated alike every time", async () => {
    expect(await estimateCalibration(encoder, handbook, { languages: ["en"] })).toEqual(calibration);
  });

  it("states both error rates and where they come from", () => {
    expect(calibration.origin).toBe("estimated");
    expect(calibration.questions).toEqual([]);
    expect(calibration.falseAlarms).toBeLessThan(0.2);
    expect(calibration.misses).toBeLessThan(0.3);
    expect(calibration.strangers).toBeLessThan(calibration.answerableAt);
    expect(calibration.answerableAt).toBeLessThan(calibration.typical);
    expect(calibration.base).toBeGreaterThan(0.5);
  });

  it("lets a question in a language that it lacks pass where one in its own would warn", async () => {
    // Its answer is there; the model draws texts of two languages together less.
    const crossing = [
      "Müssen Kinder eine Schwimmweste tragen?",
      "冬天船帆放在哪里？",
      "Сколько дней длится курс для начинающих?",
    ];
    for (const question of crossing) expect((await ask(question, calibration, handbook, true)).warning).toBeUndefined();
    expect(warnsBelow(calibration, 1)).toBeLessThan(warnsBelow(calibration));
  });

  it("knows another package by another number", async () => {
    const recipes = await corpusOf(encoder, [
      "Bread\nKnead flour, water and salt for ten minutes. Let the dough rise under a cloth until it has doubled, bake it at 230 degrees.",
      "Soup\nFry the onions in butter, add potatoes and stock, cook for twenty minutes. Season with nutmeg and pass through a sieve.",
      "Jam\nBoil strawberries with the same weight of sugar for four minutes. Fill into hot glasses and turn them upside down.",
      "Pancakes\nBeat eggs with milk and flour. Leave the batter to stand for half an hour. Bake thin cakes in a hot pan.",
    ]);
    const other = await estimateCalibration(encoder, recipes);
    expect(other.answerableAt).not.toBe(calibration.answerableAt);
    expect((await ask("How long should bread dough rise before baking?", other, recipes)).warning).toBeUndefined();
    expect(await warned(ANSWERED, other, recipes)).toBeGreaterThanOrEqual(0.8);
  });
});

describe("a small package", () => {
  it.each([1, 2, 3, 4, 5])("of %i passages neither fails nor warns of everything", async (count) => {
    const corpus = await corpusOf(encoder, HANDBOOK.slice(0, count));
    const made = await estimateCalibration(encoder, corpus);
    for (const value of [made.answerableAt, made.base, made.strangers, made.typical, made.misses])
      expect(Number.isFinite(value)).toBe(true);
    expect(await warned(ANSWERED.slice(0, count), made, corpus)).toBe(0);
    // A line drawn by one passage is drawn with care.
    expect(await warned(UNANSWERED, made, corpus)).toBeGreaterThanOrEqual(count === 1 ? 0.2 : 0.5);
  });

  it("may be one document, or one word", async () => {
    const one = await corpusOf(encoder, HANDBOOK.slice(0, 4), () => 0);
    expect((await estimateCalibration(encoder, one)).base).toBeLessThan(0.95);
    const word = await corpusOf(encoder, ["Ahoy"]);
    const made = await estimateCalibration(encoder, word);
    expect(made.falseAlarms).toBeNull();
    expect((await ask("Ahoy", made, word)).warning).toBeUndefined();
  });

  it("without passages cannot be calibrated", async () => {
    const none = { ...handbook, passages: 0 };
    await expect(estimateCalibration(encoder, none)).rejects.toThrow(MdcxError);
  });
});

describe("a package calibrated by questions", () => {
  const focus = ANSWERED.filter((_, i) => i % 2 === 0);

  it("warns of none of them, and just under the weakest", async () => {
    const made = await calibrationFromQuestions(encoder, handbook, focus, "focus");
    expect(made.origin).toBe("focus");
    expect(made.questions.map(({ question }) => question)).toEqual(focus);
    expect(await warned(focus, made)).toBe(0);
    const least = made.answerableAt - made.strangers;
    expect((warnsBelow(made) - made.strangers) / least).toBeCloseTo(0.95);
    expect(await warned(UNANSWERED, made)).toBeGreaterThanOrEqual(0.8);
  });

  it("of a catalogue whose entries are all alike stops warning of good questions", async () => {
    const sizes = ["M4", "M5", "M6", "M8", "M10", "M12"];
    const kinds = ["Hexagon bolt", "Wood screw", "Wing nut", "Washer", "Threaded rod"];
    const entries = kinds.flatMap((kind, k) =>
      sizes.map(
        (size, s) => `Article ${1_000 + 10 * k + s}: ${kind} ${size}, galvanised steel, box of ${100 * (s + 1)}.`,
      ),
    );
    const catalogue = await corpusOf(encoder, entries);
    const good = [
      "something to hang a shelf",
      "bolts for my garden gate",
      "What do I fix a table leg with?",
      "small nuts",
    ];
    const estimated = await estimateCalibration(encoder, catalogue);
    const focused = await calibrationFromQuestions(encoder, catalogue, good, "focus-after");
    expect(await warned(good, estimated, catalogue)).toBeGreaterThan(0);
    expect(await warned(good, focused, catalogue)).toBe(0);
    expect(focused.answerableAt).toBeLessThan(estimated.answerableAt);
  });

  it("states no false alarms for fewer than ten, and judges each without itself for more", async () => {
    expect((await calibrationFromQuestions(encoder, handbook, focus, "focus")).falseAlarms).toBeNull();
    const made = await calibrationFromQuestions(encoder, handbook, ANSWERED, "focus");
    // At most the weakest lies below the line that the others make.
    expect(made.falseAlarms).toBeLessThanOrEqual(1 / ANSWERED.length);
  });

  it("wants questions", async () => {
    for (const questions of [[], [""], ["Where are the sails?", " \n"]])
      await expect(calibrationFromQuestions(encoder, handbook, questions, "focus")).rejects.toMatchObject({
        code: "bad-input",
      });
  });
});

describe("a judgement", () => {
  const number = fc.double({ min: 0, max: 1, noNaN: true });
  const any = fc
    .record({ answerableAt: number, strangers: number, above: number, margin: number })
    .map(({ answerableAt, above, ...rest }) => ({
      ...calibration,
      ...rest,
      answerableAt,
      typical: answerableAt + above,
    }));

  it("never sinks where the similarity rises", () => {
    fc.assert(
      fc.property(any, number, number, (by, a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)].map((one) => BANDS.indexOf(judge(one, by).band)) as [
          number,
          number,
        ];
        expect(high).toBeLessThanOrEqual(low);
      }),
      { seed: 5 },
    );
  });

  it("never warns of what comes as near as the questions that it answers", () => {
    fc.assert(
      fc.property(any, number, (by, above) => {
        expect(answers(by.answerableAt + above, by)).toBe(true);
      }),
      { seed: 5 },
    );
  });

  it("takes off what a question has in common with anything", async () => {
    const { vectors } = await encoder.encode(["information"], "query");
    const { similarity } = handbook.nearest(vectors, 1)[0]!;
    const { clearance } = closeness(similarity, calibration, vectors);
    expect(clearance).toBeGreaterThan(0);
    expect(clearance).toBeLessThan(similarity);
    expect(closeness(similarity)).toEqual({ similarity, clearance: null });
  });
});

describe("a stored calibration", () => {
  const stored = (one: Calibration) => new Map(Object.entries(calibrationMeta(one)));

  it("judges as it did", async () => {
    const back = readCalibration(stored(calibration), [])!;
    expect({ ...back, reference: { ...back.reference, direction: [] } }).toEqual({
      ...calibration,
      reference: { ...calibration.reference, direction: [] },
    });
    for (const question of [...ANSWERED, ...UNANSWERED]) expect(await ask(question, back)).toEqual(await ask(question));
  });

  it("keeps questions, and rates that were not measured as such", async () => {
    const made = await calibrationFromQuestions(encoder, handbook, ANSWERED.slice(0, 2), "focus-after");
    const back = readCalibration(stored(made), made.questions)!;
    expect(back.questions).toEqual(made.questions);
    expect(back.falseAlarms).toBeNull();
    expect(back.origin).toBe("focus-after");
  });

  it("is none where the package has none, or one of a version to come", () => {
    expect(readCalibration(new Map(), [])).toBeUndefined();
    expect(readCalibration(stored(calibration).set("calibration:version", "2"), [])).toBeUndefined();
  });

  it("is refused where it lacks something or holds no numbers", () => {
    const required = [...stored(calibration).keys()].filter((key) => !/version|false_alarms|misses/.test(key));
    expect(required).toHaveLength(11);
    for (const key of required) {
      const without = stored(calibration);
      without.delete(key);
      for (const meta of [
        without,
        stored(calibration).set(key, ""),
        stored(calibration).set(key, "NaN!"),
        stored(calibration).set(key, "1e999"),
      ])
        expect(() => readCalibration(meta, []), key).toThrow(expect.objectContaining({ code: "bad-image" }));
    }
    for (const share of ["1.5", "-0.1", "many"])
      expect(() => readCalibration(stored(calibration).set("calibration:misses", share), [])).toThrow(MdcxError);
  });
});
