import { child, children, textOf, type XmlElement } from "../xml.js";
import { ACCENTS, charactersToLatex, FUNCTIONS, sequence, signOf, textToLatex } from "./symbols.js";

/**
 * A formula of Word (`m:oMath`, ECMA-376 part 1, 22.1) as LaTeX. It is our own because the way through MathML by the
 * packages at hand gives `s i n` for sin, `2 . 5` for 2.5 and a literal `&nbsp;` on the real files here.
 */
export function ommlToLatex(element: XmlElement): string {
  return inside(element).trim();
}

/** Everything in an element, its properties apart. */
function inside(element: XmlElement | undefined): string {
  if (element === undefined) return "";
  const pieces: string[] = [];
  for (const node of children(element)) {
    if (node.name.endsWith("Pr") || node.name === "del" || node.name === "moveFrom") continue;
    pieces.push(convert(node));
  }
  return sequence(pieces);
}

function part(element: XmlElement, name: string): string {
  return inside(child(element, name));
}

function property(element: XmlElement, name: string): string | undefined {
  const properties = child(element, `${element.name}Pr`);
  const found = properties === undefined ? undefined : child(properties, name);
  return found === undefined ? undefined : (found.attributes.val ?? "");
}

function isOn(element: XmlElement, name: string): boolean {
  const value = property(element, name);
  return value !== undefined && !["0", "off", "false"].includes(value);
}

function convert(element: XmlElement): string {
  switch (element.name) {
    case "r":
      return runToLatex(element);
    case "f":
      return fraction(element);
    case "sSup":
      return `${base(element)}^{${part(element, "sup")}}`;
    case "sSub":
      return `${base(element)}_{${part(element, "sub")}}`;
    case "sSubSup":
      return `${base(element)}_{${part(element, "sub")}}^{${part(element, "sup")}}`;
    case "sPre":
      return `{}_{${part(element, "sub")}}^{${part(element, "sup")}}${part(element, "e")}`;
    case "rad": {
      const degree = isOn(element, "degHide") ? "" : part(element, "deg");
      return `\\sqrt${degree === "" ? "" : `[${degree}]`}{${part(element, "e")}}`;
    }
    case "nary":
      return largeOperator(element);
    case "d":
      return delimited(element);
    case "func":
      return sequence([functionName(child(element, "fName")), " ", part(element, "e")]).replace(/ {2,}/g, " ");
    case "limLow":
      return limit(element, "_");
    case "limUpp":
      return limit(element, "^");
    case "acc": {
      const accent = ACCENTS[property(element, "chr") ?? "\u0302"];
      return accent === undefined
        ? `\\overset{${charactersToLatex(property(element, "chr") ?? "")}}{${part(element, "e")}}`
        : `\\${accent === "hat" && textOf(child(element, "e") ?? element).length > 1 ? "widehat" : accent}{${part(element, "e")}}`;
    }
    case "bar":
      return `\\${property(element, "pos") === "top" ? "overline" : "underline"}{${part(element, "e")}}`;
    case "groupChr":
      return grouped(element);
    case "borderBox":
      return `\\boxed{${part(element, "e")}}`;
    case "eqArr":
      return `\\begin{aligned}${children(element, "e").map(inside).join(" \\\\ ")}\\end{aligned}`;
    case "m":
      return matrix(element);
    case "phant":
      return isOn(element, "show") || property(element, "show") === undefined
        ? part(element, "e")
        : `\\phantom{${part(element, "e")}}`;
    default:
      // A box, a run of revisions, an argument: transparent.
      return inside(element);
  }
}

/** What carries an exponent or index: more than one sign is grouped. */
function base(element: XmlElement): string {
  const latex = part(element, "e");
  if (latex === "") return "{}";
  return /^(?:[A-Za-z]|\d+(?:\.\d+)?|\\[A-Za-z]+|\\[a-z]+\{[^{}]*\}|\\left.*\\right\S+)$/s.test(latex)
    ? latex
    : `{${latex}}`;
}

function fraction(element: XmlElement): string {
  const [above, below] = [part(element, "num"), part(element, "den")];
  switch (property(element, "type")) {
    case "lin":
      return `${above}/${below}`;
    case "noBar":
      return `{${above} \\atop ${below}}`;
    default:
      return `\\frac{${above}}{${below}}`;
  }
}

function largeOperator(element: XmlElement): string {
  const sign = property(element, "chr") ?? "∫";
  const [sub, sup] = [
    isOn(element, "subHide") ? "" : part(element, "sub"),
    isOn(element, "supHide") ? "" : part(element, "sup"),
  ];
  return sequence([
    signOf(sign) ?? sign,
    sub === "" ? "" : `_{${sub}}`,
    sup === "" ? "" : `^{${sup}}`,
    ` ${part(element, "e")}`,
  ]);
}

