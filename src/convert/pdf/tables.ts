/** Tables of a page, drawn or only aligned. */
import { alignedTables } from "./aligned.js";
import { booktabsTables } from "./booktabs.js";
import type { FoundCell, FoundTable, PageContents, TextItem } from "./page.js";
import { ruledTables } from "./ruled.js";
import type { TableRegion } from "./table-rows.js";

/** The tables of a page from the top. No word is in two of them. */
export function findTables(page: PageContents): FoundTable[] {
  const taken = new Set<TextItem>();
  const regions: TableRegion[] = [];
  // The surest first: what is drawn, what stands between lines, what only stands under one another.
  for (const find of [ruledTables, booktabsTables, alignedTables]) {
    const found = find(
      page,
      page.items.filter((item) => !taken.has(item)),
    );
    regions.push(...found);
    for (const item of found.flatMap(({ items }) => items)) taken.add(item);
  }
  return regions.map(tableOf).sort((a, b) => a.top - b.top || a.left - b.left);
}

function tableOf({ left, top, right, bottom, rows }: TableRegion): FoundTable {
  return { left, top, right, bottom, rows: rows.map((cells) => ({ cells })), header: namesColumns(rows) };
}

/** A first row that names the columns has no numbers among its cells and is no pair of a name and a value. */
function namesColumns(rows: readonly (readonly FoundCell[])[]): boolean {
  const first = rows[0]!.filter(({ items }) => items.length > 0);
  return first.length >= 2 && !first.some(({ items }) => /^[-+\p{Sc}]?\d[\d.,:/-]*%?$/u.test(textOf(items)));
}

function textOf(items: readonly TextItem[]): string {
  return items.map(({ text }) => text).join(" ");
}
