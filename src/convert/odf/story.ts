/** Flowing text of an OpenDocument file as blocks of Markdown: paragraphs, headings, lists, tables, frames, notes. */
import type { Piece } from "../html/line.js";
import { writeLine } from "../html/line.js";
import { codeBlock, escapeText, footnote, formula, heading, image, paragraph, safeTarget, table } from "../markdown.js";
import type { Cell } from "../markdown.js";
import { mathmlToLatex } from "../math/mathml.js";
import { child, children, serialise, textOf, type XmlElement, type XmlNode } from "../xml.js";
import type { OdfDocument } from "./document.js";
import { Styles, type TextLook } from "./styles.js";

/** Parts that hold no text of the document. */
const NO_TEXT = new Set([
  "tracked-changes",
  "forms",
  "sequence-decls",
  "variable-decls",
  "user-field-decls",
  "dde-connection-decls",
  "alphabetical-index-auto-mark-file",
  "table-of-content-source",
  "alphabetical-index-source",
  "bibliography-source",
  "illustration-index-source",
  "object-index-source",
  "table-index-source",
  "user-index-source",
  "script",
  "event-listeners",
  "page-thumbnail",
  "named-expressions",
  "calculation-settings",
  "content-validations",
  "shapes",
  "glue-point",
  "soft-page-break",
  "enhanced-geometry",
  "animations",
  "par",
]);
const BLOCKS = new Set(["p", "h", "list", "table", "section", "numbered-paragraph"]);
/** Cells of one table that are written; more is a sheet made for an attack. */
const MOST_CELLS = 500_000;

/** An item of a list, or what stands between items without a sign of its own. */
interface Entry {
  readonly level: number;
  /** `-`, `3.`, or none. */
  readonly sign: string | undefined;
  readonly blocks: readonly string[];
}

export class Story {
  readonly styles: Styles;
  readonly comments: string[] = [];
  readonly labels: string[] = [];
  readonly hidden: string[] = [];
  /** Deleted text by the number of its change. */
  readonly #deletions = new Map<string, XmlElement>();
  readonly #notes: string[] = [];
  /** Last number of lists by style and level, and by the list's own name, for those that go on. */
  readonly #counters = new Map<string, number>();
  #cells = 0;

  constructor(private readonly document: OdfDocument) {
    this.styles = new Styles(document.styles);
    const changes = child(document.body, "tracked-changes");
    for (const region of changes === undefined ? [] : children(changes, "changed-region")) {
      const deletion = child(region, "deletion");
      const id = region.attributes.id ?? "";
      if (deletion !== undefined) this.#deletions.set(id, deletion);
    }
  }

  /** Blocks inside an element. Neighbouring lists are one: LibreOffice begins a new one for every change of its style. */
  blocks(holder: XmlElement): string[] {
    const blocks: string[] = [];
    let entries: Entry[] = [];
    for (const element of children(holder)) {
      if (element.name === "list") {
        entries.push(...this.#entries(element, undefined, 1));
        continue;
      }
      if (element.name === "soft-page-break") continue;
      blocks.push(...writeEntries(entries));
      entries = [];
      const block = this.block(element);
      if (typeof block === "string") blocks.push(block);
      else blocks.push(...block);
    }
    blocks.push(...writeEntries(entries));
    return joinListings(blocks.filter((block) => block !== ""));
  }

  block(element: XmlElement): string | string[] {
    if (NO_TEXT.has(element.name)) return [];
    switch (element.name) {
      case "p":
        return this.#paragraph(element);
      case "h":
        return this.#heading(element, Number(element.attributes["outline-level"] ?? 1));
      case "list":
        return writeEntries(this.#entries(element, undefined, 1));
      case "table":
        return this.#table(element);
      case "annotation":
        this.#comment(element);
        return [];
      case "frame":
        return this.#frame(element);
      case "image":
        return [];
      case "change":
        return [];
      default:
        return this.blocks(element);
    }
  }

  /** Notes, comments and deletions, each under what tells them apart. */
  backMatter(): string[] {
    const blocks = [...this.#notes];
    if (this.comments.length > 0) {
      this.labels.push("Comments");
      blocks.push("## Comments", this.comments.join("\n"));
    }
    const deletions = [...this.#deletions.values()].flatMap((deletion) => {
      const info = child(deletion, "change-info");
      const text = this.blocks({
        ...deletion,
        children: children(deletion).filter((each) => each.name !== "change-info"),
      })
        .join(" ")
        .replace(/\s*\n\s*/g, " ");
      if (text.trim() === "") return [];
      const said = saidBy(info);
      const start = said === "" ? "Deleted:" : `Deleted by ${said}:`;
      this.labels.push(start);
      return [`- ${escapeText(start)} ${text}`];
    });
    if (deletions.length > 0) {
      this.labels.push("Tracked changes");
      blocks.push("## Tracked changes", deletions.join("\n"));
    }
    return blocks;
  }

  get deletions(): number {
    return this.#deletions.size;
  }

  #paragraph(element: XmlElement): string | string[] {
    const style = element.attributes["style-name"];
    const names = this.styles.names("paragraph", style);
    if (names.some((name) => /^(?:preformatted text|preformatted_20_text|source code|code)$/i.test(name))) {
      const text = plainText(element);
      return text.trim() === "" ? "" : `${LISTING}${text}`;
    }
    const level = names.some((name) => /^title$/i.test(name)) ? 1 : this.styles.outlineLevel(style);
    if (level !== undefined && level >= 1) return this.#heading(element, level);
    const { line, below } = this.#inline(element, this.styles.look("paragraph", style));
    return [line === "" ? "" : paragraph(line), ...below];
  }

  #heading(element: XmlElement, level: number): string[] {
    // A heading is bold by itself: its style's emphasis says nothing more.
    const { line, below } = this.#inline(element);
    const text = line.replace(/\\\n/g, " ");
    return [text.trim() === "" ? "" : heading(level, text), ...below];
  }

