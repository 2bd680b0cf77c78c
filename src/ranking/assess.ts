import type { Band } from "./relevance.js";
import type { Unfamiliar } from "./unfamiliar.js";

/** How near a package comes to a text by meaning, and what its calibration makes of that. */
export interface Nearness {
  /** Cosine of the nearest passage, at most 1. */
  readonly similarity: number;
  /** Null where the package was never calibrated, as the next two. */
  readonly answerableAt: number | null;
  readonly band: Band | null;
  /** Whether the calibration takes the text to be answered here. */
  readonly answers: boolean | null;
}

/** Both signals about a question, side by side. */
export interface Assessment {
  /** Null where the package has no vectors of the model that is at hand. */
  readonly similarity: number | null;
  readonly answerableAt: number | null;
  readonly band: Band | null;
  readonly answers: boolean | null;
  /** Terms that the package never saw. */
  readonly unknownTerms: readonly string[];
  /** Their share of all terms of the text. */
  readonly share: number;
  readonly crossLanguage: boolean;
}

/**
 * Puts meaning beside words. Neither overrules the other: a homonym is near by meaning while its deciding word is unknown,
 * and an unknown word on the fringe of a question refuses no answer. Who asks sees both, and decides.
 *
 * @param nearness undefined where meaning has nothing to say
 */
export function assess(words: Unfamiliar, nearness?: Nearness): Assessment {
  return {
    similarity: nearness?.similarity ?? null,
    answerableAt: nearness?.answerableAt ?? null,
    band: nearness?.band ?? null,
    answers: nearness?.answers ?? null,
    unknownTerms: words.terms,
    share: words.share,
    crossLanguage: words.crossLanguage,
  };
}
