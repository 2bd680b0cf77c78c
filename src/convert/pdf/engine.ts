/** PDF to Markdown: pdfjs reads, the files beside this one lay out, markdown.ts writes (spec/convert.md, "PDF"). */
import { createHash } from "node:crypto";
import type { Block } from "./blocks.js";
import type { Conversion, Engine, EngineOptions, Finding, Original, Withheld } from "../engine.js";
import { escapeText, marker } from "../markdown.js";
import { contentsOf, type ReadPage } from "./contents.js";
import { PDFJS, PdfDocument, type OutlineEntry } from "./document.js";
import type { InlineContext } from "./inline.js";
import { carryOver, layOut, type PageLayout } from "./layout.js";
import { preflight } from "./preflight.js";
import { profileOf, samplePages, type Profile } from "./profile.js";
import type { TextItem } from "./page.js";
import { OcrPages } from "./scans.js";
import { sampledPages } from "./sampling.js";
import { findTables } from "./tables.js";
import { markUnreadable, pagesInWords, unreadablePart } from "./unreadable.js";
import { titleLine, writeBlocks } from "./write.js";

/** Bookmarks beyond this are no help to a reader. */
const MOST_BOOKMARKS = 20_000;
/** Links of a page beyond this are not looked up. */
const MOST_LINKS = 1_000;

/** Of the document converted last: the chapters of a long one come one after the other, and share the pages that are sampled for it. */
let latest: { readonly digest: string; readonly profile: Profile } | undefined;

export const engine: Engine = async (original: Original, options: EngineOptions): Promise<Conversion> => {
  preflight(original);
  const document = await PdfDocument.open(original);
  const scans = new OcrPages(original, options.ocr);
  try {
    return await new Run(original, document, options, scans).conversion();
  } finally {
    await scans.close();
    await document.close();
  }
};

class Run {
  readonly #findings: Finding[] = [];
  readonly #withheld: Withheld[] = [];
  readonly #comments: string[] = [];
  /** Titles that a sample wrote from pages left out. */
  readonly #restored: string[] = [];
  /** Pages with text in fonts that do not say which letters they show, and those of them that were recognised instead. */
  readonly #unreadable: number[] = [];
  readonly #recognised: number[] = [];
  /** Pages that the sample read already. */
  readonly #read = new Map<number, ReadPage | string>();

  constructor(
    private readonly original: Original,
    private readonly document: PdfDocument,
    private readonly options: EngineOptions,
    private readonly scans: OcrPages,
  ) {}

  async conversion(): Promise<Conversion> {
    const total = this.document.pageCount;
    const metadata = await this.document.metadata();
    const outline = await this.document.outline(MOST_BOOKMARKS);
    const profile = await this.#profile(total, outline);
    const wanted = wantedPages(total, this.options);
    const written = await this.#pages(wanted, profile, outline);
    this.#findings.push(...unreadableText(this.#unreadable, this.#recognised));
    const labels = this.#restored;
    if (this.#comments.length > 0) {
      labels.push("Comments");
      written.push("## Comments", ...this.#comments);
    }
    return {
      engine: PDFJS,
      markdown: `${written.filter((block) => block !== "").join("\n\n")}\n`,
      ...metadata,
      pagesTotal: total,
      withheld: this.#withheld,
      labels,
      findings: this.#findings,
    };
  }

  async #profile(total: number, outline: readonly OutlineEntry[]): Promise<Profile> {
    const digest = createHash("sha256").update(this.original.bytes).digest("hex");
    if (digest === latest?.digest) return latest.profile;
    const pages: ReadPage[] = [];
    for (const number of samplePages(total, outline)) {
      const page = await this.#page(number);
      if (typeof page !== "string") pages.push(page);
    }
    const profile = profileOf(pages, outline);
    latest = { digest, profile };
    return profile;
  }

