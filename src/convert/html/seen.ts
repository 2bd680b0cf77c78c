/**
 * What can be seen of a page, for the independent reader: its words in reading order, tables, links, images, formulas and
 * notes. Written against the DOM of linkedom, with rules of its own; see dom.ts.
 */
import { allText, attribute, below, nameOf, type DomNode } from "./dom.js";

export interface Seen {
  readonly text: string;
  /** Text that is in the page and not shown. */
  readonly hidden: string;
  readonly tables: readonly (readonly (readonly string[])[])[];
  readonly links: readonly string[];
  readonly images: readonly string[];
  readonly formulas: readonly string[];
  /** The words of each note that the page refers to, by the element that holds it. */
  readonly notes: ReadonlyMap<DomNode, string>;
}

export interface SeeingOptions {
  /** Whether a target leads out of the document. */
  readonly leadsOut: (target: string) => boolean;
  /** The element that a target leads to, in this page or another of the document. */
  readonly locate: (target: string, from: DomNode) => DomNode | undefined;
}

const UNSEEN = new Set(
  (
    "script style template noscript iframe embed audio video canvas map datalist noframes noembed rp head base link meta " +
    "title annotation annotation-xml"
  ).split(" "),
);

const OWN_LINE = new Set(
  (
    "address article aside blockquote body br button caption center dd details dialog dir div dl dt fieldset figcaption " +
    "figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html input label legend li listing main menu nav ol option p " +
    "plaintext pre search section select summary svg table tbody td text textarea tfoot th thead tr ul xmp"
  ).split(" "),
);

/** Addresses that would run or open something. */
const LIVE = /^(?:javascript|data|vbscript|file|blob|about):/i;

interface OpenTable {
  readonly rows: string[][];
  readonly listed: boolean;
  /** Where in the text the open cell begins. */
  cell: number | undefined;
}

/** Looks at everything below `root`. */
export function see(root: DomNode, options: SeeingOptions): Seen {
  const sight = new Sight(options);
  sight.walk(root);
  return sight.result();
}

class Sight {
  readonly #options: SeeingOptions;
  readonly #text: string[] = [];
  readonly #hidden: string[] = [];
  readonly #tables: string[][][] = [];
  readonly #links: string[] = [];
  readonly #images: string[] = [];
  readonly #formulas: string[] = [];
  readonly #notes = new Map<DomNode, string>();
  readonly #openTables: OpenTable[] = [];
  /** Readings of ruby, which come behind the whole of their base. */
  readonly #readings: string[][] = [];
  #inReading = 0;
  #inNavigation = 0;

  constructor(options: SeeingOptions) {
    this.#options = options;
  }

  walk(root: DomNode): void {
    let node: DomNode | null = root.firstChild;
    while (node !== null) {
      const within: boolean = node.nodeType === 1 && this.#enter(node);
      if (node.nodeType === 3 || node.nodeType === 4) this.#say(node.nodeValue ?? "");
      if (within && node.firstChild !== null) {
        node = node.firstChild;
        continue;
      }
      if (within) this.#leave(node);
      while (node !== null && node.nextSibling === null) {
        node = node.parentNode === root ? null : node.parentNode;
        if (node !== null) this.#leave(node);
      }
      node = node?.nextSibling ?? null;
    }
  }

  result(): Seen {
    return {
      text: this.#text.join(""),
      hidden: this.#hidden.join("\n"),
      tables: this.#tables,
      links: this.#links,
      images: this.#images,
      formulas: this.#formulas,
      notes: this.#notes,
    };
  }

