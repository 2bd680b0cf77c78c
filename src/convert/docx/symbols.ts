/**
 * Signs of the fonts that Word uses as pictures: `w:sym` and characters U+F020 to U+F0FF stand for a place in the font, and
 * only with that font for a sign. Symbol is Adobe's encoding; of Wingdings the signs that people put into text.
 */

const SYMBOL_FROM = 0x20;
const SYMBOL =
  " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼" +
  "\u0000".repeat(33) +
  "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\u0000〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭";

const WINGDINGS: Readonly<Record<number, string>> = {
  0x21: "✏",
  0x22: "✂",
  0x28: "☎",
  0x2a: "✉",
  0x4a: "☺",
  0x4b: "😐",
  0x4c: "☹",
  0x6c: "●",
  0x6e: "■",
  0x6f: "□",
  0x71: "❑",
  0x72: "❒",
  0x73: "⬧",
  0x74: "⧫",
  0x75: "◆",
  0x76: "❖",
  0x77: "⬥",
  0x9f: "•",
  0xa1: "○",
  0xa7: "▪",
  0xa8: "☐",
  0xd8: "➢",
  0xdf: "←",
  0xe0: "→",
  0xe1: "↑",
  0xe2: "↓",
  0xe8: "➔",
  0xf0: "⇨",
  0xfb: "✗",
  0xfc: "✓",
  0xfd: "☒",
  0xfe: "☑",
};

const WINGDINGS_2: Readonly<Record<number, string>> = {
  0x4f: "✗",
  0x50: "✓",
  0x51: "☒",
  0x52: "☑",
  0x53: "☒",
  0x54: "☒",
  0xa3: "☐",
};

/** The sign at a place of a font, given as its character code; undefined where it is not known. */
export function symbolOf(font: string, code: number): string | undefined {
  const place = code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code;
  if (/^symbol/i.test(font)) {
    const sign = SYMBOL[place - SYMBOL_FROM];
    return sign === undefined || sign === "\u0000" ? undefined : sign;
  }
  if (/^wingdings 2/i.test(font)) return WINGDINGS_2[place];
  if (/^wingdings/i.test(font)) return WINGDINGS[place];
  // Any other font: a real character is itself, a place of the private area says nothing.
  return code >= 0x20 && (code < 0xe000 || code > 0xf8ff) && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

/** Text with characters of the private area, in a font of pictures. */
export function pictureText(font: string, text: string): string {
  return text.replace(/[\uF020-\uF0FF]/g, (sign) => symbolOf(font, sign.codePointAt(0)!) ?? sign);
}
