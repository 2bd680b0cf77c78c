import { child, children, type XmlElement } from "../xml.js";
import { numberOf, switchOf, valueOf, vocabularyOf } from "./properties.js";
import { symbolOf } from "./symbols.js";

/** A field whose beginning was read and whose end was not. */
export interface OpenField {
  instruction: string;
  inResult: boolean;
  /** Where its result leads. */
  target: string;
}

/**
 * The beginnings of fields that have an end in this story (ECMA-376 part 1, 17.16.18). A damaged file may open a field and
 * never close it: taken at its word, the rest of the document would be an instruction, which nobody reads.
 */
export function closedFields(root: XmlElement): ReadonlySet<XmlElement> {
  const closed = new Set<XmlElement>();
  const open: XmlElement[] = [];
  const visit = (element: XmlElement): void => {
    for (const node of element.children) {
      if (typeof node === "string") continue;
      if (node.name === "fldChar" && vocabularyOf(node) === "word") {
        const type = node.attributes.fldCharType;
        if (type === "begin") open.push(node);
        else if (type === "end") {
          const begin = open.pop();
          if (begin !== undefined) closed.add(begin);
        }
      } else visit(node);
    }
  };
  visit(root);
  return closed;
}

/** The words of an instruction, those in quotation marks whole: `HYPERLINK "https://…" \l "part"`. */
function wordsOf(instruction: string): string[] {
  return Array.from(instruction.matchAll(/"((?:[^"\\]|\\.)*)"|[“”]([^“”]*)[“”]|(\S+)/g), ([, quoted, curly, bare]) =>
    quoted === undefined ? (curly ?? bare!) : quoted.replace(/\\(["\\])/g, "$1"),
  );
}

/** The name of a field, in capitals: `HYPERLINK`. */
export function fieldName(instruction: string): string {
  return (/^\s*([A-Za-z=]+)/.exec(instruction)?.[1] ?? "").toUpperCase();
}

/** Where a field leads, if it is a link out of the document: places inside have no address in Markdown. */
export function fieldTarget(instruction: string): string {
  if (fieldName(instruction) !== "HYPERLINK") return "";
  let target = "";
  let place = "";
  const words = wordsOf(instruction).slice(1);
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (/^\\[otm]$/i.test(word)) at++;
    else if (/^\\l$/i.test(word)) place = words[++at] ?? "";
    else if (!word.startsWith("\\") && target === "") target = word;
  }
  return target === "" ? "" : target + (place === "" ? "" : `#${place}`);
}

/**
 * What a field shows that has no result, because Word draws it: a sign by its code, and the words of a drawn equation, by
 * which Japanese documents put readings above words.
 */
export function drawnText(instruction: string): string {
  const name = fieldName(instruction);
  if (name === "SYMBOL") {
    const [, code = "", ...switches] = wordsOf(instruction);
    const font = switches[switches.findIndex((word) => /^\\f$/i.test(word)) + 1] ?? "";
    return symbolOf(font, Number(code)) ?? "";
  }
  if (name !== "EQ") return "";
  return instruction
    .replace(/^\s*EQ\b/i, "")
    .replace(/\\\*\s*(?:"[^"]*"|\S+)/g, " ")
    .replace(/\\o(?:\\a[a-z])?\s*\(\s*\\s\\up\s*\d+\s*\(([^()]*)\)\s*[,;]\s*([^()]*)\)/gi, "$2\uE000$1\uE001")
    .replace(/\\f\s*\(([^(),;]*)[,;]([^(),;]*)\)/gi, "$1/$2")
    .replace(/\\[a-z]+\s*\d*|[(),;]/gi, " ")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/\uE000/g, "(")
    .replace(/\uE001/g, ")");
}

/** Whether the field is a number of a page, which changes with every printer. */
export function isPageNumber(instruction: string): boolean {
  return ["PAGE", "NUMPAGES", "SECTIONPAGES"].includes(fieldName(instruction));
}

/** What an old form shows without having it as text: the state of a box, the entry of a list. */
export function formField(mark: XmlElement): string {
  const data = child(mark, "ffData");
  if (data === undefined) return "";
  const box = child(data, "checkBox");
  if (box !== undefined) return (switchOf(box, "checked") ?? switchOf(box, "default") ?? false) ? "☒" : "☐";
  const list = child(data, "ddList");
  if (list === undefined) return "";
  const chosen = numberOf(valueOf(list, "result")) ?? numberOf(valueOf(list, "default")) ?? 0;
  return children(list, "listEntry")[chosen]?.attributes.val ?? "";
}
