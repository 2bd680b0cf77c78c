import type { EngineOptions, Original, Reader, Reference, ReferenceUnit } from "../engine.js";
import { PDFIUM, PdfiumDocument } from "./pdfium.js";
import { wantedPages } from "./sampling.js";

/** Pages that cannot be loaded, one after the other, after which the number of pages is taken for a lie. */
const MISSING_IN_A_ROW = 256;

/**
 * What a PDF holds, by PDFium: the text of each page in the order in which the page draws it, then the values of its form
 * fields and the notes on it. Words broken at a line's end are joined only where PDFium itself says so. Links are those
 * that the document declares; an address that is merely printed is text.
 */
export const reader: Reader = async (original: Original, options: EngineOptions): Promise<Reference> => {
  const document = await PdfiumDocument.open(original);
  try {
    const units: ReferenceUnit[] = [];
    const links: string[] = [];
    const comments: string[] = [];
    let missing = 0;
    for (const number of wantedPages(document.pageCount, options)) {
      const page = document.read(number);
      missing = page === undefined ? missing + 1 : 0;
      if (missing > MISSING_IN_A_ROW) break;
      if (page === undefined) continue;
      units.push({ place: `page ${number}`, text: [page.text, ...page.shown, ...page.comments].join("\n") });
      links.push(...page.links);
      comments.push(...page.comments);
    }
    return { reader: PDFIUM, units, links, comments };
  } finally {
    document.close();
  }
};
