/** Kinds of text without a signature: by what stands at the beginning, else by the extension. */
import type { Detected } from "../detect.js";
import type { Format } from "../engine.js";
import { latin1 } from "../signatures.js";
import { decodeUnicode, isBinary, unicodeForm } from "./unicode.js";

const BY_EXTENSION: Readonly<Record<string, Format>> = {
  md: "markdown",
  markdown: "markdown",
  mdown: "markdown",
  mkd: "markdown",
  mkdn: "markdown",
  mdwn: "markdown",
  mdtxt: "markdown",
  mdtext: "markdown",
  mdx: "markdown",
  qmd: "markdown",
  rmd: "markdown",
  csv: "csv",
  tsv: "csv",
  tab: "csv",
  psv: "csv",
  txt: "text",
  text: "text",
  log: "text",
  asc: "text",
  vtt: "text",
  srt: "text",
  htm: "html",
  html: "html",
  xhtml: "html",
  xht: "html",
  shtml: "html",
};

/** Text that is a format of its own, which plain text would show with its marks. */
const NAMED: Readonly<Record<string, string>> = {
  ipynb: "a Jupyter notebook (.ipynb): export it as Markdown or HTML (jupyter nbconvert --to markdown)",
  rst: "reStructuredText: convert it to Markdown or HTML (pandoc, docutils), or rename it to .txt",
  adoc: "AsciiDoc: convert it to HTML (asciidoctor), or rename it to .txt",
  asciidoc: "AsciiDoc: convert it to HTML (asciidoctor), or rename it to .txt",
  org: "an Org file: export it as Markdown or HTML, or rename it to .txt",
  tex: "LaTeX source: convert the PDF that it makes, or rename it to .txt",
  mbox: "a mailbox of many messages (.mbox): save them as one .eml each",
  json: "a JSON file, not a document: rename it to .txt to take it as it is",
  fb2: "a FictionBook: convert it to EPUB",
};

const BINARY_EXTENSION =
  /^(?:pdf|docx?|docm|dotx?|xlsx?|xlsm|xlsb|xltx|pptx?|pptm|ppsx|potx|epub|od[tsp]|rtf|msg|zip|png|jpe?g|gif)$/;

export function detectText(bytes: Uint8Array, extension: string): Detected {
  const form = unicodeForm(bytes);
  if (form === undefined || (form.encoding === "utf-8" && form.mark === 0)) {
    if (isBinary(bytes))
      return {
        refused: "The file holds binary data of a kind that is not known here: save it as PDF, .docx, .html or .txt.",
      };
  }
  const start =
    form === undefined || form.encoding === "utf-8"
      ? latin1(bytes, form?.mark ?? 0, 4_096)
      : decodeUnicode(bytes.subarray(form.mark, 8_192), form.encoding);
  const format = BY_EXTENSION[extension];
  if (format !== "text" && format !== "markdown") {
    const xml = xmlKind(start);
    if (xml !== undefined) return xml;
  }
  if (isHtml(start, format)) return { format: "html" };
  if (format === "html") return { format };
  if ((extension === "eml" || extension === "mht" || extension === "mhtml" || format === undefined) && isMail(start))
    return { format: "eml" };
  if (extension === "eml")
    return {
      refused: "The file is named .eml but begins with no header of a message: it is damaged or something else.",
    };
  if (format !== undefined) return { format };
  const named = NAMED[extension];
  if (named !== undefined) return { refused: `The file is ${named}.` };
  if (BINARY_EXTENSION.test(extension))
    return {
      refused: `The file is named .${extension} but its content is plain text or damaged: rename it to .txt, .md or .csv if it is text.`,
    };
  return {
    refused:
      extension === ""
        ? "The file is plain text without an extension: rename it to .txt, .md or .csv to say what it is."
        : `The file is text of a kind that is not known here (.${extension}): rename it to .txt, .md or .csv to take it as that.`,
  };
}

