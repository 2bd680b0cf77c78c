/** LaTeX for the signs of formulas. What is not listed stands as itself, which every renderer takes. */

const SIGNS: Readonly<Record<string, string>> = {
  α: "\\alpha",
  β: "\\beta",
  γ: "\\gamma",
  δ: "\\delta",
  ε: "\\varepsilon",
  ϵ: "\\epsilon",
  ζ: "\\zeta",
  η: "\\eta",
  θ: "\\theta",
  ϑ: "\\vartheta",
  ι: "\\iota",
  κ: "\\kappa",
  ϰ: "\\varkappa",
  λ: "\\lambda",
  μ: "\\mu",
  µ: "\\mu",
  ν: "\\nu",
  ξ: "\\xi",
  π: "\\pi",
  ϖ: "\\varpi",
  ρ: "\\rho",
  ϱ: "\\varrho",
  σ: "\\sigma",
  ς: "\\varsigma",
  τ: "\\tau",
  υ: "\\upsilon",
  φ: "\\varphi",
  ϕ: "\\phi",
  χ: "\\chi",
  ψ: "\\psi",
  ω: "\\omega",
  Γ: "\\Gamma",
  Δ: "\\Delta",
  "∆": "\\Delta",
  Θ: "\\Theta",
  Λ: "\\Lambda",
  Ξ: "\\Xi",
  Π: "\\Pi",
  Σ: "\\Sigma",
  Υ: "\\Upsilon",
  Φ: "\\Phi",
  Ψ: "\\Psi",
  Ω: "\\Omega",
  "\u2126": "\\Omega",
  "∑": "\\sum",
  "∏": "\\prod",
  "∐": "\\coprod",
  "∫": "\\int",
  "∬": "\\iint",
  "∭": "\\iiint",
  "∮": "\\oint",
  "∯": "\\oiint",
  "⋃": "\\bigcup",
  "⋂": "\\bigcap",
  "⋁": "\\bigvee",
  "⋀": "\\bigwedge",
  "⨁": "\\bigoplus",
  "⨂": "\\bigotimes",
  "⨀": "\\bigodot",
  "−": "-",
  "±": "\\pm",
  "∓": "\\mp",
  "×": "\\times",
  "÷": "\\div",
  "⋅": "\\cdot",
  "·": "\\cdot",
  "∗": "*",
  "∘": "\\circ",
  "°": "^{\\circ}",
  "•": "\\bullet",
  "⊕": "\\oplus",
  "⊖": "\\ominus",
  "⊗": "\\otimes",
  "⊙": "\\odot",
  "∙": "\\bullet",
  "⋆": "\\star",
  "†": "\\dagger",
  "≤": "\\leq",
  "≥": "\\geq",
  "≪": "\\ll",
  "≫": "\\gg",
  "≠": "\\neq",
  "≡": "\\equiv",
  "≈": "\\approx",
  "≅": "\\cong",
  "≃": "\\simeq",
  "∼": "\\sim",
  "∝": "\\propto",
  "≜": "\\triangleq",
  "≔": ":=",
  "≺": "\\prec",
  "≻": "\\succ",
  "⊥": "\\perp",
  "∥": "\\parallel",
  "∣": "\\mid",
  "∈": "\\in",
  "∉": "\\notin",
  "∋": "\\ni",
  "⊂": "\\subset",
  "⊃": "\\supset",
  "⊆": "\\subseteq",
  "⊇": "\\supseteq",
  "∪": "\\cup",
  "∩": "\\cap",
  "∖": "\\setminus",
  "∅": "\\emptyset",
  "∧": "\\wedge",
  "∨": "\\vee",
  "¬": "\\neg",
  "∀": "\\forall",
  "∃": "\\exists",
  "∄": "\\nexists",
  "∴": "\\therefore",
  "∵": "\\because",
  "⊢": "\\vdash",
  "⊨": "\\models",
  "→": "\\to",
  "←": "\\leftarrow",
  "↔": "\\leftrightarrow",
  "⇒": "\\Rightarrow",
  "⇐": "\\Leftarrow",
  "⇔": "\\Leftrightarrow",
  "⟶": "\\longrightarrow",
  "⟹": "\\Longrightarrow",
  "↦": "\\mapsto",
  "↑": "\\uparrow",
  "↓": "\\downarrow",
  "⇌": "\\rightleftharpoons",
  "∞": "\\infty",
  "∂": "\\partial",
  "∇": "\\nabla",
  "√": "\\surd",
  "∠": "\\angle",
  "′": "'",
  "″": "''",
  "‴": "'''",
  "…": "\\ldots",
  "⋯": "\\cdots",
  "⋮": "\\vdots",
  "⋱": "\\ddots",
  "⌊": "\\lfloor",
  "⌋": "\\rfloor",
  "⌈": "\\lceil",
  "⌉": "\\rceil",
  "⟨": "\\langle",
  "⟩": "\\rangle",
  "〈": "\\langle",
  "〉": "\\rangle",
  "‖": "\\|",
  "∎": "\\blacksquare",
  "□": "\\square",
  // Signs that LaTeX takes as its own.
  "\\": "\\backslash",
  "{": "\\{",
  "}": "\\}",
  "%": "\\%",
  "&": "\\&",
  "#": "\\#",
  $: "\\$",
  _: "\\_",
  "^": "\\hat{}",
  "~": "\\sim",
  // Blanks of several widths, and signs that nobody sees.
  "\u00a0": "\\ ",
  "\u2003": "\\quad",
  "\u2002": "\\ ",
  "\u2009": "\\,",
  "\u200a": "\\,",
  "\u2005": "\\:",
  "\u2004": "\\;",
  "\u2061": "",
  "\u2062": "",
  "\u2063": "",
  "\u2064": "",
  "\u200b": "",
  "\ufeff": "",
};