  #say(text: string): void {
    if (this.#inReading > 0) this.#readings.at(-1)?.push(text);
    else if (text !== "\n" || this.#text.at(-1) !== "\n") this.#text.push(text);
  }

  /** @returns whether to look inside */
  #enter(node: DomNode): boolean {
    const name = nameOf(node);
    if (this.#formula(node, name)) return false;
    if (UNSEEN.has(name)) return false;
    if (isHidden(node, name)) {
      this.#hidden.push(allText(node, (each) => UNSEEN.has(nameOf(each))));
      return false;
    }
    if (isNavigation(node, name)) this.#inNavigation++;
    if (OWN_LINE.has(name)) this.#say("\n");
    switch (name) {
      case "a":
        return !this.#link(node);
      case "img":
      case "image":
        this.#image(node);
        break;
      case "input":
        this.#say(shownOf(node));
        break;
      case "optgroup":
        this.#say(`\n${attribute(node, "label") ?? ""}`);
        break;
      case "switch":
        return this.#switch(node);
      case "desc":
      case "defs":
      case "metadata":
        return !isInDrawing(node);
      case "ruby":
        this.#readings.push([]);
        break;
      case "q":
        this.#say("“");
        break;
      case "rt":
      case "rtc":
        this.#inReading++;
        break;
      case "table":
        this.#openTables.push({ rows: [], listed: this.#inNavigation === 0 && isTable(node), cell: undefined });
        break;
      case "tr":
        this.#openTables.at(-1)?.rows.push([]);
        break;
      case "td":
      case "th": {
        const table = this.#openTables.at(-1);
        if (table !== undefined) table.cell = this.#text.length;
        break;
      }
    }
    return true;
  }

  #leave(node: DomNode): void {
    const name = nameOf(node);
    if (isNavigation(node, name)) this.#inNavigation--;
    switch (name) {
      case "rt":
      case "rtc":
        this.#inReading--;
        break;
      case "q":
        this.#say("”");
        break;
      case "ruby": {
        const reading = (this.#readings.pop() ?? []).join("").trim();
        if (reading !== "") this.#say(`(${reading})`);
        break;
      }
      case "td":
      case "th": {
        const table = this.#openTables.at(-1);
        if (table?.cell === undefined) break;
        if (table.rows.length === 0) table.rows.push([]);
        table.rows.at(-1)!.push(this.#text.slice(table.cell).join("").trim());
        table.cell = undefined;
        break;
      }
      case "table": {
        const table = this.#openTables.pop();
        if (table?.listed === true) this.#tables.push(table.rows.filter((row) => row.length > 0));
        break;
      }
    }
    if (OWN_LINE.has(name)) this.#say("\n");
  }

  /** EPUB's choice between markup that a reader may know and other markup: formulas are known. @returns whether to look inside */
  #switch(node: DomNode): boolean {
    const cases = Array.from(node.childNodes).filter((each) => nameOf(each) === "case");
    const known = cases.find((each) => hasMath(each));
    const chosen = known ?? Array.from(node.childNodes).find((each) => nameOf(each) === "default");
    if (cases.length === 0 || chosen === undefined) return true;
    this.walk(chosen);
    return false;
  }

  /** @returns whether it was the number of a note, which is no part of the text */
  #link(node: DomNode): boolean {
    const target = (attribute(node, "href") ?? attribute(node, "xlink:href"))?.trim();
    if (target === undefined || this.#inNavigation > 0) return false;
    const note = isNoteReference(node, target) ? this.#options.locate(target, node) : undefined;
    const body = note === undefined ? undefined : noteAround(note);
    if (body !== undefined) {
      if (!this.#notes.has(body)) this.#notes.set(body, noteText(body, allText(node)));
      return true;
    }
    if (!this.#options.leadsOut(target) || LIVE.test(target.replace(/\s/g, ""))) return false;
    const shows = allText(node).trim() !== "" || Array.from(below(node)).some((each) => nameOf(each) === "img");
    if (shows) this.#links.push(target);
    return false;
  }

  #image(node: DomNode): void {
    if (this.#inNavigation > 0) return;
    const isDot = ["width", "height"].some((side) => /^[01](?:px)?$/.test(attribute(node, side) ?? ""));
    if (!isDot) this.#images.push(attribute(node, "alt") ?? "");
  }

  /** Notes the formula that a node is, or is the drawing of. */
  #formula(node: DomNode, name: string): boolean {
    const classes = (attribute(node, "class") ?? "").toLowerCase().split(/\s+/);
    if (name === "math") {
      this.#formulas.push(formulaText(node));
      return true;
    }
    if (name === "script" && /^math\/tex/i.test(attribute(node, "type") ?? "")) {
      this.#formulas.push(allText(node));
      return true;
    }
    if (classes.includes("katex-html") || classes.includes("mathjax_preview")) return true;
    if (name === "img" && classes.some((each) => each.startsWith("mwe-math-fallback")))
      return hasMath(node.parentNode!);
    if (classes.includes("math")) {
      const tex = /^\s*\\[[(]([\s\S]+)\\[\])]\s*$/.exec(allText(node))?.[1];
      if (tex !== undefined) {
        this.#formulas.push(tex);
        return true;
      }
    }
    const drawn = name === "mjx-container" || classes.some((each) => /^mathjax(?:_|$)/.test(each));
    if (!drawn && !isHidden(node, name)) return false;
    const inside = Array.from(below(node)).filter((each) => nameOf(each) === "math");
    for (const each of inside) this.#formulas.push(formulaText(each));
    if (inside.length > 0) return true;
    let next = node.nextSibling;
    while (next !== null && next.nodeType !== 1) next = next.nextSibling;
    return drawn && next !== null && nameOf(next) === "script" && /^math\/tex/i.test(attribute(next, "type") ?? "");
  }
}

function formulaText(math: DomNode): string {
  for (const node of below(math))
    if (nameOf(node) === "annotation" && /tex/i.test(attribute(node, "encoding") ?? "")) return allText(node);
  return allText(math, (node) => nameOf(node).startsWith("annotation"));
}

function hasMath(node: DomNode): boolean {
  for (const each of below(node)) if (nameOf(each) === "math") return true;
  return false;
}

function isHidden(node: DomNode, name: string): boolean {
  const hidden = attribute(node, "hidden");
  if (hidden !== undefined && hidden.toLowerCase() !== "until-found") return true;
  if (name === "dialog") return attribute(node, "open") === undefined;
  const style = attribute(node, "style")?.toLowerCase().replace(/\s+/g, "") ?? "";
  return /(?:^|;)(?:display:none|visibility:(?:hidden|collapse))(?![a-z-])/.test(style);
}

function isNavigation(node: DomNode, name: string): boolean {
  if (name === "nav") return true;
  if ((attribute(node, "role") ?? "").toLowerCase().split(/\s+/).includes("navigation")) return true;
  return /(?:^|\s)nav(?:header|footer)(?:\s|$)/i.test(attribute(node, "class") ?? "");
}

function isInDrawing(node: DomNode): boolean {
  for (let at = node.parentNode; at !== null; at = at.parentNode) if (nameOf(at) === "svg") return true;
  return false;
}

function shownOf(input: DomNode): string {
  const type = attribute(input, "type")?.toLowerCase() ?? "text";
  if (/^(?:hidden|checkbox|radio|password|image|file)$/.test(type)) return "";
  return attribute(input, "value") ?? attribute(input, "placeholder") ?? "";
}

/** A table of data, not one that only places things on the screen. */
function isTable(table: DomNode): boolean {
  if (/\b(?:presentation|none)\b/i.test(attribute(table, "role") ?? "")) return false;
  const nested = (node: DomNode): boolean => nameOf(node) === "table";
  const own = Array.from(below(table, nested));
  const cells = own.filter((node) => /^t[dh]$/.test(nameOf(node)));
  if (cells.length <= 1) return false;
  const headed = own.some((node) => /^(?:th|thead|caption)$/.test(nameOf(node)));
  const holding = cells.filter((cell) => Array.from(below(cell)).some(nested));
  const filled = cells.filter((cell) => allText(cell).trim() !== "");
  if (!headed && (holding.length > filled.length / 2 || holding.some((cell) => allText(cell).trim().length > 500)))
    return false;
  const pictures = new Set(
    cells.filter(
      (cell) => allText(cell).trim() === "" && Array.from(below(cell)).some((node) => nameOf(node) === "img"),
    ),
  );
  if (pictures.size === 0) return true;
  const perRow = new Map<DomNode | null, number>();
  for (const cell of cells)
    if (!pictures.has(cell)) perRow.set(cell.parentNode, (perRow.get(cell.parentNode) ?? 0) + 1);
  return Array.from(perRow.values()).some((count) => count > 1);
}

function isNoteReference(node: DomNode, target: string): boolean {
  const type = `${attribute(node, "epub:type") ?? ""} ${attribute(node, "role") ?? ""}`.toLowerCase();
  if (type.includes("backlink")) return false;
  if (/\b(?:noteref|annoref)\b/.test(type)) return true;
  if (/(?:^|\s)(?:footnote[-_]?ref(?:erence)?|noteref)(?:\s|$)/i.test(attribute(node, "class") ?? "")) return true;
  return target.includes("#ftn.");
}

/** The element that holds a note, from the one that has its id. */
function noteAround(target: DomNode): DomNode | undefined {
  if (nameOf(target) === "dt") {
    let next = target.nextSibling;
    while (next !== null && next.nodeType !== 1) next = next.nextSibling;
    return next !== null && nameOf(next) === "dd" ? next : undefined;
  }
  for (let at: DomNode | null = target; at !== null && at.nodeType === 1; at = at.parentNode)
    if (/^(?:li|aside|p|div|section|dd|blockquote)$/.test(nameOf(at))) {
      const above = at.parentNode;
      const isFirst = above !== null && Array.from(above.childNodes).find(({ nodeType }) => nodeType === 1) === at;
      const body = nameOf(at) === "p" && at !== target && isFirst && nameOf(above) === "li" ? above : at;
      // A section that is linked to is no note.
      return Array.from(below(body)).some((each) => /^h[1-6]$/.test(nameOf(each))) ? undefined : body;
    }
  return undefined;
}

/** The words of a note without its number and the way back. */
function noteText(body: DomNode, shown: string): string {
  const signs = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, "");
  const isBack = (node: DomNode): boolean => {
    if (nameOf(node) === "span" && /(?:^|\s)label(?:\s|$)/.test(attribute(node, "class") ?? "")) return true;
    if (nameOf(node) !== "a") return false;
    const marks = `${attribute(node, "epub:type") ?? ""} ${attribute(node, "role") ?? ""} ${attribute(node, "class") ?? ""}`;
    if (/backlink|\b(?:fn|footnote)-back|\breferrer\b/.test(marks)) return true;
    if (!(attribute(node, "href") ?? "").includes("#")) return false;
    const own = signs(allText(node));
    return own === "" || (own === signs(shown) && own.length <= 4);
  };
  return allText(body, isBack);
}
