/** Plain text as Markdown: the words and lines as they are, structure only where the writer drew it with signs. */
import { codeBlock, escapeText, heading, paragraph } from "../markdown.js";

/** Text that shows on screen, and how many control characters had to go for it. */
export interface CleanText {
  readonly text: string;
  readonly dropped: number;
}

/**
 * Brings line ends to LF, takes out what terminals and printers were told (colours, overstriking), and puts a blank in the
 * place of any other control character, so that the words beside it stay two.
 */
export function cleanText(text: string): CleanText {
  let dropped = 0;
  const clean = text
    .replace(/\r\n?|\u0085|\u2028|\u2029|\v/g, "\n")
    .replace(/\f/g, "\n\n")
    .replace(/\x1b\[[0-9;?]*[A-Za-z]|[^\n]\x08/g, "")
    .replace(/(?![\t\n])\p{Cc}/gu, () => {
      dropped++;
      return " ";
    });
  return { text: clean, dropped };
}

/** Lines longer than this are escaped in pieces: looking around in a line of megabytes takes the square of its length. */
const PIECE = 4_000;

/** Inline Markdown of one line of text. */
export function escapeLine(line: string): string {
  if (line.length <= PIECE) return escapeText(line);
  const pieces: string[] = [];
  for (let at = 0; at < line.length;) {
    let end = Math.min(line.length, at + PIECE);
    const blank = line.lastIndexOf(" ", end);
    if (end < line.length && blank > at) end = blank;
    // A pair of surrogates is one sign.
    else if (/[\uD800-\uDBFF]/.test(line.charAt(end - 1))) end--;
    pieces.push(escapeText(line.slice(at, end)));
    at = end;
  }
  return pieces.join("");
}

/** Plain text as Markdown; `text` comes from `cleanText`. */
export function plainToMarkdown(text: string): string {
  const writer = new Writer();
  let block: string[] = [];
  for (const line of text.split("\n")) {
    if (line.trim() !== "") block.push(line.trimEnd().replace(/\t/g, "    "));
    else if (block.length > 0) {
      writer.add(block);
      block = [];
    }
  }
  if (block.length > 0) writer.add(block);
  return writer.blocks.length === 0 ? "" : `${writer.blocks.join("\n\n")}\n`;
}

const BULLET = /^([-*+•])\s+(?=\S)/;

/** Writes blocks, lines between empty ones. What is set in below a bullet stays part of its item. */
class Writer {
  readonly blocks: string[] = [];
  /** Columns at which the bullets of the open list stand, outermost first. */
  #bullets: number[] = [];

  add(block: readonly string[]): void {
    const indent = leastIndent(block);
    if (BULLET.test(block[0]!.trim()) && !RULE.test(block[0]!.trim())) this.blocks.push(this.#list(block));
    else {
      while (this.#bullets.length > 0 && indent <= this.#bullets.at(-1)!) this.#bullets.pop();
      const inItem = "  ".repeat(this.#bullets.length);
      this.blocks.push(blockToMarkdown(block, indent - (this.#bullets.at(-1) ?? 0)).replace(/^(?=.)/gm, inItem));
    }
  }

  /** Bullets are no words, so they may become a list's; numbers are words and stay such (`1\.`). */
  #list(block: readonly string[]): string {
    return block
      .map((line) => {
        const rest = line.trim();
        const bullet = BULLET.exec(rest);
        if (bullet === null) return "  ".repeat(this.#bullets.length) + paragraph(escapeLine(rest));
        const indent = indentOf(line);
        while (this.#bullets.length > 0 && indent < this.#bullets.at(-1)!) this.#bullets.pop();
        if (this.#bullets.at(-1) !== indent) this.#bullets.push(indent);
        const item = paragraph(escapeLine(rest.slice(bullet[0].length)));
        return `${"  ".repeat(this.#bullets.length - 1)}- ${item}`;
      })
      .join("\n");
  }
}

function leastIndent(block: readonly string[]): number {
  return block.reduce((least, line) => Math.min(least, indentOf(line)), Infinity);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

const RULE = /^([=\-~*_#^.+])(?:\s*\1){2,}$/;

/** A block that is no list. `indent` is how far it is set in from what holds it. */
function blockToMarkdown(block: readonly string[], indent: number): string {
  const lines = block.map((line) => line.trim());
  if (lines.length === 1 && RULE.test(lines[0]!)) return "---";
  // A title may have a line above it too.
  const above = lines.length > 2 && RULE.test(lines[0]!) ? 1 : 0;
  const title = underlined(lines[above]!, lines[above + 1] ?? "");
  if (title !== undefined) {
    const rest = block.slice(above + 2);
    return rest.length === 0 ? title : `${title}\n\n${body(rest, indent)}`;
  }
  return body(block, indent);
}

function body(block: readonly string[], indent: number): string {
  if (isDrawn(block, indent)) return codeBlock(dedented(block).join("\n"));
  return block.map((line) => paragraph(escapeLine(line.trim()))).join("\n");
}

/** A heading that the writer underlined; which sign means which level is custom, not rule. */
function underlined(title: string, line: string): string | undefined {
  if (!/^([=\-~*_#^.+])\1{2,}$/.test(line) || title.length > 200 || !/[\p{L}\p{N}]/u.test(title)) return undefined;
  const width = Array.from(title).reduce((sum, sign) => sum + (/[\u1100-\uFFEF]/.test(sign) ? 2 : 1), 0);
  if (line.length < 0.5 * title.length || line.length > 1.5 * width + 3) return undefined;
  return heading(/^[=*#]/.test(line) ? 1 : line.startsWith("-") ? 2 : 3, escapeLine(title));
}

/** Set in further than this a line stands in the middle of its page: a title, not code. */
const CENTRED = 16;

/** Columns, drawings and listings live by their blanks: two gaps in a line, signs that draw, or lines all set in that are no prose. */
function isDrawn(block: readonly string[], indent: number): boolean {
  let drawn = 0;
  for (const line of block) {
    const inside = line.trim().slice(0, 1_000);
    if (/\S {3,}\S.*\S {3,}\S|[\u2500-\u259F]|^[+|].*[+|]$|^\|/.test(inside)) drawn++;
  }
  if (drawn > 0 && drawn >= block.length / 2) return true;
  if (indent < 4 || (indent >= CENTRED && block.length <= 3)) return false;
  const prose = block.filter((line) => /^[\p{L}\p{N}"'“„«(]/u.test(line.trim()) && /\p{L}{2,} \p{L}{2,}/u.test(line));
  const steps = new Set(block.map(indentOf));
  return prose.length < block.length / 2 || (steps.size > 2 && block.some((line) => /[{}();=]$/.test(line)));
}

function dedented(block: readonly string[]): string[] {
  const least = leastIndent(block);
  return block.map((line) => line.slice(least));
}
