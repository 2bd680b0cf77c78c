/**
 * The light tree that pages are converted from: made by parse5 from HTML, by saxes from XHTML, without a recursion, and
 * never deeper than DEEPEST, so that what walks it may recurse.
 */
import type { DefaultTreeAdapterTypes as Parsed } from "parse5";
import { SaxesParser, type SaxesAttributeNS } from "saxes";
import { optional } from "../../node/optional-package.js";

export interface HtmlElement {
  /** Lower case, without a prefix. */
  readonly name: string;
  /** By name as HTML writes it: `href`, `xlink:href`, `epub:type`, `xml:lang`. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: HtmlNode[];
  /** Whether it is a block, or holds one: it cannot stand within a line. */
  block: boolean;
}

export type HtmlNode = HtmlElement | string;

/** Browsers stop at 512; pages seen here stop at 60. What is deeper is put into its ancestor at this depth. */
const DEEPEST = 200;

const BLOCKS = new Set(
  (
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure " +
    "footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol p " +
    "plaintext pre search section summary table tbody td tfoot th thead tr ul xmp"
  ).split(" "),
);

/** Reads HTML as browsers do (HTML standard 13.2): any text gives a tree. */
export async function parseHtml(text: string): Promise<HtmlElement> {
  const { parse } = await optional("Converting HTML", () => import("parse5"));
  const builder = new Builder();
  const document = parse(text);
  interface Level {
    readonly nodes: readonly Parsed.ChildNode[];
    next: number;
  }
  const levels: Level[] = [{ nodes: document.childNodes, next: 0 }];
  while (levels.length > 0) {
    const level = levels.at(-1)!;
    const node = level.nodes[level.next++];
    if (node === undefined) {
      levels.pop();
      if (levels.length > 0) builder.close();
    } else if (node.nodeName === "#text") builder.text((node as Parsed.TextNode).value);
    else if ("tagName" in node) {
      const attributes = new Map<string, string>();
      for (const { name, prefix, value } of node.attrs)
        attributes.set(prefix === undefined || prefix === "" ? name : `${prefix}:${name}`, value);
      builder.open(node.tagName.toLowerCase().replace(/^.*:/, ""), attributes);
      levels.push({ nodes: node.childNodes, next: 0 });
    }
  }
  return builder.root;
}

const PREFIXES: Readonly<Record<string, string>> = {
  "http://www.idpf.org/2007/ops": "epub",
  "http://www.w3.org/1999/xlink": "xlink",
  "http://www.w3.org/XML/1998/namespace": "xml",
};

/**
 * Reads XHTML by the rules of XML, in which `<a id="x"/>` is closed; undefined where it is not well-formed. The named
 * characters of HTML are known; entities that the document declares itself are left as they are written and never read.
 */
export async function parseXhtml(text: string): Promise<HtmlElement | undefined> {
  const builder = new Builder();
  const parser = new SaxesParser({ xmlns: true });
  const state = { broken: false };
  parser.on("error", ({ message }) => {
    if (!message.includes("undefined entity")) state.broken = true;
  });
  Object.assign(parser.ENTITIES, await namedCharacters(text));
  parser.on("opentag", ({ local, attributes }) => {
    const own = new Map<string, string>();
    for (const { local: name, uri, prefix, value } of Object.values<SaxesAttributeNS>(attributes)) {
      if (prefix === "xmlns" || name === "xmlns") continue;
      const known = PREFIXES[uri];
      own.set(known === undefined ? name : `${known}:${name}`, value);
    }
    builder.open(local.toLowerCase(), own);
  });
  parser.on("closetag", () => {
    builder.close();
  });
  parser.on("text", (characters) => {
    builder.text(characters);
  });
  parser.on("cdata", (characters) => {
    builder.text(characters);
  });
  // Blanks and a mark before the declaration are an error of XML that says nothing about the rest.
  parser.write(text.trimStart()).close();
  return state.broken ? undefined : builder.root;
}

