import {
  codeBlock,
  codeSpan,
  emphasis,
  escapeText,
  formula,
  heading,
  listItem,
  paragraph,
  quote,
  table,
  type Cell,
} from "../markdown.js";
import type { Block, ItemBlock, TableBlock } from "./blocks.js";
import { plainText, writeInlines, type Inline } from "./inline.js";

/** A number that Markdown has as the marker of an item. */
const PLAIN_NUMBER = /^(\d{1,9})([.)]?)$/;

interface OpenItem {
  readonly sign: string;
  readonly depth: number;
  readonly indent: number;
  markdown: string;
}

/** Writes blocks as Markdown and notes the words that it adds. */
export class BlockWriter {
  /** Words of the Markdown that are not text of the original: numbers that Word computes. */
  readonly labels: string[] = [];
  readonly #shift: number;
  #tableDepth = 0;

  /** @param shift levels by which headings are lowered, so that the title stands above them */
  constructor(shift = 0) {
    this.#shift = shift;
  }

  /** Blocks, a blank line between each two. */
  write(blocks: readonly Block[]): string {
    const written: string[] = [];
    for (let at = 0; at < blocks.length;) {
      const kind = groupOf(blocks[at]!);
      let to = at + 1;
      while (to < blocks.length && belongs(kind, blocks[to]!, blocks[to - 1]!)) to++;
      const text = this.#writeGroup(kind, blocks.slice(at, to));
      if (text !== "") written.push(text);
      at = to;
    }
    return written.join("\n\n");
  }

  #writeGroup(kind: Group, blocks: readonly Block[]): string {
    if (kind === "list") return this.#writeList(blocks);
    if (kind === "code" || (kind === "listing" && blocks.length > 1))
      return codeBlock(blocks.map((block) => codeText(block)).join("\n"));
    const written = blocks.map((block) => this.#writeBlock(block)).join("\n\n");
    return kind === "quote" ? quote(written) : written;
  }

  #writeBlock(block: Block): string {
    switch (block.kind) {
      case "heading":
        return this.#writeHeading(block);
      case "table":
        return this.#writeTable(block);
      case "code":
        return codeBlock(block.text);
      case "number":
        return this.#writeNumber(block.label);
      default:
        return this.#writeParagraph(block);
    }
  }

  #writeHeading({ level, title, number, inlines }: Extract<Block, { kind: "heading" }>): string {
    const text = writeInlines(inlines, { lineBreak: " ", bold: false });
    if (number !== "") this.labels.push(number);
    const line = number === "" ? text : `${escapeText(number)} ${text}`;
    // A heading in a cell would begin a section in the middle of a table.
    if (this.#tableDepth > 0) return emphasis(line, { bold: true });
    return heading(title ? 1 : level + this.#shift, line);
  }

  #writeNumber(label: string): string {
    this.labels.push(label);
    return paragraph(escapeText(label));
  }

  #writeParagraph({ inlines }: { readonly inlines: readonly Inline[] }): string {
    const shown = inlines.filter((each) => each.kind !== "break" && !(each.kind === "text" && each.text.trim() === ""));
    if (shown.length > 0 && shown.every((each) => each.kind === "formula" && each.display))
      return shown.map((each) => (each.kind === "formula" ? formula(each.latex, true) : "")).join("\n\n");
    return paragraph(writeInlines(inlines, { lineBreak: "\\\n" }));
  }

  #writeList(blocks: readonly Block[]): string {
    const items: OpenItem[] = [];
    const levels: number[] = [];
    /** The last ordered item of each depth. */
    const counted: { list: string; number: number; mark: string }[] = [];
    for (const block of blocks) {
      const last = items.at(-1);
      if (block.kind !== "item") {
        if (last !== undefined) last.markdown += `\n\n${this.#writeBlock(block)}`;
        continue;
      }
      while (levels.length > 0 && levels.at(-1)! > block.level) levels.pop();
      if (levels.at(-1) !== block.level) levels.push(block.level);
      const depth = levels.length - 1;
      counted.length = Math.min(counted.length, depth + 1);
      const { sign, label } = this.#signOf(block, depth, counted);
      const text = writeInlines(block.inlines, { lineBreak: "\\\n" });
      items.push({ sign, depth, indent: block.indent, markdown: label + paragraph(text) });
    }
    const written: string[] = [];
    /** The last item of each depth. */
    const siblings: OpenItem[] = [];
    for (const [index, item] of items.entries()) {
      const before = items[index - 1];
      if (before !== undefined) written.push(needsBlank(before, siblings[item.depth], item) ? "\n\n" : "\n");
      written.push(listItem(item.sign, item.markdown, item.depth));
      siblings.length = item.depth;
      siblings.push(item);
    }
    return written.join("");
  }

  /** `-`, or a number as Markdown has it; any other number stands before the text, where Word shows it. */
  #signOf(
    { label, list }: ItemBlock,
    depth: number,
    counted: { list: string; number: number; mark: string }[],
  ): { sign: string; label: string } {
    const plain = PLAIN_NUMBER.exec(label);
    if (plain === null) {
      if (label !== "") this.labels.push(label);
      return { sign: "-", label: label === "" ? "" : `${escapeText(label)} ` };
    }
    const number = Number(plain[1]);
    let mark = plain[2] === "" ? "." : plain[2]!;
    const before = counted[depth];
    // Another list right below would be read as the same one, and its numbers as counting on.
    if (before !== undefined) {
      if (before.list === list || number === before.number + 1) mark = before.mark;
      else mark = before.mark === "." ? ")" : ".";
    }
    counted[depth] = { list, number, mark };
    return { sign: `${number}${mark}`, label: "" };
  }

  #writeTable({ rows }: TableBlock): string {
    this.#tableDepth++;
    const cells = rows.flat();
    const inLines = !cells.some(
      ({ blocks, colspan, rowspan }) => colspan > 1 || rowspan > 1 || blocks.some(needsLines),
    );
    const written = rows.map((row, index) =>
      row.map(({ blocks, colspan, rowspan }): Cell => {
        // A header is bold by itself; a whole bold cell among tags would be three lines for one number.
        const shown = (index === 0 || !inLines) && blocks.every(isBold) ? blocks.map(withoutBold) : blocks;
        return { markdown: inLines ? this.#writeCell(shown) : this.write(shown), colspan, rowspan };
      }),
    );
    this.#tableDepth--;
    return table(written);
  }

  /** Blocks of a cell that stands on one line: paragraphs and items become lines of it. */
  #writeCell(blocks: readonly Block[]): string {
    const lines: string[] = [];
    for (const block of blocks) {
      if (block.kind === "table") continue;
      if (block.kind === "code") lines.push(...block.text.split("\n").map(codeSpan));
      else if (block.kind === "heading") lines.push(this.#writeHeading(block));
      else if (block.kind === "number") lines.push(this.#writeNumber(block.label));
      else {
        const text = writeInlines(block.inlines, { lineBreak: "\n" });
        if (block.kind === "item" && block.label !== "") this.labels.push(block.label);
        lines.push(
          paragraph(block.kind === "item" ? `${block.label === "" ? "•" : escapeText(block.label)} ${text}` : text),
        );
      }
    }
    return lines.filter((line) => line.trim() !== "").join("\n");
  }
}

