/** Tables of a page: those of data as tables, those that only place things on the screen as what they hold. */
import { table, type Cell } from "../markdown.js";
import { append, join, type Block, type BlockWriter, type State } from "./blocks.js";
import { find, isElement, textOf, tokens, type HtmlElement, type HtmlNode } from "./tree.js";

/** HTML 4.9.11 bounds spans so; a table is drawn with every cell of its span. */
const WIDEST_SPAN = 1_000;

export function writeTable(node: HtmlElement, state: State, writer: BlockWriter): Block[] {
  const out: Block[] = [];
  const inner = { ...state, link: {}, styles: state.styles };
  for (const caption of node.children.filter(
    (child): child is HtmlElement => isElement(child) && child.name === "caption",
  ))
    append(out, writer.blocks(caption.children, { ...inner, styles: [] }));
  const rows = rowsOf(node);
  if (isLayout(node, rows)) {
    for (const cell of rows.flatMap((row) => row.cells))
      append(out, writer.blocks(cell.children, cell.name === "th" ? bold(inner) : inner));
    return out;
  }
  const written = rows.map((row, number) =>
    row.cells.map((cell): Cell => writtenCell(cell, number === 0 || row.inHead, { ...inner, inTable: true }, writer)),
  );
  const shown = written.filter((row) => row.length > 0);
  const options = { header: hasHeader(rows) };
  const piped = table(
    shown.map((row) => row.map((cell) => ({ ...cell, markdown: cell.markdown.replaceAll("\\\n", "\n") }))),
    options,
  );
  // Rows of pipes have a break of their own; HTML holds Markdown, in which it stays a backslash.
  const markdown = piped.startsWith("<") ? table(shown, options) : piped;
  if (written.some((row) => row.some((cell) => cell.markdown !== ""))) out.push({ markdown, kind: "other" });
  return out;
}

const NO_ROWS = new Set(["caption", "colgroup", "col"]);

interface Row {
  readonly cells: readonly HtmlElement[];
  readonly inHead: boolean;
}

/**
 * Rows in the order in which they are shown: the head first, the foot last. What stands between rows or cells is a row or a
 * cell by itself, as CSS has it (17.2.1); HTML moves it out, XHTML leaves it there.
 */
function rowsOf(node: HtmlElement): Row[] {
  const head: Row[] = [];
  const body: Row[] = [];
  const foot: Row[] = [];
  const add = (parent: HtmlElement, to: Row[]): void => {
    for (const child of parent.children) {
      if (!isElement(child)) {
        if (child.trim() !== "") to.push({ cells: [cellOf(child)], inHead: false });
      } else if (child.name === "tr") to.push({ cells: cellsOf(child), inHead: to === head });
      else if (child.name === "thead") add(child, head);
      else if (child.name === "tbody") add(child, to);
      else if (child.name === "tfoot") add(child, foot);
      else if (!NO_ROWS.has(child.name) && textOf(child).trim() !== "")
        to.push({ cells: [cellOf(child)], inHead: false });
    }
  };
  add(node, body);
  return [...head, ...body, ...foot];
}

function cellsOf(row: HtmlElement): HtmlElement[] {
  const cells: HtmlElement[] = [];
  for (const child of row.children)
    if (!isElement(child)) {
      if (child.trim() !== "") cells.push(cellOf(child));
    } else if (child.name === "td" || child.name === "th") cells.push(child);
    else if (textOf(child).trim() !== "") cells.push(cellOf(child));
  return cells;
}

function cellOf(node: HtmlNode): HtmlElement {
  return { name: "td", attributes: new Map(), children: [node], block: true };
}

/** A cell of data seldom holds a table, and then a small one. */
const LARGE_FOR_A_CELL = 500;

function placesTables(cells: readonly HtmlElement[]): boolean {
  const holding = cells.filter((cell) => find(cell, ({ name }) => name === "table") !== undefined);
  const filled = cells.filter((cell) => textOf(cell).trim() !== "").length;
  return holding.length * 2 > filled || holding.some((cell) => textOf(cell).trim().length > LARGE_FOR_A_CELL);
}

/**
 * Whether a table only places things: the page says so; it has one cell; most of its cells hold tables, or one a large one,
 * and nothing is a heading of anything; or every row has one cell and pictures beside it (the notes and warnings of DocBook).
 */
function isLayout(node: HtmlElement, rows: readonly Row[]): boolean {
  const roles = tokens(node, "role");
  if (roles.includes("presentation") || roles.includes("none")) return true;
  const cells = rows.flatMap((row) => row.cells);
  if (cells.length <= 1) return true;
  const captioned = node.children.some(
    (child) => isElement(child) && (child.name === "caption" || child.name === "thead"),
  );
  const headed = captioned || cells.some(({ name }) => name === "th");
  if (!headed && placesTables(cells)) return true;
  const pictured = cells.filter(isPicture).length;
  return pictured > 0 && rows.every((row) => row.cells.filter((cell) => !isPicture(cell)).length <= 1);
}

function isPicture(cell: HtmlElement): boolean {
  return textOf(cell).trim() === "" && find(cell, ({ name }) => name === "img") !== undefined;
}

/** The first row heads the columns where the page says so, or sets all of it in bold. */
function hasHeader(rows: readonly Row[]): boolean {
  const [first] = rows;
  if (first === undefined) return false;
  if (first.inHead || first.cells.every(({ name }) => name === "th")) return true;
  return first.cells.every((cell) => {
    const parts = cell.children.filter((node) => isElement(node) || node.trim() !== "");
    return parts.length > 0 && parts.every((node) => isElement(node) && /^(?:b|strong|h[1-6])$/.test(node.name));
  });
}

function writtenCell(cell: HtmlElement, isHead: boolean, state: State, writer: BlockWriter): Cell {
  // Cells that head their row are bold on the screen.
  const heads = cell.name === "th" && !isHead;
  const blocks = writer.blocks(cell.children, heads ? bold(state) : state);
  return {
    markdown: join(blocks),
    colspan: span(cell, "colspan"),
    rowspan: span(cell, "rowspan"),
  };
}

function bold(state: State): State {
  return { ...state, styles: [...state.styles, "**"] };
}

function span(cell: HtmlElement, name: string): number {
  const value = Number.parseInt(cell.attributes.get(name) ?? "1", 10);
  return Number.isNaN(value) || value < 1 ? 1 : Math.min(value, WIDEST_SPAN);
}
