import { symbolOf } from "./symbols.js";

/** A field whose beginning was seen. Text before its result is an instruction, if the field is ever closed. */
export interface RawField {
  instruction: string;
  inResult: boolean;
  closed: boolean;
  target: string;
}

/** A piece of text; `of` is the field whose instruction it belongs to. */
export interface Piece {
  readonly text: string;
  readonly of?: RawField | undefined;
}

/** The text of pieces. A field without an end was none: what looked like its instruction is text. */
export function piecesToText(pieces: readonly Piece[]): string {
  let text = "";
  for (const piece of pieces) if (piece.of?.closed !== true) text += piece.text;
  return text;
}

/** Appends pieces one by one: spreading a list of a fuzzed length would overflow the stack. */
export function append(to: Piece[], pieces: readonly Piece[]): void {
  for (const piece of pieces) to.push(piece);
}

/** The fields that are open at a place of the text. */
export class RawFields {
  readonly #open: RawField[] = [];

  /** The field in whose instruction the text stands. */
  get instructed(): RawField | undefined {
    return this.#open.findLast(({ inResult }) => !inResult);
  }

  /** Where the text leads by the nearest field that leads anywhere. */
  get target(): string {
    return this.#open.findLast(({ target }) => target !== "")?.target ?? "";
  }

  openSimple(instruction: string): void {
    this.#open.push({ instruction, inResult: true, closed: true, target: hyperlinkOf(instruction) });
  }

  closeSimple(): void {
    this.#open.pop();
  }

  /** @returns words that only the instruction holds, because the field is drawn and has no result */
  mark(type: string | undefined): string {
    if (type === "begin") this.#open.push({ instruction: "", inResult: false, closed: false, target: "" });
    const field = this.#open.at(-1);
    if (field === undefined) return "";
    if (type === "separate" && !field.inResult) {
      field.inResult = true;
      field.target = hyperlinkOf(field.instruction);
    } else if (type === "end") {
      field.closed = true;
      this.#open.pop();
      if (!field.inResult && /^\s*EQ\s/i.test(field.instruction))
        return field.instruction
          .replace(/^\s*EQ\s|\\\*\s*(?:"[^"]*"|\S+)/gi, " ")
          .replace(/\\[a-z]+ *\d*/gi, " ")
          .replace(/[(),;]+/g, " ");
      const sign = field.inResult ? null : /^\s*SYMBOL\s+(\d+)[^\\]*\\f\s+"?([^"\\]+)/i.exec(field.instruction);
      if (sign !== null) return symbolOf(sign[2]!, Number(sign[1])) ?? "";
    }
    return "";
  }
}

/** The address in `HYPERLINK "address" \l "place"`. */
function hyperlinkOf(instruction: string): string {
  const found = /^\s*HYPERLINK\s+(?!\\)(?:"((?:[^"\\]|\\.)*)"|“([^”]*)”|(\S+))(?:[\s\S]*?\\l\s+"([^"]*)")?/i.exec(
    instruction,
  );
  if (found === null) return "";
  const address = (found[1] ?? found[2] ?? found[3]!).replace(/\\(["\\])/g, "$1");
  return found[4] === undefined ? address : `${address}#${found[4]}`;
}