  /** The items of a list. One that holds only a heading is a numbered heading; one that holds only a list is a step of indentation. */
  #entries(list: XmlElement, style: string | undefined, level: number): Entry[] {
    const own = list.attributes["style-name"] ?? style ?? this.#styleOfItems(list);
    const { sign, start } = this.styles.listLevel(own, level);
    const counter = `${own ?? ""}|${level}`;
    const goesOn =
      list.attributes["continue-numbering"] === "true"
        ? this.#counters.get(counter)
        : this.#counters.get(`#${list.attributes["continue-list"] ?? ""}`);
    let number = (goesOn ?? start - 1) + 1;
    const entries: Entry[] = [];
    for (const item of children(list)) {
      if (item.name !== "list-item" && item.name !== "list-header") continue;
      const inside = children(item).filter(({ name }) => !NO_TEXT.has(name));
      const lists = inside.filter(({ name }) => name === "list");
      const blocks = this.blocks({ ...item, children: inside.filter(({ name }) => name !== "list") });
      if (blocks.length > 0) {
        if (item.attributes["start-value"] !== undefined) number = Number(item.attributes["start-value"]);
        const counted = item.name === "list-item" && sign === "number";
        const isHeading = inside.every(({ name }) => name === "h");
        const shown =
          isHeading || item.name === "list-header" || sign === "none" ? undefined : counted ? ordinal(number) : "-";
        if (counted) number++;
        entries.push({ level, sign: shown, blocks });
      }
      for (const inner of lists) entries.push(...this.#entries(inner, own, level + 1));
    }
    this.#counters.set(counter, number - 1);
    const id = list.attributes.id;
    if (id !== undefined) this.#counters.set(`#${id}`, number - 1);
    return entries;
  }

