import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

const colourful = process.stdout.isTTY && process.env.NO_COLOR === undefined && process.env.TERM !== "dumb";

/** Text in a style on a terminal, and as it is elsewhere. */
export function styled(style: Style, text: string): string {
  return colourful ? styleText(style, text) : text;
}

// C0 and C1 controls, and the characters that reorder or hide text: a title or a document could otherwise drive the
// terminal of whoever reads it (spec/reading.md §5).
const UNSAFE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** What a file says, shown so that it cannot act on the terminal: control and bidi characters become `\u{…}`. */
export function printable(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(UNSAFE, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

/** The same on one line: for names, titles, labels. */
export function printableLine(text: string): string {
  return printable(text).replace(/[\n\t]/g, (character) => (character === "\n" ? "\\n" : "\\t"));
}

const UNITS = ["B", "KB", "MB", "GB", "TB"];

/** A number of bytes for people: `1.4 MB` (powers of 1,000). */
export function bytes(count: number): string {
  let unit = 0;
  let value = count;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 || value >= 99.5 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]!}`;
}

/** `1,234 documents`, `1 document`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** Prints a value as JSON for a program. What could act on a terminal is escaped, which changes no value. */
export function json(value: unknown): void {
  process.stdout.write(jsonText(value) + "\n");
}

/** JSON in which the characters that `printable` escapes are `\uXXXX`: they occur in strings only. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Prints lines for a person. */
export function say(text: string): void {
  process.stdout.write(text + "\n");
}

/** A remark beside the result: warnings, progress, what to do next. */
export function note(text: string): void {
  process.stderr.write(text + "\n");
}
