import { child, descendants, textOf, type XmlElement } from "../xml.js";
import { isMonospaced, type Styles } from "./styles.js";

/** What the runs of a document have in common. */
export interface Survey {
  /** Most of it is in a font of code: a typewritten text, not a listing. */
  readonly typewritten: boolean;
  /** BCP 47, where most of the text is marked as being in one language. */
  readonly language: string | undefined;
}

/** Looks over the runs once, before they are read. */
export function surveyOf(main: XmlElement, styles: Styles): Survey {
  let all = 0;
  let monospaced = 0;
  let marked = 0;
  const languages = new Map<string, number>();
  const ordinary = styles.paragraph(undefined);
  for (const run of descendants(main, "r")) {
    const properties = child(run, "rPr");
    const fonts = properties === undefined ? undefined : child(properties, "rFonts")?.attributes;
    const text = run.children
      .map((node) => (typeof node !== "string" && node.name === "t" ? textOf(node) : ""))
      .join("");
    if (text === "") continue;
    all += text.length;
    if (isMonospaced(fonts?.ascii ?? fonts?.hAnsi ?? ordinary.font)) monospaced += text.length;
    const lang = properties === undefined ? undefined : child(properties, "lang")?.attributes;
    // A run has a language for each kind of script, and only one of them is that of its text.
    const stated = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]/.test(text)
      ? lang?.eastAsia
      : /[\u0590-\u08ff]/.test(text)
        ? lang?.bidi
        : lang?.val;
    if (stated === undefined || !/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.test(stated) || !suits(stated, text)) continue;
    marked += text.length;
    languages.set(stated, (languages.get(stated) ?? 0) + text.length);
  }
  const [language, length] = [...languages].sort((a, b) => b[1] - a[1])[0] ?? [undefined, 0];
  return {
    typewritten: monospaced > all / 2,
    language: marked > all / 2 && length > marked / 2 ? language : undefined,
  };
}

/** Scripts of languages that do not use the Latin one. */
const SCRIPTS: readonly (readonly [languages: RegExp, script: RegExp])[] = [
  [/^(?:ru|uk|be|bg|mk|kk|ky|mn)\b/i, /\p{Script=Cyrillic}/u],
  [/^el\b/i, /\p{Script=Greek}/u],
  [/^(?:ar|fa|ur)\b/i, /\p{Script=Arabic}/u],
  [/^(?:he|yi)\b/i, /\p{Script=Hebrew}/u],
  [/^(?:zh|ja|ko)\b/i, /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u],
  [/^th\b/i, /\p{Script=Thai}/u],
];
const LATIN = /^(?:en|de|fr|es|it|pt|nl|sv|da|nb|nn|no|fi|pl|cs|sk|hu|ro|tr|vi|id|ms|lt|lv|et|sl|hr)\b/i;

/** Text that was typed on a keyboard of another language is marked as that language: its letters tell. */
function suits(language: string, text: string): boolean {
  const script =
    SCRIPTS.find(([languages]) => languages.test(language))?.[1] ??
    (LATIN.test(language) ? /\p{Script=Latin}/u : undefined);
  return script === undefined || !/\p{L}/u.test(text) || script.test(text);
}