  /** A list without a style of its own takes that of its paragraphs. */
  #styleOfItems(list: XmlElement): string | undefined {
    const item = child(list, "list-item");
    const first = item && child(item, "p");
    return this.styles.listStyleOf(first?.attributes["style-name"]);
  }

  #table(element: XmlElement): string[] {
    const rows: Cell[][] = [];
    this.#rows(element, rows);
    const filled = rows.filter((row) => row.some(({ markdown }) => markdown !== ""));
    if (filled.length === 0) return [];
    return [table(rows)];
  }

  #rows(holder: XmlElement, rows: Cell[][]): void {
    for (const element of children(holder)) {
      if (/^table-(?:header-rows|rows|row-group)$/.test(element.name)) this.#rows(element, rows);
      if (element.name !== "table-row") continue;
      const row: Cell[] = [];
      for (const cell of children(element)) {
        if (cell.name !== "table-cell") continue;
        const repeated = Math.min(200, Number(cell.attributes["number-columns-repeated"] ?? 1));
        const markdown = this.#cell(cell);
        const colspan = Math.min(1_000, Number(cell.attributes["number-columns-spanned"] ?? 1));
        const rowspan = Math.min(10_000, Number(cell.attributes["number-rows-spanned"] ?? 1));
        for (let i = 0; i < repeated && this.#cells < MOST_CELLS; i++, this.#cells++)
          row.push({ markdown, ...(colspan > 1 && { colspan }), ...(rowspan > 1 && { rowspan }) });
      }
      const repeated = Math.min(1_000, Number(element.attributes["number-rows-repeated"] ?? 1));
      const copies = row.every(({ markdown }) => markdown === "") ? 1 : repeated;
      for (let i = 0; i < copies; i++) rows.push(row);
    }
  }

  /** A bullet alone in a cell is how Impress writes any text in a table. */
  #cell(cell: XmlElement): string {
    const blocks = this.blocks(cell);
    const [only = ""] = blocks;
    return blocks.length === 1 && /^- [^\n]*$/.test(only) ? only.slice(2) : blocks.join("\n\n");
  }

  /** A frame holds one thing in several forms, best first: text, a picture, an object with its picture. */
  #frame(frame: XmlElement): string[] {
    const box = child(frame, "text-box");
    if (box !== undefined) return this.blocks(box);
    const inner = child(frame, "table");
    if (inner !== undefined) return this.#table(inner);
    const latex = this.#formulaOf(frame);
    if (latex !== undefined) return [formula(latex, true)];
    const picture = this.#pictureOf(frame);
    return picture === undefined ? [] : [picture];
  }

  #formulaOf(frame: XmlElement): string | undefined {
    const object = child(frame, "object");
    if (object === undefined) return undefined;
    const inline = child(object, "math");
    const root = inline ?? this.document.object(object.attributes.href ?? "");
    if (root?.name !== "math") return undefined;
    return mathmlToLatex(serialise(root));
  }

  #pictureOf(frame: XmlElement): string | undefined {
    const picture = child(frame, "image");
    if (picture === undefined) return undefined;
    const alt = ["title", "desc"].flatMap((name) => {
      const found = child(frame, name);
      return found === undefined ? [] : [textOf(found).trim()];
    });
    return image(alt.filter((text) => text !== "").join(". "), picture.attributes.href ?? "");
  }

  #comment(annotation: XmlElement): void {
    const said = saidBy(annotation) || "Comment";
    this.labels.push(`${said}:`);
    const text = this.blocks({
      ...annotation,
      children: annotation.children.filter(
        (node) =>
          typeof node === "string" ||
          !["creator", "date", "date-string", "initials", "sender-initials"].includes(node.name),
      ),
    });
    if (text.length > 0) this.comments.push(`- ${escapeText(`${said}:`)} ${text.join(" ").replace(/\s*\n\s*/g, " ")}`);
  }

  /** A paragraph's line, and the blocks that are anchored in it. */
  #inline(element: XmlElement, look?: TextLook): { line: string; below: string[] } {
    const pieces: Piece[] = [];
    const below: string[] = [];
    this.#pieces(element.children, look ?? this.styles.look("text", undefined), pieces, below);
    return { line: writeLine(pieces), below };
  }

  #pieces(nodes: readonly XmlNode[], look: TextLook, pieces: Piece[], below: string[]): void {
    for (const node of nodes) {
      if (typeof node === "string") {
        if (look.hidden) this.hidden.push(node);
        else emphasised(pieces, node.replace(/[\t\n\r ]+/g, " "), look);
        continue;
      }
      this.#piece(node, look, pieces, below);
    }
  }

  #piece(node: XmlElement, look: TextLook, pieces: Piece[], below: string[]): void {
    if (NO_TEXT.has(node.name)) return;
    switch (node.name) {
      case "s":
      case "tab":
        emphasised(pieces, " ", look);
        break;
      case "line-break":
        pieces.push({ kind: "break" });
        break;
      case "span":
        this.#pieces(node.children, this.styles.look("text", node.attributes["style-name"], look), pieces, below);
        break;
      case "a":
        this.#link(node, look, pieces, below);
        break;
      case "note":
        pieces.push({ kind: "markdown", text: `[^${this.#note(node)}]` });
        break;
      case "annotation":
        this.#comment(node);
        break;
      case "ruby": {
        // The reading of a sign stands above it on paper, and in brackets behind it in text.
        const base = child(node, "ruby-base");
        const reading = child(node, "ruby-text");
        if (base !== undefined) this.#pieces(base.children, look, pieces, below);
        if (reading !== undefined) emphasised(pieces, ` (${textOf(reading)})`, look);
        break;
      }
      case "frame": {
        const latex = this.#formulaOf(node);
        const picture =
          latex === undefined && child(node, "text-box") === undefined ? this.#pictureOf(node) : undefined;
        if (latex !== undefined) pieces.push({ kind: "markdown", text: formula(latex, false) });
        else if (picture !== undefined) pieces.push({ kind: "markdown", text: picture });
        else below.push(...this.#frame(node));
        break;
      }
      default:
        // Shapes that are anchored in a paragraph hold paragraphs of their own.
        if (children(node).some(({ name }) => BLOCKS.has(name) || name === "frame")) below.push(...this.blocks(node));
        else this.#pieces(node.children, look, pieces, below);
    }
  }

  #link(node: XmlElement, look: TextLook, pieces: Piece[], below: string[]): void {
    const target = node.attributes.href ?? "";
    const address = target.startsWith("#") ? undefined : safeTarget(target);
    if (address === undefined) {
      this.#pieces(node.children, look, pieces, below);
      return;
    }
    const inside: Piece[] = [];
    this.#pieces(node.children, look, inside, below);
    const label = writeLine(inside).replace(/\\\n/g, " ");
    if (label !== "") pieces.push({ kind: "markdown", text: `[${label}](${address})` });
  }

  /** Takes a note aside. @returns its label */
  #note(node: XmlElement): string {
    const label = String(this.#notes.length + 1);
    // The place is taken before the note is read: a note may hold a note.
    const at = this.#notes.push("") - 1;
    const body = child(node, "note-body");
    this.#notes[at] = footnote(label, body === undefined ? "" : this.blocks(body).join("\n\n"));
    return label;
  }
}

