/** Chapters that begin within a file: a mark in its tree, which comes out as a marker on a line of its own. */
import { marker } from "../markdown.js";
import { isElement, replaceChildren, type HtmlElement, type HtmlNode } from "../html/tree.js";
import type { Entry } from "./contents.js";

/** Elements that a marker may stand in: it needs a line of its own, which items of lists and cells do not have. */
const DIVISIONS = new Set([
  "#root",
  "html",
  "body",
  "div",
  "section",
  "article",
  "main",
  "header",
  "footer",
  "aside",
  "center",
  "form",
]);

/** Puts a mark before the block in which each place lies. Places that are not there are left out. */
export function placeMarks(root: HtmlElement, entries: readonly Entry[]): void {
  if (entries.length === 0) return;
  const titles = new Map(entries.filter(({ id }) => id !== "").map(({ id, title }) => [id, title]));
  visit(root, titles);
}

/** @returns the titles of the places found in an element that takes no marks itself */
function visit(element: HtmlElement, titles: Map<string, string>): string[] {
  const takes = DIVISIONS.has(element.name);
  const above: string[] = [];
  const children: HtmlNode[] = [];
  for (const node of element.children) {
    if (isElement(node)) {
      const id = node.attributes.get("id") ?? node.attributes.get("name") ?? "";
      const own = titles.get(id);
      const found = own === undefined ? [] : [own];
      titles.delete(id);
      found.push(...visit(node, titles));
      if (takes) children.push(...found.map(markOf));
      else above.push(...found);
    }
    children.push(node);
  }
  replaceChildren(element, children);
  return above;
}

function markOf(title: string): HtmlElement {
  const line = marker({ kind: "chapter", name: title });
  return { name: "#marker", attributes: new Map(), children: [line], block: true };
}
