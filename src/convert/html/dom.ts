/**
 * Pages as linkedom (htmlparser2) reads them: the parser of the independent reader. Nothing here is shared with the engine's
 * tree, and nothing here recurses.
 */
import { optional } from "../../node/optional-package.js";

/** What is used of a node. linkedom's own types need those of browsers. */
export interface DomNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly nodeValue: string | null;
  readonly firstChild: DomNode | null;
  readonly nextSibling: DomNode | null;
  readonly parentNode: DomNode | null;
  readonly childNodes: Iterable<DomNode>;
  getAttribute?(name: string): string | null;
}

interface Linkedom {
  readonly DOMParser: new () => { parseFromString(text: string, type: string): DomNode };
}

export const LINKEDOM = "linkedom 0.18.15";

/** The document; `xml` where the page keeps the rules of XML. */
export async function readDom(text: string, xml: boolean): Promise<DomNode> {
  const { DOMParser } = await optional(
    "Comparing a page with its original",
    async () => (await import("linkedom")) as unknown as Linkedom,
  );
  // With a doctype linkedom hides what stands beside it.
  const bare = text.replace(/<!doctype\b[^>[]*(?:\[[\s\S]*?\]\s*)?>/i, "");
  const bounded = withinDepth(bare);
  return new DOMParser().parseFromString(xml ? named(bounded, DOMParser) : bounded, xml ? "text/xml" : "text/html");
}

/** Named characters of HTML, which XML does not know, as characters. */
function named(text: string, DOMParser: Linkedom["DOMParser"]): string {
  const known = new Map<string, string>();
  return text.replace(/&([A-Za-z][A-Za-z0-9]{1,31});/g, (written, name: string) => {
    if (/^(?:amp|lt|gt|quot|apos)$/.test(name)) return written;
    let character = known.get(name);
    if (character === undefined) {
      const page = new DOMParser().parseFromString(`<p>${written}</p>`, "text/html");
      character = Array.from(page.firstChild?.childNodes ?? [], ({ nodeValue }) => nodeValue ?? "").join("");
      known.set(name, character);
    }
    return character;
  });
}

/** htmlparser2 takes half a minute for 200,000 nested elements: it moves its whole stack at every one. */
const DEEPEST = 500;
/** Elements that need not be closed say nothing about depth. */
const UNCLOSED = new Set(
  (
    "area base br col embed hr img input link meta param source track wbr p li dt dd tr td th thead tbody tfoot option " +
    "optgroup colgroup rt rp html head body"
  ).split(" "),
);

/** The page without the tags that are nested too deep; their text stays, parted by a line end. */
function withinDepth(text: string): string {
  let depth = 0;
  let beyond = 0;
  return text.replace(/<(\/?)([a-z][^\s/>]*)[^>]*>/gi, (tag, slash: string, name: string) => {
    if (UNCLOSED.has(name.toLowerCase()) || tag.endsWith("/>")) return tag;
    if (slash === "") {
      if (depth < DEEPEST) depth++;
      else {
        beyond++;
        return "\n";
      }
    } else if (beyond > 0) {
      beyond--;
      return "\n";
    } else if (depth > 0) depth--;
    return tag;
  });
}

/** The name of an element without its prefix, in lower case; empty for what is no element. */
export function nameOf(node: DomNode): string {
  return node.nodeType === 1 ? node.nodeName.toLowerCase().replace(/^.*:/, "") : "";
}

export function attribute(node: DomNode, name: string): string | undefined {
  return node.getAttribute?.(name) ?? undefined;
}

/** The node that follows in document order when everything in `node` is left out; undefined at the end of `root`. */
function after(node: DomNode, root: DomNode): DomNode | undefined {
  for (let at: DomNode | null = node; at !== null && at !== root; at = at.parentNode)
    if (at.nextSibling !== null) return at.nextSibling;
  return undefined;
}

/** All nodes below one, in document order; those for which `skip` says so without what is in them. */
export function* below(root: DomNode, skip: (node: DomNode) => boolean = () => false): Generator<DomNode> {
  let node: DomNode | undefined = root.firstChild ?? undefined;
  while (node !== undefined) {
    const left: boolean = skip(node);
    if (!left) yield node;
    node = (left ? null : node.firstChild) ?? after(node, root);
  }
}

/** All text in a node, as it is written. */
export function allText(root: DomNode, skip?: (node: DomNode) => boolean): string {
  if (root.nodeType !== 1 && root.nodeType !== 9) return root.nodeValue ?? "";
  let text = "";
  for (const node of below(root, skip)) if (node.nodeType === 3 || node.nodeType === 4) text += node.nodeValue ?? "";
  return text;
}
