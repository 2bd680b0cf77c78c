import { strToU8, zipSync } from "fflate";
import { engine } from "../../../src/convert/epub/engine.js";
import { reader } from "../../../src/convert/epub/reader.js";
import { convertWith, type Converted } from "../html/convert.js";

/** A book: its chapters by file name, as whole files or as what stands in their body. */
export interface BookParts {
  readonly chapters: Readonly<Record<string, string>>;
  readonly metadata?: string;
  /** What goes into the package's spine; every chapter in order where it is not given. */
  readonly spine?: string;
  /** Attributes of the spine. */
  readonly spineAttributes?: string;
  readonly manifest?: string;
  readonly others?: Readonly<Record<string, string>>;
}

export function xhtml(body: string, head = "<title>t</title>"): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head>${head}</head><body>${body}</body></html>`;
}

const CONTAINER =
  '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>';

export function epub({
  chapters,
  metadata = "",
  spine,
  spineAttributes = "",
  manifest = "",
  others = {},
}: BookParts): Uint8Array {
  const names = Object.keys(chapters);
  const items = names.map((name, i) => `<item id="c${i}" href="${name}" media-type="application/xhtml+xml"/>`).join("");
  const order = spine ?? names.map((_, i) => `<itemref idref="c${i}"/>`).join("");
  const opf = `<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">${metadata}</metadata><manifest>${items}${manifest}</manifest><spine ${spineAttributes}>${order}</spine></package>`;
  const files: Record<string, string> = { "META-INF/container.xml": CONTAINER, "OEBPS/book.opf": opf };
  for (const [name, content] of Object.entries(chapters))
    files[`OEBPS/${name}`] = /^<(?:\?xml|!doctype|html|svg)/i.test(content) ? content : xhtml(content);
  Object.assign(files, others);
  return zipSync({
    mimetype: [strToU8("application/epub+zip"), { level: 0 }],
    ...Object.fromEntries(Object.entries(files).map(([name, content]) => [name, strToU8(content)])),
  });
}

export function convertBook(book: BookParts | Uint8Array, sample?: number): Promise<Converted> {
  return convertWith({ engine, reader }, book instanceof Uint8Array ? book : epub(book), "book.epub", sample);
}

export async function markdownOfBook(book: BookParts): Promise<string> {
  return (await convertBook(book)).conversion.markdown.trimEnd();
}
