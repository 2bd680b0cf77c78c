/** Passages asked at most: enough for a fifth of them to be counted well, few enough for some seconds of encoding. */
export const MOST_SAMPLED = 200;
/** Questions that a small package is asked, where it has as many sentences. */
const ENOUGH_QUESTIONS = 50;
/** Questions made of one passage at most. */
const MOST_OF_ONE = 4;

/**
 * Width of a question, in letters. People ask in 30 to 120; of those tried (60, 80, 120, 240) 120 gives what people's
 * questions reach best.
 */
const LEAST_WIDTH = 40;
const MOST_WIDTH = 120;
/** A question holds at most this share of its passage, or it is not asked of the passage but is the passage. */
const MOST_SHARE = 0.5;
/** What an ideograph, kana or Hangul counts in letters. */
const IDEOGRAPH = 2.5;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

const SENTENCE = /[^.!?。！？।؟]+[.!?。！？।؟]*/gu;
/** Headings, and lines that draw a table or a rule. */
const NO_SENTENCE = /^\s*#|^[\s|:=*+_-]*$/u;

/** A question that a passage answers, for it is taken from there. */
export interface OwnQuestion {
  readonly text: string;
  /** Number of the passage. */
  readonly passage: number;
}

/**
 * Numbers spread evenly over `0 … count - 1`, ascending.
 * @param most how many at most
 */
export function evenly(count: number, most: number): number[] {
  if (count <= most) return Array.from({ length: count }, (_, i) => i);
  return Array.from({ length: most }, (_, i) => Math.floor(((i + 0.5) * count) / most));
}

/** Questions from the given passages, one of each or, where these are few, several. The same texts give the same. */
export function ownQuestions(passages: readonly number[], text: (passage: number) => string): OwnQuestion[] {
  const each = Math.min(MOST_OF_ONE, Math.ceil(ENOUGH_QUESTIONS / Math.max(1, passages.length)));
  return passages.flatMap((passage) => questionsOf(text(passage), each).map((one) => ({ text: one, passage })));
}

/** Up to `most` stretches of a text of one or a few sentences each, spread over it; none where it is empty. */
export function questionsOf(text: string, most: number): string[] {
  const body = text
    .split("\n")
    .filter((line) => !NO_SENTENCE.test(line))
    .join(" ");
  const sentences = (body.match(SENTENCE) ?? [text]).map((one) => one.trim()).filter((one) => one !== "");
  const widest = Math.max(LEAST_WIDTH / 2, Math.min(MOST_WIDTH, MOST_SHARE * widthOf(text)));
  const starts = evenly(sentences.length, most);
  const found = starts.map((start) => {
    let question = "";
    for (let i = start; i < sentences.length && widthOf(question) < LEAST_WIDTH; i++)
      question += (question === "" ? "" : " ") + sentences[i]!;
    return cut(question, widest);
  });
  return [...new Set(found)];
}

/** As much of a text as fits, without a part of a word at its end where words are spaced. */
function cut(text: string, widest: number): string {
  let width = 0;
  let end = 0;
  for (const character of text) {
    width += widthOf(character);
    if (width > widest && end > 0) {
      const blank = text.lastIndexOf(" ", end);
      return text.slice(0, blank > end / 2 ? blank : end).trim();
    }
    end += character.length;
  }
  return text;
}

function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? IDEOGRAPH : 1;
  return width;
}
