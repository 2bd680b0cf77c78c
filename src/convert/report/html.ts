/** HTML that cannot be broken by what stands in it: everything but `Html` itself is escaped. */

/** A piece of HTML that was written here. */
export class Html {
  constructor(readonly text: string) {}
}

type Value = string | number | Html | readonly Html[] | undefined;

/** A template whose values are escaped; an undefined one is nothing. */
export function markup(pieces: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(pieces.map((piece, i) => piece + written(values[i])).join(""));
}

function written(value: Value): string {
  if (value === undefined) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "string") return escaped(value);
  if (typeof value === "number") return value.toLocaleString("en");
  return value.map(({ text }) => text).join("");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text in HTML and in quoted attributes; characters that would hide or reorder text are shown by their numbers. */
export function escaped(text: string): string {
  return text
    .replace(
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
      (sign) => `\\u{${sign.codePointAt(0)!.toString(16)}}`,
    )
    .replace(/[&<>"']/g, (sign) => ENTITIES[sign]!);
}
