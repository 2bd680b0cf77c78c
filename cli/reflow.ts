import stringWidth from "string-width";

/** A line that begins a block of its own, or belongs to one whose line ends matter: list, table, quote, code, heading. */
const BLOCK = /^(?:\s{2,}|\t|#{1,6}\s|[-*+]\s|[>|]|\d{1,9}[.)]\s|```|~~~|<!--|={3,}|-{3,})/;
/** A shorter line ended where its writer wanted it to end: verse, an address, a heading without a sign. */
const WRAPPED_AT = 50;
const IDEOGRAPH = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}、。！？：；」』）]/u;

/** Paragraphs with the line ends taken out that only wrapped them, so that they can be wrapped to another width. */
export function reflowed(text: string): string {
  const out: string[] = [];
  for (const line of text.split("\n")) {
    const before = out.at(-1);
    if (before === undefined || !continues(before, line)) out.push(line);
    else out[out.length - 1] = before + (IDEOGRAPH.test(before.at(-1)!) && IDEOGRAPH.test(line[0]!) ? "" : " ") + line;
  }
  return out.join("\n");
}

function continues(before: string, line: string): boolean {
  if (line === "" || BLOCK.test(line) || /^(?:#{1,6}\s|[|>])/.test(before) || / {2}$|\\$/.test(before)) return false;
  return stringWidth(before) >= WRAPPED_AT;
}
