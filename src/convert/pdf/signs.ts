/** What the glyphs of a font stand for. */
import type { FontFace } from "./drawing.js";

/** Bullets that the fonts of word processors have in Unicode's private area. */
const PRIVATE: Readonly<Record<string, string>> = {
  "\uf0b7": "•",
  "\uf0a7": "▪",
  "\uf0d8": "➢",
  "\uf0fc": "✓",
  "\uf076": "❖",
  "\uf0a8": "◻",
  "\uf06f": "◻",
};

/** A glyph's characters as people write them: ligatures and presentation forms taken apart, control characters gone. */
export function readable(unicode: string, font: FontFace): string {
  if (unicode.length === 1 && unicode >= " " && unicode < "\u007f") return unicode;
  let text = "";
  for (const sign of unicode) {
    const code = sign.codePointAt(0)!;
    if (code < 32 || (code >= 0x7f && code < 0xa0) || code === 0xfffd || code === 0xfffe || code === 0xfeff) {
      if (code === 9 || code === 10 || code === 13) text += " ";
    } else if (code >= 0xfb00 && code <= 0xfb4f) text += sign.normalize("NFKC");
    else if ((code >= 0xfb50 && code <= 0xfdff) || (code >= 0xfe70 && code <= 0xfefc)) text += sign.normalize("NFKC");
    else if (code >= 0xe000 && code <= 0xf8ff) text += PRIVATE[sign] ?? privateLetter(code, font);
    else text += sign;
  }
  return text;
}

/** Fonts that call themselves symbolic have their letters at U+F000 on; what has no letter there cannot be read. */
function privateLetter(code: number, font: FontFace): string {
  const low = code & 0xff;
  return code >= 0xf000 && code <= 0xf0ff && !font.symbolic && low >= 0x20 && low < 0x7f
    ? String.fromCharCode(low)
    : "";
}
