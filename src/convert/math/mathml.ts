import { MdcxError } from "../../errors.js";
import { children, parseXml, textOf, type XmlElement } from "../xml.js";
import { ACCENTS, charactersToLatex, FUNCTIONS, sequence, signOf, textToLatex } from "./symbols.js";

/**
 * A formula in MathML (one `math` element as XML, entities resolved) as LaTeX; undefined where it is no XML or says
 * nothing. It is our own because the package at hand returns nothing for prefixed elements, as EPUB has them, and leaves
 * `sin` and `_` as they are.
 */
export function mathmlToLatex(xml: string): string | undefined {
  let root: XmlElement;
  try {
    root = parseXml(xml, "The formula");
  } catch (error) {
    if (error instanceof MdcxError && error.code === "refused") return undefined;
    throw error;
  }
  const latex = convert(root).trim();
  return latex === "" ? undefined : latex;
}

function row(elements: readonly XmlElement[]): string {
  const pieces: string[] = [];
  for (let at = 0; at < elements.length; at++) {
    const element = elements[at]!;
    const opens = element.name === "mo" && OPENING.has(textOf(element).trim());
    const fenced = opens ? fencedTable(elements, at) : undefined;
    pieces.push(fenced?.latex ?? convert(element));
    at = fenced?.last ?? at;
  }
  return sequence(pieces);
}

const OPENING = new Set(["(", "[", "{", "|", "‖"]);
const MATRICES: Readonly<Record<string, string>> = {
  "()": "pmatrix",
  "[]": "bmatrix",
  "{}": "Bmatrix",
  "||": "vmatrix",
  "‖‖": "Vmatrix",
};

/** A table between fences: a matrix, or cases where there is no fence on the right. */
function fencedTable(elements: readonly XmlElement[], at: number): { latex: string; last: number } | undefined {
  const table = elements[at + 1];
  if (table?.name !== "mtable") return undefined;
  const open = textOf(elements[at]!).trim();
  const closing = elements[at + 2];
  const close = closing?.name === "mo" ? textOf(closing).trim() : "";
  const named = MATRICES[open + close];
  if (named !== undefined) return { latex: tableToLatex(table, named), last: at + 2 };
  if (open === "{" && (closing === undefined || close === ""))
    return { latex: tableToLatex(table, "cases"), last: closing === undefined ? at + 1 : at + 2 };
  return undefined;
}

function tableToLatex(table: XmlElement, environment: string): string {
  const rows = children(table)
    .filter(({ name }) => name === "mtr" || name === "mlabeledtr")
    .map((each) =>
      children(each, "mtd")
        .map((cell) => row(children(cell)))
        .join(" & "),
    );
  return `\\begin{${environment}}${rows.join(" \\\\ ")}\\end{${environment}}`;
}

function convert(element: XmlElement): string {
  const inside = children(element);
  const argument = (index: number): string => (inside[index] === undefined ? "" : convert(inside[index]));
  switch (element.name) {
    case "mi":
      return identifier(element);
    case "mn":
      return charactersToLatex(textOf(element).replace(/\s+/g, ""));
    case "mo":
      return operator(textOf(element).trim());
    case "mtext":
    case "ms":
      return textOf(element).trim() === "" ? "\\ " : textToLatex(textOf(element));
    case "mspace":
      return /^-|^0/.test(element.attributes.width ?? "0") ? "" : "\\ ";
    case "mfrac":
      return element.attributes.linethickness?.startsWith("0") === true
        ? `{${argument(0)} \\atop ${argument(1)}}`
        : `\\frac{${argument(0)}}{${argument(1)}}`;
    case "msqrt":
      return `\\sqrt{${row(inside)}}`;
    case "mroot":
      return `\\sqrt[${argument(1)}]{${argument(0)}}`;
    case "msup":
      return primes(inside[1]) === undefined
        ? `${base(argument(0))}^{${argument(1)}}`
        : `${base(argument(0))}${primes(inside[1])!}`;
    case "msub":
      return `${base(argument(0))}_{${argument(1)}}`;
    case "msubsup":
      return `${base(argument(0))}_{${argument(1)}}^{${argument(2)}}`;
    case "munder":
      return under(argument(0), inside[1], argument(1));
    case "mover":
      return over(argument(0), inside[1], argument(1));
    case "munderover":
      return isLimited(argument(0))
        ? `${argument(0)}_{${argument(1)}}^{${argument(2)}}`
        : `\\overset{${argument(2)}}{\\underset{${argument(1)}}{${argument(0)}}}`;
    case "mmultiscripts":
      return multiscripts(inside);
    case "mfenced":
      return fenced(element, inside);
    case "mtable":
      return tableToLatex(element, "matrix");
    case "menclose":
      return (element.attributes.notation ?? "").includes("radical")
        ? `\\sqrt{${row(inside)}}`
        : `\\boxed{${row(inside)}}`;
    case "mphantom":
      return `\\phantom{${row(inside)}}`;
    case "semantics":
      return argument(0);
    case "annotation":
    case "annotation-xml":
    case "none":
    case "mprescripts":
    case "maligngroup":
    case "malignmark":
      return "";
    default:
      // `math`, `mrow`, `mstyle`, `mpadded`, `merror`, `maction` and whatever comes: what is in it.
      return inside.length === 0 ? charactersToLatex(textOf(element).trim()) : row(inside);
  }
}

