import { child, children, type XmlElement } from "../xml.js";
import { numberOf, switchOf, valueOf } from "./properties.js";

/** How a run looks, as far as Markdown can say it. What is undefined is as around it. */
export interface Format {
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly strike?: boolean;
  readonly script?: "sub" | "sup" | "none";
  readonly hidden?: boolean;
  /** The font of Latin text. */
  readonly font?: string;
  readonly code?: boolean;
}

/** What a paragraph style stands for. */
export interface ParagraphStyle {
  readonly id: string;
  /** In lower case; English for the styles that Word brings, whatever its language. */
  readonly name: string;
  /** 1 to 9. */
  readonly heading?: number;
  readonly role: "text" | "title" | "quote" | "code";
  /** 1 to 9: an entry of a table of contents. */
  readonly contents?: number;
  readonly list?: string;
  readonly listLevel?: number;
  /** A style that is a bulleted list although nothing defines its bullet. */
  readonly bulleted: boolean;
  /** In twentieths of a point. */
  readonly indent?: number;
  readonly hidden: boolean;
  readonly font?: string;
}

interface Style {
  readonly id: string;
  readonly name: string;
  readonly basedOn: string | undefined;
  readonly paragraph: XmlElement | undefined;
  readonly run: XmlElement | undefined;
}

/** A style may be based on itself in a damaged file. */
const LONGEST_CHAIN = 30;

/**
 * Words by which writers other than Word name a heading of their own: the number behind them is its level. Word itself
 * writes `heading 1` in every language.
 */
const HEADING =
  /^(?:heading|überschrift|titre|título|titulo|titolo|kop|rubrik|overskrift|otsikko|nagłówek|nadpis|címsor|titlu|başlık|заголовок|ziaglavie|επικεφαλίδα|标题|標題|見出し|제목|عنوان|כותרת|หัวเรื่อง|đầu đề)[ _-]?([1-9])$/i;
const TITLE = /^(?:title|document title|titel)$/;
const QUOTE = /^(?:intense )?quot(?:e|ation|ations)$|^block ?(?:text|quote|quotation)$/;
const CODE =
  /\bcode\b(?! char)|^html preformatted$|preformatted|^source ?code$|listing|verbatim|console|terminal|^macro$/;
const CODE_CHARACTERS =
  /verbatim|\bcode\b|source ?text|teletype|typewriter|html (?:keyboard|sample|variable)|inline ?code/;
const MONOSPACED =
  /^(?:courier|consolas|menlo|monaco|lucida (?:console|sans typewriter)|andale mono|cascadia|fira (?:code|mono)|source code|jetbrains|inconsolata|sf mono|ocr[ -]?[ab])|\bmono(?:space|spaced)?\b/i;

/** Whether code is set in this font. */
export function isMonospaced(font: string | undefined): boolean {
  return font !== undefined && MONOSPACED.test(font);
}

/** The styles of a document (ECMA-376 part 1, 17.7). */
export class Styles {
  readonly #styles = new Map<string, Style>();
  readonly #paragraphs = new Map<string, ParagraphStyle>();
  readonly #characters = new Map<string, Format>();
  readonly #defaults: XmlElement | undefined;
  readonly #default: string | undefined;