/** Comments, declarations and blanks before the first tag say nothing of the kind. */
const BEFORE_FIRST_TAG = /^(?:\uFEFF|\s|<\?xml[^>]*>|<!--[\s\S]{0,3000}?-->)*/;

/**
 * A page begins with its doctype or one of its outermost tags. Fragments begin with any tag: that is enough where the
 * name does not say Markdown or text, which may hold HTML themselves.
 */
function isHtml(start: string, format: Format | undefined): boolean {
  const first = start.replace(BEFORE_FIRST_TAG, "");
  if (/^<(?:!doctype\s+html|html|head|body)\b/i.test(first)) return true;
  if (format !== undefined && format !== "html") return false;
  return /^<(?:title|meta|table|div|p|h[1-6]|style|script|center|font|base|link|article|section|ul|ol)[\s>]/i.test(
    first,
  );
}

/** XML documents by their outermost element, with a sign among its attributes where the element alone is not enough. */
const XML_KINDS: readonly (readonly [RegExp, string, string])[] = [
  [/^w:wordDocument$/, "", "a Word 2003 XML document: open it in Word or LibreOffice and save it as .docx"],
  [/^pkg:package$/, "", "a flat Office document (XML): open it in Word and save it as .docx"],
  [/^Workbook$/, "office:spreadsheet", "an Excel 2003 XML sheet: open it in Excel or LibreOffice and save it as .xlsx"],
  [/^(?:svg:)?svg$/, "", "an SVG picture: put it into a PDF"],
  [/^FictionBook$/, "", "a FictionBook: convert it to EPUB"],
  [/^(?:rss|feed|(?:rdf:)?RDF)$/, "", "a news feed: save its articles as HTML"],
];

/** XML that is no page, named by its outermost element. */
function xmlKind(start: string): Detected | undefined {
  const first = start.replace(BEFORE_FIRST_TAG, "").replace(/^<!DOCTYPE[^>[]*(?:\[[^\]]*\])?[^>]*>\s*/i, "");
  const root = /^<((?:[\w.-]+:)?([\w.-]+))([^>]*)/.exec(first);
  if (root === null) return undefined;
  const [, qualified = "", name = "", attributes = ""] = root;
  if (/^html$/i.test(name)) return { format: "html" };
  if (qualified === "office:document") return flatOdf(attributes);
  const known = XML_KINDS.find(([element, sign]) => element.test(qualified) && attributes.includes(sign));
  if (known !== undefined) return { refused: `The file is ${known[2]}.` };
  if (!/^(?:\xef\xbb\xbf|\uFEFF)?\s*<\?xml/.test(start)) return undefined;
  return {
    refused: `The file is XML of a kind that is not known here (its outermost element is ${qualified.slice(0, 40)}): save it as HTML or PDF.`,
  };
}

function flatOdf(attributes: string): Detected {
  const type = /office:mimetype\s*=\s*["']application\/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation)/.exec(
    attributes,
  )?.[1];
  if (type === "text") return { format: "odt" };
  if (type === "spreadsheet") return { format: "ods" };
  if (type === "presentation") return { format: "odp" };
  return { refused: "The file is a flat OpenDocument file of an unknown kind: save it as .odt, .ods or .odp." };
}

/** Two headers of a message in its first lines, one of them one that only messages have. */
function isMail(start: string): boolean {
  const lines = start.replace(/^(?:\s*\n)*(?:From \S[^\n]*\n)?/, "").split(/\r?\n/, 60);
  const headers = new Set<string>();
  for (const line of lines) {
    if (/^[ \t]/.test(line)) continue;
    const header = /^([!-9;-~]{1,70}):/.exec(line)?.[1];
    if (header === undefined) break;
    headers.add(header.toLowerCase());
  }
  const own = ["from", "received", "return-path", "message-id", "mime-version", "delivered-to", "subject", "to"];
  return own.some((name) => headers.has(name)) && headers.size >= 2;
}
