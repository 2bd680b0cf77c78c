/** Formulas of a page as LaTeX: MathML, and the sources that TeX renderers leave in the page. */
import { mathmlToLatex } from "../math/mathml.js";
import { find, serialise, textOf, type HtmlElement } from "./tree.js";

/** The LaTeX of `math` or `tex`; undefined where the markup cannot be read. */
export function latexOf(element: HtmlElement): string | undefined {
  if (element.name === "tex") return textOf(element).trim() || undefined;
  const source = find(
    element,
    ({ name, attributes }) => name === "annotation" && /tex/i.test(attributes.get("encoding") ?? ""),
  );
  const tex = source === undefined ? "" : withoutStyle(textOf(source).trim());
  if (tex !== "") return tex;
  return mathmlToLatex(serialise(element));
}

/** Wikipedia wraps every formula into `{\displaystyle …}`. */
function withoutStyle(tex: string): string {
  return /^\{\\(?:display|text)style\s+([\s\S]*)\}$/.exec(tex)?.[1]?.trim() ?? tex;
}

/** A formula that the page writes as TeX between `\(…\)` or `\[…\]`, to be drawn by a script; undefined where it is none. */
export function bracketedTex(text: string): { readonly latex: string; readonly display: boolean } | undefined {
  const [, inline, display] = /^\s*(?:\\\(([\s\S]+)\\\)|\\\[([\s\S]+)\\\])\s*$/.exec(text) ?? [];
  const latex = (inline ?? display)?.trim();
  return latex === undefined || latex === "" ? undefined : { latex, display: display !== undefined };
}
