/**
 * The lines `<!-- mdcx:… -->` by which a converter notes where in the original the text below stood (spec/text.md §7.3).
 */
import { readFrontMatter } from "./front-matter.js";

/** Where in its original a text stood, as the converter noted it. A sheet's value is in Excel's notation, `'My sheet'!A1:D20`. */
export interface Place {
  readonly kind: "page" | "slide" | "sheet" | "chapter";
  readonly value: string;
}

/** What a marker states: the place, and whether the text below was recognised in a picture of it. */
export interface Marked extends Place {
  readonly recognised: boolean;
}

const MARKER =
  /^<!-- mdcx:(?:(page|slide) (\d{1,9})(?: (ocr))?|(chapter) ("(?:[^"\\]|\\.)*")|(sheet) ("(?:[^"\\]|\\.)*") ([A-Z]{1,3}\d{1,7}(?::[A-Z]{1,3}\d{1,7})?)) -->[ \t]*$/;
/** A longer line is no marker. */
const LONGEST = 4_000;

/** The place that a line `<!-- mdcx:… -->` states, or undefined where it is none. `line` is without its line end. */
export function readMarker(line: string): Marked | undefined {
  if (!line.startsWith("<!-- mdcx:") || line.length > LONGEST) return undefined;
  const found = MARKER.exec(line);
  if (found === null) return undefined;
  const [, numbered, number, ocr, chapter, title, , sheet, range] = found;
  if (numbered !== undefined)
    return { kind: numbered as "page" | "slide", value: String(Number(number)), recognised: ocr !== undefined };
  const name = unquote(title ?? sheet!);
  if (name === undefined) return undefined;
  if (chapter !== undefined) return { kind: "chapter", value: name, recognised: false };
  const quoted = /^[\p{L}\p{N}_.]+$/u.test(name) ? name : `'${name.replaceAll("'", "''")}'`;
  return { kind: "sheet", value: `${quoted}!${range!}`, recognised: false };
}

function unquote(json: string): string | undefined {
  try {
    const name: unknown = JSON.parse(json);
    return typeof name === "string" ? name : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What is indexed and embedded of a part of a document: the part without the lines of markers and, where it is the
 * document's beginning, without the front matter and the byte order mark. Addresses and HTML are text: people look for them.
 */
export function indexableText(markdown: string, options: { readonly atStart?: boolean } = {}): string {
  const text =
    options.atStart === true ? markdown.slice(readFrontMatter(markdown).end).replace(/^\uFEFF/, "") : markdown;
  if (!text.includes("<!-- mdcx:")) return text;
  return text.replace(/^<!-- mdcx:[^\r\n]*(?:\r\n|\n|\r|$)/gm, (line) =>
    readMarker(line.replace(/[\r\n]+$/, "")) === undefined ? line : "",
  );
}
