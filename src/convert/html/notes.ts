/**
 * Footnotes and endnotes of a page: a reference that says what it is (EPUB's `noteref`, ARIA's `doc-noteref`, the classes of
 * Sphinx, Pandoc and DocBook) and the element that it leads to. Only where both are there is it a note; anything else
 * stays a link and a paragraph.
 */
import { elementsOf, find, isElement, textOf, tokens, type HtmlElement } from "./tree.js";

/** The notes of a document, which may be made of several pages. */
export interface Notes {
  /** The label of the note that an element refers to. */
  readonly references: ReadonlyMap<HtmlElement, string>;
  /** The label of the note that an element holds. */
  readonly bodies: ReadonlyMap<HtmlElement, string>;
  /** What only leads back from a note, or repeats its number. */
  readonly left: ReadonlySet<HtmlElement>;
}

/** A page with the address that links to it are resolved to. */
export interface NotedPage {
  readonly root: HtmlElement;
  /** The page that a target leads to and the id in it; undefined where it leads elsewhere. */
  readonly resolve: (href: string) => { readonly page: number; readonly id: string } | undefined;
}

const REFERENCE_CLASSES = new Set([
  "footnote-reference",
  "footnote-ref",
  "footnoteref",
  "noteref",
  "footnote_reference",
]);
const REFERENCE_ROLES = new Set(["noteref", "doc-noteref", "annoref"]);
const BODY_TYPES = new Set([
  "footnote",
  "endnote",
  "rearnote",
  "note",
  "annotation",
  "doc-footnote",
  "doc-endnote",
  "footnotes",
  "endnotes",
  "rearnotes",
  "doc-endnotes",
]);
const BODY_ELEMENTS = new Set(["li", "aside", "p", "div", "section", "dd", "blockquote"]);
/** Longer ones are chapters that something links to. */
const LONGEST_NOTE = 20_000;

interface Page {
  /** Ids that are there twice, as in manuals put together from many files, have several elements. */
  readonly ids: ReadonlyMap<string, readonly HtmlElement[]>;
  readonly order: ReadonlyMap<HtmlElement, number>;
  readonly parents: ReadonlyMap<HtmlElement, HtmlElement>;
}

/** Finds the notes of pages that belong together. Labels are those shown, where they are unique. */
export function findNotes(pages: readonly NotedPage[]): Notes {
  const indexed = pages.map(({ root }) => indexPage(root));
  const references = new Map<HtmlElement, string>();
  const bodies = new Map<HtmlElement, string>();
  const left = new Set<HtmlElement>();
  const used = new Set<string>();
  pages.forEach(({ root, resolve }, number) => {
    for (const element of elementsOf(root)) {
      if (element.name !== "a") continue;
      const target = resolve(element.attributes.get("href") ?? "");
      if (target === undefined) continue;
      const page = indexed[target.page]!;
      const to = target.page === number ? nearest(page, target.id, element) : page.ids.get(target.id)?.[0];
      if (to === undefined || !isReference(element, target.id, to, page)) continue;
      const body = bodyOf(to, page);
      if (body === undefined || isInside(element, body, indexed[number]!)) continue;
      const label = bodies.get(body) ?? newLabel(textOf(element), used);
      references.set(element, label);
      if (bodies.has(body)) continue;
      bodies.set(body, label);
      for (const each of labelsOf(body, to, page, textOf(element))) left.add(each);
    }
  });
  return { references, bodies, left };
}

function indexPage(root: HtmlElement): Page {
  const ids = new Map<string, HtmlElement[]>();
  const order = new Map<HtmlElement, number>();
  const parents = new Map<HtmlElement, HtmlElement>();
  for (const element of [root, ...elementsOf(root)]) {
    for (const node of element.children) if (isElement(node)) parents.set(node, element);
    const id = element.attributes.get("id") ?? (element.name === "a" ? element.attributes.get("name") : undefined);
    order.set(element, order.size);
    if (id === undefined) continue;
    const known = ids.get(id);
    if (known === undefined) ids.set(id, [element]);
    else known.push(element);
  }
  return { ids, parents, order };
}

/** Of several elements of one id the first behind the reference that says that it is a note, else the first, as browsers have it. */
function nearest({ ids, order }: Page, id: string, reference: HtmlElement): HtmlElement | undefined {
  const all = ids.get(id);
  if (all === undefined || all.length === 1) return all?.[0];
  return all.find((each) => isTyped(each) && order.get(each)! > order.get(reference)!) ?? all[0];
}

