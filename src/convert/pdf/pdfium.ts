/**
 * PDFium, compiled to WebAssembly: one library a process, opened documents and pages with what they hold freed again.
 *
 * The package's typed wrapper renders but neither extracts text nor frees a page whose text was taken, so the library's own
 * functions are called. Its module runs in memory that grows and never shrinks: a library that a large document blew up,
 * or that a broken one brought down, is dropped, and the next document gets a new one.
 */
import { optional } from "../../node/optional-package.js";
import { refuse } from "../refusal.js";
import type { Original } from "../engine.js";
import type { Pdfium } from "./pdfium-module.js";

/** Version of the package, for certificates. */
export const PDFIUM = "PDFium (@hyzyla/pdfium 2.1.2)";

/** Memory, in bytes, above which a library is not used for another document. */
const LARGEST_KEPT = 192 * 1024 * 1024;
/** More pages than any document has: a greater number is a lie, or a document that nobody can convert in one piece. */
const MOST_PAGES = 200_000;
/** A page object may state more characters than memory holds. */
const MOST_CHARACTERS = 4_000_000;
const MOST_ANNOTATIONS = 20_000;
/** Longest value of a field, comment or target in bytes of UTF-16. */
const LONGEST_VALUE = 1 << 20;

/** PDFium's numbers for what is asked of it here. */
const ERROR_PASSWORD = 4;
const ERROR_SECURITY = 5;
const SUBTYPE = { text: 1, link: 2, freeText: 3, popup: 16, widget: 20 } as const;
const FLAG_HIDDEN = 0b10;
const FLAG_NO_VIEW = 0b10_0000;
const ACTION_URI = 3;
const FIELD = { comboBox: 4, listBox: 5, text: 6 } as const;
const FIELD_PASSWORD = 1 << 13;
const BITMAP_GREY = 1;
const RENDER_ANNOTATIONS = 0x01;

/** Letters that one glyph stands for; the longest are phrases of Arabic with eighteen. */
const LONGEST_LIGATURE = 18;
/** A letter, and no mark on one. */
const RIGHT_TO_LEFT = /(?=\p{L})[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;

let library: Promise<Pdfium> | undefined;

async function load(): Promise<Pdfium> {
  const { PDFiumLibrary } = await optional("checking a PDF", async () => await import("@hyzyla/pdfium"));
  // The module is private in the wrapper's types, which give no text.
  return ((await PDFiumLibrary.init()) as unknown as { module: Pdfium }).module;
}

/** What a page says besides its text. */
export interface PageNotes {
  /** Values of form fields and texts of text boxes, as the page shows them. */
  readonly shown: readonly string[];
  /** Contents of notes and of marked passages, which a viewer opens. */
  readonly comments: readonly string[];
  /** Targets of links out of the document. */
  readonly links: readonly string[];
}

/** Quarters of a turn, clockwise, in degrees. */
export type Turn = 0 | 90 | 180 | 270;

/** A page as an 8-bit grey picture, rows from the top. */
export interface GreyPicture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  /** Dots per inch that it was drawn at. */
  readonly resolution: number;
}

/** A PDF opened by PDFium. `close` it in a `finally`. */
export class PdfiumDocument {
  readonly pageCount: number;
  readonly #pdfium: Pdfium;
  readonly #bytes: number;
  readonly #handle: number;
  #form = 0;
  #formInfo = 0;