const VARIANTS: Readonly<Record<string, string>> = {
  bold: "mathbf",
  "bold-italic": "boldsymbol",
  "double-struck": "mathbb",
  script: "mathcal",
  "bold-script": "mathcal",
  fraktur: "mathfrak",
  "sans-serif": "mathsf",
  monospace: "mathtt",
};

function identifier(element: XmlElement): string {
  const text = textOf(element).trim();
  if (FUNCTIONS.has(text)) return `\\${text} `;
  const variant = VARIANTS[element.attributes.mathvariant ?? ""];
  if (variant !== undefined && /^[A-Za-z0-9]+$/.test(text)) return `\\${variant}{${text}}`;
  if (/^[A-Za-z]{2,}$/.test(text)) return `\\operatorname{${text}}`;
  return charactersToLatex(text);
}

function operator(text: string): string {
  if (FUNCTIONS.has(text)) return `\\${text} `;
  if (/^[A-Za-z]{2,}$/.test(text)) return `\\operatorname{${text}}`;
  return charactersToLatex(text);
}

function primes(element: XmlElement | undefined): string | undefined {
  const text = element === undefined ? "" : textOf(element).trim();
  return /^[′″‴']+$/.test(text) ? charactersToLatex(text) : undefined;
}

function base(latex: string): string {
  const plain = latex.trim();
  if (plain === "") return "{}";
  return /^(?:[A-Za-z0-9)\]]|\\[A-Za-z]+|\\[a-z]+\{[^{}]*\})$/.test(plain) ? plain : `{${plain}}`;
}

/** Operators and names that take what is below and above them as limits. */
function isLimited(latex: string): boolean {
  return /^\\(?:sum|prod|coprod|int|iint|iiint|oint|oiint|big[a-z]+|lim|max|min|sup|inf|det|gcd|Pr|(?:over|under)brace\{.*\}|operatorname\{\w+\})\s*$/s.test(
    latex,
  );
}

function under(content: string, sign: XmlElement | undefined, below: string): string {
  const text = sign === undefined ? "" : textOf(sign).trim();
  if (text === "⏟") return `\\underbrace{${content}}`;
  if (text === "_" || text === "\u0332" || text === "¯") return `\\underline{${content}}`;
  return isLimited(content) ? `${content.trim()}_{${below}}` : `\\underset{${below}}{${content}}`;
}

function over(content: string, sign: XmlElement | undefined, above: string): string {
  const accent = sign?.name === "mo" ? ACCENTS[textOf(sign).trim()] : undefined;
  if (accent !== undefined) {
    const wide = /^.$|^\\[A-Za-z]+$/.test(content)
      ? undefined
      : { hat: "widehat", tilde: "widetilde", bar: "overline", vec: "overrightarrow" }[accent];
    return `\\${wide ?? accent}{${content}}`;
  }
  return isLimited(content) ? `${content.trim()}^{${above}}` : `\\overset{${above}}{${content}}`;
}

function multiscripts(elements: readonly XmlElement[]): string {
  const split = elements.findIndex(({ name }) => name === "mprescripts");
  const [content, ...after] = split < 0 ? elements : elements.slice(0, split);
  const before = split < 0 ? [] : elements.slice(split + 1);
  const scripts = (list: readonly XmlElement[]): string => {
    let latex = "";
    for (let at = 0; at < list.length; at += 2) {
      const [sub, sup] = [convert(list[at]!), list[at + 1] === undefined ? "" : convert(list[at + 1]!)];
      latex += (sub === "" ? "" : `_{${sub}}`) + (sup === "" ? "" : `^{${sup}}`);
    }
    return latex;
  };
  return (
    (before.length === 0 ? "" : `{}${scripts(before)}`) +
    base(content === undefined ? "" : convert(content)) +
    scripts(after)
  );
}

function fenced(element: XmlElement, inside: readonly XmlElement[]): string {
  const { open = "(", close = ")", separators = "," } = element.attributes;
  const marks = Array.from(separators.replace(/\s/g, ""));
  const content = inside
    .map((each, index) => (index === 0 ? "" : (marks[Math.min(index - 1, marks.length - 1)] ?? "")) + convert(each))
    .join("");
  return `\\left${fence(open)}${content}\\right${fence(close)}`;
}

function fence(sign: string): string {
  if (sign === "") return ".";
  const latex = ["[", "]", "|"].includes(sign) ? sign : (signOf(sign) ?? sign);
  return /[A-Za-z]$/.test(latex) ? `${latex} ` : latex;
}
