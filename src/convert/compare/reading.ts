/** What a Markdown text says, taken apart as the certificate counts it. */
import type { MarkdownIt, Token } from "markdown-it";
import { readTags } from "./tags.js";
import { markdownParser, type CreateParser } from "./syntax.js";
import { WordList, type Vocabulary } from "./words.js";

/** Rows of the texts of cells. */
export type TableText = readonly (readonly string[])[];

export interface Reading {
  /** Text, code, cells and notes; the numbers of lists and the labels of notes as words that may be missing. */
  readonly words: WordList;
  readonly tables: readonly TableText[];
  readonly links: readonly string[];
  readonly footnotes: readonly string[];
  /** Items under the heading `Comments`. */
  readonly comments: readonly string[];
  readonly formulas: readonly string[];
  /** Alternative texts. */
  readonly images: readonly string[];
  /** Words under a marker with `ocr`. */
  readonly recognised: number;
}

export interface ReadingOptions {
  /** Without a reader that looks for formulas their source is text like any other. */
  readonly formulasApart: boolean;
}

const MARKER = /^<!-- mdcx:(page|slide|chapter|sheet) (.*?)( ocr)? -->[ \t]*\r?$/gm;

export function readMarkdown(
  markdown: string,
  vocabulary: Vocabulary,
  create: CreateParser,
  options: ReadingOptions,
): Reading {
  const parser = markdownParser(create);
  const words = new WordList(vocabulary);
  const recognised = new WordList(vocabulary);
  const reader = new TokenReader(parser, words, options);
  let place: string | undefined;
  let ocr = false;
  let from = 0;
  // Each place is parsed on its own, so that the tokens of a whole manual are never in memory at once.
  const take = (to: number): void => {
    reader.place = place;
    reader.words = ocr ? recognised : words;
    reader.read(markdown.slice(from, to));
  };
  for (const found of markdown.matchAll(MARKER)) {
    take(found.index);
    from = found.index + found[0].length;
    place = placeName(found[1]!, found[2]!);
    ocr = found[3] !== undefined;
  }
  take(markdown.length);
  return {
    words,
    tables: reader.tables,
    links: reader.links,
    footnotes: reader.footnotes,
    comments: reader.comments,
    formulas: reader.formulas,
    images: reader.images,
    recognised: recognised.length,
  };
}

function placeName(kind: string, value: string): string {
  const name = /^"((?:[^"\\]|\\.)*)"/.exec(value)?.[1];
  return `${kind} ${name ?? value}`;
}

interface OpenTable {
  readonly rows: string[][];
  cell: string | undefined;
}

class TokenReader {
  readonly tables: string[][][] = [];
  readonly links: string[] = [];
  readonly footnotes: string[] = [];
  readonly comments: string[] = [];
  readonly formulas: string[] = [];
  readonly images: string[] = [];
  place: string | undefined;
  words: WordList;
  readonly #parser: MarkdownIt;
  readonly #options: ReadingOptions;
  readonly #openTables: OpenTable[] = [];
  #note: string[] | undefined;
  /** Level of the heading `Comments` that is open. */
  #commentsLevel = 0;
  #comment: string[] | undefined;
  #lists = 0;

  constructor(parser: MarkdownIt, words: WordList, options: ReadingOptions) {
    this.#parser = parser;
    this.words = words;
    this.#options = options;
  }

