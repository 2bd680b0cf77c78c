/**
 * What is known of a document before any page is written: its heads, the looks of its headings, its words. It is learnt
 * from a sample of pages that depends on the document alone, so that a part comes out as it does in the whole.
 */
import type { ReadPage } from "./contents.js";
import type { OutlineEntry } from "./document.js";
import { bodyOf, framesOf, runsOf } from "./layout.js";
import { segmentsOf, type Line } from "./lines.js";
import { learnHeads, rowsOf, type RunningHeads } from "./running.js";
import { FontCensus, markUnreadable } from "./unreadable.js";
import { Bookmarks, learnStyles, type Styles } from "./styles.js";

export interface Profile {
  readonly heads: RunningHeads;
  readonly styles: Styles;
  /** Words of the sample, lower-case, words with a hyphen among them. */
  readonly words: ReadonlySet<string>;
  /** Whether the blank between two Korean words is drawn at a line's end too. */
  readonly blanksAtLineEnds: boolean;
  /** What is written in each font of the sample. */
  readonly fonts: FontCensus;
  /** Bookmarks by the page that they lead to. */
  readonly bookmarks: ReadonlyMap<number, readonly OutlineEntry[]>;
}

/** Shorter documents are known from all of their pages. */
const ALL_PAGES = 32;
/** Places of a long document at which three pages in a row are read: heads change from left to right pages and by chapter. */
const PLACES = 8;
/** Pages with bookmarks that are read besides, to learn how titles of each depth look. */
const TITLE_PAGES = 10;

/** Fewer blanks at ends of lines may be chance. */
const LEAST_BLANKS = 3;

/** The pages that a document is known from, ascending. */
export function samplePages(total: number, outline: readonly OutlineEntry[]): number[] {
  if (total <= ALL_PAGES) return Array.from({ length: total }, (_, index) => index + 1);
  const pages = new Set([1, 2, 3]);
  for (let place = 0; place < PLACES; place += 1) {
    const first = Math.round(4 + ((total - 7) * place) / (PLACES - 1));
    for (const page of [first, first + 1, first + 2]) pages.add(page);
  }
  const titled = [...new Set(outline.map(({ page }) => page))].filter(
    (page) => page !== undefined && page <= total && page > 0,
  );
  for (let index = 0; index < TITLE_PAGES && titled.length > 0; index += 1) {
    pages.add(titled[Math.floor((index * titled.length) / TITLE_PAGES)]!);
  }
  return [...pages].filter((page) => page <= total).sort((a, b) => a - b);
}

export function profileOf(sample: readonly ReadPage[], outline: readonly OutlineEntry[]): Profile {
  const fonts = new FontCensus();
  for (const page of sample) fonts.add(page);
  const pages = sample.map((page) => markUnreadable(page, fonts));
  const bookmarks = new Map<number, OutlineEntry[]>();
  for (const entry of outline) {
    if (entry.page !== undefined) bookmarks.set(entry.page, [...(bookmarks.get(entry.page) ?? []), entry]);
  }
  const frames = pages.map(({ contents }) => ({ number: contents.number, frame: framesOf(contents)[0] }));
  const heads = learnHeads(
    frames.map(({ frame }) => ({
      rows: frame === undefined ? [] : rowsOf(segmentsOf(frame.items)),
      height: frame?.height ?? 0,
    })),
    outline.map(({ title }) => title),
  );
  const runs: Line[][] = [];
  const open = new Map<Line, Bookmarks>();
  for (const { number, frame } of frames) {
    if (frame === undefined) continue;
    const titles = new Bookmarks(bookmarks.get(number) ?? []);
    for (const run of runsOf(bodyOf(frame, heads).lines, [])) {
      const lines = run.filter((each): each is Line => "text" in each);
      for (const line of lines) open.set(line, titles);
      runs.push(lines);
    }
  }
  const styles = learnStyles(runs, (group) => open.get(group.lines[0]!)?.take(group)?.depth);
  return { heads, styles, words: wordsIn(runs), blanksAtLineEnds: drawsBlanks(runs), fonts, bookmarks };
}

/** A line's last word may be broken, so it is no evidence. */
function wordsIn(runs: readonly (readonly Line[])[]): Set<string> {
  const words = new Set<string>();
  for (const line of runs.flat()) {
    const text = line.text.replace(/\S+[-\u2010\u00ad]$/u, "");
    for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*/gu)) words.add(word);
  }
  return words;
}

/** Some programs draw no blank where a line ends; then its absence says nothing of the word. */
function drawsBlanks(runs: readonly (readonly Line[])[]): boolean {
  let [breaks, blanks] = [0, 0];
  for (const run of runs) {
    for (let index = 1; index < run.length; index += 1) {
      const next = run[index]!.items[0];
      if (next === undefined || !/\p{sc=Hangul}$/u.test(run[index - 1]!.text) || !/^\p{sc=Hangul}/u.test(next.text))
        continue;
      breaks += 1;
      if (next.blankBefore) blanks += 1;
    }
  }
  return blanks >= LEAST_BLANKS && blanks > 0.1 * breaks;
}