function emphasised(pieces: Piece[], text: string, look: TextLook): void {
  const styles = [look.bold ? "**" : "", look.italic ? "*" : "", look.strike ? "~~" : ""].filter((each) => each !== "");
  for (const style of styles) pieces.push({ kind: "open", style });
  pieces.push({ kind: "text", text });
  for (const style of styles.reverse()) pieces.push({ kind: "close", style });
}

/** `Ann Lee, 2024-05-01`, as far as it is stated. */
function saidBy(info: XmlElement | undefined): string {
  if (info === undefined) return "";
  const text = (name: string): string => {
    const found = child(info, name);
    return found === undefined ? "" : textOf(found).trim();
  };
  return [text("creator"), /^\d{4}-\d\d-\d\d/.exec(text("date"))?.[0] ?? ""].filter((each) => each !== "").join(", ");
}

/** Text of a listing, its blanks and lines as they stand. */
export function plainText(node: XmlNode): string {
  if (typeof node === "string") return node.replace(/[\t\n\r ]+/g, " ");
  if (node.name === "s") return " ".repeat(Math.min(1_000, Number(node.attributes.c ?? 1)));
  if (node.name === "tab") return "    ";
  if (node.name === "line-break") return "\n";
  if (node.name === "annotation" || node.name === "note") return "";
  return node.children.map(plainText).join("");
}

/** Marks a paragraph of a listing until its neighbours are known; no text holds this sign. */
const LISTING = "\u0000";

/** Neighbouring paragraphs of a listing are its lines. */
function joinListings(blocks: readonly string[]): string[] {
  const joined: string[] = [];
  let lines: string[] = [];
  const close = (): void => {
    if (lines.length > 0) joined.push(codeBlock(lines.join("\n")));
    lines = [];
  };
  for (const block of blocks) {
    if (block.startsWith(LISTING)) lines.push(block.slice(1));
    else {
      close();
      joined.push(block);
    }
  }
  close();
  return joined;
}

function ordinal(number: number): string {
  return `${Math.min(999_999_999, Math.max(0, number))}.`;
}

/** Entries as blocks: items below items of a lower level, what has no sign at the top. */
function writeEntries(entries: readonly Entry[]): string[] {
  const blocks: string[] = [];
  let lines: { indent: number; text: string; loose: boolean }[] = [];
  // Of the open items: their level, and the column at which their text begins.
  let open: { level: number; column: number }[] = [];
  const close = (): void => {
    if (lines.length > 0) {
      const gap = lines.some(({ loose }) => loose) ? "\n\n" : "\n";
      blocks.push(lines.map(({ indent, text }) => text.replace(/^(?=.)/gm, " ".repeat(indent))).join(gap));
    }
    lines = [];
    open = [];
  };
  for (const { level, sign, blocks: inside } of entries) {
    if (sign === undefined) {
      close();
      blocks.push(...inside);
      continue;
    }
    open = open.filter((each) => each.level < level);
    const indent = open.at(-1)?.column ?? 0;
    const column = sign.length + 1;
    const text = inside.join("\n\n").replace(/\n(?=[^\n])/g, `\n${" ".repeat(column)}`);
    lines.push({ indent, text: `${sign} ${text}`, loose: inside.length > 1 });
    open.push({ level, column: indent + column });
  }
  close();
  return blocks;
}
