import type { Token } from "markdown-it";
import type { Reader } from "../engine.js";
import { optional } from "../../node/optional-package.js";
import { decodeText } from "../text/encoding.js";
import { independentDecoder } from "../text/reader.js";

/** What a Markdown original says, as markdown-it renders it: the words without the syntax, tables, links and images. */
export const reader: Reader = async (original) => {
  const purpose = "Comparing Markdown with its original";
  const { default: createParser } = await optional(purpose, () => import("markdown-it"));
  const { parseFragment } = await optional(purpose, () => import("parse5"));
  const decode = await independentDecoder();
  const text = decode(original.bytes, decodeText(original.bytes).encoding).replace(/^\uFEFF/, "");
  const parser = createParser({ html: true });
  // Targets are compared, not followed: where one is refused its syntax would be words.
  parser.validateLink = () => true;
  parser.normalizeLink = (target) => target;
  // Quotations and lists may be nested deep; within a line that takes the square of its length.
  parser.core.ruler.before("block", "blocks", () => void parser.set({ maxNesting: 1_000 }));
  parser.core.ruler.before("inline", "within-lines", () => void parser.set({ maxNesting: 20 }));
  // The note `[^1]: x` of GitHub would be CommonMark's definition of a link that nobody sees.
  const tokens = parser.parse(text.replace(/^( {0,3})\[\^([^\]\s]+)\]:/gm, "$1\\[^$2\\]:"), {});
  const seen = new Seen((html) => textOfHtml(parseFragment(html)));
  for (const token of tokens) seen.take(token);
  return {
    reader: "markdown-it 15.0.3",
    units: [{ text: seen.text.join("\n") }],
    tables: seen.tables,
    links: seen.links,
    images: seen.images,
  };
};

/** What the tokens of a document come to. */
class Seen {
  readonly text: string[] = [];
  readonly tables: string[][][] = [];
  readonly links: string[] = [];
  readonly images: string[] = [];
  #inCell = false;

  constructor(private readonly htmlText: (html: string) => string) {}

  take(token: Token): void {
    switch (token.type) {
      case "fence":
      case "code_block":
        this.text.push(token.content);
        break;
      case "html_block":
        this.text.push(this.htmlText(token.content));
        break;
      case "table_open":
        this.tables.push([]);
        break;
      case "tr_open":
        this.tables.at(-1)?.push([]);
        break;
      case "th_open":
      case "td_open":
        this.#inCell = true;
        break;
      case "th_close":
      case "td_close":
        this.#inCell = false;
        break;
      case "inline": {
        const line = this.#inline(token.children ?? []);
        this.text.push(line);
        if (this.#inCell) this.tables.at(-1)?.at(-1)?.push(line);
      }
    }
  }

  #inline(tokens: readonly Token[]): string {
    let line = "";
    for (const token of tokens) {
      if (token.type === "text" || token.type === "code_inline") line += token.content;
      else if (token.type === "softbreak" || token.type === "hardbreak") line += "\n";
      else if (token.type === "html_inline") line += /^<br\b/i.test(token.content) ? "\n" : "";
      else if (token.type === "link_open") this.links.push(String(token.attrGet("href") ?? ""));
      else if (token.type === "image") this.images.push(token.content);
    }
    return line;
  }
}

/** The parts of parse5's tree that are read here. */
interface HtmlNode {
  readonly nodeName: string;
  readonly value?: string;
  readonly childNodes?: readonly HtmlNode[];
}

const NO_TEXT = new Set(["script", "style", "template", "#comment"]);
const INLINE = /^(?:a|b|i|em|strong|code|span|sub|sup|kbd|small|u|s|del|ins|mark|font|abbr|#text)$/;

/** Text of raw HTML. Nested without end it is walked by a stack, as the parser nests it. */
function textOfHtml(root: object): string {
  const parts: string[] = [];
  const open: HtmlNode[] = [root as HtmlNode];
  while (open.length > 0) {
    const node = open.pop()!;
    if (NO_TEXT.has(node.nodeName)) continue;
    if (node.value !== undefined) parts.push(node.value);
    if (!INLINE.test(node.nodeName)) parts.push("\n");
    open.push(...[...(node.childNodes ?? [])].reverse());
  }
  return parts.join("");
}
