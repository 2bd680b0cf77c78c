import { normaliseWord } from "../src/text/words.js";

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}]/u;

/** The text with every word that a search matched in a style. In scripts without spaces the matched pairs are marked. */
export function marked(text: string, forms: ReadonlySet<string>, style: (text: string) => string): string {
  if (forms.size === 0) return text;
  return text.replace(WORD, (word) => {
    if (forms.has(normaliseWord(word))) return style(word);
    return UNSPACED.test(word) ? markPairs(Array.from(word), forms, style) : word;
  });
}

function markPairs(characters: readonly string[], forms: ReadonlySet<string>, style: (text: string) => string): string {
  const hit = characters.map(() => false);
  for (let i = 0; i + 1 < characters.length; i++)
    if (forms.has(normaliseWord(characters[i]! + characters[i + 1]!))) hit[i] = hit[i + 1] = true;
  let out = "";
  for (let i = 0; i < characters.length;) {
    let end = i + 1;
    while (end < characters.length && hit[end] === hit[i]) end++;
    const run = characters.slice(i, end).join("");
    out += hit[i] ? style(run) : run;
    i = end;
  }
  return out;
}