type Group = "list" | "code" | "listing" | "quote" | "other";

function groupOf(block: Block): Group {
  if (block.kind === "item") return "list";
  if (block.kind === "code") return "code";
  if (block.kind === "paragraph") return block.quote ? "quote" : block.listing ? "listing" : "other";
  return "other";
}

/** Whether a block goes on with the group of the one before it. */
function belongs(group: Group, block: Block, before: Block): boolean {
  if (group === "other") return false;
  if (group !== "list") return groupOf(block) === group;
  if (block.kind === "item") return true;
  // A paragraph set in as far as the text of the item belongs to it.
  return (
    block.kind === "paragraph" &&
    !block.quote &&
    block.indent > 0 &&
    ((before.kind === "item" && block.indent >= before.indent) ||
      (before.kind === "paragraph" && block.indent >= before.indent))
  );
}

function needsBlank(before: OpenItem, sibling: OpenItem | undefined, item: OpenItem): boolean {
  if (before.markdown.includes("\n\n") || item.markdown.includes("\n\n")) return true;
  const kind = (sign: string): string => sign.replace(/\d+/, "");
  // A number other than 1 cannot begin a list right below a line of text (CommonMark 5.2).
  if (item.depth > before.depth) return /^\d/.test(item.sign) && !/^1[.)]$/.test(item.sign);
  return sibling !== undefined && kind(item.sign) !== kind(sibling.sign);
}

function codeText(block: Block): string {
  return block.kind === "code" ? block.text : block.kind === "paragraph" ? plainText(block.inlines) : "";
}

/** Blocks that cannot be lines of a cell. A number would be a word there, which the original does not hold. */
function needsLines(block: Block): boolean {
  return (
    block.kind === "table" ||
    (block.kind === "code" && block.text.includes("\n")) ||
    (block.kind === "item" && PLAIN_NUMBER.test(block.label))
  );
}

function isBold(block: Block): boolean {
  return (
    block.kind === "paragraph" &&
    block.inlines.every((each) => each.kind !== "text" || each.text.trim() === "" || each.look.bold)
  );
}

function withoutBold(block: Block): Block {
  if (block.kind !== "paragraph") return block;
  return {
    ...block,
    inlines: block.inlines.map((each) =>
      each.kind === "text" ? { ...each, look: { ...each.look, bold: false } } : each,
    ),
  };
}
