/** The parts in which a long PDF is converted: its chapters, so that work which was stopped goes on with the next one. */
import type { Original, PageRange } from "../engine.js";
import { PdfDocument, type OutlineEntry } from "./document.js";
import { preflight } from "./preflight.js";

export interface Chapter {
  readonly title: string;
  readonly pages: PageRange;
}

/** A longer chapter is cut into parts. */
const LONGEST = 60;
/** Chapters shorter than this go with the next one: each part costs the reading of the document's sample. */
const SHORTEST = 10;
/** Pages of a part where there are no bookmarks. */
const WITHOUT_BOOKMARKS = 40;
const MOST_BOOKMARKS = 20_000;

/** The chapters of a PDF of more than `threshold` pages, which together are all of its pages; undefined for shorter ones. */
export async function chaptersOf(original: Original, threshold: number): Promise<readonly Chapter[] | undefined> {
  preflight(original);
  const document = await PdfDocument.open(original);
  try {
    const total = document.pageCount;
    if (total <= threshold) return undefined;
    return chaptersOfOutline(await document.outline(MOST_BOOKMARKS), total);
  } finally {
    await document.close();
  }
}

/** Exported for tests. */
export function chaptersOfOutline(outline: readonly OutlineEntry[], total: number): Chapter[] {
  const starts: { title: string; page: number }[] = [{ title: "", page: 1 }];
  for (const { title, page } of outline.filter((entry) => entry.depth === depthOfChapters(outline))) {
    if (page === undefined || page > total || page <= starts.at(-1)!.page) {
      // The first page, or two titles on one page.
      if (page === starts.at(-1)!.page && starts.at(-1)!.title === "") starts.at(-1)!.title = title;
      continue;
    }
    if (page - starts.at(-1)!.page < SHORTEST) {
      // What was begun goes with this chapter, under the name that is longer in it.
      if (starts.at(-1)!.title === "") starts.at(-1)!.title = title;
      continue;
    }
    starts.push({ title, page });
  }
  const longest = starts.length === 1 ? WITHOUT_BOOKMARKS : LONGEST;
  return starts.flatMap(({ title, page }, index) => {
    const end = (starts[index + 1]?.page ?? total + 1) - 1;
    const parts = Math.ceil((end - page + 1) / longest);
    const size = Math.ceil((end - page + 1) / parts);
    return Array.from({ length: parts }, (_, part) => {
      const from = page + part * size;
      return { title: title === "" ? `Page ${from}` : title, pages: { from, to: Math.min(end, from + size - 1) } };
    }).filter(({ pages }) => pages.from <= pages.to);
  });
}

/** Where all bookmarks stand below one, as below a book's title, the chapters are one level further in. */
function depthOfChapters(outline: readonly OutlineEntry[]): number {
  for (let depth = 0; depth < 4; depth += 1)
    if (outline.filter((entry) => entry.depth === depth).length > 1) return depth;
  return 0;
}
