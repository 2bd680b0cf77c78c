/** The table of contents of a book: the titles of its files, and of places in them. */
import type { Archive } from "../archive.js";
import { decodeHtml } from "../html/decode.js";
import { relative } from "../html/address.js";
import { find, isElement, parseHtml, parseXhtml, titleOf, tokens, type HtmlElement } from "../html/tree.js";
import { child, children, descendants, parseXml, textOf as xmlText, type XmlElement } from "../xml.js";
import { MdcxError } from "../../errors.js";
import { inside, type Book } from "./package.js";

/** An entry: a title and the place that it leads to. */
export interface Entry {
  readonly path: string;
  /** Empty where it is the beginning of the file. */
  readonly id: string;
  readonly title: string;
  /** 1 for the outermost. */
  readonly level: number;
}

/** The entries in their order; none where the book has no table of contents that can be read. */
export async function readContents({ archive, nav, ncx }: Book): Promise<Entry[]> {
  const entries = nav === undefined ? [] : await entriesOfNav(archive, nav);
  if (entries.length > 0 || ncx === undefined) return entries;
  try {
    return entriesOfNcx(archive, ncx);
  } catch (error) {
    // A broken table of contents leaves the chapters with the titles of their headings.
    if (error instanceof MdcxError && error.code === "refused") return [];
    throw error;
  }
}

async function entriesOfNav(archive: Archive, path: string): Promise<Entry[]> {
  const { text } = decodeHtml(archive.read(path));
  const root = (await parseXhtml(text)) ?? (await parseHtml(text));
  const isToc = (element: HtmlElement): boolean =>
    element.name === "nav" && tokens(element, "epub:type").includes("toc");
  const toc = find(root, isToc) ?? find(root, ({ name }) => name === "nav") ?? root;
  const entries: Entry[] = [];
  const visit = (element: HtmlElement, level: number): void => {
    for (const node of element.children) {
      if (!isElement(node)) continue;
      if (node.name === "a") {
        const href = node.attributes.get("href") ?? "";
        add(entries, inside(archive, path, href), href, titleOf(node), level);
      } else visit(node, node.name === "ol" || node.name === "ul" ? level + 1 : level);
    }
  };
  visit(toc, 0);
  return entries;
}

function entriesOfNcx(archive: Archive, path: string): Entry[] {
  const entries: Entry[] = [];
  const visit = (parent: XmlElement, level: number): void => {
    for (const point of children(parent, "navPoint")) {
      const label = child(point, "navLabel");
      const href = child(point, "content")?.attributes.src ?? "";
      add(entries, inside(archive, path, href), href, label === undefined ? "" : xmlText(label), level);
      visit(point, level + 1);
    }
  };
  for (const map of descendants(parseXml(archive.read(path), path), "navMap")) visit(map, 1);
  return entries;
}

function add(entries: Entry[], path: string | undefined, href: string, text: string, level: number): void {
  const title = text.replace(/\s+/g, " ").trim();
  if (path !== undefined && title !== "") entries.push({ path, id: relative(href)?.id ?? "", title, level });
}

/** In a book of so few files their chapters are places within them. */
const FEW_FILES = 3;

/**
 * The entries at which the text of a file is divided: those of the outermost level that leads into it. In a book of a few
 * files a single title for all of it says nothing, and the outermost level with several counts.
 */
export function divisionsOf(entries: readonly Entry[], path: string, files: number): readonly Entry[] {
  const own = entries.filter((entry) => entry.path === path);
  const levels = [...new Set(own.map(({ level }) => level))].sort((a, b) => a - b);
  const several = levels.find((level) => own.filter((entry) => entry.level === level).length > 1);
  const level = files <= FEW_FILES ? (several ?? levels[0]) : levels[0];
  return own.filter((entry) => entry.level === level);
}