/** Names that LaTeX sets upright by a command of their own. */
export const FUNCTIONS = new Set(
  "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim ln log max min sec sin sinh sup tan tanh Pr".split(
    " ",
  ),
);

/** A sign by its command; undefined where it stands as itself. */
export function signOf(sign: string): string | undefined {
  return SIGNS[sign];
}

/** Pieces of LaTeX side by side: a command that ends in a letter is parted from a letter behind it. */
export function sequence(pieces: readonly string[]): string {
  let latex = "";
  for (const piece of pieces) {
    if (piece === "") continue;
    latex += /\\[A-Za-z]+$/.test(latex) && /^[A-Za-z]/.test(piece) ? ` ${piece}` : piece;
  }
  return latex;
}

/** Characters as LaTeX, one by one; those of the block of mathematical letters as the letter in its alphabet. */
export function charactersToLatex(text: string): string {
  return sequence(Array.from(text, (sign) => SIGNS[sign] ?? alphabetic(sign) ?? sign));
}

/** First letters of the alphabets in U+1D400 to U+1D6A3, 52 letters each, and what LaTeX calls them. */
const ALPHABETS: readonly (readonly [number, string])[] = [
  [0x1d400, "mathbf"],
  [0x1d434, ""],
  [0x1d468, "boldsymbol"],
  [0x1d49c, "mathcal"],
  [0x1d4d0, "mathcal"],
  [0x1d504, "mathfrak"],
  [0x1d538, "mathbb"],
  [0x1d56c, "mathfrak"],
  [0x1d5a0, "mathsf"],
  [0x1d5d4, "mathsf"],
  [0x1d608, "mathsf"],
  [0x1d63c, "mathsf"],
  [0x1d670, "mathtt"],
];
/** Letters that Unicode had before those alphabets. */
const EARLIER: Readonly<Record<string, string>> = {
  ℝ: "\\mathbb{R}",
  ℕ: "\\mathbb{N}",
  ℤ: "\\mathbb{Z}",
  ℚ: "\\mathbb{Q}",
  ℂ: "\\mathbb{C}",
  ℙ: "\\mathbb{P}",
  ℍ: "\\mathbb{H}",
  ℒ: "\\mathcal{L}",
  ℱ: "\\mathcal{F}",
  ℋ: "\\mathcal{H}",
  ℬ: "\\mathcal{B}",
  ℰ: "\\mathcal{E}",
  ℳ: "\\mathcal{M}",
  ℛ: "\\mathcal{R}",
  ℐ: "\\mathcal{I}",
  ℎ: "h",
};

function alphabetic(sign: string): string | undefined {
  const code = sign.codePointAt(0)!;
  if (code < 0x2000) return undefined;
  if (code < 0x1d400 || code > 0x1d7ff) return EARLIER[sign];
  const plain = sign.normalize("NFKC");
  // Greek letters and figures of these alphabets: the letter itself, bold and slanted are not worth a command.
  if (!/^[A-Za-z]$/.test(plain)) return SIGNS[plain] ?? plain;
  const command = ALPHABETS.findLast(([from]) => code >= from)![1];
  return command === "" ? plain : `\\${command}{${plain}}`;
}

/** Accents over a letter, by the combining or standing sign that is written for them. */
export const ACCENTS: Readonly<Record<string, string>> = {
  "\u0300": "grave",
  "`": "grave",
  "\u0301": "acute",
  "´": "acute",
  "\u0302": "hat",
  "^": "hat",
  ˆ: "hat",
  "\u0303": "tilde",
  "~": "tilde",
  "˜": "tilde",
  "\u0304": "bar",
  "\u0305": "overline",
  "¯": "bar",
  "‾": "overline",
  "\u0306": "breve",
  "˘": "breve",
  "\u0307": "dot",
  "˙": "dot",
  "\u0308": "ddot",
  "¨": "ddot",
  "\u030a": "mathring",
  "\u030c": "check",
  ˇ: "check",
  "\u20d7": "vec",
  "→": "vec",
  "\u20d6": "overleftarrow",
  "\u20e1": "overleftrightarrow",
  "\u20db": "dddot",
  "⏞": "overbrace",
  "⏟": "underbrace",
};

/** Plain words inside a formula. */
export function textToLatex(text: string): string {
  const escaped = text.replace(/[\\{}$%&#_^~]/g, (sign) =>
    sign === "\\" ? "\\textbackslash{}" : sign === "^" || sign === "~" ? `\\${sign}{}` : `\\${sign}`,
  );
  return `\\text{${escaped.replace(/\s+/g, " ")}}`;
}
