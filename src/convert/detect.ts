/**
 * Which format a document is, by its first bytes and by what an archive or a compound file holds; the name is asked only
 * where text has no signature. What matches nothing is refused by name, never guessed.
 */
import { MdcxError } from "../errors.js";
import { Archive } from "./archive.js";
import type { Format } from "./engine.js";
import { isCompoundFile, topLevelNames } from "./legacy/compound-file.js";
import { foreignBySignature, latin1, startsWith } from "./signatures.js";
import { detectText } from "./text/kinds.js";

/** A format, an Office document encrypted as a whole (encrypted-office/), or the sentence that says why it is neither. */
export type Detected = { readonly format: Format } | { readonly protected: "office" } | { readonly refused: string };

/** Tells what a file is. `name` is its path: its extension decides between kinds of plain text. */
export function detect(bytes: Uint8Array, name: string): Detected {
  if (bytes.length === 0) return refused("The file is empty: it holds nothing to convert.");
  const extension = extensionOf(name);
  if (startsWith(bytes, "PK\x03\x04") || startsWith(bytes, "PK\x05\x06") || startsWith(bytes, "PK00PK\x03\x04"))
    return detectArchive(bytes, extension);
  if (isCompoundFile(bytes)) return detectCompound(bytes);
  if (isPdf(bytes, extension)) return { format: "pdf" };
  if (/^(?:\xef\xbb\xbf)?\s*\{\\rtf/.test(latin1(bytes, 0, 64))) return { format: "rtf" };
  const foreign = foreignBySignature(bytes);
  if (foreign !== undefined) return isA(foreign.is, foreign.wayOut ?? "it is not converted");
  return detectText(bytes, extension);
}

/** The extension in lower case, without the dot; empty where there is none. */
function extensionOf(name: string): string {
  return /[^/\\]\.([^./\\]{1,16})$/.exec(name)?.[1]?.toLowerCase() ?? "";
}

function refused(sentence: string): Detected {
  return { refused: sentence };
}

function isA(what: string, wayOut: string): Detected {
  return refused(`The file is ${what}: ${wayOut}.`);
}

/**
 * The header may stand behind up to a kilobyte of something else (ISO 32000-1, implementation note 13), and readers open
 * files without any. Text that speaks of `%PDF-` has no objects behind it.
 */
function isPdf(bytes: Uint8Array, extension: string): boolean {
  const start = latin1(bytes, 0, 4_096);
  const header = start.slice(0, 1_024).search(/%PDF-|%!PS-Adobe-\d\.\d PDF-/);
  if (header === 0) return true;
  if (header > 0 && (extension === "pdf" || /\d\s+\d+\s+obj\b/.test(start))) return true;
  if (extension !== "pdf") return false;
  const ends = start + latin1(bytes, Math.max(0, bytes.length - 4_096), bytes.length);
  return /\bobj\b|startxref|\btrailer\b|%PDF/.test(ends);
}

const ODF: readonly (readonly [RegExp, Format])[] = [
  [/^application\/vnd\.oasis\.opendocument\.text/, "odt"],
  [/^application\/vnd\.oasis\.opendocument\.spreadsheet/, "ods"],
  [/^application\/vnd\.oasis\.opendocument\.presentation/, "odp"],
];

/** The main part of an Office document, by its content type: ordinary, template, with macros, slide show. */
const OFFICE: readonly (readonly [RegExp, Format])[] = [
  [
    /wordprocessingml\.(?:document|template)\.main\+xml|ms-word\.(?:document|template)\.macroEnabled[\w.]*main\+xml/i,
    "docx",
  ],
  [/spreadsheetml\.(?:sheet|template)\.main\+xml|ms-excel\.(?:sheet|template|addin)\.macroEnabled\.main\+xml/i, "xlsx"],
  [
    /presentationml\.(?:presentation|slideshow|template)\.main\+xml|ms-powerpoint\.(?:presentation|slideshow|template|addin)\.macroEnabled\.main\+xml/i,
    "pptx",
  ],
];

const OFFICE_PARTS: readonly (readonly [string, Format])[] = [
  ["word/document.xml", "docx"],
  ["xl/workbook.xml", "xlsx"],
  ["ppt/presentation.xml", "pptx"],
];

const IWORK: Readonly<Record<string, string>> = {
  pages: "an Apple Pages document: open it in Pages and export it as Word or PDF.",
  numbers: "an Apple Numbers document: open it in Numbers and export it as Excel.",
  key: "an Apple Keynote document: open it in Keynote and export it as PowerPoint or PDF.",
};

function detectArchive(bytes: Uint8Array, extension: string): Detected {
  let archive: Archive;
  let mimetype: string;
  let types: string;
  try {
    archive = Archive.open(bytes);
    mimetype = partText(archive, "mimetype", 200).trim();
    types = partText(archive, "[Content_Types].xml", 1_000_000);
  } catch (error) {
    if (error instanceof MdcxError && error.code === "refused") return refused(error.message);
    throw error;
  }
  const container = archive.find("META-INF/container.xml");
  if (mimetype === "application/epub+zip" || (container !== undefined && !mimetype.includes("opendocument")))
    return { format: "epub" };
  for (const [type, format] of ODF) if (type.test(mimetype)) return { format };
  if (/^application\/vnd\.(?:oasis\.opendocument|sun\.xml|stardivision)/.test(mimetype))
    return isA(
      `an OpenDocument or StarOffice file of the kind ${mimetype.slice(16)}`,
      "open it in LibreOffice and save it as .odt, .ods, .odp or PDF",
    );
  if (/ms-excel\.sheet\.binary|xl\/workbook\.bin/i.test(types) || archive.find("xl/workbook.bin") !== undefined)
    return isA("a binary Excel workbook (.xlsb)", "open it in Excel or LibreOffice and save it as .xlsx");
  if (/ms-visio/i.test(types)) return isA("a Visio drawing", "open it in Visio and save it as PDF");
  if (/fixeddocument|fixedrepresentation|xps/i.test(types)) return isA("an XPS document", "print it into a PDF");
  for (const [type, format] of OFFICE) if (type.test(types)) return { format };
  for (const [part, format] of OFFICE_PARTS) if (archive.find(part) !== undefined) return { format };
  return detectOtherArchive(archive, extension);
}

function detectOtherArchive(archive: Archive, extension: string): Detected {
  const { names } = archive;
  if (names.length === 0) return isA("an empty ZIP archive", "it holds nothing to convert");
  if (names.some((name) => /^Index\/|^Index\.zip$|^index\.apxl|^index\.xml\.gz$/.test(name))) {
    const what = IWORK[extension];
    return what === undefined
      ? isA("an Apple iWork document", "open it there and export it as PDF or an Office format")
      : refused(`The file is ${what}`);
  }
  if (archive.has("content.xml") && archive.has("META-INF/manifest.xml")) {
    const format = (["odt", "ods", "odp"] as const).find((each) => each === extension);
    return format === undefined
      ? isA("an OpenDocument file of an unknown kind", "save it as .odt, .ods or .odp")
      : { format };
  }
  if (archive.has("theme/theme/themeManager.xml")) return isA("an Office theme", "it holds no text");
  if (archive.has("AndroidManifest.xml")) return isA("an Android program", "it is not converted");
  if (archive.has("META-INF/MANIFEST.MF")) return isA("a Java archive", "it is not converted");
  return isA("a ZIP archive, not a document", "unpack it and convert what is inside");
}

/** A small part as text, empty where it is not there. */
function partText(archive: Archive, name: string, most: number): string {
  const found = archive.find(name);
  return found === undefined ? "" : Buffer.from(archive.read(found).subarray(0, most)).toString("utf8");
}

function detectCompound(bytes: Uint8Array): Detected {
  const names = topLevelNames(bytes);
  if (names === undefined)
    return isA("an old Office document or message whose directory is damaged", "get it again from where it came");
  const has = (name: string): boolean => names.includes(name);
  if (has("EncryptedPackage")) return { protected: "office" };
  if (names.some((name) => name.startsWith("__properties_version1.0"))) return { format: "msg" };
  if (has("WordDocument")) return { format: "doc" };
  if (has("PowerPoint Document")) return { format: "ppt" };
  if (has("Workbook") || has("Book")) return { format: "xls" };
  if (has("VisioDocument")) return isA("a Visio drawing (.vsd)", "open it in Visio and save it as PDF");
  if (has("Quill")) return isA("a Publisher document (.pub)", "open it in Publisher and save it as PDF");
  if (has("\x05HwpSummaryInformation"))
    return isA("a Hangul document (.hwp)", "open it in Hangul and save it as .docx or PDF");
  if (has("MatOST")) return isA("a Microsoft Works document", "open it in LibreOffice and save it as .docx");
  if (has("PP40")) return isA("a PowerPoint 4 presentation", "open it in LibreOffice and save it as .pptx");
  if (has("Catalog")) return isA("a cache of thumbnails", "it is not converted");
  return isA("an OLE2 compound file of a kind that is not known here", "save it as .docx, .xlsx, .pptx or PDF");
}
