/** Pandoc's native documents, which are values of Haskell as they print, as far as the bench needs them. */
import type { Expected } from "./convert-expected.js";

/** A constructor with its arguments, a list or tuple, a string, or a number. */
type Value = Constructed | readonly Value[] | string | number;

interface Constructed {
  readonly name: string;
  readonly args: readonly Value[];
}

const TOKEN = /\s*(?:"((?:[^"\\]|\\[\s\S])*)"|([[\](),{}=])|(-?\d+(?:\.\d+)?(?:e-?\d+)?)|([A-Za-z][\w']*))/gy;

class NativeParser {
  readonly #source: string;
  #at = 0;
  #peeked: RegExpExecArray | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  #peek(): RegExpExecArray | undefined {
    if (this.#peeked === undefined) {
      TOKEN.lastIndex = this.#at;
      this.#peeked = TOKEN.exec(this.#source) ?? undefined;
    }
    return this.#peeked;
  }

  #next(): RegExpExecArray {
    const token = this.#peek();
    if (token === undefined) throw new Error(`No native document of Pandoc at ${this.#at}.`);
    this.#at += token[0].length;
    this.#peeked = undefined;
    return token;
  }

  /** A value; `whole` takes the arguments of a constructor, which inside another's arguments stand in brackets. */
  value(whole = true): Value {
    const token = this.#next();
    if (token[1] !== undefined) return unquote(token[1]);
    if (token[3] !== undefined) return Number(token[3]);
    if (token[4] !== undefined) return { name: token[4], args: whole ? this.#args() : [] };
    const close = token[2] === "[" ? "]" : token[2] === "(" ? ")" : "}";
    const items: Value[] = [];
    while (this.#peek()?.[2] !== close) {
      const separator = this.#peek()?.[2];
      if (separator === "," || separator === "=") this.#next();
      else items.push(this.value());
    }
    this.#next();
    return items;
  }

  #args(): Value[] {
    const args: Value[] = [];
    for (let token = this.#peek(); token !== undefined; token = this.#peek()) {
      if (token[2] !== undefined && token[2] !== "[" && token[2] !== "(" && token[2] !== "{") break;
      args.push(this.value(false));
    }
    return args;
  }
}

function unquote(text: string): string {
  return text.replace(/\\(?:(\d+)|x([0-9a-fA-F]+)|(&)|([\s\S]))/g, (_all, decimal, hex, empty, sign: string) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    if (hex !== undefined) return String.fromCodePoint(parseInt(String(hex), 16));
    if (empty !== undefined) return "";
    return { n: "\n", t: "\t", r: "\r" }[sign] ?? sign;
  });
}

function isConstructed(value: Value): value is Constructed {
  return typeof value === "object" && "name" in value;
}

const BLOCKS = new Set(["Para", "Plain", "Header", "CodeBlock", "LineBlock", "LineBreak", "Cell", "Note"]);
/** Formulas and images are no words, raw passages are another format. */
const SILENT = new Set(["Math", "RawInline", "RawBlock", "Image"]);

/** Words, headings and tables of a native document. */
export function readNative(source: string): Expected {
  const whole = new NativeParser(source.trim()).value();
  // `Pandoc Meta [Block]`: title and authors are no text of the body.
  const document = isConstructed(whole) && whole.name === "Pandoc" ? whole.args.at(-1)! : whole;
  const headings: string[] = [];
  const tables: string[][][] = [];
  const visit = (value: Value): void => {
    if (typeof value !== "object") return;
    if (!isConstructed(value)) {
      value.forEach(visit);
      return;
    }
    if (value.name === "Header") headings.push(textOf(value).trim());
    if (value.name === "Table") tables.push(rowsOf(value));
    value.args.forEach(visit);
  };
  visit(document);
  return { text: textOf(document), headings, tables };
}

function textOf(value: Value): string {
  if (typeof value !== "object") return "";
  if (!isConstructed(value)) return value.map(textOf).join("");
  if (value.name === "Str") return stringOf(value.args[0]);
  if (value.name === "Code" || value.name === "CodeBlock")
    return `${stringOf(value.args[1])}${value.name === "Code" ? "" : "\n"}`;
  if (value.name === "Space" || value.name === "SoftBreak") return " ";
  if (SILENT.has(value.name)) return " ";
  const inside = value.args.map(textOf).join("");
  return BLOCKS.has(value.name) ? `\n${inside}\n` : inside;
}

function stringOf(value: Value | undefined): string {
  return typeof value === "string" ? value : "";
}

function rowsOf(table: Constructed): string[][] {
  const rows: string[][] = [];
  const visit = (value: Value): void => {
    if (typeof value !== "object") return;
    if (!isConstructed(value)) {
      value.forEach(visit);
      return;
    }
    if (value.name !== "Row") {
      value.args.forEach(visit);
      return;
    }
    const cells = value.args[1];
    if (Array.isArray(cells)) rows.push((cells as readonly Value[]).map((cell) => textOf(cell).trim()));
  };
  table.args.forEach(visit);
  return rows;
}
