import { streamXml, type Handlers } from "./stream.js";

/** Text of a string item (`si`, `is`): its runs joined, phonetic readings left out. */
export class StringItem {
  #text = "";
  #phonetic = 0;
  #inText = false;

  open(name: string): void {
    if (name === "rPh") this.#phonetic++;
    this.#inText = name === "t" && this.#phonetic === 0;
  }

  close(name: string): void {
    if (name === "rPh") this.#phonetic--;
    this.#inText = false;
  }

  add(text: string): void {
    if (this.#inText) this.#text += text;
  }

  /** The text, and an empty item for the next. */
  take(): string {
    const text = decodeEscapes(this.#text);
    this.#text = "";
    this.#inText = false;
    this.#phonetic = 0;
    return text;
  }
}

/** Excel writes characters that XML forbids as `_x000D_` (ISO 29500-1, §22.9.2.19). */
export function decodeEscapes(text: string): string {
  if (!text.includes("_x")) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_all, code: string) => String.fromCharCode(parseInt(code, 16)));
}

/** The table of shared strings. Its stated counts are not read: they are wrong in files of several programs. */
export function readSharedStrings(bytes: Uint8Array, part: string): { strings: string[]; fault: string | undefined } {
  const strings: string[] = [];
  const item = new StringItem();
  const handlers: Handlers = {
    open: (name) => {
      item.open(name);
    },
    close: (name) => {
      item.close(name);
      if (name === "si") strings.push(item.take());
    },
    text: (text) => {
      item.add(text);
    },
  };
  const fault = streamXml(bytes, part, handlers);
  return { strings, fault };
}
