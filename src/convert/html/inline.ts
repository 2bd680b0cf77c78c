/** What stands within a line: text, emphasis, links, images, code, formulas, as pieces (line.ts). */
import { formula, image, link } from "../markdown.js";
import { percentDecoded } from "./address.js";
import { bracketedTex, latexOf } from "./formula.js";
import { writeLine, type Piece } from "./line.js";
import type { Notes } from "./notes.js";
import { find, isElement, textOf, tokens, type HtmlElement, type HtmlNode } from "./tree.js";

/** How a page hangs together with others. */
export interface Surroundings {
  readonly notes: Notes;
  /** The target of a link as it is to stand in the Markdown; undefined where it leads to a place in the same document. */
  readonly linkTarget: (href: string) => string | undefined;
}

/** Delimiters of emphasis by element. */
const STYLES: Readonly<Record<string, string>> = {
  b: "**",
  strong: "**",
  i: "*",
  em: "*",
  cite: "*",
  dfn: "*",
  var: "*",
  s: "~~",
  strike: "~~",
  del: "~~",
};

const CODE = new Set(["code", "tt", "samp", "kbd"]);

export function styleOf(element: HtmlElement): string | undefined {
  return STYLES[element.name];
}

const PAIRED: ReadonlySet<string> = new Set("$~");

/** Pieces of the nodes of a line. */
export class LineWriter {
  readonly #surroundings: Surroundings;
  #pieces: Piece[] = [];
  readonly #styles: string[] = [];
  #inLink = false;
  #inCode = false;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /** @param styles delimiters around the whole */
  write(nodes: readonly HtmlNode[], styles: readonly string[] = []): Piece[] {
    this.#styled(styles, () => {
      for (const node of nodes) this.#node(node);
    });
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }

  #styled([style, ...rest]: readonly string[], inside: () => void): void {
    if (style === undefined) inside();
    else if (this.#styles.includes(style)) this.#styled(rest, inside);
    else {
      this.#styles.push(style);
      this.#pieces.push({ kind: "open", style });
      this.#styled(rest, inside);
      this.#pieces.push({ kind: "close", style });
      this.#styles.pop();
    }
  }

  #text(text: string): void {
    // A soft hyphen shows at the end of a line only, and there are no lines here.
    const visible = text.replaceAll("\u00ad", "");
    if (visible === "") return;
    this.#pieces.push(
      this.#inCode ? { kind: "code", text: visible.replace(/[\t\n\f\r ]+/g, " ") } : { kind: "text", text: visible },
    );
  }

  #markdown(text: string): void {
    if (text !== "") this.#pieces.push({ kind: "markdown", text });
  }

  #children(element: HtmlElement): void {
    for (const node of element.children) this.#node(node);
  }

  #node(node: HtmlNode): void {
    if (!isElement(node)) {
      this.#text(node);
      return;
    }
    const { notes } = this.#surroundings;
    if (notes.left.has(node)) return;
    const label = notes.references.get(node);
    if (label !== undefined) {
      this.#markdown(`[^${label}]`);
      return;
    }
    const style = styleOf(node);
    if (style !== undefined) {
      this.#styled([style], () => {
        this.#children(node);
      });
    } else if (CODE.has(node.name)) this.#code(node);
    else this.#element(node);
  }

  #element(node: HtmlElement): void {
    switch (node.name) {
      case "br":
        if (this.#inCode) this.#text(" ");
        else this.#pieces.push({ kind: "break" });
        return;
      case "a":
        this.#link(node);
        return;
      case "img":
      case "image":
        this.#image(node);
        return;
      case "sub":
      case "sup":
        this.#raised(node);
        return;
      case "q":
        this.#text("“");
        this.#children(node);
        this.#text("”");
        return;
      case "ruby":
        this.#ruby(node);
        return;
      case "math":
      case "tex":
        this.#formula(node);
        return;
      case "svg":
        this.#drawing(node);
        return;
      case "input":
        this.#input(node);
        return;
      case "select":
        this.#choices(node);
        return;
      case "span":
        if (tokens(node, "class").includes("math")) {
          const found = bracketedTex(textOf(node));
          if (found !== undefined) {
            this.#markdown(formula(found.latex, false));
            return;
          }
        }
        this.#children(node);
        return;
      case "button":
      case "label":
        // Controls stand apart from each other on the screen, whatever stands between them in the source.
        this.#text(" ");
        this.#children(node);
        this.#text(" ");
        return;
      default:
        this.#children(node);
    }
  }

  #code(node: HtmlElement): void {
    if (this.#inCode || find(node, ({ name }) => name === "math" || name === "img") !== undefined) {
      this.#children(node);
      return;
    }
    this.#inCode = true;
    this.#children(node);
    this.#inCode = false;
  }

  #link(node: HtmlElement): void {
    const href = node.attributes.get("href") ?? node.attributes.get("xlink:href");
    const target = href === undefined || this.#inLink ? undefined : this.#surroundings.linkTarget(href);
    if (target === undefined) {
      this.#children(node);
      return;
    }
    const before = this.#pieces;
    this.#pieces = [];
    this.#inLink = true;
    this.#children(node);
    this.#inLink = false;
    const inside = this.#pieces.map((piece): Piece => (piece.kind === "break" ? { kind: "text", text: " " } : piece));
    this.#pieces = before;
    const label = balanced(writeLine(inside, PAIRED));
    const shown = inside.filter((piece) => "text" in piece);
    if (/^\s/.test(shown[0]?.text ?? "")) this.#text(" ");
    this.#markdown(label === "" ? "" : link(label, target));
    if (/\s$/.test(shown.at(-1)?.text ?? "")) this.#text(" ");
  }

  #image(node: HtmlElement): void {
    const { attributes } = node;
    // Pictures of one pixel count visitors and are seen by none.
    if (/^[01](?:px)?$/.test(attributes.get("width") ?? "") || /^[01](?:px)?$/.test(attributes.get("height") ?? ""))
      return;
    this.#markdown(image((attributes.get("alt") ?? "").replace(/\s+/g, " "), imageName(node)));
  }

  /** Raised and lowered signs: as characters of their own where Unicode has them, else in the element that Markdown passes on. */
  #raised(node: HtmlElement): void {
    const text = textOf(node);
    const onlyNotes = node.children.every(
      (child) =>
        (isElement(child) &&
          (this.#surroundings.notes.references.has(child) || this.#surroundings.notes.left.has(child))) ||
        (typeof child === "string" && /^[\s,;[\]()]*$/.test(child)),
    );
    if (onlyNotes) {
      for (const child of node.children) if (isElement(child)) this.#node(child);
      return;
    }
    const signs = node.children.every((child) => typeof child === "string") ? raisedSigns(node.name, text) : undefined;
    if (signs !== undefined || this.#inCode || this.#inLink || text.trim() === "") {
      if (signs === undefined) this.#children(node);
      else this.#text(signs);
      return;
    }
    // Ordinals and marks (1st, №, ™) read the same on the line, and tags would part them from their word.
    const plain =
      node.name === "sup" && /^\s*(?:st|nd|rd|th|er|re|e|è|ème|o|a|os|as|tm|sm|[®©™*†‡§]|\[.{0,20}\])\s*$/iu.test(text);
    if (!plain) this.#markdown(`<${node.name}>`);
    this.#children(node);
    if (!plain) this.#markdown(`</${node.name}>`);
  }

  /** The base text, then its reading in brackets: both can be found. */
  #ruby(node: HtmlElement): void {
    const readings: string[] = [];
    const visit = (element: HtmlElement): void => {
      for (const child of element.children) {
        if (isElement(child) && (child.name === "rt" || child.name === "rtc")) readings.push(textOf(child).trim());
        else if (isElement(child) && child.name === "rb") visit(child);
        else if (isElement(child) || child.trim() !== "") this.#node(child);
      }
    };
    visit(node);
    const reading = readings.filter(Boolean).join("");
    if (reading !== "") this.#text(`(${reading})`);
  }

  #formula(node: HtmlElement): void {
    const latex = latexOf(node);
    if (latex === undefined) this.#text(` ${textOf(node).replace(/\s+/g, " ")} `);
    else this.#markdown(formula(latex, false));
  }

  /** The words in a drawing, and the pictures that it frames. */
  #drawing(node: HtmlElement): void {
    for (const child of node.children) {
      if (!isElement(child)) continue;
      if (child.name === "text" || child.name === "foreignobject") {
        this.#text(" ");
        this.#children(child);
        this.#text(" ");
      } else if (child.name === "image") this.#image(child);
      else if (child.name !== "defs" && child.name !== "desc" && child.name !== "metadata") this.#drawing(child);
    }
  }

  #input(node: HtmlElement): void {
    const shown = shownValue(node);
    if (shown !== undefined) this.#text(` ${shown} `);
  }

  #choices(node: HtmlElement): void {
    const options: string[] = [];
    for (const child of node.children)
      if (isElement(child)) {
        if (child.name === "optgroup") options.push((child.attributes.get("label") ?? "").trim());
        const own = child.name === "optgroup" ? child.children.filter(isElement) : [child];
        for (const each of own) if (each.name === "option") options.push(textOf(each).replace(/\s+/g, " ").trim());
      }
    this.#text(` ${options.filter(Boolean).join(", ")} `);
  }
}