  read(markdown: string): void {
    if (markdown.trim() === "") return;
    const tokens = this.#parser.parse(markdown, {});
    for (let at = 0; at < tokens.length; at++) {
      const beginsItem = tokens[at - 1]?.type === "paragraph_open" && tokens[at - 2]?.type === "list_item_open";
      this.#block(tokens[at]!, tokens[at + 1], beginsItem);
    }
    while (this.#openTables.length > 0) this.#closeTable();
  }

  #block(token: Token, next: Token | undefined, beginsItem: boolean): void {
    switch (token.type) {
      case "inline":
        this.#inline(token.children ?? [], beginsItem);
        break;
      case "code_block":
      case "fence":
        this.#text(token.content);
        break;
      case "formula":
        this.#formula(token.content, true);
        break;
      case "html_block":
        this.#html(token.content);
        break;
      case "heading_open":
        this.#heading(Number(token.tag.slice(1)), next?.content ?? "");
        break;
      case "bullet_list_open":
      case "ordered_list_open":
        this.#lists++;
        break;
      case "bullet_list_close":
      case "ordered_list_close":
        this.#lists--;
        break;
      case "list_item_open":
        if (token.info !== "") this.words.addOptional(token.info, this.place);
        if (this.#lists === 1 && this.#commentsLevel > 0) this.#comment = [];
        break;
      case "list_item_close":
        if (this.#lists === 1 && this.#comment !== undefined) {
          this.comments.push(this.#comment.join("\n"));
          this.#comment = undefined;
        }
        break;
      case "note_open":
        this.#note = [];
        this.words.addOptional(token.info, this.place);
        break;
      case "note_close":
        if (this.#note !== undefined) this.footnotes.push(this.#note.join("\n"));
        this.#note = undefined;
        break;
      case "table_open":
        this.#openTables.push({ rows: [], cell: undefined });
        break;
      case "tr_open":
        this.#openTables.at(-1)?.rows.push([]);
        break;
      case "th_open":
      case "td_open":
        this.#openCell();
        break;
      case "th_close":
      case "td_close":
        this.#closeCell();
        break;
      case "table_close":
        this.#closeTable();
        break;
    }
  }

  #heading(level: number, text: string): void {
    if (/^comments$/i.test(text.trim())) {
      this.#commentsLevel = level;
      // An engine's own stand at the end: a chapter of this name before them was none.
      this.comments.length = 0;
    } else if (level <= this.#commentsLevel) this.#commentsLevel = 0;
  }

  /** Text of one block, in the order of reading. */
  #text(text: string): void {
    this.words.add(text, this.place);
    this.#note?.push(text);
    this.#comment?.push(text);
    for (const table of this.#openTables) if (table.cell !== undefined) table.cell += `\n${text}`;
  }

  #formula(source: string, display: boolean): string {
    if (this.#options.formulasApart) {
      this.formulas.push(source);
      return " ";
    }
    if (display) this.#text(source);
    return source;
  }

  #inline(children: readonly Token[], beginsItem: boolean): void {
    let text = "";
    const flush = (): void => {
      if (text.trim() !== "") this.#text(text);
      text = "";
    };
    for (const [index, child] of children.entries()) {
      switch (child.type) {
        case "text":
          text += index === 0 && beginsItem ? this.#withoutBox(child.content) : child.content;
          break;
        case "code_inline":
          text += child.content;
          break;
        case "softbreak":
        case "hardbreak":
          text += "\n";
          break;
        case "formula":
          text += this.#formula(child.content, false);
          break;
        case "image":
          this.images.push(plainText(child.children ?? []));
          break;
        case "link_open":
          this.links.push(String(child.attrGet("href") ?? ""));
          break;
        case "note_reference":
          flush();
          this.words.addOptional(child.info, this.place);
          break;
        case "html_inline":
          if (/^<br\b/i.test(child.content)) text += "\n";
          else this.#takeTargets(child.content);
          break;
      }
    }
    flush();
  }

  /** The box of a task: a word where the original shows it in letters, none where it shows a box. */
  #withoutBox(text: string): string {
    const box = /^\[([ xX])\](?=\s)/.exec(text);
    if (box === null) return text;
    this.words.addOptional(box[1]!, this.place);
    return text.slice(box[0].length);
  }

  #takeTargets(html: string): void {
    for (const piece of readTags(html)) {
      if (piece.kind !== "open") continue;
      if (piece.name === "a" && piece.attributes.href !== undefined)
        this.links.push(this.#decode(piece.attributes.href));
      if (piece.name === "img") this.images.push(this.#decode(piece.attributes.alt ?? ""));
    }
  }

  /** Raw HTML: tables that pipes cannot hold come as rows of it, with Markdown between blank lines inside their cells. */
  #html(html: string): void {
    let text = "";
    const flush = (): void => {
      if (text.trim() !== "") this.#text(this.#decode(text));
      text = "";
    };
    for (const piece of readTags(html)) {
      if (piece.kind === "text") {
        text += piece.text;
        continue;
      }
      if (!INLINE_TAGS.has(piece.name)) flush();
      if (piece.kind === "open") {
        if (piece.name === "table") this.#openTables.push({ rows: [], cell: undefined });
        else if (piece.name === "tr") this.#openTables.at(-1)?.rows.push([]);
        else if (piece.name === "td" || piece.name === "th") this.#openCell();
        else if (piece.name === "a" && piece.attributes.href !== undefined)
          this.links.push(this.#decode(piece.attributes.href));
        else if (piece.name === "img") this.images.push(this.#decode(piece.attributes.alt ?? ""));
      } else if (piece.name === "td" || piece.name === "th") this.#closeCell();
      else if (piece.name === "table") this.#closeTable();
    }
    flush();
  }

  #decode(text: string): string {
    return text.replace(/&#?\w{1,40};/g, (entity) => this.#parser.utils.unescapeAll(entity));
  }

  #openCell(): void {
    const table = this.#openTables.at(-1);
    if (table === undefined) return;
    if (table.cell !== undefined) this.#closeCell();
    table.cell = "";
  }

  #closeCell(): void {
    const table = this.#openTables.at(-1);
    if (table?.cell === undefined) return;
    if (table.rows.length === 0) table.rows.push([]);
    table.rows.at(-1)!.push(table.cell.trim());
    table.cell = undefined;
  }

  #closeTable(): void {
    this.#closeCell();
    const table = this.#openTables.pop();
    if (table !== undefined) this.tables.push(table.rows);
  }
}

/** Tags that do not end a word: `H<sub>2</sub>O`. */
const INLINE_TAGS = new Set(
  "a abbr b bdi bdo big cite code del dfn em font i ins kbd mark q s samp small span strike strong sub sup tt u var wbr".split(
    " ",
  ),
);

function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => (token.type === "softbreak" || token.type === "hardbreak" ? " " : token.content))
    .join("");
}
