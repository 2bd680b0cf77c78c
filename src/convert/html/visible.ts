/**
 * Which part of a page a visitor sees. What is not text (scripts, styles, templates) is removed; hidden text and navigation
 * are removed too and told, so that they are counted.
 *
 * Navigation is what the page itself calls so: `nav`, `role="navigation"`, links that skip to the content, and the bars
 * that DocBook puts above and below a page. It is the same on every page of a site, and finds itself at every search.
 * Sidebars, advertisements and comments are kept: to tell them from an article is a guess, and a wrong guess loses text.
 */
import type { Withheld } from "../engine.js";
import { shownValue } from "./inline.js";
import {
  elementsOf,
  find,
  isElement,
  replaceChildren,
  textOf,
  tokens,
  type HtmlElement,
  type HtmlNode,
} from "./tree.js";

/** Elements that hold no text for a visitor, or only what is shown where the browser lacks something. */
const NO_TEXT = new Set(
  (
    "script style template noscript iframe embed audio video canvas map area datalist param source track col colgroup " +
    "noframes noembed rp head base link meta title"
  ).split(" "),
);

export interface VisibleOptions {
  /** False in books, where the table of contents is a page to read; their lists of landmarks and printed pages are withheld. */
  readonly withholdNavigation: boolean;
}

/** Removes from a tree what is not visible. @returns what was text of it */
export function keepVisible(root: HtmlElement, { withholdNavigation }: VisibleOptions): Withheld[] {
  const withheld: Withheld[] = [];
  const navigation = !withholdNavigation ? isIndexOfPlaces : isMostlyNavigation(root) ? () => false : isNavigation;
  const waiting = [root];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    const kept: HtmlNode[] = [];
    element.children.forEach((node, at) => {
      if (!isElement(node)) {
        kept.push(node);
        return;
      }
      const formulas = chosenCase(node) ?? formulasInstead(node, element, at);
      if (formulas !== undefined) kept.push(...formulas);
      else if (isHidden(node)) withhold("hidden", node);
      else if (navigation(node)) withhold("navigation", node);
      else if (!NO_TEXT.has(node.name) && !isPermalink(node)) kept.push(node);
    });
    replaceChildren(element, kept);
    for (const node of kept) if (isElement(node) && node.name !== "math" && node.name !== "tex") waiting.push(node);
  }
  if (root.block) liftFormulas(root);
  return withheld;

  function withhold(kind: Withheld["kind"], node: HtmlElement): void {
    const text = visibleText(node);
    if (text !== "") withheld.push({ kind, text });
  }
}

/** Text of an element that is left out, without what would not be text in it either. */
function visibleText(element: HtmlElement): string {
  const parts: string[] = [];
  const waiting: HtmlNode[] = [element];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node === "string") parts.push(node);
    else if (!NO_TEXT.has(node.name)) {
      if (node.block || node.name === "input") parts.push(" ");
      if (node.name === "input") parts.push(`${shownValue(node) ?? ""} `);
      for (let i = node.children.length - 1; i >= 0; i--) waiting.push(node.children[i]!);
    }
  }
  return parts.join("").replace(/\s+/g, " ").trim();
}

function isHidden(element: HtmlElement): boolean {
  const { name, attributes } = element;
  if (attributes.has("hidden") && attributes.get("hidden")!.toLowerCase() !== "until-found") return true;
  if (name === "input") return attributes.get("type")?.toLowerCase() === "hidden";
  if (name === "dialog") return !attributes.has("open");
  const style = attributes.get("style");
  return style !== undefined && /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))\b/i.test(style);
}

function isNavigation(element: HtmlElement): boolean {
  if (element.name === "nav" || tokens(element, "role").includes("navigation")) return true;
  if (tokens(element, "class").some((each) => each === "navheader" || each === "navfooter")) return true;
  return (
    element.name === "a" &&
    element.attributes.get("href")?.startsWith("#") === true &&
    /^\s*(?:skip|jump) to\b/i.test(textOf(element))
  );
}

/** Lists of the parts and of the printed pages of a book, which lead to places and say nothing. */
function isIndexOfPlaces(element: HtmlElement): boolean {
  return (
    element.name === "nav" && tokens(element, "epub:type").some((type) => type === "landmarks" || type === "page-list")
  );
}

/** An overview is navigation and nothing else: then it is what the page says. */
function isMostlyNavigation(root: HtmlElement): boolean {
  const body = find(root, ({ name }) => name === "body") ?? root;
  let inside = 0;
  const waiting = [body];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop())
    for (const node of element.children) {
      if (!isElement(node) || NO_TEXT.has(node.name)) continue;
      if (isNavigation(node)) inside += visibleText(node).length;
      else waiting.push(node);
    }
  return inside > 0 && inside * 2 > visibleText(body).length;
}

/** The sign beside a heading, shown while the pointer is over it, that links to the heading itself. */
function isPermalink(element: HtmlElement): boolean {
  return (
    element.name === "a" &&
    tokens(element, "class").some((each) => each === "headerlink" || each === "anchorjs-link") &&
    /^\s*[¶#§\uF0C1🔗]?\s*$/u.test(textOf(element))
  );
}

/**
 * A formula is there several times: drawn for the eye, as MathML for screen readers, as TeX in a script. @returns what stands
 * for the element where it is one of these, of all of them once and as markup
 */
function formulasInstead(element: HtmlElement, parent: HtmlElement, at: number): HtmlElement[] | undefined {
  const { name, attributes } = element;
  if (name === "script") {
    const [, display] = /^math\/tex(;\s*mode=display)?/i.exec(attributes.get("type") ?? "") ?? [];
    if (!/^math\/tex/i.test(attributes.get("type") ?? "")) return undefined;
    return [{ name: "tex", attributes: new Map(), children: [textOf(element)], block: display !== undefined }];
  }
  const classes = tokens(element, "class");
  if (classes.includes("katex-html") || classes.includes("mathjax_preview")) return [];
  if (name === "img" && classes.some((each) => each.startsWith("mwe-math-fallback")) && hasFormula(parent)) return [];
  const drawn = name === "mjx-container" || classes.some((each) => /^mathjax(?:_|$)/.test(each));
  if (drawn || isHidden(element)) {
    const inside = Array.from(elementsOf(element)).filter((each) => each.name === "math");
    if (inside.length > 0) return inside;
    if (drawn && isTexScript(parent.children.slice(at + 1).find(isElement))) return [];
  }
  return undefined;
}

/** EPUB's choice between markup that a reader may know and other markup: formulas are known. */
function chosenCase({ name, children }: HtmlElement): HtmlElement[] | undefined {
  if (name !== "switch") return undefined;
  const cases = children.filter(isElement);
  if (!cases.some((each) => each.name === "case")) return undefined;
  const chosen =
    cases.find((each) => each.name === "case" && hasFormula(each)) ?? cases.find((each) => each.name === "default");
  return chosen === undefined ? undefined : [chosen];
}

function hasFormula(element: HtmlElement): boolean {
  return find(element, ({ name }) => name === "math") !== undefined;
}

function isTexScript(element: HtmlElement | undefined): boolean {
  return element?.name === "script" && /^math\/tex/i.test(element.attributes.get("type") ?? "");
}

/** Lets a formula that is set off from the text end the paragraph around it. */
function liftFormulas(element: HtmlElement): boolean {
  for (const node of element.children) {
    if (!isElement(node)) continue;
    if (node.name === "math") node.block = node.attributes.get("display") === "block";
    else if (node.name !== "tex") liftFormulas(node);
    if (node.block) element.block = true;
  }
  return element.block;
}