  constructor(root: XmlElement | undefined) {
    if (root === undefined) return;
    const defaults = child(root, "docDefaults");
    const run = defaults === undefined ? undefined : child(defaults, "rPrDefault");
    this.#defaults = run === undefined ? undefined : child(run, "rPr");
    for (const each of children(root, "style")) {
      const id = each.attributes.styleId;
      if (id === undefined) continue;
      this.#styles.set(id, {
        id,
        name: (valueOf(each, "name") ?? id).trim().toLowerCase(),
        basedOn: valueOf(each, "basedOn"),
        paragraph: child(each, "pPr"),
        run: child(each, "rPr"),
      });
      if (each.attributes.type === "paragraph" && ["1", "true", "on"].includes(each.attributes.default ?? ""))
        this.#default = id;
    }
  }

  /** `w:lang` of the document's defaults. */
  get language(): string | undefined {
    return this.#defaults === undefined ? undefined : child(this.#defaults, "lang")?.attributes.val;
  }

  /** What a paragraph's style says; the default style where it names none. */
  paragraph(id: string | undefined): ParagraphStyle {
    const key = id ?? this.#default ?? "";
    let style = this.#paragraphs.get(key);
    if (style === undefined) this.#paragraphs.set(key, (style = this.#readParagraph(key)));
    return style;
  }

  /** What a character style says of a run. */
  character(id: string): Format {
    let format = this.#characters.get(id);
    if (format === undefined) {
      format = {};
      // The style nearest to the run has the last word.
      for (const style of this.#chain(id).reverse())
        format = {
          ...format,
          ...formatOf(style.run),
          ...(CODE_CHARACTERS.test(style.name) || CODE_CHARACTERS.test(style.id.toLowerCase()) ? { code: true } : {}),
        };
      this.#characters.set(id, format);
    }
    return format;
  }

  #chain(id: string): Style[] {
    const chain: Style[] = [];
    let at = this.#styles.get(id);
    while (at !== undefined && chain.length < LONGEST_CHAIN) {
      chain.push(at);
      at = at.basedOn === undefined ? undefined : this.#styles.get(at.basedOn);
    }
    return chain;
  }

  #readParagraph(id: string): ParagraphStyle {
    const chain = this.#chain(id);
    // Writers leave out what Word knows anyhow: then only the id says what it is.
    if (chain.length === 0)
      chain.push({ id, name: spaced(id).toLowerCase(), basedOn: undefined, paragraph: undefined, run: undefined });
    const name = chain[0]!.name;
    const numbering = chain.map((style) =>
      style.paragraph === undefined ? undefined : child(style.paragraph, "numPr"),
    );
    const list = numbering.map((each) => valueOf(each, "numId")).find((each) => each !== undefined);
    const level = numbering.map((each) => numberOf(valueOf(each, "ilvl"))).find((each) => each !== undefined);
    const named = /^list (?:bullet|number) ([2-5])$/.exec(name)?.[1];
    const listLevel = level ?? (named === undefined ? undefined : Number(named) - 1);
    const indent = chain.map((style) => indentOf(style.paragraph)).find((each) => each !== undefined);
    const font = chain.map((style) => formatOf(style.run).font).find((each) => each !== undefined);
    const contents = /^toc ([1-9])$/.exec(name)?.[1];
    const heading = headingOf(chain);
    return {
      id,
      name,
      ...(heading === undefined ? {} : { heading }),
      role: roleOf(chain, font),
      ...(contents === undefined ? {} : { contents: Number(contents) }),
      ...(list === undefined ? {} : { list }),
      ...(listLevel === undefined ? {} : { listLevel }),
      bulleted: /^list bullet(?: [2-5])?$/.test(name),
      ...(indent === undefined ? {} : { indent }),
      hidden: chain.map((style) => formatOf(style.run).hidden).find((each) => each !== undefined) ?? false,
      ...(font === undefined ? {} : { font }),
    };
  }
}

/** `ListBullet2` as `List Bullet 2`. */
function spaced(id: string): string {
  return id.replace(/(?<=[a-z])(?=[A-Z0-9])/g, " ");
}

function headingOf(chain: readonly Style[]): number | undefined {
  if (chain[0]!.name === "toc heading") return 1;
  for (const style of chain) {
    const named = HEADING.exec(style.name)?.[1];
    if (named !== undefined) return Number(named);
    const level = numberOf(valueOf(style.paragraph, "outlineLvl"));
    if (level !== undefined) return level >= 0 && level < 9 ? level + 1 : undefined;
  }
  return undefined;
}

function roleOf(chain: readonly Style[], font: string | undefined): ParagraphStyle["role"] {
  const [own] = chain;
  for (const { name } of chain) {
    if (TITLE.test(name)) return "title";
    if (QUOTE.test(name)) return "quote";
    if (CODE.test(name)) return "code";
  }
  // Mail that was pasted in is in `Plain Text`: its font says nothing. Nor does it where the whole document has it.
  const named = own!.basedOn !== undefined || chain.length > 1;
  return named && own!.name !== "plain text" && isMonospaced(font) && formatOf(chain.at(-1)!.run).font !== font
    ? "code"
    : "text";
}

/** How far the left edge of a paragraph is set in. */
export function indentOf(properties: XmlElement | undefined): number | undefined {
  const indent = properties === undefined ? undefined : child(properties, "ind");
  return numberOf(indent?.attributes.left ?? indent?.attributes.start);
}

/** What run properties say; absent members are not stated. */
export function formatOf(properties: XmlElement | undefined): Format {
  if (properties === undefined) return {};
  // Right-to-left text has its own bold and italic.
  const complex = switchOf(properties, "rtl") === true || switchOf(properties, "cs") === true;
  const bold = switchOf(properties, complex ? "bCs" : "b");
  const italic = switchOf(properties, complex ? "iCs" : "i");
  const strike = switchOf(properties, "strike") ?? switchOf(properties, "dstrike");
  const script = valueOf(properties, "vertAlign");
  const hidden = switchOf(properties, "vanish");
  const fonts = child(properties, "rFonts")?.attributes;
  const font = fonts?.ascii ?? fonts?.hAnsi;
  return {
    ...(bold === undefined ? {} : { bold }),
    ...(italic === undefined ? {} : { italic }),
    ...(strike === undefined ? {} : { strike }),
    ...(script === undefined
      ? {}
      : { script: script === "subscript" ? "sub" : script === "superscript" ? "sup" : ("none" as const) }),
    ...(hidden === undefined ? {} : { hidden }),
    ...(font === undefined ? {} : { font }),
  };
}
