/** Running heads, running feet and page numbers: what stands at the same place of several pages, page numbers put aside. */
import type { Line } from "./lines.js";
import type { Withheld } from "../engine.js";

/** All pieces of a page that stand on one height. */
export interface Row {
  readonly pieces: readonly Line[];
  readonly top: number;
  readonly bottom: number;
  readonly baseline: number;
  readonly size: number;
  /** Larger than most lines of its page. */
  readonly large: boolean;
  readonly text: string;
}

/** What stands at the edges of the document's pages again and again. */
export interface RunningHeads {
  /** Edge, height and text with digits masked. */
  readonly texts: ReadonlySet<string>;
  /** Edge, height and size at which texts change from chapter to chapter, but which is always a head's place. */
  readonly slots: ReadonlySet<string>;
}

const NO_HEADS: RunningHeads = { texts: new Set(), slots: new Set() };

/** Rows at each edge that are looked at. */
const DEEPEST = 4;
/** Heads are seldom set larger than the text. */
const LARGER = 1.12;
/** Share of a page's height in which heads and feet stand. */
const EDGE = 0.17;
/** Baselines of heads differ by less than this, in points. */
const GRID = 4;

/** The pieces of a page in rows from the top. */
export function rowsOf(lines: readonly Line[]): Row[] {
  const rows: Line[][] = [];
  for (const line of lines.toSorted((a, b) => a.baseline - b.baseline)) {
    const row = rows.at(-1);
    if (row !== undefined && Math.abs(row[0]!.baseline - line.baseline) < 0.3 * Math.min(row[0]!.size, line.size))
      row.push(line);
    else rows.push([line]);
  }
  const sizes = lines.map(({ size }) => size).sort((a, b) => a - b);
  const usual = sizes[Math.floor(sizes.length / 2)] ?? 0;
  return rows.map((pieces) => {
    const sorted = pieces.sort((a, b) => a.left - b.left);
    const size = Math.max(...sorted.map((piece) => piece.size));
    return {
      pieces: sorted,
      top: Math.min(...sorted.map(({ top }) => top)),
      bottom: Math.max(...sorted.map(({ bottom }) => bottom)),
      baseline: sorted[0]!.baseline,
      size,
      large: size > LARGER * usual,
      text: sorted.map(({ text }) => text).join(" "),
    };
  });
}

/** Rows near the edges of a page, from the edge inwards. */
function edgesOf(rows: readonly Row[], height: number): { readonly edge: "top" | "bottom"; readonly row: Row }[] {
  const top = rows.slice(0, DEEPEST).filter((row) => row.bottom < EDGE * height);
  const bottom = rows
    .slice(-DEEPEST)
    .reverse()
    .filter((row) => row.top > (1 - EDGE) * height && !top.includes(row));
  return [
    ...top.map((row) => ({ edge: "top" as const, row })),
    ...bottom.map((row) => ({ edge: "bottom" as const, row })),
  ];
}

/** Learns the heads from pages of a document. `titles` are its bookmarks, which heads repeat. */
export function learnHeads(
  pages: readonly { readonly rows: readonly Row[]; readonly height: number }[],
  titles: readonly string[] = [],
): RunningHeads {
  const texts = new Map<string, number>();
  const numbers = new Set<string>();
  const slots = new Map<string, string[]>();
  for (const { rows, height } of pages) {
    for (const { edge, row } of edgesOf(rows, height)) {
      const key = textKey(edge, row);
      texts.set(key, (texts.get(key) ?? 0) + 1);
      if (withheldOf(row).kind === "page-number") numbers.add(key);
      const slot = slotKey(edge, row);
      slots.set(slot, [...(slots.get(slot) ?? []), key]);
    }
  }
  // On two pages a repeated title is as likely as a head, a number at the same edge is not.
  const least = pages.length <= 2 ? Infinity : pages.length <= 4 ? 3 : 2;
  const repeated = new Set(
    [...texts].filter(([key, count]) => count >= (numbers.has(key) ? 2 : least)).map(([key]) => key),
  );
  const sure = [...slots].filter(
    ([, keys]) =>
      keys.length >= 5 &&
      new Set(keys).size >= 2 &&
      keys.filter((key) => repeated.has(key)).length >= 0.6 * keys.length,
  );
  const heads = { texts: repeated, slots: new Set([...sure.map(([slot]) => slot), ...titledSlots(pages, titles)]) };
  // Pages that say little but the same, such as cards or copies, are no pages with heads.
  const filled = pages.filter(({ rows }) => rows.length > 0);
  const emptied = filled.filter(({ rows, height }) => partHeads(rows, height, heads).body.length === 0);
  return emptied.length > filled.length / 2 ? NO_HEADS : heads;
}