/** The named characters (`&nbsp;`) that a text uses, by name. */
async function namedCharacters(text: string): Promise<Record<string, string>> {
  const names = new Set(Array.from(text.matchAll(/&([A-Za-z][A-Za-z0-9]{1,31});/g), (found) => found[1]!));
  const characters: Record<string, string> = {};
  if (names.size === 0) return characters;
  const { parseFragment } = await optional("Converting HTML", () => import("parse5"));
  for (const name of names) {
    const [node] = parseFragment(`&${name};`).childNodes;
    if (node !== undefined && "value" in node && node.value !== `&${name};`) characters[name] = node.value;
  }
  return characters;
}

class Builder {
  readonly root: HtmlElement = { name: "#root", attributes: new Map(), children: [], block: true };
  readonly #open: HtmlElement[] = [this.root];
  /** For each element that is too deep, whether it is a block. */
  readonly #tooDeep: boolean[] = [];

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    const block = BLOCKS.has(name);
    const above = this.#open.at(-1)!;
    if (this.#open.length > DEEPEST) {
      this.#tooDeep.push(block);
      if (block) this.#separate(above);
      return;
    }
    const element: HtmlElement = { name, attributes, children: [], block };
    above.children.push(element);
    this.#open.push(element);
  }

  close(): void {
    const block = this.#tooDeep.pop();
    if (block !== undefined) {
      if (block) this.#separate(this.#open.at(-1)!);
      return;
    }
    const element = this.#open.pop()!;
    if (element.block) this.#open.at(-1)!.block = true;
  }

  text(characters: string): void {
    const { children } = this.#open.at(-1)!;
    const last = children.length - 1;
    if (typeof children[last] === "string") children[last] += characters;
    else children.push(characters);
  }

  /** An empty block: what stands before and behind it are different paragraphs. */
  #separate({ children }: HtmlElement): void {
    const last = children.at(-1);
    if (typeof last === "object" && last.name === "div" && last.children.length === 0) return;
    children.push({ name: "div", attributes: new Map(), children: [], block: true });
  }
}

export function isElement(node: HtmlNode | undefined): node is HtmlElement {
  return typeof node === "object";
}

/** Gives an element other children, of which there may be more than a call takes arguments. */
export function replaceChildren(element: HtmlElement, children: readonly HtmlNode[]): void {
  element.children.length = 0;
  for (const child of children) element.children.push(child);
}

/** The elements below, in document order. */
export function* elementsOf(element: HtmlElement): Generator<HtmlElement> {
  const waiting = element.children.toReversed();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!isElement(node)) continue;
    yield node;
    for (let i = node.children.length - 1; i >= 0; i--) waiting.push(node.children[i]!);
  }
}

/** All characters in a node. */
export function textOf(node: HtmlNode): string {
  return typeof node === "string" ? node : node.children.map(textOf).join("");
}

/** The text of a title: on one line, a break being a blank. */
export function titleOf(element: HtmlElement): string {
  const shown = (node: HtmlNode): string =>
    typeof node === "string" ? node : node.name === "br" ? " " : node.children.map(shown).join("");
  return shown(element).replaceAll("\u00ad", "").replace(/\s+/g, " ").trim();
}

export function find(element: HtmlElement, test: (element: HtmlElement) => boolean): HtmlElement | undefined {
  for (const each of elementsOf(element)) if (test(each)) return each;
  return undefined;
}

/** The words of an attribute: `class`, `rel`, `epub:type`. */
export function tokens(element: HtmlElement, name: string): readonly string[] {
  const value = element.attributes.get(name);
  return value === undefined ? [] : value.toLowerCase().split(/\s+/).filter(Boolean);
}

/** An element as XML, for what reads MathML. */
export function serialise({ name, attributes, children }: HtmlElement): string {
  const written = Array.from(attributes, ([key, value]) =>
    key.includes(":") || key === "xmlns" ? "" : ` ${key}="${escaped(value)}"`,
  );
  const inside = children.map((node) => (typeof node === "string" ? escaped(node) : serialise(node)));
  const namespace = name === "math" ? ' xmlns="http://www.w3.org/1998/Math/MathML"' : "";
  return `<${name}${namespace}${written.join("")}>${inside.join("")}</${name}>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
