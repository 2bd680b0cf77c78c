/** A page as Markdown: headings, paragraphs, lists, quotations, code, notes. Tables are in table.ts. */
import { codeBlock, footnote, formula, heading, listItem, paragraph, quote } from "../markdown.js";
import { bracketedTex, latexOf } from "./formula.js";
import { LineWriter, styleOf, type Surroundings } from "./inline.js";
import { writeLine, type Piece } from "./line.js";
import { writeTable } from "./table.js";
import { elementsOf, find, isElement, textOf, tokens, type HtmlElement, type HtmlNode } from "./tree.js";

/** A block of Markdown. Lists know their sign, because two lists of one sign on end would be one. */
export interface Block {
  readonly markdown: string;
  readonly kind: "text" | "list" | "note" | "other";
  readonly sign?: string;
  readonly tight?: boolean;
}

/** Where a block stands. */
export interface State {
  /** Lists and quotations around it. */
  readonly depth: number;
  /** In a cell headings are lines in bold: a table has no sections. */
  readonly inTable: boolean;
  /** Delimiters of emphasis around it. */
  readonly styles: readonly string[];
  /** The language of code in it, where a division around the code states it. */
  readonly language?: string | undefined;
  /** The link around it, which goes to its first words; emptied by them. */
  readonly link: { target?: string | undefined };
}

/** Readers of Markdown give up at some depth (markdown-it at 100); nobody reads lists that deep. */
const DEEPEST = 12;

const START: State = { depth: 0, inTable: false, styles: [], link: {} };