/** Heights at which the first row of most pages names a chapter: heads whose words change from section to section. */
function titledSlots(
  pages: readonly { readonly rows: readonly Row[]; readonly height: number }[],
  titles: readonly string[],
): string[] {
  const known = titles.map(lettersOf).filter((title) => title.length >= 4);
  const slots = new Map<string, number>();
  for (const { rows, height } of pages) {
    const [first, second] = rows;
    if (first === undefined || second === undefined || first.large || first.bottom > EDGE * height) continue;
    const text = lettersOf(first.text);
    if (second.top - first.bottom < 1.5 * first.size || !known.some((title) => text.includes(title))) continue;
    const slot = slotKey("top", first);
    slots.set(slot, (slots.get(slot) ?? 0) + 1);
  }
  return [...slots].filter(([, count]) => count >= 5 && count >= 0.4 * pages.length).map(([slot]) => slot);
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}]+/gu, "");
}

/** The heads and feet of a page, and its other rows. */
export function partHeads(rows: readonly Row[], height: number, heads: RunningHeads): { heads: Row[]; body: Row[] } {
  const taken = new Set<Row>();
  for (const side of ["top", "bottom"] as const) {
    const edge = edgesOf(rows, height).filter((each) => each.edge === side);
    for (const [index, { row }] of edge.entries()) {
      const known = near(textKey, side, row).some((key) => heads.texts.has(key));
      const inner = edge[index + 1]?.row ?? (side === "top" ? rows[index + 1] : rows[rows.length - 2 - index]);
      const gap = inner === undefined ? Infinity : Math.max(inner.top - row.bottom, row.top - inner.bottom);
      const slot = !row.large && near(slotKey, side, row).some((key) => heads.slots.has(key)) && gap > 0.5 * row.size;
      // What is further inside than body text is no head.
      if (!known && !slot) break;
      taken.add(row);
    }
  }
  return { heads: rows.filter((row) => taken.has(row)), body: rows.filter((row) => !taken.has(row)) };
}

export function withheldOf(row: Row): Withheld {
  const number =
    /^[\s\-–—·|]*(?:(?:page|seite|página|pagina|стр\.?|第)\s*)?(?:\d+|[ivxlc]+|[A-Z]-?\d+)(?:\s*(?:\/|of|von|de|di|sur|из)\s*\d+)?[\s\-–—·|]*(?:页|ページ)?$/i;
  return { kind: number.test(row.text) ? "page-number" : "running-head", text: row.text };
}

function textKey(edge: string, row: Row, shift = 0): string {
  // `Chapter 5` above each chapter is no head: what is larger than heads are must be the same to the digit.
  const text = row.large
    ? row.text
    : row.text.replace(/\d+/g, "#").replace(/(?<![\p{L}\p{N}])[ivxlc]+(?![\p{L}\p{N}])/giu, "#");
  return `${edge}|${Math.round(row.baseline / GRID) + shift}|${text.replace(/\s+/g, " ")}`;
}

function slotKey(edge: string, row: Row, shift = 0): string {
  return `${edge}|${Math.round(row.baseline / GRID) + shift}|${Math.round(row.size * 2)}`;
}

/** A baseline that lies between two steps of the grid may fall to either. */
function near(key: (edge: string, row: Row, shift: number) => string, edge: string, row: Row): string[] {
  return [0, -1, 1].map((shift) => key(edge, row, shift));
}