function delimited(element: XmlElement): string {
  const open = delimiter(property(element, "begChr") ?? "(");
  const close = delimiter(property(element, "endChr") ?? ")");
  const separator = property(element, "sepChr") ?? "|";
  const parts = children(element, "e");
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) {
    const matrices = children(only).filter(({ name }) => !name.endsWith("Pr"));
    const [first] = matrices;
    // `{` around an array of equations and nothing on the right: cases.
    if (matrices.length === 1 && first?.name === "eqArr" && open === "\\{" && close === ".")
      return `\\begin{cases}${children(first, "e").map(inside).join(" \\\\ ")}\\end{cases}`;
    const named = { "()": "pmatrix", "[]": "bmatrix", "||": "vmatrix", "\\{\\}": "Bmatrix", "\\|\\|": "Vmatrix" }[
      open + close
    ];
    if (matrices.length === 1 && first?.name === "m" && named !== undefined) return matrix(first, named);
  }
  const content = parts.map(inside).join(separator === "|" ? "\\middle|" : charactersToLatex(separator));
  const gap = (mark: string): string => (/[A-Za-z]$/.test(mark) ? " " : "");
  return `\\left${open}${gap(open)}${content}\\right${close}`;
}

function delimiter(sign: string): string {
  if (sign === "") return ".";
  return sign === "[" || sign === "]" || sign === "|" ? sign : (signOf(sign) ?? sign);
}

/** A name set upright: `\sin`, or an operator of the author's own. */
function functionName(name: XmlElement | undefined): string {
  if (name === undefined) return "";
  const latex = inside(name);
  const plain = /^\\mathrm\{([A-Za-z]+)\}$/.exec(latex)?.[1] ?? latex;
  if (FUNCTIONS.has(plain)) return `\\${plain}`;
  return /^[A-Za-z]{2,}$/.test(plain) ? `\\operatorname{${plain}}` : latex;
}

function limit(element: XmlElement, mark: "_" | "^"): string {
  const [name, bound] = [functionName(child(element, "e")), part(element, "lim")];
  if (/^\\(?:[A-Za-z]+|operatorname\{[A-Za-z]+\})$/.test(name)) return `${name}${mark}{${bound}}`;
  if (/^\\(?:over|under)brace\{/.test(name)) return `${name}${mark}{${bound}}`;
  return `\\${mark === "_" ? "underset" : "overset"}{${bound}}{${name}}`;
}

function grouped(element: XmlElement): string {
  const sign = property(element, "chr") ?? "⏟";
  const content = part(element, "e");
  const named = ACCENTS[sign];
  if (named === "overbrace" || named === "underbrace") return `\\${named}{${content}}`;
  const set = property(element, "pos") === "top" ? "overset" : "underset";
  return `\\${set}{${charactersToLatex(sign)}}{${content}}`;
}

function matrix(element: XmlElement, environment = "matrix"): string {
  const rows = children(element, "mr").map((row) => children(row, "e").map(inside).join(" & "));
  return `\\begin{${environment}}${rows.join(" \\\\ ")}\\end{${environment}}`;
}

const STYLES: Readonly<Record<string, string>> = {
  "double-struck": "mathbb",
  script: "mathcal",
  fraktur: "mathfrak",
  "sans-serif": "mathsf",
  monospace: "mathtt",
};

function runToLatex(run: XmlElement): string {
  const text = children(run)
    .map((node) => (node.name === "t" ? textOf(node) : ["tab", "br"].includes(node.name) ? " " : ""))
    .join("");
  if (text === "") return "";
  const properties = child(run, "rPr");
  const value = (name: string): string | undefined => {
    const found = properties === undefined ? undefined : child(properties, name);
    return found === undefined ? undefined : (found.attributes.val ?? "");
  };
  if (value("nor") !== undefined && value("nor") !== "0") return text.trim() === "" ? "\\ " : textToLatex(text);
  const style = value("sty");
  const alphabet =
    STYLES[value("scr") ?? ""] ??
    (style === "b" ? "mathbf" : style === "bi" ? "boldsymbol" : style === "p" ? "mathrm" : "");
  return styled(text, alphabet);
}

/** Characters, their letters in an alphabet; names of functions by their own command, wherever they are set upright. */
function styled(text: string, alphabet: string): string {
  if (alphabet === "") {
    const name = text.trim();
    return FUNCTIONS.has(name) ? `\\${name}` : charactersToLatex(text);
  }
  return sequence(
    text.split(/([A-Za-z]+)/).map((piece) => {
      if (!/^[A-Za-z]/.test(piece)) return charactersToLatex(piece);
      return alphabet === "mathrm" && FUNCTIONS.has(piece) ? `\\${piece}` : `\\${alphabet}{${piece}}`;
    }),
  );
}
