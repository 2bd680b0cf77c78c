/** Blocks of pages as Markdown. */
import { codeBlock, escapeText, heading, listItem, paragraph, table, type Cell } from "../markdown.js";
import type { Block } from "./blocks.js";
import { inlineOf, type InlineContext } from "./inline.js";
import { mergeLines, segmentsOf, type Line } from "./lines.js";
import { rowsOf } from "./running.js";
import type { FoundTable, TextItem } from "./page.js";

/** A space this wide between two lines of a listing, in multiples of the usual one, is an empty line. */
const EMPTY_LINE = 1.6;

/** Blocks parted by blank lines; items of one list follow one another without. */
export function writeBlocks(blocks: readonly Block[], context: InlineContext): string[] {
  const written: string[] = [];
  let previous: Block | undefined;
  for (const block of blocks) {
    const markdown = writeBlock(block, context);
    if (markdown === "") continue;
    if (
      block.kind === "item" &&
      previous?.kind === "item" &&
      !(block.depth === 0 && isOther(block.sign.markdown, previous.sign.markdown))
    ) {
      written[written.length - 1] += `\n${markdown}`;
    } else written.push(markdown);
    previous = block;
  }
  return written;
}

/** Bullets and numbers are different lists. */
function isOther(one: string, other: string): boolean {
  return (one === "-") !== (other === "-");
}

function writeBlock(block: Block, context: InlineContext): string {
  switch (block.kind) {
    case "heading":
      return heading(block.level, inlineOf(block.lines, { ...context, plain: true }));
    case "paragraph": {
      const inline = inlineOf(block.lines, context);
      return inline.trim() === "" ? "" : paragraph(inline);
    }
    case "item":
      return listItem(block.sign.markdown, paragraph(inlineOf(block.lines, context, block.sign.length)), block.depth);
    case "code":
      return codeBlock(listing(block.lines));
    case "table":
      return writeTable(block.table, context);
    case "picture":
      return `![](${block.name})`;
  }
}

/** Lines of a typewriter's type with their indents, in columns of the width of a letter. */
function listing(lines: readonly Line[]): string {
  const widths = lines
    .flatMap(({ items }) => items.map(({ width, text }) => width / Array.from(text).length))
    .sort((a, b) => a - b);
  const column = widths[Math.floor(widths.length / 2)] || 6;
  const left = Math.min(...lines.map((line) => line.left));
  const distances = lines
    .slice(1)
    .map((line, index) => line.baseline - lines[index]!.baseline)
    .filter((distance) => distance > 0);
  const usual = distances.toSorted((a, b) => a - b)[Math.floor(distances.length * 0.3)] ?? 12;
  const written: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (index > 0 && line.baseline - lines[index - 1]!.baseline > EMPTY_LINE * usual) written.push("");
    let text = "";
    for (const [at, item] of line.items.entries()) {
      const wanted = Math.round((item.x - left) / column);
      const length = text.length;
      const blank =
        at > 0 && (item.blankBefore || item.x - line.items[at - 1]!.x - line.items[at - 1]!.width > 0.4 * column);
      text +=
        " ".repeat(
          at === 0 ? Math.min(80, Math.max(0, wanted)) : blank ? Math.min(80, Math.max(1, wanted - length)) : 0,
        ) + item.text;
    }
    written.push(text);
  }
  return written.join("\n");
}

function writeTable({ rows, header }: FoundTable, context: InlineContext): string {
  const cells = rows.map(({ cells: row }) =>
    row.map(({ items, colspan, rowspan }): Cell => ({ markdown: cellOf(items, context), colspan, rowspan })),
  );
  return table(cells, { header });
}

function cellOf(items: readonly TextItem[], context: InlineContext): string {
  if (items.length === 0) return "";
  const lines = rowsOf(segmentsOf(items)).map(({ pieces }) => mergeLines(pieces));
  return inlineOf(lines, context);
}

/** Text of a heading, escaped, where it is written without its page. */
export function titleLine(title: string, level: number): string {
  return heading(level, escapeText(title));
}
