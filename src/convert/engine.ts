/**
 * What an engine and an independent reader give of an original. An engine writes Markdown; a reader, which shares no code
 * with it, says what the original holds; the certificate (certificate.ts) is the difference (spec/convert.md).
 */

/** Formats that are converted, told apart by their first bytes (detect.ts). */
export type Format =
  | "pdf"
  | "docx"
  | "xlsx"
  | "pptx"
  | "epub"
  | "html"
  | "markdown"
  | "csv"
  | "text"
  | "odt"
  | "ods"
  | "odp"
  | "rtf"
  | "eml"
  | "msg"
  | "doc"
  | "xls"
  | "ppt";

/** A document as somebody wrote it. */
export interface Original {
  /** Its path inside the input, for messages and as its `source`: `contracts/lease.pdf`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** What opens it where it is protected. */
  readonly password?: string;
}

/** Pages by number, from 1, both ends included. */
export interface PageRange {
  readonly from: number;
  readonly to: number;
}

/** How an engine is to work. */
export interface EngineOptions {
  /** Recognise the text of pages that are only pictures: in these languages (`eng`, `deu`, …: Tesseract's names), or not at all. */
  readonly ocr: readonly string[] | "off";
  /** Only these pages (PDF): a part of a long document. Everything else is as in the whole, heading levels included. */
  readonly pages?: PageRange;
  /** Only this many pages, slides, sheets or chapters, spread over the document. */
  readonly sample?: number;
}

/** Text that an engine keeps out of the Markdown on purpose. It is no loss, and it is counted. */
export interface Withheld {
  readonly kind: "running-head" | "page-number" | "hidden" | "navigation";
  readonly text: string;
}

/** Something that a person should know of a conversion, in one sentence. `warn` where it may matter to what the text says. */
export interface Finding {
  readonly severity: "note" | "warn";
  /** In a few words, the same for every document: `hidden sheet`, `tracked changes`, `wrong checksum`. */
  readonly kind: string;
  readonly text: string;
}

/** What an engine made of an original. */
export interface Conversion {
  /** With its version: `pdfjs-dist 5.6.205`. */
  readonly engine: string;
  /** The body: no front matter. Its markers (`<!-- mdcx:page 12 -->`) are lines of their own. */
  readonly markdown: string;
  readonly title?: string;
  /** BCP 47, as the original states it. */
  readonly language?: string;
  /** ISO 8601, as the publisher or author states it inside the document; never the time of the file. */
  readonly date?: string;
  /** Pages, slides, sheets or chapters of the whole original. */
  readonly pagesTotal?: number;
  readonly withheld: readonly Withheld[];
  /** Words that the engine wrote and the original does not hold, each as it stands in the Markdown: `Comments`, `Hidden sheet`. */
  readonly labels: readonly string[];
  readonly findings: readonly Finding[];
}

/** A part of the original in reading order, as the independent reader sees it. */
export interface ReferenceUnit {
  /** `page 12`, `slide 3`, `chapter 2`; absent where the format has none. */
  readonly place?: string;
  /** Visible text, comments, notes, deleted revisions and hidden sheets included; formulas and alternative texts of images not. */
  readonly text: string;
}

/**
 * What the original holds, by a reader that shares no code with the engine. A list that is absent was not looked for, and
 * is then not judged; an empty one says that there are none.
 */
export interface Reference {
  /** With its version: `PDFium (@hyzyla/pdfium 2.1.2)`, `raw XML`. */
  readonly reader: string;
  readonly units: readonly ReferenceUnit[];
  /** Every table as rows of the texts of its cells; a merged cell stands once, where it begins. */
  readonly tables?: readonly (readonly (readonly string[])[])[];
  /** Targets of links that lead out of the document. */
  readonly links?: readonly string[];
  readonly footnotes?: readonly string[];
  readonly comments?: readonly string[];
  /** The letters and digits of each formula. */
  readonly formulas?: readonly string[];
  /** Alternative text of each image, empty where it has none. */
  readonly images?: readonly string[];
}

/** One format: `Engine` in `FORMAT/engine.ts`, `Reader` in `FORMAT/reader.ts`. Both refuse by `refuse()` (refusal.ts). */
export type Engine = (original: Original, options: EngineOptions) => Promise<Conversion>;
export type Reader = (original: Original, options: EngineOptions) => Promise<Reference>;
