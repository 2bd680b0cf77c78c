import type { MeaningState } from "./package-meaning.js";
import type { Finder, Fused } from "./ranking/fuse.js";
import { RECENT_DEPTH } from "./ranking/prefer.js";

/** What a preference for recent documents has to know of an answer. */
export interface Preferable {
  readonly mode: "auto" | "words" | "meaning";
  /** By place of the package; empty where meaning was not asked. */
  readonly states: readonly MeaningState[];
  /** The fused order, uncut. */
  readonly fused: readonly Fused[];
  readonly dateOf: (hit: Fused) => string | null;
}

/**
 * Why a preference for recent documents changes nothing, and what would help; undefined where it can be applied. The date is a
 * third ranking: against one alone it would weigh as much as the question itself.
 */
export function whyNotRecent({ mode, states, fused, dateOf }: Preferable): string | undefined {
  if (mode !== "auto")
    return `The date orders what words and meaning find together, and this was asked by ${mode} alone: leave the mode at auto.`;
  const [refused] = states;
  if (refused !== undefined && refused.state !== "available" && states.every(({ state }) => state !== "available"))
    return `The date orders what words and meaning find together. ${refused.reason} ${refused.remedy}`;
  if (fused.length === 0) return undefined;
  const isFoundBy = (finder: Finder): boolean => fused.some(({ foundBy }) => foundBy.includes(finder));
  if (!isFoundBy("word"))
    return "The date orders what words and meaning find together, and only meaning found anything: ask in a language of the documents, with words that they use.";
  if (!isFoundBy("meaning"))
    return "The date orders what words and meaning find together, and only words found anything: ask for more than is quoted.";
  if (fused.slice(0, RECENT_DEPTH).every((hit) => dateOf(hit) === null))
    return "No document of the answer has a date: pack anew with --dates FILE.csv, or with --date-from-mtime.";
  return undefined;
}
