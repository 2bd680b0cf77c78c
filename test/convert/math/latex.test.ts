import { describe, expect, it } from "vitest";
import { mathmlToLatex } from "../../../src/convert/math/mathml.js";
import { ommlToLatex } from "../../../src/convert/math/omml.js";
import { parseXml } from "../../../src/convert/xml.js";

const word = (omml: string): string =>
  ommlToLatex(
    parseXml(`<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">${omml}</m:oMath>`, "test"),
  );
const r = (text: string, properties = ""): string =>
  `<m:r>${properties === "" ? "" : `<m:rPr>${properties}</m:rPr>`}<m:t>${text}</m:t></m:r>`;
const upright = '<m:sty m:val="p"/>';
const part = (name: string, content: string): string => `<m:${name}>${content}</m:${name}>`;

describe("formulas of Word as LaTeX", () => {
  it.each([
    ["a fraction", `<m:f>${part("num", r("a"))}${part("den", r("b+1"))}</m:f>`, "\\frac{a}{b+1}"],
    [
      "a binomial",
      `<m:f><m:fPr><m:type m:val="noBar"/></m:fPr>${part("num", r("n"))}${part("den", r("k"))}</m:f>`,
      "{n \\atop k}",
    ],
    [
      "exponent and index",
      `<m:sSubSup>${part("e", r("x"))}${part("sub", r("i"))}${part("sup", r("2"))}</m:sSubSup>`,
      "x_{i}^{2}",
    ],
    ["a number to a power", `<m:sSup>${part("e", r("10"))}${part("sup", r("−6"))}</m:sSup>`, "10^{-6}"],
    ["a root", `<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/>${part("e", r("x"))}</m:rad>`, "\\sqrt{x}"],
    ["a cubic root", `<m:rad>${part("deg", r("3"))}${part("e", r("x"))}</m:rad>`, "\\sqrt[3]{x}"],
    [
      "a sum",
      `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr>${part("sub", r("i=1"))}${part("sup", r("n"))}${part("e", r("i"))}</m:nary>`,
      "\\sum_{i=1}^{n} i",
    ],
    [
      "an integral",
      `<m:nary><m:naryPr/>${part("sub", r("0"))}${part("sup", r("∞"))}${part("e", r("f"))}</m:nary>`,
      "\\int_{0}^{\\infty} f",
    ],
    ["a function", `<m:func>${part("fName", r("sin", upright))}${part("e", r("θ"))}</m:func>`, "\\sin \\theta"],
    [
      "an operator of one's own",
      `<m:func>${part("fName", r("rank", upright))}${part("e", r("A"))}</m:func>`,
      "\\operatorname{rank} A",
    ],
    [
      "a limit",
      `<m:func>${part("fName", `<m:limLow>${part("e", r("lim", upright))}${part("lim", r("n→∞"))}</m:limLow>`)}${part("e", r("a"))}</m:func>`,
      "\\lim_{n\\to\\infty} a",
    ],
    [
      "brackets",
      `<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr>${part("e", r("x"))}</m:d>`,
      "\\left[x\\right]",
    ],
    [
      "a matrix",
      `<m:d>${part("e", `<m:m>${part("mr", part("e", r("1")) + part("e", r("0")))}${part("mr", part("e", r("0")) + part("e", r("1")))}</m:m>`)}</m:d>`,
      "\\begin{pmatrix}1 & 0 \\\\ 0 & 1\\end{pmatrix}",
    ],
    [
      "cases",
      `<m:d><m:dPr><m:begChr m:val="{"/><m:endChr m:val=""/></m:dPr>${part("e", `<m:eqArr>${part("e", r("a"))}${part("e", r("b"))}</m:eqArr>`)}</m:d>`,
      "\\begin{cases}a \\\\ b\\end{cases}",
    ],
    ["an accent", `<m:acc><m:accPr><m:chr m:val="⃗"/></m:accPr>${part("e", r("v"))}</m:acc>`, "\\vec{v}"],
    ["a bar", `<m:bar><m:barPr><m:pos m:val="top"/></m:barPr>${part("e", r("z"))}</m:bar>`, "\\overline{z}"],
    ["plain words", r("if x_1 ", "<m:nor/>"), "\\text{if x\\_1 }"],
    [
      "upright units and letters of other alphabets",
      r("5 ") + r("mm", upright) + r("R", '<m:scr m:val="double-struck"/>') + r("𝐱"),
      "5 \\mathrm{mm}\\mathbb{R}\\mathbf{x}",
    ],
    ["a command before a letter", r("παβ"), "\\pi\\alpha\\beta"],
    ["a letter behind a command", r("πr"), "\\pi r"],
    ["signs of LaTeX", r("{a%}&amp;"), "\\{a\\%\\}\\&"],
    ["nothing of a deletion", `<m:del>${r("x")}</m:del>${r("y")}`, "y"],
  ])("%s", (_name, omml, latex) => {
    expect(word(omml)).toBe(latex);
  });
});