/** A label of a link may hold brackets in pairs only. */
function balanced(label: string): string {
  let open = 0;
  for (const [sign] of label.matchAll(/\\.|[[\]]/g)) {
    if (sign === "[") open++;
    else if (sign === "]" && --open < 0) break;
  }
  return open === 0 ? label : label.replace(/\\.|[[\]]/g, (sign) => (sign.length > 1 ? sign : `\\${sign}`));
}

/** What a field of a form shows. */
export function shownValue({ attributes }: HtmlElement): string | undefined {
  const type = attributes.get("type")?.toLowerCase() ?? "text";
  if (/^(?:hidden|checkbox|radio|password|image|file)$/.test(type)) return undefined;
  return attributes.get("value") ?? attributes.get("placeholder");
}

/** The name of a picture, wherever a page that loads it late keeps it. */
export function imageName({ attributes }: HtmlElement): string {
  const written = ["src", "xlink:href", "href", "data-src", "data-original", "data-lazy-src"]
    .map((name) => attributes.get(name)?.trim() ?? "")
    .concat(attributes.get("srcset")?.trim().split(/[\s,]/)[0] ?? "");
  const named = written.find((address) => address !== "" && !/^(?:data|blob|about|javascript):/i.test(address));
  return named === undefined ? "" : percentDecoded(named.replace(/[?#].*$/, ""));
}

const SIGNS = "0123456789+-−=()n";
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ";
const LOWERED = "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₙ";

function raisedSigns(name: string, text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed.length > 12 || !/\d|^n$/.test(trimmed)) return undefined;
  let signs = "";
  for (const sign of trimmed) {
    const at = SIGNS.indexOf(sign);
    if (at < 0) return undefined;
    signs += (name === "sup" ? RAISED : LOWERED)[at]!;
  }
  return signs;
}
