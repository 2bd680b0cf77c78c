import { judgePackage } from "./judged-package.js";
import type { NearAnswer } from "./nearest-passages.js";
import type { PackageMeaning } from "./package-meaning.js";
import type { Ranked } from "./ranking/fuse.js";
import { BANDS, JUDGED_PASSAGES, upheld, type Judgement } from "./ranking/relevance.js";
import type { Reply } from "./reply.js";

/** Nearest passages of a package that are asked, beside those of the answer, whether a question's words stand together in one. */
const NEAREST_READ = 10;

/** What is needed of an opened package. */
export interface Judged {
  /** 32 hex digits. */
  readonly id: string;
  readonly meaning: Pick<PackageMeaning, "calibration">;
}

/** A question, and what was found for it. */
export interface AnsweredQuestion {
  /** Its language, `und` where it cannot be told. */
  readonly language: string;
  readonly languageOf: (hit: Ranked) => string;
  /** Share of its words that one of some passages holds, weighed by what they tell. */
  readonly coverage: (passages: readonly Ranked[]) => number;
  /** The passages of the answer. */
  readonly answer: readonly Ranked[];
}

/** What a reply says of how near the packages come to its question. */
export type Relevance = Pick<
  Reply,
  "similarity" | "answerableAt" | "answerableAtByPackage" | "band" | "warning" | "modelsByPackage"
>;

/**
 * How near the packages come to a question, once a reply; nothing where meaning could not be asked.
 *
 * Those are heard that hold one of the nearest passages of all, each as if it were alone (spec/reading.md §3). Were all of them
 * heard, one of many would always find the question near: of questions that nothing here answers, with ten packages one in
 * four would still be warned of, and with one package two in three.
 */
export function relevanceOf(packages: readonly Judged[], near: NearAnswer, question: AnsweredQuestion): Relevance {
  const models = modelsOf(packages, near);
  if (near.similarity === undefined) return models;
  const answerableAt = Object.fromEntries(
    packages.flatMap(({ id, meaning: { calibration } }, place) =>
      calibration === undefined || !near.vectors.has(place) ? [] : [[id, calibration.answerableAt]],
    ),
  );
  const calibrated = near.hits.filter((hit) => packages[hit.package]!.meaning.calibration !== undefined);
  const heard = new Set(calibrated.slice(0, JUDGED_PASSAGES).map((hit) => hit.package));
  const judgements = [...heard].flatMap((place) => judgementOf(packages[place]!, place, near, question) ?? []);
  // A package that has nothing to judge by is heard by its words: what it found there may be the answer.
  const unjudged = question.answer.filter(({ package: at }) => answerableAt[packages[at]!.id] === undefined);
  const [nearest] = judgements
    .sort((a, b) => BANDS.indexOf(a.band) - BANDS.indexOf(b.band))
    .map((judgement) => upheld(judgement, () => question.coverage(unjudged)));
  return {
    similarity: near.similarity,
    ...(nearest && {
      answerableAt: Math.min(...Object.values(answerableAt)),
      answerableAtByPackage: answerableAt,
      band: nearest.band,
      ...(nearest.warning !== undefined && { warning: nearest.warning }),
    }),
    ...models,
  };
}

function judgementOf(
  { meaning: { calibration } }: Judged,
  place: number,
  near: NearAnswer,
  question: AnsweredQuestion,
): Judgement | undefined {
  const hits = near.nearestOf(place);
  const judgement = calibration && judgePackage(calibration, hits, near.vectors.get(place)!, question);
  if (judgement === undefined) return undefined;
  const read = [...hits.slice(0, NEAREST_READ), ...question.answer.filter((hit) => hit.package === place)];
  return upheld(judgement, () => question.coverage(read));
}

/** The model that each was asked with; nothing where all were asked with one, or none was. */
function modelsOf(packages: readonly Judged[], { states }: NearAnswer): Pick<Reply, "modelsByPackage"> {
  const asked = states.map((state) => (state.state === "available" ? state.model : undefined));
  if (new Set(asked).size < 2) return {};
  return {
    modelsByPackage: Object.fromEntries(
      packages.flatMap(({ id }, place) => (asked[place] === undefined ? [] : [[id, asked[place]]])),
    ),
  };
}