describe("formulas in MathML as LaTeX", () => {
  const m = (inside: string): string => `<math xmlns="http://www.w3.org/1998/Math/MathML">${inside}</math>`;
  it.each([
    ["names and numbers", "<mi>sin</mi><mo>\u2061</mo><mi>θ</mi><mo>=</mo><mn>2.5</mn>", "\\sin \\theta=2.5"],
    [
      "a sum",
      "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msub><mi>x</mi><mi>i</mi></msub>",
      "\\sum_{i=1}^{n}x_{i}",
    ],
    [
      "a limit",
      "<munder><mo>lim</mo><mrow><mi>n</mi><mo>→</mo><mi>∞</mi></mrow></munder><mi>a</mi>",
      "\\lim_{n\\to\\infty}a",
    ],
    [
      "fraction and roots",
      "<mfrac><mi>a</mi><msqrt><mi>b</mi></msqrt></mfrac><mroot><mi>x</mi><mn>3</mn></mroot>",
      "\\frac{a}{\\sqrt{b}}\\sqrt[3]{x}",
    ],
    [
      "a matrix",
      "<mrow><mo>(</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr></mtable><mo>)</mo></mrow>",
      "\\begin{pmatrix}1 & 0\\end{pmatrix}",
    ],
    [
      "cases",
      "<mo>{</mo><mtable><mtr><mtd><mi>x</mi></mtd><mtd><mtext>if x</mtext></mtd></mtr></mtable>",
      "\\begin{cases}x & \\text{if x}\\end{cases}",
    ],
    ["accents", "<mover><mi>x</mi><mo>^</mo></mover><mover><mi>v</mi><mo>→</mo></mover>", "\\hat{x}\\vec{v}"],
    [
      "scripts on both sides",
      "<mmultiscripts><mi>C</mi><mn>6</mn><none/><mprescripts/><mn>2</mn><mn>3</mn></mmultiscripts>",
      "{}_{2}^{3}C_{6}",
    ],
    ["fences", '<mfenced open="[" close="]"><mi>a</mi><mi>b</mi></mfenced>', "\\left[a,b\\right]"],
    ["the content and not its annotation", "<semantics><mi>x</mi><annotation>no</annotation></semantics>", "x"],
    ["primes", "<msup><mi>f</mi><mo>′</mo></msup>", "f'"],
  ])("%s", (_name, mathml, latex) => {
    expect(mathmlToLatex(m(mathml))).toBe(latex);
  });

  it("are read with prefixes as EPUB has them", () => {
    expect(
      mathmlToLatex(
        '<m:math xmlns:m="http://www.w3.org/1998/Math/MathML"><m:mfrac><m:mi>a</m:mi><m:mi>b</m:mi></m:mfrac></m:math>',
      ),
    ).toBe("\\frac{a}{b}");
  });

  it("that are no XML, or say nothing, give nothing", () => {
    expect(mathmlToLatex("<math><mi>x")).toBeUndefined();
    expect(mathmlToLatex(m("<mspace/>"))).toBeUndefined();
    expect(mathmlToLatex(`<!DOCTYPE m [<!ENTITY a "b">]>${m("<mi>&a;</mi>")}`)).toBeUndefined();
  });
});
