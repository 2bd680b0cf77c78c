import { isUtf8 } from "node:buffer";

/** How the text of a file is to be read. */
export type TextFormat = "markdown" | "text";

const TEXT_FORMATS: Readonly<Record<string, TextFormat>> = { md: "markdown", markdown: "markdown", txt: "text" };

/** The text format that a file's name promises; undefined for every other name. */
export function textFormatNamed(path: string): TextFormat | undefined {
  return TEXT_FORMATS[/\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? ""];
}

/** Whether bytes are text as they stand, whatever their file is called. */
export function isText(bytes: Buffer): boolean {
  // UTF-16 of Latin text is valid UTF-8 with a NUL at every second place; a PDF or an RTF may be ASCII throughout.
  return isUtf8(bytes) && !bytes.includes(0) && !/^(?:%PDF-|\{\\rtf)/.test(bytes.toString("latin1", 0, 8));
}
