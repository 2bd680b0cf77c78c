import { child, type XmlElement } from "../xml.js";

/** `w:val` of the child of a name: `w:pStyle w:val="Title"` in `w:pPr`. */
export function valueOf(properties: XmlElement | undefined, name: string): string | undefined {
  return properties === undefined ? undefined : child(properties, name)?.attributes.val;
}

/** A whole number, or undefined where there is none: fuzzed files write anything. */
export function numberOf(value: string | undefined): number | undefined {
  if (value === undefined || !/^-?\d{1,9}$/.test(value.trim())) return undefined;
  return Number(value);
}

/** A property that is on by being there, unless its value says no; undefined where it is not there. */
export function switchOf(properties: XmlElement | undefined, name: string): boolean | undefined {
  const found = properties === undefined ? undefined : child(properties, name);
  if (found === undefined) return undefined;
  return !["0", "false", "off", "none"].includes(found.attributes.val ?? "true");
}

/** Which language of markup an element is in, told by its namespace in transitional and Strict files. */
export type Vocabulary = "word" | "math" | "compatibility" | "other";

export function vocabularyOf(element: XmlElement): Vocabulary {
  const { uri } = element;
  if (uri.includes("wordprocessingml")) return "word";
  if (uri.endsWith("/math")) return "math";
  if (uri.includes("markup-compatibility")) return "compatibility";
  return "other";
}
