/** Blocks of pages as Markdown. */
import { codeBlock, emphasis, escapeText, heading, image, listItem, paragraph, table, type Cell } from "../markdown.js";
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
  let outermost = 0;
  for (const found of blocks) {
    let block = found;
    if ("depth" in block) {
      // What stands between two items ends their list: an item that is indented after it would be a listing.
      const inside = previous?.kind === block.kind ? previous.depth + 1 : 0;
      if (inside === 0 || block.depth < outermost) outermost = block.depth;
      block = { ...block, depth: Math.min(block.depth - outermost, inside) };
    }
    const markdown = writeBlock(block, context);
    if (markdown === "") continue;
    if (previous !== undefined && goesOn(previous, block)) {
      written.push(`${written.pop()!}\n${markdown}`);
    } else written.push(markdown);
    previous = block;
  }
  return written;
}

/** Whether an item belongs to the list before it. Bullets and numbers are different lists. */
function goesOn(previous: Block, block: Block): boolean {
  if (block.kind === "contents") return previous.kind === "contents";
  if (block.kind !== "item" || previous.kind !== "item") return false;
  return block.depth > 0 || (block.sign.markdown === "-") === (previous.sign.markdown === "-");
}

function writeBlock(block: Block, context: InlineContext): string {
  switch (block.kind) {
    case "heading":
      return heading(block.level, inlineOf(block.lines, { ...context, plain: true }));
    case "paragraph": {
      const inline = inlineOf(block.lines, context);
      if (inline.trim() === "") return "";
      return isLabel(block.lines, context) ? emphasis(inline, { bold: true }) : paragraph(inline);
    }
    case "item":
      return listItem(block.sign.markdown, paragraph(inlineOf(block.lines, context, block.sign.length)), block.depth);
    case "contents":
      return listItem(
        "-",
        paragraph(
          inlineOf(block.lines, context)
            .replace(/(?:[.·․] ?){4,}|…{2,}/g, " … ")
            .replace(/ +/g, " "),
        ),
        block.depth,
      );
    case "code":
      return codeBlock(listing(block.lines));
    case "table":
      return writeTable(block.table, context);
    case "picture":
      return image(block.picture.alt, block.picture.name);
  }
}

/** A short line in bold between paragraphs that are not: `Note`. */
function isLabel(lines: readonly Line[], { boldBody }: InlineContext): boolean {
  return (
    !boldBody &&
    lines.length === 1 &&
    lines[0]!.items.every(({ bold }) => bold) &&
    /^[\p{L}\p{N}].{0,100}[\p{L}\p{N}:.]$/u.test(lines[0]!.text)
  );
}

/** Lines of a typewriter's type with their indents, in columns of the width of a letter. */
function listing(lines: readonly Line[]): string {
  const widths = lines
    .flatMap(({ items }) => items.map(({ width, text }) => width / Array.from(text).length))
    .sort((a, b) => a - b);
  const column = Math.max(1, widths[Math.floor(widths.length / 2)] ?? 6);
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
