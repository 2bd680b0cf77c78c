/** Right-to-left text: a page draws it as it is seen, people and searches want it as it is read. */

const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Numbers and Latin letters run from left to right inside right-to-left text, with what stands between two digits. */
const LTR = /[\p{L}\p{N}]/u;

export function isRightToLeft(text: string): boolean {
  // Nearly all text is settled by this comparison.
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) >= 0x590) return RTL.test(text);
  return false;
}

/**
 * Pieces in the order in which they are seen from left to right, put into the order in which they are read: the whole is
 * turned, and runs that read from left to right are turned back. `textOf` gives a piece's text.
 */
export function readingOrder<T>(seen: readonly T[], textOf: (piece: T) => string): T[] {
  const turned = seen.toReversed();
  const direction = turned.map((piece) => {
    const text = textOf(piece);
    if (isRightToLeft(text)) return "rtl";
    return LTR.test(text) ? "ltr" : "neutral";
  });
  const result: T[] = [];
  for (let index = 0; index < turned.length;) {
    if (direction[index] !== "ltr") {
      result.push(turned[index]!);
      index += 1;
      continue;
    }
    // Neutral pieces belong to the run where it goes on behind them: 12.5, twenty-first.
    let end = index + 1;
    for (let ahead = end; ahead < turned.length && direction[ahead] !== "rtl"; ahead += 1) {
      if (direction[ahead] === "ltr") end = ahead + 1;
    }
    result.push(...turned.slice(index, end).toReversed());
    index = end;
  }
  return result;
}

const MIRRORED: Readonly<Record<string, string>> = {
  "(": ")",
  ")": "(",
  "[": "]",
  "]": "[",
  "{": "}",
  "}": "{",
  "«": "»",
  "»": "«",
};

/** Fonts name a bracket of right-to-left text now by its meaning, now by its look: where it closes before it opens, it was the look. */
export function mirrorBrackets(text: string): string {
  const first = /[()[\]{}]/.exec(text)?.[0];
  if (first !== ")" && first !== "]" && first !== "}") return text;
  return text.replace(/[()[\]{}«»]/g, (sign) => MIRRORED[sign]!);
}