function isReference(element: HtmlElement, id: string, to: HtmlElement, page: Page): boolean {
  const types = [...tokens(element, "epub:type"), ...tokens(element, "role")];
  if (types.includes("backlink") || types.includes("doc-backlink")) return false;
  if (types.some((type) => REFERENCE_ROLES.has(type))) return true;
  if (tokens(element, "class").some((each) => REFERENCE_CLASSES.has(each))) return true;
  // DocBook's stylesheets name the notes so, and the way back `#ftn.…` without the prefix.
  if (id.startsWith("ftn.")) return true;
  if (!/^[\s[(]*(?:\d{1,4}|[*†‡§¶]{1,3}|[a-z])[\s\])]*$/u.test(textOf(element))) return false;
  for (let at: HtmlElement | undefined = to; at !== undefined; at = page.parents.get(at))
    if ([...tokens(at, "epub:type"), ...tokens(at, "role")].some((type) => BODY_TYPES.has(type))) return true;
  return false;
}

/** The element that holds the note to which `to` belongs. */
function bodyOf(to: HtmlElement, { parents }: Page): HtmlElement | undefined {
  if (to.name === "dt") {
    const siblings = parents.get(to)?.children.filter(isElement) ?? [];
    const next = siblings[siblings.indexOf(to) + 1];
    return next?.name === "dd" ? next : undefined;
  }
  let at: HtmlElement | undefined = to;
  while (at !== undefined && !BODY_ELEMENTS.has(at.name)) at = at.block ? undefined : parents.get(at);
  if (at === undefined) return undefined;
  // An anchor in the first paragraph of an item or of a division made for the note stands for all of it.
  if (at.name === "p" && at !== to) {
    const around = parents.get(at);
    const isFirst = around?.children.find(isElement) === at;
    if (around !== undefined && isFirst && (around.name === "li" || isTyped(around))) at = around;
  }
  const isChapter = find(at, ({ name }) => /^h[1-6]$/.test(name)) !== undefined || textOf(at).length > LONGEST_NOTE;
  return isChapter ? undefined : at;
}

function isTyped(element: HtmlElement): boolean {
  return (
    tokens(element, "class").includes("footnote") ||
    [...tokens(element, "epub:type"), ...tokens(element, "role")].some(
      (type) => BODY_TYPES.has(type) && !type.endsWith("s"),
    )
  );
}

function isInside(element: HtmlElement, body: HtmlElement, { parents }: Page): boolean {
  for (let at: HtmlElement | undefined = element; at !== undefined; at = parents.get(at)) if (at === body) return true;
  return false;
}

function plainLabel(shown: string): string {
  return shown.replace(/[^\p{L}\p{N}]/gu, "").slice(0, 10);
}

/** The label as it is shown; where chapters count anew, with which of them it is: `1-2` is the second note 1. */
function newLabel(shown: string, used: Set<string>): string {
  const plain = plainLabel(shown) || String(used.size + 1);
  let label = plain;
  for (let turn = 2; used.has(label); turn++) label = `${plain}-${turn}`;
  used.add(label);
  return label;
}

/** The number at the beginning of a note, where it is the one referred to by, and the links back to where that is. */
function labelsOf(body: HtmlElement, to: HtmlElement, { parents }: Page, shown: string): HtmlElement[] {
  const found: HtmlElement[] = [];
  if (to.name === "dt") found.push(to);
  for (const element of elementsOf(body)) {
    if (element.name === "span" && tokens(element, "class").includes("label")) found.push(element);
    if (element.name !== "a" || !isWayBack(element, shown)) continue;
    const around = parents.get(element);
    const alone =
      around !== undefined &&
      around !== body &&
      !around.block &&
      around.children.every((node) => node === element || (typeof node === "string" && plainLabel(node) === ""));
    found.push(alone ? around : element);
  }
  return found;
}

function isWayBack(element: HtmlElement, shown: string): boolean {
  const types = [...tokens(element, "epub:type"), ...tokens(element, "role"), ...tokens(element, "class")];
  if (types.some((type) => /^(?:doc-)?backlink$|^(?:fn|footnote)-back(?:ref)?$|^referrer$/.test(type))) return true;
  if (!(element.attributes.get("href") ?? "").includes("#")) return false;
  const label = plainLabel(textOf(element));
  return label === "" ? textOf(element).trim().length <= 3 : label === plainLabel(shown) && label.length <= 4;
}
