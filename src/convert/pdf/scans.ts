/** Pages that are only pictures: their text is recognised, where it is wanted and the language data is there. */
import type { EngineOptions, Finding, Original } from "../engine.js";
import { MdcxError } from "../../errors.js";
import type { PdfiumDocument } from "./pdfium.js";

export interface Recognised {
  readonly text: string;
  readonly finding?: Finding;
}

/** Recognises pages one after the other; PDFium and Tesseract are loaded with the first. `close` it in a `finally`. */
export class OcrPages {
  #document: PdfiumDocument | undefined;
  #missing: string | undefined;

  constructor(
    private readonly original: Original,
    private readonly languages: EngineOptions["ocr"],
  ) {}

  async read(number: number): Promise<Recognised> {
    if (this.languages === "off") return { text: "" };
    if (this.#missing !== undefined) return { text: "" };
    try {
      const [{ PdfiumDocument }, { recognisePage }] = [await import("./pdfium.js"), await import("./ocr.js")];
      this.#document ??= await PdfiumDocument.open(this.original);
      const { text } = await recognisePage(this.#document, number, this.languages);
      return { text };
    } catch (cause) {
      if (!(cause instanceof MdcxError)) throw cause;
      // What is missing for one page is missing for all; other failures are of one page.
      if (cause.code === "missing-package") this.#missing = cause.message;
      const text =
        cause.code === "missing-package" ? cause.message : `Page ${number} could not be recognised: ${cause.message}`;
      return { text: "", finding: { severity: "warn", kind: "no text recognised", text } };
    }
  }

  async close(): Promise<void> {
    this.#document?.close();
    if (this.#document !== undefined) await import("./ocr.js").then(({ closeOcr }) => closeOcr());
  }
}
