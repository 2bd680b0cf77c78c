import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";
import { styled } from "./print.js";

/** Columns to write in: those of the terminal, between 40 and 100; 80 where there is none. */
export function columns(): number {
  return Math.min(100, Math.max(40, process.stdout.columns || 80));
}

/** Text wrapped at words to the width, every line behind `indent`. Line ends of the text are kept. */
export function wrapped(text: string, indent: string): string {
  const width = columns() - stringWidth(indent);
  return wrapAnsi(text, width, { hard: true, trim: false })
    .split("\n")
    .map((line) => (indent + line.replace(/^ (?=\S)/, "")).trimEnd())
    .join("\n");
}

/** Rows of a label: names in one column, values wrapped in the next. Rows without a value are left out. */
export function label(rows: readonly (readonly [name: string, value: string | undefined])[]): string {
  const shown = rows.filter((row): row is readonly [string, string] => row[1] !== undefined && row[1] !== "");
  const width = Math.max(...shown.map(([name]) => stringWidth(name))) + 2;
  return shown
    .map(([name, value]) => {
      const lines = wrapped(value, " ".repeat(width + 2)).split("\n");
      const head = "  " + styled("dim", name) + " ".repeat(width - stringWidth(name));
      return [head + lines[0]!.trimStart(), ...lines.slice(1)].join("\n");
    })
    .join("\n");
}
