/**
 * Fonts that do not say which letters they show. Programs that make a subset of a font number its glyphs as they are used,
 * from `!` on; where the table that leads back to letters is missing, every reader gets `! " # $ % ! &` for words.
 */
import type { ReadPage } from "./contents.js";
import type { FontFace } from "./drawing.js";
import type { TextItem } from "./page.js";

/** The first number that a glyph gets: the first printable character. */
const FIRST = 0x21;
/** So few characters say nothing. */
const LEAST_SIGNS = 6;
const LEAST_DISTINCT = 3;
/** Share of the characters that must come into use in the order of their numbers. */
const IN_ORDER = 0.9;
/** Characters before other rules than that order are asked: formulas and lists of signs are short. */
const LEAST_TEXT = 40;
/** Share of characters that no text has: controls, the private area, what Unicode has not assigned. */
const NO_TEXT = 0.3;
/** Share of signs that are rare in sentences, formulas and listings alike. */
const RARE_SIGNS = 0.35;
/** Share of neighbouring letters that are of different scripts. */
const MIXED = 0.4;
/** Fonts whose signs are no letters by design; listings hold many signs too. */
const SIGNS =
  /symbol|ding|wing|webd|math|pi\b|commpi|ornament|icon|awesome|emoji|marlett|braille|^(?:cm|msam|msbm|rsfs|stmary|eu[fsx]m)|barcode|music/i;
const SCRIPTS = [
  /\p{sc=Latin}/u,
  /\p{sc=Greek}/u,
  /\p{sc=Cyrillic}/u,
  /[\p{sc=Arabic}\p{sc=Syriac}]/u,
  /\p{sc=Hebrew}/u,
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}]/u,
];
/** Page whose text is unreadable in so large a part is better read as a picture. */
const MOSTLY = 0.5;

/** The fonts of some pages, by what is written in them. */
export class FontCensus {
  readonly #uses = new Map<FontFace, Use>();

  /** Counts the words of a page; the pages come in their order. */
  add({ contents }: ReadPage): void {
    for (const { face, text } of contents.items) {
      if (face === undefined) continue;
      let use = this.#uses.get(face);
      if (use === undefined) this.#uses.set(face, (use = new Use()));
      use.add(text);
    }
  }

  /** Whether a font is unreadable; undefined where it was not met. */
  judge(face: FontFace): boolean | undefined {
    const use = this.#uses.get(face);
    if (use === undefined) return undefined;
    return !face.symbolic && use.isUnreadable(face.monospaced || SIGNS.test(face.name));
  }
}

class Use {
  readonly #distinct = new Set<number>();
  #all = 0;
  #highest = FIRST - 1;
  #inOrder = 0;
  #noText = 0;
  #rare = 0;
  #pairs = 0;
  #mixed = 0;

  add(text: string): void {
    let last = -1;
    for (const sign of text) {
      const code = sign.codePointAt(0)!;
      this.#all += 1;
      if (!this.#distinct.has(code)) {
        this.#distinct.add(code);
        if (code === this.#highest + 1) this.#inOrder += 1;
        this.#highest = Math.max(this.#highest, code);
      }
      if (/[\p{Cc}\p{Co}\p{Cn}\ufffd]/u.test(sign)) this.#noText += 1;
      else if (/[!"#$%&'*;<>?@\\^_`{|}~]/.test(sign)) this.#rare += 1;
      const script = /\p{L}/u.test(sign) ? scriptOf(sign) : -1;
      if (script >= 0 && last >= 0) {
        this.#pairs += 1;
        if (script !== last) this.#mixed += 1;
      }
      last = script;
    }
  }

  isUnreadable(mayBeSigns: boolean): boolean {
    const distinct = this.#distinct.size;
    // A chart of all signs has each of them once.
    const numbered =
      distinct >= LEAST_DISTINCT &&
      this.#all >= Math.max(LEAST_SIGNS, 1.5 * distinct) &&
      this.#distinct.has(FIRST) &&
      this.#inOrder >= IN_ORDER * distinct;
    if (numbered) return true;
    if (mayBeSigns || this.#all < LEAST_TEXT || distinct < 12) return false;
    return (
      this.#noText > NO_TEXT * this.#all ||
      this.#rare > RARE_SIGNS * this.#all ||
      (this.#pairs >= LEAST_TEXT && this.#mixed > MIXED * this.#pairs)
    );
  }
}

/** The script of a letter as a number; those that are not listed go by the block of 128 that they stand in. */
function scriptOf(letter: string): number {
  const known = SCRIPTS.findIndex((script) => script.test(letter));
  return known >= 0 ? known : SCRIPTS.length + (letter.codePointAt(0)! >> 7);
}

/** The page with the words marked whose font `census`, or the page itself where the font is on no page of it, finds unreadable. */
export function markUnreadable(page: ReadPage, census: FontCensus): ReadPage {
  const own = new FontCensus();
  own.add(page);
  const isBad = ({ face }: TextItem): boolean => face !== undefined && (census.judge(face) ?? own.judge(face)) === true;
  if (!page.contents.items.some(isBad)) return page;
  const items = page.contents.items.map((item) => (isBad(item) ? { ...item, unreadable: true } : item));
  return { ...page, contents: { ...page.contents, items } };
}

/** How much of a page is marked as unreadable: nothing, a part or most of it. */
export function unreadablePart({ contents }: ReadPage): "none" | "some" | "most" {
  let [all, bad] = [0, 0];
  for (const { text, unreadable } of contents.items) {
    all += text.length;
    if (unreadable === true) bad += text.length;
  }
  return bad === 0 ? "none" : bad > MOSTLY * all ? "most" : "some";
}

/** `page 3`, `pages 3–5 and 22`. */
export function pagesInWords(pages: readonly number[]): string {
  const ranges: { from: number; to: number }[] = [];
  for (const page of pages.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && page <= last.to + 1) last.to = page;
    else ranges.push({ from: page, to: page });
  }
  const said = ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}–${to}`));
  const end = said.length > 1 ? ` and ${said.pop()!}` : "";
  return `${pages.length === 1 ? "page" : "pages"} ${said.join(", ")}${end}`;
}