  async #page(number: number): Promise<ReadPage | string> {
    const known = this.#read.get(number);
    if (known !== undefined) return known;
    const raw = await this.document.read(number);
    const page = typeof raw === "string" ? raw : contentsOf(raw);
    this.#read.set(number, page);
    return page;
  }

  async #pages(numbers: readonly number[], profile: Profile, outline: readonly OutlineEntry[]): Promise<string[]> {
    const written: string[] = [];
    let waiting: Waiting | undefined;
    const flush = (): void => {
      if (waiting !== undefined) written.push(...write(waiting, profile));
      waiting = undefined;
    };
    let last = 0;
    for (const number of numbers) {
      const found = await this.#page(number);
      const page = typeof found === "string" ? found : markUnreadable(found, profile.fonts);
      this.#read.delete(number);
      if (number !== last + 1) {
        flush();
      }
      if (typeof page === "string") {
        flush();
        written.push(marker({ kind: "page", number }));
        this.#findings.push({
          severity: "warn",
          kind: "unreadable page",
          text: `${page[0]!.toUpperCase()}${page.slice(1)}.`,
        });
      } else {
        const next = await this.#laidOut(page, profile);
        // A sentence that goes on on this page is written whole where it begins.
        if (waiting !== undefined && next.blocks[0] !== undefined && carryOver(waiting.blocks, next.blocks[0])) {
          waiting.pages.push(page);
          next.blocks.shift();
        }
        flush();
        waiting = next;
        if (this.options.sample !== undefined && number !== last + 1) {
          waiting.path.push(...pathTo(number, last, outline, next.blocks[0]));
          this.#restored.push(...waiting.path.map(({ title }) => title));
        }
      }
      last = number;
    }
    flush();
    return written;
  }

  async #laidOut(page: ReadPage, profile: Profile): Promise<Waiting> {
    const { number } = page.contents;
    const layout: PageLayout = layOut(page, profile, findTables);
    this.#findings.push(...layout.findings);
    this.#comments.push(...page.comments.map((comment) => commentItem(comment)));
    if (page.hidden.length > 0) {
      this.#findings.push({
        severity: "warn",
        kind: "hidden text",
        text: `Page ${number} holds text that nobody sees on it; it is left out.`,
      });
    }
    if (page.cut) {
      this.#findings.push({
        severity: "warn",
        kind: "overfull page",
        text: `Page ${number} draws more than is read of one page; its end is missing.`,
      });
    }
    const unreadable = unreadablePart(page);
    if (unreadable !== "none") this.#unreadable.push(number);
    const recognised =
      page.contents.items.length === 0 || unreadable === "most" ? await this.scans.read(number) : undefined;
    if (recognised?.finding !== undefined) this.#findings.push(recognised.finding);
    if (unreadable === "most" && recognised !== undefined && recognised.text !== "") {
      // The picture of the page holds all of it, readable words too; written besides, they would be there twice.
      this.#recognised.push(number);
      const texts = [...page.hidden, ...page.contents.items.map(({ text }) => text)];
      this.#withheld.push({ kind: "hidden", text: texts.join(" ") });
      return { number, blocks: [], pages: [page], path: [], recognised: recognised.text };
    }
    this.#withheld.push(...layout.withheld);
    return { number, blocks: layout.blocks, pages: [page], path: [], recognised: recognised?.text };
  }
}

/** A page that is written when it is known whether its last sentence goes on. */
interface Waiting extends Pick<PageLayout, "blocks"> {
  readonly number: number;
  /** The page, and those on which its last sentence goes on. */
  readonly pages: ReadPage[];
  /** Sections that the page lies in and that began on pages left out. */
  readonly path: OutlineEntry[];
  readonly recognised: string | undefined;
}

function write({ number, blocks, pages, path, recognised }: Waiting, profile: Profile): string[] {
  const titles = path.map(({ title, depth }) => titleLine(title, depth + 1));
  if (recognised !== undefined && recognised !== "")
    return [marker({ kind: "page", number, ocr: true }), ...titles, recognised];
  const context: InlineContext = {
    words: profile.words,
    target: targets(pages),
    boldBody: profile.styles.body.bold,
    blanksAtLineEnds: profile.blanksAtLineEnds,
  };
  return [marker({ kind: "page", number }), ...titles, ...writeBlocks(blocks, context)];
}

/** Where the link leads that an item stands in. */
function targets(pages: readonly ReadPage[]): InlineContext["target"] {
  const known = new Map<TextItem, string>();
  for (const { links, contents } of pages) {
    if (links.length === 0) continue;
    for (const item of contents.items) {
      const y = item.y + item.height / 2;
      const link = links.slice(0, MOST_LINKS).find(({ left, right, top, bottom }) => {
        if (y <= top || y >= bottom) return false;
        // A link may be a part of a word; the word is the least that can be written as one.
        const shared = Math.min(right, item.x + item.width) - Math.max(left, item.x);
        return shared > 0.6 * Math.min(item.width, right - left);
      });
      if (link !== undefined) known.set(item, link.target);
    }
  }
  return (item) => known.get(item);
}

/** Says which pages hold text that is not what they show, and what became of it. */
function unreadableText(pages: readonly number[], recognised: readonly number[]): Finding[] {
  if (pages.length === 0) return [];
  const left = pages.filter((page) => !recognised.includes(page));
  const parts = [`Fonts of ${pagesInWords(pages)} do not say which letters they show.`];
  if (recognised.length > 0)
    parts.push(`The text of ${pagesInWords(recognised)} was recognised from the picture of the page instead.`);
  if (left.length > 0)
    parts.push(`What is written in them on ${pagesInWords(left)} is not the text that one sees there.`);
  return [{ severity: "warn", kind: "unreadable text", text: parts.join(" ") }];
}

function commentItem(comment: string): string {
  return `- ${escapeText(comment)}`;
}

function wantedPages(total: number, { pages, sample }: EngineOptions): number[] {
  const from = Math.max(1, pages?.from ?? 1);
  const count = Math.max(0, Math.min(total, pages?.to ?? total) - from + 1);
  return sampledPages(count, sample ?? count).map((number) => from + number - 1);
}

/**
 * The sections that page `number` lies in and that began on pages left out after page `last`. A page that begins with a
 * heading ends the sections of its level, whether bookmarks say so or not.
 */
function pathTo(
  number: number,
  last: number,
  outline: readonly OutlineEntry[],
  first: Block | undefined,
): OutlineEntry[] {
  const path: OutlineEntry[] = [];
  for (const entry of outline) {
    if (entry.page === undefined || entry.page >= number) continue;
    path.length = Math.min(path.length, entry.depth);
    path[entry.depth] = entry;
  }
  const level = first?.kind === "heading" ? first.level : Infinity;
  return path.filter((entry) => entry.page! > last && entry.depth + 1 < level);
}