export class BlockWriter {
  readonly #surroundings: Surroundings;
  readonly #line: LineWriter;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
    this.#line = new LineWriter(surroundings);
  }

  /** The Markdown of nodes, blocks apart by an empty line. */
  write(nodes: readonly HtmlNode[]): string {
    return join(this.blocks(nodes, START));
  }

  blocks(nodes: readonly HtmlNode[], state: State): Block[] {
    const out: Block[] = [];
    let line: HtmlNode[] = [];
    const endLine = (): void => {
      if (line.length > 0) append(out, this.#paragraphs(line, state));
      line = [];
    };
    for (const node of nodes) {
      if (!isElement(node) || !node.block) {
        line.push(node);
        continue;
      }
      endLine();
      this.#block(node, state, out);
    }
    endLine();
    return out;
  }

  /** Inline Markdown of nodes, breaks in it as line ends. */
  line(nodes: readonly HtmlNode[], state: State): string {
    return writeLine(this.#pieces(nodes, state));
  }

  #pieces(nodes: readonly HtmlNode[], { styles, link }: State): Piece[] {
    const { target } = link;
    if (target === undefined) return this.#line.write(nodes, styles);
    const wrapped: HtmlElement = {
      name: "a",
      attributes: new Map([["href", target]]),
      children: [...nodes],
      block: false,
    };
    const pieces = this.#line.write([wrapped], styles);
    if (pieces.some((piece) => piece.kind === "markdown")) link.target = undefined;
    return pieces;
  }

  /** A run of inline nodes. Two breaks on end part paragraphs, as in pages from before there was CSS. */
  #paragraphs(nodes: readonly HtmlNode[], state: State): Block[] {
    const out: Block[] = [];
    let run: Piece[] = [];
    const open: Extract<Piece, { kind: "open" | "close" }>[] = [];
    const end = (): void => {
      const close = open.map(({ style }): Piece => ({ kind: "close", style })).reverse();
      const markdown = paragraph(writeLine([...run, ...close]));
      if (markdown !== "") out.push({ markdown, kind: "text" });
      run = [...open];
    };
    for (const piece of splitAtBreaks(this.#pieces(nodes, state))) {
      if (piece === "end") end();
      else {
        run.push(piece);
        if (piece.kind === "open") open.push(piece);
        else if (piece.kind === "close") open.pop();
      }
    }
    end();
    return out;
  }

  #block(node: HtmlElement, state: State, out: Block[]): void {
    const { notes } = this.#surroundings;
    if (notes.left.has(node)) return;
    const label = notes.bodies.get(node);
    if (label !== undefined) {
      out.push({ markdown: footnote(label, join(this.blocks(node.children, START))), kind: "note" });
      return;
    }
    const level = /^h([1-6])$/.exec(node.name)?.[1];
    if (level !== undefined) {
      this.#heading(node, Number(level), state, out);
      return;
    }
    switch (node.name) {
      case "ul":
      case "ol":
      case "menu":
      case "dir":
        this.#list(node, state, out);
        return;
      case "dl":
        this.#definitions(node, state, out);
        return;
      case "pre":
      case "listing":
      case "xmp":
      case "plaintext":
        this.#code(node, state, out);
        return;
      case "blockquote":
        this.#quotation(node, state, out);
        return;
      case "hr":
        // Asterisks: hyphens could be taken for front matter or for the line under a heading.
        if (out.length > 0 && !state.inTable) out.push({ markdown: "***", kind: "other" });
        return;
      case "table":
        append(out, writeTable(node, state, this));
        return;
      case "math":
      case "tex":
        this.#formula(node, state, out);
        return;
      case "#marker":
        out.push({ markdown: textOf(node), kind: "other" });
        return;
      case "summary":
      case "legend":
        append(out, this.blocks(node.children, { ...state, styles: [...state.styles, "**"] }));
        return;
      case "a": {
        const target = this.#surroundings.linkTarget(node.attributes.get("href") ?? "");
        append(out, this.blocks(node.children, target === undefined ? state : { ...state, link: { target } }));
        return;
      }
      default:
        this.#division(node, state, out);
    }
  }

  #division(node: HtmlElement, state: State, out: Block[]): void {
    if (tokens(node, "class").includes("math")) {
      const found = bracketedTex(textOf(node));
      if (found !== undefined) {
        out.push({ markdown: formula(found.latex, !state.inTable), kind: "other" });
        return;
      }
    }
    const style = styleOf(node);
    const inner = {
      ...state,
      styles: style === undefined ? state.styles : [...state.styles, style],
      language: statedLanguage(node) ?? state.language,
    };
    for (const block of this.blocks(node.children, inner)) out.push(this.#apart(block, out.at(-1)));
  }

  /** A list directly behind one of the same sign takes another sign, else it would go on with the first. */
  #apart(block: Block, before: Block | undefined): Block {
    if (block.kind !== "list" || before?.kind !== "list" || block.sign !== before.sign) return block;
    const other = OTHER_SIGN[block.sign!]!;
    const markdown = block.markdown.replace(
      block.sign === "." || block.sign === ")" ? /^(\d+)[.)](?= |$)/gm : /^[-*](?= |$)/gm,
      (_, number: string | undefined) => (typeof number === "string" ? number + other : other),
    );
    return { ...block, markdown, sign: other };
  }

  #heading(node: HtmlElement, level: number, state: State, out: Block[]): void {
    if (
      state.inTable ||
      find(node, ({ name }) => name === "table" || name === "ul" || name === "ol" || name === "pre") !== undefined
    ) {
      append(out, this.blocks(node.children, { ...state, styles: [...state.styles, "**"] }));
      return;
    }
    const line = this.line(flattened(node.children), { ...state, styles: [] }).replace(/\s*\\\n/g, " ");
    // A heading is bold as it is.
    const inline = /^\*\*([^*\\]+)\*\*$/.exec(line)?.[1] ?? line;
    if (inline !== "") out.push({ markdown: heading(level, inline), kind: "other" });
  }

  #list(node: HtmlElement, state: State, out: Block[]): void {
    const ordered = node.name === "ol";
    const items: { number: number; blocks: Block[] }[] = [];
    const step = ordered && node.attributes.has("reversed") ? -1 : 1;
    const count = node.children.filter((child) => isElement(child) && child.name === "li").length;
    let number = integer(node.attributes.get("start")) ?? (step < 0 ? count : 1);
    const inner = { ...state, depth: state.depth + 1 };
    for (const child of node.children) {
      if (!isElement(child)) {
        if (child.trim() !== "") items.push({ number, blocks: this.blocks([child], inner) });
        continue;
      }
      if (this.#surroundings.notes.bodies.has(child)) {
        this.#block(child, START, out);
        continue;
      }
      if (child.name === "li") number = integer(child.attributes.get("value")) ?? number;
      const blocks = ticked(child, this.blocks(child.name === "li" ? child.children : [child], inner));
      // A list in a list, outside its items, belongs to the item before it.
      const last = items.at(-1);
      if (child.name !== "li" && last !== undefined)
        for (const block of blocks) last.blocks.push(this.#apart(block, last.blocks.at(-1)));
      else if (blocks.length > 0) {
        items.push({ number, blocks });
      }
      if (child.name === "li") number += step;
    }
    if (items.length === 0) return;
    if (state.depth >= DEEPEST) {
      for (const { blocks } of items) append(out, blocks);
      return;
    }
    out.push(this.#listBlock(items, ordered, out.at(-1)));
  }

  #listBlock(
    items: readonly { number: number; blocks: Block[] }[],
    ordered: boolean,
    before: Block | undefined,
  ): Block {
    const usual = ordered ? "." : "-";
    const sign = before?.kind === "list" && before.sign === usual ? OTHER_SIGN[usual]! : usual;
    const tight = items.every(({ blocks }) => isTight(blocks));
    const written = items.map(({ number, blocks }) =>
      listItem(
        ordered ? `${Math.min(999_999_999, Math.max(0, number))}${sign}` : sign,
        tight ? blocks.map(({ markdown }) => markdown).join("\n") : join(blocks),
        0,
      ),
    );
    return { markdown: written.join(tight ? "\n" : "\n\n"), kind: "list", sign, tight };
  }

  /** Terms in bold, each with what is said of it: behind a colon where it is one paragraph, else as a list or below. */
  #definitions(node: HtmlElement, state: State, out: Block[]): void {
    const items: { number: number; blocks: Block[] }[] = [];
    const inner = { ...state, depth: state.depth + 1 };
    const groups = groupsOf(node);
    // In a list that defines nothing, as a table of contents, nothing stands out.
    const defines = groups.some(({ definitions }) => definitions.some((each) => !isOnlyList(each)));
    const styles = defines ? [...state.styles, "**"] : state.styles;
    for (const { terms, definitions } of groups) {
      const shown = terms.filter((term) => !this.#surroundings.notes.left.has(term));
      const noted = definitions.filter((definition) => this.#surroundings.notes.bodies.has(definition));
      for (const definition of noted) this.#block(definition, START, out);
      const lines = shown.flatMap((term) => this.blocks(term.children, { ...inner, styles }));
      const told = definitions
        .filter((definition) => !noted.includes(definition))
        .map((definition) => this.blocks(definition.children, inner))
        .filter((blocks) => blocks.length > 0);
      if (lines.length === 0 && told.length === 0) continue;
      items.push(...lines.slice(0, -1).map((block) => ({ number: 0, blocks: [block] })));
      items.push({ number: 0, blocks: this.#definition(lines.at(-1), told) });
    }
    if (items.length === 0) return;
    if (state.depth >= DEEPEST) for (const { blocks } of items) append(out, blocks);
    else out.push(this.#listBlock(items, false, out.at(-1)));
  }

  #definition(term: Block | undefined, told: readonly Block[][]): Block[] {
    if (term === undefined) return told.flat();
    const [first] = told;
    if (first === undefined) return [term];
    if (told.length > 1) {
      const items: { number: number; blocks: Block[] }[] = [];
      for (const blocks of told) {
        // A definition that is a list goes on below the one before it.
        if (blocks[0]!.kind === "list" && items.length > 0) items.at(-1)!.blocks.push(...blocks);
        else items.push({ number: 0, blocks: [...blocks] });
      }
      return [term, this.#listBlock(items, false, undefined)];
    }
    // On one line the dollars of both could make a formula.
    const dollars = term.markdown.includes("$") && first[0]!.markdown.includes("$");
    if (first[0]!.kind !== "text" || term.kind !== "text" || dollars) return [term, ...first];
    const colon = /[.,:;!?…—–]$/u.test(term.markdown.replace(/[*~`\s]+$/, "")) ? " " : ": ";
    return [{ markdown: term.markdown + colon + first[0]!.markdown, kind: "text" }, ...first.slice(1)];
  }

  #code(node: HtmlElement, state: State, out: Block[]): void {
    const text = codeText(node).replaceAll("\u00ad", "").replace(/^\n/, "").trimEnd();
    if (text.trim() === "") {
      append(out, this.#paragraphs(node.children, state));
      return;
    }
    out.push({ markdown: codeBlock(text, languageOf(node) ?? state.language), kind: "other" });
  }

  #quotation(node: HtmlElement, state: State, out: Block[]): void {
    const blocks = this.blocks(node.children, { ...state, depth: state.depth + 1 });
    if (blocks.length === 0) return;
    if (state.depth >= DEEPEST) append(out, blocks);
    else out.push({ markdown: quote(join(blocks)), kind: "other" });
  }

  #formula(node: HtmlElement, state: State, out: Block[]): void {
    const latex = latexOf(node);
    if (latex !== undefined) out.push({ markdown: formula(latex, !state.inTable), kind: "other" });
    else append(out, this.#paragraphs([textOf(node)], state));
  }
}

const OTHER_SIGN: Readonly<Record<string, string>> = { ".": ")", ")": ".", "-": "*", "*": "-" };

/** Adds blocks, of which there may be more than a call takes arguments. */
export function append(out: Block[], blocks: readonly Block[]): void {
  for (const block of blocks) out.push(block);
}

/** Blocks apart by an empty line. */
export function join(blocks: readonly Block[]): string {
  return blocks.map(({ markdown }) => markdown).join("\n\n");
}

/** An item whose parts need no empty line between them: a line, and a list of such below it. */
function isTight(blocks: readonly Block[]): boolean {
  const [first, second] = blocks;
  if (blocks.length > 2 || (first?.kind !== "text" && first?.kind !== "list")) return false;
  if (second === undefined) return true;
  // Only a list that begins with 1 may follow a paragraph without an empty line.
  return (
    first.kind === "text" && second.kind === "list" && second.tight === true && /^(?:[-*]|1[.)]) /.test(second.markdown)
  );
}

/** The box at the beginning of an item, as GitHub's lists of tasks write it. */
function ticked(item: HtmlElement, blocks: Block[]): Block[] {
  const [first, ...rest] = blocks;
  const box = find(item, ({ name }) => name === "input");
  if (first?.kind !== "text" || box?.attributes.get("type")?.toLowerCase() !== "checkbox") return blocks;
  return [{ ...first, markdown: `[${box.attributes.has("checked") ? "x" : " "}] ${first.markdown}` }, ...rest];
}

/** Pieces with `end` in the place of two or more breaks on end. */
function splitAtBreaks(pieces: readonly Piece[]): (Piece | "end")[] {
  const out: (Piece | "end")[] = [];
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i]!;
    if (piece.kind !== "break") {
      out.push(piece);
      continue;
    }
    let breaks = 1;
    let next = i + 1;
    for (; next < pieces.length; next++) {
      const each = pieces[next]!;
      if (each.kind === "break") breaks++;
      else if (each.kind !== "text" || each.text.trim() !== "") break;
    }
    out.push(breaks > 1 ? "end" : piece);
    if (breaks > 1) i = next - 1;
  }
  return out;
}

/** Inline content of a heading that was marked up with blocks. */
function flattened(nodes: readonly HtmlNode[]): HtmlNode[] {
  return nodes.flatMap((node): HtmlNode[] =>
    isElement(node) && node.block && node.name !== "math" && node.name !== "tex"
      ? [" ", ...flattened(node.children), " "]
      : [node],
  );
}

function integer(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*-?\d{1,9}\s*$/.test(text) ? Number(text) : undefined;
}

function isOnlyList(definition: HtmlElement): boolean {
  return definition.children.every((node) => (isElement(node) ? /^[duo]l$/.test(node.name) : node.trim() === ""));
}

/** Terms and definitions of a list; `div` may hold a group. */
function groupsOf(node: HtmlElement): { terms: HtmlElement[]; definitions: HtmlElement[] }[] {
  const groups: { terms: HtmlElement[]; definitions: HtmlElement[] }[] = [];
  const visit = (parent: HtmlElement): void => {
    for (const child of parent.children) {
      const last = groups.at(-1);
      if (!isElement(child)) {
        if (child.trim() !== "") groups.push({ terms: [], definitions: [{ ...node, name: "dd", children: [child] }] });
      } else if (child.name === "dt") {
        if (last === undefined || last.definitions.length > 0) groups.push({ terms: [child], definitions: [] });
        else last.terms.push(child);
      } else if (child.name === "div" && child.children.some((each) => isElement(each) && each.name === "dt"))
        visit(child);
      else {
        const definition = child.name === "dd" ? child : { ...child, name: "dd", children: [child] };
        if (last === undefined) groups.push({ terms: [], definitions: [definition] });
        else last.definitions.push(definition);
      }
    }
  };
  visit(node);
  return groups;
}

function codeText(node: HtmlNode): string {
  if (!isElement(node)) return node;
  if (node.name === "br") return "\n";
  const inside = node.children.map(codeText).join("");
  return node.block && node.name !== "pre" && !inside.endsWith("\n") ? `${inside}\n` : inside;
}

function languageOf(node: HtmlElement): string | undefined {
  for (const element of [node, ...elementsOf(node)]) {
    const stated = statedLanguage(element);
    if (stated !== undefined) return stated;
  }
  return undefined;
}

/** The language of code, as Markdown renderers, Sphinx and the HTML standard note it. */
function statedLanguage(element: HtmlElement): string | undefined {
  for (const name of tokens(element, "class")) {
    const found = /^(?:lang|language|highlight|highlight-source|sourcecode|brush)[-:]([\w+#.-]{1,20})$/.exec(name)?.[1];
    if (found !== undefined && !NO_LANGUAGE.has(found)) return found;
  }
  const stated = element.attributes.get("data-lang") ?? element.attributes.get("data-language");
  return stated !== undefined && /^[\w+#.-]{1,20}$/.test(stated) ? stated : undefined;
}

const NO_LANGUAGE = new Set(["default", "none", "text", "plaintext", "plain", "highlight", "block", "notranslate"]);
