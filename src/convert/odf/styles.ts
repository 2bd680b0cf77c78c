/** What styles say of text: emphasis, outline level, numbering; each inherits from its parent. */
import { child, children, type XmlElement } from "../xml.js";

/** Emphasis as far as Markdown has it. */
export interface TextLook {
  readonly bold: boolean;
  readonly italic: boolean;
  readonly strike: boolean;
  readonly hidden: boolean;
}

/** What stands before the items at a level of a list, and where numbers begin. */
export interface ListLevel {
  readonly sign: "number" | "bullet" | "none";
  readonly start: number;
}

const PLAIN: TextLook = { bold: false, italic: false, strike: false, hidden: false };
/** A longer line of ancestors is a loop. */
const MOST_PARENTS = 20;

export class Styles {
  /** By family and name: `text:T1`. What comes first, the content's own styles, counts. */
  readonly #styles = new Map<string, XmlElement>();
  readonly #lists = new Map<string, XmlElement>();
  readonly #looks = new Map<string, TextLook>();

  constructor(holders: readonly XmlElement[]) {
    for (const holder of holders)
      for (const style of children(holder)) {
        const { name = "", family = "" } = style.attributes;
        const key = `${family}:${name}`;
        if (style.name === "style" && !this.#styles.has(key)) this.#styles.set(key, style);
        if (style.name === "list-style" && !this.#lists.has(name)) this.#lists.set(name, style);
      }
  }

  /** Look of text in a style, over what stands around it. */
  look(family: "text" | "paragraph", name: string | undefined, around: TextLook = PLAIN): TextLook {
    if (name === undefined) return around;
    const key = `${family}:${name}|${around.bold}${around.italic}${around.strike}${around.hidden}`;
    let look = this.#looks.get(key);
    if (look === undefined) {
      look = this.#line(family, name).reduceRight((above, style) => withProperties(style, above), around);
      this.#looks.set(key, look);
    }
    return look;
  }

  /** Names of a style as its writer sees them: its own and those of its parents. */
  names(family: "text" | "paragraph", name: string | undefined): string[] {
    return this.#line(family, name).map(
      ({ attributes }) => attributes["display-name"] ?? (attributes.name ?? "").replace(/_([0-9a-f]{2})_/g, decodeName),
    );
  }

  /** The outline level that a paragraph's style gives it. */
  outlineLevel(name: string | undefined): number | undefined {
    const level = this.#line("paragraph", name).find((style) => style.attributes["default-outline-level"])?.attributes[
      "default-outline-level"
    ];
    return level === undefined || level === "" ? undefined : Number(level);
  }

  /** The list style that a paragraph's style names. */
  listStyleOf(paragraph: string | undefined): string | undefined {
    return this.#line("paragraph", paragraph).find((style) => style.attributes["list-style-name"])?.attributes[
      "list-style-name"
    ];
  }

  listLevel(name: string | undefined, level: number): ListLevel {
    const style = name === undefined ? undefined : this.#lists.get(name);
    const found = style && children(style).find((each) => each.attributes.level === String(level));
    if (found?.name !== "list-level-style-number") return { sign: "bullet", start: 1 };
    const { "num-format": format = "", "start-value": start = "1" } = found.attributes;
    return { sign: format === "" ? "none" : "number", start: Number(start) };
  }

  #line(family: string, name: string | undefined): XmlElement[] {
    const line: XmlElement[] = [];
    let next = name;
    while (next !== undefined && line.length < MOST_PARENTS) {
      const style = this.#styles.get(`${family}:${next}`);
      if (style === undefined) break;
      line.push(style);
      next = style.attributes["parent-style-name"];
    }
    return line;
  }
}

function decodeName(_: string, code: string): string {
  return String.fromCharCode(parseInt(code, 16));
}

function withProperties(style: XmlElement, above: TextLook): TextLook {
  const properties = child(style, "text-properties")?.attributes;
  if (properties === undefined) return above;
  const weight = properties["font-weight"];
  const slant = properties["font-style"];
  const strike = properties["text-line-through-style"] ?? properties["text-line-through-type"];
  return {
    bold: weight === undefined ? above.bold : weight === "bold" || Number(weight) >= 600,
    italic: slant === undefined ? above.italic : slant === "italic" || slant === "oblique",
    strike: strike === undefined ? above.strike : strike !== "none",
    hidden: properties.display === undefined ? above.hidden : properties.display === "none",
  };
}
