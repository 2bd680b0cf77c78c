/** Paragraphs and tables as they come, written as blocks of Markdown. */
import type { Piece } from "../html/line.js";
import { writeLine } from "../html/line.js";
import { heading, paragraph, safeTarget, table, type Cell } from "../markdown.js";

export interface Look {
  readonly bold: boolean;
  readonly italic: boolean;
  readonly strike: boolean;
  readonly link: string | undefined;
}

/** What a paragraph is, as known at its end. */
export interface ParagraphKind {
  /** From 1. */
  readonly heading: number | undefined;
  readonly list: { readonly level: number; readonly sign: string } | undefined;
  readonly inTable: boolean;
}

/** Merging of a cell, by the definition of its row. */
export interface CellDefinition {
  readonly across: "first" | "rest" | undefined;
  readonly down: "first" | "rest" | undefined;
}

interface Block {
  readonly markdown: string;
  readonly level: number | undefined;
}

/** Text of the document, or of a note, a comment, a head: it is collected apart. */
export class Story {
  #pieces: Piece[] = [];
  #linked: { target: string; pieces: Piece[] } | undefined;
  #blocks: Block[] = [];
  #cell: Block[] = [];
  #row: string[] = [];
  #rows: { cells: string[]; definitions: readonly CellDefinition[] }[] = [];
  /** Column at which the text of an open item begins, by level. */
  #columns: { level: number; column: number }[] = [];

  text(text: string, look: Look): void {
    if (this.#linked !== undefined && this.#linked.target !== look.link) this.#closeLink();
    if (look.link !== undefined) this.#linked ??= { target: look.link, pieces: [] };
    const into = this.#linked?.pieces ?? this.#pieces;
    const styles = [look.bold ? "**" : "", look.italic ? "*" : "", look.strike ? "~~" : ""].filter(
      (each) => each !== "",
    );
    for (const style of styles) into.push({ kind: "open", style });
    into.push({ kind: "text", text });
    for (const style of styles.reverse()) into.push({ kind: "close", style });
  }

  /** Something that is Markdown already: the mark of a note. */
  inline(markdown: string): void {
    this.#closeLink();
    this.#pieces.push({ kind: "markdown", text: markdown });
  }

  lineBreak(): void {
    this.#closeLink();
    this.#pieces.push({ kind: "break" });
  }

  endParagraph(kind: ParagraphKind): void {
    this.#closeLink();
    const line = writeLine(this.#pieces);
    this.#pieces = [];
    if (!kind.inTable) this.#endTable();
    if (line === "") return;
    this.#add(kind.inTable ? this.#cell : this.#blocks, line, kind);
  }

  endCell(kind: ParagraphKind): void {
    this.endParagraph({ ...kind, inTable: true });
    this.#row.push(join(this.#cell));
    this.#cell = [];
    this.#columns = [];
  }

  endRow(definitions: readonly CellDefinition[]): void {
    if (this.#row.length > 0) this.#rows.push({ cells: this.#row, definitions });
    this.#row = [];
  }

  /** All blocks, those of a table that never ended included. */
  finish(kind: ParagraphKind): string {
    this.endParagraph(kind);
    if (this.#cell.length > 0) this.endCell(kind);
    this.endRow([]);
    this.#endTable();
    return join(this.#blocks);
  }

  #add(blocks: Block[], line: string, { heading: level, list }: ParagraphKind): void {
    if (level !== undefined) {
      this.#columns = [];
      blocks.push({ markdown: heading(level, line.replace(/\\\n/g, " ")), level: undefined });
      return;
    }
    if (list === undefined) {
      this.#columns = [];
      blocks.push({ markdown: paragraph(line), level: undefined });
      return;
    }
    this.#columns = this.#columns.filter((each) => each.level < list.level);
    const indent = this.#columns.at(-1)?.column ?? 0;
    const column = indent + list.sign.length + 1;
    this.#columns.push({ level: list.level, column });
    const text = paragraph(line).replace(/\n/g, `\n${" ".repeat(column)}`);
    blocks.push({ markdown: `${" ".repeat(indent)}${list.sign} ${text}`, level: list.level });
  }

  #closeLink(): void {
    if (this.#linked === undefined) return;
    const { target, pieces } = this.#linked;
    this.#linked = undefined;
    const label = writeLine(pieces).replace(/\\\n/g, " ");
    const address = safeTarget(target);
    if (label === "") return;
    if (address === undefined || target.startsWith("#")) this.#pieces.push(...pieces);
    else this.#pieces.push({ kind: "markdown", text: `[${label}](${address})` });
  }

  #endTable(): void {
    if (this.#row.length > 0) this.endRow([]);
    const rows = this.#rows;
    this.#rows = [];
    if (rows.length === 0) return;
    const cells = rows.map(({ cells: texts, definitions }, number) =>
      texts.flatMap((markdown, index): Cell[] => {
        const { across, down } = definitions[index] ?? {};
        if (across === "rest" || (down === "rest" && number > 0)) return markdown === "" ? [] : [{ markdown }];
        let colspan = 1;
        while (across === "first" && definitions[index + colspan]?.across === "rest") colspan++;
        let rowspan = 1;
        while (down === "first" && rows[number + rowspan]?.definitions[index]?.down === "rest") rowspan++;
        return [{ markdown, ...(colspan > 1 && { colspan }), ...(rowspan > 1 && { rowspan }) }];
      }),
    );
    if (cells.every((row) => row.every(({ markdown }) => markdown === ""))) return;
    this.#blocks.push({ markdown: table(cells), level: undefined });
  }
}

/** Items of a list follow each other without an empty line. */
function join(blocks: readonly Block[]): string {
  return blocks.reduce((all, { markdown, level }, i) => {
    if (i === 0) return markdown;
    const tight = level !== undefined && blocks[i - 1]!.level !== undefined;
    return `${all}${tight ? "\n" : "\n\n"}${markdown}`;
  }, "");
}
