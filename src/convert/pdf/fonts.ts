/** Weight, slant and kind of a font, by what pdfjs says of it and by its name. */
import type { FontFace } from "./drawing.js";

/** `object` is a font of pdfjs, whose types leave it open. */
export function faceOf(object: unknown): FontFace | undefined {
  if (typeof object !== "object" || object === null) return undefined;
  const font = object as {
    name?: string;
    bold?: boolean;
    black?: boolean;
    italic?: boolean;
    vertical?: boolean;
    fallbackName?: string;
    isType3Font?: boolean;
    fontMatrix?: readonly number[];
    bbox?: readonly number[];
  };
  const name = (font.name ?? "").replace(/^[A-Z]{6}\+/, "");
  const matrix = font.fontMatrix ?? [];
  const scale = font.isType3Font === true && Number.isFinite(matrix[0]) ? matrix[0]! : 0.001;
  const box = font.bbox ?? [];
  const boxHeight = Math.abs((box[3] ?? 0) - (box[1] ?? 0));
  const emHeight =
    font.isType3Font === true && boxHeight > 0 && Number.isFinite(matrix[3]) ? Math.abs(boxHeight * matrix[3]!) : 1;
  return {
    name,
    bold:
      font.bold === true ||
      font.black === true ||
      /bold|black|heavy|demi|(?:^|[-,_])(?:bd|blk|b)$|^(?:cm|sf|lm)bx|medi$/i.test(name),
    italic: font.italic === true || /ital|obliq|slant|(?:^|[-,_])(?:it|i|bi)$|^(?:cm|sf)(?:ti|sl|bxti)\d/i.test(name),
    // Ideographs are all of one width: it says nothing of what is written in them.
    monospaced:
      font.vertical !== true &&
      !/mincho|gothic|song|fang|simhei|kaiti|ming|batang|gulim|dotum|heisei|ryumin|hiragino|cjk/i.test(name) &&
      (font.fallbackName === "monospace" ||
        /mono|courier|consol|typewriter|menlo|^(?:cm|sf|ec)tt|inconsolata|lmtt|luximr/i.test(name)),
    vertical: font.vertical === true,
    scale,
    emHeight,
    symbolic: /wingding|symbol|dingbat|webding|marlett|^(?:cm|msam|msbm)(?:sy|mi|ex)/i.test(name),
  };
}