  private constructor(pdfium: Pdfium, bytes: number, handle: number) {
    this.#pdfium = pdfium;
    this.#bytes = bytes;
    this.#handle = handle;
    this.pageCount = Math.min(MOST_PAGES, Math.max(0, pdfium._FPDF_GetPageCount(handle)));
    if (pdfium._FPDF_GetFormType(handle) !== 0) {
      // FPDF_FORMFILLINFO: a version and callbacks, none of which is wanted; 512 bytes hold it with all its pointers.
      this.#formInfo = pdfium.wasmExports.malloc(512);
      pdfium.HEAPU8.fill(0, this.#formInfo, this.#formInfo + 512);
      pdfium.HEAPU8[this.#formInfo] = 2;
      this.#form = pdfium._FPDFDOC_InitFormFillEnvironment(handle, this.#formInfo);
    }
  }

  /** Opens a document, or refuses it in a sentence: protected, or damaged beyond what PDFium repairs. */
  static async open(original: Original): Promise<PdfiumDocument> {
    library ??= load();
    const pdfium = await library.catch((error: unknown) => {
      library = undefined;
      throw error;
    });
    return guarded(original.path, () => {
      const bytes = pdfium.wasmExports.malloc(original.bytes.length);
      if (bytes === 0) refuse(`${original.path} is too large to be read.`);
      pdfium.HEAPU8.set(original.bytes, bytes);
      const password = original.password === undefined ? 0 : cString(pdfium, original.password);
      const handle = pdfium._FPDF_LoadMemDocument(bytes, original.bytes.length, password);
      if (password !== 0) pdfium.wasmExports.free(password);
      if (handle !== 0) return new PdfiumDocument(pdfium, bytes, handle);
      const error = pdfium._FPDF_GetLastError();
      pdfium.wasmExports.free(bytes);
      if (error === ERROR_PASSWORD) {
        refuse(
          original.password === undefined
            ? `${original.path} is protected by a password: give it with --passwords.`
            : `The password given does not open ${original.path}.`,
        );
      }
      if (error === ERROR_SECURITY) {
        refuse(`${original.path} is protected in a way that is not known here: save it without protection.`);
      }
      refuse(`${original.path} is damaged: no page of it can be read.`);
    });
  }

  /** Runs `work` with the text of a page (from 1) and what stands beside it; undefined where there is no such page. */
  read(number: number): (PageNotes & { readonly text: string }) | undefined {
    return this.#withPage(number, (page) => ({ text: this.#text(page), ...this.#notes(page) }));
  }

  /**
   * Draws a page (from 1) as it is shown, turned clockwise by `turn` more degrees, at `resolution` dots per inch or less
   * where it would have more than `mostPixels`.
   */
  render(number: number, resolution: number, mostPixels: number, turn: Turn = 0): GreyPicture | undefined {
    return this.#withPage(number, (page) => {
      const pdfium = this.#pdfium;
      const sides = [pdfium._FPDF_GetPageWidthF(page) / 72, pdfium._FPDF_GetPageHeightF(page) / 72];
      const [across, down] = (turn % 180 === 0 ? sides : sides.reverse()) as [number, number];
      const area = across * down;
      if (!(area > 0)) return undefined;
      const dots = Math.min(resolution, Math.sqrt(mostPixels / area));
      const width = Math.min(mostPixels, Math.max(1, Math.round(across * dots)));
      const height = Math.max(1, Math.min(Math.round(down * dots), Math.floor(mostPixels / width)));
      const buffer = pdfium.wasmExports.malloc(width * height);
      if (buffer === 0) return undefined;
      try {
        const bitmap = pdfium._FPDFBitmap_CreateEx(width, height, BITMAP_GREY, buffer, width);
        if (bitmap === 0) return undefined;
        pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff);
        pdfium._FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, turn / 90, RENDER_ANNOTATIONS);
        pdfium._FPDFBitmap_Destroy(bitmap);
        return { width, height, resolution: dots, pixels: pdfium.HEAPU8.slice(buffer, buffer + width * height) };
      } finally {
        pdfium.wasmExports.free(buffer);
      }
    });
  }

  close(): void {
    const pdfium = this.#pdfium;
    try {
      if (this.#form !== 0) pdfium._FPDFDOC_ExitFormFillEnvironment(this.#form);
      if (this.#formInfo !== 0) pdfium.wasmExports.free(this.#formInfo);
      pdfium._FPDF_CloseDocument(this.#handle);
      pdfium.wasmExports.free(this.#bytes);
      if (pdfium.HEAPU8.length > LARGEST_KEPT) library = undefined;
    } catch {
      // A library that was brought down by this document is not used again, so nothing is left to free.
      library = undefined;
    }
  }

  #withPage<T>(number: number, work: (page: number) => T | undefined): T | undefined {
    return guarded("the document", () => {
      const page = this.#pdfium._FPDF_LoadPage(this.#handle, number - 1);
      if (page === 0) return undefined;
      const result = work(page);
      this.#pdfium._FPDF_ClosePage(page);
      return result;
    });
  }

  #text(page: number): string {
    const pdfium = this.#pdfium;
    const text = pdfium._FPDFText_LoadPage(page);
    if (text === 0) return "";
    const count = Math.min(MOST_CHARACTERS, pdfium._FPDFText_CountChars(text));
    const place = pdfium.wasmExports.malloc(16);
    const parts: string[] = [];
    let codes: number[] = [];
    /** Where the last letter of a right-to-left script stands, and how many letters stand there. */
    let last = { x: NaN, y: NaN, letters: 0 };
    for (let index = 0; index < count; index += 1) {
      const code = pdfium._FPDFText_GetUnicode(text, index);
      // U+0002 stands where PDFium takes a hyphen at the end of a line for the break of a word.
      if (code === 2 && pdfium._FPDFText_IsHyphen(text, index) === 1) continue;
      if (code === 0 || code === 0xfffe || code === 0xffff || code > 0x10ffff || code === 13) continue;
      let letters = 0;
      if (code >= 0x590 && RIGHT_TO_LEFT.test(String.fromCodePoint(code))) {
        pdfium._FPDFText_GetCharOrigin(text, index, place, place + 8);
        const [x, y] = [pdfium.HEAPF64[place >> 3]!, pdfium.HEAPF64[(place >> 3) + 1]!];
        letters = x === last.x && y === last.y && last.letters < LONGEST_LIGATURE ? last.letters + 1 : 1;
        last = { x, y, letters };
      } else last = { x: NaN, y: NaN, letters };
      if (codes.length >= 8_192 && letters <= 1) {
        parts.push(String.fromCodePoint(...codes));
        codes = [];
      }
      // The letters of a ligature stand in one place; PDFium turns their order with that of the line.
      if (letters > 1) codes.splice(1 - letters, 0, code);
      else codes.push(code);
    }
    parts.push(String.fromCodePoint(...codes));
    pdfium.wasmExports.free(place);
    pdfium._FPDFText_ClosePage(text);
    return parts.join("");
  }

  #notes(page: number): PageNotes {
    const pdfium = this.#pdfium;
    const shown: string[] = [];
    const comments: string[] = [];
    const links: string[] = [];
    let lastLink: Area | undefined;
    const count = Math.min(MOST_ANNOTATIONS, pdfium._FPDFPage_GetAnnotCount(page));
    for (let index = 0; index < count; index += 1) {
      const annotation = pdfium._FPDFPage_GetAnnot(page, index);
      if (annotation === 0) continue;
      const subtype = pdfium._FPDFAnnot_GetSubtype(annotation);
      const hidden = (pdfium._FPDFAnnot_GetFlags(annotation) & (FLAG_HIDDEN | FLAG_NO_VIEW)) !== 0;
      if (subtype === SUBTYPE.link) {
        const target = this.#target(annotation);
        const area = this.#area(annotation);
        if (target !== undefined && !(links.at(-1) === target && lastLink !== undefined && goesOn(lastLink, area)))
          links.push(target);
        lastLink = target === undefined ? undefined : area;
      } else if (subtype === SUBTYPE.widget) {
        const value = hidden ? "" : this.#fieldValue(annotation);
        if (value !== "") shown.push(value);
      } else if (!hidden && subtype !== SUBTYPE.popup) {
        const contents = this.#contents(annotation);
        if (contents !== "") (subtype === SUBTYPE.freeText ? shown : comments).push(contents);
      }
      pdfium._FPDFPage_CloseAnnot(annotation);
    }
    return { shown, comments, links };
  }

  #area(annotation: number): Area {
    const pdfium = this.#pdfium;
    const rectangle = pdfium.wasmExports.malloc(16);
    pdfium._FPDFAnnot_GetRect(annotation, rectangle);
    const [left, top, right, bottom] = pdfium.HEAPF32.slice(rectangle >> 2, (rectangle >> 2) + 4);
    pdfium.wasmExports.free(rectangle);
    return { left: left!, top: top!, right: right!, bottom: bottom! };
  }

  #contents(annotation: number): string {
    const key = cString(this.#pdfium, "Contents");
    try {
      return this.#string("utf-16le", (buffer, length) =>
        this.#pdfium._FPDFAnnot_GetStringValue(annotation, key, buffer, length),
      );
    } finally {
      this.#pdfium.wasmExports.free(key);
    }
  }

  #fieldValue(annotation: number): string {
    const pdfium = this.#pdfium;
    if (this.#form === 0) return "";
    const type = pdfium._FPDFAnnot_GetFormFieldType(this.#form, annotation);
    if (type !== FIELD.text && type !== FIELD.comboBox && type !== FIELD.listBox) return "";
    const flags = pdfium._FPDFAnnot_GetFormFieldFlags(this.#form, annotation);
    if (type === FIELD.text && (flags & FIELD_PASSWORD) !== 0) return "";
    return this.#string("utf-16le", (buffer, length) =>
      pdfium._FPDFAnnot_GetFormFieldValue(this.#form, annotation, buffer, length),
    );
  }

  #target(annotation: number): string | undefined {
    const pdfium = this.#pdfium;
    const link = pdfium._FPDFAnnot_GetLink(annotation);
    const action = link === 0 ? 0 : pdfium._FPDFLink_GetAction(link);
    if (action === 0 || pdfium._FPDFAction_GetType(action) !== ACTION_URI) return undefined;
    const target = this.#string("utf-8", (buffer, length) =>
      pdfium._FPDFAction_GetURIPath(this.#handle, action, buffer, length),
    );
    return /^(?:https?|mailto):/i.test(target) ? target : undefined;
  }

  /** A string that PDFium hands over in two calls: its length in bytes with the closing zero, then its bytes. */
  #string(encoding: "utf-16le" | "utf-8", call: (buffer: number, length: number) => number): string {
    const length = call(0, 0);
    if (length <= 1 || length > LONGEST_VALUE) return "";
    const buffer = this.#pdfium.wasmExports.malloc(length);
    if (buffer === 0) return "";
    try {
      call(buffer, length);
      const bytes = this.#pdfium.HEAPU8.slice(buffer, buffer + length);
      return new TextDecoder(encoding).decode(bytes).replace(/\0+$/, "").replace(/\r\n?/g, "\n").trim();
    } finally {
      this.#pdfium.wasmExports.free(buffer);
    }
  }
}

/** A rectangle on the page; heights grow upwards. */
interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Whether two areas of the same target are one link: side by side, or broken at the end of a line. */
function goesOn(before: Area, next: Area): boolean {
  const height = before.top - before.bottom;
  if (Math.abs(next.bottom - before.bottom) < 0.5 * height) return Math.abs(next.left - before.right) < height;
  return next.left < before.left && Math.abs(before.bottom - next.top) < height;
}

/** A library in which something failed may hold anything: it is dropped, and the failure is told in a sentence. */
function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    // WebAssembly traps, what Emscripten aborts with, and a stack that is full.
    if (!(cause instanceof Error && (cause.name === "RuntimeError" || cause instanceof RangeError))) throw cause;
    library = undefined;
    return refuse(`${path} is damaged in a way that ends PDFium.`, { cause });
  }
}

function cString(pdfium: Pdfium, text: string): number {
  const bytes = new TextEncoder().encode(text);
  const pointer = pdfium.wasmExports.malloc(bytes.length + 1);
  pdfium.HEAPU8.set(bytes, pointer);
  pdfium.HEAPU8[pointer + bytes.length] = 0;
  return pointer;
}
